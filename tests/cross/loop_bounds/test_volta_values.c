/* The abstract meaning of integer instructions from Volta on against their direct meaning, on
 * random sequences: what a lane holds is always among what the abstract state allows.
 *   WARPBOUND_CROSS_RUNS sequences (20000 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "base/text.h"
#include "bounded_listing.h"
#include "interval_check.h"
#include "rows.h"
#include "unit.h"
#include "values/interval/interval_domain.h"
#include "volta_lane.h"

#include <inttypes.h>

#define DEFAULT_RUNS 20000
#define LINES 10
#define WIDTH 96
#define REGISTERS 6
#define PARAMETERS 0x160

/* Lists of volta_values.txt, which says how an operand of a row is drawn; "later": of sm_120 alone.
 */
static const char source[] = "cross/loop_bounds/volta_values.txt";
static struct row_list instructions, later, idioms;

struct maker {
  struct wb_random *random;
  unsigned sm;
  size_t count;
  char text[LINES][WIDTH];
  const char *lines[LINES + 2];
};

static uint64_t below(struct maker *maker, uint64_t bound)
{
  return wb_random_below(maker->random, bound);
}

#define PICK(maker, list) ((list)[below(maker, sizeof(list) / sizeof *(list))])

static uint32_t some_number(struct wb_random *random)
{
  static const uint32_t ends[] = {0, 1, UINT32_MAX, INT32_MAX, UINT32_C(0x80000000), 0xffff};
  const uint64_t kind = wb_random_below(random, 4);
  if (kind == 0)
    return ends[wb_random_below(random, COUNT_OF(ends))];
  if (kind == 1)
    return (uint32_t)wb_random_next(random);
  return (uint32_t)wb_random_below(random, 40) - (kind == 2 ? 10 : 0);
}

static void put_register(struct maker *maker, struct wb_text *text, bool uniform, bool even)
{
  const unsigned number = (unsigned)below(maker, REGISTERS) & (even ? ~1U : ~0U);
  wb_text_format(text, uniform ? "UR%u" : "R%u", number);
}

static void put_source(struct maker *maker, struct wb_text *text, bool uniform, const char *signs)
{
  const char sign = signs[below(maker, strlen(signs))];
  if (sign != ' ')
    wb_text_format(text, "%c", sign);
  if (below(maker, 12) == 0)
    wb_text_string(text, uniform ? "URZ" : "RZ");
  else
    put_register(maker, text, uniform, false);
}

static void put_number(struct maker *maker, struct wb_text *text)
{
  const uint32_t number = some_number(maker->random);
  if (number > INT32_MAX)
    wb_text_format(text, "-0x%x", (unsigned)(0 - number));
  else
    wb_text_format(text, "0x%x", (unsigned)number);
}

static void put_any(struct maker *maker, struct wb_text *text, bool uniform, const char *signs)
{
  const uint64_t kind = below(maker, uniform || maker->sm >= 100 ? 4 : 5);
  if (kind < 2)
    put_source(maker, text, uniform, signs);
  else if (kind < 4)
    put_number(maker, text);
  else
    wb_text_format(text, "c[0x0][0x%x]", PARAMETERS + 4 * (unsigned)below(maker, 4));
}

static void put_predicate(struct maker *maker, struct wb_text *text, bool uniform, bool read)
{
  if (read && below(maker, 4) == 0)
    wb_text_string(text, "!");
  if (read && below(maker, 8) == 0)
    wb_text_string(text, uniform ? "UPT" : "PT");
  else
    wb_text_format(text, uniform ? "UP%u" : "P%u", (unsigned)below(maker, 3));
}

static void put_table(struct maker *maker, struct wb_text *text)
{
  static const unsigned usual[] = {0xc0, 0xfc, 0x3c, 0x33, 0x0c, 0xf8,
                                   0x80, 0xe0, 0xa8, 0x96, 0xea};
  wb_text_format(text, "0x%x",
                 below(maker, 2) == 0 ? PICK(maker, usual) : (unsigned)below(maker, 256));
}

