/* The abstract interpretation on the SASS fixtures: against the oracle, against the targets that
 * nvdisasm annotates, and on both text forms of the same code.
 *   WARPBOUND_CROSS_SEEDS runs of each kernel (4 without it) */
#include "base/memory.h"
#include "base/work_control.h"
#include "fixtures.h"
#include "frontend/sass/sass_front_end.h"
#include "simt_trial.h"
#include "unit.h"

#include <unistd.h>

#define DEFAULT_SEEDS 4
#define STEP_LIMIT 3000
#define PATH_SIZE 1024

/* The listings of nvdisasm for the architectures that have an activation stack. */
static void find_listings(glob_t *found)
{
  static const char *const folders[] = {"sm_52/O3", "sm_52/O0", "sm_61/O3", "sm_61/O0"};
  for (size_t f = 0; f < COUNT_OF(folders); f++)
    fixtures_find(found, "sass/%s/*/*.nvdisasm.sass", folders[f]);
}

/* Calls through a register, of printf, malloc and by function pointer: no listing says where
 * they go. */
static bool needs_targets(const char *reason)
{
  return strstr(reason, "give --targets") != NULL;
}

/* NULL where the function is refused for want of targets. */
static struct wb_simt_analysis *analyse(const char *path, const struct wb_code *code,
                                        const struct wb_function *function)
{
  warpbound_error error = {.message = ""};
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  struct wb_simt_analysis *analysis = NULL;
  const warpbound_status status =
      wb_simt_analyse(code, function, &options, &control, &analysis, &error);
  if (status != WARPBOUND_OK && !needs_targets(error.message))
    fail_msg("%s: %s", path, error.message);
  return status == WARPBOUND_OK ? analysis : NULL;
}

TEST(runs_stay_within)
{
  glob_t found = {0};
  struct simt_trial trial = {.seeds =
                                 number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_SEEDS),
                             .step_limit = STEP_LIMIT};
  size_t functions = 0;
  size_t refused = 0;
  find_listings(&found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    FREED_BY(wb_code_free) struct wb_code code;
    listing_read(found.gl_pathv[i], &code);
    for (size_t f = 0; f < code.function_count; f++) {
      const enum simt_outcome outcome = simt_try(&code, &code.functions[f], &trial);
      ++functions;
      if (outcome == SIMT_FAILS)
        fail_msg("%s: %s: %s", found.gl_pathv[i], code.functions[f].name, trial.reason);
      if (outcome == SIMT_REFUSED && !needs_targets(trial.reason))
        fail_msg("%s: %s", found.gl_pathv[i], trial.reason);
      refused += outcome == SIMT_REFUSED;
    }
  }
  printf("# %zu functions, %zu refused; %llu runs, %llu steps, %llu splits, %llu reactivations; "
         "%llu balanced loops, %llu iterations of them\n",
         functions, refused, (unsigned long long)trial.runs, (unsigned long long)trial.steps,
         (unsigned long long)trial.splits, (unsigned long long)trial.reactivations,
         (unsigned long long)trial.balanced_loops, (unsigned long long)trial.back_edges);
  assert_true(functions > 60);
  assert_true(refused < functions / 10);
  assert_true(trial.splits > functions);
  globfree(&found);
}

/* The matching token of every pop, taken without a look at the annotations, is what they say;
 * of a BRX, whose targets they give, nothing is asked. */
TEST(annotations_agree)
{
  glob_t found = {0};
  size_t annotated = 0;
  find_listings(&found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct wb_code code;
    listing_read(found.gl_pathv[i], &code);
    for (size_t f = 0; f < code.function_count; f++) {
      const struct wb_function *function = &code.functions[f];
      struct wb_simt_analysis *analysis = analyse(found.gl_pathv[i], &code, function);
      if (analysis == NULL)
        continue;
      const struct wb_list *disagreements = &wb_simt_analysis_graph(analysis)->disagreements;
      if (disagreements->count > 0)
        fail_msg("%s: %s", found.gl_pathv[i], disagreements->items[0]);
      for (size_t a = 0; a < function->annotation_count; a++) {
        const uint32_t index = function->annotations[a].instruction;
        annotated += function->instructions[index].transfer == WB_TRANSFER_POP;
      }
      wb_simt_analysis_free(analysis);
    }
    wb_code_free(&code);
  }
  printf("# %zu annotated pops\n", annotated);
  assert_true(annotated > 400);
  globfree(&found);
}

/* What a user would say of the indexed branches of the other listing. The caller frees rows and
 * *addresses. */
