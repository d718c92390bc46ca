/* The makespan over all paths of random kernels against the definition: every schedule of every
 * assignment of paths to warps (brute_force.h).
 *   WARPBOUND_CROSS_RUNS  200 times the instances (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "analysis/makespan/makespan_result.h"
#include "analysis/paths/makespan/paths_makespan.h"
#include "base/checked.h"
#include "base/random.h"
#include "base/text.h"
#include "brute_force.h"
#include "certificate/flow/paths_check.h"
#include "formats/paths/paths_file.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

#include <inttypes.h>

/* Random SASS listings with few paths, and the strings of these by construction: stretches, sides
 * of a branch, and loops. For tests. */

#define PATH_STRING_LIMIT 4u
#define PATH_LENGTH_LIMIT 20u

/* strings: over "LCSDNB", different from each other, each of at most PATH_LENGTH_LIMIT letters;
 * with a barrier in a loop they differ in their number of B. loop_bound: back edges that the loops
 * may take for each entry. apart: the sides of some branch have a barrier each, so that strings
 * with as many B may pass different ones. */
struct random_paths {
  struct wb_text listing;
  char strings[PATH_STRING_LIMIT][PATH_LENGTH_LIMIT + 1];
  size_t string_count;
  bool has_loop;
  bool apart;
  uint32_t loop_bound;
};

#define LINE_LIMIT 64
#define TEXT_LIMIT 48

/* Lines of the listing under way. A branch's target is a line, set later. */
struct draft {
  struct {
    char text[TEXT_LIMIT];
    int target; /* -1: none */
  } lines[LINE_LIMIT];
  int count;
};

/* Maxwell's layout: three instructions behind each control word. */
static unsigned address_of(int line)
{
  return (unsigned)(line / 3 * 0x20 + (line % 3 + 1) * 8);
}

static void add_line(struct draft *draft, const char *text, int target)
{
  if (draft->count >= LINE_LIMIT)
    return;
  strncpy(draft->lines[draft->count].text, text, TEXT_LIMIT - 1);
  draft->lines[draft->count].text[TEXT_LIMIT - 1] = '\0';
  draft->lines[draft->count++].target = target;
}

static const char *instruction_of(char letter)
{
  switch (letter) {
  case 'L':
    return "LDG.E R3, [R4]";
  case 'S':
    return "MUFU.RCP R2, R2";
  case 'D':
    return "DADD R8, R8, R10";
  case 'N':
    return "NOP";
  case 'B':
    return "BAR.SYNC 0x0";
  default:
    return "IADD32I R2, R2, 0x1";
  }
}

/* Random letters, mostly L and C. */
static void draw_letters(struct wb_random *random, size_t most, char *letters)
{
  static const char choice[] = "LLLCCCSDN";
  const size_t count = wb_random_below(random, most + 1);
  for (size_t i = 0; i < count; i++)
    letters[i] = choice[wb_random_below(random, sizeof choice - 1)];
  letters[count] = '\0';
}

static void add_letters(struct draft *draft, const char *letters)
{
  for (; *letters != '\0'; letters++)
    add_line(draft, instruction_of(*letters), -1);
}

/* Every string with each of the ends behind it. */
static bool extend(struct random_paths *paths, const char *const *ends, size_t count)
{
  char old[PATH_STRING_LIMIT][PATH_LENGTH_LIMIT + 1];
  const size_t old_count = paths->string_count;
  memcpy(old, paths->strings, sizeof old);
  paths->string_count = 0;
  for (size_t s = 0; s < old_count; s++) {
    for (size_t e = 0; e < count; e++) {
      char whole[PATH_LENGTH_LIMIT + 1];
      if (strlen(old[s]) + strlen(ends[e]) > PATH_LENGTH_LIMIT)
        return false;
      strcpy(whole, old[s]);
      strcat(whole, ends[e]);
      bool known = false;
      for (size_t k = 0; k < paths->string_count; k++)
        known |= strcmp(paths->strings[k], whole) == 0;
      if (!known && paths->string_count == PATH_STRING_LIMIT)
        return false;
      if (!known)
        strcpy(paths->strings[paths->string_count++], whole);
    }
  }
  return true;
}

