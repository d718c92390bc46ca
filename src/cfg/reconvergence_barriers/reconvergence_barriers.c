/* Convergence barriers as a reconvergence mechanism: its data and abstract states, and what it
 * answers after the search. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/memory.h"

#include <stdlib.h>

#define WARP 32

/* ---- the data ---- */

static bool is_given(const uint32_t size[3])
{
  return size[0] > 0 && size[1] > 0 && size[2] > 0;
}

/* Threads of a warp are neighbours in the block's numbering by x, y and z: only the last warp may
 * lack lanes, by the product alone. */
static bool is_of_whole_warps(const uint32_t size[3])
{
  return (size[0] % WARP) * (size[1] % WARP) % WARP * (size[2] % WARP) % WARP == 0;
}

/* ... so that they are neighbours in x where a row of threads is whole warps, or the only one. */
static bool has_rows_of_warps(const struct wb_simt_analysis *analysis)
{
  const uint32_t *sizes[] = {analysis->options.block, analysis->function->required_block};
  bool given = false;
  for (size_t s = 0; s < 2; s++) {
    if (!is_given(sizes[s]))
      continue;
    given = true;
    if (sizes[s][0] % WARP != 0 && (sizes[s][1] != 1 || sizes[s][2] != 1))
      return false;
  }
  return given;
}

static bool start(struct wb_simt_analysis *analysis)
{
  const struct wb_function *function = analysis->function;
  const size_t count = function->instruction_count;
  struct wb_barrier_machine *machine = wb_allocate(1, sizeof *machine);
  analysis->mechanism_data = machine;
  if (machine == NULL)
    return false;
  machine->points = wb_allocate(count, sizeof *machine->points);
  machine->first_scopes = wb_allocate(count, sizeof *machine->first_scopes);
  if (machine->points == NULL || machine->first_scopes == NULL)
    return false;
  for (size_t i = 0; i < count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    machine->first_scopes[i] = WB_NOWHERE;
    if (instruction->transfer == WB_TRANSFER_SCOPE_OPEN && instruction->target_count > 0)
      machine->points[function->targets[instruction->first_target]] = true;
  }
  machine->anywhere = (struct wb_parting){.meeting = WB_NOWHERE};
  machine->breaks_state = WB_NOWHERE;
  machine->came_apart = WB_NOWHERE;
  const uint32_t *block = analysis->options.block;
  const uint32_t *required = function->required_block;
  machine->whole_warps = (is_given(block) || is_given(required)) &&
                         (!is_given(block) || is_of_whole_warps(block)) &&
                         (!is_given(required) || is_of_whole_warps(required));
  machine->rows_of_warps = has_rows_of_warps(analysis);
  return true;
}

static void free_machine(struct wb_simt_analysis *analysis)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  if (machine == NULL)
    return;
  wb_group_clear(&machine->side);
  wb_group_clear(&machine->next);
  for (size_t s = 0; s < machine->scope_count; s++) {
    wb_group_clear(&machine->scopes[s].made);
    wb_group_clear(&machine->scopes[s].arrived);
  }
  for (size_t m = 0; m < machine->meeting_count; m++)
    wb_group_clear(&machine->meetings[m].arrived);
  free(machine->scopes);
  free(machine->points);
  free(machine->first_scopes);
  free(machine->partings);
  free(machine->meetings);
  free(machine->calls);
  free(machine->first_calls);
  free(machine->breaks);
  free(machine->escapes);
  free(machine->syncs.items);
  free(machine->leavings.items);
  wb_simt_pairs_free(&machine->scope_names);
  wb_simt_pairs_free(&machine->parting_names);
  wb_simt_pairs_free(&machine->meeting_names);
  wb_simt_pairs_free(&machine->branch_names);
  wb_simt_pairs_free(&machine->slot_names);
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
         wb_simt_pairs_bytes(&machine->scope_names) + wb_simt_pairs_bytes(&machine->parting_names) +
         wb_simt_pairs_bytes(&machine->meeting_names) + wb_simt_pairs_bytes(&machine->slot_names) +
         wb_simt_pairs_bytes(&machine->branch_names);
}

/* ---- abstract states: groups ---- */

static bool copy(void *to, const void *from)
{
  return wb_group_copy(to, from);
}

static void clear(void *state)
{
  wb_group_clear(state);
}

static void print(const struct wb_simt_analysis *analysis, const void *state, struct wb_text *text)
{
  (void)analysis;
  wb_group_print(state, text);
}

