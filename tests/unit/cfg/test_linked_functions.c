/* Functions in sections of their own, linked behind a kernel: the graph is that of the same code in
 * one section, which other tests compare with the interpreters; on random programs of a kernel and
 * two functions, of which one calls the other, for sm_87 and sm_61. Left out: calls by a register,
 * which stay what they are. */
#include "base/arena.h"
#include "base/random.h"
#include "base/text.h"
#include "base/work_control.h"
#include "cfg/simt_analysis.h"
#include "frontend/sass/sass_front_end.h"
#include "isa/function_start.h"
#include "model/linked_function.h"
#include "unit.h"

#include <inttypes.h>

#define PARTS 3
#define LINES 24

static const char *const names[PARTS] = {"kernel", "first", "second"};

/* An instruction: of a branch and a call the instruction of the part, or the part. */
struct line {
  enum { PLAIN, TEST, BRANCH, CALL, END } kind;
  uint32_t to;
};

struct program {
  struct line lines[PARTS][LINES];
  uint32_t count[PARTS];
  bool wide;
};

static void draw(uint64_t seed, struct program *program)
{
  struct wb_random random = {seed};
  *program = (struct program){.wide = seed % 3 != 0};
  for (uint32_t p = 0; p < PARTS; p++) {
    const uint32_t count = 4 + (uint32_t)wb_random_below(&random, LINES - 6);
    for (uint32_t l = 0; l < count; l++) {
      const uint32_t kind = (uint32_t)wb_random_below(&random, 10);
      struct line *line = &program->lines[p][l];
      if (kind < 4)
        *line = (struct line){kind < 3 ? PLAIN : TEST, 0};
      else if (kind < 7)
        *line = (struct line){BRANCH, (uint32_t)wb_random_below(&random, count)};
      else if (kind < 9 && p + 1 < PARTS)
        *line = (struct line){CALL, p + 1 + (uint32_t)wb_random_below(&random, PARTS - 1 - p)};
    }
    program->lines[p][count] = (struct line){END, 0};
    program->count[p] = count + 1;
  }
  program->lines[0][0] = (struct line){CALL, 1};
}

/* From Volta on a call is two instructions, of which the first has the address to return to. */
static uint32_t size_of(const struct program *program, const struct line *line)
{
  return program->wide && line->kind == CALL ? 2 : 1;
}

static uint32_t index_of(const struct program *program, uint32_t part, uint32_t line)
{
  uint32_t index = 0;
  for (uint32_t l = 0; l < line; l++)
    index += size_of(program, &program->lines[part][l]);
  return index;
}

static uint32_t address_of(const struct program *program, uint32_t index)
{
  return program->wide ? 16 * index : 8 * (index + index / 3 + 1);
}

static void write_line(const struct program *program, bool apart, const uint32_t first[PARTS],
                       uint32_t part, uint32_t l, struct wb_text *text)
{
  const struct line *line = &program->lines[part][l];
  const uint32_t index = first[part] + index_of(program, part, l);
  char what[80];
  wb_text_format(text, "        /*%04x*/ ", address_of(program, index));
  switch (line->kind) {
  case PLAIN:
    snprintf(what, sizeof what, "MOV R%u, RZ", l % 3);
    break;
  case TEST:
    snprintf(what, sizeof what, "ISETP.GE.AND P%u, PT, R%u, RZ, PT", l % 2, l % 3);
    break;
  case BRANCH:
    snprintf(what, sizeof what, "@P%u BRA 0x%x", l % 2,
             address_of(program, first[part] + index_of(program, part, line->to)));
    break;
  case CALL:
    if (program->wide) { /* each function has a register of its own for it */
      wb_text_format(text, "MOV R%u, 0x%x ;\n        /*%04x*/ ", 18 + 2 * line->to,
                     address_of(program, index + 2), address_of(program, index + 1));
      if (apart)
        snprintf(what, sizeof what, "CALL.ABS.NOINC `(%s)", names[line->to]);
      else
        snprintf(what, sizeof what, "CALL.REL.NOINC 0x%x", address_of(program, first[line->to]));
    } else if (apart) {
      snprintf(what, sizeof what, "JCAL `(%s)", names[line->to]);
    } else {
      snprintf(what, sizeof what, "CAL 0x%x", address_of(program, first[line->to]));
    }
    break;
  default:
    if (part == 0)
      snprintf(what, sizeof what, "EXIT");
    else if (program->wide)
      snprintf(what, sizeof what, "RET.%s.NODEC R%u 0x0", apart ? "ABS" : "REL", 18 + 2 * part);
    else
      snprintf(what, sizeof what, "RET");
  }
  wb_text_format(text, "%s ;\n", what);
}

