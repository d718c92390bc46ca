/* The interface of the reconvergence mechanism by a second implementation, in small: groups whose
 * order is free, and scopes in which they wait for each other, one open at a time. SSY opens a
 * scope (as BSSY of Volta does), SYNC waits for all its lanes (BSYNC). */
#include "base/memory.h"
#include "base/text.h"
#include "base/work_control.h"
#include "cfg/simt/simt_engine.h"
#include "groups/simt_text.h"
#include "unit.h"

/* ---- the mechanism ---- */

/* Sets of registers by number. */
struct scope_state {
  bool reached;    /* some group is in the state */
  bool open;       /* its lanes are in a scope */
  uint32_t scope;  /* opened by this instruction */
  uint32_t opened; /* agreed when it was opened */
  uint32_t lost;   /* may have been written since */
};

/* A cell for each instruction: of a SSY, the join of all that waits. */
static struct scope_state *cells_of(const struct wb_simt_analysis *analysis)
{
  return analysis->mechanism_data;
}

static bool start(struct wb_simt_analysis *analysis)
{
  analysis->mechanism_data =
      wb_allocate(analysis->function->instruction_count, sizeof(struct scope_state));
  return analysis->mechanism_data != NULL;
}

static void free_cells(struct wb_simt_analysis *analysis)
{
  free(analysis->mechanism_data);
  analysis->mechanism_data = NULL;
}

static uint64_t memory_used(const struct wb_simt_analysis *analysis)
{
  return analysis->function->instruction_count * sizeof(struct scope_state);
}

static bool copy(void *to, const void *from)
{
  memcpy(to, from, sizeof(struct scope_state));
  return true;
}

static bool state_covers(const struct wb_simt_analysis *analysis, const struct scope_state *large,
                         const struct scope_state *small)
{
  return !small->reached ||
         (large->reached && large->open == small->open && large->scope == small->scope &&
          wb_register_sets_include(&analysis->sets, small->opened, large->opened) &&
          wb_register_sets_include(&analysis->sets, large->lost, small->lost));
}

static bool covers(struct wb_simt_analysis *analysis, const void *large, const void *small)
{
  return state_covers(analysis, large, small);
}

static void join_states(struct wb_simt_analysis *analysis, struct scope_state *into,
                        const struct scope_state *from, bool *changed)
{
  if (state_covers(analysis, into, from))
    return;
  *changed = true;
  if (!into->reached) {
    *into = *from;
    return;
  }
  assert_true(into->open == from->open && into->scope == from->scope); /* one open at a time */
  into->opened = wb_register_sets_both(&analysis->sets, into->opened, from->opened);
  into->lost = wb_register_sets_either(&analysis->sets, into->lost, from->lost);
}

static bool join(struct wb_simt_analysis *analysis, void *into, const void *from, bool *changed)
{
  join_states(analysis, into, from, changed);
  return true;
}

static void clear(void *state)
{
  memset(state, 0, sizeof(struct scope_state));
}

static void print(const struct wb_simt_analysis *analysis, const void *state, struct wb_text *text)
{
  (void)analysis;
  const struct scope_state *scope = state;
  wb_text_format(text, "%s %u", scope->open ? "in scope" : "in no scope", (unsigned)scope->scope);
}

static enum wb_simt_role role(const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_NEXT:
    return WB_ROLE_DATA;
  case WB_TRANSFER_PUSH:
    return WB_ROLE_STEP;
  default:
    return WB_ROLE_END;
  }
}

static void begin(struct wb_simt_analysis *analysis)
{
  const struct scope_state first = {.reached = true};
  const struct wb_simt_transition transition = {.kind = WB_EDGE_FALLTHROUGH,
                                                .continuation = WB_NOWHERE};
  wb_simt_emit(analysis, transition, (struct wb_simt_place){0, 0}, WB_REGISTERS_NONE, &first);
}

static void wrote(struct wb_simt_analysis *analysis, uint32_t written)
{
  struct scope_state *state = analysis->block.abstract;
  if (state->open)
    state->lost = wb_register_sets_either(&analysis->sets, state->lost, written);
}

static bool step(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  (void)instruction;
  struct scope_state *state = analysis->block.abstract;
  *state = (struct scope_state){.reached = true,
                                .open = true,
                                .scope = analysis->block.instruction,
                                .opened = analysis->block.agreement,
                                .lost = WB_REGISTERS_NONE};
  wb_simt_note_making(analysis, analysis->block.instruction, false);
  return true;
}

