/* The page around what Graphviz draws: its graph on the left, the legend on the right. */
#include "base/memory.h"
#include "base/status.h"
#include "base/system/process.h"
#include "base/text.h"
#include "base/work_control.h"
#include "report/cfg/cfg_legend.h"
#include "report/cfg/cfg_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of a child that could not start, as a shell numbers them. */
#define NOT_FOUND 127
#define NOT_STARTED 126

/* The child's three streams: files without a name, gone with the last descriptor. */
struct streams {
  FILE *input;
  FILE *output;
  FILE *messages;
};

static bool read_stream(FILE *stream, struct wb_text *text)
{
  char buffer[4096];
  if (fseek(stream, 0, SEEK_SET) != 0)
    return false;
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, stream)) > 0;)
    wb_text_append(text, buffer, got);
  return ferror(stream) == 0 && !text->failed;
}

static warpbound_status run_dot(struct streams *streams, const struct wb_control *control,
                                warpbound_error *error)
{
  int input = fileno(streams->input);
  int output = fileno(streams->output);
  int messages = fileno(streams->messages);
  pid_t child = wb_process_fork(-1);
  if (child == 0) {
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    execlp("dot", "dot", "-Tsvg", (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : NOT_STARTED);
  }
  if (child < 0)
    return wb_fail(error, WARPBOUND_INTERNAL, "cannot start a process: %s", strerror(errno));
  int ended = 0;
  enum wb_stop stop = wb_process_wait(child, control, "picture", &ended);
  if (stop != WB_STOP_NONE)
    return wb_fail(error, WARPBOUND_LIMIT, "Graphviz was stopped before the picture was done");
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_FOUND)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected the program dot for a picture, found none: install the package"
                   " graphviz");
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0) {
    /* With the first line of what the program said. */
    char line[160] = "nothing";
    if (fseek(streams->messages, 0, SEEK_SET) == 0 &&
        fgets(line, sizeof line, streams->messages) != NULL)
      line[strcspn(line, "\n")] = '\0';
    return wb_fail(error, WARPBOUND_USAGE,
                   "Graphviz (the program dot) ended with %s %d and said: %s",
                   WIFSIGNALED(ended) ? "signal" : "status",
                   WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended), line);
  }
  return WARPBOUND_OK;
}

/* Lays a graph out with the program `dot`, found by PATH, and appends the SVG page to *svg.
 * Stops when the control says so. Errors: WARPBOUND_USAGE where the program is not there or
 * refuses the graph, WARPBOUND_LIMIT where it was stopped, WARPBOUND_INTERNAL. */
static warpbound_status draw_by_graphviz(const struct wb_text *graph,
                                         const struct wb_control *control, struct wb_text *svg,
                                         warpbound_error *error)
{
  struct streams streams = {tmpfile(), tmpfile(), tmpfile()};
  warpbound_status status = WARPBOUND_OK;
  const bool open = streams.input != NULL && streams.output != NULL && streams.messages != NULL &&
                    fwrite(graph->data, 1, graph->length, streams.input) == graph->length &&
                    fflush(streams.input) == 0 && fseek(streams.input, 0, SEEK_SET) == 0;
  if (!open)
    status =
        wb_fail(error, WARPBOUND_INTERNAL, "cannot make a temporary file: %s", strerror(errno));
  if (status == WARPBOUND_OK)
    status = run_dot(&streams, control, error);
  if (status == WARPBOUND_OK && !read_stream(streams.output, svg))
    status = wb_out_of_memory(error);
  if (streams.input != NULL)
    fclose(streams.input);
  if (streams.output != NULL)
    fclose(streams.output);
  if (streams.messages != NULL)
    fclose(streams.messages);
  return status;
}

#define GAP 24.0

/* Graphviz's drawing: the element <svg> and its size in points. inside: what follows the tag's
 * width and height. */
struct drawing {
  double width;
  double height;
  const char *inside;
};

static bool find_drawing(const struct wb_text *page, struct drawing *drawing)
{
  const char *tag = page->data != NULL ? strstr(page->data, "<svg ") : NULL;
  int length = 0;
  if (tag == NULL ||
      sscanf(tag, "<svg width=\"%lfpt\" height=\"%lfpt\"%n", &drawing->width, &drawing->height,
             &length) != 2 ||
      length == 0)
    return false;
  drawing->inside = tag + length;
  return true;
}

warpbound_status wb_cfg_svg(const struct wb_cfg_report *report, const struct wb_control *control,
                            struct wb_text *svg, warpbound_error *error)
{
  struct wb_text dot = {0};
  struct wb_text page = {0};
  struct drawing drawing = {0};
  wb_cfg_dot(report, false, &dot);
  warpbound_status status = dot.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK)
    status = draw_by_graphviz(&dot, control, &page, error);
  if (status == WARPBOUND_OK && !find_drawing(&page, &drawing))
    status =
        wb_fail(error, WARPBOUND_USAGE,
                "expected a picture with its size from Graphviz (the program dot), found none");
  if (status == WARPBOUND_OK) {
    const double legend_width = wb_cfg_legend_width(wb_cfg_legend_of(report));
    const double legend_height = wb_cfg_legend_height(wb_cfg_legend_of(report));
    const double width = drawing.width + GAP + legend_width + GAP / 2;
    const double height =
        drawing.height > legend_height + GAP ? drawing.height : legend_height + GAP;
    wb_text_format(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%.0fpt\" height=\"%.0fpt\" "
        "viewBox=\"0 0 %.0f %.0f\">\n<rect width=\"100%%\" height=\"100%%\" "
        "fill=\"white\"/>\n",
        width, height, width, height);
    wb_cfg_legend_svg(wb_cfg_legend_of(report), drawing.width + GAP, GAP / 2, svg);
    wb_text_format(svg, "<svg width=\"%.2f\" height=\"%.2f\"%s</svg>\n", drawing.width,
                   drawing.height, drawing.inside);
  }
  wb_text_free(&dot);
  wb_text_free(&page);
  return status == WARPBOUND_OK && svg->failed ? wb_out_of_memory(error) : status;
}

bool wb_cfg_report_make(const struct warpbound_module *module,
                        const struct warpbound_control_flow *const *flows, size_t count,
                        struct wb_cfg_report *report)
{
  static const struct wb_simt_options defaults = {0};
  struct wb_control_flow *copies = wb_allocate(count, sizeof *copies);
  for (size_t f = 0; copies != NULL && f < count; f++)
    copies[f] = flows[f]->flow;
  *report = (struct wb_cfg_report){.code = &module->code,
                                   .options = count > 0 ? &flows[0]->options : &defaults,
                                   .flows = copies,
                                   .count = copies != NULL ? count : 0};
  return copies != NULL;
}

void wb_cfg_report_free(struct wb_cfg_report *report)
{
  free((struct wb_control_flow *)report->flows);
}
