/* The abstract interpretation of SIMT execution on small programs: every edge, and what each of
 * the three domains is good for. */
#include "base/text.h"
#include "base/work_control.h"
#include "cfg/simt_analysis.h"
#include "groups/simt_text.h"
#include "limited_analysis.h"
#include "unit.h"

#define TEXT_LIMIT 2000

struct analysed {
  struct wb_code code;
  struct wb_simt_analysis *analysis;
  const struct wb_warp_graph *graph;
  warpbound_status status;
  warpbound_error error;
  char text[TEXT_LIMIT];
};

static void analyse_code(struct analysed *made, const struct wb_simt_options *options)
{
  const struct wb_control control = wb_control_start(NULL);
  made->error = (warpbound_error){.message = ""};
  made->status = wb_simt_analyse(&made->code, &made->code.functions[0], options, &control,
                                 &made->analysis, &made->error);
  made->graph = made->analysis != NULL ? wb_simt_analysis_graph(made->analysis) : NULL;
}

static void analyse_with(struct analysed *made, const char *lines, struct wb_simt_options options)
{
  simt_text_make(simt_lines(lines), &made->code);
  analyse_code(made, &options);
}

static void analyse(struct analysed *made, const char *lines)
{
  analyse_with(made, lines, (struct wb_simt_options){0});
  assert_string_equal(made->error.message, "");
  assert_ok(made->status);
}

static void done(struct analysed *made)
{
  wb_simt_analysis_free(made->analysis);
  wb_code_free(&made->code);
}

static void print_block(char *text, const struct wb_warp_graph *graph, uint32_t block, bool last)
{
  const struct wb_warp_block *of = &graph->blocks[block];
  char *end = text + strlen(text);
  const size_t room = TEXT_LIMIT - strlen(text);
  if (of->context == 0)
    snprintf(end, room, "%u", last ? of->last : of->first);
  else
    snprintf(end, room, "%u/%u", last ? of->last : of->first, of->context);
}

/* The edges, "3>5b 5>8r*": from a block's last instruction to another's first, with the kind
 * and a star where it pops; then "$7" for a block where the warp can end. Contexts other than
 * 0 follow a stroke. */
static const char *edges_of(struct analysed *made)
{
  const struct wb_warp_graph *graph = made->graph;
  size_t pop = 0;
  made->text[0] = '\0';
  for (size_t e = 0; e < graph->edge_count; e++) {
    strcat(made->text, e > 0 ? " " : "");
    print_block(made->text, graph, graph->edges[e].from, true);
    strcat(made->text, ">");
    print_block(made->text, graph, graph->edges[e].to, false);
    const char kind[] = {"fbctr"[graph->edges[e].kind], '\0'};
    strcat(made->text, kind);
    if (pop < graph->pop_count && graph->pops[pop].edge == e)
      strcat(made->text, "*");
    while (pop < graph->pop_count && graph->pops[pop].edge == e)
      pop++;
  }
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (!graph->ends[b])
      continue;
    strcat(made->text, " $");
    print_block(made->text, graph, b, true);
  }
  return made->text;
}

/* "1 3 | 5": points of divergence, then uniform branches. */
static const char *branches_of(struct analysed *made)
{
  const struct wb_warp_graph *graph = made->graph;
  made->text[0] = '\0';
  for (size_t d = 0; d < graph->divergence_point_count; d++)
    sprintf(made->text + strlen(made->text), "%u ", graph->divergence_points[d]);
  strcat(made->text, "|");
  for (size_t u = 0; u < graph->uniform_branch_count; u++)
    sprintf(made->text + strlen(made->text), " %u", graph->uniform_branches[u]);
  return made->text;
}

static void expect(const char *lines, const char *edges, const char *branches)
{
  FREED_BY(done) struct analysed made;
  analyse(&made, lines);
  assert_string_equal(edges_of(&made), edges);
  assert_string_equal(branches_of(&made), branches);
}

/* The same under an ablation, edges alone. */
static void expect_with(const char *lines, struct wb_simt_options options, const char *edges)
{
  FREED_BY(done) struct analysed made;
  analyse_with(&made, lines, options);
  assert_ok(made.status);
  assert_string_equal(edges_of(&made), edges);
}

