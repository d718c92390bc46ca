#include "flow/accesses/accesses.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "base/text.h"
#include "flow/accesses/access_counts.h"
#include "flow/accesses/lane_flow.h"
#include "values/lanes/lane_parts.h"

#include <stdlib.h>
#include <string.h>

#define LANES WB_LANES

/* Counts that were found, by what they follow from. */
struct counted {
  uint32_t value, lanes;
  struct wb_access access; /* without a reason; bytes 0: none */
};

#define COUNTED 1024

/* What is being found. */
struct finder {
  struct wb_accesses *accesses;
  uint32_t *items;         /* by instruction: the number of its access, from 1 on */
  struct counted *counted; /* COUNTED of them */
  bool failed;
};

/* ---- the worst of each space ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static uint32_t greatest(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* The most that an access of so many lanes can take whatever its addresses are, and what it takes
 * of the same bytes side by side. Of the generic space, the most of each space that it can be. */
static void set_worst(struct wb_access *access, uint32_t lanes)
{
  /* Atomics are of global and shared memory alone (PTX ISA, atom and red). */
  const bool local =
      access->space == WB_SPACE_LOCAL || (access->space == WB_SPACE_GENERIC && !access->atomic);
  const uint32_t words = ((uint32_t)access->bytes + 3) / 4;
  const uint32_t bytes = LANES * (uint32_t)access->bytes;
  access->sectors = lanes * (local ? words : 1);
  access->wavefronts = access->sectors;
  access->lanes_at_one = lanes;
  switch (access->space) {
  case WB_SPACE_SHARED:
    access->ideal = (bytes + 127) / 128;
    break;
  case WB_SPACE_LOCAL:
    access->ideal = 4 * words;
    break;
  case WB_SPACE_CONSTANT:
    access->ideal = 1;
    break;
  default:
    access->ideal = (bytes + 31) / 32;
  }
}

/* ---- known addresses ---- */

/* What is known of the addresses of an access. */
struct known {
  struct wb_lane_addresses addresses;
  uint64_t end; /* no byte from here on is accessed; UINT64_MAX: not known */
};

/* How far the distances of lanes are known: those of one part alone are told. */
static void set_pattern(const struct wb_lane_addresses *addresses, struct wb_access *access)
{
  const struct wb_lane_value *it = &addresses->values->values[addresses->value];
  const int64_t *distance = addresses->values->shapes[it->shape].distance;
  bool strided = it->mask == 0 && !it->loose && !it->cut && it->clamps == 0;
  access->stride = distance[1];
  for (unsigned l = 0; l < LANES; l++)
    strided = strided && distance[l] == access->stride * (int64_t)l;
  access->pattern = !strided              ? WB_ACCESS_UNKNOWN
                    : access->stride == 0 ? WB_ACCESS_UNIFORM
                                          : WB_ACCESS_STRIDED;
  if (!strided)
    access->stride = 0;
  access->alignment = 1;
  while (access->alignment < UINT32_C(1) << 12 && it->mask == 0 && it->bits > 0 &&
         (it->residue & (2 * (uint64_t)access->alignment - 1)) == 0 &&
         UINT64_C(1) << (it->bits < 12 ? it->bits : 12) > (uint64_t)access->alignment)
    access->alignment *= 2;
}

static void count_new(const struct known *known, struct wb_access *access)
{
  const struct wb_lane_addresses *addresses = &known->addresses;
  set_pattern(addresses, access);
  access->known = true;
  access->lanes_at_one = wb_count_at_one(addresses);
  switch (access->space) {
  case WB_SPACE_GLOBAL:
    access->sectors = wb_count_sectors(addresses);
    access->wavefronts = wb_count_lines(addresses);
    break;
  case WB_SPACE_SHARED:
    /* What a shared access takes of sectors is of no use; it has the counts of its bytes. */
    access->sectors = wb_count_sectors(addresses);
    access->wavefronts = wb_count_passes(addresses);
    access->shared_end = known->end;
    break;
  case WB_SPACE_LOCAL:
    access->sectors = wb_count_local_sectors(addresses);
    access->wavefronts = wb_count_local_lines(addresses);
    break;
  case WB_SPACE_CONSTANT:
    access->sectors = wb_count_sectors(addresses);
    access->wavefronts = wb_count_words(addresses);
    break;
  default:
    access->sectors = wb_count_sectors(addresses);
    access->wavefronts = greatest(wb_count_lines(addresses), wb_count_passes(addresses));
    if (!access->atomic) {
      access->sectors = greatest(access->sectors, wb_count_local_sectors(addresses));
      access->wavefronts = greatest(access->wavefronts, wb_count_local_lines(addresses));
    }
  }
}

