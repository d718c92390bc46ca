#include "makespan/annealing/annealing.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/machine/policy.h"

#include <stdlib.h>
#include <string.h>

/* ---- where to begin anew ---- */

warpbound_status wb_annealing_guide_start(struct wb_annealing_guide *guide,
                                          const struct wb_problem *problem, uint64_t most,
                                          uint64_t memory, const struct wb_control *control,
                                          warpbound_error *error)
{
  *guide = (struct wb_annealing_guide){0};
  uint64_t needed, done;
  const struct wb_run_table_options options = {
      .cut = wb_run_cut_of(problem), .whole = true, .most = most};
  if (wb_run_table_plan(problem, &options, memory, &needed) == 0)
    return WARPBOUND_OK;
  warpbound_status status = wb_run_table_start(&guide->table, problem, &options, error);
  enum wb_stop stop = WB_STOP_NONE;
  if (status == WARPBOUND_OK)
    status = wb_run_table_fill(&guide->table, control, &stop, &done, error);
  if (status == WARPBOUND_OK) {
    guide->run_of = wb_allocate(problem->string.length, sizeof *guide->run_of);
    if (guide->run_of == NULL)
      status = wb_out_of_memory(error);
    else {
      size_t at = 0;
      for (size_t r = 0; r < guide->table.run_count; r++) {
        for (uint64_t i = 0; i < guide->table.runs[r].length; i++)
          guide->run_of[at++] = (uint32_t)r;
      }
    }
  }
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    wb_annealing_guide_free(guide);
  return status;
}

void wb_annealing_guide_free(struct wb_annealing_guide *guide)
{
  wb_run_table_free(&guide->table);
  free(guide->run_of);
  *guide = (struct wb_annealing_guide){0};
}

size_t wb_annealing_guide_cut(const struct wb_annealing_guide *guide,
                              const struct wb_annealing_evaluation *evaluation, uint64_t goal,
                              struct wb_random *random, uint32_t *inside, uint64_t *pending)
{
  const struct wb_run_table *table = &guide->table;
  const uint32_t *cycle = evaluation->cycle;
  size_t last = evaluation->entries - 2;
  if (guide->run_of != NULL) {
    uint32_t *done = evaluation->left;
    memset(inside, 0, table->run_count * sizeof *inside);
    memset(pending, 0, table->run_count * sizeof *pending);
    memset(done, 0, evaluation->warps * sizeof *done);
    inside[0] = evaluation->warps;
    pending[0] = evaluation->warps * (uint64_t)table->runs[0].length;
    /* The last place at which a cycle begins before which all could still lead to the goal. Along a
     * schedule cycle + value never grows. */
    size_t promising = 0;
    for (size_t k = 0; k < evaluation->entries; k++) {
      if (k > 0 && cycle[k] != cycle[k - 1]) {
        uint32_t value = wb_run_table_value(table, inside, pending);
        if (!wb_run_table_may_reach(table, value, goal > cycle[k - 1] ? goal - cycle[k - 1] : 0))
          break;
        promising = k;
      }
      uint32_t i = done[evaluation->order[k]]++;
      uint32_t r = guide->run_of[i];
      pending[r]--;
      if (i + 1 < evaluation->length && guide->run_of[i + 1] == r)
        continue;
      inside[r]--;
      if (r + 1 < table->run_count) {
        inside[r + 1]++;
        pending[r + 1] += table->runs[r + 1].length;
      }
    }
    last = promising < last ? promising : last;
  }
  size_t place = (size_t)wb_annealing_below(random, last + 1);
  while (place > 0 && cycle[place] == cycle[place - 1])
    place--;
  return place;
}

/* ---- the annealing ---- */

/* Coolings of the windowed variant, each but the first after a restart. */
#define ROUNDS 8

/* The annealing under way. */
struct search {
  const struct wb_problem *problem;
  size_t entries; /* places of a string */
  struct wb_annealing_guide guide;
  uint64_t state_memory;                /* bytes for the states that a run keeps */
  uint32_t *initial[WB_TEMPLATE_COUNT]; /* the initial strings that are needed */
  struct wb_annealing_runs runs;
  uint32_t *best;        /* the longest string of all */
  struct wb_arena arena; /* of the strings, and of the workers and theirs */
};

