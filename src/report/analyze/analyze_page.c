/* The page on a launch: the parts of src/report/analyze/page around the data. What comes from the
 * input stands in one JSON text, in which nothing can end the element that holds it; the browser is
 * told to run the page's own script alone (its SHA-256 is in the policy) and to load nothing. */
#include "base/memory.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/analyze/analyze_report.h"
#include "report/cfg/cfg_report.h"
#include "report/embedded.h"
#include "report/report_words.h"
#include "report/wcet/wcet_report.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By instruction: address, text, file and line, block, runs, cycles; the blocks, edges, loops and
 * scopes of the united graph; the files with the lines that the user gave. Instructions from
 * MOST_INSTRUCTIONS on are left out, and counted. NULL where memory is out. */
#define MOST_INSTRUCTIONS 50000

static size_t shown(const struct wb_launch_analysis *analysis)
{
  const size_t count = analysis->function->instruction_count;
  return count < MOST_INSTRUCTIONS ? count : MOST_INSTRUCTIONS;
}

/* A number; -1 for UINT32_MAX. */
static json_t *number_or_none(uint32_t number)
{
  return json_integer(number != UINT32_MAX ? (json_int_t)number : -1);
}

static json_t *instructions_json(const struct wb_launch_analysis *analysis)
{
  const struct wb_warp_graph *united = &analysis->paths.wcet.flow.united;
  const int64_t *path_cycles = analysis->paths.wcet.cycles;
  const size_t count = shown(analysis);
  json_t *rows = json_array();
  size_t b = 0;
  for (uint32_t i = 0; i < count; i++) {
    while (b < united->block_count && united->blocks[b].last < i)
      b++;
    const bool reached = b < united->block_count && united->blocks[b].first <= i;
    const struct wb_instruction *at = &analysis->function->instructions[i];
    const uint64_t runs = wb_analyze_runs(analysis, i);
    /* Its cycles in the upper end; where those are not known, on the worst path of one warp. */
    double cycles = path_cycles != NULL ? (double)runs * (double)path_cycles[i] : 0;
    if (analysis->instruction_cycles != NULL)
      cycles = round(analysis->instruction_cycles[i] * 100) / 100;
    /* The scheduling information of the instruction. */
    json_t *timing = json_null();
    if (i < analysis->timed.instruction_count) {
      const struct wb_timed_instruction *timed = &analysis->timed.instructions[i];
      timing = json_pack("[I, I, I]", (json_int_t)timed->stall, (json_int_t)timed->latency,
                         (json_int_t)timed->wait_mask);
    }
    struct wb_text text = {0};
    wb_cfg_write_instruction(analysis->function, at, &text);
    wb_json_push(&rows, json_pack("[I, o, I, I, o, o, f, o]", (json_int_t)at->address,
                                  wb_json_clean_text(&text), (json_int_t)at->source_file - 1,
                                  (json_int_t)at->source_line,
                                  number_or_none(reached ? (uint32_t)b : UINT32_MAX),
                                  wb_number_json(runs), cycles, timing));
  }
  return rows;
}

static json_t *code_json(const struct wb_launch_report *report)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const struct wb_control_flow *flow = &analysis->paths.wcet.flow;
  json_t *blocks = json_array(), *edges = json_array(), *loops = json_array();
  json_t *innermost = json_array(), *scopes = json_array();
  for (size_t b = 0; b < flow->united.block_count; b++) {
    const struct wb_warp_block *block = &flow->united.blocks[b];
    wb_json_push(&blocks, json_pack("[I, I]", (json_int_t)block->first, (json_int_t)block->last));
    if (flow->loops.innermost != NULL)
      wb_json_push(&innermost, number_or_none(flow->loops.innermost[b]));
  }
  for (size_t e = 0; e < flow->united.edge_count; e++) {
    const struct wb_warp_edge *edge = &flow->united.edges[e];
    wb_json_push(&edges, json_pack("[I, I, s]", (json_int_t)edge->from, (json_int_t)edge->to,
                                   wb_edge_kind_name((enum wb_edge_kind)edge->kind)));
  }
  /* By loop its header and the loop around it (-1: none). */
  for (size_t l = 0; l < flow->loops.count; l++) {
    const struct wb_united_loop *loop = &flow->loops.loops[l];
    wb_json_push(&loops,
                 json_pack("[I, o]", (json_int_t)loop->header, number_or_none(loop->parent)));
  }
  /* By scope of convergence barriers: where it opens, where its lanes meet, the scope around it. */
  for (size_t s = 0; s < flow->united.scope_count; s++) {
    const struct wb_warp_scope *scope = &flow->united.scopes[s];
    wb_json_push(&scopes, json_pack("[I, I, o]", (json_int_t)scope->open, (json_int_t)scope->point,
                                    number_or_none(scope->parent)));
  }
  return json_pack(
      "{s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "instructions", instructions_json(analysis),
      "left_out", (json_int_t)(analysis->function->instruction_count - shown(analysis)), "blocks",
      blocks, "edges", edges, "loops", loops, "innermost", innermost, "scopes", scopes);
}