static bool add_stretch(struct wb_random *random, bool barriers, struct draft *draft,
                        struct random_paths *paths)
{
  char letters[16];
  draw_letters(random, 3, letters);
  if (barriers && wb_random_below(random, 3) == 0)
    strcat(letters, "B");
  add_letters(draft, letters);
  const char *const ends[] = {letters};
  return extend(paths, ends, 1);
}

/* Both sides, of which each may have a barrier at its end where the other has one. */
static bool add_sides(struct wb_random *random, bool barriers, struct draft *draft,
                      struct random_paths *paths)
{
  char first[16], second[16], taken[20], passed[20];
  draw_letters(random, 4, first);
  draw_letters(random, 4, second);
  if (barriers && wb_random_below(random, 3) == 0) {
    strcat(first, "B");
    strcat(second, "B");
    paths->apart = true;
  }
  const int branch = draft->count;
  add_line(draft, "@P0 BRA.U ", 0);
  add_letters(draft, first);
  const int jump = draft->count;
  add_line(draft, "BRA ", 0);
  draft->lines[branch].target = draft->count;
  add_letters(draft, second);
  draft->lines[jump].target = draft->count;
  strcat(strcat(strcpy(passed, "C"), first), "C");
  strcat(strcpy(taken, "C"), second);
  const char *const ends[] = {passed, taken};
  return extend(paths, ends, 2);
}

/* A loop may have a barrier in each turn. */
static bool add_loop(struct wb_random *random, bool barriers, struct draft *draft,
                     struct random_paths *paths)
{
  char body[16];
  char turns[3][PATH_LENGTH_LIMIT + 20];
  draw_letters(random, 3, body);
  if (barriers && wb_random_below(random, 2) == 0)
    strcat(body, "B");
  const int header = draft->count;
  add_letters(draft, body);
  add_line(draft, "@P0 BRA.U ", header);
  paths->has_loop = true;
  turns[0][0] = '\0';
  const char *ends[3];
  for (uint32_t t = 0; t <= paths->loop_bound; t++) {
    strcat(strcat(strcpy(turns[t], t > 0 ? turns[t - 1] : ""), body), "C");
    ends[t] = turns[t];
  }
  return extend(paths, ends, paths->loop_bound + 1);
}

/* False where the draw has too many strings or too long ones: draw again. Free the listing with
 * wb_text_free either way. barriers: whether there may be any. */
static bool random_paths_draw(struct wb_random *random, bool barriers, struct random_paths *paths)
{
  struct draft draft = {.count = 0};
  *paths = (struct random_paths){.string_count = 1,
                                 .loop_bound = 1 + (uint32_t)wb_random_below(random, 2)};
  bool fits = true;
  const uint64_t parts = 1 + wb_random_below(random, 4);
  for (uint64_t part = 0; part < parts && fits; part++) {
    const uint64_t kind = wb_random_below(random, 5);
    if (kind < 2)
      fits = add_stretch(random, barriers, &draft, paths);
    else if (kind < 4)
      fits = add_sides(random, barriers, &draft, paths);
    else
      fits = add_loop(random, barriers, &draft, paths);
  }
  add_line(&draft, "EXIT", -1);
  const char *const ends[] = {"C"};
  fits = fits && extend(paths, ends, 1) && draft.count < LINE_LIMIT;
  if (fits) {
    wb_text_string(&paths->listing,
                   "\tcode for sm_61\n\t\tFunction : k\n"
                   "\t.headerflags    @\"EF_CUDA_SM61 EF_CUDA_PTX_SM(EF_CUDA_SM61)\"\n");
    for (int i = 0; i < draft.count; i++) {
      wb_text_format(&paths->listing, "        /*%04x*/ %s", address_of(i), draft.lines[i].text);
      if (draft.lines[i].target >= 0)
        wb_text_format(&paths->listing, "0x%x", address_of(draft.lines[i].target));
      wb_text_string(&paths->listing, " ;\n");
    }
    wb_text_string(&paths->listing, "\t\t..........\n");
  }
  return fits && !paths->listing.failed;
}

/* States of the brute force; beyond them only what needs none is checked. */
#define STATE_LIMIT ((size_t)20000)

/* An instance, and what was found. */
struct round {
  uint64_t seed;
  struct random_paths drawn;
  struct wb_sm_configuration sm;
  uint32_t warps, blocks;
  struct wb_code code;
  struct wb_paths paths;
  struct wb_instance instance;
  struct warpbound_result result;
};