/* The listing in one section, or in one for each part. */
static void write_program(const struct program *program, bool apart, struct wb_text *text)
{
  uint32_t first[PARTS] = {0};
  for (uint32_t p = 0; p + 1 < PARTS; p++)
    first[p + 1] = apart ? 0 : first[p] + index_of(program, p, program->count[p]);
  wb_text_format(text, "\tcode for sm_%u\n", program->wide ? 87 : 61);
  for (uint32_t p = 0; p < PARTS; p++) {
    if (p == 0 || apart)
      wb_text_format(text, "\t\tFunction : %s\n", names[p]);
    for (uint32_t l = 0; l < program->count[p]; l++)
      write_line(program, apart, first, p, l, text);
  }
}

static void parse(const char *text, struct wb_code *code)
{
  warpbound_error error = {.message = ""};
  if (wb_sass_parse("program", text, strlen(text), NULL, code, &error) != WARPBOUND_OK)
    fail_msg("%s:%zu: %s", error.message, (size_t)error.line, text);
}

static struct wb_simt_analysis *analyse(const struct wb_code *code,
                                        const struct wb_function *function, warpbound_error *error)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {.agreement = WB_AGREEMENT_ALL};
  struct wb_simt_analysis *analysis = NULL;
  (void)wb_simt_analyse(code, function, &options, &control, &analysis, error);
  return analysis;
}

/* Where a part begins need not be as in one section: functions stand in the order of calls. */
static uint32_t place_of(const struct program *program, const struct wb_function *linked,
                         uint32_t instruction)
{
  uint32_t part = 0, first = 0, one = 0;
  for (size_t p = 0; p < linked->part_count && linked->parts[p].first <= instruction; p++)
    first = linked->parts[p].first;
  for (size_t s = 0; s < linked->symbol_count; s++)
    if (linked->symbols[s].index == first)
      part = strcmp(linked->symbols[s].name, names[1]) == 0 ? 1 : 2;
  for (uint32_t p = 0; p < part; p++)
    one += index_of(program, p, program->count[p]);
  return one + instruction - first;
}

static bool has_edge(const struct wb_warp_graph *graph, uint32_t from, uint32_t to, unsigned kind)
{
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (graph->blocks[edge->from].last == from && graph->blocks[edge->to].first == to &&
        edge->kind == kind)
      return true;
  }
  return false;
}

static void compare(uint64_t seed, const struct program *program, uint64_t *compared)
{
  FREED_BY(wb_text_free) struct wb_text one = {0};
  FREED_BY(wb_text_free) struct wb_text apart = {0};
  FREED_BY(wb_code_free) struct wb_code of_one = {0};
  FREED_BY(wb_code_free) struct wb_code of_apart = {0};
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  warpbound_error error = {.message = ""}, refusal = {.message = ""};
  const struct wb_function *linked;
  write_program(program, false, &one);
  write_program(program, true, &apart);
  parse(one.data, &of_one);
  parse(apart.data, &of_apart);
  assert_ok(wb_function_link(&of_apart, &of_apart.functions[0], NULL, &arena, &linked, &error));
  struct wb_simt_analysis *first = analyse(&of_one, &of_one.functions[0], &refusal);
  struct wb_simt_analysis *second = analyse(&of_apart, linked, &error);
  if ((first == NULL) != (second == NULL))
    fail_msg("seed %" PRIu64 ": %s / %s: %s", seed, refusal.message, error.message, one.data);
  if (first != NULL) {
    const struct wb_warp_graph *a = wb_simt_analysis_graph(first);
    const struct wb_warp_graph *b = wb_simt_analysis_graph(second);
    if (a->edge_count != b->edge_count || a->block_count != b->block_count)
      fail_msg("seed %" PRIu64 ": %zu and %zu edges: %s", seed, a->edge_count, b->edge_count,
               one.data);
    for (size_t e = 0; e < b->edge_count; e++) {
      const struct wb_warp_edge *edge = &b->edges[e];
      if (!has_edge(a, place_of(program, linked, b->blocks[edge->from].last),
                    place_of(program, linked, b->blocks[edge->to].first), edge->kind))
        fail_msg("seed %" PRIu64 ": an edge from 0x%x is not there: %s", seed,
                 linked->instructions[b->blocks[edge->from].last].address, one.data);
    }
    ++*compared;
  }
  wb_simt_analysis_free(first);
  wb_simt_analysis_free(second);
}

