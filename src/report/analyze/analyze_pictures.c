/* Pictures of launches: a simulated run, and the bracket over a number that is swept. */
#include "base/checked.h"
#include "base/memory.h"
#include "model/unit.h"
#include "report/analyze/analyze_report.h"
#include "report/report_words.h"
#include "report/svg/svg_page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a simulated run ---- */

/* All in pixels. */
#define LEFT 150u /* of the plot: labels before it */
#define WIDTH 1050u
#define RIGHT (LEFT + WIDTH)
#define TOP 48u
#define ROW 17u
#define GAP 20u /* before the rows of a partition: its name */
#define MARK 9u
#define REQUEST 4u
#define LEAST_TENTHS 7u /* of a mark */
#define LEGEND_ROW 18u
#define TITLE_SIZE 16u
#define TEXT_SIZE 12u
/* With more marks than this, browsers labour with a tooltip for each. */
#define MOST_TIPS 2500
#define MOST_MARKS 20000

/* What is drawn of a row, the last ones over the first ones. */
enum layer {
  RESIDENT,
  BARRIER,
  WAIT,
  QUEUE,
  REQUESTS, /* + level of the resource */
  ISSUE = REQUESTS + WB_LEVEL_COUNT,
  LAYERS = ISSUE + WB_UNIT_COUNT
};

struct layer_style {
  const char *attributes;
  const char *meaning;
};

/* Of units as in the picture of a schedule: Okabe and Ito's colours, their blue made lighter. All
 * are apart from white and from black. */
static const struct layer_style styles[LAYERS] = {
    [RESIDENT] = {"fill=\"currentColor\" fill-opacity=\"0.1\"", "its block is on the SM"},
    [BARRIER] = {"fill=\"#d9822b\" fill-opacity=\"0.45\"", "waits at a barrier"},
    [WAIT] = {"fill=\"#d64545\" fill-opacity=\"0.6\"", "could issue, but others take all servers"},
    [QUEUE] = {"fill=\"#d64545\" fill-opacity=\"0.35\"", "a request waits for a server"},
    [REQUESTS + WB_LEVEL_PARTITION] = {"fill=\"#8a8f98\"", "a request, at the partition"},
    [REQUESTS + WB_LEVEL_SM] = {"fill=\"#7c6fd6\"", "a request, at the SM"},
    [REQUESTS + WB_LEVEL_GPU] = {"fill=\"#2aa198\"", "a request, at the GPU"},
    [ISSUE + WB_UNIT_LOAD_STORE] = {"fill=\"#e69f00\"", NULL},
    [ISSUE + WB_UNIT_CORE] = {"fill=\"#56b4e9\"", NULL},
    [ISSUE + WB_UNIT_SPECIAL] = {"fill=\"#009e73\"", NULL},
    [ISSUE + WB_UNIT_DOUBLE] = {"fill=\"#cc79a7\"", NULL},
    [ISSUE + WB_UNIT_TENSOR] = {"fill=\"#3f86c6\"", NULL},
    [ISSUE + WB_UNIT_NONE] = {"fill=\"#c9b400\"", NULL},
    [ISSUE + WB_UNIT_BARRIER] = {"fill=\"#d55e00\"", NULL},
};

struct picture {
  const struct wb_launch_analysis *analysis;
  struct wb_timeline_rows rows;
  struct wb_text layers[LAYERS];
  unsigned drawn[LAYERS][WB_TIMELINE_MOST_ROWS]; /* tenths of pixels from the left up to which a
                                                    layer of a row is full */
  unsigned y[WB_TIMELINE_MOST_ROWS];
  unsigned height; /* below the last row */
  size_t marks;
  bool tips;
  bool cut; /* marks were left out */
};

/* Tenths of pixels from the left. */
static unsigned x_of(const struct picture *picture, uint64_t time)
{
  const struct wb_timeline_rows *const rows = &picture->rows;
  const uint64_t inside = wb_minimum(wb_maximum(time, rows->from), rows->until) - rows->from;
  const double part = (double)inside / (double)(rows->until - rows->from);
  return LEFT * 10 + (unsigned)(part * WIDTH * 10 + 0.5);
}