/* A thread. */
struct worker {
  struct wb_annealing_thread thread; /* first */
  struct search *search;
  struct wb_annealing_evaluation evaluation;
  uint32_t *best;    /* the longest string of its run */
  size_t floor;      /* the first place that may change */
  uint32_t *inside;  /* working memory, by run of the guide */
  uint64_t *pending; /* working memory, by run of the guide */
};

/* The string that a kind of run begins with; the random one is shuffled round-robin. */
static const enum wb_template templates[WB_ANNEALING_ALL] = {
    [WB_ANNEALING_ROUND_ROBIN] = WB_TEMPLATE_ROUND_ROBIN,
    [WB_ANNEALING_FIXED_PRIORITY] = WB_TEMPLATE_FIXED_PRIORITY,
    [WB_ANNEALING_MOST_PENDING] = WB_TEMPLATE_MOST_PENDING,
    [WB_ANNEALING_RANDOM] = WB_TEMPLATE_ROUND_ROBIN,
};

/* ---- a run ---- */

static void record_if_longer(struct worker *worker)
{
  if (worker->evaluation.makespan <= worker->thread.best)
    return;
  wb_annealing_improve(&worker->thread, worker->evaluation.makespan);
  memcpy(worker->best, worker->evaluation.order, worker->search->entries * sizeof *worker->best);
}

/* Keeps the change that was begun, whatever its makespan. */
static void keep_change(struct wb_annealing_evaluation *evaluation)
{
  bool changed;
  wb_annealing_evaluation_try(evaluation, &changed);
  if (changed)
    wb_annealing_evaluation_keep(evaluation);
}

/* Changes the string, and keeps or drops the change. */
static void step(struct wb_annealing_thread *thread, double temperature)
{
  struct worker *worker = (struct worker *)thread;
  struct wb_annealing_evaluation *evaluation = &worker->evaluation;
  bool changed;
  if (wb_annealing_is_published(thread))
    wb_annealing_swap_any(evaluation, &thread->random);
  else
    wb_annealing_change_window(evaluation, worker->floor, &thread->random);
  uint32_t makespan = wb_annealing_evaluation_try(evaluation, &changed);
  if (!changed)
    return;
  if (makespan < evaluation->makespan &&
      !wb_annealing_accepts(thread, evaluation->makespan - makespan, temperature)) {
    wb_annealing_evaluation_drop(evaluation);
    return;
  }
  wb_annealing_evaluation_keep(evaluation);
  record_if_longer(worker);
}

/* Back to the longest string, with the warps served in turn after a promising beginning.
 * In half of the cases the beginning stays as it is until the next restart: to change only
 * what follows costs less, and to change all may be what is missing. */
static void restart(struct wb_annealing_thread *thread)
{
  struct worker *worker = (struct worker *)thread;
  struct wb_annealing_evaluation *evaluation = &worker->evaluation;
  wb_annealing_evaluation_set(evaluation, worker->best);
  worker->floor = wb_annealing_guide_cut(&worker->search->guide, evaluation, thread->best + 1,
                                         &thread->random, worker->inside, worker->pending);
  wb_annealing_serve_in_turn(evaluation, worker->floor);
  keep_change(evaluation);
  record_if_longer(worker);
  if (wb_annealing_below(&thread->random, 2) == 0)
    worker->floor = 0;
}

static void anneal(struct wb_annealing_thread *thread)
{
  struct worker *worker = (struct worker *)thread;
  struct search *search = worker->search;
  struct wb_annealing_evaluation *evaluation = &worker->evaluation;
  wb_annealing_evaluation_set(evaluation, search->initial[templates[thread->run->initial]]);
  if (thread->run->initial == WB_ANNEALING_RANDOM && search->entries > 1) {
    wb_annealing_shuffle(evaluation, &thread->random);
    keep_change(evaluation);
  }
  worker->floor = 0;
  record_if_longer(worker);
  /* Restarts take the places of a string for points in time, which those of a fair one are not. */
  bool restarts = !wb_annealing_is_published(thread) && evaluation->fair.count == 0;
  uint64_t rounds = restarts ? wb_minimum(ROUNDS, search->runs.options.iterations) : 1;
  wb_annealing_cool(thread, search->entries, search->entries > 1 ? rounds : 0, restart, step);
}

static void keep_best(struct wb_annealing_thread *thread)
{
  const struct worker *worker = (const struct worker *)thread;
  memcpy(worker->search->best, worker->best, worker->search->entries * sizeof *worker->best);
}

