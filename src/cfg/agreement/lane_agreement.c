#include "cfg/agreement/lane_agreement.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of registers ---- */

static uint64_t hash_of(const void *sets, uint32_t number)
{
  const struct wb_register_set *set = (const struct wb_register_set *)sets + number;
  uint64_t hash = 0;
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    hash = wb_hash_word(hash, set->words[w]);
  return hash;
}

static bool same_set(const void *sets, uint32_t number, const void *set)
{
  return memcmp(&((const struct wb_register_set *)sets)[number], set,
                sizeof(struct wb_register_set)) == 0;
}

uint32_t wb_register_sets_number(struct wb_register_sets *sets, const struct wb_register_set *set)
{
  if (!wb_hash_table_grow(&sets->table, sets->count, hash_of, sets->sets) ||
      !wb_grow(sets->sets, &sets->capacity, sets->count + 1)) {
    sets->failed = true;
    return WB_REGISTERS_NONE;
  }
  uint32_t *slot = wb_hash_table_slot(&sets->table, hash_of(set, 0), same_set, sets->sets, set);
  if (*slot == 0) {
    sets->sets[sets->count] = *set;
    *slot = (uint32_t)++sets->count;
  }
  return *slot - 1;
}

bool wb_register_sets_start(struct wb_register_sets *sets)
{
  *sets = (struct wb_register_sets){0};
  struct wb_register_set set = {{0}};
  wb_register_sets_number(sets, &set);
  wb_register_set_add(&set, (struct wb_register_span){0, WB_AGREEMENT_COUNT});
  wb_register_sets_number(sets, &set);
  return !sets->failed;
}

void wb_register_sets_free(struct wb_register_sets *sets)
{
  free(sets->sets);
  wb_hash_table_free(&sets->table);
  *sets = (struct wb_register_sets){0};
}

uint32_t wb_register_sets_both(struct wb_register_sets *sets, uint32_t a, uint32_t b)
{
  if (a == b)
    return a;
  struct wb_register_set set;
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    set.words[w] = sets->sets[a].words[w] & sets->sets[b].words[w];
  return wb_register_sets_number(sets, &set);
}

uint32_t wb_register_sets_either(struct wb_register_sets *sets, uint32_t a, uint32_t b)
{
  if (a == b)
    return a;
  struct wb_register_set set;
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    set.words[w] = sets->sets[a].words[w] | sets->sets[b].words[w];
  return wb_register_sets_number(sets, &set);
}

uint32_t wb_register_sets_without(struct wb_register_sets *sets, uint32_t a, uint32_t b)
{
  struct wb_register_set set;
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    set.words[w] = sets->sets[a].words[w] & ~sets->sets[b].words[w];
  return wb_register_sets_number(sets, &set);
}

bool wb_register_sets_include(const struct wb_register_sets *sets, uint32_t large, uint32_t small)
{
  bool all = true;
  for (size_t w = 0; large != small && w < WB_REGISTER_WORDS; w++)
    all = all && (sets->sets[small].words[w] & ~sets->sets[large].words[w]) == 0;
  return all;
}

const char *wb_register_sets_check(const struct wb_register_sets *sets)
{
  struct wb_register_set none = {{0}};
  struct wb_register_set all = {{0}};
  wb_register_set_add(&all, (struct wb_register_span){0, WB_AGREEMENT_COUNT});
  if (sets->failed)
    return "some number of a set is wrong";
  if (!wb_hash_table_is_valid(&sets->table, sets->count))
    return "the hash table of sets is not valid";
  if (sets->count < 2 || memcmp(&sets->sets[WB_REGISTERS_NONE], &none, sizeof none) != 0 ||
      memcmp(&sets->sets[WB_REGISTERS_ALL], &all, sizeof all) != 0)
    return "the first two sets are not the empty one and all registers";
  for (size_t s = 0; s < sets->count; s++) {
    const struct wb_register_set *set = &sets->sets[s];
    if (*wb_hash_table_slot(&sets->table, hash_of(set, 0), same_set, sets->sets, set) != s + 1)
      return "two numbers have one set, or a set is not in the hash table";
  }
  return NULL;
}

/* The bits of a span that lie in one word. */
static uint64_t bits_of(struct wb_register_span span, unsigned word)
{
  const unsigned begin = span.first > word * 64 ? span.first - word * 64 : 0;
  const unsigned end = (unsigned)span.first + span.count - word * 64;
  const uint64_t below_end = end >= 64 ? UINT64_MAX : (UINT64_C(1) << end) - 1;
  return below_end & UINT64_MAX << begin;
}

static unsigned last_word(struct wb_register_span span)
{
  return ((unsigned)span.first + span.count - 1) / 64;
}

bool wb_register_set_has_span(const struct wb_register_set *set, struct wb_register_span span)
{
  bool all = true;
  for (unsigned w = span.first / 64; w <= last_word(span); w++)
    all = all && (bits_of(span, w) & ~set->words[w]) == 0;
  return all;
}

void wb_register_set_add(struct wb_register_set *set, struct wb_register_span span)
{
  for (unsigned w = span.first / 64; w <= last_word(span); w++)
    set->words[w] |= bits_of(span, w);
}

void wb_register_set_remove(struct wb_register_set *set, struct wb_register_span span)
{
  for (unsigned w = span.first / 64; w <= last_word(span); w++)
    set->words[w] &= ~bits_of(span, w);
}

