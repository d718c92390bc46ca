#include "machine_sums.h"

#include <stdio.h>
#include <string.h>

/* The row of an architecture; a new one where there is none, NULL where there is no room. */
static struct machine_sum *row_of(struct machine_sums *sums, unsigned sm)
{
  size_t at = 0;
  while (at < sums->count && sums->rows[at].sm < sm)
    at++;
  if (at < sums->count && sums->rows[at].sm == sm)
    return &sums->rows[at];
  if (sums->count == MACHINE_SUMS_MOST)
    return NULL;
  memmove(&sums->rows[at + 1], &sums->rows[at], (sums->count - at) * sizeof *sums->rows);
  sums->rows[at] = (struct machine_sum){.sm = sm};
  sums->count++;
  return &sums->rows[at];
}

void machine_sums_add(struct machine_sums *sums, const struct wb_function *function, double seconds)
{
  struct machine_sum *row = row_of(sums, function->sm);
  if (row == NULL)
    return;
  if (seconds < 0) {
    row->refused++;
    return;
  }
  row->functions++;
  row->instructions += function->instruction_count;
  row->seconds += seconds;
  if (seconds > row->worst) {
    row->worst = seconds;
    snprintf(row->worst_name, sizeof row->worst_name, "%s (%zu instructions)", function->name,
             function->instruction_count);
  }
}

static double microseconds_each(const struct machine_sum *row)
{
  return row->instructions > 0 ? row->seconds * 1e6 / (double)row->instructions : 0;
}

void machine_sums_print(const struct machine_sums *sums)
{
  const double first = sums->count > 0 ? microseconds_each(&sums->rows[0]) : 0;
  printf("\nfunctions of listings; us: of an instruction, ratio: beside the first row's\n"
         "         functions instructions refused         ms       us  ratio  slowest ms\n");
  for (size_t r = 0; r < sums->count; r++) {
    const struct machine_sum *row = &sums->rows[r];
    const double each = microseconds_each(row);
    printf("sm_%-5u %10zu %12zu %7zu %10.1f %8.2f %6.2f %11.2f  %s\n", row->sm, row->functions,
           row->instructions, row->refused, row->seconds * 1e3, each, first > 0 ? each / first : 0,
           row->worst * 1e3, row->worst_name);
  }
}
