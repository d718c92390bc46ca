/* Random tiny launches of several kernels, and the letters of the theorem from their code. */
#include "tiny_company.h"

#include "analysis/together/frame_steps.h"
#include "base/checked.h"

#include <string.h>

static uint8_t draw(struct wb_random *random, uint8_t least, uint8_t most)
{
  return (uint8_t)(least + wb_random_below(random, (uint64_t)most - least + 1));
}

/* ---- random launches ---- */

static void draw_kernel(struct wb_random *random, const struct company *company,
                        struct company_kernel *kernel)
{
  const bool barriers = draw(random, 0, 3) == 0;
  *kernel = (struct company_kernel){.length = draw(random, 1, COMPANY_LENGTH),
                                    .warps = draw(random, 1, 4) == 4 ? 2 : 1,
                                    .blocks = draw(random, 1, 3),
                                    .size = draw(random, 1, company->room)};
  if (kernel->warps == 2 && draw(random, 0, 3) == 0)
    kernel->warps = COMPANY_WARPS;
  for (uint8_t i = 0; i < kernel->length; i++) {
    struct company_instruction *to = &kernel->code[i];
    *to = (struct company_instruction){.hold = draw(random, 1, 3), .stall = draw(random, 1, 2)};
    to->level = draw(random, 0, 3);
    to->level = to->level == 3 ? COMPANY_OF_GPU : to->level;
    if (to->level != COMPANY_NO_REQUEST) {
      to->delay = draw(random, 0, 2);
      to->service = draw(random, 1, 3);
      to->awaited = draw(random, 0, 2) != 0;
    }
    to->barrier = barriers && i + 1 < kernel->length && draw(random, 0, 1) == 0;
  }
}

static void draw_step(struct wb_random *random, const struct company *company, uint8_t number,
                      struct company_step *step)
{
  *step = (struct company_step){.kernel = draw(random, 0, company->kernel_count - 1)};
  if (draw(random, 0, 2) == 0)
    step->gap = draw(random, 1, 2);
  for (uint8_t s = 0; s < number; s++)
    step->after |= (uint8_t)(draw(random, 0, 2) == 0 ? 1U << s : 0);
  const uint8_t kind = draw(random, 0, 5);
  if (kind > 1)
    return;
  step->kind = kind == 0 ? WB_STEP_COPY : WB_STEP_WAIT;
  step->cycles = draw(random, 1, 4);
  step->memory = kind == 0 ? draw(random, 0, step->cycles) : 0;
  step->engine = draw(random, 0, 1);
}

/* One step and launches beside it, or a graph, perhaps with a launch beside it. */
void company_draw(struct wb_random *random, struct company *company)
{
  *company = (struct company){.sms = draw(random, 1, 2),
                              .partitions = draw(random, 1, 2),
                              .sm_servers = draw(random, 1, 2),
                              .gpu_servers = draw(random, 1, 2),
                              .room = draw(random, 1, COMPANY_RESIDENT),
                              .dispatch = draw(random, 0, 5) == 0 ? 1 : 0,
                              .kernel_count = draw(random, 1, COMPANY_KERNELS),
                              .leave_late = draw(random, 0, 2) == 0,
                              .early = draw(random, 0, 3) == 0};
  for (uint8_t k = 0; k < company->kernel_count; k++)
    draw_kernel(random, company, &company->kernels[k]);
  const bool alone = draw(random, 0, 1) == 0;
  const uint8_t graph = alone ? 1 : draw(random, 2, 5);
  const uint8_t beside = alone ? draw(random, 1, 2) : draw(random, 0, 3) == 0;
  company->step_count = graph + beside;
  for (uint8_t s = 0; s < company->step_count; s++) {
    struct company_step *step = &company->steps[s];
    draw_step(random, company, s < graph ? s : 0, step);
    step->beside = s >= graph;
    if (alone && s < graph)
      *step = (struct company_step){.kernel = step->kernel};
    else if (step->beside)
      *step = (struct company_step){
          .kernel = step->kernel, .beside = true, .late = draw(random, 0, 1) == 0};
  }
  company->repeated = draw(random, 0, 1) == 0;
}