/* ---- all runs ---- */

/* The initial strings, made beforehand: their making asks the control, which may stop it. */
static warpbound_status fill_initial(struct search *search, enum wb_stop *stop,
                                     warpbound_error *error)
{
  const struct wb_annealing_options *options = &search->runs.options;
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t r = 0; r < options->runs && r < WB_ANNEALING_ALL && status == WARPBOUND_OK; r++) {
    enum wb_template template = templates[wb_annealing_runs_initial(options, r)];
    if (search->initial[template] != NULL)
      continue;
    search->initial[template] = wb_arena_array(&search->arena, uint32_t, search->entries);
    if (search->initial[template] == NULL)
      return wb_out_of_memory(error);
    status = wb_template_fill(template, search->problem, search->runs.control,
                              search->initial[template], error);
  }
  if (status != WARPBOUND_LIMIT)
    return status;
  *stop = wb_control_stopped(search->runs.control);
  return WARPBOUND_OK;
}

warpbound_status wb_annealing_search(const struct wb_problem *problem,
                                     const struct wb_annealing_options *options, uint64_t upper,
                                     const struct wb_control *control,
                                     struct wb_annealing_result *result, warpbound_error *error)
{
  struct search search = {.problem = problem, .entries = problem->warps * problem->string.length};
  struct wb_annealing_runs *runs = &search.runs;
  warpbound_status status =
      wb_annealing_runs_start(runs, options, control, upper, anneal, keep_best, result, error);
  if (status != WARPBOUND_OK)
    return status;
  /* As many runs at a time as fit into half of the memory, at most one on each thread. What one
   * keeps of its states depends on the limit alone: places at which it looks whether it is back at
   * an old state decide its way. */
  uint64_t memory = control->memory_limit / 2, each; /* the guide may have the rest */
  unsigned threads = 0;
  search.state_memory = memory / WB_THREAD_LIMIT;
  if (wb_add(wb_annealing_evaluation_bytes(problem, upper), search.state_memory, &each) &&
      each <= memory)
    threads = (unsigned)wb_minimum(wb_minimum(memory / each, control->threads), runs->options.runs);
  if (threads == 0)
    result->stop = WB_STOP_MEMORY;
  else if (runs->options.variant == WB_ANNEALING_WINDOWED && !wb_problem_fair(problem))
    status = wb_annealing_guide_start(&search.guide, problem, upper, options->guide_memory, control,
                                      error);
  if (status == WARPBOUND_OK && result->stop == WB_STOP_NONE)
    status = fill_initial(&search, &result->stop, error);
  if (status != WARPBOUND_OK || result->stop != WB_STOP_NONE)
    threads = 0;
  struct wb_arena *arena = &search.arena;
  struct worker *workers = wb_arena_array(arena, struct worker, threads);
  search.best = wb_arena_array(arena, uint32_t, threads > 0 ? search.entries : 0);
  if (arena->failed)
    status = wb_out_of_memory(error);
  for (unsigned t = 0; t < threads && status == WARPBOUND_OK; t++) {
    workers[t].search = &search;
    workers[t].best = wb_arena_array(arena, uint32_t, search.entries);
    workers[t].inside = wb_arena_array(arena, uint32_t, search.guide.table.run_count);
    workers[t].pending = wb_arena_array(arena, uint64_t, search.guide.table.run_count);
    status = wb_annealing_evaluation_start(&workers[t].evaluation, problem, upper,
                                           runs->options.variant == WB_ANNEALING_WINDOWED,
                                           search.state_memory, error);
    if (arena->failed)
      status = wb_out_of_memory(error);
  }
  if (threads > 0 && status == WARPBOUND_OK) {
    result->bytes = workers[0].evaluation.bytes;
    status = wb_annealing_runs_perform(runs, workers, threads, sizeof *workers, result, error);
  }
  for (unsigned t = 0; workers != NULL && t < threads; t++)
    wb_annealing_evaluation_free(&workers[t].evaluation);
  if (status == WARPBOUND_OK && runs->best > 0)
    status = wb_precedence_evaluate(problem, search.best, &result->witness, error);
  wb_annealing_guide_free(&search.guide);
  wb_arena_free(&search.arena);
  return wb_annealing_runs_end(runs, status, result);
}
