/* Whether all warps of a block pass the same barriers in the same order, or as many of the same
 * numbers at different places, or all threads of it, or of the launch, take one path, where the
 * code is said to show it: random structured programs of indices of threads and blocks, reductions
 * at barriers, shared memory, branches, loops and early ends are run by threads of two warps, in
 * any order between barriers. The threads share no code with src/: a line has the text of an
 * instruction and what it does. WARPBOUND_CROSS_RUNS: programs. */
#include "barrier_programs.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/barriers/barrier_agreement.h"
#include "unit.h"

#include <inttypes.h>

#define WARPS 2
#define THREADS (WARP * WARPS)
#define STEPS 3000

/* ---- threads ---- */

struct thread {
  uint32_t at, value[REGISTERS], result, passed, back;
  uint64_t path; /* of the lines that it came to */
  bool predicate[PREDICATES + 1], waits, ended;
};

struct block {
  struct thread threads[THREADS];
  uint32_t shared[WORDS], parameter, index, written;
};

/* What is in memory that others write. */
static uint32_t next_word(struct block *block)
{
  block->written = block->written * 5 + 1;
  return block->written >> 4 & 7;
}

static void step(const struct barrier_program *program, struct block *block, uint32_t number)
{
  struct thread *thread = &block->threads[number];
  const struct barrier_line *line = &program->lines[thread->at++];
  thread->path = (thread->path ^ thread->at) * UINT64_C(0x9e3779b97f4a7c15);
  if (line->guard < ALWAYS && thread->predicate[line->guard] == line->unless)
    return;
  switch (line->kind) {
  case THREAD:
    thread->value[line->a] = line->number == BLOCK_INDEX ? block->index : number;
    break;
  case NUMBER:
    thread->value[line->a] = line->number;
    break;
  case GLOBAL:
    thread->value[line->a] =
        line->number > 0 ? (thread->value[line->b] * 7 + 3) % 6 : next_word(block);
    break;
  case PARAMETER:
    thread->value[line->a] = block->parameter;
    break;
  case ADD:
    thread->value[line->a] = thread->value[line->b] + line->number;
    break;
  case TEST_LESS:
    thread->predicate[line->a] = (int32_t)thread->value[line->b] < (int32_t)(2 * line->number);
    break;
  case TEST_WARP:
    thread->predicate[line->a] = (int32_t)thread->value[line->b] < WARP;
    break;
  case RESULT:
    thread->value[line->a] = thread->result;
    break;
  case STORE:
    block->shared[line->number] = thread->value[line->a];
    break;
  case LOAD:
    thread->value[line->a] = block->shared[line->number];
    break;
  case CALL:
    thread->back = thread->at;
    thread->at = line->number;
    break;
  case RETURN:
    thread->at = thread->back;
    break;
  case JUMP:
    thread->at = line->number;
    break;
  case END:
    thread->ended = true;
    break;
  case SYNC:
  case REDUCE:
    thread->waits = true;
    break;
  default:
    break;
  }
}

/* What is said of a program: that all warps pass the same barriers, or as many, and that all of a
 * block, or of the launch, take one path. */
struct claim {
  bool same, as_many, same_path, launch_path;
  enum wb_early_ends early_ends;
};

/* What stands at the barrier that threads wait at; NULL where they pass it alike. */
static const char *release(const struct barrier_program *program, struct block *block,
                           struct claim claim)
{
  const struct thread *first = NULL;
  uint32_t count = 0;
  for (uint32_t t = 0; t < THREADS; t++) {
    struct thread *thread = &block->threads[t];
    if (!thread->waits)
      continue;
    const struct barrier_line *line = &program->lines[thread->at - 1];
    first = first != NULL ? first : thread;
    count += line->kind == REDUCE && thread->predicate[line->a];
    if ((claim.same && thread->at != first->at) || thread->passed != first->passed)
      return "threads wait at different barriers";
    if (line->b % 2 != program->lines[first->at - 1].b % 2 ||
        line->kind != program->lines[first->at - 1].kind)
      return "threads wait at barriers of different numbers or kinds";
  }
  for (uint32_t w = 0; w < WARPS && first != NULL; w++) {
    uint32_t waiting = 0, passed = 0;
    for (uint32_t t = w * WARP; t < (w + 1) * WARP; t++) {
      waiting += block->threads[t].waits;
      passed |= block->threads[t].passed;
    }
    if (waiting == 0 &&
        (claim.early_ends == WB_ENDS_ALIKE || (claim.early_ends == WB_ENDS_FIRST && passed > 0)))
      return "a warp ended before a barrier that another passes";
  }
  for (uint32_t t = 0; t < THREADS; t++) {
    struct thread *thread = &block->threads[t];
    if (!thread->waits)
      continue;
    if (program->lines[thread->at - 1].kind == REDUCE)
      thread->result = count;
    thread->waits = false;
    thread->passed++;
  }
  return NULL;
}