static struct wb_sass_targets *targets_of(const struct wb_code *code, size_t *count,
                                          uint64_t **addresses)
{
  size_t branches = 0;
  size_t targets = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    branches += code->functions[f].instruction_count;
    targets += code->functions[f].target_count;
  }
  struct wb_sass_targets *rows = wb_allocate(branches, sizeof *rows);
  uint64_t *next = *addresses = wb_allocate(targets, sizeof *next);
  assert_true(rows != NULL && next != NULL);
  *count = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    for (size_t i = 0; i < function->instruction_count; i++) {
      const struct wb_instruction *what = &function->instructions[i];
      if (what->transfer != WB_TRANSFER_INDEXED_BRANCH)
        continue;
      rows[(*count)++] =
          (struct wb_sass_targets){function->name, what->address, next, what->target_count};
      for (uint32_t t = 0; t < what->target_count; t++)
        *next++ = function->instructions[function->targets[what->first_target + t]].address;
    }
  }
  return rows;
}

/* The same blocks, edges and entries. */
static void assert_same_graph(const char *path, const struct wb_warp_graph *a,
                              const struct wb_warp_graph *b)
{
  const char *name = a->function->name;
  if (a->block_count != b->block_count || a->edge_count != b->edge_count ||
      a->entry_count != b->entry_count || a->push_count != b->push_count ||
      a->pop_count != b->pop_count || a->divergence_point_count != b->divergence_point_count)
    fail_msg("%s: %s: %zu and %zu blocks, %zu and %zu edges", path, name, a->block_count,
             b->block_count, a->edge_count, b->edge_count);
  for (size_t i = 0; i < a->block_count; i++) {
    if (a->blocks[i].first != b->blocks[i].first || a->blocks[i].last != b->blocks[i].last ||
        a->blocks[i].context != b->blocks[i].context || a->ends[i] != b->ends[i])
      fail_msg("%s: %s: block %zu differs", path, name, i);
  }
  for (size_t i = 0; i < a->edge_count; i++) {
    if (a->edges[i].from != b->edges[i].from || a->edges[i].to != b->edges[i].to ||
        a->edges[i].kind != b->edges[i].kind)
      fail_msg("%s: %s: edge %zu differs", path, name, i);
  }
  for (size_t i = 0; i < a->divergence_point_count; i++)
    assert_int_equal(a->divergence_points[i], b->divergence_points[i]);
}

static const struct wb_function *function_of(const struct wb_code *code, const char *name)
{
  for (size_t f = 0; f < code->function_count; f++) {
    if (strcmp(code->functions[f].name, name) == 0)
      return &code->functions[f];
  }
  return NULL;
}

TEST(both_forms_agree)
{
  glob_t found = {0};
  size_t compared = 0;
  find_listings(&found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char path[PATH_SIZE];
    struct wb_input source;
    struct wb_code annotated;
    struct wb_code plain;
    struct wb_sass_options options = {0};
    uint64_t *addresses;
    snprintf(path, sizeof path, "%s", found.gl_pathv[i]);
    snprintf(strstr(path, ".nvdisasm.sass"), 20, ".cuobjdump.sass");
    if (access(path, R_OK) != 0) /* some have the form of nvdisasm alone */
      continue;
    compared++;
    listing_read(found.gl_pathv[i], &annotated);
    struct wb_sass_targets *rows = targets_of(&annotated, &options.target_count, &addresses);
    options.targets = rows;
    assert_ok(wb_input_read(path, &source, NULL));
    warpbound_error error = {0};
    if (wb_sass_parse(path, source.bytes, source.length, &options, &plain, &error) != WARPBOUND_OK)
      fail_msg("%s: %s", path, error.message);
    wb_input_free(&source);
    for (size_t f = 0; f < plain.function_count; f++) {
      const struct wb_function *function = function_of(&annotated, plain.functions[f].name);
      if (function == NULL)
        fail_msg("%s: nvdisasm has no %s", path, plain.functions[f].name);
      struct wb_simt_analysis *left = analyse(path, &annotated, function);
      struct wb_simt_analysis *right = analyse(path, &plain, &plain.functions[f]);
      assert_true((left == NULL) == (right == NULL));
      if (left != NULL)
        assert_same_graph(path, wb_simt_analysis_graph(left), wb_simt_analysis_graph(right));
      wb_simt_analysis_free(left);
      wb_simt_analysis_free(right);
    }
    wb_code_free(&annotated);
    wb_code_free(&plain);
    free(rows);
    free(addresses);
  }
  globfree(&found);
  assert_true(compared > 100);
}