/* ---- instructions ---- */

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
  first->undivided = kernel;
  first->sides = kernel ? WB_REGISTERS_NONE : WB_REGISTERS_ALL;
  first->avoided = first->sides;
  first->ended = !kernel;
  for (uint32_t b = WB_REGISTER_BARRIER; !kernel && b < WB_REGISTER_COUNT; b++) {
    if (!wb_group_set(first, b, &any)) {
      wb_simt_no_memory(analysis);
      return;
    }
  }
  const uint32_t agreement =
      wb_barrier_agreement(analysis, WB_REGISTERS_NONE, WB_REGISTERS_NONE, first);
  wb_simt_emit(analysis, transition, (struct wb_simt_place){0, 0}, agreement, first);
}

/* ---- after the search ---- */

static size_t continuation_count(const struct wb_simt_analysis *analysis)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const size_t most =
      machine->scope_count > machine->parting_count ? machine->scope_count : machine->parting_count;
  return 2 * most;
}

static bool continuation(const struct wb_simt_analysis *analysis, uint32_t number,
                         struct wb_warp_entry *entry)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const size_t index = number / 2;
  if (number % 2 == 0) {
    if (index >= machine->scope_count)
      return false;
    const struct wb_scope *scope = &machine->scopes[index];
    *entry = (struct wb_warp_entry){.point = scope->point,
                                    .context = scope->context,
                                    .token = WB_TOKEN_SCOPE,
                                    .once = wb_scope_waits_for_all(analysis, scope)};
    return true;
  }
  if (index >= machine->parting_count)
    return false;
  const struct wb_parting *parting = &machine->partings[index];
  if (parting->meeting == WB_NOWHERE || parting->several)
    return false;
  const struct wb_meeting *meeting = &machine->meetings[parting->meeting];
  *entry = (struct wb_warp_entry){.point = meeting->instruction + 1,
                                  .context = meeting->context,
                                  .token = WB_TOKEN_WARP,
                                  .once = true};
  return true;
}

/* What the reached instructions have. */
struct features {
  bool scopes;                      /* BSSY */
  bool divergence;                  /* lanes may come apart, or end one by one */
  bool some_lanes;                  /* a WARPSYNC of some lanes */
  bool uniform;                     /* uniform registers are written */
  bool outside;                     /* calls to outside */
  struct wb_address_list unmatched; /* BSYNCs and BREAKs that may find no scope */
  struct wb_address_list yields;    /* that let lanes that wait run on, while scopes are open */
  struct wb_address_list by_block;  /* branches that whole warps would decide */
  bool block_given;                 /* the threads of a block are known */
};

struct assumption {
  bool holds;
  const char *sentence;
  struct wb_address_list *places; /* that end it, or NULL */
};

static struct features features_of(const struct wb_simt_analysis *analysis,
                                   const struct wb_simt_record *record)
{
  const struct wb_function *function = analysis->function;
  struct features features = {.block_given = is_given(analysis->options.block) ||
                                             is_given(function->required_block)};
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    const uint8_t notes = record->notes[i];
    if ((notes & WB_NOTED_REACHED) == 0)
      continue;
    features.scopes |= instruction->transfer == WB_TRANSFER_SCOPE_OPEN;
    features.divergence |= (notes & WB_NOTED_DIVERGENT) != 0;
    features.some_lanes |=
        instruction->transfer == WB_TRANSFER_WARP_SYNC && instruction->mask != WB_MASK_ALL;
    for (uint32_t s = 0; s < instruction->write_count; s++) {
      const uint16_t written = function->spans[instruction->first_write + s].first;
      features.uniform |= written >= WB_REGISTER_UNIFORM && written < WB_REGISTER_BARRIER;
    }
    features.outside |= instruction->transfer == WB_TRANSFER_CALL_OUTSIDE;
    if ((notes & WB_NOTED_UNMATCHED) != 0)
      wb_address_list_add(&features.unmatched, instruction->address);
    if ((notes & WB_NOTED_LETS_GO) != 0)
      wb_address_list_add(&features.yields, instruction->address);
    if ((notes & WB_NOTED_BY_BLOCK) != 0)
      wb_address_list_add(&features.by_block, instruction->address);
  }
  for (size_t e = 0; e < record->edge_count; e++)
    features.divergence |= record->edges[e].how.rate != WB_RATE_SHARED;
  return features;
}

