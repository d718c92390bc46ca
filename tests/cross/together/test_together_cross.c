/* The theorem of doc/launches/together.md on random tiny launches of several kernels, graphs with
 * gaps and copies, and launches that come late, against every schedule of each.
 *
 *   WARPBOUND_CROSS_RUNS  10 times the launches, 20 times the frames (20000)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (3000) */
#include "tiny_company.h"
#include "unit.h"

#include <inttypes.h>
#include <stdlib.h>

#define STATE_LIMIT 3000
#define RUNS 8

static void print_company(const struct company *company)
{
  print_message(
      "sms %u partitions %u servers %u %u room %u dispatch %u late leave %d early %d repeated %d\n",
      company->sms, company->partitions, company->sm_servers, company->gpu_servers, company->room,
      company->dispatch, company->leave_late, company->early, company->repeated);
  for (unsigned k = 0; k < company->kernel_count; k++) {
    const struct company_kernel *kernel = &company->kernels[k];
    print_message("kernel %u: blocks %u warps %u size %u:", k, kernel->blocks, kernel->warps,
                  kernel->size);
    for (unsigned i = 0; i < kernel->length; i++) {
      const struct company_instruction *at = &kernel->code[i];
      print_message(" [hold %u stall %u level %u delay %u service %u awaited %d barrier %d]",
                    at->hold, at->stall, at->level, at->delay, at->service, at->awaited,
                    at->barrier);
    }
    print_message("\n");
  }
  for (unsigned s = 0; s < company->step_count; s++) {
    const struct company_step *step = &company->steps[s];
    print_message("step %u: kind %u kernel %u gap %u cycles %u memory %u engine %u after %x beside "
                  "%d late %d stream %u\n",
                  s, step->kind, step->kernel, step->gap, step->cycles, step->memory, step->engine,
                  step->after, step->beside, step->late, step->stream);
  }
}

static int compare(const void *a, const void *b)
{
  const double left = *(const double *)a;
  const double right = *(const double *)b;
  return (left > right) - (left < right);
}

struct tally {
  double *ratio;
  uint64_t decided, reached, beside, late, graphs, copies, barriers, mixed, repeated, runs, met;
};

static void count(const struct company *company, struct tally *tally)
{
  bool beside = false, late = false, copies = false, barriers = false, mixed = false;
  unsigned graph = 0, launches = 0;
  for (unsigned s = 0; s < company->step_count; s++) {
    beside |= company->steps[s].beside;
    late |= company->steps[s].late;
    copies |= company->steps[s].kind == WB_STEP_COPY;
    graph += !company->steps[s].beside;
    launches += company->steps[s].beside;
  }
  for (unsigned k = 0; k < company->kernel_count; k++) {
    mixed |= company->kernels[k].size != company->kernels[0].size;
    for (unsigned i = 0; i < company->kernels[k].length; i++)
      barriers |= company->kernels[k].code[i].barrier;
  }
  tally->beside += beside;
  tally->late += late;
  tally->graphs += graph > 1;
  tally->copies += copies;
  tally->barriers += barriers;
  tally->mixed += mixed;
  tally->repeated += company->repeated && launches == 2 &&
                     company->steps[company->step_count - 1].kernel ==
                         company->steps[company->step_count - 2].kernel;
}

/* No simulated run takes longer than the bound; nor than the worst schedule, where blocks leave as
 * the simulator has it. */
static void compare_runs(const struct company *company, const struct company_question *question,
                         uint64_t seed, uint64_t bound, uint64_t worst, struct tally *tally)
{
  uint64_t longest = 0;
  for (uint64_t n = 0; n < RUNS; n++) {
    bool convoy;
    const uint64_t cycles = company_run(company, question, seed * RUNS + n, &convoy);
    const uint64_t limit = company->leave_late || convoy ? bound : worst;
    if (cycles > limit) {
      print_company(company);
      fail_msg("seed %" PRIu64 ": a simulated run (%" PRIu64 ") takes %" PRIu64
               " cycles, more than %" PRIu64 " (the bound: %" PRIu64 ")",
               seed, n, cycles, limit, bound);
    }
    longest = cycles > longest ? cycles : longest;
  }
  tally->runs += RUNS;
  tally->met += longest == worst;
}

