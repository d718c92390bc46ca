/* The legend of a picture of warp-level control-flow graphs, in both forms of picture. */
#ifndef WB_REPORT_CFG_CFG_LEGEND_H
#define WB_REPORT_CFG_CFG_LEGEND_H

#include "base/text.h"
#include "report/cfg/cfg_report.h"

#include <stdbool.h>

/* What a picture has, and so what its legend tells. */
struct wb_cfg_legend {
  bool heat;     /* the colours of heat */
  bool stack;    /* functions in which one group of lanes runs at a time */
  bool barriers; /* functions with convergence barriers, in which several groups run */
};

/* The legend of a report's picture. */
struct wb_cfg_legend wb_cfg_legend_of(const struct wb_cfg_report *report);

/* Points that the legend takes as part of an SVG page. */
unsigned wb_cfg_legend_width(struct wb_cfg_legend legend);
unsigned wb_cfg_legend_height(struct wb_cfg_legend legend);

/* A node for Graphviz. */
void wb_cfg_legend_dot(struct wb_cfg_legend legend, struct wb_text *text);

/* Elements of an SVG page whose upper left corner is x, y. */
void wb_cfg_legend_svg(struct wb_cfg_legend legend, double x, double y, struct wb_text *text);

#endif
