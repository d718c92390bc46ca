/* The picture of warp-level graphs: the legend, and the SVG page that Graphviz (the program dot)
 * lays out, with the legend on the right. */
#include "base/memory.h"
#include "base/status.h"
#include "base/system/process.h"
#include "base/text.h"
#include "base/work_control.h"
#include "report/cfg/cfg_picture.h"
#include "report/svg/svg_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FONT_SIZE 10u
#define ROW_HEIGHT 18u
#define MARGIN 8u
#define MARK_WIDTH 34u
#define MARK_GAP 8u
#define HEAD "block: first-last address, hexadecimal (instructions)"
#define HEAT_STEPS 5

/* How a row of the legend looks: a box with fill and line, the same dashed, a double box, an arrow
 * with the dashes of SVG, or the scale of heat. */
enum mark { MARK_BOX, MARK_DASHED_BOX, MARK_DOUBLE_BOX, MARK_ARROW, MARK_HEAT };

/* In which pictures a row is: all those with heat or without; those with a function of the
 * activation stack, with one of convergence barriers, or with such functions alone. */
enum { HEAT = 1, PLAIN = 2, STACK = 4, BARRIERS = 8, ALL_BARRIERS = 16 };

/* A row. dashes: of an arrow, in SVG's words ("" for none); glyphs: the arrow in characters, as
 * XML; pictures: HEAT, PLAIN or both, and at most one of the others. */
struct row {
  enum mark mark;
  const char *fill;
  const char *line;
  const char *dashes;
  const char *glyphs;
  const char *words;
  unsigned pictures;
};

#define DASH "&#8212;&#8212;&#8594;"
#define EVERY (HEAT | PLAIN)

static const struct row rows[] = {
    {MARK_HEAT, "", "", "", "", "share of the WCET's cycles: 0 to 100 %", HEAT},
    {MARK_ARROW, "", WB_PATH_COLOUR, "", DASH, "on the worst path, with how often", HEAT | STACK},
    {MARK_ARROW, "", WB_PATH_COLOUR, "", DASH, "in the worst run, with how often",
     HEAT | ALL_BARRIERS},
    {MARK_BOX, WB_SPLIT_FILL, WB_SPLIT_LINE, "", "", "divergence point: may split the lanes",
     PLAIN},
    {MARK_BOX, WB_UNIFORM_FILL, WB_UNIFORM_LINE, "", "", "conditional, proven uniform", PLAIN},
    {MARK_BOX, "#ffffff", WB_SPLIT_LINE, "", "", "divergence point: may split the lanes", HEAT},
    {MARK_BOX, "#ffffff", WB_UNIFORM_LINE, "", "", "conditional, proven uniform", HEAT},
    {MARK_BOX, WB_LOOP_FILL, WB_LOOP_LINE, "", "", "loop, by its header", EVERY},
    {MARK_BOX, WB_IRREDUCIBLE_FILL, WB_IRREDUCIBLE_LINE, "", "", "irreducible region", EVERY},
    {MARK_DASHED_BOX, "#ffffff", WB_SCOPE_LINE, "", "", "scope, from its BSSY to its BSYNC",
     EVERY | BARRIERS},
    {MARK_DASHED_BOX, "#ffffff", WB_BLOCK_LINE, "", "",
     "several groups of lanes may run it in one scope", EVERY | BARRIERS},
    {MARK_DOUBLE_BOX, "#ffffff", WB_BLOCK_LINE, "", "", "the warp can end here", EVERY | STACK},
    {MARK_DOUBLE_BOX, "#ffffff", WB_BLOCK_LINE, "", "", "lanes can end here", EVERY | ALL_BARRIERS},
    {MARK_ARROW, "", WB_PLAIN_EDGE, "", DASH, "to the next instruction", EVERY},
    {MARK_ARROW, "", WB_BRANCH_EDGE, "", DASH, "to a target", EVERY},
    {MARK_ARROW, "", WB_BACK_EDGE, "", "&#9473;&#9473;&#8594;", "back edge of a loop", EVERY},
    {MARK_ARROW, "", WB_REACTIVATION_EDGE, "4 3", "- - &#8594;",
     "reactivation: other lanes of the warp run on (many: listed)", EVERY | STACK},
    {MARK_ARROW, "", WB_CALL_EDGE, "1 3", "&#183;&#183;&#183;&#183; &#8594;", "call, return",
     EVERY},
};
#define ROW_COUNT (sizeof rows / sizeof *rows)

