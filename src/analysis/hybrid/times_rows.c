#include "analysis/hybrid/times_rows.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/text/demangle.h"

#include <stdlib.h>
#include <string.h>

bool wb_times_kernel_is(const char *kernel, const struct wb_function *function)
{
  return kernel == NULL || strcmp(kernel, function->name) == 0 ||
         wb_demangled_matches(kernel, function->name);
}

/* Whether row `index` is of the function; *own is what it was of the row before. */
static bool is_of(const struct wb_times *times, size_t index, const struct wb_function *function,
                  bool own)
{
  const struct wb_times_row *row = &times->rows[index];
  const bool same = index > 0 && row->kernel != NULL && row->kernel == row[-1].kernel;
  return same ? own : wb_times_kernel_is(row->kernel, function);
}

size_t wb_times_rows_of(const struct wb_times *times, const struct wb_function *function)
{
  size_t count = 0;
  bool own = false;
  for (size_t r = 0; r < times->row_count; r++) {
    own = is_of(times, r, function, own);
    count += own;
  }
  return count;
}

static int compare_names(const char *a, const char *b)
{
  return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int by_warp(const void *a, const void *b)
{
  const struct wb_times_row *x = *(const struct wb_times_row *const *)a;
  const struct wb_times_row *y = *(const struct wb_times_row *const *)b;
  const int order = compare_names(x->run, y->run);
  return order != 0 ? order : compare_names(x->warp, y->warp);
}

/* The largest sum of counts of rows of one run and warp. Rows that say neither are one run's: that
 * is at least what each of them went. False where a sum does not fit. */
static bool largest_sum(const struct wb_times_row *const *rows, size_t row_count, int64_t *count)
{
  int64_t sum = 0;
  for (size_t r = 0; r < row_count; r++) {
    if (r > 0 && by_warp(&rows[r - 1], &rows[r]) != 0)
      sum = 0;
    if (rows[r]->count > 0 && !wb_add_signed(sum, rows[r]->count, &sum))
      return false;
    *count = sum > *count ? sum : *count;
  }
  return true;
}

warpbound_status wb_times_longest_walk(const struct wb_times *times,
                                       const struct wb_function *function, int64_t *count,
                                       warpbound_error *error)
{
  const struct wb_times_row **rows = wb_allocate(times->row_count, sizeof *rows);
  size_t own_count = 0;
  bool own = false;
  *count = 0;
  if (rows == NULL)
    return wb_out_of_memory(error);
  for (size_t r = 0; r < times->row_count; r++) {
    own = is_of(times, r, function, own);
    if (own)
      rows[own_count++] = &times->rows[r];
  }
  if (own_count > 1)
    qsort(rows, own_count, sizeof *rows, by_warp);
  const bool fits = largest_sum(rows, own_count, count);
  free(rows);
  return fits ? WARPBOUND_OK
              : wb_fail_at(error, WARPBOUND_INVALID_INPUT, times->name, 0, 0,
                           "expected counts whose sum fits into 64 bits");
}
