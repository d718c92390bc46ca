/* Makes the code of a listing from a cubin's sections. */
#ifndef WB_BINARY_LISTING_CODE_MAKER_H
#define WB_BINARY_LISTING_CODE_MAKER_H

#include "binary/listing/code_section.h"

/* Decodes all sections of code and numbers their labels. */
warpbound_status wb_listed_code_make(const struct wb_cubin *cubin, struct wb_listed_code *code,
                                     warpbound_error *error);

/* The error of a listing beyond code->limit. */
warpbound_status wb_listed_too_long(warpbound_error *error);

#endif
