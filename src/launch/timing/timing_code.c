#include "launch/timing/timing_code.h"

#include "base/checked.h"
#include "base/memory.h"
#include "isa/opcode.h"
#include "isa/runtime_calls.h"
#include "launch/timing/register_reads.h"
#include "launch/timing/sleep.h"
#include "launch/timing/warp_times.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what control words say ---- */

#define ALL_SCOREBOARDS ((1U << WB_SCOREBOARD_COUNT) - 1)

bool wb_has_constant_operand(const struct wb_function *function, uint32_t instruction)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  if (wb_instruction_is(at, WB_TRAIT_LOADS_CONSTANT))
    return false;
  for (uint32_t o = 0; o < at->operand_count; o++)
    if (wb_operand_of(function, at, o)->kind == WB_OPERAND_CONSTANT ||
        wb_operand_of(function, at, o)->kind == WB_OPERAND_CONSTANT_PART)
      return true;
  return false;
}

static bool is_scoreboard(uint8_t number)
{
  return number < WB_SCOREBOARD_COUNT || number == WB_NO_SCOREBOARD;
}

/* The operands of DEPBAR: SB0, 0x1; SB0, 0x0, {3,2}; {5,4}; gsb0, 0x0 (products: no scoreboard).
 * Any other ones are taken to wait for all. */
static void depbar_waits(const struct wb_function *function, const struct wb_instruction *at,
                         struct wb_timed_instruction *timed)
{
  bool understood = at->operand_count > 0;
  for (uint32_t o = 0; o < at->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, at, o);
    const struct wb_operand *next =
        o + 1 < at->operand_count ? wb_operand_of(function, at, o + 1) : NULL;
    const bool counts = next != NULL && next->kind == WB_OPERAND_NUMBER;
    if (operand->kind == WB_OPERAND_PRODUCTS)
      return;
    if (operand->kind == WB_OPERAND_SCOREBOARD && operand->value < WB_SCOREBOARD_COUNT) {
      timed->counted_scoreboard = (uint8_t)operand->value;
      timed->counted_left = (uint8_t)(counts && next->value < UINT8_MAX ? next->value
                                      : counts                          ? UINT8_MAX
                                                                        : 0);
      o += counts;
    } else if (operand->kind == WB_OPERAND_SCOREBOARDS) {
      timed->wait_mask |= (uint8_t)(operand->value & ALL_SCOREBOARDS);
    } else {
      understood = false;
    }
  }
  if (!understood)
    timed->wait_mask = ALL_SCOREBOARDS;
}

/* Fills the scoreboards and waits of *timed, those of the operands of DEPBAR among them. False
 * where the control word names a scoreboard that there is not. */
static bool control_waits(const struct wb_function *function, uint32_t instruction,
                          struct wb_timed_instruction *timed)
{
  const struct wb_control_word *control = &function->encodings[instruction].control;
  timed->write_scoreboard = control->write_barrier;
  timed->read_scoreboard = control->read_barrier;
  timed->wait_mask = control->wait_mask & ALL_SCOREBOARDS;
  timed->counted_scoreboard = WB_NO_SCOREBOARD;
  const struct wb_instruction *at = &function->instructions[instruction];
  if (wb_instruction_is(at, WB_TRAIT_WAITS_FOR_SCOREBOARDS))
    depbar_waits(function, at, timed);
  return is_scoreboard(timed->write_scoreboard) && is_scoreboard(timed->read_scoreboard);
}

/* Requests of an instruction whose accesses are not known. */
#define WORST_REQUESTS 32

struct making {
  const struct wb_code *listing; /* or NULL */
  const struct wb_function *function;
  const struct wb_device_timing *device;
  const struct wb_accesses *accesses;
  const int64_t *calls; /* by instruction: cycles that are assumed of it, or -1; NULL: none */
  struct wb_timed_code *code;
  struct wb_list *assumptions;
  warpbound_error *error;
  uint32_t instruction;             /* the present one */
  const struct wb_timing_class *at; /* its class */
};