/* ---- source files ---- */

/* Lines shown before the first and after the last line that instructions name, and most lines and
 * bytes of one file that are shown. */
#define MARGIN 20
#define MOST_LINES 20000
#define LONGEST_LINE 400
/* A larger graph is no picture that anybody reads, and takes long to lay out. */
#define MOST_BLOCKS 120
#define LAYOUT_SECONDS 5

/* The lines of a file that instructions name. */
struct range {
  uint32_t first, last; /* first > last: none */
};

/* The lines from first to last, as far as the file has them; the end of a long one is cut. */
static json_t *lines_json(const struct warpbound_input *source, uint32_t first, uint32_t last)
{
  json_t *lines = json_array();
  size_t at = 0;
  for (uint32_t number = 1; number <= last && at < source->length; number++) {
    const char *end = memchr(source->text + at, '\n', source->length - at);
    const size_t length = end != NULL ? (size_t)(end - source->text) - at : source->length - at;
    const size_t kept = length < LONGEST_LINE ? length : LONGEST_LINE;
    char line[LONGEST_LINE + 1];
    memcpy(line, source->text + at, kept);
    line[kept] = '\0';
    if (number >= first)
      wb_json_push(&lines, wb_json_clean(line));
    at += length + 1;
  }
  return lines;
}

/* The source files that instructions name, each with the lines around those that they name, where
 * the user gave it. NULL where memory is out. */
static json_t *files_json(const struct wb_launch_report *report)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  struct range *ranges = wb_allocate(analysis->code->file_count + 1, sizeof *ranges);
  for (size_t f = 0; ranges != NULL && f < analysis->code->file_count; f++)
    ranges[f].first = UINT32_MAX;
  for (size_t i = 0; ranges != NULL && i < analysis->function->instruction_count; i++) {
    const struct wb_instruction *at = &analysis->function->instructions[i];
    if (at->source_file == 0 || at->source_line == 0)
      continue;
    struct range *range = &ranges[at->source_file - 1];
    range->first = at->source_line < range->first ? at->source_line : range->first;
    range->last = at->source_line > range->last ? at->source_line : range->last;
  }
  json_t *files = ranges != NULL ? json_array() : NULL;
  for (size_t f = 0; files != NULL && f < analysis->code->file_count; f++) {
    const bool given = f < report->source_count && report->sources[f].text != NULL;
    json_t *object = json_pack("{s:o}", "name", wb_json_clean(analysis->code->files[f]));
    if (ranges[f].first <= ranges[f].last) {
      const uint32_t first = ranges[f].first > MARGIN ? ranges[f].first - MARGIN : 1;
      uint32_t last = ranges[f].last;
      last = last < UINT32_MAX - MARGIN ? last + MARGIN : last;
      last = last - first >= MOST_LINES ? first + MOST_LINES - 1 : last;
      wb_put_number(&object, "first", first);
      wb_json_put(&object, "lines",
                  given ? lines_json(&report->sources[f], first, last) : json_null());
    }
    wb_json_push(&files, object);
  }
  free(ranges);
  return files;
}

/* The WCET of one warp within the launch: a view. */
static struct warpbound_wcet view_of(const struct wb_launch_report *report)
{
  return (struct warpbound_wcet){.module = report->launch->module,
                                 .wcet = report->launch->analysis.paths.wcet,
                                 .options = report->launch->options,
                                 .annotations = report->launch->annotations};
}

/* A picture, which is freed; null where there is none, or its bytes are no UTF-8. */
static json_t *picture_json(struct wb_text *svg)
{
  json_t *picture = !svg->failed && svg->length > 0 ? json_stringn(svg->data, svg->length) : NULL;
  wb_text_free(svg);
  return picture != NULL ? picture : json_null();
}

/* The graph as an SVG page by Graphviz; null where that is not there, or the graph is too large to
 * be of use as a picture. NULL where memory is out. */
