/* Bounds that the code of the SASS fixtures shows: against single threads with the real meaning
 * of integer instructions, and against the trip counts of the sources.
 *   WARPBOUND_CROSS_SEEDS launches of each kernel (2 without it), WARPBOUND_SEED */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bound_watch.h"
#include "environment.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LAUNCHES 2
#define THREADS 3
#define MOST_EDGES 1500
#define PATH_SIZE 1024

static void find_listings(const char *const *folders, glob_t *found)
{
  char pattern[PATH_SIZE];
  for (size_t f = 0; folders[f] != NULL; f++) {
    snprintf(pattern, sizeof pattern, "%s/sass/%s/*.nvdisasm.sass", getenv("WARPBOUND_FIXTURES"),
             folders[f]);
    if (glob(pattern, f > 0 ? GLOB_APPEND : 0, NULL, found) != 0)
      fail_msg("no listing is %s", pattern);
  }
}

/* ---- threads ---- */

struct totals {
  size_t bounded;
  size_t reached; /* by some thread */
};

static void try_function(const char *path, const struct wb_machine_code *code,
                         const struct wb_machine_function *function, struct wb_random *random,
                         struct totals *totals)
{
  struct wb_parameter_value words[THREAD_PARAMETERS];
  struct thread_launch launch = random_launch(random);
  const struct wb_launch known = known_launch(random, &launch, words);
  struct bounded_function bounded;
  struct bound_watch watch;
  if (!bounded_make(code, function, &known, &bounded))
    return;
  bound_watch_start(&watch, &bounded);
  for (int t = 0; t < THREADS; t++) {
    random_thread(random, &launch);
    bound_watch_run(&watch, &launch, wb_random_next(random), MOST_EDGES, path);
  }
  for (size_t l = 0; l < bounded.forest.loop_count; l++) {
    totals->bounded += bounded.found[l].found;
    totals->reached += bounded.found[l].found && bounded.found[l].bound == watch.greatest[l];
  }
  bound_watch_free(&watch);
  bounded_free(&bounded);
}

static void no_thread_exceeds(void **state)
{
  (void)state;
  static const char *const folders[] = {"sm_52/O3", "sm_52/O0", "sm_61/O3", "sm_61/O0", NULL};
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_LAUNCHES);
  struct wb_random random = {seed};
  struct totals totals = {0, 0};
  glob_t found = {0};
  printf("# WARPBOUND_SEED=%llu\n", (unsigned long long)seed);
  find_listings(folders, &found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct wb_machine_code code;
    listing_read(found.gl_pathv[i], &code);
    for (size_t f = 0; f < code.function_count; f++) {
      for (uint64_t n = 0; n < launches; n++)
        try_function(found.gl_pathv[i], &code, &code.functions[f], &random, &totals);
    }
    wb_machine_code_free(&code);
  }
  globfree(&found);
  printf("# %zu bounds, %zu of them reached by a thread\n", totals.bounded, totals.reached);
  assert_true(totals.reached * 2 > totals.bounded);
}

/* ---- sources ---- */

#define LINE_LIMIT 512
#define NOT_CONSTANT UINT64_MAX

/* By line of a source, the number of its comment "// loopbound N". */
static void read_comments(const char *listing, uint64_t comments[LINE_LIMIT])
{
  char path[PATH_SIZE];
  char line[PATH_SIZE];
  const char *name = strrchr(listing, '/') + 1;
  snprintf(path, sizeof path, "%s/sass/sources/%.*s.cu", getenv("WARPBOUND_FIXTURES"),
           (int)strcspn(name, "."), name);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    fail_msg("cannot read %s", path);
  for (size_t i = 0; i < LINE_LIMIT; i++)
    comments[i] = NOT_CONSTANT;
  for (size_t i = 1; i < LINE_LIMIT && fgets(line, sizeof line, file) != NULL; i++) {
    const char *comment = strstr(line, "// loopbound ");
    if (comment != NULL)
      sscanf(comment, "// loopbound %" SCNu64, &comments[i]);
  }
  fclose(file);
}

/* What the comment at one of the loop's back edges says. */
static uint64_t comment_of(const struct bounded_function *bounded, size_t loop,
                           const uint64_t comments[LINE_LIMIT])
{
  const struct wb_loop *of = &bounded->forest.loops[loop];
  for (size_t i = 0; i < of->back_edge_count; i++) {
    const struct wb_warp_edge *edge =
        &bounded->graph->edges[bounded->forest.back_edges[of->first_back_edge + i]];
    const uint32_t line =
        bounded->function->instructions[bounded->graph->blocks[edge->from].last].source_line;
    if (line > 0 && line < LINE_LIMIT && comments[line] != NOT_CONSTANT)
      return comments[line];
  }
  return NOT_CONSTANT;
}

struct table {
  size_t loops, found; /* of all kinds */
  size_t constant, constant_found, exact;
};

static void check_loop(const char *path, const struct bounded_function *bounded, size_t loop,
                       uint64_t comment, struct table *table)
{
  const struct wb_found_bound *found = &bounded->found[loop];
  table->loops++;
  table->found += found->found && !found->by_width;
  if (comment == NOT_CONSTANT)
    return;
  table->constant++;
  table->constant_found += found->found;
  if (!found->found)
    return;
  /* Tested at its end, a loop goes back once less than its body runs. */
  if (found->bound + 1 < comment)
    fail_msg("%s: %s at 0x%04" PRIx32 ": loopbound %" PRIu64 "; found: %s", path,
             bounded->function->name, bounded_header(bounded, loop)->address, comment,
             found->reason);
  table->exact += found->bound <= comment;
}

static void sources_agree(void **state)
{
  (void)state;
  static const char *const folders[] = {"sm_52/O3", "sm_61/O0", NULL};
  struct table table = {0};
  glob_t found = {0};
  find_listings(folders, &found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    uint64_t comments[LINE_LIMIT];
    struct wb_machine_code code;
    read_comments(found.gl_pathv[i], comments);
    listing_read(found.gl_pathv[i], &code);
    for (size_t f = 0; f < code.function_count; f++) {
      struct bounded_function bounded;
      if (!bounded_make(&code, &code.functions[f], NULL, &bounded))
        continue;
      for (size_t l = 0; l < bounded.forest.loop_count; l++)
        check_loop(found.gl_pathv[i], &bounded, l, comment_of(&bounded, l, comments), &table);
      bounded_free(&bounded);
    }
    wb_machine_code_free(&code);
  }
  globfree(&found);
  printf("# %zu of %zu loops are bounded without help; of %zu with a constant count in the source "
         "%zu, %zu of them exactly\n",
         table.found, table.loops, table.constant, table.constant_found, table.exact);
  assert_true(table.found * 5 >= table.loops * 3);
  assert_true(table.constant_found * 5 >= table.constant * 4);
  assert_true(table.exact * 10 >= table.constant_found * 9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_thread_exceeds),
      cmocka_unit_test(sources_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