static const struct wb_instruction *present(const struct making *making)
{
  return &making->function->instructions[making->instruction];
}

/* ---- numbers of the device ---- */

/* A value; refused where it is no time. */
static warpbound_status time_of(struct making *making, uint32_t value, uint32_t least,
                                uint32_t *time)
{
  const uint64_t number = wb_device_number(making->device, value);
  if (number < least || number > WB_TIME_LIMIT)
    return wb_fail(making->error, WARPBOUND_INVALID_INPUT,
                   "%.100s: %.100s is %llu, expected %u to %u cycles", making->device->file,
                   making->device->values[value].name, (unsigned long long)number, (unsigned)least,
                   (unsigned)WB_TIME_LIMIT);
  *time = (uint32_t)number;
  return WARPBOUND_OK;
}

/* Raises a time to a value: it rests on the value also where that is less. */
static warpbound_status raise_to(struct making *making, uint32_t value, uint32_t *time)
{
  uint32_t least = 0;
  const warpbound_status status = time_of(making, value, 0, &least);
  if (least > *time)
    *time = least;
  return status;
}

static warpbound_status add_to(struct making *making, uint32_t more, uint32_t *time)
{
  if (more > WB_TIME_LIMIT - *time)
    return wb_fail(making->error, WARPBOUND_INVALID_INPUT,
                   "%.100s: the times of class %.100s are too large", making->device->file,
                   making->at->name);
  *time += more;
  return WARPBOUND_OK;
}

/* The servers of a resource that an instruction uses. */
static warpbound_status use_resource(struct making *making, uint8_t resource)
{
  const struct wb_device_timing *device = making->device;
  const uint32_t value = device->resources[resource].servers;
  const uint64_t servers = wb_device_number(device, value);
  if (servers == 0 || servers > WB_SERVER_LIMIT)
    return wb_fail(making->error, WARPBOUND_INVALID_INPUT,
                   "%.100s: %.100s is %llu, expected 1 to %u servers", device->file,
                   device->values[value].name, (unsigned long long)servers,
                   (unsigned)WB_SERVER_LIMIT);
  making->code->resources[resource].servers = (uint32_t)servers;
  return WARPBOUND_OK;
}

/* ---- the class of an instruction ---- */

static warpbound_status refuse(const struct making *making, const char *why)
{
  const struct wb_instruction *at = present(making);
  return wb_fail_at(making->error, WARPBOUND_INVALID_INPUT, NULL, at->line, at->column,
                    "%.150s: %.60s at 0x%04x: %s", making->function->name, at->opcode,
                    (unsigned)at->address, why);
}

static warpbound_status refuse_call(const struct making *making)
{
  const struct wb_instruction *at = present(making);
  char why[200];
  if (wb_calls_runtime_end(at))
    snprintf(why, sizeof why,
             "it calls %.60s, and each thread comes to such a call: no launch ends without an "
             "error, so that there is no time to bound",
             at->callee);
  else
    snprintf(why, sizeof why,
             "it calls code that is not in the listing, whose time is not known: --assume-call "
             "NAME=CYCLES assumes one, for an estimate; NAME=never that no thread does");
  return refuse(making, why);
}