static const struct wb_simt_options acyclic = {.acyclic_stack = true};
static const struct wb_simt_options no_groups = {.no_groups = true};
static const struct wb_simt_options active_only = {.agreement = WB_AGREEMENT_ACTIVE};
static const struct wb_simt_options no_agreement = {.agreement = WB_AGREEMENT_NONE};

/* ---- the two shapes of the appendix of WCET 2023 ---- */

/* Two loops, over tiles and within one, with bounds that are parameters. */
static const char tiled_multiplication[] =
    "TID R0; CTA R1; MOV R2; "
    /* number of tiles */
    "MOV R3; "
    /* tile */
    "MOV R9; "
    /* sum */
    "SETP P1 R2; @!P1 BRA store; "
    /* no tile at all */
    "tile: LDG R4 R0 R3; MOV R5; inner: LDG R6 R4 R5; MOV R9 R9 R6; MOV R5 R5; SETP P0 R5; @P0 BRA "
    "inner; MOV R3 R3; SETP P0 R3 R2; @P0 BRA tile; store: MOV R9 R9; EXIT";

/* ---- tokens ---- */

static const char if_else[] =
    "SSY join; TID R0; SETP P0 R0; @P0 BRA else; MOV R1; SYNC; else: MOV R1; SYNC; join: EXIT";

/* All lanes that pushed the SSY break: its token goes with them. */
static const char break_drops_sync[] = "PBK end; SSY inner; BRK; inner: MOV R1; BRK; end: EXIT";

static const char predicated_exit[] = "TID R0; SETP P0 R0; SSY join; @P0 EXIT; SYNC; join: EXIT";

/* ---- calls ---- */

static const char nested_calls[] = "CAL f; CAL f; CAL g; EXIT; f: CAL g; RET; g: RET";

static const char recursion[] =
    "CTA R0; CAL f; EXIT; f: SETP P0 R0; @P0 BRA base; CAL f; base: RET";

static const char call_outside[] =
    "MOV R0; SETP P0 R0; JCAL vprintf; @P0 BRA end; MOV R1; end: EXIT";

static const char writing_return[] =
    "MOV R0; SETP P0 R0; PRET back; RET.X; back: @P0 BRA end; MOV R1; end: EXIT";

/* ---- loops ---- */

/* Lanes leave one by one and wait for the others. */
static const char balanced_loop[] =
    "PBK end; head: TID R0; SETP P0 R0; @P0 BRK; MOV R1; BRA head; end: EXIT";

/* do-while: those that leave it run on when the others have left it too. */
static const char leaving_loop[] = "head: TID R0; SETP P0 R0; @P0 BRA head; end: MOV R1; EXIT";

/* Lanes wait in the middle of the loop, and those ahead of them go round it. */
static const char unbalanced_loop[] =
    "head: TID R0; SETP P0 R0; @P0 BRA tail; MOV R1; tail: SETP P1 R0; @P1 BRA head; end: EXIT";

/* Every round pushes a token, and pops it only where all lanes have left. */
static const char pushing_loop[] =
    "CTA R0; head: SETP P0 R0; SSY out; @P0 BRA head; SYNC; out: EXIT";

/* A region with two headers; lanes that enter at the inner one leave where others do not. */
static const char double_loop[] =
    "TID R0; SETP P0 R0; @P0 BRA other; head: SSY join; inner: SETP P1 R0; @P1 BRA inner; SYNC; "
    "join: SETP P2 R0; @P2 BRA head; end: EXIT; other: SSY leave; BRA inner; leave: EXIT";

/* ---- agreement ---- */

/* Both sides write one constant, one after the other: it need not agree where they join. */
static const char written_by_parts[] =
    "TID R0; SETP P0 R0; CTA R2; SSY join; @P0 BRA else; MOV R1; SYNC; else: MOV R1; SYNC; join: "
    "SETP P1 R1; SETP P2 R2; @P1 BRA end; @P2 BRA end; MOV R3; end: EXIT";

