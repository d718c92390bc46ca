#include "makespan/exact/layered_crew.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/workers.h"
#include "makespan/exact/layered_moves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States of a layer that one thread expands alone: it is done before others have started. */
#define SMALL_LAYER ((size_t)2048)
/* States that a member takes at a time. */
#define CHUNK ((size_t)64)
/* Bytes of successors that a member keeps before it waits for its ticket. */
#define MOST_KEPT ((size_t)1 << 18)

/* One thread. into: where the successors of state `parent` go: to the states of the search
 * where it is alone, else to its own. chunk: the first of the states it has taken, which are
 * copied, as the search finds its states by what changes when others add to them. */
struct wb_layered_member {
  struct wb_layered_crew *crew;
  struct wb_layered_moves moves;
  struct wb_layered_states own;
  struct wb_layered_states *into;
  uint8_t *copies;
  size_t chunk;
  uint32_t parent;
};

/* Asks the control. */
static bool goes_on(void *context)
{
  const struct wb_layered_member *member = context;
  struct wb_layered_crew *crew = member->crew;
  pthread_mutex_lock(&crew->lock);
  if (crew->stop == WB_STOP_NONE) {
    char phase[80];
    snprintf(phase, sizeof phase, "%s, cycle %" PRIu64 ", %zu states", crew->phase, crew->cycle,
             crew->states->count - wb_layered_base(crew->states));
    crew->stop = wb_control_poll(crew->control, phase, (double)crew->cycle / (double)crew->goal);
    if (crew->stop != WB_STOP_NONE)
      pthread_cond_broadcast(&crew->called);
  }
  bool on = crew->stop == WB_STOP_NONE;
  pthread_mutex_unlock(&crew->lock);
  return on;
}

static void stop_for_memory(struct wb_layered_crew *crew)
{
  crew->stop = WB_STOP_MEMORY;
  pthread_cond_broadcast(&crew->called);
}

/* Waits for the member's ticket and adds what it has kept to the states of the search. The lock is
 * held. */
static void hand_over(struct wb_layered_member *member)
{
  struct wb_layered_crew *crew = member->crew;
  while (crew->ticket != member->chunk && crew->stop == WB_STOP_NONE)
    pthread_cond_wait(&crew->called, &crew->lock);
  for (size_t i = 0; i < member->own.count && crew->stop == WB_STOP_NONE; i++) {
    if (!wb_layered_add(crew->states, wb_layered_code(&member->own, i), &member->own.notes[i]))
      stop_for_memory(crew);
  }
  if (crew->stop == WB_STOP_NONE && !wb_layered_empty(&member->own))
    stop_for_memory(crew);
}

/* A member that is alone needs no lock. */
static bool reach(void *context, const uint8_t *code, uint64_t hash, uint32_t value)
{
  struct wb_layered_member *member = context;
  struct wb_layered_crew *crew = member->crew;
  const struct wb_layered_note note = {hash, value, member->parent};
  bool added = wb_layered_add(member->into, code, &note);
  if (added && (member->into != &member->own ||
                member->own.count * (member->own.bytes + sizeof note) < MOST_KEPT))
    return true;
  pthread_mutex_lock(&crew->lock);
  if (added)
    hand_over(member);
  else
    stop_for_memory(crew);
  bool on = crew->stop == WB_STOP_NONE;
  pthread_mutex_unlock(&crew->lock);
  return on;
}

static void expand_chunk(struct wb_layered_member *member, size_t count)
{
  const struct wb_layered_crew *crew = member->crew;
  bool on = true;
  for (size_t i = 0; on && i < count; i++) {
    member->parent = (uint32_t)(member->chunk + i - crew->first);
    on = wb_layered_expand(&member->moves, member->copies + i * member->own.bytes,
                           crew->least_value);
  }
}

