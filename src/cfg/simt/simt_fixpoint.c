#include "cfg/simt/simt_fixpoint.h"

#include "base/memory.h"
#include "cfg/simt/simt_record.h"

#include <stdlib.h>
#include <string.h>

/* ---- the queue ---- */

static bool before(const struct wb_simt_analysis *analysis, uint32_t a, uint32_t b)
{
  const struct wb_simt_state *states = analysis->fixpoint.states;
  return wb_simt_contexts_before(&analysis->contexts, analysis->layout.positions, states[a].place,
                                 states[b].place);
}

static void enqueue(struct wb_simt_analysis *analysis, uint32_t state)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  if (fixpoint->states[state].queued)
    return;
  if (!wb_grow(fixpoint->queue, &fixpoint->queue_capacity, fixpoint->queue_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  fixpoint->states[state].queued = true;
  uint32_t *queue = fixpoint->queue;
  size_t at = fixpoint->queue_count++;
  while (at > 0 && before(analysis, state, queue[(at - 1) / 2])) {
    queue[at] = queue[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  queue[at] = state;
}

uint32_t wb_simt_next(struct wb_simt_analysis *analysis)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  if (fixpoint->queue_count == 0)
    return WB_NOWHERE;
  uint32_t *queue = fixpoint->queue;
  const uint32_t first = queue[0];
  const uint32_t moved = queue[--fixpoint->queue_count];
  size_t at = 0;
  for (size_t child = 1; child < fixpoint->queue_count; child = 2 * at + 1) {
    if (child + 1 < fixpoint->queue_count && before(analysis, queue[child + 1], queue[child]))
      child++;
    if (before(analysis, moved, queue[child]))
      break;
    queue[at] = queue[child];
    at = child;
  }
  queue[at] = moved;
  fixpoint->states[first].queued = false;
  return first;
}

/* ---- cells ---- */

static bool reserve_cell(struct wb_simt_fixpoint *fixpoint, uint32_t cell)
{
  const size_t old = fixpoint->cell_capacity;
  if (cell < old)
    return true;
  if (!wb_grow(fixpoint->first_dependents, &fixpoint->cell_capacity, (size_t)cell + 1))
    return false;
  memset(fixpoint->first_dependents + old, 0,
         (fixpoint->cell_capacity - old) * sizeof *fixpoint->first_dependents);
  return true;
}

void wb_simt_depend(struct wb_simt_analysis *analysis, uint32_t cell)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  const uint32_t state = analysis->block.state;
  if (!wb_simt_searching(analysis) ||
      wb_pair_map_find(&fixpoint->dependences, cell, state) != WB_PAIR_ABSENT)
    return;
  if (fixpoint->dependent_count >= UINT32_MAX - 1 || !reserve_cell(fixpoint, cell) ||
      !wb_grow(fixpoint->dependents, &fixpoint->dependent_capacity,
               fixpoint->dependent_count + 1) ||
      !wb_pair_map_add(&fixpoint->dependences, cell, state, 0)) {
    wb_simt_no_memory(analysis);
    return;
  }
  uint32_t *first = &fixpoint->first_dependents[cell];
  fixpoint->dependents[fixpoint->dependent_count] =
      (struct wb_simt_dependent){state, *first == 0 ? WB_NOWHERE : *first - 1};
  *first = (uint32_t)++fixpoint->dependent_count;
}

void wb_simt_changed(struct wb_simt_analysis *analysis, uint32_t cell)
{
  const struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  wb_simt_violated(analysis, "what waiting lanes find is more than is kept");
  if (!wb_simt_searching(analysis) || cell >= fixpoint->cell_capacity ||
      fixpoint->first_dependents[cell] == 0)
    return;
  uint32_t next = fixpoint->first_dependents[cell] - 1;
  for (; next != WB_NOWHERE; next = fixpoint->dependents[next].next)
    enqueue(analysis, fixpoint->dependents[next].state);
}

/* ---- states ---- */

struct wb_abstract_state *wb_simt_abstract_of(const struct wb_simt_analysis *analysis,
                                              uint32_t state)
{
  void *abstract = analysis->fixpoint.abstracts + state * analysis->mechanism->state_size;
  return abstract;
}

static bool grow_abstracts(struct wb_simt_fixpoint *fixpoint, size_t size)
{
  const size_t needed = fixpoint->state_count + 1;
  fixpoint->abstracts = wb_grown(fixpoint->abstracts, &fixpoint->abstract_capacity, needed, size);
  return needed <= fixpoint->abstract_capacity;
}

/* The state of a place; a new one, the least, where there is none (*made). WB_NOWHERE on
 * failure. */
static uint32_t state_at(struct wb_simt_analysis *analysis, struct wb_simt_place place, bool *made)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  const size_t size = analysis->mechanism->state_size;
  uint32_t state = wb_pair_map_find(&fixpoint->places, place.instruction, place.context);
  *made = state == WB_PAIR_ABSENT;
  if (!*made)
    return state;
  state = (uint32_t)fixpoint->state_count;
  if (fixpoint->state_count >= UINT32_MAX - 1 ||
      !wb_grow(fixpoint->states, &fixpoint->state_capacity, fixpoint->state_count + 1) ||
      !grow_abstracts(fixpoint, size) ||
      !wb_pair_map_add(&fixpoint->places, place.instruction, place.context, state)) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  fixpoint->states[state] = (struct wb_simt_state){.place = place};
  memset(fixpoint->abstracts + state * size, 0, size);
  fixpoint->state_count++;
  return state;
}

