#include "base/text/nearest.h"

#include "base/text/ascii.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longer words are not compared. */
#define LONGEST 255
/* A beginning has to have so many letters to stand for a word. */
#define SHORTEST_BEGINNING 3
#define MOST_CHANGES 3

static size_t smallest(size_t a, size_t b)
{
  return a < b ? a : b;
}

static bool same(char a, char b)
{
  return wb_small_letter(a) == wb_small_letter(b);
}

/* Optimal string alignment: Levenshtein's distance with swaps of neighbours. rows: the last three
 * rows of the table, by letters of b. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
  size_t rows[3][LONGEST + 1];
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i + 2) % 3];
    const size_t *before = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      size_t changed = above[j - 1] + !same(a[i - 1], b[j - 1]);
      row[j] = smallest(changed, smallest(above[j], row[j - 1]) + 1);
      bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (swapped)
        row[j] = smallest(row[j], before[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

struct wb_nearest wb_nearest_start(const char *word)
{
  return (struct wb_nearest){.word = word, .best = NULL, .distance = MOST_CHANGES + 1};
}

void wb_nearest_offer(struct wb_nearest *nearest, const char *candidate)
{
  size_t length = strlen(nearest->word);
  size_t other = strlen(candidate);
  size_t allowed = length < 3 ? 1 : smallest((length + 1) / 3, MOST_CHANGES);
  size_t found = MOST_CHANGES + 1;
  size_t difference = length > other ? length - other : other - length;
  if (length == 0 || length > LONGEST || other == 0 || other > LONGEST)
    return;
  if (difference <= allowed)
    found = distance(nearest->word, length, candidate, other);
  size_t shared = 0; /* letters that both begin with */
  while (shared < length && same(nearest->word[shared], candidate[shared]))
    shared++;
  if (found > allowed && shared == length && length >= SHORTEST_BEGINNING)
    found = allowed;
  /* Of words of one or two letters something has to be left. */
  if (found > allowed || found >= length || found >= nearest->distance)
    return;
  nearest->best = candidate;
  nearest->distance = found;
}

const char *wb_nearest_hint(const struct wb_nearest *nearest, const char *before,
                            char buffer[WB_HINT_SIZE])
{
  buffer[0] = '\0';
  if (nearest->best != NULL)
    snprintf(buffer, WB_HINT_SIZE, " (did you mean '%s%.120s'?)", before, nearest->best);
  return buffer;
}

const struct wb_choice *wb_choice_find(const struct wb_choice *choices, const char *name)
{
  for (; choices->name != NULL; choices++) {
    if (strcmp(choices->name, name) == 0)
      return choices;
  }
  return NULL;
}

const char *wb_choice_name(const struct wb_choice *choices, int value)
{
  while (choices->name != NULL && choices->value != value)
    choices++;
  return choices->name;
}

void wb_choice_list(struct wb_text *text, const struct wb_choice *choices, const char *quote)
{
  for (const struct wb_choice *choice = choices; choice->name != NULL; choice++) {
    const char *before = choice == choices ? "" : choice[1].name != NULL ? ", " : " or ";
    wb_text_format(text, "%s%s%s%s", before, quote, choice->name, quote);
  }
}

warpbound_status wb_choice_read(const struct wb_choice *choices, const char *prefix,
                                const char *name, int *value, warpbound_error *error)
{
  const struct wb_choice *choice = wb_choice_find(choices, name);
  if (choice == NULL) {
    struct wb_text list = {0};
    struct wb_nearest nearest = wb_nearest_start(name);
    char hint[WB_HINT_SIZE];
    for (const struct wb_choice *each = choices; each->name != NULL; each++)
      wb_nearest_offer(&nearest, each->name);
    wb_choice_list(&list, choices, "");
    warpbound_status status =
        list.failed ? wb_out_of_memory(error)
                    : wb_fail(error, WARPBOUND_USAGE, "%sexpected %s, found '%.60s'%s", prefix,
                              list.data, name, wb_nearest_hint(&nearest, "", hint));
    wb_text_free(&list);
    return status;
  }
  *value = choice->value;
  return WARPBOUND_OK;
}