void company_draw_frames(struct wb_random *random, struct company *company)
{
  company_draw(random, company);
  company->early = company->repeated = false;
  company->frames = draw(random, 2, 3);
  company->of = draw(random, 0, company->frames - 1);
  /* Little work and long gaps: else no period is longer than what all frames in flight do. */
  for (uint8_t k = 0; k < company->kernel_count; k++) {
    company->kernels[k].blocks = draw(random, 1, 4) == 4 ? 2 : 1;
    company->kernels[k].length = (uint8_t)wb_minimum(company->kernels[k].length, 2);
    company->kernels[k].warps = draw(random, 1, 4) == 4 ? 2 : 1;
  }
  const uint8_t count = draw(random, 1, 2);
  company->step_count = count * company->frames;
  struct company_step frame[2];
  for (uint8_t s = 0; s < count; s++) {
    do
      draw_step(random, company, s, &frame[s]);
    while (frame[s].kind == WB_STEP_WAIT);
    frame[s].gap = draw(random, 0, 9);
    frame[s].stream = draw(random, 0, 1) * draw(random, 1, 2);
  }
  for (uint8_t s = 0; s < company->step_count; s++) {
    struct company_step *step = &company->steps[s];
    *step = frame[s % count];
    step->frame = s / count;
    step->after = (uint8_t)(step->after << (s - s % count));
    /* The last step before it of its stream, of this frame or the one before. */
    for (uint8_t before = s; before-- > 0 && step->stream != 0;) {
      if (company->steps[before].stream == step->stream) {
        step->after |= (uint8_t)(1U << before);
        break;
      }
    }
  }
}

/* ---- letters ---- */

#define PARTS 2u /* all servers divide it */

/* The longest chain of steps through the code, in parts of a cycle: from each issue to the next
 * one, by the stall or the slot; to what is awaited, by delay and the part of the service that no
 * one else can be charged; and to the end of all. */
static uint64_t chain_of(const struct company *company, const struct company_kernel *kernel)
{
  uint64_t issue = 0;
  uint64_t end = 0;
  for (uint8_t i = 0; i < kernel->length; i++) {
    const struct company_instruction *at = &kernel->code[i];
    const uint64_t servers =
        at->level == COMPANY_OF_SM ? company->sm_servers : company->gpu_servers;
    uint64_t next = issue + PARTS * wb_maximum(at->stall, at->hold);
    if (at->level != COMPANY_NO_REQUEST) {
      const uint64_t done = issue + PARTS * at->delay + at->service * (PARTS - PARTS / servers);
      end = wb_maximum(end, done);
      next = at->awaited ? wb_maximum(next, done) : next;
    }
    end = wb_maximum(end, next);
    issue = next;
  }
  return end;
}

static void find_terms(const struct company *company, const struct company_kernel *kernel,
                       struct wb_launch_terms *terms)
{
  uint64_t holds = 0;
  uint64_t holds_of_phase = 0;
  *terms = (struct wb_launch_terms){.denominator = PARTS, .phases = 1, .barriers_known = true};
  for (uint8_t i = 0; i < kernel->length; i++) {
    const struct company_instruction *at = &kernel->code[i];
    holds += PARTS * at->hold;
    holds_of_phase += PARTS * at->hold;
    terms->sum[WB_SUM_PHASE_UNITS] = wb_maximum(terms->sum[WB_SUM_PHASE_UNITS], holds_of_phase);
    terms->longest_unit = wb_maximum(terms->longest_unit, at->hold - 1U);
    if (at->barrier) {
      terms->phases++;
      holds_of_phase = 0;
    }
    if (at->level == COMPANY_OF_SM)
      terms->sum[WB_SUM_OTHERS] += at->service * PARTS / company->sm_servers;
    if (at->level == COMPANY_OF_GPU)
      terms->sum[WB_SUM_GPU] += at->service * PARTS / company->gpu_servers;
    terms->sum[WB_SUM_TOTAL] +=
        PARTS * (wb_maximum(at->stall, at->hold) + (uint64_t)at->delay + at->service);
  }
  terms->sum[WB_SUM_UNITS] = holds;
  terms->sum[WB_SUM_PARTITION] = holds + terms->sum[WB_SUM_OTHERS];
  terms->sum[WB_SUM_OWN] = chain_of(company, kernel) + terms->sum[WB_SUM_OTHERS];
  terms->longest_unit = terms->phases > 1 ? terms->longest_unit : 0;
}