/* ---- shapes ---- */

TEST(a_missing_reconvergence_costs_one_edge)
{
  /* The compiler placed no reconvergence where the sides join. */
  expect(
      "TID R0; SETP P0 R0; @P0 BRA else; MOV R1; BRA join; else: MOV R2; join: MOV R3 R1 R2; EXIT",
      "2>3f 2>5b 4>6b 5>6f 7>3r* $7", "2 |");
}

TEST(agreement_keeps_the_exit_of_a_multiplication_clean)
{
  expect(tiled_multiplication, "6>7f 6>17b 8>9f 13>9b 13>14f 16>7b 16>17f $18", "| 6 13 16");
  expect_with(tiled_multiplication, no_agreement,
              "6>7f 6>17b 8>9f 13>9b 13>14f 16>7b 16>17f 18>7r* 18>14r* 18>17r* $18");
}

TEST(tokens_reconverge)
{
  expect(if_else, "3>4f 3>6b 5>8b* 7>4r* 7>8b* $8", "3 |");
  /* The lanes with P0 wait at once, the others go on: no branch at all. */
  expect("SSY join; TID R0; SETP P0 R0; @P0 SYNC; MOV R1; SYNC; join: EXIT", "3>4f 3>6b* 5>6b* $6",
         "3 |");
  /* Paths join with one token and with two. */
  expect("CTA R0; SETP P0 R0; SSY end; @P0 BRA join; SSY inner; join: SYNC; inner: SYNC; end: EXIT",
         "3>4f 3>5b 4>5f 5>6b* 5>7b* 6>7b* $7", "| 3");
}

/* The SSY's token is woken only where some lanes wait in it. */
TEST(breaks_unwind_other_tokens)
{
  /* BRK unwinds a token of SSY that lies above that of its PBK. */
  expect("PBK end; TID R0; SETP P0 R0; SETP P1 R0; SSY inner; @P0 BRK; @P1 BRA other; SYNC; other: "
         "BRK; inner: MOV R1; BRK; end: EXIT",
         "5>6f 5>11b* 6>7f 6>8b 7>9b* 8>7r* 8>11b* 10>11b* $11", "5 6 |");
  expect(break_drops_sync, "2>5b* $5", "|");
  expect_with(break_drops_sync, no_groups, "2>3r* 2>5b* 4>5b* $5");
}

TEST(exits_leave_every_entry)
{
  expect(predicated_exit, "3>4f 4>5b* $3 $5", "3 |");
  expect_with(predicated_exit, no_groups, "3>4f 3>5r* 4>5b* $3 $5");
}

TEST(indexed_branches_split)
{
  expect("TID R0; BRX R0 a b; a: MOV R1; b: EXIT", "0>1f 1>2b 1>3b 2>3f 3>1r* 3>2r* 3>3r* $3",
         "1 |");
  expect("CTA R0; BRX R0 a b; a: MOV R1; b: EXIT", "1>2b 1>3b 2>3f $3", "| 1");
}

/* ---- calls ---- */

TEST(calls_return_where_they_came_from)
{
  expect("TID R0; SETP P0 R0; CAL f; EXIT; f: @P0 RET; MOV R1; RET",
         "2>4/1c 4/1>3t* 4/1>5/1f 6/1>3t* $3", "4 |");
  expect(nested_calls,
         "0>4/1c 1>4/3c 2>6/5c 4/1>6/2c 4/3>6/4c 5/1>1t* 5/3>2t* 6/2>5/1t* 6/4>5/3t* 6/5>3t* $3",
         "|");
  FREED_BY(done) struct analysed made;
  analyse(&made, nested_calls);
  const struct wb_warp_context expected[] = {
      {UINT32_MAX, UINT32_MAX}, {0, 0}, {1, 4}, {0, 1}, {3, 4}, {0, 2}};
  assert_int_equal(made.graph->context_count, 6);
  assert_memory_equal(made.graph->contexts, expected, sizeof expected);
}