static warpbound_status find_class(struct making *making)
{
  const struct wb_instruction *at = present(making);
  const struct wb_device_timing *device = making->device;
  making->at = wb_device_class(device, at->opcode, wb_instruction_unit(at));
  /* The class of an unknown opcode is to name it, rather than its unit. */
  bool named = making->at != NULL && !at->unknown;
  for (size_t p = 0; making->at != NULL && p < making->at->pattern_count && !named; p++)
    named = wb_opcode_matches(at->opcode, making->at->patterns[p]) > 0;
  if (!named)
    making->at = NULL;
  if (making->at == NULL &&
      (at->number == WB_OPCODE_UCGABAR_ARV || at->number == WB_OPCODE_UCGABAR_WAIT))
    return refuse(making,
                  "it waits for all blocks of a cluster (barrier.cluster), which may run on "
                  "other SMs: no bound is known; expected barriers of the block alone "
                  "(__syncthreads)");
  if (making->at == NULL)
    return wb_fail_at(making->error, WARPBOUND_INVALID_INPUT, NULL, at->line, at->column,
                      "%.150s: %s%.60s at 0x%04x: device %.60s has no class for it",
                      making->function->name, at->unknown ? "unknown " : "", at->opcode,
                      (unsigned)at->address, device->name);
  if ((at->transfer == WB_TRANSFER_CALL_OUTSIDE || at->outside) && !at->never &&
      (making->calls == NULL || making->calls[making->instruction] < 0))
    return refuse_call(making);
  return WARPBOUND_OK;
}

/* ---- parts of an instruction ---- */

static warpbound_status make_stall(struct making *making, struct wb_timed_instruction *timed)
{
  const struct wb_device_timing *device = making->device;
  const struct wb_control_word *control = &making->function->encodings[making->instruction].control;
  warpbound_status status = WARPBOUND_OK;
  assert(making->at != NULL);
  timed->stall = control->stall;
  if (control->stall == 0 && making->function->wide) { /* until the pipeline is empty */
    status = time_of(making, device->drain, 1, &timed->stall);
  } else if (control->stall == 0) {
    timed->stall = 1;
    wb_list_add(making->assumptions,
                "instructions that issue together with the next one are taken to need a cycle of "
                "their own");
  }
  if (status == WARPBOUND_OK && control->yield)
    status = raise_to(making, device->yield, &timed->stall);
  if (status == WARPBOUND_OK)
    status = raise_to(making, making->at->interval, &timed->stall);
  return status;
}

