/* Certificates of launches, of frames and of runs are refused when one number changes for the
 * worse: every number of which it is known what is worse. Changed for the worse a claim is refused,
 * or no fewer cycles follow (what changed had slack); of each kind of number some are refused. What
 * is not changed: names of nodes, edges, resources and scoreboards, and factors of limits, by which
 * other code is meant. */
#include "certificate/frame/frame_claim.h"
#include "certificate/launch_run/launch_run_check.h"
#include "formats/frame/frame_file.h"
#include "formats/launch/launch_file.h"
#include "formats/launch_run/launch_run_file.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* Of each file this many numbers of one rule are changed at most, spread over all of them. */
#define MOST_OF_RULE 40

static json_t *read_claim(const char *name)
{
  char path[4096];
  const char *source = getenv("WARPBOUND_SOURCE");
  assert_non_null(source);
  snprintf(path, sizeof path, "%s/fuzz/seeds/%s", source, name);
  json_t *claim = json_load_file(path, 0, NULL);
  assert_non_null(claim);
  return claim;
}

/* ---- the checkers ---- */

/* Whether the claim is proven, and by how many cycles. A number that no reader takes is refused
 * too. */
typedef bool check_claim(const json_t *claim, uint64_t *cycles);

static bool check_launch(const json_t *claim, uint64_t *cycles)
{
  struct wb_launch_file file;
  struct wb_check_launch_verdict verdict = {0};
  warpbound_error error = {0};
  if (wb_launch_file_read("claim", claim, &file, &error) != WARPBOUND_OK)
    return false;
  const bool proven = wb_check_launch(&file.claim, &verdict, &error) == WARPBOUND_OK;
  *cycles = verdict.cycles;
  wb_launch_file_free(&file);
  return proven;
}

static bool check_frame(const json_t *claim, uint64_t *cycles)
{
  struct wb_frame_file file;
  struct wb_check_frame_verdict verdict = {0};
  warpbound_error error = {0};
  if (wb_frame_file_read("claim", claim, &file, &error) != WARPBOUND_OK)
    return false;
  const bool proven = wb_check_frame(&file.claim, &verdict, &error) == WARPBOUND_OK;
  *cycles = verdict.cycles;
  wb_frame_file_free(&file);
  return proven;
}

/* A run is what it is: with another time none of it may be valid. */
static bool check_run(const json_t *claim, uint64_t *cycles)
{
  struct wb_launch_run_file file;
  warpbound_error error = {0};
  if (wb_launch_run_file_read("claim", claim, &file, &error) != WARPBOUND_OK)
    return false;
  const bool valid = wb_check_launch_run(&file.run, &error) == WARPBOUND_OK;
  *cycles = 0;
  wb_launch_run_file_free(&file);
  return valid;
}

/* ---- what is worse ---- */

enum { MORE = 1, LESS = 2 };

/* The numbers at the path, in which # is any place of a list; places from `first` to `last` of the
 * last list, where the path ends with one. */
struct rule {
  const char *path;
  unsigned worse;
  size_t first, last;
  bool always; /* each change is refused */
};

static const struct rule launch_rules[] = {
    {.path = "launch/blocks", MORE},
    {.path = "launch/block_warps", MORE},
    {.path = "launch/sms", LESS},
    {.path = "launch/overhead", MORE},
    {.path = "launch/block_start", MORE},
    {.path = "launch/dispatch", MORE},
    {.path = "launch/foreign_share", MORE},
    {.path = "kept/retained", LESS},
    {.path = "kept/copies", MORE},
    {.path = "kept/buffers/#/bytes", MORE},
    {.path = "kept/buffers/#/lines", MORE},
    {.path = "fetches/#/count", MORE},
    {.path = "fetches/#/by_all_warps", LESS},
    {.path = "fetches/#/stages/#/#", MORE, 1, 3},
    {.path = "resources/#/servers", LESS},
    {.path = "instructions/#/stall", MORE},
    {.path = "instructions/#/uses/#/#", MORE, 1, 1},
    {.path = "instructions/#/stages/#/#", MORE, 1, 3},
    {.path = "instructions/#/latency", MORE},
    {.path = "instructions/#/read_latency", MORE},
    {.path = "limits/#/most", MORE},
    {.path = "pending/#/scoreboards/#/#", LESS, 1, 1},
    {.path = "pending/#/services/#/#", LESS, 1, 1},
    {.path = "pending/#/end", LESS},
    {.path = "pending/#/stay", LESS},
    {.path = "advance/#/#", MORE | LESS, 1, 1},
    {.path = "maxima/#/scale", MORE | LESS},
    {.path = "maxima/#/prices/#", MORE | LESS, 0, SIZE_MAX},
    {.path = "maxima/#/potentials/#", MORE | LESS, 0, SIZE_MAX},
};