/* Takes states as long as there are some. */
static void *work(void *argument)
{
  struct wb_layered_member *member = argument;
  struct wb_layered_crew *crew = member->crew;
  pthread_mutex_lock(&crew->lock);
  while (crew->next < crew->until && crew->stop == WB_STOP_NONE) {
    size_t count = (size_t)wb_minimum(CHUNK, crew->until - crew->next);
    member->chunk = crew->next;
    crew->next += count;
    for (size_t i = 0; i < count; i++)
      memcpy(member->copies + i * member->own.bytes,
             wb_layered_code(crew->states, member->chunk + i), member->own.bytes);
    pthread_mutex_unlock(&crew->lock);
    expand_chunk(member, count);
    pthread_mutex_lock(&crew->lock);
    hand_over(member);
    crew->ticket = member->chunk + count;
    pthread_cond_broadcast(&crew->called);
  }
  pthread_mutex_unlock(&crew->lock);
  return NULL;
}

static void work_together(struct wb_layered_crew *crew)
{
  crew->members[0].into = &crew->members[0].own;
  wb_workers_run(work, crew->members, crew->member_count, sizeof *crew->members);
}

static void work_alone(struct wb_layered_crew *crew)
{
  struct wb_layered_member *member = &crew->members[0];
  bool on = true;
  member->into = crew->states;
  for (size_t i = crew->next; on && i < crew->until; i++) {
    member->parent = (uint32_t)(i - crew->first);
    on = wb_layered_expand(&member->moves, wb_layered_code(crew->states, i), crew->least_value);
  }
}

static bool start_member(struct wb_layered_crew *crew, struct wb_layered_member *member)
{
  const struct wb_layered_taker taker = {reach, goes_on, member};
  size_t bytes = crew->states->bytes;
  *member = (struct wb_layered_member){
      .crew = crew, .own = {.bytes = bytes, .memory = UINT64_MAX}, .into = &member->own};
  member->copies = wb_allocate(CHUNK, bytes);
  return wb_layered_moves_start(&member->moves, crew->table, crew->code, &taker) &&
         member->copies != NULL && wb_layered_empty(&member->own);
}

static void free_member(struct wb_layered_member *member)
{
  wb_layered_moves_free(&member->moves);
  wb_layered_states_free(&member->own);
  free(member->copies);
}

/* Members from the second on, as many as can be had. */
static void call_members(struct wb_layered_crew *crew)
{
  while (crew->member_count < crew->control->threads) {
    struct wb_layered_member *member = &crew->members[crew->member_count];
    if (!start_member(crew, member)) {
      free_member(member);
      return;
    }
    crew->member_count++;
  }
}

void wb_layered_crew_fill(struct wb_layered_crew *crew)
{
  crew->first = wb_layered_base(crew->states);
  crew->next = crew->first;
  crew->ticket = crew->next;
  crew->until = crew->states->count;
  crew->least_value = crew->goal > crew->cycle ? crew->goal - crew->cycle : 0;
  if (!wb_layered_begin(crew->states)) {
    crew->stop = WB_STOP_MEMORY;
    return;
  }
  bool large = crew->until - crew->next >= SMALL_LAYER;
  if (large)
    call_members(crew);
  if (large && crew->member_count > 1)
    work_together(crew);
  else
    work_alone(crew);
}

bool wb_layered_crew_start(struct wb_layered_crew *crew)
{
  crew->members = wb_allocate(crew->control->threads, sizeof *crew->members);
  if (crew->members == NULL)
    return false;
  if (!start_member(crew, &crew->members[0]))
    goto no_member;
  if (pthread_mutex_init(&crew->lock, NULL) != 0)
    goto no_member;
  if (pthread_cond_init(&crew->called, NULL) != 0)
    goto no_condition;
  crew->member_count = 1;
  return true;
no_condition:
  pthread_mutex_destroy(&crew->lock);
no_member:
  free_member(&crew->members[0]);
  free(crew->members);
  return false;
}

void wb_layered_crew_free(struct wb_layered_crew *crew)
{
  for (unsigned t = 0; t < crew->member_count; t++)
    free_member(&crew->members[t]);
  free(crew->members);
  pthread_cond_destroy(&crew->called);
  pthread_mutex_destroy(&crew->lock);
}
