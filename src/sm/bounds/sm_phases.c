#include "sm/bounds/sm_phases.h"

#include "base/checked.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Where in a string the next phase begins: run `run`, of which `used` letters are cut off. */
struct place {
  size_t run;
  size_t used;
};

/* hashes: of the phases found; table: finds them. */
struct cutting {
  const struct wb_sm_problem *problem;
  struct wb_sm_phases *phases;
  struct place *places;
  uint64_t *hashes;
  size_t hash_capacity;
  struct wb_hash_table table;
};

struct sought {
  const struct wb_sm_problem *phase;
  uint64_t hash;
};

/* Appends the letters up to and with the next B, or to the end. */
static warpbound_status cut_string(const struct wb_kernel_string *string, struct place *place,
                                   struct wb_kernel_string *phase, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (; place->run < string->run_count && status == WARPBOUND_OK; place->run++, place->used = 0) {
    const struct wb_run *run = &string->runs[place->run];
    if (run->unit == WB_UNIT_BARRIER) {
      if (++place->used == run->length)
        *place = (struct place){place->run + 1, 0};
      return wb_kernel_string_append(phase, WB_UNIT_NONE, 1, WB_NORMALISED_LIMIT, error);
    }
    status = wb_kernel_string_append(phase, run->unit, run->length, WB_NORMALISED_LIMIT, error);
  }
  return status;
}

/* The next phase of each string; empty ones and those that are there already are left out. */
static warpbound_status cut_phase(struct cutting *cutting, struct wb_sm_problem *phase,
                                  warpbound_error *error)
{
  *phase = *cutting->problem;
  phase->string_count = 0;
  phase->strings = wb_allocate(cutting->problem->string_count, sizeof *phase->strings);
  warpbound_status status = phase->strings != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t s = 0; s < cutting->problem->string_count && status == WARPBOUND_OK; s++) {
    struct wb_kernel_string *cut = &phase->strings[phase->string_count];
    status = cut_string(&cutting->problem->strings[s], &cutting->places[s], cut, error);
    bool needed = status == WARPBOUND_OK && cut->length > 0;
    for (size_t o = 0; o < phase->string_count && needed; o++)
      needed = !wb_kernel_string_equal(&phase->strings[o], cut);
    if (needed) {
      phase->string_count++;
    } else {
      wb_kernel_string_free(cut);
      *cut = (struct wb_kernel_string){0};
    }
  }
  if (status != WARPBOUND_OK)
    wb_sm_problem_free(phase);
  return status;
}

static uint64_t hash_of_index(const void *items, uint32_t index)
{
  const struct cutting *cutting = items;
  return cutting->hashes[index];
}

static bool same_phases(const void *items, uint32_t index, const void *key)
{
  const struct cutting *cutting = items;
  const struct sought *sought = key;
  const struct wb_sm_problem *known = &cutting->phases->problems[index];
  if (cutting->hashes[index] != sought->hash || known->string_count != sought->phase->string_count)
    return false;
  for (size_t s = 0; s < known->string_count; s++) {
    if (!wb_kernel_string_equal(&known->strings[s], &sought->phase->strings[s]))
      return false;
  }
  return true;
}

/* Counts a phase that is there already, or takes it over. */
static warpbound_status keep(struct cutting *cutting, struct wb_sm_problem *phase,
                             warpbound_error *error)
{
  struct wb_sm_phases *phases = cutting->phases;
  if (!wb_grow(phases->problems, &phases->capacity, phases->count + 1) ||
      !wb_grow(phases->times, &phases->times_capacity, phases->count + 1) ||
      !wb_grow(cutting->hashes, &cutting->hash_capacity, phases->count + 1) ||
      !wb_hash_table_grow(&cutting->table, phases->count, hash_of_index, cutting)) {
    wb_sm_problem_free(phase);
    return wb_out_of_memory(error);
  }
  uint64_t hash = phase->string_count;
  for (size_t s = 0; s < phase->string_count; s++) {
    for (size_t r = 0; r < phase->strings[s].run_count; r++)
      hash = wb_hash_word(wb_hash_word(hash, phase->strings[s].runs[r].unit),
                          phase->strings[s].runs[r].length);
    hash = wb_hash_word(hash, WB_UNIT_COUNT);
  }
  const struct sought sought = {phase, hash};
  uint32_t *slot = wb_hash_table_slot(&cutting->table, hash, same_phases, cutting, &sought);
  if (*slot != 0) {
    phases->times[*slot - 1]++;
    wb_sm_problem_free(phase);
    return WARPBOUND_OK;
  }
  *slot = (uint32_t)phases->count + 1;
  cutting->hashes[phases->count] = hash;
  phases->problems[phases->count] = *phase;
  phases->times[phases->count++] = 1;
  return WARPBOUND_OK;
}

warpbound_status wb_sm_phases_cut(const struct wb_sm_problem *problem, struct wb_sm_phases *phases,
                                  warpbound_error *error)
{
  *phases = (struct wb_sm_phases){0};
  struct cutting cutting = {.problem = problem,
                            .phases = phases,
                            .places = wb_allocate(problem->string_count, sizeof *cutting.places)};
  warpbound_status status = cutting.places != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  const size_t all = problem->strings[0].count[WB_UNIT_BARRIER] + 1;
  for (size_t k = 0; k < all && status == WARPBOUND_OK; k++) {
    struct wb_sm_problem phase;
    status = cut_phase(&cutting, &phase, error);
    if (status == WARPBOUND_OK && phase.string_count > 0)
      status = keep(&cutting, &phase, error);
    else if (status == WARPBOUND_OK)
      wb_sm_problem_free(&phase);
  }
  free(cutting.places);
  free(cutting.hashes);
  wb_hash_table_free(&cutting.table);
  if (status != WARPBOUND_OK)
    wb_sm_phases_free(phases);
  return status;
}

void wb_sm_phases_free(struct wb_sm_phases *phases)
{
  for (size_t i = 0; i < phases->count; i++)
    wb_sm_problem_free(&phases->problems[i]);
  free(phases->problems);
  free(phases->times);
  *phases = (struct wb_sm_phases){0};
}