/* How often: rounds that the brute force decided, ends that meet the worst case, brackets that are
 * closed, composite paths, and lower ends as long as any in which all warps take one path. */
struct tally {
  uint64_t decided, composite, upper_met, lower_met, closed, alone_met;
};

static unsigned barriers_of(const char *string)
{
  unsigned barriers = 0;
  for (; *string != '\0'; string++)
    barriers += *string == 'B';
  return barriers;
}

/* The instance for the brute force, of the strings with so many barriers: letters repeated where
 * the capacity is a half. False: too long. */
static bool make_brute(const struct round *round, unsigned barriers, struct sm_instance *brute)
{
  *brute = (struct sm_instance){.issue_slots = round->sm.issue_slots,
                                .partitions = round->sm.partitions,
                                .blocks = round->blocks,
                                .block_warps = round->warps / round->blocks};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    brute->capacity[u] = round->sm.unit[u].numerator;
    brute->shared[u] = round->sm.unit[u].shared;
  }
  for (size_t s = 0; s < round->drawn.string_count; s++) {
    size_t length = 0;
    if (barriers_of(round->drawn.strings[s]) != barriers)
      continue;
    char *string = brute->strings[brute->string_count++];
    for (const char *at = round->drawn.strings[s]; *at != '\0'; at++) {
      const enum wb_unit unit = wb_unit_from_letter(*at);
      const unsigned times =
          (unsigned)unit < WB_REAL_UNIT_COUNT ? round->sm.unit[unit].denominator : 1;
      if (length + times > SM_LENGTH_LIMIT)
        return false;
      for (unsigned t = 0; t < times; t++)
        string[length++] = *at;
    }
    string[length] = '\0';
  }
  return true;
}

static bool has_barrier(const struct round *round)
{
  for (size_t s = 0; s < round->drawn.string_count; s++) {
    if (barriers_of(round->drawn.strings[s]) > 0)
      return true;
  }
  return false;
}

/* ---- the analysis ---- */

static void analyse(struct round *round)
{
  warpbound_error error = {0};
  /* Where the caller says that barriers are the same, paths are composed of several warps'. */
  const struct wb_wcet_options options = {
      .default_bound = round->drawn.has_loop ? round->drawn.loop_bound : UINT64_MAX,
      .barriers = round->seed % 2 == 0 ? WARPBOUND_BARRIERS_SAME : WARPBOUND_BARRIERS_SHOWN};
  const struct wb_control control = wb_control_start(NULL);
  /* Searches take long: now and then. */
  const warpbound_method method =
      round->seed % 16 == 0 ? WARPBOUND_METHOD_AUTO : WARPBOUND_METHOD_BOUNDS;
  const struct wb_analysis_options asked = {
      .limits = {.method = method, .memory_limit = 1 << 22, .threads = 1}};
  const struct wb_instance like = {.sm = round->sm, .whole = {.blocks = round->blocks}};
  const struct wb_paths_question question = {
      .like = &like, .warps = round->warps, .options = &asked};
  warpbound_status status = wb_sass_parse("drawn.sass", round->drawn.listing.data,
                                          round->drawn.listing.length, NULL, &round->code, &error);
  if (status == WARPBOUND_OK)
    status = wb_paths_make(&round->code, &round->code.functions[0], &options, &control,
                           &round->paths, &error);
  if (status == WARPBOUND_OK)
    status = wb_paths_makespan(&round->paths, &question, &round->instance, &round->result, &error);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    fail_msg("seed %" PRIu64 ": %s\n%s", round->seed, error.message, round->drawn.listing.data);
}

/* Says what the round was, and what was found. */
static void fail_round(const struct round *round, const char *condition)
{
  const struct warpbound_result *result = &round->result;
  struct wb_text text = {0};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    wb_text_format(&text, "%c=%u/%u%s ", wb_unit_letter((enum wb_unit)u),
                   round->sm.unit[u].numerator, round->sm.unit[u].denominator,
                   round->sm.unit[u].shared ? " (shared)" : "");
  for (size_t s = 0; s < round->drawn.string_count; s++)
    wb_text_format(&text, "%s ", round->drawn.strings[s]);
  fail_msg("seed %" PRIu64 ": %s\n%u warps, %u blocks, %u partitions, %u slots, %s\n[%" PRIu64
           " (%s), %" PRIu64 " (%s)]\n%s",
           round->seed, condition, round->warps, round->blocks, round->sm.partitions,
           round->sm.issue_slots, text.data, result->lower.cycles, result->lower.name,
           result->upper.cycles, result->upper.name, round->drawn.listing.data);
}