TEST(recursion_comes_back_to_its_context)
{
  expect(recursion, "1>3/1c 4/1>5/1f 4/1>6/1b 5/1>3/1c 6/1>2t* 6/1>6/1t* $2", "| 4");
  expect_with(recursion, acyclic, "1>3/1c 4/1>5/1f 4/1>6/1b 5/1>3/1c 6/1>2t* 6/1>6/1t* $2 $6/1");
}

TEST(calls_outside_may_write_everything)
{
  FREED_BY(done) struct analysed made;
  expect(call_outside, "3>4f 3>5b 4>5f 5>4r* $5", "3 |");
  analyse(&made, call_outside);
  assert_int_equal(made.graph->assumptions.count, 2);
  assert_non_null(strstr(made.graph->assumptions.items[0], "vprintf"));
  assert_non_null(strstr(made.graph->assumptions.items[1], "those that take it run first"));
}

TEST(indirect_calls_return_to_the_pushed_point)
{
  expect("TID R0; PRET back; BRX R0 f g; back: EXIT; f: RET; g: RET",
         "1>2f 2>4b 2>5b 4>2r* 4>3t* 4>4r* 4>5r* 5>2r* 5>3t* 5>4r* 5>5r* $3", "2 |");
}

/* A control instruction that may write everything. */
TEST(control_that_writes_loses_agreement)
{
  FREED_BY(done) struct analysed made;
  expect(writing_return, "3>4t* 4>5f 4>6b 5>6f 6>5r* $6", "4 |");
  analyse(&made, writing_return);
  assert_int_equal(made.graph->assumptions.count, 2);
  assert_non_null(strstr(made.graph->assumptions.items[0], "RET.X is not known"));
}

/* A function that is no kernel returns to its caller: the warp's work in it ends. */
TEST(device_functions_end_by_returning)
{
  FREED_BY(done) struct analysed made;
  simt_text_make(simt_lines("TID R0; SETP P0 R0; @P0 RET; MOV R1; RET"), &made.code);
  made.code.functions[0].kernel = false;
  analyse_code(&made, &no_groups);
  assert_ok(made.status);
  assert_string_equal(edges_of(&made), "2>3f $2 $4");
}

/* ---- agreement ---- */

TEST(what_parts_write_one_after_the_other_is_lost)
{
  expect(written_by_parts,
         "4>5f 4>7b 6>9b* 8>5r* 8>9b* 11>12f 11>14b 12>13f 12>14b 13>14f 14>12r* $14", "4 11 | 12");
  expect_with(written_by_parts, active_only,
              "4>5f 4>7b 6>9b* 8>5r* 8>9b* 11>12f 11>14b 12>13f 12>14b 13>14f 14>12r* 14>13r* $14");
}

TEST(each_rule_of_agreement)
{
  struct analysed made;
  analyse(&made, "MOV R0; SETP P0 R0; @P0 BRA a; a: SETP P1 R9; @P1 BRA b; b: LDG R1 R0; SETP P2 "
                 "R1; @P2 BRA c; c: TID R2; VOTE P3 R2; @P3 BRA d; d: @P1 MOV R0; SETP P4 R0; @P4 "
                 "BRA e; e: @P0 MOV R3; SETP P5 R3; @P5 BRA f; f: @P0 MOV R1; SETP P6 R1; @P6 BRA "
                 "g; g: @!PT MYSTERY; @P0 BRA h; h: MYSTERY; @P0 BRA i; i: EXIT");
  assert_string_equal(branches_of(&made), "4 13 16 23 | 2 7 10 19 21");
  assert_int_equal(made.graph->assumptions.count, 3);
  done(&made);
  analyse(&made,
          "MOV R0; SETP P0 R0; MOV CC R0; @P0 BRA.CC a; a: TID R1; MOV CC R1; @P0 BRA.CC b; b: "
          "SETP P1 R1; @P1 BRA.U c; c: @P1 MOV R4; MOV UR1 R0; SETP P2 UR1; @P2 EXIT; EXIT");
  assert_string_equal(branches_of(&made), "6 | 3 8 12");
  assert_int_equal(made.graph->assumptions.count, 2);
  assert_non_null(strstr(made.graph->assumptions.items[1], "0x0040"));
  done(&made);
}

