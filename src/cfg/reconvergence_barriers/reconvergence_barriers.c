#include "cfg/reconvergence_barriers/reconvergence_barriers.h"

#include "base/memory.h"
#include "base/text.h"
#include "cfg/reconvergence_barriers/barrier_assumptions.h"
#include "cfg/reconvergence_barriers/barrier_machine.h"
#include "cfg/reconvergence_barriers/block_size.h"
#include "cfg/simt/simt_fixpoint.h"

#include <stdlib.h>

/* ---- the data ---- */

static bool start(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_allocate(1, sizeof *machine);
  analysis->mechanism_data = machine;
  if (machine == NULL)
    return false;
  machine->anywhere = (struct wb_parting){.meeting = WB_NOWHERE};
  machine->breaks_state = WB_NOWHERE;
  machine->whole_warps = wb_block_size_is_of_whole_warps(analysis);
  return true;
}

static void end_search(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (machine == NULL)
    return;
  wb_group_clear(&machine->side);
  wb_group_clear(&machine->next);
}

static void free_machine(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (machine == NULL)
    return;
  end_search(analysis);
  for (size_t s = 0; s < machine->scope_count; s++) {
    wb_group_clear(&machine->scopes[s].made);
    wb_group_clear(&machine->scopes[s].arrived);
  }
  for (size_t m = 0; m < machine->meeting_count; m++)
    wb_group_clear(&machine->meetings[m].arrived);
  free(machine->scopes);
  free(machine->partings);
  free(machine->meetings);
  free(machine->calls);
  free(machine->first_calls);
  free(machine->breaks);
  free(machine->escapes);
  free(machine->syncs);
  free(machine->leavings);
  wb_pair_map_free(&machine->scope_names);
  wb_pair_map_free(&machine->parting_names);
  wb_pair_map_free(&machine->meeting_names);
  wb_pair_map_free(&machine->slot_names);
  free(machine);
  analysis->mechanism_data = NULL;
}

/* What states hold counts twice: while an array grows both the old and the new one are there. */
static uint64_t memory_used(const struct wb_simt_analysis *analysis)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  return (uint64_t)machine->item_count * sizeof(struct wb_known) * 2 +
         (uint64_t)machine->scope_capacity * sizeof *machine->scopes +
         (uint64_t)machine->parting_capacity * sizeof *machine->partings +
         (uint64_t)machine->meeting_capacity * sizeof *machine->meetings +
         (uint64_t)machine->call_capacity * sizeof *machine->calls +
         (uint64_t)(machine->scope_names.capacity + machine->parting_names.capacity +
                    machine->meeting_names.capacity + machine->slot_names.capacity) *
             sizeof *machine->scope_names.places;
}

/* ---- abstract states: groups ---- */

static struct wb_group *group_of(struct wb_abstract_state *state)
{
  return (void *)state;
}

static const struct wb_group *read_group(const struct wb_abstract_state *state)
{
  return (const void *)state;
}

static bool copy(struct wb_abstract_state *to, const struct wb_abstract_state *from)
{
  return wb_group_copy(group_of(to), read_group(from));
}

static bool join(struct wb_simt_analysis *analysis, struct wb_abstract_state *into,
                 const struct wb_abstract_state *from, bool *changed)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_group *group = group_of(into);
  const size_t before = group->scope_count + group->known_count;
  if (!wb_group_join(&analysis->sets, group, read_group(from), changed))
    return wb_simt_no_memory(analysis);
  machine->item_count += group->scope_count + group->known_count - before;
  return true;
}

static bool covers(struct wb_simt_analysis *analysis, const struct wb_abstract_state *large,
                   const struct wb_abstract_state *small)
{
  struct wb_group joined = {0};
  bool changed = false;
  const bool memory = wb_group_copy(&joined, read_group(large)) &&
                      wb_group_join(&analysis->sets, &joined, read_group(small), &changed);
  wb_group_clear(&joined);
  return (memory || wb_simt_no_memory(analysis)) && !changed;
}

static void clear(struct wb_abstract_state *state)
{
  wb_group_clear(group_of(state));
}

static void print(const struct wb_simt_analysis *analysis, const struct wb_abstract_state *state,
                  struct wb_text *text)
{
  (void)analysis;
  wb_group_print(read_group(state), text);
}

/* ---- instructions ---- */

static const char *fault(const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_PUSH:
  case WB_TRANSFER_POP:
  case WB_TRANSFER_CALL:
    return "expected code for Volta or later, found an instruction of Maxwell or Pascal";
  default:
    return NULL;
  }
}