#define CHECK(round, condition)                                                                    \
  do {                                                                                             \
    if (!(condition))                                                                              \
      fail_round(round, #condition);                                                               \
  } while (0)

/* ---- what holds ---- */

/* The strings found are those that the listing was made of. */
static void check_strings(const struct round *round)
{
  const struct wb_path_strings *found = &round->paths.strings;
  CHECK(round, found->all);
  CHECK(round, found->count == round->drawn.string_count);
  for (size_t s = 0; s < found->count; s++) {
    uint8_t *letters = wb_kernel_string_expand(&found->items[s].string);
    assert_non_null(letters);
    bool known = false;
    for (size_t d = 0; d < round->drawn.string_count; d++) {
      bool same = strlen(round->drawn.strings[d]) == found->items[s].string.length;
      for (size_t i = 0; same && i < found->items[s].string.length; i++)
        same = wb_unit_letter((enum wb_unit)letters[i]) == round->drawn.strings[d][i];
      known |= same;
    }
    free(letters);
    CHECK(round, known);
  }
}

/* A file of the claim is read back and proves as much; what is spoilt proves no less than the
 * worst case, or nothing. */
static void check_certificate(struct wb_random *random, const struct round *round, uint64_t worst)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  FREED_BY(wb_paths_file_free) struct wb_paths_file file = {0};
  warpbound_error error;
  struct wb_check_paths_verdict verdict;
  wb_paths_file_write(&round->result.certificate->claim, &text);
  assert_false(text.failed);
  assert_ok(wb_json_parse_as("claim", text.data, text.length, wb_paths_file_read, &file, &error));
  assert_ok(wb_check_paths(&file.claim, &verdict, &error));
  /* A search through all paths may have found a lower upper end, which has no certificate. */
  CHECK(round, verdict.cycles == file.claim.cycles);
  CHECK(round, verdict.cycles >= round->result.upper.cycles);
  file.claim.cycles--;
  assert_int_equal(wb_check_paths(&file.claim, &verdict, &error), WARPBOUND_CHECK_FAILED);
  file.claim.cycles = UINT32_MAX;
  for (size_t m = 0; m < file.claim.maximum_count; m++) {
    struct wb_check_path_maximum *maximum = (struct wb_check_path_maximum *)&file.claim.maxima[m];
    const size_t node = wb_random_below(random, file.claim.system.node_count);
    ((int64_t *)maximum->potential)[node] -= 1 + (int64_t)wb_random_below(random, 3);
    for (size_t l = 0; l < file.claim.system.limit_count; l++)
      ((int64_t *)maximum->price)[l] += wb_random_below(random, 8) == 0;
    if (wb_random_below(random, 4) == 0)
      maximum->quantity =
          (enum wb_check_path_quantity)wb_random_below(random, WB_CHECK_PATH_QUANTITY_COUNT);
    file.claim.bound =
        (enum wb_check_paths_bound)wb_random_below(random, WB_CHECK_PATHS_BOUND_COUNT);
    if (wb_check_paths(&file.claim, &verdict, &error) == WARPBOUND_OK)
      CHECK(round, verdict.cycles >= worst);
  }
}

/* The worst case of warps on paths with so many barriers, and of warps all on one of them. False:
 * not decided. */
static bool decide(const struct round *round, unsigned barriers, uint32_t *worst, uint32_t *alone)
{
  struct sm_instance brute;
  uint32_t cycles = 0;
  if (!make_brute(round, barriers, &brute))
    return false;
  if (brute.string_count == 0)
    return true;
  struct sm_brute *search = sm_brute_start(&brute, true, STATE_LIMIT);
  assert_non_null(search);
  bool decided = sm_brute_worst(search, &cycles, NULL);
  *worst = cycles > *worst ? cycles : *worst;
  for (uint32_t s = 0; decided && s < brute.string_count; s++) {
    uint32_t string_of[SM_WARP_LIMIT];
    for (uint32_t w = 0; w < round->warps; w++)
      string_of[w] = s;
    decided = sm_brute_assignment(search, string_of, &cycles);
    *alone = cycles > *alone ? cycles : *alone;
  }
  sm_brute_free(search);
  return decided;
}

