/* The labels of one PTX function: who names a place, who jumps there, and which
 * of several labels of a name is meant. A label is known in the block that holds
 * it and in the blocks inside, before and after its place; an inner one hides an
 * outer one. */
#ifndef WB_FRONTEND_PTX_PTX_LABELS_H
#define WB_FRONTEND_PTX_PTX_LABELS_H

#include "frontend/ptx/ptx_symbols.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deepest nesting of blocks, expressions and initialisers. */
#define WB_PTX_NESTING_LIMIT 256

enum wb_ptx_label_kind {
  WB_PTX_LABEL_PLACE,     /* an instruction, or the end */
  WB_PTX_LABEL_TARGETS,   /* a .branchtargets list */
  WB_PTX_LABEL_PROTOTYPE, /* a .callprototype or .calltargets list */
};

/* A label where it stands. For a place, `first` is the instruction's index; for a
 * .branchtargets list, the list is targets first .. first + count - 1. */
struct wb_ptx_label {
  struct wb_ptx_symbol *symbol;
  uint32_t first;
  uint32_t count;
  uint32_t scope;
  uint32_t line;
  uint32_t column;
  uint32_t next;   /* the scope's next label + 1 */
  uint32_t hidden; /* while resolving: the label that it hides + 1 */
  uint8_t kind;
};

/* A use of a label. For a place, `slot` is the index of the target to fill in;
 * else it is the index of the instruction. */
struct wb_ptx_reference {
  struct wb_ptx_symbol *symbol;
  uint32_t slot;
  uint32_t line;
  uint32_t column;
  uint32_t next; /* the scope's next reference + 1 */
  uint8_t kind;  /* what the label must be */
};

/* A block. first_* and last_* are the ends of lists, each index + 1. */
struct wb_ptx_scope {
  uint32_t depth; /* 0: the body of the function */
  uint32_t first_label, last_label;
  uint32_t first_reference, last_reference;
};

/* Invariant: scopes are in the order of their opening braces, and open[0 ..
 * depth - 1] are those that are not closed. */
struct wb_ptx_labels {
  struct wb_ptx_label *labels;
  size_t label_count, label_capacity;
  struct wb_ptx_reference *references;
  size_t reference_count, reference_capacity;
  struct wb_ptx_scope *scopes;
  size_t scope_count, scope_capacity;
  uint32_t open[WB_PTX_NESTING_LIMIT];
  uint32_t depth;
};

/* Why labels could not be resolved. */
struct wb_ptx_label_problem {
  const char *name;
  uint32_t line;
  uint32_t column;
  uint32_t other_line; /* of the first definition, or 0 */
  bool defined;        /* the label is there, but of another kind */
  uint8_t kind;        /* what it must be */
};

/* Forgets the last function and keeps the memory. */
void wb_ptx_labels_start(struct wb_ptx_labels *labels);

/* Opens and closes a block; the caller sees that depth stays within
 * WB_PTX_NESTING_LIMIT. false: memory is out. */
bool wb_ptx_scope_open(struct wb_ptx_labels *labels);
void wb_ptx_scope_close(struct wb_ptx_labels *labels);

/* Adds a label or a use to the innermost open block (its scope and next are
 * filled in). false: memory is out. */
bool wb_ptx_label_add(struct wb_ptx_labels *labels, struct wb_ptx_label label);
bool wb_ptx_reference_add(struct wb_ptx_labels *labels, struct wb_ptx_reference reference);

/* Fills in the targets of the function's branches. Linear in the number of
 * blocks, labels and uses. false: *problem says which label is missing, double or
 * of the wrong kind. */
bool wb_ptx_labels_resolve(struct wb_ptx_labels *labels, struct wb_function *function,
                           struct wb_ptx_label_problem *problem);

void wb_ptx_labels_free(struct wb_ptx_labels *labels);

#endif