static void list_those_that_hold(const struct assumption *assumptions, size_t count,
                                 struct wb_list *list)
{
  for (size_t a = 0; a < count; a++) {
    struct wb_address_list *places = assumptions[a].places;
    if (assumptions[a].holds)
      wb_list_add(list, "%s%s", assumptions[a].sentence,
                  places != NULL ? wb_address_list_text(places) : "");
  }
}

/* What the analysis assumes of the machine and of the code, by name. */
static void assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct features has = features_of(analysis, record);
  const enum wb_scope_waiting waiting = analysis->options.waiting;
  const bool yields = has.yields.count > 0;
  const bool by_block = has.by_block.count > 0;
  const struct assumption assumptions[] = {
      {has.divergence, "a converged group diverges only at an instruction", NULL},
      {has.scopes,
       "barrier registers are as if each lane had its own: groups that use one at a time do not "
       "disturb each other",
       NULL},
      {has.scopes && waiting == WB_WAITING_ALWAYS,
       "a BSYNC waits for all lanes of its scope that have not left it or ended, always", NULL},
      {has.scopes && waiting == WB_WAITING_NEVER, "no BSYNC waits", NULL},
      {has.scopes && waiting == WB_WAITING_UNLESS_YIELD && !yields,
       "a BSYNC waits for all lanes of its scope that have not left it or ended", NULL},
      {has.scopes && waiting == WB_WAITING_UNLESS_YIELD && yields,
       "a BSYNC waits for all lanes of its scope that have not left it or ended, but where lanes "
       "in the scope may yield: at ",
       &has.yields},
      {machine->scopes_guessed,
       "a BSYNC of a mask from a register or a word whose value the analysis does not know waits "
       "for "
       "a scope that ends at the next instruction, or for none",
       NULL},
      {machine->words_read,
       "what the code keeps on its stack at constant offsets is not overwritten by stores to "
       "addresses that are not known",
       NULL},
      {has.uniform && has.divergence,
       "uniform registers are as if each lane had its own, written by all lanes of a group: groups "
       "do not disturb each other there",
       NULL},
      {has.some_lanes && analysis->options.masks_together,
       "lanes that do a WARPSYNC of some lanes together name one mask, and stay together", NULL},
      {by_block && has.block_given,
       "BRA.DIV and BRA.CONV go either way, as a block whose threads are no multiple of 32 may "
       "have a warp of fewer than 32 lanes: at ",
       &has.by_block},
      {by_block && !has.block_given,
       "BRA.DIV and BRA.CONV go either way, as a block whose threads are not given may have a warp "
       "of fewer than 32 lanes: at ",
       &has.by_block},
      {has.outside,
       "what is called outside of the function leaves the barrier registers, the stack pointer and "
       "the stack as they were",
       NULL},
      {machine->links_guessed,
       "a return whose address the code does not show goes to after one of the calls that entered "
       "its code, or to the function's caller",
       NULL},
      {has.unmatched.count > 0,
       "lanes that find no scope to wait for, or to leave, which the analysis cannot exclude, go "
       "on at the next instruction: at ",
       &has.unmatched},
  };
  list_those_that_hold(assumptions, sizeof assumptions / sizeof assumptions[0],
                       &analysis->graph.assumptions);
}

/* ---- whether iterations of a loop leave lanes behind (doc/simt-volta.md, "Loops") ---- */

/* A question about one loop. */
struct question {
  const struct wb_simt_analysis *analysis;
  const bool *body;
  bool *whole;     /* by block of the body: all lanes of an entry that are still in the loop and
                    * come to it are one group */
  bool *dirty;     /* by scope: lanes leave it by a BREAK and stay in the body */
  uint32_t *ways;  /* by block: its edges into the body */
  size_t *resumed; /* by edge: its first resumption, + 1 */
};

static bool in_body(const struct question *question, uint32_t state)
{
  const struct wb_simt_place place = question->analysis->fixpoint.states[state].place;
  const uint32_t block =
      wb_block_that_holds(&question->analysis->graph, place.instruction, place.context);
  return block != WB_NOWHERE && question->body[block];
}

