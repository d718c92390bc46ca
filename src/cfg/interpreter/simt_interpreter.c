#include "cfg/interpreter/simt_interpreter.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>

#define NOWHERE UINT32_MAX

/* A run, in the step that is being made. */
struct warp {
  const struct wb_code *code;                /* borrowed */
  const struct wb_function *function;        /* borrowed */
  const struct wb_simt_run_options *options; /* borrowed */
  struct wb_lane_values *values;             /* registers of all lanes */
  struct wb_activation_stack stack;          /* the top entry runs */
  struct wb_random random;                   /* salts, sides of indexed branches */
  const struct wb_instruction *instruction;  /* that the step does */
  struct wb_simt_step step;                  /* for the visitor */
  uint64_t salt;                             /* of the step */
  warpbound_error *error;                    /* borrowed */
};

static warpbound_status refuse(const struct warp *warp, const char *why)
{
  const struct wb_instruction *at = warp->instruction;
  const bool missing = at->transfer == WB_TRANSFER_INDEXED_BRANCH && at->target_count == 0;
  const warpbound_status status = missing ? WARPBOUND_FACTS_MISSING : WARPBOUND_INVALID_INPUT;
  return wb_fail_at(warp->error, status, warp->code->name, at->line, at->column,
                    "%s: %s at 0x%04x: %s", warp->function->name, at->opcode, at->address, why);
}

static struct wb_activation *top_of(struct warp *warp)
{
  return &warp->stack.entries[warp->stack.count - 1];
}

/* ---- the activation stack ---- */

/* False where memory is out. The count must be below WB_ACTIVATION_LIMIT. */
static bool push(struct wb_activation_stack *stack, struct wb_activation entry)
{
  if (!wb_grow(stack->entries, &stack->capacity, stack->count + 1))
    return false;
  stack->entries[stack->count++] = entry;
  return true;
}

/* The lanes leave all entries but the `kept` lowest ones. Entries that empty go; the new top's
 * token is forgotten. */
static void leave(struct wb_activation_stack *stack, uint32_t lanes, size_t kept)
{
  for (size_t i = kept; i < stack->count; i++)
    stack->entries[i].mask &= ~lanes;
  /* By the invariants the entries that empty are the uppermost ones. */
  while (stack->count > kept && stack->entries[stack->count - 1].mask == 0)
    stack->count--;
  if (stack->count > 0)
    stack->entries[stack->count - 1].token = WB_TOKEN_NONE;
}

/* The top entry waits for the token at the point; new lanes run on from `next`. */
static warpbound_status leave_waiting(struct warp *warp, uint32_t waiting, uint32_t point,
                                      uint8_t token, uint32_t lanes, uint32_t next)
{
  if (warp->stack.count >= WB_ACTIVATION_LIMIT) {
    const struct wb_instruction *at = warp->instruction;
    return wb_fail_at(warp->error, WARPBOUND_LIMIT, warp->code->name, at->line, at->column,
                      "%s: the activation stack grows beyond %zu entries", warp->function->name,
                      WB_ACTIVATION_LIMIT);
  }
  *top_of(warp) = (struct wb_activation){waiting, point, token};
  const struct wb_activation entry = {lanes, next, WB_TOKEN_NONE};
  return push(&warp->stack, entry) ? WARPBOUND_OK : wb_out_of_memory(warp->error);
}

static uint32_t next_of(const struct warp *warp)
{
  return warp->step.instruction + 1;
}

static uint32_t target_of(const struct warp *warp, uint32_t which)
{
  return warp->function->targets[warp->instruction->first_target + which];
}

/* ---- indexed branches ---- */

/* By the register alone, without the salt: lanes that wait to do the branch anew want what they
 * wanted before. */
static uint32_t wanted_by(const struct warp *warp, uint32_t lane)
{
  const uint64_t hash =
      wb_lane_values_hash(warp->values, warp->function, warp->step.instruction, lane, 0);
  return target_of(warp, (uint32_t)(hash % warp->instruction->target_count));
}

/* The lanes of the set that want to go to the target of its `rank`-th lane. */
static uint32_t side_of(const struct warp *warp, uint32_t lanes, uint64_t rank, uint32_t *target)
{
  uint32_t leader = 0;
  for (uint64_t seen = 0; (lanes >> leader & 1) == 0 || seen++ < rank;)
    leader++;
  *target = wanted_by(warp, leader);
  uint32_t side = 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) != 0 && wanted_by(warp, lane) == *target)
      side |= UINT32_C(1) << lane;
  }
  return side;
}

static warpbound_status branch_indexed(struct warp *warp)
{
  const uint32_t lanes = top_of(warp)->mask;
  uint64_t lane_count = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    lane_count++;
  uint32_t target;
  const uint32_t side = side_of(warp, lanes, wb_random_below(&warp->random, lane_count), &target);
  const uint32_t others = lanes & ~side;
  if (others == 0 || warp->instruction->uniform) {
    top_of(warp)->point = target;
    return WARPBOUND_OK;
  }
  warp->step.split = true;
  uint32_t point;
  const bool two = side_of(warp, others, 0, &point) == others;
  if (!two || wb_random_below(&warp->random, 2) == 0)
    point = warp->step.instruction;
  return leave_waiting(warp, others, point, WB_TOKEN_NONE, side, target);
}

/* ---- one step ---- */