/* Beside those of its launches. */
static const struct rule frame_rules[] = {
    {.path = "period", LESS},         {.path = "steps/#/cycles", MORE},
    {.path = "steps/#/memory", MORE}, {.path = "steps/#/gap", MORE},
    {.path = "steps/#/period", LESS}, {.path = "steps/#/response", LESS},
};

static const struct rule run_rules[] = {
    {.path = "cycles", MORE | LESS, .always = true},
    {.path = "blocks/#/#", MORE | LESS, 2, 3},
    {.path = "warps/#/#", MORE | LESS, 2, SIZE_MAX},
    {.path = "requests/#/#", MORE | LESS, 0, SIZE_MAX},
    {.path = "fetched/#/#", MORE | LESS, 3, SIZE_MAX},
    {.path = "steps/#/asked", MORE | LESS},
    {.path = "steps/#/begin", MORE | LESS},
    {.path = "steps/#/end", MORE | LESS},
};

/* ---- changes ---- */

/* One rule under way on one file. */
struct change {
  json_t *whole;
  check_claim *check;
  uint64_t cycles; /* that are proven, and claimed */
  const struct rule *rule;
  size_t every;         /* number is changed */
  size_t met;           /* numbers */
  size_t refused, kept; /* changes */
};

static void check_changed(struct change *change, json_t *number, json_int_t to, const char *place)
{
  const json_int_t before = json_integer_value(number);
  uint64_t cycles = 0;
  if (to == before)
    return;
  json_integer_set(number, to);
  const bool proven = change->check(change->whole, &cycles);
  if (proven && cycles != change->cycles)
    fail_msg("%s, %s: %" JSON_INTEGER_FORMAT " in place of %" JSON_INTEGER_FORMAT
             " is accepted, and proves %llu cycles",
             change->rule->path, place, to, before, (unsigned long long)cycles);
  if (proven && change->rule->always)
    fail_msg("%s, %s: %" JSON_INTEGER_FORMAT " in place of %" JSON_INTEGER_FORMAT " is accepted",
             change->rule->path, place, to, before);
  change->refused += !proven;
  change->kept += proven;
  json_integer_set(number, before);
}

static void change_number(struct change *change, json_t *number, const char *place)
{
  const json_int_t value = json_integer_value(number);
  if (change->met++ % change->every != 0)
    return;
  if ((change->rule->worse & MORE) != 0) {
    check_changed(change, number, value + 1, place);
    check_changed(change, number, 2 * value + 1000, place);
  }
  if ((change->rule->worse & LESS) != 0 && value > 0) {
    check_changed(change, number, value - 1, place);
    check_changed(change, number, 0, place);
  }
}

/* Goes to all numbers at the rest of the rule's path. */
static void follow(struct change *change, json_t *at, const char *path, const char *place)
{
  char name[64];
  char next[160];
  const size_t length = strcspn(path, "/");
  const bool last = path[length] == '\0';
  const char *const rest = path + length + !last;
  if (path[0] == '#') {
    for (size_t i = 0; i < json_array_size(at); i++) {
      if (last && (i < change->rule->first || i > change->rule->last))
        continue;
      json_t *entry = json_array_get(at, i);
      snprintf(next, sizeof next, "%s %zu", place, i);
      if (!last)
        follow(change, entry, rest, next);
      else if (json_is_integer(entry))
        change_number(change, entry, next);
    }
    return;
  }
  snprintf(name, sizeof name, "%.*s", (int)length, path);
  json_t *member = json_object_get(at, name);
  if (last && json_is_integer(member))
    change_number(change, member, place);
  else if (!last && member != NULL)
    follow(change, member, rest, place);
}

/* Changes the numbers of one rule; returns how many changes are refused. */
static size_t change_all(json_t *whole, json_t *part, check_claim *check, uint64_t cycles,
                         const struct rule *rule)
{
  struct change count = {.rule = rule, .every = SIZE_MAX};
  count.whole = whole;
  count.check = check;
  count.cycles = cycles;
  count.met = 1; /* no number is changed */
  follow(&count, part, rule->path, "");
  struct change change = count;
  change.every = 1 + (count.met - 1) / MOST_OF_RULE;
  change.met = 0;
  follow(&change, part, rule->path, "");
  return change.refused;
}

/* The claim of the file, made to claim what is proven and no more. */
static json_t *exact_claim(const char *name, check_claim *check, uint64_t *cycles)
{
  json_t *whole = read_claim(name);
  assert_true(check(whole, cycles));
  if (check != check_run)
    json_object_set_new(whole, "cycles", json_integer((json_int_t)*cycles));
  assert_true(check(whole, cycles));
  return whole;
}