static warpbound_status make_uses(struct making *making, struct wb_timed_instruction *timed)
{
  const struct wb_timing_class *class = making->at;
  struct wb_timed_code *code = making->code;
  timed->first_use = (uint32_t)code->use_count;
  timed->use_count = (uint8_t) class->use_count;
  if (class->use_count == 0)
    return wb_fail(making->error, WARPBOUND_INVALID_INPUT,
                   "%.100s: class %.100s takes nothing at issue, expected an issue slot at least",
                   making->device->file, class->name);
  if (!wb_grow(code->uses, &code->use_capacity, code->use_count + class->use_count))
    return wb_out_of_memory(making->error);
  for (size_t u = 0; u < class->use_count; u++) {
    struct wb_issue_use *use = &code->uses[code->use_count++];
    use->resource = class->uses[u].resource;
    warpbound_status status = use_resource(making, use->resource);
    if (status == WARPBOUND_OK)
      status = time_of(making, class->uses[u].service, 1, &use->service);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

/* Reading its operands holds an instruction's slot and unit in the partition as long as the bank
 * with most of them needs, and delays its results by what that is more than they would be held. */
static warpbound_status add_register_reads(struct making *making,
                                           struct wb_timed_instruction *timed)
{
  const struct wb_device_timing *device = making->device;
  const uint64_t banks = wb_device_number(device, device->register_banks);
  const uint64_t reads = wb_register_bank_reads(making->function, making->instruction, banks);
  struct wb_issue_use *uses = &making->code->uses[timed->first_use];
  uint32_t cycle = 0;
  uint32_t longest = 0;
  warpbound_status status = time_of(making, device->register_read, 0, &cycle);
  if (status != WARPBOUND_OK || reads * cycle > WB_TIME_LIMIT)
    return status != WARPBOUND_OK ? status : refuse(making, "reading its operands takes too long");
  const uint32_t time = (uint32_t)(reads * cycle);
  for (size_t u = 0; u < timed->use_count; u++) {
    longest = (uint32_t)wb_maximum(longest, uses[u].service);
    if (device->resources[uses[u].resource].level == WB_LEVEL_PARTITION)
      uses[u].service = (uint32_t)wb_maximum(uses[u].service, time);
  }
  if (time > longest)
    status = add_to(making, time - longest, &timed->latency);
  if (time > longest && status == WARPBOUND_OK)
    status = add_to(making, time - longest, &timed->read_latency);
  return status;
}

/* Whether it asks of an address or a texture (QSPC, TXQ, SUQUERY) and moves nothing. */
static bool asks(const struct making *making)
{
  return wb_access_kind_of((enum wb_opcode)present(making)->number)->action == WB_ACTION_NONE;
}

/* Whether no thread does the instruction: @!PT LDS, with which compilers keep a distance to
 * asynchronous copies, or one whose guard is false in all threads of the launch. */
static bool is_idle(const struct making *making)
{
  const struct wb_accesses *accesses = making->accesses;
  return present(making)->never ||
         (accesses != NULL && accesses->reached != NULL && !accesses->reached[making->instruction]);
}

/* An idle instruction accesses nothing; that it goes the way of one request is safe. */
static uint16_t requests_of(struct making *making, enum wb_request_unit per)
{
  const struct wb_accesses *accesses = making->accesses;
  if (is_idle(making))
    return 1;
  const struct wb_access *access =
      accesses != NULL ? wb_accesses_at(accesses, making->instruction) : NULL;
  if (access != NULL && access->unbounded) {
    wb_estimate_because_of(&making->code->estimate, "requests-not-bounded", making->listing,
                           present(making),
                           "move the bytes by loads and stores of the lanes, whose requests are "
                           "counted, or measure (warpbound hybrid)",
                           "it may move more than its lanes' own bytes, and how many requests that "
                           "makes is not bounded");
    wb_list_add(making->assumptions,
                "%.60s makes no more requests than its lanes' own bytes would need: more than that "
                "is not bounded",
                present(making)->opcode);
  }
  if (access != NULL && access->filtered)
    wb_list_add(
        making->assumptions,
        "%.60s reads %d texels of a lane at most, each within a sector: linear filtering of "
        "three dimensions, or of two levels of two, without anisotropy",
        present(making)->opcode, WB_FILTERED_TEXELS);
  if (access != NULL && access->space == WB_SPACE_SHARED && access->bytes >= 8 &&
      access->wavefronts < WORST_REQUESTS && per == WB_PER_WAVEFRONT)
    wb_list_add(making->assumptions,
                "the banks of shared memory serve lanes of 8 bytes by halves of the warp, lanes of "
                "16 bytes by quarters, or more of these at once");
  if (per == WB_PER_INSTRUCTION)
    return 1;
  if (access == NULL && asks(making)) {
    wb_list_add(
        making->assumptions,
        "%.60s moves no byte, and makes up to %d requests, as a load of a byte by each lane",
        present(making)->opcode, WORST_REQUESTS);
    return WORST_REQUESTS;
  }
  if (access == NULL) {
    wb_estimate_because_of(&making->code->estimate, "access-not-known", making->listing,
                           present(making),
                           "use an instruction whose accesses are known (doc/accesses.md), or "
                           "measure (warpbound hybrid)",
                           "what it accesses is not known, so that its requests are not bounded");
    wb_list_add(making->assumptions, "%.60s makes up to %d requests: what it accesses is not known",
                present(making)->opcode, WORST_REQUESTS);
    return WORST_REQUESTS;
  }
  const uint32_t registers = access->load ? ((uint32_t)access->bytes + 3) / 4 : 1;
  const uint32_t requests = per == WB_PER_SECTOR      ? access->sectors
                            : per == WB_PER_WAVEFRONT ? access->wavefronts
                            : per == WB_PER_REGISTER  ? registers
                                                      : access->lanes_at_one;
  return (uint16_t)(requests == 0 ? 1 : wb_minimum(requests, 4096));
}

/* The stages that the instruction goes through. An idle one moves no sector, and updates nothing:
 * it goes as far as the first stage of sectors or lanes. */
static size_t stages_of(const struct making *making)
{
  const struct wb_timing_class *class = making->at;
  size_t count = 0;
  while (count < class->stage_count &&
         !(is_idle(making) &&
           (class->stages[count].per == WB_PER_SECTOR || class->stages[count].per == WB_PER_LANE)))
    count++;
  return count;
}

static warpbound_status make_stages(struct making *making, struct wb_timed_instruction *timed)
{
  const struct wb_timing_class *class = making->at;
  struct wb_timed_code *code = making->code;
  timed->first_stage = (uint32_t)code->stage_count;
  timed->stage_count = (uint8_t)stages_of(making);
  timed->read_stages = (uint8_t)wb_minimum(class->read_stages, timed->stage_count);
  if (!wb_grow(code->stages, &code->stage_capacity, code->stage_count + class->stage_count))
    return wb_out_of_memory(making->error);
  for (size_t s = 0; s < timed->stage_count; s++) {
    const struct wb_class_stage *from = &class->stages[s];
    struct wb_request_stage *stage = &code->stages[code->stage_count++];
    *stage = (struct wb_request_stage){.resource = from->resource,
                                       .requests = requests_of(making, from->per)};
    warpbound_status status = use_resource(making, from->resource);
    if (status == WARPBOUND_OK)
      status = time_of(making, from->delay, 0, &stage->delay);
    if (status == WARPBOUND_OK)
      status = time_of(making, from->service, 1, &stage->service);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

/* An operand in constant memory may hold the instruction back: after the one before it, so that its
 * results are later too. */
static warpbound_status add_constant_operand(struct making *making,
                                             struct wb_timed_instruction *timed)
{
  uint32_t more = 0;
  if (!wb_has_constant_operand(making->function, making->instruction))
    return WARPBOUND_OK;
  warpbound_status status = time_of(making, making->device->constant_operand, 0, &more);
  if (status == WARPBOUND_OK)
    status = add_to(making, more, &timed->stall);
  if (status == WARPBOUND_OK)
    status = add_to(making, more, &timed->latency);
  if (status == WARPBOUND_OK)
    status = add_to(making, more, &timed->read_latency);
  return status;
}

/* What is assumed of code outside holds the next instruction back. What it takes at issue, and the
 * requests that it makes, delay other warps: they are in no number. */
static warpbound_status add_call(struct making *making, struct wb_timed_instruction *timed)
{
  const int64_t cycles = making->calls != NULL ? making->calls[making->instruction] : -1;
  if (cycles < 0)
    return WARPBOUND_OK;
  wb_estimate_because_of(
      &making->code->estimate, "assumed-call", making->listing, present(making),
      "give the linked program, where that holds the code, or leave the call out",
      "what it calls is not in the file: its warp is taken to wait %" PRId64
      " cycles, and how much its instructions and requests delay others is not "
      "bounded",
      cycles);
  return cycles <= WB_TIME_LIMIT
             ? add_to(making, (uint32_t)cycles, &timed->stall)
             : refuse(making, "the cycles that are assumed of what it calls are "
                              "too many: expected at most 1000000000");
}

/* Whether it stores what nothing of its warp waits for: once its data are on their way to L2 the
 * SM has no part in it. */
static bool is_posted(const struct making *making, const struct wb_timed_instruction *timed)
{
  const struct wb_instruction *at = present(making);
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)at->number);
  return kind != NULL && kind->action == WB_ACTION_STORE && kind->space != WB_SPACE_SHARED &&
         timed->write_scoreboard == WB_NO_SCOREBOARD;
}

/* A sleep holds the next instruction back by what its documents allow, besides the device's time of
 * a short one. Of what else the model does not have (registers of other warps, blocks of a cluster)
 * the device says no bound. */
static warpbound_status add_hidden_wait(struct making *making, struct wb_timed_instruction *timed)
{
  const struct wb_instruction *at = present(making);
  const uint64_t clock = wb_device_number(making->device, making->device->clock);
  uint64_t nanoseconds;
  uint64_t cycles;
  if (wb_sleep_most(making->function, making->instruction, &nanoseconds)) {
    wb_list_add(making->assumptions,
                "NANOSLEEP sleeps no longer than twice its operand, and 1 ms (PTX ISA, nanosleep), "
                "besides what the device says of a short one");
    return wb_multiply_divide_up(nanoseconds, clock, 1000000000, &cycles) && cycles <= WB_TIME_LIMIT
               ? add_to(making, (uint32_t)cycles, &timed->stall)
               : refuse(making, "it sleeps for too many cycles: expected at most 1000000000");
  }
  wb_estimate_because_of(&making->code->estimate, "hidden-wait", making->listing, at,
                         "leave the wait out of the code, or measure (warpbound hybrid): how "
                         "long it takes no option says",
                         "it waits for what the model does not have: a time that the code asks "
                         "for, registers of other warps, or other blocks");
  wb_list_add(making->assumptions,
              "%.60s waits no longer than the device says, which is no bound: that makes the "
              "result an estimate",
              wb_opcode_name((enum wb_opcode)at->number));
  return WARPBOUND_OK;
}

static warpbound_status make_instruction(struct making *making, uint32_t number)
{
  const struct wb_function *function = making->function;
  struct wb_timed_instruction *timed = &making->code->instructions[number];
  making->instruction = number;
  if (function->encodings == NULL || !function->encodings[number].has_control)
    return refuse(making, "its encoding with stalls and scoreboards is missing: give the cubin, or "
                          "a listing of cuobjdump -sass or nvdisasm -hex, of sm_50 or later");
  if (!control_waits(function, number, timed))
    return refuse(making, "its control word names scoreboard 6, which there is not");
  const struct wb_instruction *at = present(making);
  timed->fence = !at->never && wb_instruction_is(at, WB_TRAIT_FENCE);
  timed->barrier = !at->never && at->unit == WB_UNIT_BARRIER;
  warpbound_status status = find_class(making);
  if (status == WARPBOUND_OK)
    status = make_stall(making, timed);
  if (status == WARPBOUND_OK && !at->never && wb_instruction_is(at, WB_TRAIT_HIDDEN_WAIT))
    status = add_hidden_wait(making, timed);
  if (status == WARPBOUND_OK)
    status = add_call(making, timed);
  if (status == WARPBOUND_OK)
    status = make_uses(making, timed);
  if (status == WARPBOUND_OK)
    status = make_stages(making, timed);
  if (status == WARPBOUND_OK)
    status = time_of(making, making->at->latency, 0, &timed->latency);
  if (status == WARPBOUND_OK)
    status = time_of(making, making->at->read_latency, 0, &timed->read_latency);
  if (status == WARPBOUND_OK)
    status = add_constant_operand(making, timed);
  if (status == WARPBOUND_OK)
    status = add_register_reads(making, timed);
  const struct wb_access *access =
      making->accesses != NULL ? wb_accesses_at(making->accesses, number) : NULL;
  timed->access = access != NULL ? (uint8_t)(access->space + 1) : 0;
  timed->posted = is_posted(making, timed);
  return status;
}

/* ---- work that other instructions wait for ---- */

/* Whether an instruction's scoreboard, or what follows it, waits until work that goes on by itself
 * has ended: copies to shared memory, or, `products`, products of a group of warps. */
static bool commits(const struct making *making, bool products)
{
  const struct wb_instruction *at = present(making);
  if (!products)
    return wb_instruction_is(at, WB_TRAIT_COMMITS_COPY);
  bool names_products = false;
  for (uint32_t o = 0; o < at->operand_count; o++)
    names_products |= wb_operand_of(making->function, at, o)->kind == WB_OPERAND_PRODUCTS;
  return names_products && wb_instruction_is(at, WB_TRAIT_WAITS_FOR_PRODUCTS);
}

/* The longest time from the issue of an instruction that starts such work until it has ended. */
static uint32_t longest_work(const struct making *making, enum wb_trait starts)
{
  uint64_t longest = 0;
  for (size_t i = 0; i < making->function->instruction_count; i++) {
    const struct wb_timed_instruction *timed = &making->code->instructions[i];
    if (!wb_instruction_is(&making->function->instructions[i], starts))
      continue;
    /* Services in full: in cycles of at most 255 * 2 * 10^9. */
    uint64_t time = timed->latency;
    for (size_t s = 0; s < timed->stage_count; s++) {
      const struct wb_request_stage *stage = &making->code->stages[timed->first_stage + s];
      time += (uint64_t)stage->delay + stage->service;
    }
    longest = wb_maximum(longest, time);
  }
  return (uint32_t)wb_minimum(longest, (uint64_t)WB_TIME_LIMIT + 1);
}

/* LDGDEPBAR's scoreboard is released when the copies before it have ended: as if it took as long as
 * the longest of them from its own issue on. A wait for tensor cores: as if it stalled so long. */
static warpbound_status add_commitments(struct making *making, bool products)
{
  const uint32_t longest =
      longest_work(making, products ? WB_TRAIT_STARTS_PRODUCT : WB_TRAIT_STARTS_COPY);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0;
       longest > 0 && status == WARPBOUND_OK && i < making->function->instruction_count; i++) {
    struct wb_timed_instruction *timed = &making->code->instructions[i];
    making->instruction = (uint32_t)i;
    if (!commits(making, products))
      continue;
    if (longest > WB_TIME_LIMIT - (products ? timed->stall : 0))
      status = refuse(making, "what it waits for takes too long");
    else if (!products)
      timed->latency = (uint32_t)wb_maximum(timed->latency, longest);
    else
      timed->stall += longest;
  }
  return status;
}

warpbound_status wb_timed_code_make(const struct wb_code *listing,
                                    const struct wb_function *function,
                                    const struct wb_device_timing *device,
                                    const struct wb_accesses *accesses, const int64_t *calls,
                                    struct wb_timed_code *code, struct wb_list *assumptions,
                                    warpbound_error *error)
{
  *code = (struct wb_timed_code){
      .instructions = wb_allocate(function->instruction_count, sizeof *code->instructions),
      .instruction_count = function->instruction_count};
  struct making making = {.listing = listing,
                          .function = function,
                          .device = device,
                          .accesses = accesses,
                          .calls = calls,
                          .code = code,
                          .assumptions = assumptions,
                          .error = error};
  warpbound_status status = WARPBOUND_OK;
  if (code->instructions == NULL)
    status = wb_out_of_memory(error);
  /* One server each until an instruction uses it: what nobody uses has no bearing on any time. */
  code->resource_count = device->resource_count;
  for (size_t r = 0; r < device->resource_count; r++) {
    const struct wb_device_resource *from = &device->resources[r];
    struct wb_resource *to = &code->resources[r];
    *to = (struct wb_resource){.level = from->level, .servers = 1, .at_issue = from->at_issue};
    memcpy(to->name, from->name, sizeof to->name);
    to->name[sizeof to->name - 1] = 0;
  }
  for (uint32_t i = 0; status == WARPBOUND_OK && i < function->instruction_count; i++)
    status = make_instruction(&making, i);
  if (status == WARPBOUND_OK)
    status = add_commitments(&making, false);
  if (status == WARPBOUND_OK)
    status = add_commitments(&making, true);
  uint64_t denominator = 0;
  if (status == WARPBOUND_OK)
    status = wb_share_denominator(code, &denominator, error);
  if (status == WARPBOUND_OK && (assumptions->failed || code->estimate.failed))
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_timed_code_free(code);
  return status;
}
