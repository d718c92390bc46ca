#include "both_checkers.h"

#include <string.h>

/* A warp in a cycle: the instructions and the B that it has issued before; its next letter, '\0' at
 * the end; whether it issues that in the cycle; whether it waits for others at a barrier. */
struct moment {
  size_t position;
  size_t barriers;
  char letter;
  bool issues;
  bool waits;
};

static const char *string_of(const struct reference_schedule *schedule, size_t warp)
{
  return schedule->strings[schedule->string_of != NULL ? schedule->string_of[warp] : 0];
}

static size_t block_of(const struct reference_schedule *schedule, size_t warp)
{
  return warp / (schedule->warps / schedule->blocks);
}

static size_t partition_of(const struct reference_schedule *schedule, size_t warp)
{
  return warp % (schedule->warps / schedule->blocks) % schedule->partitions;
}

static size_t barriers_in(const char *letters, size_t length)
{
  size_t barriers = 0;
  for (size_t i = 0; i < length; i++)
    barriers += letters[i] == 'B';
  return barriers;
}

static bool is_malformed(const struct reference_schedule *schedule)
{
  const char *first = schedule->strings[0];
  if (schedule->warps % schedule->blocks != 0)
    return true;
  for (size_t s = 1; s < schedule->string_count; s++) {
    const char *string = schedule->strings[s];
    if (barriers_in(string, strlen(string)) != barriers_in(first, strlen(first)))
      return true;
  }
  for (size_t w = 0; w < schedule->warps; w++) {
    if (schedule->counts[w] != strlen(string_of(schedule, w)) || schedule->cycles[w][0] == 0)
      return true;
    for (size_t i = 1; i < schedule->counts[w]; i++) {
      if (schedule->cycles[w][i] <= schedule->cycles[w][i - 1])
        return true;
    }
  }
  return false;
}

/* Where all warps are in a cycle. */
static void find_moments(const struct reference_schedule *schedule, uint64_t cycle,
                         struct moment *moments)
{
  for (size_t w = 0; w < schedule->warps; w++) {
    struct moment *moment = &moments[w];
    *moment = (struct moment){0};
    for (size_t i = 0; i < schedule->counts[w]; i++) {
      moment->position += schedule->cycles[w][i] < cycle;
      moment->issues = moment->issues || schedule->cycles[w][i] == cycle;
    }
    moment->letter = string_of(schedule, w)[moment->position];
    moment->barriers = barriers_in(string_of(schedule, w), moment->position);
  }
  for (size_t w = 0; w < schedule->warps; w++) {
    for (size_t v = 0; v < schedule->warps; v++) {
      if (block_of(schedule, v) == block_of(schedule, w) &&
          moments[v].barriers < moments[w].barriers)
        moments[w].waits = true;
    }
  }
}

static bool has_units(char letter)
{
  return letter != 'N' && letter != 'B';
}

/* Whether the warp finds a unit and an issue slot beside those of the first `count` warps that
 * issue in the cycle, `without` not among them. */
static bool has_unit(const struct reference_schedule *schedule, const struct moment *moments,
                     size_t warp, size_t count, size_t without)
{
  char letter = moments[warp].letter;
  size_t used = 0;
  if (!has_units(letter))
    return true;
  size_t unit = (size_t)(strchr("LCSDT", letter) - "LCSDT");
  for (size_t v = 0; v < count; v++) {
    bool same = schedule->shared[unit] || partition_of(schedule, v) == partition_of(schedule, warp);
    used += v != without && moments[v].issues && moments[v].letter == letter && same;
  }
  return used < schedule->capacity[unit];
}

static bool has_slot(const struct reference_schedule *schedule, const struct moment *moments,
                     size_t warp, size_t count)
{
  size_t used = 0;
  for (size_t v = 0; v < count; v++)
    used += moments[v].issues && partition_of(schedule, v) == partition_of(schedule, warp);
  return schedule->issue_slots == 0 || used < schedule->issue_slots;
}

/* The first warp, from 1, that breaks a rule in this cycle; 0 where none does. */
static size_t first_offender(const struct reference_schedule *schedule,
                             const struct moment *moments)
{
  for (size_t w = 0; w < schedule->warps; w++) {
    const struct moment *moment = &moments[w];
    size_t others = moment->issues ? w : schedule->warps;
    bool could = moment->letter != '\0' && !moment->waits &&
                 has_unit(schedule, moments, w, others, schedule->warps) &&
                 has_slot(schedule, moments, w, others);
    if (moment->issues != could)
      return w + 1;
  }
  return 0;
}

