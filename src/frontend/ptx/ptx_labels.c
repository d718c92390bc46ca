#include "frontend/ptx/ptx_labels.h"

#include "base/memory.h"

#include <stdlib.h>

void wb_ptx_labels_start(struct wb_ptx_labels *labels)
{
  labels->label_count = 0;
  labels->reference_count = 0;
  labels->scope_count = 0;
  labels->depth = 0;
}

bool wb_ptx_scope_open(struct wb_ptx_labels *labels)
{
  bool grown = wb_grow(labels->scopes, &labels->scope_capacity, labels->scope_count + 1);
  if (!grown)
    return false;
  labels->open[labels->depth] = (uint32_t)labels->scope_count;
  labels->scopes[labels->scope_count++] = (struct wb_ptx_scope){.depth = labels->depth};
  labels->depth++;
  return true;
}

void wb_ptx_scope_close(struct wb_ptx_labels *labels)
{
  labels->depth--;
}

bool wb_ptx_label_add(struct wb_ptx_labels *labels, struct wb_ptx_label label)
{
  bool grown = wb_grow(labels->labels, &labels->label_capacity, labels->label_count + 1);
  if (!grown)
    return false;
  label.scope = labels->open[labels->depth - 1];
  label.next = 0;
  labels->labels[labels->label_count++] = label;
  uint32_t added = (uint32_t)labels->label_count;
  struct wb_ptx_scope *scope = &labels->scopes[label.scope];
  if (scope->last_label != 0)
    labels->labels[scope->last_label - 1].next = added;
  else
    scope->first_label = added;
  scope->last_label = added;
  return true;
}

bool wb_ptx_reference_add(struct wb_ptx_labels *labels, struct wb_ptx_reference reference)
{
  bool grown =
      wb_grow(labels->references, &labels->reference_capacity, labels->reference_count + 1);
  if (!grown)
    return false;
  reference.next = 0;
  labels->references[labels->reference_count++] = reference;
  uint32_t added = (uint32_t)labels->reference_count;
  struct wb_ptx_scope *scope = &labels->scopes[labels->open[labels->depth - 1]];
  if (scope->last_reference != 0)
    labels->references[scope->last_reference - 1].next = added;
  else
    scope->first_reference = added;
  scope->last_reference = added;
  return true;
}

/* Makes the labels of a block visible. */
static bool show_labels(struct wb_ptx_labels *labels, uint32_t scope,
                        struct wb_ptx_label_problem *problem)
{
  for (uint32_t i = labels->scopes[scope].first_label; i != 0; i = labels->labels[i - 1].next) {
    struct wb_ptx_label *label = &labels->labels[i - 1];
    uint32_t visible = label->symbol->label;
    if (visible != 0 && labels->labels[visible - 1].scope == scope) {
      *problem = (struct wb_ptx_label_problem){
          .name = label->symbol->name,
          .line = label->line,
          .column = label->column,
          .other_line = labels->labels[visible - 1].line,
      };
      return false;
    }
    label->hidden = visible;
    label->symbol->label = i;
  }
  return true;
}

/* Makes the labels that a block hides visible again. */
static void hide_labels(const struct wb_ptx_labels *labels, uint32_t scope)
{
  for (uint32_t i = labels->scopes[scope].first_label; i != 0; i = labels->labels[i - 1].next)
    labels->labels[i - 1].symbol->label = labels->labels[i - 1].hidden;
}

/* A prototype may also be a variable that holds the addresses of functions. */
static bool resolve_reference(const struct wb_ptx_labels *labels,
                              const struct wb_ptx_reference *reference,
                              struct wb_function *function)
{
  uint32_t visible = reference->symbol->label;
  if (visible == 0)
    return reference->kind == WB_PTX_LABEL_PROTOTYPE && reference->symbol->variable;
  const struct wb_ptx_label *label = &labels->labels[visible - 1];
  if (label->kind != reference->kind)
    return false;
  if (reference->kind == WB_PTX_LABEL_PLACE) {
    function->targets[reference->slot] = label->first;
  } else if (reference->kind == WB_PTX_LABEL_TARGETS) {
    function->instructions[reference->slot].first_target = label->first;
    function->instructions[reference->slot].target_count = label->count;
  }
  return true;
}

static bool resolve_scope(struct wb_ptx_labels *labels, uint32_t scope,
                          struct wb_function *function, struct wb_ptx_label_problem *problem)
{
  uint32_t next;
  for (uint32_t i = labels->scopes[scope].first_reference; i != 0; i = next) {
    const struct wb_ptx_reference *reference = &labels->references[i - 1];
    next = reference->next;
    if (resolve_reference(labels, reference, function))
      continue;
    *problem = (struct wb_ptx_label_problem){
        .name = reference->symbol->name,
        .line = reference->line,
        .column = reference->column,
        .defined = reference->symbol->label != 0,
        .kind = reference->kind,
    };
    return false;
  }
  return true;
}

bool wb_ptx_labels_resolve(struct wb_ptx_labels *labels, struct wb_function *function,
                           struct wb_ptx_label_problem *problem)
{
  bool resolved = true;
  labels->depth = 0;
  for (uint32_t scope = 0; scope < labels->scope_count && resolved; scope++) {
    while (labels->depth > labels->scopes[scope].depth)
      hide_labels(labels, labels->open[--labels->depth]);
    labels->open[labels->depth++] = scope;
    resolved =
        show_labels(labels, scope, problem) && resolve_scope(labels, scope, function, problem);
  }
  while (resolved && labels->depth > 0)
    hide_labels(labels, labels->open[--labels->depth]);
  return resolved;
}

void wb_ptx_labels_free(struct wb_ptx_labels *labels)
{
  free(labels->labels);
  free(labels->references);
  free(labels->scopes);
  *labels = (struct wb_ptx_labels){0};
}