/* A kernel begins with all lanes and no scope; of a device function's caller nothing is known. */
static void begin(struct wb_simt_analysis *analysis)
{
  static const struct wb_known_value any = {.kind = WB_KNOWN_ANY};
  struct wb_group *first = &wb_barrier_machine_of(analysis)->next;
  const struct wb_simt_transition transition = {.kind = WB_EDGE_FALLTHROUGH,
                                                .continuation = WB_NOWHERE};
  const bool kernel = analysis->function->kernel;
  wb_group_clear(first);
  first->reached = true;
  first->origin = kernel ? WB_ORIGIN_WHOLE : WB_ORIGIN_ANY;
  first->warp.apart = !kernel;
  first->ended = !kernel;
  for (uint32_t b = WB_REGISTER_BARRIER; !kernel && b < WB_REGISTER_COUNT; b++) {
    if (!wb_group_set(first, b, &any)) {
      wb_simt_no_memory(analysis);
      return;
    }
  }
  const uint32_t agreement =
      wb_barrier_agreement(analysis, WB_REGISTERS_NONE, WB_REGISTERS_NONE, first);
  wb_simt_emit(analysis, transition, (struct wb_simt_place){0, 0}, agreement,
               wb_group_as_state(first));
}

/* ---- after the search ---- */

static size_t continuation_count(const struct wb_simt_analysis *analysis)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const size_t most =
      machine->scope_count > machine->parting_count ? machine->scope_count : machine->parting_count;
  return 2 * most;
}

static bool scope_entry(const struct wb_simt_analysis *analysis, const struct wb_scope *scope,
                        struct wb_warp_entry *entry)
{
  const bool yields = scope->yields || wb_barrier_machine_of(analysis)->all_yield;
  const enum wb_scope_waiting waiting = analysis->options.waiting;
  *entry = (struct wb_warp_entry){.point = scope->point,
                                  .context = scope->context,
                                  .token = WB_TOKEN_SCOPE,
                                  .once = waiting == WB_WAITING_ALWAYS ||
                                          (waiting == WB_WAITING_UNLESS_YIELD && !yields)};
  return true;
}

static bool parting_entry(const struct wb_simt_analysis *analysis, const struct wb_parting *parting,
                          struct wb_warp_entry *entry)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (parting->meeting == WB_NOWHERE || parting->several)
    return false;
  const struct wb_meeting *meeting = &machine->meetings[parting->meeting];
  *entry = (struct wb_warp_entry){.point = meeting->instruction + 1,
                                  .context = meeting->context,
                                  .token = WB_TOKEN_WARP,
                                  .once = true};
  return true;
}

static bool continuation(const struct wb_simt_analysis *analysis, uint32_t number,
                         struct wb_warp_entry *entry)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const size_t index = number / 2;
  if (number % 2 == 0)
    return index < machine->scope_count && scope_entry(analysis, &machine->scopes[index], entry);
  return index < machine->parting_count &&
         parting_entry(analysis, &machine->partings[index], entry);
}

static const char *check(const struct wb_simt_analysis *analysis)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const char *broken = NULL;
  for (size_t s = 0; broken == NULL && s < analysis->fixpoint.state_count; s++)
    broken =
        wb_group_check(&analysis->sets, read_group(wb_simt_abstract_of(analysis, (uint32_t)s)));
  for (size_t s = 0; broken == NULL && s < machine->scope_count; s++) {
    broken = wb_group_check(&analysis->sets, &machine->scopes[s].made);
    if (broken == NULL)
      broken = wb_group_check(&analysis->sets, &machine->scopes[s].arrived);
  }
  return broken;
}

const struct wb_reconvergence wb_reconvergence_barriers = {
    .name = "convergence barriers",
    .architectures = "Volta or later",
    .state_size = sizeof(struct wb_group),
    .groups = true,
    .always_agree = {WB_REGISTER_UNIFORM, WB_REGISTER_BARRIER - WB_REGISTER_UNIFORM},
    .start = start,
    .end_search = end_search,
    .free = free_machine,
    .memory_used = memory_used,
    .copy = copy,
    .join = join,
    .covers = covers,
    .clear = clear,
    .print = print,
    .role = wb_barrier_role,
    .fault = fault,
    .begin = begin,
    .wrote = wb_barrier_wrote,
    .step = wb_barrier_step,
    .all_do = wb_barrier_all_do,
    .none_do = wb_barrier_none_do,
    .some_do = wb_barrier_some_do,
    .assume = wb_barrier_assume,
    .continuation_count = continuation_count,
    .continuation = continuation,
    .describe = wb_barrier_describe,
    .leaves_behind = wb_barrier_leaves_behind,
    .check = check,
};