static void count_known(struct finder *finder, const struct known *known, struct wb_access *access)
{
  const struct wb_lane_addresses *addresses = &known->addresses;
  struct counted *counted = &finder->counted[(31 * addresses->value + addresses->lanes +
                                              7 * access->bytes + access->space) %
                                             COUNTED];
  if (counted->access.bytes != access->bytes || counted->access.space != access->space ||
      counted->access.atomic != access->atomic || counted->value != addresses->value ||
      counted->lanes != addresses->lanes) {
    *counted = (struct counted){addresses->value, addresses->lanes, *access};
    count_new(known, &counted->access);
  }
  const struct wb_access *found = &counted->access;
  access->known = true;
  access->pattern = found->pattern;
  access->stride = found->stride;
  access->alignment = found->alignment;
  access->sectors = found->sectors;
  access->wavefronts = found->wavefronts;
  access->lanes_at_one = found->lanes_at_one;
  access->shared_end = found->shared_end;
}

/* ---- one instruction ---- */

static uint32_t pair_value(struct wb_lane_walk *walk, uint16_t number)
{
  return number == WB_NO_REGISTER ? wb_lanes_wide_number(walk->values, 0)
                                  : wb_lane_terms_wide(walk, wb_lane_walk_read(walk, number),
                                                       wb_lane_walk_read(walk, number + 1U));
}

/* The lane value of an address. */
static uint32_t address_of(struct wb_lane_walk *walk, const struct wb_operand *operand, bool wide)
{
  struct wb_lane_value_pool *values = walk->values;
  uint32_t base = wb_lane_term_value(walk, wb_lane_walk_read(walk, operand->number));
  if (!wide) {
    const uint32_t index = wb_lane_term_value(walk, wb_lane_walk_read(walk, operand->index));
    const uint32_t sum =
        wb_lanes_add(values, wb_lanes_shift_left(values, base, operand->scale), index);
    return wb_lanes_add(values, sum, wb_lanes_number(values, (uint32_t)operand->value));
  }
  base = operand->narrow ? wb_lanes_extend(values, base, false) : pair_value(walk, operand->number);
  if (operand->scale > 0)
    base = wb_lanes_wide_shift_left(values, base, operand->scale);
  const uint32_t sum = wb_lanes_wide_add(values, base, pair_value(walk, operand->index));
  return wb_lanes_wide_add(values, sum, wb_lanes_wide_number(values, operand->value));
}

/* The lanes that may do the instruction. */
static uint32_t lanes_of(const struct wb_lane_walk *walk)
{
  const uint32_t lanes = walk->state->lanes;
  return walk->guard == walk->layout.count
             ? lanes
             : lanes & wb_lanes_where(walk->values,
                                      wb_lane_term_value(walk, walk->slots[walk->guard]),
                                      walk->when);
}

/* The addresses of the memory operand of that number (0 for the first; a constant is one too), for
 * lanes that do the instruction walk->guard is of; *where: the register whose value decides. False
 * where there is none, or an operand before it is not understood, or nothing is known. */
static bool find_addresses(struct wb_lane_walk *walk, size_t number, const struct wb_access *access,
                           struct known *known, uint16_t *where)
{
  const struct wb_instruction *instruction = &walk->function->instructions[access->instruction];
  const struct wb_operand *operand = NULL;
  *where = WB_NO_REGISTER;
  for (size_t o = 0; o < instruction->operand_count && operand == NULL; o++) {
    const struct wb_operand *it = &walk->function->operands[instruction->first_operand + o];
    if (it->kind == WB_OPERAND_OTHER)
      return false;
    if ((it->kind == WB_OPERAND_ADDRESS || it->kind == WB_OPERAND_CONSTANT) && number-- == 0)
      operand = it;
  }
  if (operand == NULL)
    return false;
  *where = operand->index < WB_REGISTER_PREDICATE ? operand->index : operand->number;
  const bool wide = (access->space == WB_SPACE_GLOBAL || access->space == WB_SPACE_GENERIC) &&
                    (operand->wide || wb_instruction_has(instruction, WB_MODIFIER_E));
  const uint32_t value = address_of(walk, operand, wide);
  if (value == WB_LANES_UNKNOWN)
    return false;
  known->addresses = (struct wb_lane_addresses){
      .values = walk->values, .value = value, .lanes = lanes_of(walk), .bytes = access->bytes};
  struct wb_lane_part parts[WB_LANES];
  const size_t count = wb_lanes_parts(walk->values, value, parts);
  known->end = 0;
  for (size_t p = 0; p < count; p++) {
    const struct wb_lane_value *it = &walk->values->values[parts[p].value];
    const bool limited = parts[p].value != WB_LANES_UNKNOWN && it->most < UINT32_MAX;
    const uint64_t end = limited ? it->most + access->bytes : UINT64_MAX;
    known->end = end > known->end ? end : known->end;
  }
  return true;
}

