/* Writes a data set of generated times as CSV: those of tests/golden/data/evt.
 *
 * usage: write_times NAME */
#include "samples/make_times.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times of one kernel in microseconds, in nanoseconds' steps where nothing else is said: 20 and a
 * log-normal part of about 1, as of a kernel whose memory accesses meet others'. */
#define KERNEL .family = MADE_LOGNORMAL, .location = 20, .scale = 1, .shape = 0.35
#define NANOSECOND .tick = 0.001

struct data_set {
  const char *name, *head;
  const char *group; /* the first column; NULL: there is none */
  struct made_times recipe;
  size_t count;
  uint64_t seed;
};

/* Groups of one file follow each other. */
static const struct data_set data_sets[] = {
    {"good", "time_us", NULL, {KERNEL, NANOSECOND}, 3000, 3},
    {"drift", "time_us", NULL, {KERNEL, NANOSECOND, .drift = 0.4}, 3000, 2},
    {"two_modes",
     "time_us",
     NULL,
     {KERNEL, NANOSECOND, .modes = MADE_MODES_MIXED, .mode_gap = 12, .mode_share = 0.01},
     3000,
     3},
    {"ticks", "time_us", NULL, {KERNEL, .tick = 1.024}, 3000, 4},
    {"dependent", "time_us", NULL, {KERNEL, NANOSECOND, .correlation = 0.7}, 3000, 5},
    {"constant", "cycles", NULL, {MADE_UNIFORM, .location = 4096}, 1000, 6},
    {"groups", "kernel,time_us", "scale", {KERNEL, NANOSECOND}, 1500, 7},
    {"groups", "kernel,time_us", "reduce", {KERNEL, NANOSECOND, .step = 30}, 1500, 8},
    {"groups", "kernel,time_us", "reduce (again)", {KERNEL, NANOSECOND, .step = 30.3}, 1500, 9},
};

static int write_set(const struct data_set *set)
{
  double *const times = malloc(set->count * sizeof *times);
  if (times == NULL)
    return EXIT_FAILURE;
  make_times(&set->recipe, set->count, set->seed, times);
  for (size_t i = 0; i < set->count; i++)
    if (set->group != NULL)
      printf("%s,%.10g\n", set->group, times[i]);
    else
      printf("%.10g\n", times[i]);
  free(times);
  return EXIT_SUCCESS;
}

int main(int count, char **words)
{
  bool found = false;
  for (size_t k = 0; count == 2 && k < sizeof data_sets / sizeof *data_sets; k++) {
    if (strcmp(data_sets[k].name, words[1]) != 0)
      continue;
    if (!found)
      printf("%s\n", data_sets[k].head);
    found = true;
    if (write_set(&data_sets[k]) != EXIT_SUCCESS)
      return EXIT_FAILURE;
  }
  if (!found)
    fprintf(stderr, "usage: write_times NAME\n");
  return found ? EXIT_SUCCESS : EXIT_FAILURE;
}
