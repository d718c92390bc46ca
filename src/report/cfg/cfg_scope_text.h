/* Scopes of convergence barriers as text: parts of the report on a graph with groups. */
#ifndef WB_REPORT_CFG_CFG_SCOPE_TEXT_H
#define WB_REPORT_CFG_CFG_SCOPE_TEXT_H

#include "base/text.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stddef.h>

/* The line that counts scopes, and blocks that may run in several groups. */
void wb_cfg_write_scope_count(const struct wb_warp_graph *united, struct wb_text *text);

/* Two columns of the table of blocks, "scope  groups   ": the innermost scope that is surely open
 * where the block begins, and whether it may run in several groups for one entry of that scope. */
void wb_cfg_write_block_scope(const struct wb_warp_graph *united, size_t block,
                              struct wb_text *text);

/* The scopes, a line each: where each begins, where its lanes wait, leave it and go on. Nothing
 * where there are none. */
void wb_cfg_write_scopes(const struct wb_warp_graph *united, struct wb_text *text);

#endif
