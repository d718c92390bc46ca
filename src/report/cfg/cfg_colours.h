/* The colours of pictures of warp-level control-flow graphs. */
#ifndef WB_REPORT_CFG_CFG_COLOURS_H
#define WB_REPORT_CFG_CFG_COLOURS_H

#define WB_PLAIN_EDGE "#5b6472"
#define WB_BRANCH_EDGE "#111827"
#define WB_CALL_EDGE "#7c3aed"
#define WB_BACK_EDGE "#1d4ed8"
#define WB_REACTIVATION_EDGE "#dc2626"
#define WB_SPLIT_FILL "#ffd8a8"
#define WB_SPLIT_LINE "#d9480f"
#define WB_UNIFORM_FILL "#d8f5dc"
#define WB_UNIFORM_LINE "#2b8a3e"
#define WB_BLOCK_LINE "#868e96"
#define WB_LOOP_FILL "#eef4ff"
#define WB_LOOP_LINE "#74a0e8"
#define WB_IRREDUCIBLE_FILL "#fff9db"
#define WB_IRREDUCIBLE_LINE "#b08900"
#define WB_SCOPE_LINE "#0b7285"
/* The edges of a worst path: the deep end of the colours of heat. */
#define WB_PATH_COLOUR "#a21c6e"

#define WB_HEAT_COLOUR_SIZE 8

/* The fill for a share of the worst path's cycles, 0..1, as "#rrggbb": from white for none to a
 * pink that dark letters still stand out from. No other colour of these pictures is pink. */
void wb_heat_colour(double share, char colour[WB_HEAT_COLOUR_SIZE]);

#endif
