/* Labels and addresses: where instructions go. */
#ifndef WB_FRONTEND_SASS_SASS_TARGET_H
#define WB_FRONTEND_SASS_SASS_TARGET_H

#include "frontend/sass/text/sass_parser.h"

/* Sorts the function's labels for wb_sass_find_label. */
void wb_sass_sort_labels(struct wb_sass_parser *parser);

/* The index of a label's instruction; SIZE_MAX where there is none. */
size_t wb_sass_find_label(const struct wb_sass_parser *parser, struct wb_sass_piece name);

/* The index of the instruction that an address names; SIZE_MAX where there is none. A control word
 * may stand at a multiple of 0x20: the instruction is then the next one. */
size_t wb_sass_target_at(const struct wb_function *function, uint64_t address);

/* Appends an instruction's index to the function's targets. */
bool wb_sass_add_target(struct wb_sass_parser *parser, struct wb_function *function,
                        size_t *capacity, size_t index);

/* Appends the targets of `(*"BRANCH_TARGETS .L_x_1,.L_x_2"*)` to the function's and sets their
 * place in *annotation, whose target_count stays 0 where the statement has no such annotation. */
bool wb_sass_annotation(struct wb_sass_parser *parser, struct wb_function *function,
                        const struct wb_sass_statement *statement,
                        struct wb_annotation *annotation);

/* The address in its function that an operand such as 32@lo((f + .L_x_1@srel)) stands for, in
 * bytes, or the upper word of that. False where it names no label of the function; the name of the
 * function itself is none, for its start is where a loader puts it. */
bool wb_sass_label_value(const struct wb_sass_parser *parser, const struct wb_function *function,
                         struct wb_sass_piece piece, uint64_t *value);

#endif
