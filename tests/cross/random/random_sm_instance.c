#include "random_sm_instance.h"

#include <stdio.h>
#include <string.h>

#define MOST_WORK 1e6
#define MOST_BARRIERS 3u
#define MOST_WARPS 8u

static const char unit_letters[] = "LCSDT";

static uint32_t draw(struct wb_random *random, uint32_t least, uint32_t most)
{
  return least + (uint32_t)wb_random_below(random, (uint64_t)most - least + 1);
}

static bool throws(struct wb_random *random, uint32_t one_in)
{
  return wb_random_below(random, one_in) == 0;
}

/* One to three types and sometimes N, in which stretches of one type are common. */
static void draw_letters(struct wb_random *random, const char *types, char *letters, size_t length)
{
  uint64_t repeat_of_8 = wb_random_below(random, 6);
  for (size_t i = 0; i < length; i++) {
    bool again = i > 0 && wb_random_below(random, 8) < repeat_of_8;
    letters[i] = again ? letters[i - 1] : types[wb_random_below(random, strlen(types))];
  }
  letters[length] = '\0';
}

static void insert_letter(char *letters, size_t at, char letter)
{
  memmove(letters + at + 1, letters + at, strlen(letters + at) + 1);
  letters[at] = letter;
}

static void remove_letter(char *letters, size_t at)
{
  memmove(letters + at, letters + at + 1, strlen(letters + at + 1) + 1);
}

static void draw_strings(struct wb_random *random, struct sm_instance *instance, uint32_t barriers)
{
  char types[SM_UNIT_TYPES + 2] = "LCSDT";
  for (size_t i = SM_UNIT_TYPES; i > 1; i--) {
    size_t other = (size_t)wb_random_below(random, i);
    char kept = types[i - 1];
    types[i - 1] = types[other];
    types[other] = kept;
  }
  size_t count = draw(random, 1, 3);
  if (throws(random, 5))
    types[count++] = 'N';
  types[count] = '\0';
  uint32_t longest = draw(random, 1, 5);
  for (uint32_t s = 0; s < instance->string_count; s++) {
    char *letters = instance->strings[s];
    uint32_t length = draw(random, barriers == 0 ? 1 : 0, longest);
    draw_letters(random, types, letters, length);
    for (uint32_t k = 0; k < barriers; k++)
      insert_letter(letters, draw(random, 0, (uint32_t)strlen(letters)), 'B');
  }
}

/* About what sm_brute_worst takes: states, of unlike warps, times subsets of warps. */
static double work_of(const struct sm_instance *instance)
{
  uint32_t warps = sm_instance_warps(instance);
  double ends = 1;
  for (uint32_t s = 0; s < instance->string_count; s++)
    ends += (double)strlen(instance->strings[s]);
  double states = 1;
  for (uint32_t w = 0; w < warps; w++) {
    uint32_t alike = w % instance->block_warps / instance->partitions;
    states *= (ends + alike) / (1 + alike);
  }
  return states * (double)(UINT32_C(1) << warps);
}

static void draw_machine(struct wb_random *random, struct sm_instance *instance)
{
  uint32_t largest = draw(random, 1, 3);
  for (unsigned u = 0; u < SM_UNIT_TYPES; u++)
    instance->capacity[u] = draw(random, 1, largest);
  if (throws(random, 2))
    instance->issue_slots = draw(random, 1, 3);
}

struct sm_instance sm_instance_random(struct wb_random *random)
{
  for (;;) {
    struct sm_instance instance = {.string_count = draw(random, 1, SM_STRING_LIMIT)};
    instance.partitions = draw(random, 1, 3);
    instance.blocks = draw(random, 1, 3);
    instance.block_warps = draw(random, 1, 5);
    uint32_t barriers = draw(random, 0, MOST_BARRIERS);
    draw_strings(random, &instance, barriers);
    draw_machine(random, &instance);
    for (unsigned u = 0; u < SM_UNIT_TYPES; u++)
      instance.shared[u] = instance.partitions > 1 && throws(random, 3);
    if (sm_instance_warps(&instance) <= MOST_WARPS && work_of(&instance) <= MOST_WORK)
      return instance;
  }
}

struct sm_instance sm_instance_random_block(struct wb_random *random)
{
  for (;;) {
    struct sm_instance instance = {.blocks = 1};
    instance.string_count = throws(random, 2) ? 1 : draw(random, 2, SM_STRING_LIMIT);
    instance.partitions = draw(random, 1, 3);
    instance.block_warps = draw(random, 1, 6);
    uint32_t barriers = draw(random, 0, MOST_BARRIERS);
    draw_strings(random, &instance, barriers);
    draw_machine(random, &instance);
    if (work_of(&instance) <= MOST_WORK)
      return instance;
  }
}

struct sm_instance sm_instance_random_plain(struct wb_random *random)
{
  struct sm_instance instance = {
      .string_count = 1, .partitions = 1, .blocks = 1, .block_warps = draw(random, 1, 6)};
  draw_strings(random, &instance, 0);
  draw_machine(random, &instance);
  return instance;
}

