#include "sm/machine/sm_words.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/hash_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* An end of some string; equal ones are one. next: without its first letter. End 0 is empty. */
struct ending {
  uint32_t next;
  uint32_t length;
  uint8_t type;
};

/* endings: all ends, of_string: of each string as a whole. members[set[c] .. set[c + 1] - 1]:
 * the ends of class c, in ascending order. gathered: room for a set under construction.
 * A class that is not one string's stands for a beginning of strings, so that there is at most one
 * for each letter, as many members and, with the ends, twice as many children. */
struct making {
  struct wb_sm_words *words;
  struct ending *endings;
  size_t ending_count;
  struct wb_hash_table ending_table;
  uint32_t *of_string;
  uint32_t *members;
  size_t *set;
  struct wb_hash_table class_table;
  uint32_t *gathered;
  size_t child_count;
  size_t start_count;
  struct wb_arena arena; /* of the arrays */
};

size_t wb_sm_words_letters(const struct wb_sm_problem *problem)
{
  size_t letters = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    letters += problem->strings[s].length;
  return letters;
}

static bool same_ending(const void *endings, uint32_t index, const void *key)
{
  const struct ending *found = &((const struct ending *)endings)[index];
  const struct ending *sought = key;
  return found->type == sought->type && found->next == sought->next;
}

/* The end that begins with a letter and goes on with another end. */
static uint32_t find_ending(struct making *making, uint8_t type, uint32_t next)
{
  const struct ending sought = {next, making->endings[next].length + 1, type};
  uint32_t *slot = wb_hash_table_slot(&making->ending_table, wb_hash_word(type, next), same_ending,
                                      making->endings, &sought);
  if (*slot == 0) {
    making->endings[making->ending_count] = sought;
    *slot = (uint32_t)++making->ending_count;
  }
  return *slot - 1;
}

struct ends {
  const uint32_t *ends;
  size_t count;
};

static bool same_class(const void *items, uint32_t index, const void *key)
{
  const struct making *making = items;
  const struct ends *sought = key;
  return making->set[index + 1] - making->set[index] == sought->count &&
         memcmp(making->members + making->set[index], sought->ends,
                sought->count * sizeof *sought->ends) == 0;
}

/* The class of `count` ends, in ascending order. */
static uint32_t find_class(struct making *making, const uint32_t *ends, size_t count)
{
  struct wb_sm_words *words = making->words;
  uint64_t hash = count;
  uint32_t height = 0;
  for (size_t i = 0; i < count; i++) {
    hash = wb_hash_word(hash, ends[i]);
    height = making->endings[ends[i]].length > height ? making->endings[ends[i]].length : height;
  }
  const struct ends sought = {ends, count};
  uint32_t *slot = wb_hash_table_slot(&making->class_table, hash, same_class, making, &sought);
  if (*slot != 0)
    return *slot - 1;
  memcpy(making->members + making->set[words->count], ends, count * sizeof *ends);
  making->set[words->count + 1] = making->set[words->count] + count;
  words->type[words->count] = making->endings[ends[0]].type;
  words->height[words->count] = height;
  *slot = (uint32_t)++words->count;
  return *slot - 1;
}

static int ascending(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a;
  const uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Divides `count` ends in making->gathered by their first letters; returns how many classes that
 * are, and writes them to the list. */
static size_t write_classes(struct making *making, size_t count, uint32_t *list)
{
  qsort(making->gathered, count, sizeof *making->gathered, ascending);
  size_t distinct = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || making->gathered[i] != making->gathered[i - 1])
      making->gathered[distinct++] = making->gathered[i];
  }
  uint32_t *part = making->gathered + count; /* as much room again after it */
  size_t written = 0;
  for (unsigned type = 0; type <= WB_UNIT_COUNT; type++) {
    size_t size = 0;
    for (size_t i = 0; i < distinct; i++) {
      if (making->endings[making->gathered[i]].type == type)
        part[size++] = making->gathered[i];
    }
    if (size > 0)
      list[written++] = find_class(making, part, size);
  }
  return written;
}

