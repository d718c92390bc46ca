/* The named texts of word tables: macros and lists. */
#ifndef WB_ISA_DECODER_WORD_NAMES_H
#define WB_ISA_DECODER_WORD_NAMES_H

#include "isa/encoding/word_table.h"

#include <stddef.h>

/* The text with the longest name that the letters and digits from `at` up to `end` begin with, of
 * the table or else of the family; under a form that which is named for it, NAME/F. *length: that
 * of the name, without /F. NULL: none. */
const struct wb_word_text *wb_word_text_find(const struct wb_word_family *family,
                                             const struct wb_word_table *table, char form,
                                             const char *at, const char *end, size_t *length);

#endif