/* ---- loops ---- */

/* Whether the loop of the blocks from label to label is balanced; other: a second header, or
 * NULL. */
static bool balanced_at(const char *lines, const char *first, const char *other, const char *last)
{
  FREED_BY(done) struct analysed made;
  bool body[16] = {false};
  bool headers[16] = {false};
  analyse(&made, lines);
  for (uint32_t b = 0; b < made.graph->block_count; b++) {
    const uint32_t at = made.graph->blocks[b].first;
    body[b] = at >= simt_text_label(simt_lines(lines), first) &&
              at < simt_text_label(simt_lines(lines), last);
    headers[b] = at == simt_text_label(simt_lines(lines), first) ||
                 (other != NULL && at == simt_text_label(simt_lines(lines), other));
  }
  const bool result = wb_simt_loop_balanced(made.analysis, headers, body);
  return result;
}

static bool balanced(const char *lines, const char *first, const char *last)
{
  return balanced_at(lines, first, NULL, last);
}

TEST(loops_that_leave_no_lanes_behind_are_balanced)
{
  expect(balanced_loop, "0>1f 3>4f 3>6b* 5>1b $6", "3 |");
  assert_true(balanced(balanced_loop, "head", "end"));
  /* Those that leave never come back: the others took every round that they did. */
  expect(leaving_loop, "2>0b 2>3f 4>3r* $4", "2 |");
  assert_true(balanced(leaving_loop, "head", "end"));
  expect(pushing_loop, "0>1f 3>1b 3>4f 4>5b* $5", "| 3");
  assert_true(balanced(pushing_loop, "head", "out"));
  expect(unbalanced_loop, "2>3f 2>4b 3>4f 5>0b 5>6f 6>3r* 6>6r* $6", "2 5 |");
  assert_false(balanced(unbalanced_loop, "head", "end"));
  /* Lanes wait since before the loop, and run in it. */
  assert_false(balanced("TID R0; SETP P0 R0; SSY head; @P0 SYNC; MOV R1; head: SETP P1 R0; @P1 BRA "
                        "head; SYNC; end: EXIT",
                        "head", "end"));
  /* Two headers: at the first all are together, at the second some wait that go round it. */
  assert_true(balanced(double_loop, "head", "end"));
  assert_false(balanced_at(double_loop, "head", "inner", "end"));
}

/* A token is pushed on itself: without cycles nothing is known of what lies below it. */
TEST(stacks_grow_round_loops)
{
  expect_with(pushing_loop, acyclic, "0>1f 3>1b 3>4f 4>5b* 5>5r* $5");
}

/* ---- entries, pushes, pops ---- */

TEST(entries_are_pushed_and_popped)
{
  FREED_BY(done) struct analysed made;
  analyse(&made, if_else);
  const struct wb_warp_graph *graph = made.graph;
  assert_int_equal(graph->entry_count, 2);
  assert_int_equal(graph->entries[0].point, 4);
  assert_int_equal(graph->entries[0].token, WB_TOKEN_NONE);
  assert_int_equal(graph->entries[1].point, 8);
  assert_int_equal(graph->entries[1].token, WB_TOKEN_SYNC);
  assert_int_equal(graph->push_count, 2);
  assert_int_equal(graph->pushes[0].entry, 0);
  assert_true(graph->pushes[0].divergent);
  assert_int_equal(graph->pushes[1].entry, 1);
  assert_false(graph->pushes[1].divergent);
  assert_int_equal(graph->pop_count, 3);
  for (size_t p = 0; p < graph->pop_count; p++) {
    const struct wb_warp_edge *edge = &graph->edges[graph->pops[p].edge];
    assert_int_equal(graph->blocks[edge->to].first, graph->entries[graph->pops[p].entry].point);
  }
}

/* One block pushes an entry twice: two pushes. */
TEST(equal_entries_are_pushed_one_by_one)
{
  FREED_BY(done) struct analysed made;
  analyse(&made, "SSY a; SSY a; SYNC; a: @!PT SYNC; EXIT");
  assert_int_equal(made.graph->entry_count, 1);
  assert_int_equal(made.graph->push_count, 2);
}

