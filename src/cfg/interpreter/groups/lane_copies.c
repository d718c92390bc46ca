#include "cfg/interpreter/groups/lane_copies.h"

#include "base/memory.h"

#include <stdlib.h>

static uint64_t hash_of_word(uint32_t lane, uint32_t address)
{
  uint64_t hash = ((uint64_t)lane << 32 | address) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static uint64_t hash_of(const void *items, uint32_t item)
{
  const struct wb_local_word *words = items;
  return hash_of_word(words[item].lane, words[item].address);
}

static bool is_equal(const void *items, uint32_t item, const void *key)
{
  const struct wb_local_word *words = items;
  const struct wb_local_word *wanted = key;
  return words[item].lane == wanted->lane && words[item].address == wanted->address;
}

/* The word's place, NULL where it was never stored. */
static struct wb_local_word *find_word(const struct wb_lane_copies *copies, uint32_t lane,
                                       uint32_t address)
{
  const struct wb_local_word key = {.lane = lane, .address = address};
  if (copies->word_count == 0)
    return NULL;
  const uint32_t *slot = wb_hash_table_slot(&copies->table, hash_of_word(lane, address), is_equal,
                                            copies->words, &key);
  return *slot != 0 ? &copies->words[*slot - 1] : NULL;
}

static bool store(struct wb_lane_copies *copies, struct wb_local_word word)
{
  struct wb_local_word *found = find_word(copies, word.lane, word.address);
  if (found != NULL) {
    found->number = word.number;
    return true;
  }
  if (copies->word_count >= WB_LOCAL_WORD_LIMIT ||
      !wb_grow(copies->words, &copies->word_capacity, copies->word_count + 1) ||
      !wb_hash_table_grow(&copies->table, copies->word_count, hash_of, copies->words))
    return false;
  uint32_t *slot = wb_hash_table_slot(&copies->table, hash_of_word(word.lane, word.address),
                                      is_equal, copies->words, &word);
  copies->words[copies->word_count++] = word;
  *slot = (uint32_t)copies->word_count;
  return true;
}

/* ---- what a copy puts there ---- */

static uint32_t address_of(const struct wb_copy *copy, const struct wb_lane_values *values,
                           uint32_t lane)
{
  return wb_lane_values_get(values, copy->base, lane) + (uint32_t)copy->value;
}

/* The value of a copy in a lane, before the instruction writes. *missing: it loads what nobody has
 * stored. */
static uint32_t source_of(const struct wb_lane_copies *copies, const struct wb_copy *copy,
                          const struct wb_lane_values *values, uint32_t lane, bool *missing)
{
  const struct wb_local_word *word;
  *missing = false;
  switch (copy->kind) {
  case WB_COPY_NUMBER:
    return (uint32_t)copy->value;
  case WB_COPY_CONSTANT:
    return wb_lane_values_named(values, WB_NAME_CONSTANT, copy->value);
  case WB_COPY_LAUNCH:
    return wb_lane_values_named(values, WB_NAME_LAUNCH, copy->value);
  case WB_COPY_REGISTER:
    return wb_lane_values_get(values, copy->from, lane) + (uint32_t)copy->value;
  case WB_COPY_STORE:
    /* What comes from no register is zero, or a part of the word: any number will do. */
    return copy->from != WB_NO_REGISTER ? wb_lane_values_get(values, copy->from, lane) : 0;
  default:
    word = find_word(copies, lane, address_of(copy, values, lane));
    *missing = word == NULL;
    return word != NULL ? word->number : 0;
  }
}

/* Reads all sources of the instruction's copies, and the addresses of what is stored: they may be
 * among what it writes. */
static bool read_sources(struct wb_lane_copies *copies, const struct wb_copy *first, size_t count,
                         const struct wb_lane_values *values, uint32_t doing)
{
  if (!wb_grow(copies->sources, &copies->source_capacity, 2 * count * WB_LANE_LIMIT) ||
      !wb_grow(copies->missing, &copies->missing_capacity, count))
    return false;
  for (size_t c = 0; c < count; c++) {
    const bool memory = first[c].kind == WB_COPY_STORE || first[c].kind == WB_COPY_LOAD;
    copies->missing[c] = 0;
    for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
      bool missing;
      uint32_t *source = &copies->sources[2 * (c * WB_LANE_LIMIT + lane)];
      if ((doing >> lane & 1) == 0)
        continue;
      source[0] = source_of(copies, &first[c], values, lane, &missing);
      source[1] = memory ? address_of(&first[c], values, lane) : 0;
      copies->missing[c] |= (uint32_t)missing << lane;
    }
  }
  return true;
}

/* ---- what it changes ---- */

static void set_register(const struct wb_copy *copy, const uint32_t *sources,
                         struct wb_lane_values *values, uint32_t active, uint32_t lanes)
{
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) == 0)
      continue;
    if (wb_lane_values_uniform(copy->to)) {
      wb_lane_values_set(values, copy->to, active, sources[2 * lane]);
      return;
    }
    wb_lane_values_set(values, copy->to, UINT32_C(1) << lane, sources[2 * lane]);
  }
}

/* The words that a copy stores, and those that a load has drawn. */
static bool store_words(struct wb_lane_copies *copies, const struct wb_copy *copy,
                        const uint32_t *sources, const struct wb_lane_values *values,
                        uint32_t lanes)
{
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) == 0)
      continue;
    const uint32_t number = copy->kind == WB_COPY_STORE
                                ? sources[2 * lane]
                                : wb_lane_values_get(values, copy->to, lane);
    if (!store(copies, (struct wb_local_word){lane, sources[2 * lane + 1], number}))
      return false;
  }
  return true;
}

static bool apply(struct wb_lane_copies *copies, const struct wb_copy *copy, size_t index,
                  struct wb_lane_values *values, uint32_t active, uint32_t doing)
{
  const uint32_t *sources = &copies->sources[2 * index * WB_LANE_LIMIT];
  const uint32_t missing = copies->missing[index];
  if (copy->kind == WB_COPY_STORE)
    return store_words(copies, copy, sources, values, doing);
  set_register(copy, sources, values, active, doing & ~missing);
  if (copy->clears)
    wb_lane_values_set(values, copy->from, doing, 0);
  return store_words(copies, copy, sources, values, missing);
}

bool wb_lane_copies_write(struct wb_lane_copies *copies, struct wb_lane_values *values,
                          const struct wb_function *function, uint32_t instruction, uint32_t active,
                          uint32_t doing, uint64_t salt)
{
  size_t count;
  const size_t at = wb_function_copies(function, instruction, &count);
  const struct wb_copy *first = count > 0 ? &function->copies[at] : NULL;
  if (count > 0 && !read_sources(copies, first, count, values, doing))
    return false;
  wb_lane_values_write(values, function, instruction, active, doing, salt);
  bool held = true;
  for (size_t c = 0; held && c < count; c++)
    held = apply(copies, &first[c], c, values, active, doing);
  return held;
}

void wb_lane_copies_free(struct wb_lane_copies *copies)
{
  free(copies->words);
  free(copies->sources);
  free(copies->missing);
  wb_hash_table_free(&copies->table);
  *copies = (struct wb_lane_copies){0};
}