static json_t *graph_json(const struct wb_launch_report *report)
{
  const struct warpbound_wcet view = view_of(report);
  const struct warpbound_wcet *const result = &view;
  struct wb_wcet_graphs graphs;
  if (view.wcet.graph == NULL || view.wcet.flow.united.block_count > MOST_BLOCKS)
    return json_null();
  json_t *picture = NULL;
  if (wb_wcet_graphs_make(&result, 1, &graphs)) {
    if (view.wcet.instruction_runs == NULL)
      graphs.report.heat = NULL;
    struct wb_control control = report->control != NULL ? *report->control : wb_control_start(NULL);
    const double latest = wb_clock() + LAYOUT_SECONDS;
    control.deadline =
        control.deadline > 0 && control.deadline < latest ? control.deadline : latest;
    struct wb_text svg = {0};
    const warpbound_status status = wb_cfg_svg(&graphs.report, &control, &svg, NULL);
    svg.failed = svg.failed || status != WARPBOUND_OK;
    picture = picture_json(&svg);
  }
  wb_wcet_graphs_free(&graphs);
  return picture;
}

/* The flow facts that are missing, as the text to write; null where there are none. */
static json_t *template_json(const struct wb_launch_report *report)
{
  const struct warpbound_wcet view = view_of(report);
  const struct warpbound_wcet *const result = &view;
  struct wb_text text = {0};
  if (wb_analyze_has_bound(report) || view.wcet.graph == NULL)
    return json_null();
  wb_facts_template(report->launch->module, &result, 1, &text);
  const struct warpbound_input written = {.text = text.data, .length = text.length};
  json_t *lines = text.failed ? NULL : lines_json(&written, 1, UINT32_MAX);
  wb_text_free(&text);
  return lines;
}

static void write_data(const struct wb_launch_report *report, struct wb_text *text)
{
  struct wb_text json = {0};
  const char *file = report->file != NULL ? report->file : report->launch->analysis.code->name;
  /* The longest simulated run as SVG; null where none was recorded. */
  struct wb_text svg = {0};
  if (wb_analyze_has_bound(report))
    wb_timeline_svg(&report->launch->analysis, &svg);
  json_t *data = json_pack(
      "{s:o, s:b, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "result", wb_analyze_object(report),
      "bounded", wb_analyze_has_bound(report), "file", wb_json_clean(file), "version",
      WARPBOUND_VERSION, "code", code_json(report), "files", files_json(report), "graph",
      graph_json(report), "timeline", picture_json(&svg), "missing", template_json(report), "facts",
      wb_analyze_facts_json(&report->launch->analysis));
  if (data != NULL)
    wb_json_write(data, JSON_COMPACT, &json);
  json_decref(data);
  if (json.length > 0 && !json.failed) {
    /* JSON in which no character means anything to HTML: those that could stand in strings alone,
     * and are written as escapes there. */
    const char *from = json.data;
    for (const char *at = json.data; *at != '\0'; at++) {
      const bool line_end =
          at[0] == '\xe2' && at[1] == '\x80' && (at[2] == '\xa8' || at[2] == '\xa9');
      if (*at != '<' && *at != '>' && *at != '&' && !line_end)
        continue;
      wb_text_append(text, from, (size_t)(at - from));
      if (line_end) {
        wb_text_format(text, "\\u202%c", at[2] == '\xa8' ? '8' : '9');
        at += 2;
      } else {
        wb_text_format(text, "\\u%04x", (unsigned)*at);
      }
      from = at + 1;
    }
    wb_text_string(text, from);
  } else {
    text->failed = true;
  }
  wb_text_free(&json);
}

void wb_analyze_page(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_text_string(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "script-src ");
  wb_text_format(text, "'%s'; style-src '%s'", wb_embedded_page_script_hash,
                 wb_embedded_page_style_hash);
  wb_text_string(text, "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>Warpbound report</title>\n<link rel=\"icon\" href=\"data:,\">\n"
                       "<style>");
  wb_text_append(text, (const char *)wb_embedded_page_style, wb_embedded_page_style_length);
  wb_text_string(text, "</style>\n</head>\n<body>\n");
  wb_text_append(text, (const char *)wb_embedded_page_body, wb_embedded_page_body_length);
  wb_text_string(text, "<script type=\"application/json\" id=\"data\">");
  write_data(report, text);
  wb_text_string(text, "</script>\n<script>");
  wb_text_append(text, (const char *)wb_embedded_page_script, wb_embedded_page_script_length);
  wb_text_string(text, "</script>\n</body>\n</html>\n");
}
