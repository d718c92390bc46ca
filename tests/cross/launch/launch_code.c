#include "launch_code.h"

#include <string.h>

/* Fetches into the nearest caches, then into those of SMs, then the page of all lines, then those
 * of data, then sectors of first caches by SM. Of what is kept there is one for each cache and
 * line, else one for each warp, for the line of code that it is at, and one for that of its
 * operands. Behind them, in the same order, their second requests: of a fetch with one that is over
 * when it begins. Of a sector they are its second stage. */
#define FAR CODE_NEAR_SLOTS
#define PAGE (2u * CODE_NEAR_SLOTS)
#define DATA (PAGE + 1)
#define FIRST (DATA + TINY_DATA_PAGES)

static const struct tiny_cold *cold_of(const struct launch_brute *brute)
{
  return &brute->launch->cold;
}

bool code_is_cold(const struct launch_brute *brute)
{
  return cold_of(brute)->lines > 0;
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

/* Of what is not kept: the warp's own, for code or for constants. */
static uint32_t own_slot(const struct launch_brute *brute, uint32_t warp, uint8_t line)
{
  return warp + (line < cold_of(brute)->lines ? 0 : WARP_LIMIT);
}

static uint32_t near_slot(const struct launch_brute *brute, const struct moment *state,
                          uint32_t warp, uint8_t line)
{
  const uint32_t sm = moment_sm(brute, warp);
  if (cold_of(brute)->keeps < TINY_KEEPS_NEAR)
    return own_slot(brute, warp, line);
  return (sm * brute->partitions + state->warps[warp].partition) * COLD_LINES + line;
}

static uint32_t far_slot(const struct launch_brute *brute, uint32_t warp, uint8_t line)
{
  if (cold_of(brute)->keeps < TINY_KEEPS_SM)
    return FAR + own_slot(brute, warp, line);
  return FAR + moment_sm(brute, warp) * COLD_LINES + line;
}

/* Whether nothing has to be fetched: the warp stays in the line that it is in. */
static bool stays(const struct launch_brute *brute, uint8_t instruction)
{
  return cold_of(brute)->keeps < TINY_KEEPS_NEAR && !cold_of(brute)->entered[instruction];
}

/* The lines that an instruction needs, one after the other. */
static uint32_t find_needs(const struct launch_brute *brute, uint8_t instruction, uint8_t needs[2])
{
  const struct tiny_cold *cold = cold_of(brute);
  uint32_t count = 0;
  if (cold->lines > 0 && !stays(brute, instruction))
    needs[count++] = cold->line[instruction];
  if (cold->constant[instruction] > 0)
    needs[count++] = (uint8_t)(cold->lines + cold->constant[instruction] - 1);
  return count;
}

bool code_is_there(const struct launch_brute *brute, const struct moment *state, uint32_t warp)
{
  uint8_t needs[2];
  const uint32_t count = find_needs(brute, next_of(brute, state, warp), needs);
  bool there = true;
  for (uint32_t n = 0; n < count; n++)
    there = there && is_there(state, near_slot(brute, state, warp, needs[n]));
  return there;
}

void code_issue(const struct launch_brute *brute, struct moment *state, uint32_t warp)
{
  uint8_t needs[2];
  const uint32_t count = find_needs(brute, next_of(brute, state, warp), needs);
  for (uint32_t n = 0; n < count; n++) {
    if (cold_of(brute)->keeps < TINY_KEEPS_NEAR)
      forget(state, near_slot(brute, state, warp, needs[n]));
    if (cold_of(brute)->keeps < TINY_KEEPS_SM)
      forget(state, far_slot(brute, warp, needs[n]));
  }
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

static void settle_line(const struct launch_brute *brute, struct moment *state, uint32_t warp,
                        uint8_t line)
{
  const struct tiny_cold *cold = cold_of(brute);
  const uint32_t near = near_slot(brute, state, warp, line);
  const uint32_t far = far_slot(brute, warp, line);
  if (!begin(state, near, is_there(state, far), &cold->near))
    return;
  if (begin(state, far, !cold->pages || is_there(state, PAGE), &cold->far) && cold->pages)
    begin(state, PAGE, true, &cold->page);
  begin(state, near, is_there(state, far), &cold->near);
}

bool code_translates(const struct launch_brute *brute, const struct under_way *one)
{
  const struct wb_timed_code *code = &brute->launch->code;
  const uint32_t first = code->instructions[one->instruction].first_stage;
  if (cold_of(brute)->touches[one->instruction] == 0)
    return false;
  bool before = false; /* a stage at the GPU's resources */
  for (uint32_t s = first; s < first + one->stage; s++)
    before |= code->resources[code->stages[s].resource].level == WB_LEVEL_GPU;
  return !before &&
         code->resources[code->stages[first + one->stage].resource].level == WB_LEVEL_GPU;
}

/* ---- data of first caches ---- */

static const struct tiny_first *first_of(const struct launch_brute *brute)
{
  return &brute->launch->first;
}

bool code_loads(const struct launch_brute *brute, const struct under_way *one)
{
  return first_of(brute)->wants[one->instruction] != 0 &&
         first_of(brute)->stage[one->instruction] == one->stage;
}

bool code_loads_later(const struct launch_brute *brute, const struct under_way *one)
{
  return first_of(brute)->wants[one->instruction] != 0 &&
         (one->stage < first_of(brute)->stage[one->instruction] ||
          (code_loads(brute, one) && one->delay == ARRIVING));
}

/* Whether L2 has what the fetch of a sector wants; asks for it if not. */
static bool in_l2(const struct launch_brute *brute, struct moment *state, uint32_t slot)
{
  const struct tiny_first *first = first_of(brute);
  const uint32_t sector = (slot - FIRST) % TINY_FIRST_SECTORS;
  const uint32_t buffer = sector / 4 % (uint32_t)brute->launch->code.kept.count;
  return moment_sector_there(brute, state, buffer, first->stages[first->stage_count - 1].delay,
                             sector % 4);
}

/* A stage of the fetch of a sector begins: number 0 or 1. */
static void begin_sector(const struct launch_brute *brute, struct moment *state, uint32_t slot,
                         uint32_t stage)
{
  const struct tiny_first *first = first_of(brute);
  struct fetch *fetch = &state->code[slot + stage * CODE_FETCHES];
  if (stage == first->stage_count)
    *fetch = (struct fetch){0, 0};
  else if (!first->in_l2 || stage + 1U < first->stage_count)
    *fetch = (struct fetch){first->stages[stage].delay, WAITING};
  else
    *fetch =
        in_l2(brute, state, slot) ? (struct fetch){first->hit, 0} : (struct fetch){MISSED, WAITING};
}

static void ask_sector(const struct launch_brute *brute, struct moment *state, uint32_t slot)
{
  if (is_idle(&state->code[slot]))
    begin_sector(brute, state, slot, 0);
}

static uint32_t place_of(const struct launch_brute *brute, uint32_t warp)
{
  return warp / brute->block_warps % brute->places;
}

/* ---- what is used last ---- */

static void set_begun(struct moment *state, uint32_t sector, uint32_t place, uint32_t count)
{
  const uint32_t rest = state->begun[sector] & ~(15U << 4 * place);
  state->begun[sector] = (uint16_t)(rest | count << 4 * place);
}

static uint32_t begun_since(const struct moment *state, uint32_t sector, uint32_t place)
{
  return state->begun[sector] >> 4 * place & 15;
}

/* Whether a load of some warp of the SM waits for others of its sectors: it has this one already.
 */
static bool is_wanted(const struct launch_brute *brute, const struct moment *state, uint32_t sm,
                      uint32_t sector)
{
  const uint32_t warps = brute->places * brute->block_warps;
  for (uint32_t w = sm * warps; w < (sm + 1) * warps; w++) {
    const struct warp *warp = &state->warps[w];
    for (uint32_t i = 0; warp->path != FREE && i < warp->count; i++) {
      const struct under_way *one = &warp->under_way[i];
      if (code_loads(brute, one) && one->delay == ARRIVING &&
          (first_of(brute)->wants[one->instruction] >> sector & 1) != 0)
        return true;
    }
  }
  return false;
}

void code_begin(const struct launch_brute *brute, struct moment *state, uint32_t sm)
{
  const uint32_t patience = first_of(brute)->patience;
  for (uint32_t o = 0; o < TINY_FIRST_SECTORS && patience > 0; o++) {
    const uint32_t s = sm * TINY_FIRST_SECTORS + o;
    bool stays = state->found[s] == 0;
    for (uint32_t k = 0; k < brute->places; k++) {
      if ((state->found[s] >> k & 1) == 0)
        continue;
      const uint32_t begun = begun_since(state, s, k) + (begun_since(state, s, k) < patience);
      set_begun(state, s, k, begun);
      stays |= begun < patience;
    }
    if (!stays && first_of(brute)->drops && is_there(state, FIRST + s) &&
        !is_wanted(brute, state, sm, o))
      forget(state, FIRST + s);
  }
}

void code_leave(const struct launch_brute *brute, struct moment *state, uint32_t warp)
{
  const uint32_t cache = moment_sm(brute, warp) * TINY_FIRST_SECTORS;
  for (uint32_t s = cache; s < cache + TINY_FIRST_SECTORS && first_of(brute)->of_block; s++) {
    state->found[s] &= (uint8_t) ~(1U << place_of(brute, warp));
    set_begun(state, s, place_of(brute, warp), 0);
    if (state->found[s] == 0 && first_of(brute)->drops && is_there(state, FIRST + s))
      forget(state, FIRST + s);
  }
}

uint64_t code_key_of_place(const struct launch_brute *brute, const struct moment *state,
                           uint32_t sm, uint32_t place)
{
  uint64_t found = 0;
  for (uint32_t s = 0; s < TINY_FIRST_SECTORS && first_of(brute)->of_block; s++)
    found |= (uint64_t)(state->found[sm * TINY_FIRST_SECTORS + s] >> place & 1) << s |
             (uint64_t)begun_since(state, sm * TINY_FIRST_SECTORS + s, place) << (8 + 4 * s);
  return found * UINT64_C(0x9e3779b97f4a7c15);
}

/* Sectors that have come to L2 are there; those whose first stage is over begin the second. */
static void settle_sectors(const struct launch_brute *brute, struct moment *state)
{
  const struct tiny_first *first = first_of(brute);
  for (uint32_t s = FIRST; s < FIRST + brute->sms * TINY_FIRST_SECTORS && first->lines > 0; s++) {
    struct fetch *both[] = {&state->code[s], &state->code[s + CODE_FETCHES]};
    for (uint32_t k = 0; k < 2; k++) {
      if (both[k]->delay == MISSED && in_l2(brute, state, s))
        *both[k] = (struct fetch){0, 0};
    }
    if (both[0]->delay == 0 && both[0]->service == 0 && is_idle(both[1]))
      begin_sector(brute, state, s, 1);
  }
}

/* Whether all sectors that a load of the warp wants are in its first cache; asks for the others. */
static bool sectors_there(const struct launch_brute *brute, struct moment *state, uint32_t warp,
                          uint8_t wants)
{
  const uint32_t cache = FIRST + moment_sm(brute, warp) * TINY_FIRST_SECTORS;
  bool there = true;
  for (uint32_t s = 0; s < TINY_FIRST_SECTORS; s++) {
    if ((wants >> s & 1) == 0)
      continue;
    if (first_of(brute)->of_block)
      state->found[cache - FIRST + s] |= (uint8_t)(1U << place_of(brute, warp));
    ask_sector(brute, state, cache + s);
    for (uint32_t o = s / 4 * 4; o < s / 4 * 4 + 4 && (first_of(brute)->whole >> s / 4 & 1) != 0;
         o++)
      ask_sector(brute, state, cache + o);
  }
  /* A hit in L2 may take no time. */
  settle_sectors(brute, state);
  for (uint32_t s = 0; s < TINY_FIRST_SECTORS; s++) {
    there = there && ((wants >> s & 1) == 0 || is_there(state, cache + s));
    if ((wants >> s & 1) != 0 && first_of(brute)->patience > 0 && is_there(state, cache + s))
      set_begun(state, cache - FIRST + s, place_of(brute, warp), 0);
  }
  return there;
}

void code_settle_access(const struct launch_brute *brute, struct moment *state, uint32_t warp,
                        struct under_way *one)
{
  bool there = true;
  if (one->delay != ARRIVING)
    return;
  if (code_loads(brute, one))
    there = sectors_there(brute, state, warp, first_of(brute)->wants[one->instruction]);
  for (uint32_t d = 0; d < cold_of(brute)->data && code_translates(brute, one); d++) {
    if ((cold_of(brute)->touches[one->instruction] >> d & 1) == 0)
      continue;
    begin(state, DATA + d, true, &cold_of(brute)->page);
    there = there && is_there(state, DATA + d);
  }
  if (there)
    one->delay = (uint8_t)moment_stage(brute, one)->delay;
}

void code_settle(const struct launch_brute *brute, struct moment *state, const bool *ready)
{
  settle_sectors(brute, state);
  for (uint32_t w = 0; w < brute->warp_count && brute->code_slots > 0; w++) {
    struct warp *warp = &state->warps[w];
    for (uint32_t i = 0; warp->path != FREE && i < warp->count; i++)
      code_settle_access(brute, state, w, &warp->under_way[i]);
    uint8_t needs[2];
    const uint32_t count = ready[w] ? find_needs(brute, next_of(brute, state, w), needs) : 0;
    for (uint32_t n = 0; n < count; n++) {
      settle_line(brute, state, w, needs[n]);
      if (!is_there(state, near_slot(brute, state, w, needs[n])))
        break;
    }
  }
  for (uint32_t i = 0; i < state->left_count && brute->code_slots > 0; i++)
    code_settle_access(brute, state, 0, &state->left[i]);
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
  const uint32_t caches = brute->sms * COLD_LINES;
  brute->code_slots = 0;
  if (cold->lines > 0 && cold->keeps < TINY_KEEPS_NEAR) {
    use_slots(brute, 0, brute->warp_count, cold->near.requests);
    use_slots(brute, WARP_LIMIT, cold->constants > 0 ? brute->warp_count : 0, cold->near.requests);
  } else if (cold->lines > 0) {
    use_slots(brute, 0, caches * brute->partitions, cold->near.requests);
  }
  if (cold->lines > 0 && cold->keeps < TINY_KEEPS_SM) {
    use_slots(brute, FAR, brute->warp_count, cold->far.requests);
    use_slots(brute, FAR + WARP_LIMIT, cold->constants > 0 ? brute->warp_count : 0,
              cold->far.requests);
  } else if (cold->lines > 0) {
    use_slots(brute, FAR, caches, cold->far.requests);
  }
  use_slots(brute, PAGE, cold->lines > 0 && cold->pages, cold->page.requests);
  use_slots(brute, DATA, cold->data, cold->page.requests);
  const struct tiny_first *first = first_of(brute);
  use_slots(brute, FIRST, first->lines > 0 ? brute->sms * TINY_FIRST_SECTORS : 0,
            first->stage_count);
}

void code_start(const struct launch_brute *brute, struct moment *state)
{
  for (uint32_t s = 0; s < CODE_SLOTS; s++)
    state->code[s] = (struct fetch){WAITING, WAITING};
  for (uint32_t s = 0; s < FIRST_SMS * TINY_FIRST_SECTORS; s++) {
    if ((first_of(brute)->resident >> s % TINY_FIRST_SECTORS & 1) != 0)
      state->code[FIRST + s] = state->code[FIRST + s + CODE_FETCHES] = (struct fetch){0, 0};
  }
}

bool code_waits(const struct moment *state, uint32_t slot)
{
  return state->code[slot].delay == 0 && state->code[slot].service == WAITING;
}

static const struct tiny_fetch *kind_of(const struct launch_brute *brute, uint32_t slot)
{
  const struct tiny_cold *cold = cold_of(brute);
  const bool second = slot >= CODE_FETCHES;
  slot %= CODE_FETCHES;
  if (slot >= FIRST)
    return &first_of(brute)->stages[second];
  return slot >= PAGE ? &cold->page : slot >= FAR ? &cold->far : &cold->near;
}

uint8_t code_resource(const struct launch_brute *brute, uint32_t slot)
{
  return kind_of(brute, slot)->resource;
}

uint32_t code_sm(const struct launch_brute *brute, uint32_t slot)
{
  slot %= CODE_FETCHES;
  if (slot >= FIRST)
    return (slot - FIRST) / TINY_FIRST_SECTORS;
  if (slot >= FAR)
    return 0; /* of the GPU's resources it does not matter */
  return cold_of(brute)->keeps < TINY_KEEPS_NEAR ? moment_sm(brute, slot % WARP_LIMIT)
                                                 : slot / COLD_LINES / brute->partitions;
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
             ? key_of(state, (sm * brute->partitions + partition) * COLD_LINES, COLD_LINES)
             : 0;
}

uint64_t code_key_of_sm(const struct launch_brute *brute, const struct moment *state, uint32_t sm)
{
  if (first_of(brute)->lines > 0)
    return key_of(state, FIRST + sm * TINY_FIRST_SECTORS, TINY_FIRST_SECTORS);
  return code_is_cold(brute) && cold_of(brute)->keeps >= TINY_KEEPS_SM
             ? key_of(state, FAR + sm * COLD_LINES, COLD_LINES)
             : 0;
}

uint64_t code_key_of_warp(const struct launch_brute *brute, const struct moment *state,
                          uint32_t warp)
{
  uint64_t key = 0;
  if (!code_is_cold(brute) || cold_of(brute)->keeps == TINY_KEEPS_NEAR)
    return 0;
  for (uint32_t slot = warp; slot < 2 * WARP_LIMIT; slot += WARP_LIMIT) {
    const uint64_t far = cold_of(brute)->keeps < TINY_KEEPS_SM ? key_of(state, FAR + slot, 1) : 0;
    key = 37 * key + key_of(state, slot, 1) + 31 * far;
  }
  return key;
}

uint64_t code_key_of_gpu(const struct launch_brute *brute, const struct moment *state)
{
  return key_of(state, PAGE, 1U + cold_of(brute)->data);
}
