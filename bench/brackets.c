/* How tight the brackets are: `makespan` on a fixed set of random strings, a time limit for
 * each, one row an instance, then the spread of the ratio upper/lower.
 * usage: brackets FILE [TIME_LIMIT [EVERY]]
 *   FILE        bench/random_200.txt; its header says what the columns are
 *   TIME_LIMIT  seconds for each instance (10)
 *   EVERY       take the first instance of every EVERY (1) */
#include "warpbound.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_QUESTIONS 1000
#define LINE_LENGTH 1024

struct question {
  uint32_t index;
  uint32_t types;
  char kind[16];
  uint32_t length;
  uint32_t warps;
  char units[64];
  uint32_t issue_slots;
  char string[512];
};

struct answer {
  struct question question;
  double ratio;
};

static void fail(const char *message)
{
  fprintf(stderr, "brackets: %s\n", message);
  exit(1);
}

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- one question ---- */

static bool read_question(FILE *file, struct question *question)
{
  char line[LINE_LENGTH];
  while (fgets(line, sizeof line, file) != NULL) {
    if (line[0] == '#')
      continue;
    int fields =
        sscanf(line, "%" SCNu32 " %" SCNu32 " %15s %" SCNu32 " %" SCNu32 " %63s %" SCNu32 " %511s",
               &question->index, &question->types, question->kind, &question->length,
               &question->warps, question->units, &question->issue_slots, question->string);
    if (fields != 8)
      fail("a row is not of eight columns");
    return true;
  }
  return false;
}

static double print_row(const struct question *question, const warpbound_result *result,
                        double seconds)
{
  warpbound_bound lower = warpbound_result_lower(result);
  warpbound_bound upper = warpbound_result_upper(result);
  double ratio = (double)upper.cycles / (double)lower.cycles;
  printf("%5" PRIu32 "  %-7s %4" PRIu32 " %3" PRIu32 "  %-11s %3" PRIu32 "  %6" PRIu64
         " %-23s %6" PRIu64 " %-16s %7.4f %6.1f\n",
         question->index, question->kind, question->length, question->warps, question->units,
         question->issue_slots, lower.cycles, lower.name, upper.cycles, upper.name, ratio, seconds);
  fflush(stdout);
  return ratio;
}

static double answer(const struct question *question, double time_limit)
{
  warpbound_instance *instance = NULL;
  warpbound_result *result = NULL;
  warpbound_error error;
  warpbound_options options = {.time_limit = time_limit};
  double start = seconds_now();
  warpbound_status status =
      warpbound_instance_create(question->string, question->units, question->issue_slots, 1,
                                question->warps, &instance, &error);
  if (status == WARPBOUND_OK)
    status = warpbound_makespan(instance, &options, &result, &error);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    fail(error.message);
  double ratio = print_row(question, result, seconds_now() - start);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  return ratio;
}

/* ---- the spread over groups of them ---- */

typedef bool membership(const struct question *question);

static bool is_any(const struct question *question)
{
  return question->index > 0;
}

static bool is_two_types(const struct question *question)
{
  return question->types == 2;
}

static bool is_three_types(const struct question *question)
{
  return question->types == 3;
}

static bool is_letters(const struct question *question)
{
  return strcmp(question->kind, "letters") == 0;
}

static bool is_runs(const struct question *question)
{
  return strcmp(question->kind, "runs") == 0;
}

static bool is_uncapped(const struct question *question)
{
  return question->issue_slots == 0;
}

static bool is_capped(const struct question *question)
{
  return question->issue_slots > 0;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_spread(const char *name, membership *belongs, const struct answer *answers,
                         size_t count)
{
  double ratios[MOST_QUESTIONS];
  size_t members = 0;
  size_t exact = 0;
  for (size_t i = 0; i < count; i++) {
    if (!belongs(&answers[i].question))
      continue;
    ratios[members++] = answers[i].ratio;
    exact += answers[i].ratio <= 1;
  }
  if (members == 0)
    return;
  qsort(ratios, members, sizeof *ratios, compare);
  double median = (ratios[(members - 1) / 2] + ratios[members / 2]) / 2;
  size_t rank = (members * 95 + 99) / 100; /* the nearest rank, counted from 1 */
  printf("%-12s %5zu %6zu %8.4f %8.4f %8.4f\n", name, members, exact, median, ratios[rank - 1],
         ratios[members - 1]);
}

static void print_spreads(const struct answer *answers, size_t count)
{
  static const struct {
    const char *name;
    membership *belongs;
  } groups[] = {
      {"all", is_any},         {"two types", is_two_types}, {"three types", is_three_types},
      {"letters", is_letters}, {"runs", is_runs},           {"no cap", is_uncapped},
      {"cap", is_capped},
  };
  printf("\nratio upper/lower\n%-12s %5s %6s %8s %8s %8s\n", "group", "count", "exact", "median",
         "95th %", "max");
  for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
    print_spread(groups[g].name, groups[g].belongs, answers, count);
}

int main(int argc, char **argv)
{
  static struct answer answers[MOST_QUESTIONS];
  size_t count = 0;
  if (argc < 2 || argc > 4)
    fail("usage: brackets FILE [TIME_LIMIT [EVERY]]");
  double time_limit = argc > 2 ? strtod(argv[2], NULL) : 10;
  long every = argc > 3 ? strtol(argv[3], NULL, 10) : 1;
  if (!(time_limit > 0 && isfinite(time_limit)) || every < 1)
    fail("expected a time limit above 0 and a whole number from 1 on");
  FILE *file = fopen(argv[1], "r");
  if (file == NULL)
    fail("the file cannot be opened");
  printf("warpbound %s, %g s for each instance, every %ld of %s\n", warpbound_version(), time_limit,
         every, argv[1]);
  printf("%5s  %-7s %4s %3s  %-11s %3s  %6s %-23s %6s %-16s %7s %6s\n", "index", "kind", "I", "W",
         "units", "cap", "lower", "method", "upper", "method", "ratio", "time");
  struct question question;
  for (long row = 0; read_question(file, &question); row++) {
    if (row % every != 0)
      continue;
    if (count == MOST_QUESTIONS)
      fail("more instances than it can hold");
    answers[count++] = (struct answer){question, answer(&question, time_limit)};
  }
  fclose(file);
  print_spreads(answers, count);
  return 0;
}
