/* The numbers of labels in code, in the order in which NVIDIA's disassembler gives them: those that
 * relocations name, then those of instructions (code_words.h), of indirect branches, of ends. */
#ifndef WB_BINARY_LISTING_CODE_LABELS_H
#define WB_BINARY_LISTING_CODE_LABELS_H

#include "binary/listing/code_section.h"

void wb_listed_label_relocations(struct wb_listed_code *code);

/* Labels indirect branches and where they go, as the metadata says, and notes it at them. */
void wb_listed_label_branches(struct wb_listed_code *code);

/* Labels the ends of functions. */
void wb_listed_label_ends(struct wb_listed_code *code);

#endif
