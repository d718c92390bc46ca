#include "analysis/paths/barrier_doubts.h"

#include "base/memory.h"
#include "flow/definitions/address_base.h"
#include "isa/opcode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most loads that are tried, and that are named. */
#define MOST_LOADS 64
#define MOST_NAMED 4

/* Loads of global memory, by instruction, that the code does not say to be read alone. */
struct trial {
  const struct wb_wcet *wcet;
  struct wb_definitions *definitions;
  bool *unchanged;
  uint32_t loads[MOST_LOADS];
  size_t count;
};

/* Whether warps pass barriers alike, or as many, where nothing writes what the marked loads read.
 */
static bool is_enough(const struct trial *trial)
{
  const struct wb_wcet *wcet = trial->wcet;
  bool found = false;
  const bool leaves_ended = !wcet->counted_barriers;
  const unsigned last = leaves_ended ? WB_ENDS_ANYWHERE : WB_ENDS_ALIKE;
  for (unsigned early = WB_ENDS_ALIKE; early <= last && !found; early++) {
    struct wb_barrier_agreement agreement;
    if (wb_barrier_agreement_find(wcet->graph, (enum wb_early_ends)early, WB_COMPARED_BLOCK,
                                  trial->unchanged, &agreement, NULL) != WARPBOUND_OK)
      return false;
    found = agreement.agreed || agreement.as_many;
    wb_barrier_agreement_free(&agreement);
  }
  return found;
}

/* Whether the code stores into what the pointer of a load points to, as far as it shows: it may be
 * elsewhere there, but that nothing writes what is loaded is no fact to ask for. */
static bool is_stored_to(const struct trial *trial, uint32_t block, uint32_t load)
{
  const struct wb_warp_graph *graph = trial->wcet->graph;
  const uint32_t base = wb_address_base(trial->definitions, NULL, block, load);
  bool found = false;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first;
         i <= graph->blocks[b].last && base != WB_NO_BASE && !found; i++) {
      const struct wb_access_kind *kind =
          wb_access_kind_of((enum wb_opcode)graph->function->instructions[i].number);
      const bool stores = kind->action == WB_ACTION_STORE || kind->action == WB_ACTION_UPDATE ||
                          kind->action == WB_ACTION_ATOMIC;
      found = stores && (kind->space == WB_SPACE_GLOBAL || kind->space == WB_SPACE_GENERIC) &&
              wb_address_base(trial->definitions, NULL, b, i) == base;
    }
  }
  return found;
}

static bool is_candidate(const struct trial *trial, uint32_t i)
{
  const struct wb_instruction *load = &trial->wcet->function->instructions[i];
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)load->number);
  return kind->action == WB_ACTION_LOAD && kind->space == WB_SPACE_GLOBAL && !load->never &&
         !load->unknown && !trial->unchanged[i] && !wb_instruction_has(load, WB_MODIFIER_CONSTANT);
}

/* Finds loads of which it is enough that nothing writes what they read, none of them needless.
 * False where there are none, or many. */
static bool find_loads(struct trial *trial)
{
  const struct wb_warp_graph *graph = trial->wcet->graph;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      if (!is_candidate(trial, i) || is_stored_to(trial, b, i))
        continue;
      if (trial->count == MOST_LOADS)
        return false;
      trial->unchanged[i] = true;
      trial->loads[trial->count++] = i;
    }
  }
  if (trial->count == 0 || !is_enough(trial))
    return false;
  size_t kept = 0;
  for (size_t l = 0; l < trial->count; l++) {
    trial->unchanged[trial->loads[l]] = false;
    if (is_enough(trial))
      continue;
    trial->unchanged[trial->loads[l]] = true;
    trial->loads[kept++] = trial->loads[l];
  }
  trial->count = kept;
  return kept > 0 && kept <= MOST_NAMED;
}

#define ADVICE_SIZE 250

/* Options by which loads give all threads one value, where these are enough; else "". */
static void advise_loads(const struct wb_wcet *wcet, struct wb_estimate *over,
                         char advice[ADVICE_SIZE])
{
  const size_t count = wcet->function->instruction_count;
  struct trial trial = {.wcet = wcet, .unchanged = wb_allocate(count, sizeof(bool))};
  advice[0] = '\0';
  if (trial.unchanged == NULL) {
    over->failed = true;
    return;
  }
  if (wcet->unchanged != NULL)
    memcpy(trial.unchanged, wcet->unchanged, count * sizeof(bool));
  struct wb_definitions definitions;
  const bool made = wb_definitions_make(wcet->graph, &definitions);
  trial.definitions = &definitions;
  over->failed |= !made;
  if (made && find_loads(&trial)) {
    size_t length = (size_t)snprintf(advice, ADVICE_SIZE,
                                     "where nothing writes what is loaded while the kernel runs:");
    for (size_t l = 0; l < trial.count; l++)
      length += (size_t)snprintf(advice + length, ADVICE_SIZE - length,
                                 " --assume-load 0x%04" PRIx32 "=unchanged",
                                 wcet->function->instructions[trial.loads[l]].address);
    snprintf(advice + length, ADVICE_SIZE - length, "; or ");
  }
  if (made)
    wb_definitions_free(&definitions);
  free(trial.unchanged);
}

/* Who asks with options can say what is known of barriers; the others can only change the code. */
void wb_barrier_doubts_add(const struct wb_wcet *wcet, const struct wb_path_system *system,
                           const struct wb_disagreement *where, bool no_options,
                           struct wb_estimate *over)
{
  const struct wb_function *function = wcet->function;
  if (!wb_path_system_doubts_barriers(system))
    return;
  if (system->partial != NULL) {
    if (no_options) /* refused where it matters */
      return;
    wb_estimate_because_of(over, "barriers", wcet->code, system->partial,
                           "say that none waits for ever (--assume-barriers end), or let all warps "
                           "of the block pass it (__syncthreads)",
                           "a part of the warps of a block may pass it, and nothing shows that it "
                           "never waits for ever");
    return;
  }
  const struct wb_instruction *barrier = &function->instructions[where->barrier];
  const char *say = no_options ? "" : ", or say that all do (--assume-barriers same)";
  char advice[ADVICE_SIZE] = "";
  char remedy[ADVICE_SIZE + 300];
  if (!no_options)
    advise_loads(wcet, over, advice);
  if (where->choice == where->barrier) {
    snprintf(remedy, sizeof remedy,
             "%sguard it by what all threads of the block share (blockIdx, blockDim, parameters), "
             "or not at all%s",
             advice, say);
    wb_estimate_because_of(over, "barriers", wcet->code, barrier, remedy,
                           "nothing shows that all warps of a block pass it alike: its guard, or "
                           "how many groups of lanes come to it, may differ between warps");
    return;
  }
  snprintf(remedy, sizeof remedy,
           "%slet that choice depend on what all threads of the block share (blockIdx, blockDim, "
           "parameters), or move the barrier out of it%s",
           advice, say);
  char *branch = wb_code_place(wcet->code, function->instructions[where->choice].opcode,
                               function->instructions[where->choice].address,
                               &function->instructions[where->choice]);
  wb_estimate_because_of(over, "barriers", wcet->code, barrier, remedy,
                         "nothing shows that all warps of a block pass it alike: warps may choose "
                         "differently at %.300s",
                         branch != NULL ? branch : "a branch before it");
  free(branch);
}