/* The group waits in its scope. */
static void wait(struct wb_simt_analysis *analysis, const struct scope_state *state)
{
  struct scope_state *cell = &cells_of(analysis)[state->scope];
  bool changed = !state_covers(analysis, cell, state);
  if (wb_simt_searching(analysis))
    join_states(analysis, cell, state, &changed);
  if (changed)
    wb_simt_changed(analysis, state->scope);
}

/* The group waits or ends: it may be the last that those who wait in its scope wait for. */
static void release(struct wb_simt_analysis *analysis, const struct scope_state *state)
{
  const struct scope_state *cell = &cells_of(analysis)[state->scope];
  if (!state->open)
    return;
  wb_simt_depend(analysis, state->scope);
  if (!cell->reached)
    return;
  const struct wb_function *function = analysis->function;
  const uint32_t point = function->targets[function->instructions[state->scope].first_target];
  const struct scope_state after = {.reached = true};
  const struct wb_simt_transition transition = {.kind = WB_EDGE_BRANCH,
                                                .continuation = state->scope};
  wb_simt_note_match(analysis, point);
  wb_simt_emit(analysis, transition, wb_simt_block_place(analysis, point),
               wb_register_sets_without(&analysis->sets, cell->opened, cell->lost), &after);
}

static void all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  const struct scope_state state = *(const struct scope_state *)analysis->block.abstract;
  if (instruction->transfer == WB_TRANSFER_BRANCH) {
    wb_simt_go_to(analysis, WB_EDGE_BRANCH,
                  wb_simt_block_place(analysis, wb_simt_block_target(analysis, 0)),
                  analysis->block.abstract);
    return;
  }
  if (instruction->transfer == WB_TRANSFER_EXIT)
    wb_simt_note_end(analysis);
  else
    wait(analysis, &state);
  release(analysis, &state);
}

static void some_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  all_do(analysis, instruction);
  wb_simt_go_to(analysis, WB_EDGE_FALLTHROUGH, wb_simt_block_next(analysis),
                analysis->block.abstract);
}

static void assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  (void)record;
  wb_list_add(&analysis->graph.assumptions, "SYNC waits for all lanes of its scope");
}

static size_t continuation_count(const struct wb_simt_analysis *analysis)
{
  return analysis->function->instruction_count;
}

static bool continuation(const struct wb_simt_analysis *analysis, uint32_t number,
                         struct wb_warp_entry *entry)
{
  const struct wb_function *function = analysis->function;
  const struct wb_instruction *instruction = &function->instructions[number];
  if (instruction->transfer != WB_TRANSFER_PUSH)
    return false;
  *entry = (struct wb_warp_entry){function->targets[instruction->first_target], 0, WB_TOKEN_SYNC};
  return true;
}

static bool leaves_behind(const struct wb_simt_analysis *analysis, const bool *headers,
                          const bool *body)
{
  (void)headers;
  for (size_t b = 0; b < analysis->graph.block_count; b++) {
    for (size_t d = 0; body[b] && d < analysis->graph.divergence_point_count; d++) {
      if (analysis->graph.divergence_points[d] == analysis->graph.blocks[b].last)
        return true;
    }
  }
  return false;
}

static const char *check(const struct wb_simt_analysis *analysis)
{
  for (uint32_t i = 0; i < analysis->function->instruction_count; i++) {
    const struct scope_state *cell = &cells_of(analysis)[i];
    if (cell->reached && (!cell->open || cell->scope != i))
      return "lanes wait in another scope";
  }
  return NULL;
}

static const struct wb_reconvergence scopes = {
    .name = "scopes",
    .architectures = "a test",
    .state_size = sizeof(struct scope_state),
    .start = start,
    .free = free_cells,
    .memory_used = memory_used,
    .copy = copy,
    .join = join,
    .covers = covers,
    .clear = clear,
    .print = print,
    .role = role,
    .refused_transfers = 1u << WB_TRANSFER_CALL,
    .refusal = "calls are left out here",
    .begin = begin,
    .wrote = wrote,
    .step = step,
    .all_do = all_do,
    .some_do = some_do,
    .assume = assume,
    .continuation_count = continuation_count,
    .continuation = continuation,
    .leaves_behind = leaves_behind,
    .check = check,
};

/* ---- what is common, with it ---- */

struct analysed {
  struct wb_code code;
  struct wb_control control;
  struct wb_simt_analysis analysis;
  struct wb_simt_record record;
  warpbound_error error;
  char text[1000];
};