/* Whether the legend of a picture has a row, whatever the picture's heat. */
static bool is_about(const struct row *row, struct wb_cfg_legend legend)
{
  const bool stack = legend.stack || !legend.barriers;
  const unsigned about = row->pictures & ~(unsigned)EVERY;
  return about == 0 || (about == STACK && stack) || (about == BARRIERS && legend.barriers) ||
         (about == ALL_BARRIERS && !stack);
}

/* The same with its heat. */
static bool has(const struct row *row, struct wb_cfg_legend legend)
{
  return (row->pictures & (legend.heat ? HEAT : PLAIN)) != 0 && is_about(row, legend);
}

struct wb_cfg_legend wb_cfg_legend_of(const struct wb_cfg_report *report)
{
  struct wb_cfg_legend legend = {.heat = report->heat != NULL};
  for (size_t f = 0; f < report->count; f++) {
    const struct wb_control_flow *flow = &report->flows[f];
    legend.stack |= flow->graph != NULL && !flow->united.groups;
    legend.barriers |= flow->graph != NULL && flow->united.groups;
  }
  return legend;
}

/* From white to a pink, faster at first: what little there is shall be seen. */
void wb_heat_colour(double share, char colour[WB_HEAT_COLOUR_SIZE])
{
  const double depth = share <= 0 ? 0 : share >= 1 ? 1 : sqrt(share);
  const unsigned green = (unsigned)(255 - 135 * depth + 0.5);
  const unsigned blue = (unsigned)(255 - 55 * depth + 0.5);
  snprintf(colour, WB_HEAT_COLOUR_SIZE, "#ff%02x%02x", green & 0xffu, blue & 0xffu);
}

/* Part `step` of the scale of heat. */
static void heat_step(unsigned step, char colour[WB_HEAT_COLOUR_SIZE])
{
  wb_heat_colour((double)step / (HEAT_STEPS - 1), colour);
}

/* ---- for Graphviz ---- */

void wb_cfg_legend_dot(struct wb_cfg_legend legend, struct wb_text *text)
{
  wb_text_string(text,
                 "legend [shape=plain style=\"\" fontname=\"Helvetica,Arial,sans-serif\" label=<\n"
                 "<table border=\"1\" color=\"#ced4da\" cellborder=\"0\" cellspacing=\"3\">\n"
                 "<tr><td colspan=\"2\" align=\"left\"><b>" HEAD "</b></td></tr>\n");
  for (size_t r = 0; r < ROW_COUNT; r++) {
    if (!has(&rows[r], legend))
      continue;
    wb_text_string(text, "<tr>");
    char colour[WB_HEAT_COLOUR_SIZE];
    switch (rows[r].mark) {
    case MARK_BOX:
      wb_text_format(text, "<td width=\"34\" bgcolor=\"%s\" border=\"2\" color=\"%s\"></td>",
                     rows[r].fill, rows[r].line);
      break;
    case MARK_DASHED_BOX:
      wb_text_format(text, "<td width=\"34\" border=\"2\" style=\"dashed\" color=\"%s\"></td>",
                     rows[r].line);
      break;
    case MARK_DOUBLE_BOX:
      wb_text_string(text, "<td>&#9635;</td>");
      break;
    case MARK_ARROW:
      wb_text_format(text, "<td><font color=\"%s\"><b>%s</b></font></td>", rows[r].line,
                     rows[r].glyphs);
      break;
    case MARK_HEAT:
      wb_text_string(text, "<td><table border=\"0\" cellspacing=\"0\" cellborder=\"0\"><tr>");
      for (unsigned step = 0; step < HEAT_STEPS; step++) {
        heat_step(step, colour);
        wb_text_format(text, "<td width=\"8\" bgcolor=\"%s\"></td>", colour);
      }
      wb_text_string(text, "</tr></table></td>");
      break;
    }
    wb_text_format(text, "<td align=\"left\">%s</td></tr>\n", rows[r].words);
  }
  wb_text_string(text, "</table>>];\n");
}

/* ---- for SVG ---- */

/* Points that the legend takes: the same with heat and without. */
static unsigned legend_width(struct wb_cfg_legend legend)
{
  unsigned widest = wb_svg_text_width(HEAD, FONT_SIZE);
  for (size_t r = 0; r < ROW_COUNT; r++) {
    if (!is_about(&rows[r], legend))
      continue;
    const unsigned width = MARK_WIDTH + MARK_GAP + wb_svg_text_width(rows[r].words, FONT_SIZE);
    widest = width > widest ? width : widest;
  }
  return widest + 2 * MARGIN;
}

