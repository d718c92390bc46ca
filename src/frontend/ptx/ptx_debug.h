/* Debug information of PTX. Of each function here, the next token is the directive. */
#ifndef WB_FRONTEND_PTX_PTX_DEBUG_H
#define WB_FRONTEND_PTX_PTX_DEBUG_H

#include "frontend/ptx/ptx_parser.h"

bool wb_ptx_file(struct wb_ptx_parser *parser);
bool wb_ptx_location(struct wb_ptx_parser *parser);
/* `.loc_intermediate` and `.nv_intermediate_source_section` of PTX 9.4: places in,
 * and text of, a language between the source and PTX. */
bool wb_ptx_intermediate_location(struct wb_ptx_parser *parser);
bool wb_ptx_intermediate_source(struct wb_ptx_parser *parser);
bool wb_ptx_section(struct wb_ptx_parser *parser);
/* `@DWARF ...`: the first @ was taken. */
bool wb_ptx_old_dwarf(struct wb_ptx_parser *parser);

#endif
