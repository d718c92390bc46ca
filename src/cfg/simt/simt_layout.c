#include "cfg/simt/simt_layout.h"

#include "base/memory.h"

#include <stdlib.h>

#define UNVISITED UINT32_MAX

/* Where the lanes of a block can go on: the block from leader b up to instruction e, excluded, has
 * arcs first_arc[b] .. first_arc[e] - 1, descending. */
struct arcs {
  size_t *first_arc; /* by instruction */
  uint32_t *to;      /* by arc: a leader */
};

/* A block on the path of the depth-first search. */
struct visit {
  uint32_t leader; /* its first instruction */
  uint32_t end;    /* the instruction after its last one */
  size_t next;     /* the arc to follow next */
};

static void find_leaders(const struct wb_function *function,
                         const struct wb_reconvergence *mechanism, struct wb_simt_layout *layout)
{
  layout->leaders[0] = true;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    const enum wb_simt_role role = mechanism->role(instruction);
    layout->roles[i] = (uint8_t)role;
    for (uint32_t t = 0; t < instruction->target_count; t++)
      layout->leaders[function->targets[instruction->first_target + t]] = true;
    if (role == WB_ROLE_END_REPEAT)
      layout->leaders[i] = true;
    if (role >= WB_ROLE_END && i + 1 < function->instruction_count)
      layout->leaders[i + 1] = true;
  }
  for (size_t c = 0; mechanism->groups && c < function->copy_count; c++) {
    uint8_t *role = &layout->roles[function->copies[c].instruction];
    if (*role == WB_ROLE_DATA)
      *role = WB_ROLE_STEP;
  }
}

static int descending(const void *a, const void *b)
{
  const uint32_t left = *(const uint32_t *)a;
  const uint32_t right = *(const uint32_t *)b;
  return (left < right) - (left > right);
}

/* Adds the arcs of the instruction to the block's. */
static size_t add_arcs(const struct wb_function *function, const struct wb_simt_layout *layout,
                       size_t i, uint32_t *to)
{
  const struct wb_instruction *instruction = &function->instructions[i];
  size_t count = 0;
  if (instruction->transfer != WB_TRANSFER_CALL &&
      instruction->transfer != WB_TRANSFER_CALL_LINKED) {
    for (uint32_t t = 0; t < instruction->target_count; t++)
      to[count++] = function->targets[instruction->first_target + t];
  }
  if (i + 1 < function->instruction_count && layout->leaders[i + 1])
    to[count++] = (uint32_t)i + 1;
  return count;
}

static bool make_arcs(const struct wb_function *function, const struct wb_simt_layout *layout,
                      struct arcs *arcs)
{
  const size_t count = function->instruction_count;
  size_t most = count;
  for (size_t i = 0; i < count; i++)
    most += function->instructions[i].target_count;
  arcs->first_arc = wb_allocate(count + 1, sizeof *arcs->first_arc);
  arcs->to = wb_allocate(most, sizeof *arcs->to);
  if (arcs->first_arc == NULL || arcs->to == NULL)
    return false;
  size_t end = 0;
  size_t begin = 0;
  for (size_t i = 0; i < count; i++) {
    arcs->first_arc[i] = end;
    if (layout->leaders[i])
      begin = end;
    end += add_arcs(function, layout, i, arcs->to + end);
    if (i + 1 < count && !layout->leaders[i + 1])
      continue;
    qsort(arcs->to + begin, end - begin, sizeof *arcs->to, descending);
  }
  arcs->first_arc[count] = end;
  return true;
}

static struct visit begin_visit(const struct wb_function *function,
                                const struct wb_simt_layout *layout, const struct arcs *arcs,
                                uint32_t leader)
{
  uint32_t end = leader + 1;
  while (end < function->instruction_count && !layout->leaders[end])
    end++;
  return (struct visit){leader, end, arcs->first_arc[leader]};
}

/* Numbers all that a leader reaches, from *number down, in post-order. */
static void number_from(const struct wb_function *function, const struct wb_simt_layout *layout,
                        const struct arcs *arcs, struct visit *visits, bool *seen, uint32_t leader,
                        uint32_t *number)
{
  size_t depth = 0;
  visits[depth++] = begin_visit(function, layout, arcs, leader);
  seen[leader] = true;
  while (depth > 0) {
    struct visit *top = &visits[depth - 1];
    if (top->next < arcs->first_arc[top->end]) {
      const uint32_t to = arcs->to[top->next++];
      if (!seen[to]) {
        seen[to] = true;
        visits[depth++] = begin_visit(function, layout, arcs, to);
      }
      continue;
    }
    --*number;
    for (size_t i = top->leader; i < top->end; i++)
      layout->positions[i] = *number;
    depth--;
  }
}

bool wb_simt_layout_make(const struct wb_function *function,
                         const struct wb_reconvergence *mechanism, struct wb_simt_layout *layout)
{
  const size_t count = function->instruction_count;
  struct arcs arcs = {0};
  bool *seen = wb_allocate(count, sizeof *seen);
  struct visit *visits = wb_allocate(count, sizeof *visits);
  layout->leaders = wb_allocate(count, sizeof *layout->leaders);
  layout->positions = wb_allocate(count, sizeof *layout->positions);
  layout->roles = wb_allocate(count, sizeof *layout->roles);
  bool memory = seen != NULL && visits != NULL && layout->leaders != NULL &&
                layout->positions != NULL && layout->roles != NULL;
  if (memory) {
    find_leaders(function, mechanism, layout);
    memory = make_arcs(function, layout, &arcs);
  }
  if (memory) {
    uint32_t number = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
      if (layout->leaders[i] && !seen[i])
        number_from(function, layout, &arcs, visits, seen, (uint32_t)i, &number);
    }
  }
  free(arcs.first_arc);
  free(arcs.to);
  free(seen);
  free(visits);
  return memory;
}

void wb_simt_layout_free(struct wb_simt_layout *layout)
{
  free(layout->leaders);
  free(layout->positions);
  free(layout->roles);
  *layout = (struct wb_simt_layout){0};
}