/* What the blocks of a launch have in common, when one of them has been run. */
struct launch {
  uint32_t parameter;
  uint64_t path; /* of the first thread of a block; 0: no block has ended */
};

/* What stands at the ends of all threads, which are said to take one path; or NULL. */
static const char *compare_paths(const struct block *block, struct claim claim,
                                 struct launch *launch)
{
  if (claim.launch_path && launch->path != 0 && block->threads[0].path != launch->path)
    return "threads of two blocks take different paths";
  launch->path = block->threads[0].path;
  for (uint32_t t = 1; t < THREADS; t++)
    if (block->threads[t].path != block->threads[0].path)
      return "threads take different paths";
  return NULL;
}

/* Runs the threads of a block to their ends, or as far as steps go. */
static const char *run(struct barrier_program *program, struct claim claim, struct launch *launch)
{
  static struct block block;
  block = (struct block){.parameter = launch->parameter, .index = draw(program, 6)};
  for (uint32_t w = 0; w < WORDS; w++)
    block.shared[w] = draw(program, 4);
  for (uint32_t t = 0; t < THREADS; t++) {
    struct thread *thread = &block.threads[t];
    thread->result = draw(program, 4);
    for (uint32_t r = 0; r < REGISTERS; r++)
      thread->value[r] = draw(program, 4);
    for (uint32_t p = 0; p < PREDICATES; p++)
      thread->predicate[p] = draw(program, 2);
  }
  for (uint32_t steps = 0; steps < STEPS;) {
    uint32_t ready[THREADS], count = 0, waiting = 0;
    for (uint32_t t = 0; t < THREADS; t++) {
      waiting += block.threads[t].waits;
      if (!block.threads[t].ended && !block.threads[t].waits)
        ready[count++] = t;
    }
    if (count == 0) {
      const char *problem = release(program, &block, claim);
      if (problem != NULL || waiting == 0)
        return problem != NULL || !claim.same_path ? problem : compare_paths(&block, claim, launch);
      steps++;
      continue;
    }
    const uint32_t chosen = ready[draw(program, count)];
    for (uint32_t n = 1 + draw(program, 12); n > 0; n--, steps++)
      if (!block.threads[chosen].ended && !block.threads[chosen].waits)
        step(program, &block, chosen);
  }
  return NULL;
}

/* ---- the claims ---- */

/* What the code is said to show; nothing where the analysis refuses the code. */
static struct claim claim_of(const struct barrier_program *program, enum wb_early_ends early_ends)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {.block = {THREADS, 1, 1}};
  struct wb_simt_analysis *analysis = NULL;
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error = {.message = ""};
  listing_of(program->sm, program->text.data, &code);
  struct claim claim = {.early_ends = early_ends};
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) ==
      WARPBOUND_OK) {
    FREED_BY(wb_barrier_agreement_free) struct wb_barrier_agreement agreement;
    bool unchanged[LINES + 1] = {false};
    for (size_t l = 0; l < program->count; l++)
      unchanged[l] = program->lines[l].kind == GLOBAL && program->lines[l].number > 0;
    assert_ok(wb_barrier_agreement_find(wb_simt_analysis_graph(analysis), early_ends,
                                        WB_COMPARED_BLOCK, unchanged, &agreement, &error));
    claim.same = agreement.agreed;
    claim.as_many = agreement.as_many;
    claim.same_path = agreement.same_path;
    wb_barrier_agreement_free(&agreement);
    assert_ok(wb_barrier_agreement_find(wb_simt_analysis_graph(analysis), early_ends,
                                        WB_COMPARED_LAUNCH, unchanged, &agreement, &error));
    claim.launch_path = agreement.same_path;
    assert_true(claim.same_path || !claim.launch_path);
  }
  wb_simt_analysis_free(analysis);
  return claim;
}