static void put_operand(struct maker *maker, struct wb_text *text, char kind, bool uniform)
{
  static const char *const relations[] = {"LT", "EQ", "LE", "GT", "NE", "GE"};
  static const unsigned selectors[] = {0x3210, 0x7610, 0x7710, 0x7770, 0x7772, 0x9910,
                                       0x8880, 0x4321, 0xbb32, 0x7654, 0x5410};
  static const unsigned factors[] = {0, 1, 2, 3, 4, 5, 7, 8, 0x100};
  switch (kind) {
  case 'd':
    put_register(maker, text, uniform, false);
    break;
  case 'q':
    put_source(maker, text, uniform, " ");
    break;
  case 'r':
    put_source(maker, text, uniform, "   -");
    break;
  case 'x':
    put_any(maker, text, uniform, "  ~");
    break;
  case 'a':
    put_any(maker, text, uniform, "   -");
    break;
  case 'b':
    put_any(maker, text, uniform, " ");
    break;
  case 'p':
    put_register(maker, text, uniform, true);
    break;
  case 'w':
    if (below(maker, 2) == 0)
      put_number(maker, text);
    else
      put_register(maker, text, uniform, true);
    break;
  case 'm':
    wb_text_format(text, "0x%x", PICK(maker, factors));
    break;
  case 'n':
    wb_text_format(text, "0x%x", (unsigned)below(maker, 32));
    break;
  case 's':
    wb_text_format(text, "0x%x",
                   below(maker, 2) == 0 ? PICK(maker, selectors) : (unsigned)below(maker, 0x10000));
    break;
  case 't':
    put_table(maker, text);
    break;
  case 'R':
    wb_text_string(text, PICK(maker, relations));
    break;
  case 'u':
    wb_text_string(text, below(maker, 2) == 0 ? ".U32" : "");
    break;
  default:
    put_predicate(maker, text, uniform, kind == 'P');
  }
}

static void put_line(struct maker *maker, const char *template, size_t length)
{
  struct wb_text text = {0};
  const bool uniform = template[0] == 'U';
  if (maker->count == LINES)
    return;
  if (!uniform && below(maker, 5) == 0)
    wb_text_string(&text, below(maker, 2) == 0 ? "@P1 " : "@!P0 ");
  for (size_t i = 0; i < length; i++) {
    if (template[i] == '%')
      put_operand(maker, &text, template[++i], uniform);
    else
      wb_text_format(&text, "%c", template[i]);
  }
  assert_false(text.failed);
  assert_true(strlen(text.data) < WIDTH);
  strcpy(maker->text[maker->count], text.data);
  maker->lines[maker->count] = maker->text[maker->count];
  maker->count++;
  wb_text_free(&text);
}

static const char *some_row(struct maker *maker, const char *section, struct row_list *list)
{
  row_list_read(source, section, list);
  return list->rows[below(maker, list->count)];
}

static void make_lines(struct maker *maker)
{
  const size_t wanted = 2 + (size_t)below(maker, LINES - 1);
  while (maker->count < wanted) {
    if (below(maker, 4) == 0 && maker->sm < 100) {
      for (const char *at = some_row(maker, "idioms", &idioms); *at != '\0'; at += *at == ';') {
        put_line(maker, at, strcspn(at, ";"));
        at += strcspn(at, ";");
      }
    } else {
      const char *template = maker->sm >= 100 && below(maker, 3) == 0
                                 ? some_row(maker, "later", &later)
                                 : some_row(maker, "instructions", &instructions);
      put_line(maker, template, strlen(template));
    }
  }
  maker->lines[maker->count] = "EXIT";
  maker->lines[maker->count + 1] = NULL;
}

/* ---- the lane and what the state allows ---- */

struct surroundings {
  uint32_t words[64]; /* of bank 0, from the parameters on */
  uint32_t block;
  uint32_t thread;
  uint32_t index;
  unsigned parameters; /* where they begin */
};

static uint32_t constant(void *context, uint32_t bank, uint32_t offset)
{
  const struct surroundings *around = context;
  assert_int_equal(bank, 0);
  if (offset == 0 && around->parameters == PARAMETERS)
    return around->block;
  return around->words[(offset - around->parameters) / 4 % 64];
}

static uint32_t special(void *context, const char *name)
{
  const struct surroundings *around = context;
  if (strcmp(name, "SR_LANEID") == 0)
    return around->thread % 32;
  return strcmp(name, "SR_TID.X") == 0 ? around->thread : around->index;
}

/* The lane by the numbers of states. */
static void describe(const struct volta_lane *lane, struct interval_lane *numbers)
{
  *numbers = (struct interval_lane){0};
  for (uint32_t r = 0; r < WB_REGISTER_PREDICATE; r++)
    numbers->registers[r] = lane->registers[r];
  for (uint32_t r = WB_REGISTER_UNIFORM; r < WB_VALUE_COUNT; r++)
    numbers->registers[r] = lane->uniform[r - WB_REGISTER_UNIFORM];
  for (size_t p = 0; p < WB_PREDICATE_COUNT; p++) {
    numbers->predicates[p] = lane->predicates[p];
    numbers->predicates[WB_PREDICATE_COUNT + p] = lane->uniform_predicates[p];
  }
}

/* What the sequences showed. */
struct totals {
  size_t executed;
  size_t unknown; /* results about which the state says nothing */
  struct interval_totals of;
};