TEST(numbers_of_launches_that_get_worse_are_refused)
{
  static const char *const names[] = {"launch.json", "launch-barriers.json", "launches/held.json",
                                      "launches/kept.json"};
  size_t refused[COUNT_OF(launch_rules)] = {0};
  for (size_t n = 0; n < COUNT_OF(names); n++) {
    uint64_t cycles = 0;
    json_t *whole = exact_claim(names[n], check_launch, &cycles);
    for (size_t r = 0; r < COUNT_OF(launch_rules); r++)
      refused[r] += change_all(whole, whole, check_launch, cycles, &launch_rules[r]);
    json_object_set_new(whole, "cycles", json_integer((json_int_t)cycles - 1));
    assert_false(check_launch(whole, &cycles));
    json_decref(whole);
  }
  /* The launches of a frame have the rest. */
  uint64_t cycles = 0;
  json_t *whole = exact_claim("frame.json", check_frame, &cycles);
  json_t *launches = json_object_get(whole, "launches");
  for (size_t l = 0; l < json_array_size(launches); l++)
    for (size_t r = 0; r < COUNT_OF(launch_rules); r++)
      refused[r] +=
          change_all(whole, json_array_get(launches, l), check_frame, cycles, &launch_rules[r]);
  json_decref(whole);
  for (size_t r = 0; r < COUNT_OF(launch_rules); r++)
    if (refused[r] == 0)
      fail_msg("no number of %s is refused", launch_rules[r].path);
}

TEST(numbers_of_frames_that_get_worse_are_refused)
{
  uint64_t cycles = 0;
  json_t *whole = exact_claim("frame.json", check_frame, &cycles);
  for (size_t s = 0; s < json_array_size(json_object_get(whole, "steps")); s++) {
    json_t *step = json_array_get(json_object_get(whole, "steps"), s);
    if (json_object_get(step, "gap") == NULL && json_object_get(step, "beside") == NULL)
      json_object_set_new(step, "gap", json_integer(0));
  }
  for (size_t r = 0; r < COUNT_OF(frame_rules); r++)
    if (change_all(whole, whole, check_frame, cycles, &frame_rules[r]) == 0)
      fail_msg("no number of %s is refused", frame_rules[r].path);
  json_object_set_new(whole, "cycles", json_integer((json_int_t)cycles - 1));
  assert_false(check_frame(whole, &cycles));
  json_decref(whole);
}

/* Whether the frame is proven with other servers of a resource of its first launch. */
static bool is_proven_with_servers(size_t resource, json_int_t servers)
{
  uint64_t cycles = 0;
  json_t *whole = read_claim("frame.json");
  json_t *launch = json_array_get(json_object_get(whole, "launches"), 0);
  json_object_set_new(json_array_get(json_object_get(launch, "resources"), resource), "servers",
                      json_integer(servers));
  const bool proven = check_frame(whole, &cycles);
  json_decref(whole);
  return proven;
}

/* No kernel of the claim reads textures; both compute with integers. */
TEST(servers_of_what_a_kernel_does_not_use_do_not_matter)
{
  assert_true(is_proven_with_servers(13, 2));
  assert_false(is_proven_with_servers(2, 2));
}

/* What is proven of the frame, of which two may be in flight, with a gap before the first step. */
static uint64_t proven_with_gap(json_int_t gap)
{
  uint64_t cycles = 0;
  json_t *whole = read_claim("frame.json");
  json_object_set_new(whole, "in_flight", json_integer(2));
  json_object_set_new(whole, "period", json_integer(5000000));
  json_object_set_new(whole, "cycles", json_integer(4500000));
  json_object_set_new(json_array_get(json_object_get(whole, "steps"), 0), "gap", json_integer(gap));
  assert_true(check_frame(whole, &cycles));
  json_decref(whole);
  return cycles;
}

/* The frame before may wait for its stream's last step, of a frame that ends when the one in
 * question begins: its gap is not over then, however long the period. */
TEST(gaps_behind_a_frame_that_is_over_count_in_full)
{
  assert_int_equal(proven_with_gap(1000), proven_with_gap(0) + 2 * UINT64_C(1000));
}

TEST(runs_with_another_time_are_refused)
{
  static const char *const names[] = {"launches/run-cold.json", "launches/run-graph.json"};
  size_t refused[COUNT_OF(run_rules)] = {0};
  for (size_t n = 0; n < COUNT_OF(names); n++) {
    uint64_t cycles = 0;
    json_t *whole = exact_claim(names[n], check_run, &cycles);
    for (size_t r = 0; r < COUNT_OF(run_rules); r++)
      refused[r] += change_all(whole, whole, check_run, cycles, &run_rules[r]);
    json_decref(whole);
  }
  for (size_t r = 0; r < COUNT_OF(run_rules); r++)
    if (refused[r] == 0)
      fail_msg("no number of %s is refused", run_rules[r].path);
}