void sm_instance_random_strings(const struct sm_instance *instance, struct wb_random *random,
                                uint32_t *string_of)
{
  for (uint32_t w = 0; w < sm_instance_warps(instance); w++)
    string_of[w] = draw(random, 0, instance->string_count - 1);
}

static bool fill_problem(const struct sm_instance *instance, struct wb_kernel_string *kernels,
                         struct wb_sm_problem *problem)
{
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "random");
  for (unsigned u = 0; u < SM_UNIT_TYPES; u++) {
    wb_unit_capacity_set(&sm.unit[u], instance->capacity[u], 1);
    sm.unit[u].shared = instance->shared[u];
  }
  sm.issue_slots = instance->issue_slots;
  sm.partitions = instance->partitions;
  for (uint32_t s = 0; s < instance->string_count; s++) {
    if (wb_kernel_string_parse(instance->strings[s], NULL, &kernels[s], NULL) != WARPBOUND_OK)
      return false;
  }
  return wb_sm_problem_normalise(kernels, instance->string_count, &sm, sm_instance_warps(instance),
                                 instance->blocks, problem, NULL) == WARPBOUND_OK;
}

bool sm_instance_problem(const struct sm_instance *instance, struct wb_sm_problem *problem)
{
  struct wb_kernel_string kernels[SM_STRING_LIMIT] = {0};
  bool made = fill_problem(instance, kernels, problem);
  for (uint32_t s = 0; s < instance->string_count; s++)
    wb_kernel_string_free(&kernels[s]);
  return made;
}

/* Where the k-th B, from 0, is; SIZE_MAX where there are fewer. */
static size_t find_barrier(const char *letters, size_t k)
{
  for (size_t at = 0; letters[at] != '\0'; at++) {
    if (letters[at] == 'B' && k-- == 0)
      return at;
  }
  return SIZE_MAX;
}

static bool remove_instruction(struct sm_instance *instance, uint32_t s, size_t at)
{
  char *letters = instance->strings[s];
  if (s >= instance->string_count || at >= strlen(letters) || letters[at] == 'B' ||
      strlen(letters) == 1)
    return false;
  remove_letter(letters, at);
  return true;
}

static bool decrease(uint32_t *number, uint32_t least)
{
  if (*number <= least)
    return false;
  --*number;
  return true;
}

static bool clear(bool *flag)
{
  bool was_set = *flag;
  *flag = false;
  return was_set;
}

static bool remove_partition(struct sm_instance *instance)
{
  if (!decrease(&instance->partitions, 1))
    return false;
  for (unsigned u = 0; u < SM_UNIT_TYPES && instance->partitions == 1; u++)
    instance->shared[u] = false;
  return true;
}

#define LETTER_STEPS (SM_STRING_LIMIT * SM_LENGTH_LIMIT)
#define STEPS (LETTER_STEPS + SM_LENGTH_LIMIT + SM_STRING_LIMIT + 13)

/* The step-th simplification; false where it does not apply. */
static bool apply_step(struct sm_instance *instance, uint32_t step)
{
  if (step < SM_STRING_LIMIT) {
    if (instance->string_count == 1 || step >= instance->string_count)
      return false;
    memmove(instance->strings[step], instance->strings[step + 1],
            (instance->string_count - 1 - step) * sizeof instance->strings[0]);
    instance->string_count--;
    return true;
  }
  step -= SM_STRING_LIMIT;
  if (step < SM_LENGTH_LIMIT) {
    for (uint32_t s = 0; s < instance->string_count; s++) {
      size_t at = find_barrier(instance->strings[s], step);
      if (at == SIZE_MAX || strlen(instance->strings[s]) == 1)
        return false;
      remove_letter(instance->strings[s], at);
    }
    return true;
  }
  step -= SM_LENGTH_LIMIT;
  if (step < LETTER_STEPS)
    return remove_instruction(instance, step / SM_LENGTH_LIMIT, step % SM_LENGTH_LIMIT);
  step -= LETTER_STEPS;
  if (step < 4)
    return decrease(&instance->capacity[step], 1);
  if (step < 8)
    return clear(&instance->shared[step - 4]);
  if (step == 8)
    return decrease(&instance->block_warps, 1);
  if (step == 9)
    return decrease(&instance->blocks, 1);
  if (step == 10)
    return remove_partition(instance);
  if (step == 11)
    return decrease(&instance->issue_slots, 1);
  bool capped = instance->issue_slots > 0;
  instance->issue_slots = 0;
  return capped;
}

/* Tries every instance that is simpler by one step; true: one of them, now in *instance, fails. */
static bool simplify(struct sm_instance *instance, sm_instance_fails *fails, void *context)
{
  for (uint32_t step = 0; step < STEPS; step++) {
    struct sm_instance simpler = *instance;
    if (apply_step(&simpler, step) && fails(&simpler, context)) {
      *instance = simpler;
      return true;
    }
  }
  return false;
}

