/* The lowering of instructions against interpreters of their text, on random instructions of both
 * encodings: what the micro-operations say of a lane's registers is what the lane holds. Every
 * opcode that has a lowering is reached.
 *   WARPBOUND_CROSS_RUNS instructions of each encoding (200000 without it), WARPBOUND_SEED */
#include "bounded_listing.h"
#include "concrete_lanes.h"
#include "isa/lower/lower.h"
#include "isa/opcode.h"
#include "isa/sass_operand.h"
#include "maxwell_lane.h"
#include "random_instruction.h"
#include "unit.h"
#include "volta_lane.h"

#include <inttypes.h>

#define DEFAULT_RUNS 200000
#define MOST_OPERANDS 16
#define REGISTERS 12 /* those that random instructions name, and what loads write after them */

/* ---- what lanes read ---- */

static uint32_t mixed(uint64_t a, uint64_t b)
{
  struct wb_random random = {a << 32 ^ b};
  return (uint32_t)wb_random_next(&random);
}

static uint32_t constant(void *context, uint32_t bank, uint32_t offset)
{
  (void)context;
  return mixed(bank + 1, offset);
}

/* Those of the block are the same in all lanes. */
static uint32_t special(void *context, unsigned lane, uint32_t which)
{
  (void)context;
  return mixed(which, which >= WB_SPECIAL_BLOCK_X ? 0 : lane % 4);
}

/* The context is the lane's number. */
static uint32_t named_special(void *context, const char *name)
{
  const unsigned *lane = context;
  return special(NULL, *lane, wb_special_register_named(name, strlen(name)));
}

/* ---- one instruction ---- */

struct trial {
  struct random_instruction text;
  bool volta;
  struct wb_instruction instruction;
  struct wb_operand operands[MOST_OPERANDS];
  struct wb_function function;
  struct wb_micro_code code;
  struct wb_concrete before;
};

static void parse(struct trial *trial)
{
  const char *at = trial->text.operands;
  struct wb_instruction *instruction = &trial->instruction;
  *instruction = (struct wb_instruction){.guard = WB_NO_REGISTER};
  wb_opcode_parse(trial->text.opcode, strlen(trial->text.opcode), instruction);
  if (strncmp(trial->text.opcode, "SHFL", 4) == 0) /* those of one lane alone are drawn */
    instruction->agreement = WB_AGREES_BY_LANE;
  while (*at != '\0' && instruction->operand_count < MOST_OPERANDS) {
    const size_t length = strcspn(at, ",");
    trial->operands[instruction->operand_count++] = wb_operand_parse(at, length);
    at += length + (at[length] == ',');
    at += strspn(at, " ");
  }
  trial->function = (struct wb_function){.instructions = instruction,
                                         .instruction_count = 1,
                                         .operands = trial->operands,
                                         .operand_count = instruction->operand_count,
                                         .sm = trial->volta ? 86 : 52,
                                         .wide = trial->volta};
}

/* ---- the interpreters ---- */

static void from_volta(const struct volta_lane *from, struct wb_concrete_lane *lane)
{
  for (unsigned r = 0; r < REGISTERS; r++) {
    lane->words[WB_REGISTER_GENERAL + r] = from->registers[r];
    lane->words[WB_REGISTER_UNIFORM + r] = from->uniform[r];
  }
  for (unsigned p = 0; p < 7; p++) {
    lane->words[WB_REGISTER_PREDICATE + p] = from->predicates[p];
    lane->words[WB_REGISTER_UNIFORM_PREDICATE + p] = from->uniform_predicates[p];
  }
}

