#include "launch_code.h"

#include <string.h>

/* Fetches into the nearest caches, then into those of SMs, then the page. Of what is kept there is
 * one for each cache and line, else one for each warp, for the line that it is at. Behind them, in
 * the same order, their second requests: of a fetch with one that is over when it begins. */
#define FAR CODE_NEAR_SLOTS
#define PAGE (2u * CODE_NEAR_SLOTS)

static const struct tiny_cold *cold_of(const struct launch_brute *brute)
{
  return &brute->launch->cold;
}

bool code_is_cold(const struct launch_brute *brute)
{
  return brute->code_slots > 0;
}

static bool is_there(const struct moment *state, uint32_t slot)
{
  const struct fetch *both[] = {&state->code[slot], &state->code[slot + CODE_FETCHES]};
  return both[0]->delay == 0 && both[0]->service == 0 && both[1]->delay == 0 &&
         both[1]->service == 0;
}

static void forget(struct moment *state, uint32_t slot)
{
  state->code[slot] = state->code[slot + CODE_FETCHES] = (struct fetch){WAITING, WAITING};
}

static bool is_idle(const struct fetch *fetch)
{
  return fetch->delay == WAITING && fetch->service == WAITING;
}

static uint8_t next_of(const struct launch_brute *brute, const struct moment *state, uint32_t warp)
{
  const struct warp *one = &state->warps[warp];
  return brute->launch->paths[one->path].step[one->position];
}

static uint32_t near_slot(const struct launch_brute *brute, const struct moment *state,
                          uint32_t warp, uint8_t line)
{
  const uint32_t sm = moment_sm(brute, warp);
  if (cold_of(brute)->keeps < TINY_KEEPS_NEAR)
    return warp;
  return (sm * brute->partitions + state->warps[warp].partition) * TINY_CODE_LINES + line;
}

static uint32_t far_slot(const struct launch_brute *brute, uint32_t warp, uint8_t line)
{
  if (cold_of(brute)->keeps < TINY_KEEPS_SM)
    return FAR + warp;
  return FAR + moment_sm(brute, warp) * TINY_CODE_LINES + line;
}

/* Whether nothing has to be fetched: the warp stays in the line that it is in. */
static bool stays(const struct launch_brute *brute, uint8_t instruction)
{
  return cold_of(brute)->keeps < TINY_KEEPS_NEAR && !cold_of(brute)->entered[instruction];
}

bool code_is_there(const struct launch_brute *brute, const struct moment *state, uint32_t warp)
{
  if (!code_is_cold(brute))
    return true;
  const uint8_t next = next_of(brute, state, warp);
  const uint32_t slot = near_slot(brute, state, warp, cold_of(brute)->line[next]);
  return stays(brute, next) || is_there(state, slot);
}

void code_issue(const struct launch_brute *brute, struct moment *state, uint32_t warp)
{
  if (!code_is_cold(brute))
    return;
  const uint8_t next = next_of(brute, state, warp);
  const uint8_t line = cold_of(brute)->line[next];
  if (stays(brute, next))
    return;
  if (cold_of(brute)->keeps < TINY_KEEPS_NEAR)
    forget(state, near_slot(brute, state, warp, line));
  if (cold_of(brute)->keeps < TINY_KEEPS_SM)
    forget(state, far_slot(brute, warp, line));
}

/* Asks for what is not there, and lets what has waited for it begin. True: `fetch` is under way. */
static bool begin(struct moment *state, uint32_t slot, bool beneath, const struct tiny_fetch *kind)
{
  struct fetch *fetch = &state->code[slot];
  if (is_idle(fetch))
    fetch->delay = ARRIVING;
  if (fetch->delay != ARRIVING || !beneath)
    return fetch->delay == ARRIVING;
  fetch->delay = kind->delay;
  state->code[slot + CODE_FETCHES] =
      kind->requests == 2 ? (struct fetch){kind->delay, WAITING} : (struct fetch){0, 0};
  return false;
}

void code_settle(const struct launch_brute *brute, struct moment *state, const bool *ready)
{
  const struct tiny_cold *cold = cold_of(brute);
  for (uint32_t w = 0; w < brute->warp_count && code_is_cold(brute); w++) {
    if (!ready[w] || stays(brute, next_of(brute, state, w)))
      continue;
    const uint8_t line = cold->line[next_of(brute, state, w)];
    const uint32_t near = near_slot(brute, state, w, line);
    const uint32_t far = far_slot(brute, w, line);
    if (!begin(state, near, is_there(state, far), &cold->near))
      continue;
    if (begin(state, far, !cold->pages || is_there(state, PAGE), &cold->far) && cold->pages)
      begin(state, PAGE, true, &cold->page);
    begin(state, near, is_there(state, far), &cold->near);
  }
}