/* Frames that begin again and again, of which several are under way: the longest time of one of two
 * or three, whenever they begin. */
TEST(test_frames_in_flight)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct company_brute *brute =
      company_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t searched = 0, several = 0, reached = 0, met = 0;
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++) {
    struct wb_random random = {first + r};
    struct company company;
    uint64_t cycles;
    uint32_t in_flight, worst;
    company_draw_frames(&random, &company);
    /* A frame alone takes up to two periods, or as many as let all frames in flight keep up. */
    company.period = UINT8_MAX;
    bool bounded = company_bound_frames(&company, &cycles, &in_flight);
    uint64_t period = 1 + cycles / 2 + wb_random_below(&random, cycles / 2 + 1);
    for (bool kept_up = false; bounded && !kept_up; period += 1 + period / 8) {
      company.period = (uint8_t)period;
      kept_up = company_bound_frames(&company, &cycles, &in_flight);
      bounded = kept_up || period < UINT8_MAX / 2;
    }
    if (!bounded)
      continue;
    if (!company_brute_worst(brute, &company, &worst))
      continue;
    if (worst > cycles) {
      print_company(&company);
      fail_msg("seed %" PRIu64
               ": a schedule takes longer than the bound: frame %u of %u, which begin "
               "each %u cycles: %" PRIu32 " cycles, %" PRIu64 " with %" PRIu32 " in flight",
               first + r, company.of, company.frames, company.period, worst, cycles, in_flight);
    }
    searched++;
    several += in_flight > 1;
    reached += worst == cycles;
    met += worst > company.period;
  }
  print_message("# frames: %" PRIu64 " of %" PRIu64 " searched, several in flight by the bound of "
                "%" PRIu64 ", in a schedule of %" PRIu64 "; bound reached %" PRIu64 "\n",
                searched, runs, several, met, reached);
  assert_true(runs < 100 || (several > 0 && met > 0));
  company_brute_free(brute);
}

TEST(test_every_schedule)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 10;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct company_brute *brute =
      company_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  struct tally tally = {.ratio = calloc(runs, sizeof *tally.ratio)};
  assert_non_null(brute);
  assert_non_null(tally.ratio);
  for (uint64_t r = 0; r < runs; r++) {
    struct wb_random random = {first + r};
    struct company company;
    struct company_question question;
    struct wb_together_bound bound;
    uint32_t worst;
    company_draw(&random, &company);
    company_ask(&company, &question);
    if (wb_together_evaluate(&question.question, &bound, NULL) != WARPBOUND_OK)
      fail_msg("seed %" PRIu64 ": no bound", first + r);
    if (!company_brute_worst(brute, &company, &worst))
      continue;
    if (worst > bound.cycles) {
      print_company(&company);
      fail_msg("seed %" PRIu64 ": a schedule takes longer than the bound: %" PRIu32
               " cycles, %" PRIu64,
               first + r, worst, bound.cycles);
    }
    compare_runs(&company, &question, first + r, bound.cycles, worst, &tally);
    count(&company, &tally);
    tally.reached += worst == bound.cycles;
    tally.ratio[tally.decided++] = bound.cycles > 0 ? worst / (double)bound.cycles : 1;
  }
  qsort(tally.ratio, tally.decided, sizeof *tally.ratio, compare);
  print_message("# %" PRIu64 " of %" PRIu64 " searched; bound reached %" PRIu64
                ", worst / bound: median %.2f, a tenth below %.2f\n"
                "# simulated runs %" PRIu64 ": the longest is the worst schedule of %" PRIu64 "\n"
                "# beside %" PRIu64 ", late %" PRIu64 ", graphs %" PRIu64 ", copies %" PRIu64
                ", barriers %" PRIu64 ", sizes that differ %" PRIu64 ", repeated %" PRIu64 "\n",
                tally.decided, runs, tally.reached, tally.ratio[tally.decided / 2],
                tally.ratio[tally.decided / 10], tally.runs, tally.met, tally.beside, tally.late,
                tally.graphs, tally.copies, tally.barriers, tally.mixed, tally.repeated);
  assert_true(tally.decided * 2 > runs);
  assert_true(tally.late > 0 && tally.graphs > 0 && tally.copies > 0 && tally.barriers > 0);
  free(tally.ratio);
  company_brute_free(brute);
}