/* What one lane holds after the instruction; false where the interpreter does not know it. */
static bool interpret(const struct trial *trial, unsigned lane, struct wb_concrete_lane *after)
{
  const struct volta_memory memory = {&lane, constant, named_special};
  const struct wb_concrete_lane *before = &trial->before.lanes[lane];
  struct volta_lane volta;
  struct maxwell_lane maxwell = {.predicates[7] = true};
  *after = *before;
  volta = (struct volta_lane){.predicates[7] = true, .uniform_predicates[7] = true};
  for (unsigned r = 0; r < REGISTERS; r++) {
    volta.registers[r] = before->words[WB_REGISTER_GENERAL + r];
    volta.uniform[r] = before->words[WB_REGISTER_UNIFORM + r];
  }
  for (unsigned p = 0; p < 7; p++) {
    volta.predicates[p] = before->words[WB_REGISTER_PREDICATE + p] != 0;
    volta.uniform_predicates[p] = before->words[WB_REGISTER_UNIFORM_PREDICATE + p] != 0;
  }
  if (trial->volta) {
    if (!volta_lane_execute(&volta, &memory, trial->text.opcode, trial->text.operands))
      return false;
    from_volta(&volta, after);
    return true;
  }
  memcpy(maxwell.registers, volta.registers, sizeof maxwell.registers);
  memcpy(maxwell.predicates, volta.predicates, sizeof maxwell.predicates);
  maxwell.carry = before->words[WB_REGISTER_CONDITION_CODE] != 0;
  maxwell.zero = before->zero;
  if (!maxwell_lane_execute(&maxwell, &memory, trial->text.opcode, trial->text.operands))
    return false;
  memcpy(volta.registers, maxwell.registers, sizeof maxwell.registers);
  memcpy(volta.predicates, maxwell.predicates, sizeof maxwell.predicates);
  from_volta(&volta, after);
  after->words[WB_REGISTER_CONDITION_CODE] = maxwell.carry;
  after->known[WB_REGISTER_CONDITION_CODE] = maxwell.carry_known;
  after->zero = maxwell.zero;
  return true;
}

/* ---- invariants ---- */

enum type { WORD, PREDICATE, WIDE, TYPES };

static enum type type_of_result(uint8_t kind)
{
  if (kind >= WB_MICRO_CARRY && kind <= WB_MICRO_IS_NOT_ZERO)
    return PREDICATE;
  return kind >= WB_MICRO_WIDE_COPY && kind <= WB_MICRO_WIDE_EXTEND ? WIDE : WORD;
}

static enum type type_of_source(const struct wb_micro_operation *operation, size_t source)
{
  switch (operation->kind) {
  case WB_MICRO_ADD:
    return source < 3 ? WORD : PREDICATE;
  case WB_MICRO_SELECT:
  case WB_MICRO_COMPARE_UPPER:
  case WB_MICRO_COMPARE_BY_CARRY:
    return source < 2 ? WORD : PREDICATE;
  case WB_MICRO_COMBINE:
    return PREDICATE;
  case WB_MICRO_WIDE_SELECT:
    return source < 2 ? WIDE : PREDICATE;
  case WB_MICRO_WIDE_COPY:
  case WB_MICRO_WIDE_ADD:
  case WB_MICRO_COMPARE_WIDE:
    return WIDE;
  default:
    return WORD;
  }
}

static bool is_predicate(uint16_t number)
{
  return (number >= WB_REGISTER_PREDICATE && number <= WB_REGISTER_CONDITION_CODE) ||
         (number >= WB_REGISTER_UNIFORM_PREDICATE && number < WB_REGISTER_BARRIER);
}

/* Whether a source is of the type that its operation needs, and before it. */
static bool is_valid_source(const struct wb_micro_code *code, size_t index, size_t which)
{
  const struct wb_micro_operation *of = &code->operations[index];
  const struct wb_source *source = &of->sources[which];
  const enum type type = type_of_source(of, which);
  switch (source->kind) {
  case WB_SOURCE_NONE:
    return true;
  case WB_SOURCE_RESULT:
    return source->number < index && type_of_result(code->operations[source->number].kind) == type;
  case WB_SOURCE_REGISTER:
    return type == WORD && source->number < WB_REGISTER_BARRIER && !is_predicate(source->number);
  case WB_SOURCE_REGISTER_PAIR:
    return type == WIDE && source->number + 1 < WB_REGISTER_BARRIER &&
           !is_predicate(source->number) && !is_predicate((uint16_t)(source->number + 1));
  case WB_SOURCE_PREDICATE:
    return type == PREDICATE && is_predicate(source->number);
  case WB_SOURCE_NUMBER: /* -RZ carries */
    return (!source->negated || (source->value == 0 && of->kind == WB_MICRO_ADD)) &&
           !source->complemented &&
           (type == WIDE || source->value <= (type == WORD ? UINT32_MAX : 1));
  default:
    return type == (source->kind == WB_SOURCE_CONSTANT_PAIR ? WIDE : WORD);
  }
}

