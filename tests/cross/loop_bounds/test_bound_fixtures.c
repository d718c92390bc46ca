/* Bounds that the code of the SASS fixtures shows, and code that no thread comes to: against single
 * threads with the real meaning of integer instructions; bounds against the trip counts of the
 * sources too.
 *   WARPBOUND_CROSS_SEEDS launches of each kernel (2 without it), WARPBOUND_SEED
 *   WARPBOUND_CROSS_EVERY one of so many listings (1 without it) */
#include "base/memory.h"
#include "base/text.h"
#include "bound_watch.h"
#include "fixtures.h"
#include "flow/paths/dead_instructions.h"
#include "flow/retries/retry_loops.h"
#include "isa/opcode.h"
#include "rows.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_LAUNCHES 2
#define THREADS 3
#define MOST_EDGES 1500
#define PATH_SIZE 1024

static void find_listings(const char *const *folders, const char *form, glob_t *found)
{
  for (size_t f = 0; folders[f] != NULL; f++)
    fixtures_find(found, "sass/%s/*/*%s.sass", folders[f], form);
}

/* ---- threads ---- */

struct totals {
  size_t bounded;
  size_t reached; /* by some thread */
  size_t dead;    /* instructions that no thread is said to come to */
  size_t idle;    /* others that none is said to do */
};

/* Finds what no thread of the launch comes to, or does; to be freed with the caller's `launch`. */
static void find_dead(const struct bounded_function *bounded, const struct wb_launch *known,
                      struct thread_launch *launch, struct totals *totals)
{
  const size_t count = bounded->function->instruction_count;
  bool *dead = wb_allocate(count, sizeof *dead);
  bool *idle = wb_allocate(count, sizeof *idle);
  warpbound_error error = {.message = ""};
  assert_true(dead != NULL && idle != NULL);
  assert_ok(wb_dead_instructions_find(bounded->graph, &bounded->forest, known, dead, idle, &error));
  for (size_t i = 0; i < count; i++) {
    totals->dead += dead[i];
    totals->idle += idle[i] && !dead[i];
  }
  launch->dead = dead;
  launch->idle = idle;
}

static void try_function(const char *path, const struct wb_code *code,
                         const struct wb_function *function, struct wb_random *random,
                         struct totals *totals)
{
  struct wb_parameter_value words[THREAD_PARAMETERS];
  struct thread_launch launch = random_launch(random);
  const struct wb_launch known = known_launch(random, &launch, words);
  struct bounded_function bounded;
  struct bound_watch watch;
  if (!bounded_make(code, function, &known, &bounded))
    return;
  find_dead(&bounded, &known, &launch, totals);
  bound_watch_start(&watch, &bounded);
  for (int t = 0; t < THREADS; t++) {
    random_thread(random, &launch);
    bound_watch_run(&watch, &launch, wb_random_next(random), MOST_EDGES, path);
  }
  for (size_t l = 0; l < bounded.forest.loop_count; l++) {
    totals->bounded += bounded.found[l].found;
    totals->reached += bounded.found[l].found && bounded.found[l].bound == watch.greatest[l];
  }
  free((bool *)launch.dead);
  free((bool *)launch.idle);
  bound_watch_free(&watch);
  bounded_free(&bounded);
}

static void try_listings(const glob_t *found, size_t least_percent)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_LAUNCHES);
  const uint64_t every = number_from_environment("WARPBOUND_CROSS_EVERY", 1);
  struct wb_random random = {seed};
  struct totals totals = {0};
  printf("# WARPBOUND_SEED=%llu\n", (unsigned long long)seed);
  for (size_t i = 0; i < found->gl_pathc; i += every) {
    FREED_BY(wb_code_free) struct wb_code code;
    listing_read(found->gl_pathv[i], &code);
    for (size_t f = 0; f < code.function_count; f++) {
      for (uint64_t n = 0; n < launches; n++)
        try_function(found->gl_pathv[i], &code, &code.functions[f], &random, &totals);
    }
  }
  printf(
      "# 1 in %llu of %zu listings, %zu bounds, %zu of them reached by a thread; %zu instructions "
      "that none comes to, %zu others that none does\n",
      (unsigned long long)every, found->gl_pathc, totals.bounded, totals.reached, totals.dead,
      totals.idle);
  assert_true(totals.reached * 100 > totals.bounded * least_percent);
}

TEST(no_thread_exceeds)
{
  static const char *const folders[] = {"sm_52/O3", "sm_52/O0", "sm_61/O3", "sm_61/O0", NULL};
  glob_t found = {0};
  find_listings(folders, ".nvdisasm", &found);
  try_listings(&found, 50);
  globfree(&found);
}