/* The step of the question, before step s, that the launch beside is one more of; or NULL. */
static struct wb_together_step *find_repeated(const struct company *company,
                                              struct company_question *question, uint8_t s)
{
  for (uint8_t o = 0; o < s && company->repeated && company->steps[s].beside; o++) {
    if (company->steps[o].beside && company->steps[o].kernel == company->steps[s].kernel)
      return &question->steps[o];
  }
  return NULL;
}

void company_ask(const struct company *company, struct company_question *question)
{
  *question =
      (struct company_question){.mixes = {.kernel_count = company->kernel_count, .room_count = 1}};
  question->mixes.rooms[0].capacity = company->room;
  for (uint8_t k = 0; k < company->kernel_count; k++) {
    const struct company_kernel *kernel = &company->kernels[k];
    find_terms(company, kernel, &question->terms[k]);
    question->shapes[k] = (struct wb_launch_shape){.blocks = kernel->blocks,
                                                   .block_warps = kernel->warps,
                                                   .sms = company->sms,
                                                   .partitions = company->partitions,
                                                   .dispatch = company->dispatch};
    question->kernels[k] = (struct wb_together_kernel){&question->terms[k], &question->shapes[k]};
    question->mixes.most[k] = company->room / kernel->size;
    question->mixes.rooms[0].size[k] = kernel->size;
  }
  uint32_t count = 0; /* launches beside come last, and are two at most */
  for (uint8_t s = 0; s < company->step_count; s++) {
    const struct company_step *from = &company->steps[s];
    struct wb_together_step *repeated = find_repeated(company, question, s);
    if (repeated != NULL) {
      repeated->times++;
      repeated->late += from->late;
      continue;
    }
    struct wb_together_step *to = &question->steps[count++];
    *to = (struct wb_together_step){.kind = from->kind,
                                    .kernel = from->kernel,
                                    .gap = from->gap,
                                    .cycles = from->cycles,
                                    .memory = from->memory,
                                    .engine = from->engine,
                                    .times = from->beside,
                                    .late = from->late,
                                    .after = question->after[s]};
    for (uint8_t a = 0; a < s; a++) {
      if ((from->after >> a & 1) != 0)
        question->after[s][to->after_count++] = a;
    }
  }
  question->question = (struct wb_together_question){.kernels = question->kernels,
                                                     .mixes = &question->mixes,
                                                     .mix_count = 1,
                                                     .steps = question->steps,
                                                     .step_count = count};
}

/* ---- several frames ---- */

/* Most frames in flight. */
#define IN_FLIGHT 8u

bool company_bound_frames(const struct company *company, uint64_t *cycles, uint32_t *in_flight)
{
  static const char *const streams[] = {NULL, "one", "two"};
  const uint8_t count = company->step_count / company->frames;
  struct company_question question;
  struct wb_frame_row rows[COMPANY_STEPS];
  uint32_t after[COMPANY_STEPS][COMPANY_STEPS];
  uint64_t size = 0;
  warpbound_error error;
  company_ask(company, &question);
  for (uint8_t s = 0; s < count; s++) {
    const struct company_step *step = &company->steps[s];
    rows[s] = (struct wb_frame_row){.name = "step",
                                    .stream = streams[step->stream],
                                    .launch = step->kernel,
                                    .gap = step->gap,
                                    .cycles = step->cycles,
                                    .memory = step->memory,
                                    .after = after[s]};
    if (step->kind == WB_STEP_COPY)
      rows[s].kind =
          step->engine == 0 ? WARPBOUND_STEP_COPY_TO_DEVICE : WARPBOUND_STEP_COPY_TO_HOST;
    for (uint8_t a = 0; a < s; a++) {
      if ((step->after >> a & 1) != 0)
        after[s][rows[s].after_count++] = a;
    }
  }
  struct wb_frame frame = {.rows = rows,
                           .row_count = count,
                           .has_graph = true,
                           .period = company->period,
                           .most_in_flight = IN_FLIGHT,
                           .kernels = question.kernels,
                           .launch_count = company->kernel_count};
  struct wb_frame_job job = {
      .frame = &frame, .error = &error, .mixes = &question.mixes, .sizes = &size, .size_count = 1};
  const warpbound_status status = wb_frame_times(&job);
  *cycles = frame.bound.cycles;
  *in_flight = frame.in_flight;
  wb_arena_free(&frame.arena);
  return status == WARPBOUND_OK;
}