TEST(claims_hold_of_every_run)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 4000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t claims = 0, by_result = 0, by_shared = 0, as_many = 0, same_paths = 0;
  uint64_t of_launch = 0, by_global = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct barrier_program program;
    barrier_program_draw(seed, seed % 3 == 0 ? 52 : 87, &program);
    const struct claim claim = claim_of(&program, seed % 3 == 1 ? WB_ENDS_FIRST : WB_ENDS_ALIKE);
    if (claim.as_many) {
      bool result = false, shared = false, global = false, jumps = false;
      for (size_t l = 0; l < program.count; l++) {
        result |= program.lines[l].kind == RESULT;
        shared |= program.lines[l].kind == LOAD;
        global |= program.lines[l].kind == GLOBAL && program.lines[l].number > 0;
        jumps |= program.lines[l].kind == JUMP;
      }
      claims += claim.same;
      as_many += !claim.same;
      same_paths += claim.same_path && jumps;
      of_launch += claim.launch_path && jumps;
      by_result += claim.same && result;
      by_shared += claim.same && shared;
      by_global += claim.same && global;
      struct launch launch = {.parameter = draw(&program, 6)};
      for (int r = 0; r < 4; r++) {
        if (!claim.launch_path)
          launch.parameter = draw(&program, 6);
        const char *problem = run(&program, claim, &launch);
        if (problem != NULL)
          fail_msg("seed %" PRIu64 ": %s: %s", seed, problem, program.text.data);
      }
    }
    wb_text_free(&program.text);
  }
  print_message(
      "# of %" PRIu64 " programs %" PRIu64 " are claimed, %" PRIu64 " with results, %" PRIu64
      " with shared memory, %" PRIu64 " with global memory that nothing writes; of %" PRIu64
      " that warps pass as many, of %" PRIu64 " with jumps that threads of a block take one "
      "path, of %" PRIu64 " those of the launch\n",
      runs, claims, by_result, by_shared, by_global, as_many, same_paths, of_launch);
  assert_true(by_result > runs / 200 && by_shared > runs / 200 && by_global > runs / 200 &&
              as_many > runs / 200 && same_paths > runs / 200 && of_launch > runs / 400);
}

/* Threads end anywhere, and each passes the first barriers of one sequence. */
TEST(ends_anywhere)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 4000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t same = 0, as_many = 0, alone = 0, turns = 0, called = 0;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct barrier_program program;
    barrier_program_leaving(seed, &program);
    const struct claim claim = claim_of(&program, WB_ENDS_ANYWHERE);
    if (claim.as_many) {
      bool barriers = false, back = false;
      for (size_t l = 0; l < program.count; l++) {
        barriers |= program.lines[l].kind == SYNC || program.lines[l].kind == REDUCE;
        back |= program.lines[l].kind == JUMP && program.lines[l].number <= l;
      }
      same += claim.same && barriers;
      as_many += !claim.same;
      const bool others =
          claim_of(&program, WB_ENDS_FIRST).same || claim_of(&program, WB_ENDS_ALIKE).as_many;
      alone += !others;
      turns += !others && back;
      called += !others && program.call_count > 0;
      struct launch launch = {.parameter = 0};
      for (int r = 0; r < 4; r++) {
        launch.parameter = draw(&program, 6);
        const char *problem = run(&program, claim, &launch);
        if (problem != NULL)
          fail_msg("seed %" PRIu64 ": %s: %s", seed, problem, program.text.data);
      }
    }
    wb_text_free(&program.text);
  }
  print_message("# of %" PRIu64 " programs with ends anywhere %" PRIu64
                " pass the first barriers of one sequence at the same places, %" PRIu64
                " as many; of %" PRIu64 " nothing else shows it, %" PRIu64 " with loops, %" PRIu64
                " with calls\n",
                runs, same, as_many, alone, turns, called);
  assert_true(same > runs / 20 && as_many > runs / 200 && alone > runs / 50 && turns > runs / 200 &&
              called > runs / 200);
}