static size_t repetition_at(const struct reference_schedule *schedule, size_t position)
{
  size_t repetition = 0;
  while (repetition <= schedule->fair_count &&
         position + 1 >= schedule->fair_first + repetition * schedule->fair_length)
    repetition++;
  return repetition;
}

/* The first warp, from 1, that idles in this cycle while another of a later block issues that
 * could have let it: with it in that one's place no type has more than it can. */
static size_t first_wronged(const struct reference_schedule *schedule, const struct moment *moments)
{
  for (size_t v = 0; v < schedule->warps; v++) {
    if (moments[v].issues || moments[v].letter == '\0')
      continue;
    for (size_t w = 0; w < schedule->warps; w++) {
      if (moments[w].issues &&
          repetition_at(schedule, moments[w].position) >
              repetition_at(schedule, moments[v].position) &&
          has_unit(schedule, moments, v, schedule->warps, w))
        return v + 1;
    }
  }
  return 0;
}

static bool is_over(const struct reference_schedule *schedule, const struct moment *moments)
{
  for (size_t w = 0; w < schedule->warps; w++) {
    if (moments[w].letter != '\0')
      return false;
  }
  return true;
}

struct reference_verdict reference_check(const struct reference_schedule *schedule)
{
  struct moment moments[REFERENCE_WARP_LIMIT];
  if (is_malformed(schedule))
    return (struct reference_verdict){.malformed = true};
  uint64_t cycle = 1;
  for (;; cycle++) {
    find_moments(schedule, cycle, moments);
    if (is_over(schedule, moments))
      break;
    size_t offender = first_offender(schedule, moments);
    if (offender != 0)
      return (struct reference_verdict){.cycle = cycle, .warp = offender};
  }
  for (uint64_t c = 1; schedule->fair_count > 0 && c < cycle; c++) {
    find_moments(schedule, c, moments);
    size_t wronged = first_wronged(schedule, moments);
    if (wronged != 0)
      return (struct reference_verdict){.cycle = c, .warp = wronged};
  }
  return (struct reference_verdict){.valid = true, .makespan = cycle - 1};
}

static void add_string(struct both_claims *both, const char *letters)
{
  size_t at = both->claim.string_count++;
  both->reference.string_count++;
  both->letters[at] = letters;
  both->strings[at] = (struct wb_check_schedule_string){letters, strlen(letters)};
}

static void start(struct both_claims *both, const uint32_t *const *cycles, const size_t *counts)
{
  *both = (struct both_claims){0};
  both->claim = (struct wb_check_schedule_claim){
      .strings = both->strings, .blocks = 1, .partitions = 1, .cycles = cycles, .counts = counts};
  both->reference = (struct reference_schedule){
      .strings = both->letters, .blocks = 1, .partitions = 1, .cycles = cycles, .counts = counts};
}

void claim_for_both(struct both_claims *both, const struct instance *instance,
                    const uint32_t *const *cycles, const size_t *counts)
{
  start(both, cycles, counts);
  add_string(both, instance->letters);
  for (unsigned u = 0; u < 5; u++)
    both->claim.capacity[u] = both->reference.capacity[u] = instance->capacity[u];
  both->claim.issue_slots = both->reference.issue_slots = instance->issue_slots;
  both->claim.warps = both->reference.warps = instance->warps;
  both->claim.fair_first = both->reference.fair_first = instance->fair.first;
  both->claim.fair_length = both->reference.fair_length = instance->fair.length;
  both->claim.fair_count = both->reference.fair_count = instance->fair.count;
}

void claim_sm_for_both(struct both_claims *both, const struct sm_instance *instance,
                       const uint32_t *string_of, const uint32_t *const *cycles,
                       const size_t *counts)
{
  start(both, cycles, counts);
  for (uint32_t s = 0; s < instance->string_count; s++)
    add_string(both, instance->strings[s]);
  both->claim.string_of = both->reference.string_of = string_of;
  for (unsigned u = 0; u < 5; u++) {
    both->claim.capacity[u] = both->reference.capacity[u] = instance->capacity[u];
    both->claim.shared[u] = both->reference.shared[u] = instance->shared[u];
  }
  both->claim.issue_slots = both->reference.issue_slots = instance->issue_slots;
  both->claim.warps = both->reference.warps = sm_instance_warps(instance);
  both->claim.blocks = both->reference.blocks = instance->blocks;
  both->claim.partitions = both->reference.partitions = instance->partitions;
}