/* Draws a stretch of a row; what its layer has drawn already is left out. */
static void add_mark(struct picture *picture, enum layer layer, size_t row, uint64_t from,
                     uint64_t until, const struct wb_launch_event *event)
{
  const bool request = layer >= QUEUE && layer < ISSUE;
  unsigned *const drawn = &picture->drawn[layer][row];
  const unsigned begin = x_of(picture, from);
  const unsigned left = (unsigned)wb_maximum(begin, *drawn);
  const unsigned right = (unsigned)wb_maximum(x_of(picture, until), begin + LEAST_TENTHS);
  if (right < left + LEAST_TENTHS)
    return;
  if (++picture->marks > MOST_MARKS) {
    picture->cut = true;
    return;
  }
  *drawn = right;
  struct wb_text *const text = &picture->layers[layer];
  unsigned height = request ? REQUEST : MARK;
  height = layer == RESIDENT ? MARK + REQUEST + 2 : height;
  wb_text_format(text, "<rect x=\"%u.%u\" y=\"%u\" width=\"%u.%u\" height=\"%u\"", left / 10,
                 left % 10, picture->y[row] + (request ? MARK + 2 : 1), (right - left) / 10,
                 (right - left) % 10, height);
  if (!picture->tips || event == NULL) {
    wb_text_string(text, "/>\n");
    return;
  }
  wb_text_string(text, ">");
  const struct wb_function *const function = picture->analysis->function;
  const struct wb_timed_code *const code = &picture->analysis->timed;
  wb_text_string(text, "<title>");
  wb_svg_escape(function != NULL && event->instruction < function->instruction_count
                    ? function->instructions[event->instruction].opcode
                    : "instruction",
                1, WB_SVG_LONGEST_TEXT, text);
  wb_text_format(text, ", step %" PRIu32 " of block %" PRIu64 ", warp %" PRIu32, event->step,
                 event->block, event->warp);
  switch (event->kind) {
  case WB_EVENT_ISSUE:
    wb_text_format(text, ": issues in cycle %" PRIu64, event->time);
    break;
  case WB_EVENT_REQUEST:
    wb_text_string(text, ": served by ");
    break;
  case WB_EVENT_WAIT:
    wb_text_string(text, ": waits for ");
    break;
  case WB_EVENT_BARRIER_WAIT:
    wb_text_string(text, ": waits at the barrier");
    break;
  case WB_EVENT_FETCH: /* not recorded for pictures */
  case WB_EVENT_COPY:
    break;
  }
  if (event->kind == WB_EVENT_REQUEST || event->kind == WB_EVENT_WAIT)
    wb_svg_escape(event->resource < code->resource_count ? code->resources[event->resource].name
                                                         : "a resource",
                  1, WB_SVG_LONGEST_TEXT, text);
  if (event->kind != WB_EVENT_ISSUE)
    wb_text_format(text, ", cycles %" PRIu64 " to %" PRIu64, event->time, event->until);
  wb_text_string(text, "</title>");
  wb_text_string(text, "</rect>\n");
}

static enum layer layer_of(const struct picture *picture, const struct wb_launch_event *event)
{
  const struct wb_timed_code *const code = &picture->analysis->timed;
  const struct wb_function *const function = picture->analysis->function;
  switch (event->kind) {
  case WB_EVENT_ISSUE:
    if (function == NULL || event->instruction >= function->instruction_count)
      return ISSUE + (enum layer)WB_UNIT_NONE;
    return ISSUE + (enum layer)function->instructions[event->instruction].unit;
  case WB_EVENT_REQUEST:
    return event->resource < code->resource_count
               ? REQUESTS + (enum layer)code->resources[event->resource].level
               : REQUESTS;
  case WB_EVENT_BARRIER_WAIT:
    return BARRIER;
  case WB_EVENT_WAIT:
  case WB_EVENT_FETCH:
  case WB_EVENT_COPY:
    break;
  }
  return event->resource < code->resource_count && !code->resources[event->resource].at_issue
             ? QUEUE
             : WAIT;
}