static unsigned legend_height(struct wb_cfg_legend legend)
{
  unsigned count = 1;
  for (size_t r = 0; r < ROW_COUNT; r++)
    count += has(&rows[r], legend);
  return count * ROW_HEIGHT + 2 * MARGIN;
}

static void write_box(const char *fill, const char *line, double x, double y, double width,
                      double height, struct wb_text *text)
{
  wb_text_format(text,
                 "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
                 "stroke=\"%s\"/>\n",
                 x, y, width, height, fill, line);
}

static void write_svg_mark(const struct row *row, double x, double y, struct wb_text *text)
{
  const double height = ROW_HEIGHT - 6;
  char colour[WB_HEAT_COLOUR_SIZE];
  const double width = (double)MARK_WIDTH / HEAT_STEPS;
  const double end = x + MARK_WIDTH;
  switch (row->mark) {
  case MARK_BOX:
    write_box(row->fill, row->line, x, y, MARK_WIDTH, height, text);
    break;
  case MARK_DASHED_BOX:
    wb_text_format(text,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#ffffff\" "
                   "stroke=\"%s\" stroke-dasharray=\"5 2\"/>\n",
                   x, y, (double)MARK_WIDTH, height, row->line);
    break;
  case MARK_DOUBLE_BOX:
    write_box(row->fill, row->line, x, y, MARK_WIDTH, height, text);
    write_box(row->fill, row->line, x + 3, y + 3, MARK_WIDTH - 6, height - 6, text);
    break;
  case MARK_ARROW:
    wb_text_format(
        text,
        "<path d=\"M%.1f %.1fH%.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s%s%s/>"
        "<path d=\"M%.1f %.1fl-7 -3.5v7z\" fill=\"%s\"/>\n",
        x, y + height / 2, end - 6, row->line, row->dashes[0] != '\0' ? " stroke-dasharray=\"" : "",
        row->dashes, row->dashes[0] != '\0' ? "\"" : "", end, y + height / 2, row->line);
    break;
  case MARK_HEAT:
    for (unsigned step = 0; step < HEAT_STEPS; step++) {
      heat_step(step, colour);
      write_box(colour, WB_BLOCK_LINE, x + step * width, y, width, height, text);
    }
    break;
  }
}

/* The upper left corner is at x, y. */
static void write_legend(struct wb_cfg_legend legend, double x, double y, struct wb_text *text)
{
  wb_text_format(text,
                 "<g font-family=\"Helvetica,Arial,sans-serif\" font-size=\"%u\">\n"
                 "<rect x=\"%.1f\" y=\"%.1f\" width=\"%u\" height=\"%u\" fill=\"white\" "
                 "stroke=\"#ced4da\"/>\n<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">" HEAD
                 "</text>\n",
                 FONT_SIZE, x, y, legend_width(legend), legend_height(legend), x + MARGIN,
                 y + MARGIN + FONT_SIZE);
  double top = y + MARGIN + ROW_HEIGHT;
  for (size_t r = 0; r < ROW_COUNT; r++) {
    if (!has(&rows[r], legend))
      continue;
    write_svg_mark(&rows[r], x + MARGIN, top, text);
    wb_text_format(text, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                   x + MARGIN + MARK_WIDTH + MARK_GAP, top + FONT_SIZE, rows[r].words);
    top += ROW_HEIGHT;
  }
  wb_text_string(text, "</g>\n");
}

/* Exit statuses of a child that could not start, as a shell numbers them. */
#define NOT_FOUND 127
#define NOT_STARTED 126

/* The child's streams: files without a name, gone with the last descriptor. */
enum { INPUT, OUTPUT, MESSAGES, STREAMS };

/* Lays a graph out with the program `dot`, found by PATH, from and to the streams. Errors: those of
 * draw_by_graphviz. */
