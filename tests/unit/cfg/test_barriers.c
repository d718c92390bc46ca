/* Convergence barriers on small programs, by the rows of barriers.txt: every edge with its rate,
 * who waits, where the lanes of a warp meet and what they agree on, linked calls, which loops leave
 * no lanes behind (a bound per thread bounds the warp there), and what results rest on; and what is
 * said of them. */
#include "base/text.h"
#include "groups/group_analysis.h"
#include "groups/simt_text.h"
#include "rows.h"
#include "unit.h"

static const struct wb_simt_options full = {0};

static const struct {
  const char *name;
  struct wb_simt_options options;
} named_options[] = {
    {"full", {0}},
    {"always", {.waiting = WB_WAITING_ALWAYS}},
    {"never", {.waiting = WB_WAITING_NEVER}},
    {"together", {.masks_together = true}},
    {"active", {.agreement = WB_AGREEMENT_ACTIVE}},
    {"none", {.agreement = WB_AGREEMENT_NONE}},
    {"whole", {.block = {64, 1, 1}}},
    {"partial", {.block = {40, 1, 1}}},
    {"cubes", {.block = {8, 4, 3}}},
    {"part-cubes", {.block = {8, 5, 3}}},
};

static struct wb_simt_options options_of(const char *name)
{
  size_t row = 0;
  while (row < COUNT_OF(named_options) && strcmp(named_options[row].name, name) != 0)
    row++;
  assert_true(row < COUNT_OF(named_options));
  return named_options[row].options;
}

/* Whether it is balanced, with the first four of the options. */
static bool loop_holds(const char *lines, const char *inner, const char *expected)
{
  bool holds = strlen(expected) == 4;
  for (size_t o = 0; o < 4 && holds; o++)
    holds = group_balanced(lines, named_options[o].options, "head",
                           strcmp(inner, "-") == 0 ? NULL : inner, "end") == (expected[o] == '1');
  return holds;
}

static bool error_holds(const char *lines, size_t line, const char *message)
{
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines, full);
  assert_string_equal(made.error.message, message);
  return made.status == WARPBOUND_INVALID_INPUT && made.error.line == line && made.analysis == NULL;
}

/* Parts of the texts of assumptions, as the rows name them. */
static const struct {
  char name;
  const char *part;
} texts[] = {
    {'t', "a converged group diverges only at an instruction"},
    {'b', "barrier registers are as if each lane had its own"},
    {'w', "a BSYNC waits for all lanes of its scope that have not left it or ended"},
    {'a', "that have not left it or ended, always"},
    {'y', "where lanes in the scope may yield: at 0x0040"},
    {'n', "no BSYNC waits"},
    {'s', "is not overwritten by stores to addresses that are not known"},
    {'u', "uniform registers are as if each lane had its own"},
    {'m', "name one mask, and stay together"},
    {'d', "BRA.DIV and BRA.CONV go either way"},
    {'o', "what is called outside of the function leaves the barrier registers"},
    {'r', "a return whose address the code does not show"},
    {'f', "lanes that find no scope to wait for, or to leave"},
    {'p', "waits for a scope that ends at the next instruction, or for none"},
    {'l', "lanes that load from one address"},
    {'?', "is not known: it may read and write every register"},
    {'v', "that the compiler marks as uniform: 0x0020"},
    {'c', "whose code is not followed, returns with all lanes"},
};

/* Exactly the named ones; each assumption of the graph is one of them. */
static bool rests_on(const struct group_analysis *made, const char *named, size_t count)
{
  assert_string_equal(made->error.message, "");
  assert_ok(made->status);
  for (size_t t = 0; t < COUNT_OF(texts); t++) {
    if (group_assumes(made, texts[t].part) != (strchr(named, texts[t].name) != NULL))
      fail_msg("%s: '%c'", named, texts[t].name);
  }
  return made->graph->assumptions.count == count;
}