/* The invariants of struct wb_micro_code. */
static bool is_valid(const struct wb_micro_code *code)
{
  bool valid = code->count <= WB_MICRO_LIMIT && code->write_count <= WB_MICRO_WRITE_LIMIT;
  for (size_t o = 0; o < code->count; o++) {
    const struct wb_micro_operation *operation = &code->operations[o];
    for (size_t s = 0; s < 5 && operation->kind != WB_MICRO_CARRY; s++)
      valid &= is_valid_source(code, o, s);
    if (operation->kind == WB_MICRO_CARRY)
      valid &= operation->sources[0].kind == WB_SOURCE_RESULT && operation->sources[0].number < o &&
               code->operations[operation->sources[0].number].kind == WB_MICRO_ADD;
    if (operation->kind == WB_MICRO_EXTRACT)
      valid &= operation->bits > 0 && operation->place + operation->bits <= 32;
    valid &= operation->kind < WB_MICRO_COUNT && operation->least <= operation->most;
  }
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    const enum type type =
        write->result < code->count ? type_of_result(code->operations[write->result].kind) : TYPES;
    valid &= type == (is_predicate(write->number) ? PREDICATE
                      : write->wide               ? WIDE
                                                  : WORD) &&
             write->number < WB_REGISTER_BARRIER;
  }
  return valid;
}

/* ---- comparing ---- */

/* The families for which the row of each opcode names a lowering, as bits: 1 Maxwell and Pascal, 2
 * Volta to Blackwell. */
#define LOWER(rule) 3
#define LOWER_MAXWELL(rule) 1
#define LOWER_VOLTA(rule) 2
#define LOWER_EACH(maxwell, volta) 3
#define NO_LOWERING 0
static const uint8_t families_lowered[WB_OPCODE_COUNT] = {
    NO_LOWERING,
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  lowering,
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
};

/* How often each opcode was compared. */
struct counts {
  size_t lowered[WB_OPCODE_COUNT];
  size_t compared[WB_OPCODE_COUNT];
  size_t lanes;
};

/* Whether something is a function that is not told, or any number: no interpreter has arithmetic of
 * floating point, tests of the condition code or votes. */
static bool is_untold(const struct wb_micro_code *code)
{
  bool untold = false;
  for (size_t w = 0; w < code->write_count; w++)
    untold |= wb_is_function(code, code->writes[w].result);
  for (size_t o = 0; o < code->count; o++)
    untold |= code->operations[o].kind == WB_MICRO_UNKNOWN;
  return untold;
}

/* Whether the number that a lane holds is one that the write allows. *compared: it says so. */
static bool agrees(const struct trial *trial, const struct wb_concrete *concrete, unsigned lane,
                   const struct wb_micro_write *write, const struct wb_concrete_lane *after,
                   bool *compared)
{
  const struct wb_micro_operation *operation = &trial->code.operations[write->result];
  const struct wb_concrete_lane *found = &concrete->lanes[lane];
  const bool condition = write->number == WB_REGISTER_CONDITION_CODE;
  if (wb_is_function(&trial->code, write->result)) {
    *compared = true;
    return after->words[write->number] >= operation->least &&
           after->words[write->number] <= operation->most;
  }
  if (!found->known[write->number] || (condition && !after->known[write->number]))
    return true;
  *compared = true;
  for (unsigned w = 0; w <= write->wide; w++)
    if (found->words[write->number + w] != after->words[write->number + w])
      return false;
  return !condition || !found->zero_known || found->zero == after->zero;
}

/* Whether lowering and interpreter agree on all lanes. */
static bool holds(const struct trial *trial, struct counts *counts)
{
  static struct wb_concrete concrete;
  bool any = false;
  concrete = trial->before;
  wb_concrete_run(&concrete, &trial->code);
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    struct wb_concrete_lane after;
    bool compared = trial->code.write_count == 0;
    if ((trial->before.running >> l & 1) == 0 || !interpret(trial, l, &after))
      continue;
    for (size_t w = 0; w < trial->code.write_count; w++)
      if (!agrees(trial, &concrete, l, &trial->code.writes[w], &after, &compared))
        return false;
    any |= compared;
    counts->lanes += compared;
  }
  any |= is_untold(&trial->code);
  counts->compared[trial->instruction.number] += any;
  return true;
}

/* Makes a failing trial simpler: one lane, and as many zeros and small numbers as it can have. */
static void shrink(struct trial *trial)
{
  static struct counts ignored;
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    struct trial one = *trial;
    one.before.running = UINT32_C(1) << l;
    if ((trial->before.running & one.before.running) != 0 && !holds(&one, &ignored)) {
      *trial = one;
      break;
    }
  }
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++)
    for (unsigned r = 0; r < WB_REGISTER_COUNT && (trial->before.running >> l & 1) != 0; r++)
      for (unsigned s = 0; s < 32; s++) {
        const uint32_t old = trial->before.lanes[l].words[r];
        trial->before.lanes[l].words[r] = s == 0 ? 0 : old & ~(UINT32_C(1) << (32 - s));
        if (holds(trial, &ignored))
          trial->before.lanes[l].words[r] = old;
      }
}