/* All warps of a block pass as many barriers. */
static void compare(struct wb_random *random, const struct round *round, struct tally *tally)
{
  uint32_t worst = 0;
  uint32_t alone = 0;
  for (unsigned barriers = 0; barriers <= PATH_LENGTH_LIMIT; barriers++) {
    if (!decide(round, barriers, &worst, &alone))
      return;
  }
  const struct warpbound_result *result = &round->result;
  tally->decided++;
  tally->composite += round->paths.system.composed != NULL;
  /* Composite paths rest on the assumption that all warps pass the same barriers: strings that only
   * have as many are then not mixed. */
  if (round->paths.system.composed != NULL && round->drawn.apart)
    worst = alone;
  CHECK(round, result->lower.cycles <= worst);
  CHECK(round, result->upper.cycles >= worst);
  tally->lower_met += result->lower.cycles == worst;
  tally->upper_met += result->upper.cycles == worst;
  tally->alone_met += result->lower.cycles >= alone;
  tally->closed += result->lower.cycles == result->upper.cycles;
  if (result->certificate != NULL)
    check_certificate(random, round, worst);
}

static void run_rounds(bool barriers, struct tally *tally)
{
  const uint64_t rounds = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 200;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  print_message("# seed %" PRIu64 ", %" PRIu64 " rounds\n", first, rounds);
  for (uint64_t r = 0; r < rounds; r++) {
    struct round round = {.seed = first + r};
    struct wb_random random = {round.seed};
    while (!random_paths_draw(&random, barriers, &round.drawn))
      wb_text_free(&round.drawn.listing);
    wb_sm_configuration_start(&round.sm, "drawn");
    round.sm.partitions = wb_random_below(&random, 3) == 0 ? 2 : 1;
    round.sm.issue_slots = (uint32_t)wb_random_below(&random, 3);
    round.blocks = wb_random_below(&random, 4) == 0 ? 2 : 1;
    round.warps = round.blocks * (1 + (uint32_t)wb_random_below(&random, 4 / round.blocks));
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      const bool half = wb_random_below(&random, 4) == 0;
      round.sm.unit[u] = (struct wb_unit_capacity){
          .numerator = half ? 1 : 1 + (uint32_t)wb_random_below(&random, 2),
          .denominator = half ? 2 : 1,
          .hold = 1,
          .shared = round.sm.partitions > 1 && wb_random_below(&random, 4) == 0};
    }
    analyse(&round);
    check_strings(&round);
    /* Kinds say what is proven. */
    const struct warpbound_result *result = &round.result;
    const bool closed = result->lower.cycles == result->upper.cycles;
    const warpbound_kind kind = round.drawn.has_loop ? WARPBOUND_ESTIMATE : WARPBOUND_EXACT;
    CHECK(&round, result->exact == (closed && !round.drawn.has_loop));
    CHECK(&round, result->upper.kind == (closed || round.drawn.has_loop ? kind : WARPBOUND_UPPER));
    CHECK(&round, result->lower.kind == (closed || round.drawn.has_loop ? kind : WARPBOUND_LOWER));
    CHECK(&round, round.warps > 1 || has_barrier(&round) || closed);
    compare(&random, &round, tally);
    wb_result_clear(&round.result);
    wb_instance_clear(&round.instance);
    wb_paths_free(&round.paths);
    wb_code_free(&round.code);
    wb_text_free(&round.drawn.listing);
  }
  print_message("# decided %" PRIu64 ": upper end met %" PRIu64 ", lower end met %" PRIu64
                ", closed %" PRIu64 ", worst of one path met %" PRIu64 "\n",
                tally->decided, tally->upper_met, tally->lower_met, tally->closed,
                tally->alone_met);
}

TEST(test_without_barriers)
{
  struct tally tally = {0};
  run_rounds(false, &tally);
  assert_true(tally.decided > 0);
  assert_true(tally.alone_met * 4 >= tally.decided * 3);
}

TEST(test_with_barriers)
{
  struct tally tally = {0};
  run_rounds(true, &tally);
  assert_true(tally.decided > 0);
  assert_true(tally.composite > 0);
}