TEST(contexts_unite)
{
  FREED_BY(done) struct analysed made;
  FREED_BY(wb_warp_graph_free) struct wb_warp_graph united;
  analyse(&made, nested_calls);
  assert_ok(wb_warp_graph_unite(made.graph, &united, NULL));
  made.graph = &united;
  assert_string_equal(edges_of(&made), "0>4c 1>4c 2>6c 4>6c 5>1t 5>2t 6>3t 6>5t $3");
  assert_int_equal(united.context_count, 1);
  assert_int_equal(united.push_count + united.pop_count + united.entry_count, 0);
}

/* ---- annotations ---- */

TEST(annotations_are_compared)
{
  FREED_BY(done) struct analysed made;
  analyse(&made, "SSY a; CTA R0; BRX R0 b c = b; b: SYNC = a; c: SYNC = b; a: EXIT");
  assert_int_equal(made.graph->disagreements.count, 2);
  assert_string_equal(made.graph->disagreements.items[0],
                      "BRX at 0x0010: the listing's annotation says 0x0018, the analysis found "
                      "0x0018, 0x0020");
  assert_string_equal(
      made.graph->disagreements.items[1],
      "SYNC at 0x0020: the listing's annotation says 0x0018, the analysis found 0x0028");
}

/* ---- errors and limits ---- */

static void expect_error(const char *lines, warpbound_status status, size_t line,
                         const char *message)
{
  FREED_BY(done) struct analysed made;
  analyse_with(&made, lines, (struct wb_simt_options){0});
  assert_string_equal(made.error.message, message);
  assert_int_equal(made.status, status);
  assert_int_equal(made.error.line, line);
  assert_null(made.analysis);
}

TEST(what_cannot_be_analysed_is_refused)
{
  expect_error("PBK a; SYNC; a: EXIT", WARPBOUND_INVALID_INPUT, 2,
               "kernel: SYNC at 0x0008: expected a token that it waits for on the stack, found "
               "none");
  expect_error(
      "RET", WARPBOUND_INVALID_INPUT, 1,
      "kernel: RET at 0x0000: expected a token that it waits for on the stack, found none");
  expect_error("TID R0; SETP P0 R0; @P0 EXIT", WARPBOUND_INVALID_INPUT, 3,
               "kernel: EXIT at 0x0010: control runs past the function's last instruction");
  expect_error("BRX R0", WARPBOUND_FACTS_MISSING, 1,
               "kernel: BRX at 0x0000: its targets are not in the listing; give --targets "
               "ADDRESS=A,B,C");
  expect_error("MOV R0; LONGJMP", WARPBOUND_INVALID_INPUT, 2,
               "kernel: LONGJMP at 0x0008: this control instruction is not supported");
  expect_error("BSSY a; a: EXIT", WARPBOUND_INVALID_INPUT, 1,
               "kernel: BSSY at 0x0000: expected code for Maxwell or Pascal, found an instruction "
               "of Volta and later");
}

/* What is never reached is no error. */
TEST(dead_code_is_not_looked_at)
{
  expect("EXIT; LONGJMP; SYNC; BRX R0; end: BRA end", " $0", "|");
}

TEST(other_architectures_are_refused)
{
  static const char lines[] = "EXIT";
  static const struct {
    uint32_t sm;
    const char *what;
  } cases[] = {{65, "between Pascal and Volta"}, {37, "Kepler"}};
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    struct analysed made;
    simt_text_make(simt_lines(lines), &made.code);
    made.code.functions[0].sm = cases[c].sm;
    analyse_code(&made, &no_groups);
    assert_invalid(made.status);
    assert_non_null(strstr(made.error.message, cases[c].what));
    done(&made);
  }
  struct analysed made;
  simt_text_make(simt_lines(lines), &made.code);
  made.code.functions[0].sm = 0;
  analyse_code(&made, &no_groups);
  assert_ok(made.status);
  assert_int_equal(made.graph->assumptions.count, 1);
  done(&made);
}

