/* The abstract interpretation of convergence barriers against the oracle, on the SASS fixtures from
 * Volta on, and on a corpus of listings where there is one.
 *   WARPBOUND_CROSS_SEEDS runs of each kernel by each rule (7 without it)
 *   WARPBOUND_CROSS_EVERY one of so many fixtures (1 without it)
 *   WARPBOUND_CORPUS      a folder of listings, searched two levels deep */
#include "base/file.h"
#include "frontend/sass/sass_front_end.h"
#include "group_trial.h"
#include "unit.h"

#include <glob.h>
#include <inttypes.h>

#define DEFAULT_SEEDS 7
#define STEP_LIMIT 2000
#define PATH_SIZE 1024
#define FIRST_SM 70

struct tally {
  size_t functions;
  size_t refused;
  size_t failures;
  struct group_trial trial;
};

static const struct wb_simt_options rules[] = {
    {.waiting = WB_WAITING_UNLESS_YIELD},
    {.waiting = WB_WAITING_NEVER},
    {.waiting = WB_WAITING_ALWAYS, .masks_together = true},
};

/* What a listing alone does not tell: where calls and branches through registers go. */
static bool is_refusal(const char *reason)
{
  return strstr(reason, "--targets") != NULL || strstr(reason, "return address") != NULL ||
         strstr(reason, "not supported") != NULL;
}

static void try_listing(const char *path, struct tally *tally)
{
  FREED_BY(wb_code_free) struct wb_code code;
  struct wb_input source;
  warpbound_error error = {.message = ""};
  code = (struct wb_code){0};
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  const bool read =
      wb_sass_detect(source.bytes, source.length) &&
      wb_sass_parse(path, source.bytes, source.length, NULL, &code, &error) == WARPBOUND_OK;
  wb_input_free(&source);

  for (size_t f = 0; read && f < code.function_count; f++) {
    const struct wb_function *function = &code.functions[f];
    if (function->sm < FIRST_SM || function->instruction_count == 0)
      continue;
    tally->functions++;
    for (size_t r = 0; r < COUNT_OF(rules); r++) {
      tally->trial.options = rules[r];
      const enum simt_outcome outcome = group_try(&code, function, &tally->trial);
      if (outcome == SIMT_FAILS || (outcome == SIMT_REFUSED && !is_refusal(tally->trial.reason)))
        print_message("# %s: %s, rule %zu: %s\n", path, function->name, r, tally->trial.reason);
      tally->failures +=
          outcome == SIMT_FAILS || (outcome == SIMT_REFUSED && !is_refusal(tally->trial.reason));
      tally->refused += outcome == SIMT_REFUSED && r == 0;
    }
  }
}

static void try_all(const char *pattern, uint64_t every, struct tally *tally)
{
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0)
    return;
  for (size_t p = 0; p < found.gl_pathc; p += every)
    try_listing(found.gl_pathv[p], tally);
  globfree(&found);
}

static void show(const struct tally *tally)
{
  const struct group_trial *trial = &tally->trial;
  print_message("# %zu functions, %zu refused; %" PRIu64 " runs (%" PRIu64 " deadlocks, %" PRIu64
                " outside of assumptions), %" PRIu64 " steps, %" PRIu64 " splits, %" PRIu64
                " releases of scopes, %" PRIu64 " of the warp; %" PRIu64 " of %" PRIu64
                " loops balanced, %" PRIu64 " iterations of them; %" PRIu64
                " steps of the whole warp\n",
                tally->functions, tally->refused, trial->runs, trial->deadlocks, trial->assumed,
                trial->steps, trial->splits, trial->releases, trial->warp_releases,
                trial->balanced_loops, trial->loops, trial->back_edges, trial->whole_steps);
}

static struct tally start(void)
{
  return (struct tally){
      .trial = {.first_seed = 1,
                .seeds = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_SEEDS),
                .step_limit = STEP_LIMIT}};
}

TEST(fixtures_stay_within)
{
  static const char *const patterns[] = {"sass/sm_[789]*/*/*/*.nvdisasm.sass",
                                         "sass/sm_1[0-9][0-9]*/*/*/*.nvdisasm.sass"};
  char pattern[PATH_SIZE];
  struct tally tally = start();
  for (size_t p = 0; p < COUNT_OF(patterns); p++) {
    snprintf(pattern, sizeof pattern, "%s/%s", getenv("WARPBOUND_FIXTURES"), patterns[p]);
    try_all(pattern, number_from_environment("WARPBOUND_CROSS_EVERY", 1), &tally);
  }
  show(&tally);
  assert_int_equal(tally.failures, 0);
  assert_true(tally.functions > 20);
  assert_true(tally.refused * 4 < tally.functions);
  assert_true(tally.trial.splits > tally.functions);
  assert_true(tally.trial.releases > tally.functions);
  assert_true(tally.trial.whole_steps > tally.trial.steps / 100);
}

TEST(corpus_stays_within)
{
  const char *corpus = getenv("WARPBOUND_CORPUS");
  static const char *const patterns[] = {"*.sass", "*/*.sass", "*/*/*.sass"};
  char pattern[PATH_SIZE];
  struct tally tally = start();
  for (size_t p = 0; corpus != NULL && p < COUNT_OF(patterns); p++) {
    snprintf(pattern, sizeof pattern, "%s/%s", corpus, patterns[p]);
    try_all(pattern, 1, &tally);
  }
  show(&tally);
  assert_int_equal(tally.failures, 0);
}
