/* A function cut into blocks before anything is known of its execution. */
#include "cfg/simt/simt_engine.h"

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

static bool make_arcs(const struct wb_function *function, const struct wb_simt_layout *layout,
                      struct wb_arena *arena, struct arcs *arcs)
{
  const size_t count = function->instruction_count;
  size_t most = count;
  for (size_t i = 0; i < count; i++)
    most += function->instructions[i].target_count;
  arcs->first_arc = wb_arena_array(arena, size_t, count + 1);
  arcs->to = wb_arena_array(arena, uint32_t, most);
  if (arena->failed)
    return false;
  size_t end = 0;
  size_t begin = 0;
  for (size_t i = 0; i < count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    const bool call = instruction->transfer == WB_TRANSFER_CALL ||
                      instruction->transfer == WB_TRANSFER_CALL_LINKED;
    arcs->first_arc[i] = end;
    if (layout->leaders[i])
      begin = end;
    for (uint32_t t = 0; !call && t < instruction->target_count; t++)
      arcs->to[end++] = function->targets[instruction->first_target + t];
    if (i + 1 < count && !layout->leaders[i + 1])
      continue;
    if (i + 1 < count)
      arcs->to[end++] = (uint32_t)i + 1;
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
  struct wb_arena arena = {0};
  struct arcs arcs = {0};
  bool *seen = wb_arena_array(&arena, bool, count);
  struct visit *visits = wb_arena_array(&arena, struct visit, count);
  layout->leaders = wb_arena_array(&layout->arena, bool, count);
  layout->positions = wb_arena_array(&layout->arena, uint32_t, count);
  layout->roles = wb_arena_array(&layout->arena, uint8_t, count);
  bool memory = !arena.failed && !layout->arena.failed;
  if (memory) {
    find_leaders(function, mechanism, layout);
    memory = make_arcs(function, layout, &arena, &arcs);
  }
  uint32_t number = (uint32_t)count;
  for (size_t i = 0; memory && i < count; i++) {
    if (layout->leaders[i] && !seen[i])
      number_from(function, layout, &arcs, visits, seen, (uint32_t)i, &number);
  }
  wb_arena_free(&arena);
  return memory;
}