/* ---- agreement ---- */

static bool holds_bits(const struct wb_function *function, struct wb_register_span span)
{
  const uint32_t number = function->bit_register;
  return number > 0 && number >= span.first && number < (uint32_t)span.first + span.count;
}

void wb_register_set_add_written(struct wb_register_set *set, const struct wb_function *function,
                                 struct wb_register_span span)
{
  wb_register_set_add(set, span);
  if (holds_bits(function, span))
    wb_register_set_add(set, (struct wb_register_span){WB_AGREEMENT_BITS, 32});
}

static bool keeps_bits(const struct wb_function *function, const struct wb_instruction *instruction)
{
  return instruction->bit_use == WB_BITS_KEPT &&
         instruction->bit_register == function->bit_register;
}

bool wb_register_set_has_tested(const struct wb_register_set *set,
                                const struct wb_function *function,
                                const struct wb_instruction *instruction)
{
  if (instruction->bit_use != WB_BITS_TESTED || instruction->bit_register != function->bit_register)
    return false;
  bool all = true;
  for (unsigned bit = 0; bit < 32; bit++)
    all = all && ((instruction->bits >> bit & 1) == 0 ||
                  wb_register_set_has(set, WB_AGREEMENT_BITS + bit));
  return all || wb_register_set_has(set, function->bit_register);
}

/* The single bits on which lanes agree after an instruction that changes some of them to numbers.
 * condition: they agree on whether they do it. whole: they agreed on the register. */
static void keep_bits(const struct wb_instruction *instruction, bool condition, bool whole,
                      struct wb_register_set *agreed)
{
  const bool certain = !wb_instruction_conditional(instruction);
  for (unsigned bit = 0; bit < 32; bit++) {
    const struct wb_register_span span = {(uint16_t)(WB_AGREEMENT_BITS + bit), 1};
    const bool before = whole || wb_register_set_has(agreed, span.first);
    const bool number = (instruction->bits >> bit & 1) != 0;
    if (number ? certain || (condition && before) : before)
      wb_register_set_add(agreed, span);
    else
      wb_register_set_remove(agreed, span);
  }
}

/* A write of the register by anything else: each bit agrees if it does. */
static void write_bits(bool agrees, bool certain, struct wb_register_set *agreed)
{
  static const struct wb_register_span bits = {WB_AGREEMENT_BITS, 32};
  if (!agrees)
    wb_register_set_remove(agreed, bits);
  else if (certain)
    wb_register_set_add(agreed, bits);
}

static bool reads_agree(const struct wb_function *function,
                        const struct wb_instruction *instruction,
                        const struct wb_register_set *agreed)
{
  bool all = true;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_read + s];
    all = all && (wb_register_set_has_span(agreed, span) ||
                  (span.count == 1 && holds_bits(function, span) &&
                   wb_register_set_has_tested(agreed, function, instruction)));
  }
  return all;
}

bool wb_simt_condition_agrees(const struct wb_function *function,
                              const struct wb_instruction *instruction,
                              const struct wb_register_set *agreed)
{
  const bool guard =
      instruction->guard == WB_NO_REGISTER || wb_register_set_has(agreed, instruction->guard);
  const bool code =
      !instruction->conditional_code || wb_register_set_has(agreed, WB_REGISTER_CONDITION_CODE);
  return guard && code &&
         (!instruction->second_predicate || reads_agree(function, instruction, agreed));
}

bool wb_simt_index_agrees(const struct wb_function *function,
                          const struct wb_instruction *instruction,
                          const struct wb_register_set *agreed)
{
  bool agrees = true;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_read + s];
    const bool guard = span.first == instruction->guard && span.count == 1;
    agrees = agrees && (guard || wb_register_set_has_span(agreed, span));
  }
  return agrees || instruction->uniform;
}

void wb_simt_agreement_step(const struct wb_function *function,
                            const struct wb_instruction *instruction,
                            struct wb_register_set *agreed, struct wb_register_set *written)
{
  if (instruction->never)
    return;
  if (instruction->unknown) {
    memset(agreed, 0, sizeof *agreed);
    wb_register_set_add(written, (struct wb_register_span){0, WB_AGREEMENT_COUNT});
    return;
  }
  const bool by_reads = instruction->agreement == WB_AGREES_BY_SOURCES ||
                        instruction->agreement == WB_AGREES_BY_MEMORY;
  const bool for_all =
      instruction->agreement == WB_AGREES_ALWAYS || instruction->agreement == WB_AGREES_BY_LANE;
  const bool condition = wb_simt_condition_agrees(function, instruction, agreed);
  const bool agrees =
      condition && (for_all || (by_reads && reads_agree(function, instruction, agreed)));
  /* Where a condition says for all lanes at once whether they write, either value may be
   * there afterwards: the register agrees where both do. */
  const bool certain = !wb_instruction_conditional(instruction);
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_write + s];
    wb_register_set_add_written(written, function, span);
    if (holds_bits(function, span)) {
      if (keeps_bits(function, instruction))
        keep_bits(instruction, condition, wb_register_set_has(agreed, function->bit_register),
                  agreed);
      else
        write_bits(agrees, certain, agreed);
    }
    if (!agrees)
      wb_register_set_remove(agreed, span);
    else if (certain)
      wb_register_set_add(agreed, span);
  }
}
