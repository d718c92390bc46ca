/* The legend of a picture of warp-level control-flow graphs, in both forms of picture. */
#ifndef WB_REPORT_CFG_CFG_LEGEND_H
#define WB_REPORT_CFG_CFG_LEGEND_H

#include "base/text.h"

#include <stdbool.h>

/* Points that the legend takes as part of an SVG page. */
unsigned wb_cfg_legend_width(void);
unsigned wb_cfg_legend_height(bool heat);

/* A node for Graphviz. heat: of a picture in the colours of heat. */
void wb_cfg_legend_dot(bool heat, struct wb_text *text);

/* Elements of an SVG page whose upper left corner is x, y. */
void wb_cfg_legend_svg(bool heat, double x, double y, struct wb_text *text);

#endif