/* The checking pass: the place's state must cover what comes to it. */
static void check_covered(struct wb_simt_analysis *analysis, struct wb_simt_place place,
                          uint32_t agreement, const struct wb_abstract_state *abstract)
{
  const struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  const uint32_t state = wb_pair_map_find(&fixpoint->places, place.instruction, place.context);
  if (state == WB_PAIR_ABSENT)
    wb_simt_violated(analysis, "a successor's place has no state");
  else if (!wb_register_sets_include(&analysis->sets, agreement, fixpoint->states[state].agreement))
    wb_simt_violated(analysis, "a successor's agreement is not covered");
  else if (!analysis->mechanism->covers(analysis, wb_simt_abstract_of(analysis, state), abstract))
    wb_simt_violated(analysis, "a successor's state is not covered");
}

static void join(struct wb_simt_analysis *analysis, struct wb_simt_place place, uint32_t agreement,
                 const struct wb_abstract_state *abstract)
{
  bool changed;
  const uint32_t number = state_at(analysis, place, &changed);
  if (number == WB_NOWHERE)
    return;
  struct wb_simt_state *state = &analysis->fixpoint.states[number];
  const uint32_t joined =
      changed ? agreement : wb_register_sets_both(&analysis->sets, state->agreement, agreement);
  changed = changed || joined != state->agreement;
  state->agreement = joined;
  if (analysis->mechanism->join(analysis, wb_simt_abstract_of(analysis, number), abstract,
                                &changed) &&
      changed)
    enqueue(analysis, number);
}

void wb_simt_emit(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                  struct wb_simt_place place, uint32_t agreement,
                  const struct wb_abstract_state *abstract)
{
  if (!wb_simt_go_on(analysis))
    return;
  if (place.instruction >= analysis->function->instruction_count)
    wb_simt_refuse(analysis, (uint32_t)analysis->function->instruction_count - 1,
                   "control runs past the function's last instruction");
  else if (analysis->record != NULL)
    wb_simt_note_edge(analysis, transition, place);
  else if (analysis->violation != NULL)
    check_covered(analysis, place, agreement, abstract);
  else
    join(analysis, place, agreement, abstract);
}

/* ---- freeing ---- */

void wb_simt_fixpoint_end_search(struct wb_simt_fixpoint *fixpoint)
{
  free(fixpoint->queue);
  free(fixpoint->dependents);
  free(fixpoint->first_dependents);
  fixpoint->queue = NULL;
  fixpoint->dependents = NULL;
  fixpoint->first_dependents = NULL;
  wb_pair_map_free(&fixpoint->dependences);
  wb_pair_map_free(&fixpoint->places);
}

void wb_simt_fixpoint_free(struct wb_simt_analysis *analysis)
{
  struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  wb_simt_fixpoint_end_search(fixpoint);
  for (size_t s = 0; s < fixpoint->state_count; s++)
    analysis->mechanism->clear(wb_simt_abstract_of(analysis, (uint32_t)s));
  free(fixpoint->states);
  free(fixpoint->abstracts);
  *fixpoint = (struct wb_simt_fixpoint){0};
}