static void put_text(struct wb_text *text, unsigned x, unsigned y, const char *attributes,
                     const char *format, ...) WB_PRINTF(5, 6);
static void put_text(struct wb_text *text, unsigned x, unsigned y, const char *attributes,
                     const char *format, ...)
{
  va_list arguments;
  wb_text_format(text, "<text x=\"%u\" y=\"%u\" %s>", x, y, attributes);
  va_start(arguments, format);
  wb_text_format_list(text, format, arguments);
  va_end(arguments);
  wb_text_string(text, "</text>\n");
}

static void write_axis(const struct picture *picture, struct wb_text *text)
{
  const struct wb_timeline_rows *const rows = &picture->rows;
  const uint64_t step = wb_svg_plot_step(rows->until - rows->from);
  const unsigned bottom = picture->height + 4;
  for (uint64_t tick = wb_divide_up(rows->from, step) * step; tick <= rows->until; tick += step) {
    const unsigned x = x_of(picture, tick) / 10;
    wb_text_format(text,
                   "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" stroke=\"currentColor\" "
                   "stroke-opacity=\"0.2\"/>\n",
                   x, TOP, x, bottom);
    put_text(text, x, bottom + 14, "text-anchor=\"middle\"", "%" PRIu64, tick);
  }
  put_text(text, LEFT - 8, bottom + 14, "text-anchor=\"end\"", "cycle");
}

static void write_sign(enum layer layer, const char *words, unsigned *x, unsigned *y,
                       struct wb_text *text)
{
  const unsigned width = 24 + wb_svg_text_width(words, TEXT_SIZE);
  if (*x + width > RIGHT) {
    *x = 12;
    *y += LEGEND_ROW;
  }
  wb_text_format(text, "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"%u\" %s/>", *x, *y - 9, MARK,
                 styles[layer].attributes);
  put_text(text, *x + 17, *y, "", "%s", words);
  *x += width + 10;
}

/* What the marks mean that are there; where it ends. */
static unsigned write_legend(const struct picture *picture, struct wb_text *text)
{
  unsigned x = 12;
  unsigned y = picture->height + 44;
  for (enum layer layer = ISSUE; layer < LAYERS; layer++) {
    if (picture->layers[layer].length > 0)
      write_sign(layer, wb_unit_name((enum wb_unit)(layer - ISSUE)), &x, &y, text);
  }
  for (enum layer layer = RESIDENT; layer < ISSUE; layer++) {
    if (picture->layers[layer].length > 0)
      write_sign(layer, styles[layer].meaning, &x, &y, text);
  }
  return y + LEGEND_ROW;
}

static void write_head(const struct picture *picture, unsigned height, struct wb_text *text)
{
  const struct wb_launch_analysis *const analysis = picture->analysis;
  const struct wb_timeline_rows *const rows = &picture->rows;
  wb_text_format(text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                 "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"%u\" "
                 "fill=\"currentColor\" role=\"img\">\n<title>",
                 RIGHT + 20, height, RIGHT + 20, height, TEXT_SIZE);
  wb_svg_escape(analysis->function != NULL ? analysis->function->name : "launch", 1,
                WB_SVG_LONGEST_TEXT, text);
  wb_text_format(text, ": SM %" PRIu32 " of a simulated run</title>\n", rows->sm);
  put_text(text, 12, 26, "font-size=\"16\" font-weight=\"bold\"",
           "SM %" PRIu32 ", cycles %" PRIu64 " to %" PRIu64 " of %" PRIu64 " (%s)", rows->sm,
           rows->from, rows->until, analysis->worst_run.cycles,
           wb_launch_policy_name(analysis->policy));
  char limit[80] = "All warps";
  if (rows->left_out > 0)
    snprintf(limit, sizeof limit, "The latest %zu of %zu warps", rows->count,
             rows->count + rows->left_out);
  put_text(text, 12, 45, "fill-opacity=\"0.75\"", "%s that were recorded on this SM.%s%s", limit,
           rows->until < analysis->worst_run.cycles ? " What follows was not recorded." : "",
           picture->cut ? " Marks beyond the first 20000 are left out." : "");
}

