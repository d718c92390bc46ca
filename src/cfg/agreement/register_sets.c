#include "cfg/agreement/register_sets.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOT_COUNT ((size_t)256)

static size_t hash_of(const struct wb_register_set *set)
{
  uint64_t hash = 0;
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++) {
    hash = (hash ^ set->words[w]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return (size_t)hash;
}

/* Where the set is, or where it belongs. */
static size_t slot_of(const struct wb_register_sets *sets, const struct wb_register_set *set)
{
  const size_t mask = sets->slot_count - 1;
  size_t slot = hash_of(set) & mask;
  while (sets->slots[slot] != 0 &&
         memcmp(&sets->sets[sets->slots[slot] - 1], set, sizeof *set) != 0)
    slot = (slot + 1) & mask;
  return slot;
}

static bool make_slots(struct wb_register_sets *sets)
{
  if (sets->count * 2 < sets->slot_count)
    return true;
  uint32_t *old = sets->slots;
  const size_t wanted = sets->slot_count == 0 ? FIRST_SLOT_COUNT : sets->slot_count * 2;
  uint32_t *slots = wb_allocate(wanted, sizeof *slots);
  if (slots == NULL)
    return false;
  sets->slots = slots;
  sets->slot_count = wanted;
  for (size_t i = 0; i < sets->count; i++)
    slots[slot_of(sets, &sets->sets[i])] = (uint32_t)i + 1;
  free(old);
  return true;
}

uint32_t wb_register_sets_number(struct wb_register_sets *sets, const struct wb_register_set *set)
{
  size_t slot = slot_of(sets, set);
  if (sets->slots[slot] != 0)
    return sets->slots[slot] - 1;
  if (sets->count >= UINT32_MAX - 1 || !make_slots(sets) ||
      !wb_grow((void **)&sets->sets, &sets->capacity, sets->count + 1, sizeof *sets->sets)) {
    sets->failed = true;
    return WB_REGISTERS_NONE;
  }
  slot = slot_of(sets, set);
  sets->sets[sets->count] = *set;
  sets->slots[slot] = (uint32_t)++sets->count;
  return (uint32_t)sets->count - 1;
}

bool wb_register_sets_start(struct wb_register_sets *sets)
{
  *sets = (struct wb_register_sets){0};
  if (!make_slots(sets))
    return false;
  struct wb_register_set set = {{0}};
  wb_register_sets_number(sets, &set);
  wb_register_set_add(&set, (struct wb_register_span){0, WB_REGISTER_COUNT});
  wb_register_sets_number(sets, &set);
  return !sets->failed;
}

void wb_register_sets_free(struct wb_register_sets *sets)
{
  free(sets->sets);
  free(sets->slots);
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
  wb_register_set_add(&all, (struct wb_register_span){0, WB_REGISTER_COUNT});
  if (sets->failed)
    return "some number of a set is wrong";
  if ((sets->slot_count & (sets->slot_count - 1)) != 0 || sets->count * 2 > sets->slot_count)
    return "the hash table's size is wrong";
  if (sets->count < 2 || memcmp(&sets->sets[WB_REGISTERS_NONE], &none, sizeof none) != 0 ||
      memcmp(&sets->sets[WB_REGISTERS_ALL], &all, sizeof all) != 0)
    return "the first two sets are not the empty one and all registers";
  for (size_t s = 0; s < sets->count; s++) {
    if (sets->slots[slot_of(sets, &sets->sets[s])] != s + 1)
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