/* Whether the lanes of an entry that an edge within the body brings to its block are one group. */
static bool whole_over(const struct question *question, size_t e)
{
  const struct wb_simt_analysis *analysis = question->analysis;
  const struct wb_warp_edge *edge = &analysis->graph.edges[e];
  const bool apart =
      edge->rate == WB_RATE_LANES || (edge->rate == WB_RATE_EACH && question->ways[edge->from] > 1);
  const bool before = question->whole[edge->from] && !apart;
  if (question->resumed[e] == 0 || edge->rate == WB_RATE_LANES)
    return before;
  /* Each continuation that the edge resumes must bring all lanes of an entry together. */
  bool whole = true;
  for (size_t r = question->resumed[e] - 1;
       whole && r < analysis->resumption_count && analysis->resumptions[r].edge == e; r++) {
    const uint32_t number = analysis->resumptions[r].continuation;
    const uint32_t maker = analysis->makers[number];
    struct wb_warp_entry entry;
    whole = maker != WB_NOWHERE && question->body[maker] && continuation(analysis, number, &entry);
    if (whole && entry.token != WB_TOKEN_WARP)
      whole = entry.once ? question->whole[maker] && !question->dirty[number / 2] : before;
  }
  return whole;
}

static void start_question(const struct question *question)
{
  const struct wb_simt_analysis *analysis = question->analysis;
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  for (size_t b = 0; b < analysis->graph.block_count; b++)
    question->whole[b] = true;
  for (size_t e = 0; e < analysis->graph.edge_count; e++) {
    const struct wb_warp_edge *edge = &analysis->graph.edges[e];
    question->ways[edge->from] += question->body[edge->to];
  }
  for (size_t r = analysis->resumption_count; r-- > 0;)
    question->resumed[analysis->resumptions[r].edge] = r + 1;
  for (size_t s = 0; s < machine->scope_count; s++)
    question->dirty[s] = machine->all_broken;
  for (size_t e = 0; e < machine->escape_count; e++) {
    const struct wb_escape *escape = &machine->escapes[e];
    if (escape->how != WB_ESCAPE_NONE && !question->dirty[escape->scope] &&
        in_body(question, escape->from) && in_body(question, escape->to))
      question->dirty[escape->scope] = true;
  }
}

/* Whether at some header not all lanes of an entry that are still in the loop are one group. */
static bool leaves_behind(const struct wb_simt_analysis *analysis, const bool *headers,
                          const bool *body)
{
  const struct wb_warp_graph *graph = &analysis->graph;
  const size_t scopes = wb_barrier_machine_of(analysis)->scope_count;
  struct wb_arena arena = {0};
  const struct question question = {
      .analysis = analysis,
      .body = body,
      .whole = wb_arena_array(&arena, bool, graph->block_count),
      .dirty = wb_arena_array(&arena, bool, scopes),
      .ways = wb_arena_array(&arena, uint32_t, graph->block_count),
      .resumed = wb_arena_array(&arena, size_t, graph->edge_count),
  };
  bool left = arena.failed;
  if (!left)
    start_question(&question);
  /* The greatest solution: takes back what does not hold until all holds. */
  bool changed = !left;
  while (changed) {
    changed = false;
    for (size_t e = 0; e < graph->edge_count; e++) {
      const struct wb_warp_edge *edge = &graph->edges[e];
      if (body[edge->from] && body[edge->to] && question.whole[edge->to] &&
          !whole_over(&question, e)) {
        question.whole[edge->to] = false;
        changed = true;
      }
    }
  }
  for (size_t b = 0; !left && b < graph->block_count; b++)
    left = headers[b] && !question.whole[b];
  wb_arena_free(&arena);
  return left;
}

/* ---- invariants, interface ---- */

static const char *check(const struct wb_simt_analysis *analysis)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  const char *broken = NULL;
  for (size_t s = 0; broken == NULL && s < analysis->fixpoint.state_count; s++)
    broken = wb_group_check(&analysis->sets, wb_simt_abstract_of(analysis, (uint32_t)s));
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
    .refused_transfers = 1u << WB_TRANSFER_PUSH | 1u << WB_TRANSFER_POP | 1u << WB_TRANSFER_CALL,
    .refusal = "expected code for Volta or later, found an instruction of Maxwell or Pascal",
    .start = start,
    .free = free_machine,
    .memory_used = memory_used,
    .copy = copy,
    .join = wb_barrier_grow,
    .covers = wb_barrier_covers,
    .clear = clear,
    .print = print,
    .role = wb_barrier_role,
    .begin = begin,
    .wrote = wb_barrier_wrote,
    .step = wb_barrier_step,
    .all_do = wb_barrier_all_do,
    .none_do = wb_barrier_none_do,
    .assume = assume,
    .continuation_count = continuation_count,
    .continuation = continuation,
    .describe = wb_barrier_describe,
    .leaves_behind = leaves_behind,
    .check = check,
};