static bool has_assumptions(const char *lines, const char *option, const char *named, size_t count)
{
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines, options_of(option));
  return rests_on(&made, named, count);
}

/* A row of barriers.txt, which says what its words mean. */
static bool row_holds(char *const *words, size_t count, char *lines)
{
  const char *expected = row_field(lines);
  if (count == 3 && strcmp(words[0], "loop") == 0)
    return loop_holds(lines, words[1], words[2]);
  if (count == 4 && strcmp(words[0], "rests") == 0)
    return has_assumptions(lines, words[1], words[2], strtoull(words[3], NULL, 10));
  if (count == 2 && strcmp(words[0], "error") == 0)
    return error_holds(lines, strtoull(words[1], NULL, 10), expected);
  if (count != 2 || strcmp(words[0], "graph") != 0 || expected[0] == '\0')
    return false;
  group_expect(lines, options_of(words[1]), expected);
  return true;
}

TEST(rows)
{
  rows_check("unit/cfg/barriers.txt", 163, row_holds);
}

/* Lanes that leave the inner loop are in it no more. */
TEST(an_inner_loop_may_be_balanced_alone)
{
  assert_true(group_balanced("TID R0; head: MOV R1; in: SETP P0 R0; @P0 BRA in; after: SETP P1 R0; "
                             "@P1 BRA head; end: EXIT",
                             full, "in", NULL, "after"));
}

TEST(assumptions_name_what_they_are_of)
{
  struct wb_code code;
  FREED_BY(group_analysis_free) struct group_analysis made;
  FREED_BY(group_analysis_free) struct group_analysis calls;
  group_analyse(&made, "MOV R1; BSYNC B3; BREAK B4; EXIT", full);
  assert_true(group_assumes(&made, "go on at the next instruction: at 0x0010, 0x0020"));
  simt_text_make_barriers(simt_lines("JCAL; EXIT"), &code);
  code.functions[0].instructions[0].callee = "vprintf";
  group_analyse_code(&calls, code, full);
  assert_true(rests_on(&calls, "oc", 2));
  assert_true(group_assumes(&calls, "vprintf, whose code"));
}

TEST(many_sites_are_kept_apart)
{
  enum { SITES = 40 };
  struct wb_text lines = {0};
  for (int site = 0; site < SITES; site++)
    wb_text_format(&lines, "b%d: MOV R20 &b%d; CALL.REL f; ", site, site + 1);
  wb_text_format(&lines, "b%d: EXIT; f: MOV R3 R2; RET.REL R20", SITES);
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines.data, full);
  wb_text_free(&lines);
  assert_ok(made.status);
  assert_int_equal(made.graph->context_count, SITES + 1);
  assert_int_equal(made.graph->edge_count, 2 * SITES); /* one in, one out */
}

/* Of the caller of a device function nothing is known: a return to an address that it was given
 * ends the work, and lanes may be apart and bound to its scopes from the start. */
TEST(device_functions_end_by_returning)
{
  struct wb_code code;
  FREED_BY(group_analysis_free) struct group_analysis made;
  simt_text_make_barriers(simt_lines("CTA R2; SETP P0 R2; BSYNC B2; @P0 RET.REL R20; BRA.DIV #-1 "
                                     "end; MOV R1; end: RET.REL R20"),
                          &code);
  code.functions[0].kernel = false;
  group_analyse_code(&made, code, full);
  assert_string_equal(made.error.message, "");
  assert_ok(made.status);
  assert_int_equal(made.graph->scope_count, 0);
  assert_int_equal(made.graph->block_count, 5);
  assert_true(made.graph->ends[1] && made.graph->ends[4]);
  assert_false(made.graph->ends[0] || made.graph->ends[2] || made.graph->ends[3]);
  assert_true(group_assumes(&made, "or to the function's caller"));
  assert_true(group_assumes(&made, "at 0x0020")); /* the BSYNC may find no scope */
}