void wb_timeline_svg(const struct wb_launch_analysis *analysis, struct wb_text *text)
{
  if (analysis->worst_run.event_count == 0)
    return;
  struct picture picture = {.analysis = analysis};
  if (!wb_timeline_rows_choose(&analysis->worst_run, &picture.rows)) {
    text->failed = true;
    return;
  }
  unsigned y = TOP;
  for (size_t r = 0; r < picture.rows.count; r++) {
    if (r == 0 || picture.rows.rows[r].partition != picture.rows.rows[r - 1].partition)
      y += GAP;
    picture.y[r] = y;
    y += ROW;
  }
  picture.height = y;
  const struct wb_simulated_launch *const run = &picture.analysis->worst_run;
  for (size_t r = 0; r < picture.rows.count; r++) {
    const uint64_t block = picture.rows.rows[r].block;
    if (run->block_begin == NULL || run->block_end == NULL ||
        block >= picture.analysis->shape.blocks)
      continue;
    const uint64_t end = run->block_end[block] > 0 ? run->block_end[block] : UINT64_MAX;
    add_mark(&picture, RESIDENT, r, run->block_begin[block], end, NULL);
  }
  picture.tips = run->event_count <= MOST_TIPS;
  for (size_t i = 0; i < run->event_count; i++) {
    const struct wb_launch_event *const event = &run->events[i];
    const size_t row = wb_timeline_row_of(&picture.rows, event);
    if (row == SIZE_MAX)
      continue;
    /* The stall after an issue is no doing: the mark is of one cycle. */
    const uint64_t until = event->kind == WB_EVENT_ISSUE ? event->time + 1 : event->until;
    add_mark(&picture, layer_of(&picture, event), row, event->time, until, event);
  }
  struct wb_text legend = {0};
  write_head(&picture, write_legend(&picture, &legend), text);
  write_axis(&picture, text);
  for (size_t layer = 0; layer < LAYERS; layer++) {
    struct wb_text *const marks = &picture.layers[layer];
    const bool any = marks->length > 0;
    if (any)
      wb_text_format(text, "<g %s>\n", styles[layer].attributes);
    wb_text_join(text, marks);
    wb_text_string(text, any ? "</g>\n" : "");
  }
  /* Partition, block and warp of each row. */
  for (size_t r = 0; r < picture.rows.count; r++) {
    const struct wb_timeline_row *const row = &picture.rows.rows[r];
    if (r == 0 || row->partition != row[-1].partition)
      put_text(text, 12, picture.y[r] - 5, "font-weight=\"bold\"", "partition %" PRIu32,
               row->partition);
    put_text(text, LEFT - 8, picture.y[r] + MARK + 1, "text-anchor=\"end\" font-size=\"11\"",
             "block %" PRIu64 ", warp %" PRIu32, row->block, row->warp);
  }
  wb_text_join(text, &legend);
  wb_text_string(text, "</svg>\n");
}

/* ---- which warps are shown ---- */

/* The latest block first. */
static int by_block(const void *a, const void *b)
{
  const struct wb_timeline_row *const x = a;
  const struct wb_timeline_row *const y = b;
  if (x->block != y->block)
    return x->block > y->block ? -1 : 1;
  return (x->warp > y->warp) - (x->warp < y->warp);
}

static int by_partition(const void *a, const void *b)
{
  const struct wb_timeline_row *const x = a;
  const struct wb_timeline_row *const y = b;
  if (x->partition != y->partition)
    return x->partition < y->partition ? -1 : 1;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  return (x->warp > y->warp) - (x->warp < y->warp);
}