TEST(no_thread_exceeds_from_volta_on)
{
  static const char *const folders[] = {"sm_70/*",  "sm_75/*",  "sm_87/*", "sm_90/*",
                                        "sm_100/*", "sm_120/*", NULL};
  glob_t found = {0};
  find_listings(folders, "", &found);
  try_listings(&found, 50);
  globfree(&found);
}

/* ---- sources ---- */

#define LINE_LIMIT 512
#define NOT_CONSTANT UINT64_MAX
#define BY_LAUNCH (UINT64_MAX - 1)

/* By line of a source, the number of its comment "// loopbound N", or that there is an expression
 * ("// loopbound = n"). */
static void read_comments(const char *listing, uint64_t comments[LINE_LIMIT])
{
  char path[PATH_SIZE];
  char line[PATH_SIZE];
  const char *name = strrchr(listing, '/') - 1; /* with its group: GROUP/NAME */
  while (name[-1] != '/')
    name--;
  snprintf(path, sizeof path, "%s/sass/sources/%.*s.cu", getenv("WARPBOUND_FIXTURES"),
           (int)strcspn(name, "."), name);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    fail_msg("cannot read %s", path);
  for (size_t i = 0; i < LINE_LIMIT; i++)
    comments[i] = NOT_CONSTANT;
  for (size_t i = 1; i < LINE_LIMIT && fgets(line, sizeof line, file) != NULL; i++) {
    const char *comment = strstr(line, "// loopbound ");
    if (comment != NULL && strncmp(comment, "// loopbound =", strlen("// loopbound =")) == 0)
      comments[i] = BY_LAUNCH;
    else if (comment != NULL)
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
  size_t by_launch;    /* of them, by expressions */
  size_t constant, constant_found, exact;
};

/* Whether the compiler gave two loops one line, that of the other one: it has that count. */
static bool has_line_of_another(const struct bounded_function *bounded, size_t loop,
                                uint64_t comment)
{
  for (size_t l = 0; l < bounded->forest.loop_count; l++) {
    if (l != loop && bounded->found[l].found && bounded->found[l].bound + 1 == comment)
      return true;
  }
  return false;
}

static void check_loop(const char *path, const struct bounded_function *bounded, size_t loop,
                       uint64_t comment, struct table *table)
{
  const struct wb_found_bound *found = &bounded->found[loop];
  table->loops++;
  table->found += found->found && !found->by_width;
  table->by_launch += comment == BY_LAUNCH && !(found->found && !found->by_width);
  if (comment == NOT_CONSTANT || comment == BY_LAUNCH)
    return;
  table->constant++;
  table->constant_found += found->found;
  if (!found->found)
    return;
  /* Tested at its end, a loop goes back once less than its body runs. */
  if (found->bound + 1 < comment && !has_line_of_another(bounded, loop, comment))
    fail_msg("%s: %s at 0x%04" PRIx32 ": loopbound %" PRIu64 "; found: %s", path,
             bounded->function->name, bounded_header(bounded, loop)->address, comment,
             found->reason);
  table->exact += found->bound <= comment;
}

static void check_sources(const char *const *folders)
{
  struct table table = {0};
  glob_t found = {0};
  find_listings(folders, ".nvdisasm", &found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    uint64_t comments[LINE_LIMIT];
    struct wb_code code;
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
    wb_code_free(&code);
  }
  globfree(&found);
  printf(
      "# %zu of %zu loops are bounded without help, %zu of the others by the launch; of %zu with a "
      "constant count in the source %zu, %zu of them exactly\n",
      table.found, table.loops, table.by_launch, table.constant, table.constant_found, table.exact);
  assert_true(table.found * 5 >= (table.loops - table.by_launch) * 3);
  assert_true(table.constant_found * 5 >= table.constant * 4);
  assert_true(table.exact * 10 >= table.constant_found * 9);
}

TEST(sources_agree)
{
  static const char *const folders[] = {"sm_52/O3", "sm_61/O0", NULL};
  check_sources(folders);
}

TEST(sources_agree_from_volta_on)
{
  static const char *const folders[] = {"sm_87/O3", "sm_120/O3", NULL};
  check_sources(folders);
}

/* ---- launches ---- */

/* A kernel, its parameters by their offsets, and how often the source goes back for each entry of
 * its loops, outer ones first (0: there is no second loop). Block 64 x 4, grid 2 x 2. Compiled, a
 * loop goes back once less. */
static const struct expected {
  const char *source;
  const char *kernel;
  struct wb_parameter_value words[2];
  uint64_t counts[2];
} launches_expected[] = {
    {"loop_launch", "by_parameter", {{NULL, 16, 100}}, {100, 0}},
    {"loop_launch", "by_two_parameters", {{NULL, 16, 10}, {NULL, 20, 100}}, {45, 0}},
    {"loop_launch", "by_block_size", {{NULL, 16, 0}}, {64, 0}},
    {"loop_launch", "by_grid_size", {{NULL, 16, 0}}, {2, 0}},
    {"loop_launch", "grid_stride", {{NULL, 20, 1000}}, {8, 0}},
    {"loop_division", "by_sixteenth", {{NULL, 16, 1000}}, {62, 0}},
    {"loop_division", "from_sixteenth", {{NULL, 16, 1000}}, {62, 0}},
    {"loop_division", "by_tiles", {{NULL, 16, 1000}}, {32, 0}},
    {"loop_division", "by_remainder", {{NULL, 16, 1005}}, {5, 0}},
    {"loop_division", "by_unsigned_quarter", {{NULL, 16, 1000}}, {250, 0}},
    {"loop_division", "by_wide_sixteenth", {{NULL, 16, 1000}, {NULL, 20, 0}}, {62, 0}},
    {"loop_division", "by_wide_tiles", {{NULL, 16, 1000}, {NULL, 20, 0}}, {32, 0}},
    {"loop_wide", "wide_up", {{NULL, 16, 1000}, {NULL, 20, 0}}, {1000, 0}},
    {"loop_wide", "wide_step_two", {{NULL, 16, 1001}, {NULL, 20, 0}}, {501, 0}},
    {"loop_wide", "wide_limit_of_int", {{NULL, 16, 1000}, {NULL, 20, 0}}, {1000, 0}},
    {"loop_wide", "wide_down", {{NULL, 16, 1000}, {NULL, 20, 0}}, {334, 0}},
    {"loop_wide", "wide_to_zero", {{NULL, 16, 1000}, {NULL, 20, 0}}, {1000, 0}},
    {"loop_wide", "stride_unsigned", {{NULL, 20, 1000}}, {8, 0}},
    {"loop_wide", "stride_size", {{NULL, 24, 1000}, {NULL, 28, 0}}, {8, 0}},
    {"loop_wide", "stride_long", {{NULL, 24, 1000}, {NULL, 28, 0}}, {8, 0}},
    {"loop_wide", "stride_rows", {{NULL, 8, 1000}, {NULL, 12, 50}}, {7, 8}},
    {"loop_remainder", "pairs", {{NULL, 16, 50}}, {50, 49}},
    {"loop_long", "stride_to_long", {{NULL, 16, 100000}, {NULL, 20, 0}}, {391, 0}},
    {"loop_long", "stride_to_constant", {{NULL, 16, 0}}, {16, 0}},
    {"loop_long", "grid_stride_long", {{NULL, 16, 1000000}, {NULL, 20, 0}}, {7813, 0}},
    {"loop_long", "below_zero", {{NULL, 16, 7}, {NULL, 20, 0}}, {3, 0}},
    {"loop_long", "down_to_zero", {{NULL, 16, 1000}, {NULL, 20, 0}}, {1000, 0}},
    {"loop_narrow", "short_up", {{NULL, 16, 0}}, {16, 0}},
    {"loop_narrow", "char_down", {{NULL, 16, 0}}, {34, 0}},
    {"loop_narrow", "unsigned_char_up", {{NULL, 16, 200}}, {200, 0}},
    {"loop_narrow", "unsigned_short_parameter", {{NULL, 16, 1000}}, {63, 0}},
    {"loop_halving", "halve_signed", {{NULL, 16, 1000}}, {8, 0}},
    {"loop_halving", "halve_unsigned", {{NULL, 16, 1000}}, {10, 0}},
    {"loop_halving", "halve_up", {{NULL, 16, 1000}}, {10, 0}},
    {"loop_halving", "divide_by_three", {{NULL, 16, 1000}}, {7, 0}},
    {"loop_halving", "strides_of_block", {{NULL, 16, 0}}, {6, 0}},
    {"loop_halving", "doubled", {{NULL, 16, 1000}}, {10, 0}},
    {"loop_bits", "lowest_bits", {{NULL, 16, 0xf0f}}, {8, 0}},
    {"loop_bits", "cleared_bits", {{NULL, 16, 0xf0f}}, {8, 0}},
    {"loop_bits", "count_of_bits", {{NULL, 16, 0xf0f}}, {8, 0}},
    {"loop_stack", "counter_on_stack", {{NULL, 16, 100}}, {100, 0}},
    {"loop_stack", "long_on_stack", {{NULL, 16, 1000}, {NULL, 20, 0}}, {1000, 0}},
    {"loop_stack", "beside_array", {{NULL, 16, 100}}, {34, 0}},
    {"loop_stack", "limit_on_stack", {{NULL, 16, 100}}, {34, 0}},
};

/* The same of architectures from Volta on. */
static const struct expected volta_expected[] = {
    {"loop_quotient", "by_parameter_unsigned", {{NULL, 16, 1000}, {NULL, 20, 7}}, {142, 0}},
    {"loop_quotient", "by_parameter_signed", {{NULL, 16, 1000}, {NULL, 20, 7}}, {142, 0}},
    {"loop_quotient", "to_remainder", {{NULL, 16, 1000}, {NULL, 20, 7}}, {6, 0}},
    {"loop_quotient", "to_signed_remainder", {{NULL, 16, 1000}, {NULL, 20, 7}}, {6, 0}},
    {"loop_quotient", "tiles", {{NULL, 16, 1000}, {NULL, 20, 7}}, {143, 0}},
};

static void check_launch(const char *folder, const struct expected *expected)
{
  char path[PATH_SIZE];
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  const struct wb_launch launch = {{64, 4, 1}, {2, 2, 1}, expected->words, 2, NULL, 0};
  size_t f = 0;
  snprintf(path, sizeof path, "%s/sass/%s/loops/%s.nvdisasm.sass", getenv("WARPBOUND_FIXTURES"),
           folder, expected->source);
  listing_read(path, &code);
  while (f < code.function_count && strcmp(code.functions[f].name, expected->kernel) != 0)
    f++;
  assert_true(f < code.function_count);
  assert_true(bounded_make(&code, &code.functions[f], &launch, &bounded));
  assert_int_equal(bounded.forest.loop_count, expected->counts[1] > 0 ? 2 : 1);
  for (size_t l = 0; l < bounded.forest.loop_count; l++) {
    const struct wb_found_bound *found = &bounded.found[l];
    if (!found->found || found->by_width || found->bound + 1 != expected->counts[l])
      fail_msg("%s: %s: loop %zu: %" PRIu64 " in the source; found: %s", path, expected->kernel, l,
               expected->counts[l], found->found ? found->reason : found->hint);
  }
}

TEST(launches_agree)
{
  for (size_t i = 0; i < COUNT_OF(launches_expected); i++) {
    check_launch("sm_52/O3", &launches_expected[i]);
    check_launch("sm_61/O3", &launches_expected[i]);
    check_launch("sm_87/O3", &launches_expected[i]);
    check_launch("sm_120/O3", &launches_expected[i]);
  }
  for (size_t i = 0; i < COUNT_OF(volta_expected); i++) {
    check_launch("sm_70/O3", &volta_expected[i]);
    check_launch("sm_87/O3", &volta_expected[i]);
    check_launch("sm_120/O3", &volta_expected[i]);
  }
}

/* ---- shapes ---- */

#define SHAPE_ARCHITECTURES 4
#define MOST_LOADS 32
#define MOST_SHAPE_LOOPS 32

/* A source for the four architectures that its rows speak of. */
struct shape_source {
  char name[64];
  struct wb_code code[SHAPE_ARCHITECTURES];
};

static const char *const shape_architectures[SHAPE_ARCHITECTURES] = {"sm_61", "sm_75", "sm_87",
                                                                     "sm_120"};

static void read_shape_source(const char *name, struct shape_source *source)
{
  char pattern[PATH_SIZE];
  if (strcmp(source->name, name) == 0)
    return;
  snprintf(source->name, sizeof source->name, "%s", name);
  for (size_t a = 0; a < SHAPE_ARCHITECTURES; a++) {
    glob_t found = {0};
    wb_code_free(&source->code[a]);
    snprintf(pattern, sizeof pattern, "sass/%s/O3/*/%s.*.sass", shape_architectures[a], name);
    fixtures_find(&found, "%s", pattern);
    assert_true(found.gl_pathc > 0);
    listing_read(found.gl_pathv[0], &source->code[a]);
    globfree(&found);
  }
}

/* Each load of the function gives 0 to `most`. */
static size_t assume_loads(const struct wb_function *function, int64_t most,
                           struct wb_load_range loads[MOST_LOADS])
{
  size_t count = 0;
  for (uint32_t i = 0; i < function->instruction_count && count < MOST_LOADS; i++) {
    const struct wb_instruction *it = &function->instructions[i];
    if (wb_instruction_loads(it))
      loads[count++] = (struct wb_load_range){.instruction = i,
                                              .number = function->spans[it->first_write].first,
                                              .bytes = wb_access_bytes(it),
                                              .least = 0,
                                              .most = most};
  }
  return count;
}

/* By loop: what the code shows, of loops that try a swap again what the launch writes. */
static void find_bounds(const struct bounded_function *bounded, const struct wb_launch *launch,
                        uint64_t bounds[MOST_SHAPE_LOOPS])
{
  struct wb_retry_bound retries[MOST_SHAPE_LOOPS];
  struct wb_retry_sum sum;
  const size_t count = bounded->forest.loop_count;
  assert_true(count <= MOST_SHAPE_LOOPS);
  for (size_t l = 0; l < count; l++) {
    const struct wb_found_bound *found = &bounded->found[l];
    bounds[l] = found->found && !found->by_width ? found->bound : UINT64_MAX;
  }
  assert_int_equal(
      wb_retry_bounds_find(bounded->graph, &bounded->forest, launch, bounds, retries, &sum, NULL),
      WARPBOUND_OK);
  for (size_t l = 0; l < count; l++) {
    if (retries[l].found && retries[l].bound < bounds[l])
      bounds[l] = retries[l].bound;
  }
}

/* The bounds of the kernel's loops, "99 99/4950 ?", with what the words of a row give. */
static void write_bounds(const struct wb_code *code, char *const *words, size_t count,
                         struct wb_text *text)
{
  FREED_BY(bounded_free) struct bounded_function bounded;
  struct wb_parameter_value values[8];
  struct wb_load_range loads[MOST_LOADS];
  struct wb_launch launch = {.parameters = values, .loads = loads};
  size_t f = 0;
  while (f < code->function_count && strcmp(code->functions[f].name, words[2]) != 0)
    f++;
  assert_true(f < code->function_count);
  for (size_t w = 3; w < count; w++) {
    uint32_t offset, value;
    int64_t most;
    if (strcmp(words[w], "launch") == 0) {
      launch.block[0] = 256;
      launch.grid[0] = 64;
      for (unsigned axis = 1; axis < 3; axis++)
        launch.block[axis] = launch.grid[axis] = 1;
    } else if (sscanf(words[w], "loads=%" SCNd64, &most) == 1) {
      launch.load_count = assume_loads(&code->functions[f], most, loads);
    } else {
      assert_int_equal(sscanf(words[w], "%" SCNu32 "=%" SCNu32, &offset, &value), 2);
      assert_true(launch.parameter_count < COUNT_OF(values));
      values[launch.parameter_count++] = (struct wb_parameter_value){NULL, offset, value};
    }
  }
  assert_true(bounded_make(code, &code->functions[f], &launch, &bounded));
  uint64_t bounds[MOST_SHAPE_LOOPS];
  find_bounds(&bounded, &launch, bounds);
  for (size_t l = 0; l < bounded.forest.loop_count; l++) {
    const struct wb_found_bound *found = &bounded.found[l];
    if (bounds[l] == UINT64_MAX)
      wb_text_format(text, " ?");
    else
      wb_text_format(text, " %" PRIu64, bounds[l]);
    if (found->summed)
      wb_text_format(text, "/%" PRIu64, found->sum);
  }
}

static struct shape_source shape_source;

/* A row of shape_bounds.txt, which says how it is read. */
static bool has_shape(char *const *words, size_t count, char *text)
{
  struct wb_text all = {0};
  bool same = true;
  read_shape_source(words[1], &shape_source);
  for (size_t a = 0; a < SHAPE_ARCHITECTURES; a++) {
    struct wb_text one = {0};
    char *end = strstr(text, " |");
    const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
    write_bounds(&shape_source.code[a], words, count, &one);
    char *bounds = wb_text_take(&one);
    same = same && strlen(bounds + 1) == length && memcmp(bounds + 1, text, length) == 0;
    wb_text_format(&all, "%s%s", a > 0 ? " |" : "", bounds);
    free(bounds);
    text += end != NULL ? length + strlen(" | ") : 0;
  }
  char *found = wb_text_take(&all);
  if (!same)
    print_message("# %s %s:%s\n", words[1], words[2], found);
  free(found);
  return same;
}

TEST(shapes)
{
  rows_check("cross/loop_bounds/shape_bounds.txt", 60, has_shape);
  for (size_t a = 0; a < SHAPE_ARCHITECTURES; a++)
    wb_code_free(&shape_source.code[a]);
}