TEST(as_in_one_section)
{
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    struct program program;
    draw(seed, &program);
    compare(seed, &program, &compared);
  }
  assert_true(compared > 500);
}

#define HEAD "\tcode for sm_87\n\t\tFunction : kernel\n"

/* Links the first function; how many parts it has. */
static size_t parts_of(const char *text)
{
  FREED_BY(wb_code_free) struct wb_code code = {0};
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  warpbound_error error = {.message = ""};
  const struct wb_function *linked;
  parse(text, &code);
  assert_ok(wb_function_link(&code, &code.functions[0], NULL, &arena, &linked, &error));
  assert_int_equal(linked == &code.functions[0], linked->part_count == 0);
  return linked->part_count;
}

TEST(what_is_linked)
{
  assert_int_equal(parts_of(HEAD "/*0000*/ EXIT ;\n"), 0);
  assert_int_equal(parts_of(HEAD "/*0000*/ MOV R20, 0x20 ;\n/*0010*/ CALL.ABS.NOINC `(vprintf) ;\n"
                                 "/*0020*/ EXIT ;\n"),
                   0);
  assert_int_equal(parts_of(HEAD "/*0000*/ MOV R20, 0x20 ;\n/*0010*/ CALL.ABS.NOINC R2 ;\n"
                                 "/*0020*/ EXIT ;\n"),
                   0);
#define CALLS "/*0000*/ MOV R20, 0x20 ;\n/*0010*/ CALL.ABS.NOINC `(f) ;\n/*0020*/ EXIT ;\n"
#define CALLER HEAD CALLS
  assert_int_equal(parts_of(CALLER "\t\tFunction : f\n/*0000*/ RET.ABS.NODEC R20 0x0 ;\n"), 2);
  assert_int_equal(parts_of(CALLER "\t\tFunction : f\n/*0000*/ MOV R20, 0x20 ;\n"
                                   "/*0010*/ CALL.ABS.NOINC `(f) ;\n/*0020*/ EXIT ;\n"),
                   2);
  /* Of another architecture. */
  assert_int_equal(parts_of(CALLER "\tcode for sm_75\n\t\tFunction : f\n"
                                   "/*0000*/ RET.ABS.NODEC R20 0x0 ;\n"),
                   0);
}

/* How many instructions the last function has with all that it calls. */
static size_t linked_length(const char *text)
{
  FREED_BY(wb_code_free) struct wb_code code = {0};
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  warpbound_error error = {.message = ""};
  const struct wb_function *linked;
  parse(text, &code);
  const struct wb_function *last = &code.functions[code.function_count - 1];
  assert_ok(wb_function_link(&code, last, NULL, &arena, &linked, &error));
  return linked->instruction_count;
}

