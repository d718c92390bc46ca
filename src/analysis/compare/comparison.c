#include "analysis/compare/comparison.h"

#include "analysis/launch/value_assumptions.h"
#include "base/checked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool wb_grew_by_more(uint64_t before, uint64_t after, uint64_t percent)
{
  /* before * percent / unit, rounded down: after - before is whole. */
  const uint64_t unit = 100 * WB_PERCENT;
  uint64_t whole;
  uint64_t part;
  if (after <= before)
    return false;
  if (!wb_multiply(before / unit, percent, &whole) || !wb_multiply(before % unit, percent, &part) ||
      !wb_add(whole, part / unit, &whole))
    return false; /* more than any growth of 64 bits */
  return after - before > whole;
}

/* ---- launches that belong together ---- */

/* A launch of one of the results, to be sorted by name. */
struct named {
  const struct wb_launch_result *launch;
  size_t index; /* in its results */
};

static int compare_names(const void *left, const void *right)
{
  const struct named *a = left;
  const struct named *b = right;
  const int names = strcmp(a->launch->name, b->launch->name);
  return names != 0 ? names : (a->index > b->index) - (a->index < b->index);
}

/* The launches of the results by name, then by their order. */
static struct named *sort_names(const struct wb_launch_results *results, struct wb_arena *arena)
{
  struct named *rows = wb_arena_array(arena, struct named, results->count);
  for (size_t l = 0; rows != NULL && l < results->count; l++)
    rows[l] = (struct named){&results->launches[l], l};
  if (rows != NULL && results->count > 0)
    qsort(rows, results->count, sizeof *rows, compare_names);
  return rows;
}

/* The first launch of the name that is not taken, by index in its results; NULL: there is none.
 * Those of one name are taken in their order. */
static const struct named *find(const struct named *rows, size_t count, const bool *taken,
                                const char *name)
{
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(rows[middle].launch->name, name);
    if (order < 0 || (order == 0 && taken[rows[middle].index]))
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && strcmp(rows[low].launch->name, name) == 0 ? &rows[low] : NULL;
}

/* ---- one launch ---- */

static int compare_changes(const void *left, const void *right)
{
  const struct wb_number_change *a = left;
  const struct wb_number_change *b = right;
  const double by = fabs(a->after - a->before);
  const double other = fabs(b->after - b->before);
  if (a->group != b->group)
    return (int)a->group - (int)b->group;
  return by != other ? (by > other ? -1 : 1) : strcmp(a->key, b->key);
}

static int compare_keys(const struct wb_result_number *a, const struct wb_result_number *b)
{
  return a->group != b->group ? (int)a->group - (int)b->group : strcmp(a->key, b->key);
}

/* The numbers of both results, by key. */
static void compare_numbers(struct wb_launch_change *change, struct wb_arena *arena)
{
  const struct wb_launch_result *before = change->before;
  const struct wb_launch_result *after = change->after;
  size_t b = 0;
  size_t a = 0;
  change->numbers =
      wb_arena_array(arena, struct wb_number_change, before->number_count + after->number_count);
  while (change->numbers != NULL && (b < before->number_count || a < after->number_count)) {
    const int order = b == before->number_count ? 1
                      : a == after->number_count
                          ? -1
                          : compare_keys(&before->numbers[b], &after->numbers[a]);
    struct wb_number_change row = {.had = order <= 0, .has = order >= 0};
    const struct wb_result_number *found = row.had ? &before->numbers[b] : &after->numbers[a];
    row.group = found->group;
    row.key = found->key;
    row.before = row.had ? before->numbers[b++].number : 0;
    row.after = row.has ? after->numbers[a++].number : 0;
    if (row.had != row.has || row.before != row.after)
      change->numbers[change->number_count++] = row;
  }
  if (change->number_count > 0)
    qsort(change->numbers, change->number_count, sizeof *change->numbers, compare_changes);
}