/* ---- runs ---- */

/* Some registers are known, some are in an interval, the others are themselves. */
static void start(struct wb_random *random, struct wb_integer_state *state, struct volta_lane *lane)
{
  *lane = (struct volta_lane){0};
  lane->predicates[7] = lane->uniform_predicates[7] = true;
  wb_integer_state_identity(state);
  for (uint32_t r = 0; r < 2 * REGISTERS; r++) {
    const uint32_t number = r < REGISTERS ? r : WB_REGISTER_UNIFORM + r - REGISTERS;
    uint32_t *holds_it = r < REGISTERS ? &lane->registers[r] : &lane->uniform[r - REGISTERS];
    const uint64_t kind = wb_random_below(random, 4);
    const uint64_t width = wb_random_below(random, 40);
    const uint32_t low = some_number(random);
    *holds_it = some_number(random);
    if (kind == 0)
      state->registers[number] = wb_integer_exactly(*holds_it);
    else if (kind == 1) {
      state->registers[number] = wb_integer_range(low, (int64_t)low + (int64_t)width);
      *holds_it = low + (uint32_t)wb_random_below(random, width + 1);
    }
  }
  for (unsigned p = 0; p < 7; p++) {
    lane->predicates[p] = wb_random_below(random, 2) == 0;
    lane->uniform_predicates[p] = wb_random_below(random, 2) == 0;
  }
}

static bool does(const struct volta_lane *lane, const struct wb_instruction *instruction)
{
  return instruction->guard == WB_NO_REGISTER ||
         lane->predicates[instruction->guard - WB_REGISTER_PREDICATE] != instruction->guard_negated;
}

static void run_sequence(uint64_t seed, struct totals *totals)
{
  struct wb_random random = {seed};
  struct maker maker = {.random = &random, .sm = seed % 3 == 0 ? 120 : 87};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_comparisons_free) struct wb_comparisons comparisons = {0};
  FREED_BY(wb_carries_free) struct wb_carries carries = {0};
  struct surroundings around = {.block = 64, .parameters = maker.sm == 120 ? 0x380 : 0x160};
  struct wb_parameter_value parameter = {NULL, 4, 0};
  struct volta_lane lane;
  struct interval_lane first;
  struct interval_lane now;
  static struct wb_integer_state state; /* large, as is the context */
  static struct wb_interval_context context;
  make_lines(&maker);
  for (size_t i = 0; i < 64; i++)
    around.words[i] = some_number(&random);
  parameter.value = around.words[1];
  around.thread = (uint32_t)wb_random_below(&random, 64);
  around.index = (uint32_t)wb_random_below(&random, 5);
  const struct wb_launch launch = {
      .block = {64, 1, 1}, .parameters = &parameter, .parameter_count = 1};
  const struct volta_memory memory = {&around, constant, special};
  listing_make_for(maker.sm, maker.lines, &code);
  context.launch = &launch;
  context.comparisons = &comparisons;
  context.carries = &carries;
  context.visit = 1;
  context.state = &state;
  start(&random, &state, &lane);
  describe(&lane, &first);
  for (uint32_t i = 0; i < maker.count; i++) {
    const struct wb_instruction *instruction = &code.functions[0].instructions[i];
    wb_interval_transfer(&context, &code.functions[0], i);
    if (does(&lane, instruction) &&
        !volta_lane_execute(&lane, &memory, instruction->opcode, instruction->operands))
      break; /* the reference does not know it */
    describe(&lane, &now);
    const char *wrong = interval_check(&state, &comparisons, &first, &now, &totals->of);
    if (wrong != NULL) {
      for (uint32_t j = 0; j <= i; j++)
        fprintf(stderr, "  %s\n", maker.lines[j]);
      fail_msg("WARPBOUND_SEED=%" PRIu64 " WARPBOUND_CROSS_RUNS=1: %s is not as the state says",
               seed, wrong);
    }
    totals->executed++;
    if (instruction->operands[0] == 'R' && instruction->operands[1] != 'Z')
      totals->unknown += state.registers[instruction->operands[1] - '0'].width == UINT32_MAX;
  }
}

TEST(lanes_are_among_states)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++)
    run_sequence(seed + n, &totals);
  printf("# %zu instructions, %zu unknown results, %zu comparisons of 64 bits, %zu pairs, "
         "%zu values under conditions\n",
         totals.executed, totals.unknown, totals.of.wide_rows, totals.of.pairs,
         totals.of.conditionals);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.unknown * 2 < totals.executed);
    assert_true(totals.of.wide_rows > runs / 50);
    assert_true(totals.of.pairs > runs / 10);
    assert_true(totals.of.conditionals > runs / 10);
  }
}