/* Not every way down the stack has the token: the listing is trusted, and the trust named. */
TEST(tokens_that_may_be_missing_are_an_assumption)
{
  FREED_BY(done) struct analysed made;
  analyse(&made, "CTA R0; SETP P0 R0; @P0 BRA a; SSY b; a: MOV R1; @!P0 SYNC; b: EXIT");
  assert_int_equal(made.graph->assumptions.count, 1);
  assert_non_null(strstr(made.graph->assumptions.items[0], "0x0028"));
}

/* ---- cost ---- */

/* Repeats all but the last instruction of a listing of nine. */
static void repeat(const char *lines, size_t times, struct wb_code *code)
{
  enum { STEP = 8 };
  simt_text_make(simt_lines(lines), code);
  struct wb_function *function = &code->functions[0];
  struct wb_instruction *instructions = calloc(times * STEP + 1, sizeof *instructions);
  uint32_t *targets = calloc(times * function->target_count, sizeof *targets);
  assert_non_null(instructions);
  assert_non_null(targets);
  for (size_t i = 0; i <= times * STEP; i++) {
    const size_t step = i < times * STEP ? i / STEP : times - 1;
    instructions[i] = function->instructions[i - step * STEP];
    instructions[i].address = (uint32_t)i * 8;
    instructions[i].first_target += (uint32_t)(step * function->target_count);
  }
  for (size_t t = 0; t < times * function->target_count; t++)
    targets[t] = function->targets[t % function->target_count] +
                 (uint32_t)(t / function->target_count * STEP);
  free(function->instructions);
  free(function->targets);
  function->instructions = instructions;
  function->targets = targets;
  function->instruction_count = times * STEP + 1;
  function->target_count *= times;
}

/* With stacks of bounded depth all sizes grow with the length. */
TEST(cost_is_linear)
{
  for (size_t times = 125; times <= 12500; times *= 10) {
    FREED_BY(done) struct analysed made;
    /* Steps of eight instructions, one if-then-else each; targets lie in the step or after it. */
    repeat("TID R0; SETP P0 R0; SSY next; @P0 BRA else; MOV R1 R0; SYNC; else: MOV R2 R1; SYNC; "
           "next: EXIT",
           times, &made.code);
    const double start = wb_clock();
    analyse_code(&made, &(struct wb_simt_options){0});
    print_message("# %zu instructions: %.3f s\n", times * 8, wb_clock() - start);
    assert_ok(made.status);
    assert_int_equal(made.graph->block_count, 3 * times + 1);
    assert_int_equal(made.graph->edge_count, 5 * times);
    assert_int_equal(made.graph->entry_count, 2 * times);
  }
}

/* Thirty levels, each of which calls the next one twice: 2^30 lists of pending calls. */
TEST(contexts_are_bounded)
{
  enum { LEVELS = 30 };
  struct wb_text lines = {0};
  wb_text_format(&lines, "CAL f0; EXIT");
  for (int level = 0; level + 1 < LEVELS; level++)
    wb_text_format(&lines, "; f%d: CAL f%d; CAL f%d; RET", level, level + 1, level + 1);
  wb_text_format(&lines, "; f%d: MOV R1; MOV R2; RET", LEVELS - 1);
  FREED_BY(done) struct analysed made;
  FREED_BY(wb_warp_graph_free) struct wb_warp_graph united;
  analyse(&made, lines.data);
  wb_text_free(&lines);
  assert_true(made.graph->context_count < 5000);
  assert_int_equal(made.graph->uniform_branch_count + made.graph->divergence_point_count, 0);
  assert_ok(wb_warp_graph_unite(made.graph, &united, NULL));
  assert_int_equal(united.block_count, 3 * (LEVELS - 1) + 3);
}

/* Lanes that never reconverge leave any of the entries below: here the cost is quadratic. */
TEST(limits_are_kept)
{
  FREED_BY(wb_code_free) struct wb_code code;
  repeat("TID R0; SETP P0 R0; @P0 BRA else; MOV R1 R0; BRA next; else: MOV R2 R1; MOV R3; MOV R4; "
         "next: EXIT",
         1500, &code);
  limited_analysis(&code, 4 << 20);
}