/* All lanes of the top entry do the control instruction. */
static warpbound_status transfer(struct warp *warp)
{
  const uint32_t lanes = top_of(warp)->mask;
  const uint8_t kind = warp->instruction->transfer;
  switch (kind) {
  case WB_TRANSFER_POP: {
    size_t after = warp->stack.count; /* the first entry with the token from the top down */
    while (after > 0 && warp->stack.entries[after - 1].token != warp->instruction->token)
      after--;
    if (after == 0)
      return refuse(warp, "expected a token that it waits for on the stack, found none");
    warp->step.matched = warp->stack.entries[after - 1].point;
    leave(&warp->stack, lanes, after);
    warp->step.reactivated = !warp->step.split && warp->stack.count != after;
    return WARPBOUND_OK;
  }
  case WB_TRANSFER_EXIT:
    leave(&warp->stack, lanes, 0);
    warp->step.reactivated = !warp->step.split;
    return WARPBOUND_OK;
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
  case WB_TRANSFER_PUSH:
  case WB_TRANSFER_CALL:
    break;
  default:
    return refuse(warp, "this control instruction is not supported");
  }
  if (warp->instruction->target_count == 0)
    return refuse(warp, kind == WB_TRANSFER_INDEXED_BRANCH
                            ? "its targets are not in the listing; give --targets ADDRESS=A,B,C"
                            : "expected a target, found none");
  if (kind == WB_TRANSFER_INDEXED_BRANCH)
    return branch_indexed(warp);
  if (kind == WB_TRANSFER_PUSH)
    return leave_waiting(warp, lanes, target_of(warp, 0), warp->instruction->token, lanes,
                         next_of(warp));
  if (kind == WB_TRANSFER_CALL)
    return leave_waiting(warp, lanes, next_of(warp), WB_TOKEN_RETURN, lanes, target_of(warp, 0));
  top_of(warp)->point = target_of(warp, 0);
  return WARPBOUND_OK;
}

static warpbound_status execute(struct warp *warp)
{
  const uint8_t kind = warp->instruction->transfer;
  const uint32_t doing = warp->step.doing;
  const uint32_t rest = warp->step.active & ~doing;
  wb_lane_values_write(warp->values, warp->function, warp->step.instruction, warp->step.active,
                       doing, warp->salt);
  if (doing == 0 || kind == WB_TRANSFER_NEXT || kind == WB_TRANSFER_CALL_OUTSIDE) {
    top_of(warp)->point = next_of(warp);
    return WARPBOUND_OK;
  }
  warp->step.split = rest != 0;
  warpbound_status status = WARPBOUND_OK;
  if (rest != 0)
    status = leave_waiting(warp, rest, next_of(warp), WB_TOKEN_NONE, doing, 0);
  return status == WARPBOUND_OK ? transfer(warp) : status;
}

/* A step at the top entry's point; *go_on: there is more to run. */
static warpbound_status make_step(struct warp *warp, struct wb_simt_run *run, bool *go_on)
{
  const struct wb_simt_run_options *options = warp->options;
  const struct wb_activation top = *top_of(warp);
  if (top.point >= warp->function->instruction_count)
    return refuse(warp, "control runs past the function's last instruction");
  const struct wb_instruction *at = &warp->function->instructions[top.point];
  const bool conditional =
      at->guard != WB_NO_REGISTER || at->conditional_code || at->second_predicate;
  warp->instruction = at;
  warp->salt = wb_random_next(&warp->random) ^ top.point;
  warp->step = (struct wb_simt_step){.instruction = top.point,
                                     .active = top.mask,
                                     .depth = (uint32_t)warp->stack.count,
                                     .matched = NOWHERE,
                                     .stack = &warp->stack};
  struct wb_simt_step *step = &warp->step;
  step->doing = wb_lane_values_doing(warp->values, warp->function, top.point, top.mask, warp->salt);
  if (options->decide != NULL && conditional && !at->never && at->transfer != WB_TRANSFER_NEXT)
    step->doing = top.mask & options->decide(options->context, top.point, top.mask, step->doing);
  const warpbound_status status = execute(warp);
  if (status != WARPBOUND_OK)
    return status;
  run->steps++;
  run->ended = warp->stack.count == 0 || top_of(warp)->point == NOWHERE;
  step->next = run->ended ? NOWHERE : top_of(warp)->point;
  step->next_active = run->ended ? 0 : top_of(warp)->mask;
  step->reactivated = step->reactivated && !run->ended;
  *go_on = (options->visit == NULL || options->visit(options->context, step)) && !run->ended &&
           run->steps < options->step_limit;
  return WARPBOUND_OK;
}

warpbound_status wb_simt_run(const struct wb_code *code, const struct wb_function *function,
                             const struct wb_simt_run_options *options, struct wb_simt_run *run,
                             warpbound_error *error)
{
  struct warp warp = {.code = code, .function = function, .options = options, .error = error};
  *run = (struct wb_simt_run){0};
  if (function->instruction_count == 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected instructions, found none", function->name);
  if (function->sm != 0 && (function->sm < 50 || function->sm > 62))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected code for sm_50 to sm_62, found sm_%u: its reconvergence is "
                      "not that of Maxwell and Pascal, and is not supported yet",
                      function->name, function->sm);
  const uint32_t lanes = UINT32_MAX >> (WB_LANE_LIMIT - options->lanes);
  const struct wb_activation bottom = {lanes, NOWHERE, WB_TOKEN_RETURN};
  const struct wb_activation first = {lanes, 0, WB_TOKEN_NONE};
  warpbound_status status = WARPBOUND_OK;
  warp.values = wb_allocate(1, sizeof *warp.values);
  if (warp.values == NULL || (!function->kernel && !push(&warp.stack, bottom)) ||
      !push(&warp.stack, first)) {
    status = wb_out_of_memory(error);
  } else {
    warp.random = (struct wb_random){options->seed};
    wb_lane_values_start(warp.values, wb_random_next(&warp.random), options->bias);
  }
  bool go_on = options->step_limit > 0;
  while (status == WARPBOUND_OK && go_on)
    status = make_step(&warp, run, &go_on);
  free(warp.stack.entries);
  free(warp.values);
  return status;
}