static void search(struct analysed *made, const char *lines)
{
  *made = (struct analysed){.control = wb_control_start(NULL)};
  simt_text_make(simt_lines(lines), &made->code);
  made->analysis.code = &made->code;
  made->analysis.function = &made->code.functions[0];
  made->analysis.control = &made->control;
  made->analysis.mechanism = &scopes;
  made->analysis.error = &made->error;
  assert_true(wb_simt_start(&made->analysis));
  wb_simt_search(&made->analysis);
}

static void finish(struct analysed *made)
{
  wb_simt_record_free(&made->record);
  wb_simt_free(&made->analysis);
  wb_code_free(&made->code);
}

/* The edges, "3>5b": from a block's last instruction to another's first, with the kind and a star
 * where it resumes lanes; then divergence points and uniform branches. */
static void expect(const char *lines, const char *edges, const char *branches)
{
  FREED_BY(finish) struct analysed made;
  struct wb_text violation = {0};
  search(&made, lines);
  assert_ok(made.analysis.status);
  wb_simt_check(&made.analysis, &violation);
  assert_int_equal(violation.length, 0);
  assert_true(wb_simt_record_make(&made.analysis, &made.record));
  wb_simt_graph_make(&made.analysis, &made.record);
  const struct wb_warp_graph *graph = &made.analysis.graph;
  assert_null(wb_warp_graph_check(graph));
  for (size_t e = 0, pop = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const bool pops = pop < graph->pop_count && graph->pops[pop].edge == e;
    pop += pops;
    sprintf(made.text + strlen(made.text), "%s%u>%u%c%s", e > 0 ? " " : "",
            graph->blocks[edge->from].last, graph->blocks[edge->to].first, "fbctr"[edge->kind],
            pops ? "*" : "");
  }
  assert_string_equal(made.text, edges);
  made.text[0] = '\0';
  for (size_t d = 0; d < graph->divergence_point_count; d++)
    sprintf(made.text + strlen(made.text), "%u ", graph->divergence_points[d]);
  strcat(made.text, "|");
  for (size_t u = 0; u < graph->uniform_branch_count; u++)
    sprintf(made.text + strlen(made.text), " %u", graph->uniform_branches[u]);
  assert_string_equal(made.text, branches);
}

/* R2 and P2 are written by one side each; R1, which all lanes agree on, by none. */
static const char sides[] =
    "TID R0; SETP P0 R0; CTA R1; SETP P1 R1; SSY join; @P0 BRA other; SETP P2 R1; SYNC; other: MOV "
    "R2 R1; SYNC; join: @P1 EXIT; @P2 EXIT; SETP P3 R2; @P3 EXIT; EXIT";

TEST(a_scope_merges_its_groups)
{
  expect(sides, "5>6f 5>8b 7>10b* 9>10b* 10>11f 11>12f 13>14f", "5 11 13 | 10");
}

/* Who ends inside releases those who wait; outside of a scope groups stay apart. */
TEST(who_ends_is_not_waited_for)
{
  expect("TID R0; SETP P0 R0; SSY join; @P0 EXIT; SYNC; join: @P0 BRA end; MOV R1 R1; end: EXIT",
         "3>4f 3>5b* 4>5b* 5>6f 5>7b 6>7f", "3 5 |");
}

/* A loop that writes what is read behind a scope that was opened before it. */
TEST(a_cell_that_grows_is_read_again)
{
  expect("TID R0; SETP P0 R0; CTA R1; SETP P1 R1; SSY join; loop: @P0 SYNC; SETP P1 R0; @P0 BRA "
         "loop; SYNC; join: @P1 EXIT; EXIT",
         "4>5f 5>6f 5>9b* 7>5b 7>8f 8>9b* 9>10f", "5 7 9 |");
}

TEST(what_is_kept_is_checked)
{
  FREED_BY(finish) struct analysed made;
  struct wb_text violation = {0};
  search(&made, sides);
  cells_of(&made.analysis)[4].lost = WB_REGISTERS_NONE;
  wb_simt_check(&made.analysis, &violation);
  assert_non_null(
      strstr(violation.data, "what waiting lanes find is more than is kept: in scope 4"));
  wb_text_free(&violation);
  cells_of(&made.analysis)[4].scope = 3;
  wb_simt_check(&made.analysis, &violation);
  assert_string_equal(violation.data, "lanes wait in another scope");
  wb_text_free(&violation);
}

TEST(it_refuses_with_its_own_words)
{
  FREED_BY(finish) struct analysed made;
  search(&made, "CAL f; EXIT; f: RET");
  assert_invalid(made.analysis.status);
  assert_non_null(strstr(made.error.message, "CAL at 0x0000: calls are left out here"));
}