static void use_slots(struct launch_brute *brute, uint32_t first, uint32_t count, uint8_t requests)
{
  for (uint32_t s = first; s < first + count; s++) {
    brute->code_slot[brute->code_slots++] = (uint8_t)s;
    if (requests == 2)
      brute->code_slot[brute->code_slots++] = (uint8_t)(s + CODE_FETCHES);
  }
}

void code_find_slots(struct launch_brute *brute)
{
  const struct tiny_cold *cold = cold_of(brute);
  const uint32_t caches = brute->sms * TINY_CODE_LINES;
  brute->code_slots = 0;
  if (cold->lines == 0)
    return;
  use_slots(brute, 0,
            cold->keeps < TINY_KEEPS_NEAR ? brute->warp_count : caches * brute->partitions,
            cold->near.requests);
  use_slots(brute, FAR, cold->keeps < TINY_KEEPS_SM ? brute->warp_count : caches,
            cold->far.requests);
  use_slots(brute, PAGE, cold->pages, cold->page.requests);
}

void code_start(struct moment *state)
{
  for (uint32_t s = 0; s < CODE_SLOTS; s++)
    state->code[s] = (struct fetch){WAITING, WAITING};
}

bool code_waits(const struct moment *state, uint32_t slot)
{
  return state->code[slot].delay == 0 && state->code[slot].service == WAITING;
}

static const struct tiny_fetch *kind_of(const struct launch_brute *brute, uint32_t slot)
{
  const struct tiny_cold *cold = cold_of(brute);
  slot %= CODE_FETCHES;
  return slot == PAGE ? &cold->page : slot >= FAR ? &cold->far : &cold->near;
}

uint8_t code_resource(const struct launch_brute *brute, uint32_t slot)
{
  return kind_of(brute, slot)->resource;
}

uint32_t code_sm(const struct launch_brute *brute, uint32_t slot)
{
  slot %= CODE_FETCHES;
  if (slot >= FAR)
    return 0; /* of the GPU's resources it does not matter */
  return cold_of(brute)->keeps < TINY_KEEPS_NEAR ? moment_sm(brute, slot)
                                                 : slot / TINY_CODE_LINES / brute->partitions;
}

void code_serve(const struct launch_brute *brute, struct moment *state, uint32_t slot)
{
  state->code[slot].service = kind_of(brute, slot)->service;
}

void code_add_load(const struct launch_brute *brute, const struct moment *state, struct load *load)
{
  for (uint32_t k = 0; k < brute->code_slots; k++) {
    const uint32_t s = brute->code_slot[k];
    const struct fetch *fetch = &state->code[s];
    if (fetch->delay != 0 || fetch->service == 0 || fetch->service == WAITING)
      continue;
    const uint8_t resource = code_resource(brute, s);
    load->busy[resource][moment_place(brute, resource, code_sm(brute, s), 0)]++;
  }
}

/* ---- keys ---- */

static uint64_t key_of(const struct moment *state, uint32_t first, uint32_t count)
{
  uint64_t key = 17;
  for (uint32_t s = first; s < first + count; s++) {
    const struct fetch *one = &state->code[s];
    const struct fetch *other = &state->code[s + CODE_FETCHES];
    key = key * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)one->delay * 256 + one->service + 1;
    key = key * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)other->delay * 256 + other->service + 1;
  }
  return key;
}

uint64_t code_key_of_partition(const struct launch_brute *brute, const struct moment *state,
                               uint32_t sm, uint32_t partition)
{
  return code_is_cold(brute) && cold_of(brute)->keeps == TINY_KEEPS_NEAR
             ? key_of(state, (sm * brute->partitions + partition) * TINY_CODE_LINES,
                      TINY_CODE_LINES)
             : 0;
}

uint64_t code_key_of_sm(const struct launch_brute *brute, const struct moment *state, uint32_t sm)
{
  return code_is_cold(brute) && cold_of(brute)->keeps >= TINY_KEEPS_SM
             ? key_of(state, FAR + sm * TINY_CODE_LINES, TINY_CODE_LINES)
             : 0;
}

uint64_t code_key_of_warp(const struct launch_brute *brute, const struct moment *state,
                          uint32_t warp)
{
  if (!code_is_cold(brute) || cold_of(brute)->keeps == TINY_KEEPS_NEAR)
    return 0;
  const uint64_t far = cold_of(brute)->keeps < TINY_KEEPS_SM ? key_of(state, FAR + warp, 1) : 0;
  return key_of(state, warp, 1) + 31 * far;
}

uint64_t code_key_of_gpu(const struct moment *state)
{
  return key_of(state, PAGE, 1);
}
