#include "cfg/reconvergence_stack/reconvergence_stack.h"

#include "base/memory.h"
#include "base/text.h"
#include "cfg/reconvergence_stack/stack_loops.h"
#include "cfg/reconvergence_stack/stack_machine.h"
#include "cfg/simt/address_list.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the data ---- */

static bool start(struct wb_simt_analysis *analysis)
{
  struct wb_stack_machine *machine = wb_allocate(1, sizeof *machine);
  analysis->mechanism_data = machine;
  return machine != NULL && wb_stack_graph_start(&machine->stacks);
}

static void end_search(struct wb_simt_analysis *analysis)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  if (machine == NULL)
    return;
  free(machine->next.frames);
  free(machine->side.frames);
  free(machine->descent.frames);
  free(machine->descent.dirty);
  free(machine->descent.todo);
  machine->next = (struct wb_stack){0};
  machine->side = (struct wb_stack){0};
  machine->descent = (struct wb_stack_descent){0};
}

static void free_machine(struct wb_simt_analysis *analysis)
{
  if (analysis->mechanism_data == NULL)
    return;
  end_search(analysis);
  wb_stack_graph_free(&wb_stack_machine_of(analysis)->stacks);
  free(analysis->mechanism_data);
  analysis->mechanism_data = NULL;
}

/* Frames count twice: while an array grows both the old and the new one are there. */
static uint64_t memory_used(const struct wb_simt_analysis *analysis)
{
  const struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  return (uint64_t)machine->frame_count * sizeof(struct wb_frame) * 2 +
         (uint64_t)machine->stacks.capacity * sizeof *machine->stacks.nodes +
         (uint64_t)machine->stacks.names.capacity * sizeof *machine->stacks.names.places;
}

/* ---- abstract states: stacks ---- */

static struct wb_stack *stack_of(struct wb_abstract_state *state)
{
  return (void *)state;
}

static const struct wb_stack *read_stack(const struct wb_abstract_state *state)
{
  return (const void *)state;
}

static bool copy(struct wb_abstract_state *to, const struct wb_abstract_state *from)
{
  return wb_stack_copy(stack_of(to), read_stack(from));
}

static bool join(struct wb_simt_analysis *analysis, struct wb_abstract_state *into,
                 const struct wb_abstract_state *from, bool *changed)
{
  return wb_stack_machine_join(analysis, stack_of(into), read_stack(from), changed);
}

static bool covers(struct wb_simt_analysis *analysis, const struct wb_abstract_state *large,
                   const struct wb_abstract_state *small)
{
  return wb_stack_covers(&analysis->sets, read_stack(large), read_stack(small));
}

static void clear(struct wb_abstract_state *state)
{
  free(stack_of(state)->frames);
  *stack_of(state) = (struct wb_stack){0};
}

/* "[node 3 at 12, waiters 2, agreement 5, lost 0; ...]". */
static void print(const struct wb_simt_analysis *analysis, const struct wb_abstract_state *state,
                  struct wb_text *text)
{
  const struct wb_stack *stack = read_stack(state);
  const struct wb_stack_node *nodes = wb_stack_machine_of(analysis)->stacks.nodes;
  wb_text_string(text, "[");
  for (size_t f = 0; f < stack->count; f++) {
    const struct wb_frame *frame = &stack->frames[f];
    wb_text_format(text, "%snode %" PRIu32, f > 0 ? "; " : "", frame->node);
    if (frame->node >= WB_NODE_FIRST)
      wb_text_format(text, " at %" PRIu32, nodes[frame->node].point);
    wb_text_format(text, ", waiters %u, agreement %" PRIu32 ", lost %" PRIu32,
                   (unsigned)frame->waiters, frame->agreement, frame->lost);
  }
  wb_text_string(text, "]");
}

/* ---- instructions ---- */

static const char *fault(const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_SCOPE_OPEN:
  case WB_TRANSFER_SCOPE_SYNC:
  case WB_TRANSFER_SCOPE_BREAK:
  case WB_TRANSFER_WARP_SYNC:
  case WB_TRANSFER_CALL_LINKED:
  case WB_TRANSFER_RETURN_LINKED:
    return "expected code for Maxwell or Pascal, found an instruction of Volta and later";
  default:
    return NULL;
  }
}

static void begin(struct wb_simt_analysis *analysis)
{
  struct wb_stack *first = &wb_stack_machine_of(analysis)->next;
  const struct wb_simt_transition transition = {.kind = WB_EDGE_FALLTHROUGH,
                                                .continuation = WB_NOWHERE};
  if (wb_stack_push_start(analysis, first))
    wb_simt_emit(analysis, transition, (struct wb_simt_place){0, 0}, WB_REGISTERS_NONE,
                 wb_stack_as_state(first));
}

/* ---- after the search ---- */

static void assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  const struct wb_function *function = analysis->function;
  struct wb_list *assumptions = &analysis->graph.assumptions;
  struct wb_address_list unmatched = {0};
  bool sides = false;
  for (size_t i = 0; i < function->instruction_count; i++) {
    sides = sides || (function->instructions[i].transfer == WB_TRANSFER_BRANCH &&
                      (record->notes[i] & WB_NOTED_DIVERGENT) != 0);
    if ((record->notes[i] & WB_NOTED_UNMATCHED) != 0)
      wb_address_list_add(&unmatched, function->instructions[i].address);
  }
  if (sides)
    wb_list_add(assumptions, "of lanes that disagree on a branch, those that take it run first and "
                             "the others wait");
  if (unmatched.count > 0)
    wb_list_add(assumptions,
                "lanes come with their token on the stack, though the analysis cannot exclude "
                "that it is missing, to %s",
                wb_address_list_text(&unmatched));
}

static size_t continuation_count(const struct wb_simt_analysis *analysis)
{
  return wb_stack_machine_of(analysis)->stacks.count;
}

static bool continuation(const struct wb_simt_analysis *analysis, uint32_t number,
                         struct wb_warp_entry *entry)
{
  const struct wb_stack_node *node = &wb_stack_machine_of(analysis)->stacks.nodes[number];
  *entry = (struct wb_warp_entry){node->point, node->context, node->token, true};
  return number >= WB_NODE_FIRST;
}

static const char *check(const struct wb_simt_analysis *analysis)
{
  const struct wb_stack_graph *stacks = &wb_stack_machine_of(analysis)->stacks;
  const char *broken = wb_stack_graph_check(&analysis->sets, stacks);
  for (size_t s = 0; broken == NULL && s < analysis->fixpoint.state_count; s++)
    broken = wb_stack_check(&analysis->sets, stacks,
                            read_stack(wb_simt_abstract_of(analysis, (uint32_t)s)));
  return broken;
}

const struct wb_reconvergence wb_reconvergence_stack = {
    .name = "activation stack",
    .architectures = "Maxwell or Pascal",
    .state_size = sizeof(struct wb_stack),
    .start = start,
    .end_search = end_search,
    .free = free_machine,
    .memory_used = memory_used,
    .copy = copy,
    .join = join,
    .covers = covers,
    .clear = clear,
    .print = print,
    .role = wb_stack_role,
    .fault = fault,
    .begin = begin,
    .wrote = wb_stack_wrote,
    .step = wb_stack_step,
    .all_do = wb_stack_all_do,
    .none_do = wb_stack_none_do,
    .some_do = wb_stack_some_do,
    .assume = assume,
    .continuation_count = continuation_count,
    .continuation = continuation,
    .leaves_behind = wb_stack_leaves_behind,
    .check = check,
};
