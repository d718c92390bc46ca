/* The page around what Graphviz draws: its graph on the left, the legend on the right. */
#include "report/cfg/cfg_legend.h"

#include "base/memory.h"
#include "report/cfg/cfg_report.h"
#include "report/graphviz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    status = wb_graphviz_svg(&dot, control, &page, error);
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
