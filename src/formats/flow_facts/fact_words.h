/* Words that files of facts and options have in common. */
#ifndef WB_FORMATS_FLOW_FACTS_FACT_WORDS_H
#define WB_FORMATS_FLOW_FACTS_FACT_WORDS_H

#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number in decimal, or in hexadecimal after 0x, at the start of a text: how many characters it
 * has, 0 where there is none or it is above `most`. */
size_t wb_number_word(const char *text, size_t length, uint64_t most, uint64_t *number);

/* Reads param_2, NAME_param_2 or param:0x10: a parameter with a pointer. False for anything else.
 */
bool wb_parameter_place_read(const char *text, size_t length, struct wb_place *place);

/* A whole number of at most 63 bits, with a sign or without, at the start of a text: how many
 * characters it has, 0 where there is none. */
size_t wb_signed_word(const char *text, size_t length, int64_t *number);

#endif