/* A copy from global to shared memory: the first operand is the shared place. */
static void count_copy(struct finder *finder, struct wb_lane_walk *walk, struct wb_access *access,
                       uint16_t *where)
{
  struct wb_access shared = *access;
  struct known known;
  uint16_t ignored;
  shared.space = WB_SPACE_SHARED;
  set_worst(access, wb_lane_count(lanes_of(walk)));
  set_worst(&shared, wb_lane_count(lanes_of(walk)));
  if (find_addresses(walk, 0, &shared, &known, &ignored))
    count_known(finder, &known, &shared);
  if (find_addresses(walk, 1, access, &known, where))
    count_known(finder, &known, access);
  access->known = access->known && shared.known;
  access->shared_end = shared.shared_end;
  access->wavefronts += shared.wavefronts;
}

/* ---- reasons ---- */

static char *reason_of(const struct wb_access *access, const struct wb_instruction *instruction,
                       uint16_t where)
{
  static const char *const names[WB_SPACE_COUNT] = {"global",   "shared",  "local",
                                                    "constant", "generic", "texture"};
  struct wb_text text = {0};
  const bool banks = access->space == WB_SPACE_SHARED;
  if (access->unbounded) {
    wb_text_format(&text, "%s moves more than its lanes' own bytes: not bounded",
                   instruction->opcode);
    return wb_text_take(&text);
  }
  if (access->space == WB_SPACE_TEXTURE)
    wb_text_format(&text, "texture or surface");
  else if (!access->known && where != WB_NO_REGISTER)
    wb_text_format(&text, "address by R%u, which is not known by lane", (unsigned)where);
  else if (!access->known)
    wb_text_format(&text, "address not known by lane");
  else if (access->pattern == WB_ACCESS_UNIFORM)
    wb_text_format(&text, "one address for all lanes");
  else if (access->pattern == WB_ACCESS_STRIDED)
    wb_text_format(&text, "address = uniform + %lld * lane, aligned to %u",
                   (long long)access->stride, (unsigned)greatest(access->alignment, access->bytes));
  else
    wb_text_format(&text, "address = uniform + a known offset for each lane");
  const uint32_t count = banks ? access->wavefronts : access->sectors;
  wb_text_format(&text, ": %s %u %s%s", names[access->space], (unsigned)count,
                 banks ? "pass" : "sector",
                 count == 1 ? ""
                 : banks    ? "es"
                            : "s");
  return wb_text_take(&text);
}

/* ---- all ---- */

/* An instruction in several contexts, or of several warps: the most of each count. */
static void join(struct wb_access *mine, const struct wb_access *its)
{
  if (mine->pattern != its->pattern || mine->stride != its->stride) {
    mine->pattern = WB_ACCESS_UNKNOWN;
    mine->stride = 0;
  }
  mine->known = mine->known && its->known;
  mine->alignment = least(mine->alignment, its->alignment);
  mine->sectors = greatest(mine->sectors, its->sectors);
  mine->wavefronts = greatest(mine->wavefronts, its->wavefronts);
  mine->lanes_at_one = greatest(mine->lanes_at_one, its->lanes_at_one);
  mine->shared_end = mine->shared_end > its->shared_end ? mine->shared_end : its->shared_end;
}

/* Adds an access, or joins it to what is known of its instruction. */
static void add_access(struct finder *finder, struct wb_access *access,
                       const struct wb_instruction *instruction, uint16_t where)
{
  struct wb_accesses *accesses = finder->accesses;
  uint32_t *item = &finder->items[access->instruction];
  struct wb_access *mine = *item > 0 ? &accesses->items[*item - 1] : NULL;
  if (mine != NULL && access->sectors <= mine->sectors && access->wavefronts <= mine->wavefronts &&
      (access->known || !mine->known)) {
    join(mine, access);
    return;
  }
  access->reason = reason_of(access, instruction, where);
  if (access->reason == NULL ||
      (mine == NULL && !wb_grow(accesses->items, &accesses->capacity, accesses->count + 1))) {
    free(access->reason);
    finder->failed = true;
  } else if (mine == NULL) {
    accesses->items[accesses->count++] = *access;
    *item = (uint32_t)accesses->count;
  } else {
    free(mine->reason);
    mine->reason = access->reason;
    join(mine, access);
  }
}

