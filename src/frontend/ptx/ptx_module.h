/* A module of PTX. */
#ifndef WB_FRONTEND_PTX_PTX_MODULE_H
#define WB_FRONTEND_PTX_PTX_MODULE_H

#include "frontend/ptx/ptx_parser.h"

/* The whole text. */
bool wb_ptx_module(struct wb_ptx_parser *parser);

#endif
