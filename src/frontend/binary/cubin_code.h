/* From the machine code of a cubin to instructions, without a listing. */
#ifndef WB_FRONTEND_BINARY_CUBIN_CODE_H
#define WB_FRONTEND_BINARY_CUBIN_CODE_H

#include "binary/listing/cubin_listing.h"
#include "frontend/sass/sass_parser.h"

/* Adds the functions of a cubin to parser->code, with what its sections say of them: the same that
 * the listing of wb_cubin_listing with these options says, after parser->line other lines. The
 * cubin must outlive the parser. False: an error was recorded. */
bool wb_cubin_code(const struct wb_cubin *cubin, const struct wb_listing_options *options,
                   struct wb_sass_parser *parser);

#endif