/* Finds the access of an instruction in one block. */
static void visit(void *context, struct wb_lane_walk *walk, uint32_t index)
{
  static const struct wb_access_kind unknown = {WB_SPACE_GENERIC, WB_ACTION_BULK, 16};
  struct finder *finder = context;
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  const struct wb_access_kind *kind =
      instruction->unknown ? &unknown : wb_access_kind_of((enum wb_opcode)instruction->number);
  uint16_t where = WB_NO_REGISTER;
  struct wb_access access = {.instruction = index};
  if (kind->action <= WB_ACTION_NONE || instruction->never || finder->failed ||
      instruction->transfer == WB_TRANSFER_CALL_OUTSIDE || instruction->outside)
    return;
  struct known known;
  const enum wb_access_action action = (enum wb_access_action)kind->action;
  access.space = (enum wb_memory_space)kind->space;
  access.bytes = kind->bytes > 0 ? kind->bytes : wb_access_bytes(instruction);
  access.atomic = action == WB_ACTION_ATOMIC || action == WB_ACTION_UPDATE;
  access.load = action == WB_ACTION_LOAD || action == WB_ACTION_COPY ||
                action == WB_ACTION_ATOMIC || action == WB_ACTION_BULK ||
                action == WB_ACTION_FILTER || action == WB_ACTION_LOAD_MATRIX;
  access.store = action == WB_ACTION_STORE || action == WB_ACTION_COPY || access.atomic ||
                 action == WB_ACTION_BULK || action == WB_ACTION_STORE_MATRIX;
  access.unbounded = action == WB_ACTION_BULK;
  access.filtered = action == WB_ACTION_FILTER;
  access.pattern = WB_ACCESS_UNKNOWN;
  access.alignment = 1;
  access.shared_end = UINT64_MAX;

  wb_lane_walk_look(walk, instruction);
  const uint32_t lanes = lanes_of(walk);
  set_worst(&access, lanes != 0 ? wb_lane_count(lanes) : 1);
  if (access.filtered)
    access.wavefronts *= WB_FILTERED_TEXELS;
  if (lanes == 0) { /* no lane of the launch does it */
    access.known = !access.unbounded;
    access.shared_end = 0;
    access.pattern = WB_ACCESS_UNIFORM;
  } else if (kind->action == WB_ACTION_COPY)
    count_copy(finder, walk, &access, &where);
  else if (!access.unbounded && access.space != WB_SPACE_TEXTURE &&
           find_addresses(walk, 0, &access, &known, &where))
    count_known(finder, &known, &access);
  add_access(finder, &access, instruction, where);
}

static int by_instruction(const void *left, const void *right)
{
  const struct wb_access *a = left;
  const struct wb_access *b = right;
  return a->instruction < b->instruction ? -1 : a->instruction > b->instruction;
}

warpbound_status wb_accesses_find(const struct wb_warp_graph *graph, const struct wb_launch *launch,
                                  struct wb_accesses *accesses, warpbound_error *error)
{
  struct finder finder = {.accesses = accesses,
                          .items =
                              wb_allocate(graph->function->instruction_count, sizeof *finder.items),
                          .counted = wb_allocate(COUNTED, sizeof *finder.counted)};
  *accesses = (struct wb_accesses){
      .reached = wb_allocate(graph->function->instruction_count, sizeof *accesses->reached)};
  for (size_t b = 0; b < graph->block_count && accesses->reached != NULL; b++)
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++)
      accesses->reached[i] = true;
  warpbound_status status =
      finder.items == NULL || finder.counted == NULL || accesses->reached == NULL
          ? wb_out_of_memory(error)
          : wb_lane_flow_run(graph, launch, visit, &finder, error);
  if (status == WARPBOUND_OK && finder.failed)
    status = wb_out_of_memory(error);
  if (accesses->count > 1)
    qsort(accesses->items, accesses->count, sizeof *accesses->items, by_instruction);
  if (status != WARPBOUND_OK)
    wb_accesses_free(accesses);
  free(finder.items);
  free(finder.counted);
  return status;
}

void wb_accesses_leave_out(struct wb_accesses *accesses, const bool *idle, size_t count)
{
  size_t left = 0;
  for (size_t i = 0; i < count && accesses->reached != NULL; i++)
    accesses->reached[i] = accesses->reached[i] && !idle[i];
  for (size_t a = 0; a < accesses->count; a++) {
    if (idle[accesses->items[a].instruction])
      free(accesses->items[a].reason);
    else
      accesses->items[left++] = accesses->items[a];
  }
  accesses->count = left;
}

static bool is_before(const void *accesses, size_t index, const void *instruction)
{
  return ((const struct wb_access *)accesses)[index].instruction < *(const uint32_t *)instruction;
}

const struct wb_access *wb_accesses_at(const struct wb_accesses *accesses, uint32_t instruction)
{
  const size_t found = wb_lower_bound(accesses->items, accesses->count, is_before, &instruction);
  return found < accesses->count && accesses->items[found].instruction == instruction
             ? &accesses->items[found]
             : NULL;
}

void wb_accesses_free(struct wb_accesses *accesses)
{
  for (size_t i = 0; i < accesses->count; i++)
    free(accesses->items[i].reason);
  free(accesses->items);
  free(accesses->reached);
  *accesses = (struct wb_accesses){0};
}