static void print(const struct trial *trial, uint64_t seed)
{
  print_error("seed %" PRIu64 ": %s %s\n", seed, trial->text.opcode, trial->text.operands);
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++)
    for (unsigned r = 0; r < WB_REGISTER_COUNT && (trial->before.running >> l & 1) != 0; r++) {
      char name[8];
      struct wb_concrete_lane after;
      static struct wb_concrete concrete;
      concrete = trial->before;
      wb_concrete_run(&concrete, &trial->code);
      interpret(trial, l, &after);
      wb_register_name(r, name);
      if (trial->before.lanes[l].words[r] != 0 || after.words[r] != 0 ||
          concrete.lanes[l].words[r] != 0)
        print_error("  lane %u: %s = 0x%x, then 0x%x, lowered 0x%x\n", l, name,
                    (unsigned)trial->before.lanes[l].words[r], (unsigned)after.words[r],
                    (unsigned)concrete.lanes[l].words[r]);
    }
}

/* A random instruction, and what lanes hold before it. */
static void draw(struct trial *trial, bool volta, uint64_t seed)
{
  struct wb_random random = {seed};
  trial->volta = volta;
  trial->text = random_instruction_make(&random, volta);
  parse(trial);
  trial->before.running = UINT32_MAX;
  trial->before.memory = (struct wb_concrete_memory){NULL, constant, special};
  trial->before.random = random;
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    struct wb_concrete_lane *lane = &trial->before.lanes[l];
    trial->before.lanes[l] =
        (struct wb_concrete_lane){.zero = wb_random_below(&random, 2) == 0, .zero_known = true};
    for (unsigned r = 0; r < WB_REGISTER_COUNT; r++)
      lane->known[r] = true;
    for (unsigned r = 0; r < REGISTERS; r++) {
      lane->words[WB_REGISTER_GENERAL + r] = random_instruction_number(&random);
      lane->words[WB_REGISTER_UNIFORM + r] = random_instruction_number(&random);
    }
    for (unsigned p = 0; p < 7; p++) {
      lane->words[WB_REGISTER_PREDICATE + p] = (uint32_t)wb_random_below(&random, 2);
      lane->words[WB_REGISTER_UNIFORM_PREDICATE + p] = (uint32_t)wb_random_below(&random, 2);
    }
    lane->words[WB_REGISTER_CONDITION_CODE] = (uint32_t)wb_random_below(&random, 2);
  }
}

static void try_one(bool volta, uint64_t seed, struct counts *counts)
{
  static struct trial trial;
  draw(&trial, volta, seed);
  if (!wb_lower(&trial.function, 0, &trial.code)) {
    print_error("seed %" PRIu64 ": no lowering of %s %s\n", seed, trial.text.opcode,
                trial.text.operands);
    fail();
  }
  assert_true(is_valid(&trial.code));
  counts->lowered[trial.instruction.number]++;
  if (holds(&trial, counts))
    return;
  shrink(&trial);
  print(&trial, seed);
  fail();
}

static void compare(bool volta)
{
  static struct counts counts;
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  size_t missing = 0;
  counts = (struct counts){.lanes = 0};
  for (uint64_t r = 0; r < runs; r++)
    try_one(volta, seed + r, &counts);
  for (size_t o = 0; o < WB_OPCODE_COUNT; o++) {
    if ((families_lowered[o] & (volta ? 2U : 1U)) == 0 || counts.compared[o] > 0)
      continue;
    print_error("%s is lowered %zu times and never compared\n", wb_opcode_name((enum wb_opcode)o),
                counts.lowered[o]);
    missing++;
  }
  print_message("# %" PRIu64 " instructions of %s, %zu lanes compared\n", runs,
                volta ? "Volta to Blackwell" : "Maxwell and Pascal", counts.lanes);
  assert_int_equal(missing, 0);
}

TEST(test_maxwell)
{
  compare(false);
}

TEST(test_volta)
{
  compare(true);
}

/* ---- copies ---- */

