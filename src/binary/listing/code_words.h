/* The texts of a listing's instructions: decoded words with labels and symbols in them. */
#ifndef WB_BINARY_LISTING_CODE_WORDS_H
#define WB_BINARY_LISTING_CODE_WORDS_H

#include "binary/listing/code_section.h"

/* Decodes all words of all sections into code->texts, and labels where they go. */
void wb_listed_decode(struct wb_listed_code *code);

#endif
