#include "flow/paths/absent_calls.h"

#include "isa/opcode.h"

#include <string.h>

/* All borrowed. */
struct cutter {
  const struct wb_function *function;
  const bool *absent;
  bool *doomed; /* by instruction, and false of the function's end */
};

/* Whether a thread that does the instruction always goes on to the next one, without waiting for
 * others: those may wait for it in turn, and it would never come to a call behind. */
static bool goes_on(const struct wb_instruction *what)
{
  switch (what->transfer) {
  case WB_TRANSFER_NEXT:
  case WB_TRANSFER_PUSH:
  case WB_TRANSFER_SCOPE_OPEN:
  case WB_TRANSFER_SCOPE_BREAK:
    return !what->unknown && what->unit != WB_UNIT_BARRIER &&
           !wb_instruction_is(what, WB_TRAIT_HIDDEN_WAIT);
  default:
    return what->never;
  }
}

/* Whether threads that do it go to one target. */
static bool goes_to_target(const struct wb_instruction *what)
{
  return (what->transfer == WB_TRANSFER_BRANCH || what->transfer == WB_TRANSFER_CALL ||
          what->transfer == WB_TRANSFER_CALL_LINKED) &&
         what->target_count == 1 && !what->together && !what->never;
}

static bool target_is_doomed(const struct cutter *cutter, const struct wb_instruction *what)
{
  return goes_to_target(what) && cutter->doomed[cutter->function->targets[what->first_target]];
}

/* Whether each thread that comes to an instruction comes to a call that no thread makes. */
static bool is_doomed(const struct cutter *cutter, size_t i)
{
  const struct wb_instruction *what = &cutter->function->instructions[i];
  const bool conditional = wb_instruction_conditional(what);
  if (cutter->absent[i] && !what->never)
    return !conditional || cutter->doomed[i + 1];
  if (goes_on(what))
    return cutter->doomed[i + 1];
  return target_is_doomed(cutter, what) && (!conditional || cutter->doomed[i + 1]);
}

static void find_doomed(struct cutter *cutter)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = cutter->function->instruction_count; i-- > 0;) {
      if (!cutter->doomed[i] && is_doomed(cutter, i))
        changed = cutter->doomed[i] = true;
    }
  }
}

/* What it tests is not tested any more. */
static void drop_condition(struct wb_instruction *what)
{
  what->guard = WB_NO_REGISTER;
  what->guarded = what->guard_negated = what->conditional_code = what->second_predicate = false;
  what->read_count = 0;
}

/* Cuts the ways of one instruction that no thread goes. */
static void cut_ways(const struct cutter *cutter, size_t i, struct wb_instruction *what, bool *left)
{
  const bool conditional = wb_instruction_conditional(what);
  if (cutter->absent[i] && !what->never) {
    *left = !conditional;
    what->transfer = conditional ? WB_TRANSFER_NEXT : WB_TRANSFER_EXIT;
    what->token = WB_TOKEN_NONE;
    what->callee = what->assumption = NULL;
    what->unknown = what->outside = false;
    what->write_count = 0;
    what->never = what->cut = conditional;
    drop_condition(what);
  } else if (conditional && target_is_doomed(cutter, what)) {
    what->never = what->cut = true;
    drop_condition(what);
  } else if (conditional && !what->together && !what->never && cutter->doomed[i + 1] &&
             (what->transfer == WB_TRANSFER_BRANCH || what->transfer == WB_TRANSFER_EXIT)) {
    drop_condition(what);
  }
}

warpbound_status wb_absent_calls_cut(const struct wb_function *function, const bool *absent,
                                     struct wb_arena *arena, const struct wb_function **cut,
                                     bool *left, warpbound_error *error)
{
  const size_t count = function->instruction_count;
  struct wb_function *made = wb_arena_array(arena, struct wb_function, 1);
  struct wb_instruction *instructions = wb_arena_array(arena, struct wb_instruction, count);
  struct cutter cutter = {function, absent, wb_arena_array(arena, bool, count + 1)};
  if (arena->failed)
    return wb_out_of_memory(error);
  find_doomed(&cutter);
  if (cutter.doomed[0])
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "%.120s: each thread comes to a call that is said never to be made",
                   function->name);
  memcpy(instructions, function->instructions, count * sizeof *instructions);
  for (size_t i = 0; i < count; i++)
    cut_ways(&cutter, i, &instructions[i], &left[i]);
  *made = *function;
  made->instructions = instructions;
  made->uncut = function;
  *cut = made;
  return WARPBOUND_OK;
}

/* ---- calls that a thread may come to ---- */

/* Marks what a thread comes to next that does a doomed instruction. */
static void follow_doomed(const struct cutter *cutter, size_t i, bool *met)
{
  const struct wb_instruction *what = &cutter->function->instructions[i];
  const bool call = cutter->absent[i] && !what->never;
  if (call ? wb_instruction_conditional(what) : goes_on(what))
    met[i + 1] = true;
  if (call || !target_is_doomed(cutter, what))
    return;
  met[cutter->function->targets[what->first_target]] = true;
  if (wb_instruction_conditional(what))
    met[i + 1] = true;
}

/* Marks what a thread comes to first that goes the way of an instruction that is cut. */
static void follow_cut(const struct cutter *cutter, const struct wb_function *cut, size_t i,
                       bool *met)
{
  const struct wb_instruction *before = &cutter->function->instructions[i];
  const struct wb_instruction *now = &cut->instructions[i];
  if (cutter->absent[i] && !before->never)
    met[i] = true;
  else if (wb_instruction_is_cut(cut, (uint32_t)i))
    met[now->never ? cutter->function->targets[before->first_target] : i + 1] = true;
}

warpbound_status wb_absent_calls_reached(const struct wb_function *cut, const bool *absent,
                                         const bool *kept, bool *reached, warpbound_error *error)
{
  const size_t count = cut->instruction_count;
  struct wb_arena arena = {0};
  struct cutter cutter = {cut->uncut, absent, wb_arena_array(&arena, bool, count + 1)};
  bool *met = wb_arena_array(&arena, bool, count + 1);
  bool *done = wb_arena_array(&arena, bool, count + 1);
  if (!arena.failed) {
    find_doomed(&cutter);
    for (size_t i = 0; i < count; i++) {
      if (!kept[i])
        follow_cut(&cutter, cut, i, met);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < count; i++) {
        if (!met[i] || done[i])
          continue;
        changed = done[i] = true;
        reached[i] = absent[i];
        follow_doomed(&cutter, i, met);
      }
    }
  }
  const bool failed = arena.failed;
  wb_arena_free(&arena);
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}