/* Whether a register holds what the copy says, after the instruction in a lane. */
static bool is_copied(const struct trial *trial, unsigned lane, const struct wb_copy *copy,
                      const struct wb_concrete_lane *after)
{
  const uint32_t low = (uint32_t)copy->value;
  switch (copy->kind) {
  case WB_COPY_NUMBER:
    return after->words[copy->to] == low;
  case WB_COPY_CONSTANT:
    return after->words[copy->to] == constant(NULL, (uint32_t)(copy->value >> 32), low);
  case WB_COPY_LAUNCH:
    return after->words[copy->to] == special(NULL, lane, low);
  case WB_COPY_THREAD:
    return after->words[copy->to] == special(NULL, lane, WB_SPECIAL_THREAD_X);
  default:
    return copy->kind == WB_COPY_REGISTER &&
           after->words[copy->to] == trial->before.lanes[lane].words[copy->from] + low;
  }
}

/* Compares a register with a number beside a multiple of 32 that is beside what a lane has there.
 */
static void draw_comparison(struct trial *trial, uint64_t seed)
{
  static const char *const relations[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  struct wb_random random = {seed};
  const uint32_t beside = (uint32_t)wb_random_below(&random, 3) - 1;
  const bool first = wb_random_below(&random, 2) == 0;
  const uint32_t word = trial->before.lanes[0].words[WB_REGISTER_GENERAL + (first ? 1 : 2)];
  const uint32_t number = 32 * (word / 32 + (uint32_t)wb_random_below(&random, 2)) + beside;
  snprintf(trial->text.opcode, sizeof trial->text.opcode, "ISETP.%s%s.AND",
           relations[wb_random_below(&random, 6)], wb_random_below(&random, 2) == 0 ? ".U32" : "");
  snprintf(trial->text.operands, sizeof trial->text.operands,
           first ? "P1, PT, R1, 0x%" PRIx32 ", PT" : "P1, P2, R2, 0x%" PRIx32 ", PT", number);
  parse(trial);
}

/* Whether what is said to be of the warp is the same in lanes whose register has neighbouring
 * numbers, from the multiple of 32 on that one lane's is above. */
static bool is_of_warp(const struct trial *trial, unsigned lane, const struct wb_copy *copy)
{
  static struct trial warp;
  uint32_t first = 0;
  for (uint32_t l = 0; l < 32; l++) {
    struct wb_concrete_lane after;
    warp = *trial;
    uint32_t *word = &warp.before.lanes[lane].words[copy->from];
    *word = *word / 32 * 32 + l;
    if (!interpret(&warp, lane, &after))
      return true;
    first = l == 0 ? after.words[copy->to] : first;
    if (after.words[copy->to] != first)
      return false;
  }
  return true;
}

/* What the front end says that instructions put unchanged elsewhere, and what is of the warp. */
TEST(test_copies)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 10 + 1;
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  size_t compared = 0;
  size_t of_warps = 0;
  (void)state;
  for (uint64_t r = 0; r < runs; r++) {
    static struct trial trial;
    struct wb_concrete_lane after;
    struct wb_code code;
    char text[2 * sizeof trial.text];
    draw(&trial, true, seed + r);
    if (r % 8 == 0)
      draw_comparison(&trial, seed + r);
    snprintf(text, sizeof text, "%s %s", trial.text.opcode, trial.text.operands);
    listing_of(87, text, &code);
    for (size_t c = 0; c < code.functions[0].copy_count; c++)
      for (unsigned l = 0; l < WB_CONCRETE_LANES && interpret(&trial, l, &after); l++) {
        const struct wb_copy *copy = &code.functions[0].copies[c];
        const bool of_warp = copy->kind == WB_COPY_OF_WARP;
        if (of_warp ? !is_of_warp(&trial, l, copy) : !is_copied(&trial, l, copy, &after))
          fail_msg("seed %" PRIu64 ": %s: copy %zu, lane %u", seed + r, text, c, l);
        compared++;
        of_warps += of_warp;
      }
    wb_code_free(&code);
  }
  print_message("# %zu copies in lanes, %zu of the warp\n", compared, of_warps);
  assert_true(compared > runs / 2 && of_warps > runs / 500);
}

/* ---- any operands ---- */