bool wb_timeline_rows_choose(const struct wb_simulated_launch *run, struct wb_timeline_rows *rows)
{
  /* The SM of the block that left last, or else of the first event. */
  size_t chosen = 0;
  while (chosen < run->event_count && run->events[chosen].block != run->last_block)
    chosen++;
  const uint32_t sm = run->events[chosen < run->event_count ? chosen : 0].sm;
  *rows = (struct wb_timeline_rows){.sm = sm};
  struct wb_timeline_row *const list = wb_allocate(run->event_count, sizeof *list);
  if (list == NULL)
    return false;
  /* The warps that have events on the SM, by block and warp, each once; their number. */
  size_t events = 0;
  for (size_t i = 0; i < run->event_count; i++) {
    const struct wb_launch_event *const event = &run->events[i];
    if (event->sm == sm)
      list[events++] = (struct wb_timeline_row){event->partition, event->warp, event->block};
  }
  qsort(list, events, sizeof *list, by_block);
  size_t count = 0;
  for (size_t i = 0; i < events; i++) {
    if (count == 0 || by_block(&list[count - 1], &list[i]) != 0)
      list[count++] = list[i];
  }
  rows->count = (size_t)wb_minimum(count, WB_TIMELINE_MOST_ROWS);
  rows->left_out = count - rows->count;
  for (size_t i = 0; i < rows->count; i++)
    rows->rows[i] = list[i];
  free(list);
  qsort(rows->rows, rows->count, sizeof *rows->rows, by_partition);
  rows->from = UINT64_MAX;
  rows->until = 0;
  for (size_t i = 0; i < run->event_count; i++) {
    const struct wb_launch_event *const event = &run->events[i];
    if (wb_timeline_row_of(rows, event) == SIZE_MAX)
      continue;
    rows->from = wb_minimum(rows->from, event->time);
    rows->until = wb_maximum(rows->until, event->until);
  }
  rows->until = wb_maximum(rows->until, rows->from + 1);
  return true;
}

size_t wb_timeline_row_of(const struct wb_timeline_rows *rows, const struct wb_launch_event *event)
{
  const struct wb_timeline_row row = {event->partition, event->warp, event->block};
  if (event->sm != rows->sm || rows->count == 0)
    return SIZE_MAX;
  const struct wb_timeline_row *const found =
      bsearch(&row, rows->rows, rows->count, sizeof row, by_partition);
  return found != NULL ? (size_t)(found - rows->rows) : SIZE_MAX;
}

/* ---- a sweep ---- */

/* Most marks of the x axis. */
#define SWEEP_MARKS 16

static double sweep_x(const struct wb_sweep_point *points, size_t count, uint64_t at)
{
  const uint64_t first = points[0].at;
  const uint64_t span = wb_maximum(points[count - 1].at - first, 1);
  return WB_PLOT_LEFT + (double)WB_PLOT_WIDTH * (double)(at - first) / (double)span;
}

static void write_line(const struct wb_svg_plot *plot, const struct wb_sweep_point *points,
                       size_t count, bool upper)
{
  wb_text_format(plot->text, "<polyline class=\"%s\" points=\"", upper ? "u" : "l");
  for (size_t p = 0; p < count; p++)
    wb_text_format(plot->text, "%s%.1f,%.1f", p > 0 ? " " : "",
                   sweep_x(points, count, points[p].at),
                   wb_svg_plot_y(plot, upper ? points[p].upper : points[p].lower));
  wb_text_string(plot->text, "\"/>\n");
}

void wb_sweep_plot(const char *subject, const struct wb_sweep_point *points, size_t count,
                   struct wb_text *text)
{
  struct wb_svg_plot plot = {.text = text, .least = 0, .most = 1};
  char title[96];
  for (size_t p = 0; p < count; p++)
    plot.most = wb_maximum(plot.most, points[p].upper);
  snprintf(title, sizeof title, "Worst case of the launch over %.60s", subject);
  wb_svg_plot_open(&plot, title,
                   "polyline{fill:none;stroke-width:2}.u{stroke:#b3261e}.l{stroke:#1f6feb}");
  const size_t step = count / SWEEP_MARKS + 1;
  for (size_t p = 0; p < count; p += step)
    wb_svg_plot_mark(&plot, sweep_x(points, count, points[p].at), points[p].at);
  write_line(&plot, points, count, true);
  write_line(&plot, points, count, false);
  wb_svg_plot_axes(&plot, subject, "cycles");
  wb_svg_plot_legend(&plot, "u", "upper end");
  wb_svg_plot_legend(&plot, "l", "lower end");
  wb_text_string(text, "</svg>\n");
}
