/* Choices among texts by a field's value: {FIELD=A/B/...} and named lists. */
#ifndef WB_ISA_DECODER_WORD_CHOICE_H
#define WB_ISA_DECODER_WORD_CHOICE_H

#include "isa/decoder/word_code.h"

/* The number in code->choices of the choice that the list from `list` up to `end` makes; the same
 * list is compiled once. otherwise: the text of values without one, where %u is the value; NULL:
 * INVALID%u, behind a full stop where the list's first text begins with one. */
enum wb_word_compiled wb_word_choice_compile(struct wb_word_code *code, const char *list,
                                             const char *end, const char *otherwise,
                                             uint32_t *number);

#endif