static int compare_texts(const void *left, const void *right)
{
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Whether an assumption is a list of the device's values, of which those that differ are compared
 * one by one. What the user declares stays. */
static bool is_of_values(const char *assumption)
{
  static const char *const lists[] = {WB_VALUES_MEASURED, WB_VALUES_ASSUMED, WB_VALUES_LEFT_OUT};
  bool found = false;
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
    found |= strncmp(assumption, lists[l], strlen(lists[l])) == 0;
  return found;
}

/* The assumptions of the first result that the second one has not, in their order, but for values
 * of the device. */
static const char **missing_in(const struct wb_launch_result *first,
                               const struct wb_launch_result *second, size_t *count,
                               struct wb_arena *arena)
{
  const char **sorted = wb_arena_array(arena, const char *, second->assumption_count);
  const char **missing = wb_arena_array(arena, const char *, first->assumption_count);
  *count = 0;
  if (sorted == NULL || missing == NULL)
    return NULL;
  for (size_t a = 0; a < second->assumption_count; a++)
    sorted[a] = second->assumptions[a];
  if (second->assumption_count > 0)
    qsort(sorted, second->assumption_count, sizeof *sorted, compare_texts);
  for (size_t a = 0; a < first->assumption_count; a++) {
    if (is_of_values(first->assumptions[a]))
      continue;
    if (second->assumption_count == 0 ||
        bsearch(&first->assumptions[a], sorted, second->assumption_count, sizeof *sorted,
                compare_texts) == NULL)
      missing[(*count)++] = first->assumptions[a];
  }
  return missing;
}

static bool is_proven(const struct wb_result_end *end)
{
  return end->kind == WARPBOUND_EXACT || end->kind == WARPBOUND_UPPER;
}

/* Whether the time of the upper end grew by more, where that is not what the cycles say: by the
 * clocks of both, where they are known and differ. */
static bool is_slower(const struct wb_launch_result *before, const struct wb_launch_result *after,
                      uint64_t percent)
{
  uint64_t was;
  uint64_t is;
  if (before->clock == 0 || after->clock == 0 || before->clock == after->clock)
    return false;
  if (wb_multiply(before->upper.cycles, after->clock, &was) &&
      wb_multiply(after->upper.cycles, before->clock, &is))
    return wb_grew_by_more(was, is, percent);
  /* Near the limit it counts as slower. */
  const double growth = ((double)after->upper.cycles / (double)after->clock) /
                        ((double)before->upper.cycles / (double)before->clock);
  return !(growth <= (1 + (double)percent / (100 * WB_PERCENT)) * (1 - 1e-12));
}

static enum wb_compare_failure judge(const struct wb_launch_change *change, uint64_t limit)
{
  if (limit == WB_ANY_GROWTH || change->before == NULL)
    return WB_COMPARE_PASSED;
  if (change->after == NULL)
    return WB_COMPARE_MISSING;
  if (is_proven(&change->before->upper) && !is_proven(&change->after->upper))
    return WB_COMPARE_UNPROVEN;
  if (wb_grew_by_more(change->before->upper.cycles, change->after->upper.cycles, limit))
    return WB_COMPARE_GREW;
  return is_slower(change->before, change->after, limit) ? WB_COMPARE_SLOWER : WB_COMPARE_PASSED;
}

static void add_launch(struct wb_result_comparison *comparison,
                       const struct wb_launch_result *before, const struct wb_launch_result *after,
                       uint64_t limit)
{
  if (before == NULL && after == NULL)
    return;
  struct wb_launch_change *change = &comparison->launches[comparison->count++];
  *change = (struct wb_launch_change){
      .name = before != NULL ? before->name : after->name, .before = before, .after = after};
  change->failure = judge(change, limit);
  comparison->failures += change->failure != WB_COMPARE_PASSED;
  if (before == NULL || after == NULL)
    return;
  compare_numbers(change, &comparison->arena);
  change->gone = missing_in(before, after, &change->gone_count, &comparison->arena);
  change->new = missing_in(after, before, &change->new_count, &comparison->arena);
}

warpbound_status wb_compare_results(const struct wb_launch_results *before,
                                    const struct wb_launch_results *after, uint64_t limit,
                                    struct wb_result_comparison *comparison, warpbound_error *error)
{
  *comparison = (struct wb_result_comparison){0};
  struct wb_arena *arena = &comparison->arena;
  struct named *names = sort_names(after, arena);
  bool *taken = wb_arena_array(arena, bool, after->count);
  comparison->launches =
      wb_arena_array(arena, struct wb_launch_change, before->count + after->count);
  const bool only = before->count == 1 && after->count == 1 && !(before->listed && after->listed);
  for (size_t l = 0; !arena->failed && l < before->count; l++) {
    const struct named *found =
        only ? names : find(names, after->count, taken, before->launches[l].name);
    if (found != NULL)
      taken[found->index] = true;
    add_launch(comparison, &before->launches[l], found != NULL ? found->launch : NULL, limit);
  }
  for (size_t l = 0; !arena->failed && l < after->count; l++) {
    if (!taken[l])
      add_launch(comparison, NULL, &after->launches[l], limit);
  }
  if (!arena->failed)
    return WARPBOUND_OK;
  wb_comparison_free(comparison);
  return wb_out_of_memory(error);
}

void wb_comparison_free(struct wb_result_comparison *comparison)
{
  wb_arena_free(&comparison->arena);
  *comparison = (struct wb_result_comparison){0};
}