/* Of functions of one name that of the caller's module is called; none where there are two. */
TEST(functions_of_one_name)
{
#define F "\t\tFunction : f\n"
#define LONG F "/*0000*/ NOP ;\n/*0010*/ RET.ABS.NODEC R20 0x0 ;\n"
#define SHORT F "/*0000*/ RET.ABS.NODEC R20 0x0 ;\n"
#define OTHER "\tcode for sm_87\n"
  assert_int_equal(linked_length(OTHER SHORT CALLER), 4);
  assert_int_equal(linked_length(OTHER LONG CALLER), 5);
  assert_int_equal(linked_length(OTHER SHORT OTHER LONG "\t\tFunction : k\n" CALLS), 5);
  assert_int_equal(linked_length(OTHER LONG OTHER SHORT "\t\tFunction : k\n" CALLS), 4);
  assert_int_equal(linked_length(OTHER LONG OTHER SHORT CALLER), 3);
  assert_int_equal(linked_length(OTHER SHORT LONG "\t\tFunction : k\n" CALLS), 3);
#define SECTION(name) "\t.section\t.text." name ",\"ax\",@progbits\n.text." name ":\n"
#define MODULE "\t.target\tsm_87\n\t.elftype\t@\"ET_EXEC\"\n"
  assert_int_equal(
      linked_length(MODULE SECTION("f") "/*0000*/ RET.ABS.NODEC R20 0x0 ;\n" MODULE SECTION(
          "f") "/*0000*/ NOP ;\n/*0010*/ RET.ABS.NODEC R20 0x0 ;\n" SECTION("k") CALLS),
      5);
}

/* Whether the branch at the beginning of the function that is called is one of all lanes. */
static bool begins_past(const char *kernel, const char *called)
{
  FREED_BY(wb_code_free) struct wb_code code = {0};
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  warpbound_error error = {.message = ""};
  const struct wb_function *linked;
  wb_text_format(&text, "%s%s", kernel, called);
  parse(text.data, &code);
  assert_ok(wb_function_link(&code, &code.functions[0], NULL, &arena, &linked, &error));
  assert_int_equal(linked->part_count, 2);
  wb_function_starts_settle(linked);
  return !linked->instructions[linked->parts[1].first + 1].guarded;
}

TEST(what_unoptimised_functions_begin_with)
{
#define TEST_AND_BRANCH(flag)                                                                      \
  "/*0000*/ ISETP.NE.U32.AND P0, PT, RZ, " flag ", PT ;\n/*0010*/ @P0 BRA 0x40 ;\n"                \
  "/*0020*/ BMOV.32 B0, 0xffffffff ;\n"
#define BEGINNING(flag) TEST_AND_BRANCH(flag) "/*0030*/ UMOV " flag ", 0x1 ;\n"
#define CALL(more)                                                                                 \
  "/*0040*/ MOV R20, 0x60 ;\n/*0050*/ CALL.ABS.NOINC `(f) ;\n" more "/*0070*/ EXIT ;\n"
#define CALLED "\t\tFunction : f\n"
#define RETURN "/*0040*/ RET.ABS.NODEC R20 0x0 ;\n"
  const char *const kernel = HEAD BEGINNING("UR2") CALL("/*0060*/ NOP ;\n");
  assert_true(begins_past(kernel, CALLED BEGINNING("UR2") RETURN));
  /* Another flag; one that is set to 0; no such beginning of the kernel; another write of it; code
   * that may write it; a jump into the beginning. */
  assert_false(begins_past(kernel, CALLED BEGINNING("UR3") RETURN));
  assert_false(
      begins_past(kernel, CALLED TEST_AND_BRANCH("UR2") "/*0030*/ UMOV UR2, 0x0 ;\n" RETURN));
  assert_false(begins_past(HEAD "/*0000*/ MOV R20, 0x20 ;\n/*0010*/ CALL.ABS.NOINC `(f) ;\n"
                                "/*0020*/ EXIT ;\n",
                           CALLED BEGINNING("UR2") RETURN));
  assert_false(begins_past(HEAD BEGINNING("UR2") CALL("/*0060*/ UMOV UR2, 0x0 ;\n"),
                           CALLED BEGINNING("UR2") RETURN));
  assert_false(begins_past(HEAD BEGINNING("UR2") CALL("/*0060*/ CALL.ABS.NOINC `(g) ;\n"),
                           CALLED BEGINNING("UR2") RETURN));
  assert_false(begins_past(HEAD BEGINNING("UR2") CALL("/*0060*/ @P1 BRA 0x10 ;\n"),
                           CALLED BEGINNING("UR2") RETURN));
}