static warpbound_status run_dot(FILE *const *streams, const struct wb_control *control,
                                warpbound_error *error)
{
  const pid_t child = wb_process_fork(-1);
  if (child == 0) {
    dup2(fileno(streams[INPUT]), STDIN_FILENO);
    dup2(fileno(streams[OUTPUT]), STDOUT_FILENO);
    dup2(fileno(streams[MESSAGES]), STDERR_FILENO);
    execlp("dot", "dot", "-Tsvg", (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : NOT_STARTED);
  }
  if (child < 0)
    return wb_fail(error, WARPBOUND_INTERNAL, "cannot start a process: %s", strerror(errno));
  int ended = 0;
  if (wb_process_wait(child, control, "picture", &ended) != WB_STOP_NONE)
    return wb_fail(error, WARPBOUND_LIMIT, "Graphviz was stopped before the picture was done");
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
    return WARPBOUND_OK;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_FOUND)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected the program dot for a picture, found none: install the package"
                   " graphviz");
  /* With the first line of what the program said. */
  char line[160] = "nothing";
  if (fseek(streams[MESSAGES], 0, SEEK_SET) == 0 &&
      fgets(line, sizeof line, streams[MESSAGES]) != NULL)
    line[strcspn(line, "\n")] = '\0';
  return wb_fail(error, WARPBOUND_USAGE, "Graphviz (the program dot) ended with %s %d and said: %s",
                 WIFSIGNALED(ended) ? "signal" : "status",
                 WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended), line);
}

/* Appends Graphviz's drawing of a graph to *svg. Stops when the control says so. Errors:
 * WARPBOUND_USAGE where the program is not there or refuses the graph, WARPBOUND_LIMIT where it was
 * stopped, WARPBOUND_INTERNAL. */
static warpbound_status draw_by_graphviz(const struct wb_text *graph,
                                         const struct wb_control *control, struct wb_text *svg,
                                         warpbound_error *error)
{
  FILE *streams[STREAMS] = {tmpfile(), tmpfile(), tmpfile()};
  warpbound_status status = WARPBOUND_OK;
  FILE *const input = streams[INPUT];
  const bool open = input != NULL && streams[OUTPUT] != NULL && streams[MESSAGES] != NULL &&
                    fwrite(graph->data, 1, graph->length, input) == graph->length &&
                    fflush(input) == 0 && fseek(input, 0, SEEK_SET) == 0;
  if (!open)
    status =
        wb_fail(error, WARPBOUND_INTERNAL, "cannot make a temporary file: %s", strerror(errno));
  if (status == WARPBOUND_OK)
    status = run_dot(streams, control, error);
  if (status == WARPBOUND_OK) {
    char buffer[4096];
    const bool begun = fseek(streams[OUTPUT], 0, SEEK_SET) == 0;
    for (size_t got; begun && (got = fread(buffer, 1, sizeof buffer, streams[OUTPUT])) > 0;)
      wb_text_append(svg, buffer, got);
    if (!begun || ferror(streams[OUTPUT]) != 0 || svg->failed)
      status = wb_out_of_memory(error);
  }
  for (size_t s = 0; s < STREAMS; s++) {
    if (streams[s] != NULL)
      fclose(streams[s]);
  }
  return status;
}

#define GAP 24.0

warpbound_status wb_cfg_svg(const struct wb_cfg_report *report, const struct wb_control *control,
                            struct wb_text *svg, warpbound_error *error)
{
  struct wb_text dot = {0};
  struct wb_text page = {0};
  double width = 0, height = 0;
  int length = 0;
  wb_cfg_dot(report, false, &dot);
  warpbound_status status = dot.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK)
    status = draw_by_graphviz(&dot, control, &page, error);
  /* Graphviz's drawing is the element <svg>, whose size in points is replaced. */
  const char *tag = status == WARPBOUND_OK && page.data != NULL ? strstr(page.data, "<svg ") : NULL;
  const bool found =
      tag != NULL &&
      sscanf(tag, "<svg width=\"%lfpt\" height=\"%lfpt\"%n", &width, &height, &length) == 2 &&
      length > 0;
  if (status == WARPBOUND_OK && !found)
    status =
        wb_fail(error, WARPBOUND_USAGE,
                "expected a picture with its size from Graphviz (the program dot), found none");
  if (status == WARPBOUND_OK) {
    const struct wb_cfg_legend legend = wb_cfg_legend_of(report);
    const double least = legend_height(legend) + GAP;
    const double whole_width = width + GAP + legend_width(legend) + GAP / 2;
    const double whole_height = height > least ? height : least;
    wb_text_format(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%.0fpt\" height=\"%.0fpt\" "
        "viewBox=\"0 0 %.0f %.0f\">\n<rect width=\"100%%\" height=\"100%%\" "
        "fill=\"white\"/>\n",
        whole_width, whole_height, whole_width, whole_height);
    write_legend(legend, width + GAP, GAP / 2, svg);
    wb_text_format(svg, "<svg width=\"%.2f\" height=\"%.2f\"%s</svg>\n", width, height,
                   tag + length);
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