static bool make(struct making *making, const struct wb_sm_problem *problem, bool any)
{
  struct wb_sm_words *words = making->words;
  const size_t letters = wb_sm_words_letters(problem), strings = problem->string_count;
  words->type = wb_arena_array(&words->arena, uint8_t, letters + 1);
  words->height = wb_arena_array(&words->arena, uint32_t, letters + 1);
  words->first = wb_arena_array(&words->arena, uint32_t, letters + 2);
  words->children = wb_arena_array(&words->arena, uint32_t, 2 * letters + 1);
  words->starts = wb_arena_array(&words->arena, uint32_t, strings);
  words->from = wb_arena_array(&words->arena, size_t, strings + 1);
  making->endings = wb_arena_array(&making->arena, struct ending, letters + 1);
  making->of_string = wb_arena_array(&making->arena, uint32_t, strings);
  making->members = wb_arena_array(&making->arena, uint32_t, letters + 1);
  making->set = wb_arena_array(&making->arena, size_t, letters + 2);
  making->gathered = wb_arena_array(&making->arena, uint32_t, 2 * strings);
  if (words->arena.failed || making->arena.failed ||
      !wb_hash_table_reserve(&making->ending_table, letters + 1) ||
      !wb_hash_table_reserve(&making->class_table, letters + 1))
    return false;
  making->endings[0] = (struct ending){0, 0, WB_UNIT_COUNT};
  making->ending_count = 1;
  for (size_t s = 0; s < problem->string_count; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    uint32_t ending = 0;
    for (size_t r = string->run_count; r-- > 0;) {
      for (size_t k = 0; k < string->runs[r].length; k++)
        ending = find_ending(making, (uint8_t)string->runs[r].unit, ending);
    }
    making->of_string[s] = ending;
  }
  const uint32_t nothing = 0;
  find_class(making, &nothing, 1);
  for (size_t s = 0; s < (any ? 1 : strings); s++) {
    const size_t count = any ? strings : 1;
    memcpy(making->gathered, making->of_string + s, count * sizeof *making->gathered);
    making->start_count += write_classes(making, count, words->starts + making->start_count);
    words->from[s + 1] = making->start_count;
  }
  /* Each class in turn: the classes after its letter. */
  for (size_t c = 1; c < words->count; c++) {
    const size_t count = making->set[c + 1] - making->set[c];
    for (size_t i = 0; i < count; i++)
      making->gathered[i] = making->endings[making->members[making->set[c] + i]].next;
    making->child_count += write_classes(making, count, words->children + making->child_count);
    words->first[c + 1] = (uint32_t)making->child_count;
  }
  /* The barriers of the first end of each class: all have as many. */
  words->barriers = wb_arena_array(&words->arena, uint32_t, words->count);
  uint32_t *of_ending = wb_arena_array(&making->arena, uint32_t, making->ending_count);
  if (words->barriers == NULL || of_ending == NULL)
    return false;
  for (size_t e = 1; e < making->ending_count; e++) /* an end's next was found before it */
    of_ending[e] =
        of_ending[making->endings[e].next] + (making->endings[e].type == WB_UNIT_BARRIER);
  for (size_t c = 0; c < words->count; c++)
    words->barriers[c] = of_ending[making->members[making->set[c]]];
  return true;
}

warpbound_status wb_sm_words_start(struct wb_sm_words *words, const struct wb_sm_problem *problem,
                                   bool any, warpbound_error *error)
{
  assert(wb_sm_words_letters(problem) <= WB_SM_LETTER_LIMIT);
  *words = (struct wb_sm_words){0};
  struct making making = {.words = words};
  const bool made = make(&making, problem, any);
  wb_arena_free(&making.arena);
  wb_hash_table_free(&making.ending_table);
  wb_hash_table_free(&making.class_table);
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_sm_words_free(struct wb_sm_words *words)
{
  wb_arena_free(&words->arena);
  *words = (struct wb_sm_words){0};
}