struct sm_instance sm_instance_shrink(struct sm_instance failing, sm_instance_fails *fails,
                                      void *context)
{
  while (simplify(&failing, fails, context))
    ;
  return failing;
}

static bool uses(const struct sm_instance *instance, char letter)
{
  for (uint32_t s = 0; s < instance->string_count; s++) {
    if (strchr(instance->strings[s], letter) != NULL)
      return true;
  }
  return false;
}

void sm_instance_describe(const struct sm_instance *instance, char *text, size_t size)
{
  char strings[SM_STRING_LIMIT * (SM_LENGTH_LIMIT + 1) + 1] = "";
  for (uint32_t s = 0; s < instance->string_count; s++) {
    strcat(strings, s > 0 ? "|" : "");
    strcat(strings, instance->strings[s]);
  }
  char units[80] = "";
  char shared[SM_UNIT_TYPES + 1] = "";
  size_t shared_count = 0;
  for (unsigned u = 0; u < SM_UNIT_TYPES; u++) {
    if (!uses(instance, unit_letters[u]))
      continue;
    size_t at = strlen(units);
    snprintf(units + at, sizeof units - at, "%s%c=%u", at > 0 ? "," : "", unit_letters[u],
             instance->capacity[u]);
    if (instance->shared[u])
      shared[shared_count++] = unit_letters[u];
  }
  snprintf(text, size,
           "%s, units %s, shared %s, issue slots %u, %u partitions, %u blocks of %u warps", strings,
           units, *shared != '\0' ? shared : "none", instance->issue_slots, instance->partitions,
           instance->blocks, instance->block_warps);
}

/* A schedule under way. done: instructions and barriers that each warp has done. */
struct course {
  const struct sm_instance *instance;
  const uint32_t *string_of;
  size_t done[SM_WARP_LIMIT];
  size_t barriers[SM_WARP_LIMIT];
};

static char next_letter(const struct course *course, uint32_t warp)
{
  return course->instance->strings[course->string_of[warp]][course->done[warp]];
}

/* Takes a unit and an issue slot for the warp if they are free. */
static bool serve(const struct course *course, uint32_t warp,
                  uint32_t used[SM_UNIT_TYPES][SM_WARP_LIMIT], uint32_t *issued)
{
  const struct sm_instance *instance = course->instance;
  uint32_t partition = warp % instance->block_warps % instance->partitions;
  if (instance->issue_slots > 0 && issued[partition] == instance->issue_slots)
    return false;
  const char *found = strchr(unit_letters, next_letter(course, warp));
  if (found != NULL) {
    size_t u = (size_t)(found - unit_letters);
    uint32_t *pool = &used[u][instance->shared[u] ? 0 : partition];
    if (*pool == instance->capacity[u])
      return false;
    ++*pool;
  }
  issued[partition]++;
  return true;
}

/* Offers a cycle to the warps in this order; returns how many instructions issue. */
static uint32_t serve_all(struct course *course, const uint32_t *order, uint32_t cycle,
                          uint32_t cycles[][SM_LENGTH_LIMIT])
{
  uint32_t used[SM_UNIT_TYPES][SM_WARP_LIMIT] = {{0}};
  uint32_t issued[SM_WARP_LIMIT] = {0};
  bool ready[SM_WARP_LIMIT];
  uint32_t count = 0;
  /* Which warps may issue in this cycle as far as they themselves go. */
  uint32_t size = course->instance->block_warps;
  for (uint32_t w = 0; w < sm_instance_warps(course->instance); w++) {
    ready[w] = next_letter(course, w) != '\0';
    for (uint32_t v = w / size * size; v < (w / size + 1) * size; v++)
      ready[w] = ready[w] && course->barriers[v] >= course->barriers[w];
  }
  for (uint32_t k = 0; k < sm_instance_warps(course->instance); k++) {
    uint32_t w = order[k];
    if (!ready[w] || !serve(course, w, used, issued))
      continue;
    course->barriers[w] += next_letter(course, w) == 'B';
    cycles[w][course->done[w]++] = cycle;
    count++;
  }
  return count;
}

uint32_t sm_instance_random_schedule(const struct sm_instance *instance, const uint32_t *string_of,
                                     struct wb_random *random, uint32_t cycles[][SM_LENGTH_LIMIT])
{
  struct course course = {.instance = instance, .string_of = string_of};
  uint32_t warps = sm_instance_warps(instance);
  uint32_t order[SM_WARP_LIMIT];
  uint64_t left = 0;
  for (uint32_t w = 0; w < warps; w++) {
    order[w] = w;
    left += strlen(instance->strings[string_of[w]]);
  }
  uint32_t calm = draw(random, 1, 4);
  uint32_t cycle = 0;
  while (left > 0) {
    for (uint32_t i = warps; i > 1 && (cycle == 0 || throws(random, calm)); i--) {
      uint32_t other = draw(random, 0, i - 1);
      uint32_t kept = order[i - 1];
      order[i - 1] = order[other];
      order[other] = kept;
    }
    left -= serve_all(&course, order, ++cycle, cycles);
  }
  return cycle;
}