/* A register of that kind, or none. */
static uint16_t random_register(struct wb_random *random, uint8_t kind)
{
  static const uint16_t first[] = {WB_REGISTER_GENERAL, WB_REGISTER_GENERAL + 252,
                                   WB_REGISTER_UNIFORM, WB_REGISTER_UNIFORM + 252,
                                   WB_REGISTER_BARRIER};
  if (wb_random_below(random, 5) == 0 ||
      (kind != WB_OPERAND_REGISTER && kind != WB_OPERAND_PREDICATE))
    return WB_NO_REGISTER;
  if (kind == WB_OPERAND_PREDICATE)
    return (uint16_t)(wb_random_below(random, 7) + (wb_random_below(random, 2) == 0
                                                        ? WB_REGISTER_PREDICATE
                                                        : WB_REGISTER_UNIFORM_PREDICATE));
  return (uint16_t)(first[wb_random_below(random, 5)] + wb_random_below(random, 3));
}

static struct wb_operand random_operand(struct wb_random *random)
{
  const uint8_t kind = (uint8_t)wb_random_below(random, WB_OPERAND_PRODUCTS + 1);
  const uint64_t small = wb_random_below(random, 40);
  const bool is_wide = kind == WB_OPERAND_WIDE_NUMBER || kind == WB_OPERAND_FLOAT;
  return (struct wb_operand){
      .kind = kind,
      .value = is_wide ? wb_random_next(random) : small,
      .number = random_register(random, kind),
      .index = kind == WB_OPERAND_CONSTANT && small < 20 ? (uint16_t)small : WB_NO_REGISTER,
      .part = (uint8_t)(small < 10 ? wb_random_below(random, 4) : 0),
      .negated = kind != WB_OPERAND_NUMBER && wb_random_below(random, 4) == 0,
      .complemented = kind != WB_OPERAND_NUMBER && wb_random_below(random, 6) == 0,
      .absolute = wb_random_below(random, 6) == 0,
      .half = wb_random_below(random, 6) == 0,
      .carry = wb_random_below(random, 6) == 0,
  };
}

/* Whatever the operands and modifiers, code is valid. */
TEST(test_any_operands)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", 1)};
  size_t lowered = 0;
  (void)state;
  for (uint64_t r = 0; r < 4 * runs; r++) {
    static struct trial trial;
    trial.volta = wb_random_below(&random, 2) == 0;
    trial.text = random_instruction_make(&random, trial.volta);
    parse(&trial);
    for (uint64_t m = wb_random_below(&random, 3) + 1; m > 0; m--) {
      /* Changes an operand, a modifier, the opcode, or the number of operands. */
      struct wb_instruction *instruction = &trial.instruction;
      switch (wb_random_below(&random, 6)) {
      case 0:
        instruction->number = (uint16_t)wb_random_below(&random, WB_OPCODE_COUNT);
        break;
      case 1:
        instruction->modifiers[wb_random_below(&random, 4)] =
            (uint8_t)wb_random_below(&random, WB_MODIFIER_COUNT);
        break;
      case 2:
        instruction->operand_count = (uint8_t)wb_random_below(&random, 9);
        break;
      case 3:
        instruction->modifier_count = (uint8_t)wb_random_below(&random, 4);
        break;
      default:
        trial.operands[wb_random_below(&random, 8)] = random_operand(&random);
      }
    }
    lowered += wb_lower(&trial.function, 0, &trial.code);
    if (!is_valid(&trial.code))
      print_error("run %" PRIu64 ": of %s %s\n", r, trial.text.opcode, trial.text.operands);
    assert_true(is_valid(&trial.code));
  }
  print_message("# %zu of %" PRIu64 " changed instructions are lowered\n", lowered, 4 * runs);
}

/* ---- forms that are not known ---- */

/* A modifier or an operand more leaves an instruction without a lowering, but for functions that
 * are not told, which rest on any. */
TEST(test_more_than_known)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 10 + 1;
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", 1)};
  (void)state;
  for (uint64_t r = 0; r < runs; r++) {
    static struct trial trial;
    struct wb_instruction *instruction = &trial.instruction;
    trial.volta = wb_random_below(&random, 2) == 0;
    trial.text = random_instruction_make(&random, trial.volta);
    parse(&trial);
    if (wb_random_below(&random, 2) == 0)
      instruction->modifiers[instruction->modifier_count++] = WB_MODIFIER_OTHER;
    else
      trial.operands[instruction->operand_count++] =
          (struct wb_operand){.kind = WB_OPERAND_OTHER, .number = WB_NO_REGISTER};
    if (wb_lower(&trial.function, 0, &trial.code) && trial.code.write_count > 0 &&
        !is_untold(&trial.code)) {
      print_error("%s %s: and a modifier or operand more\n", trial.text.opcode,
                  trial.text.operands);
      fail();
    }
  }
}
