#include "flow/accesses/accesses.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "base/text.h"
#include "flow/accesses/lane_flow.h"
#include "values/lanes/lane_values.h"

#include <stdlib.h>
#include <string.h>

#define LANES WB_LANES
#define BANKS 32

/* The addresses of a warp's lanes: of lane l first + distance[l], where first is `residue` modulo
 * 2^bits. */
struct lane_addresses {
  int64_t distance[WB_LANES];
  uint64_t residue;
  unsigned bits;
  uint32_t lanes; /* those that may be there */
  unsigned bytes; /* of each lane, 1 to 32; each lane's address is a multiple of it */
};

/* ---- counts of sectors, lines and passes ---- */

/* Units of 2^places bytes. */
enum { WORD = 2, SECTOR = 5, LINE = 7 };

/* A set of few numbers, ascending. */
struct numbers {
  uint64_t items[WB_LANES * 9];
  size_t count;
};

static void add_number(struct numbers *set, uint64_t number)
{
  size_t place = set->count;
  while (place > 0 && set->items[place - 1] > number)
    place--;
  if (place > 0 && set->items[place - 1] == number)
    return;
  for (size_t i = set->count++; i > place; i--)
    set->items[i] = set->items[i - 1];
  set->items[place] = number;
}

static bool is_there(const struct lane_addresses *addresses, unsigned lane)
{
  return (addresses->lanes >> lane & 1) != 0;
}

static uint32_t units_from(const struct lane_addresses *addresses, uint64_t first, unsigned places)
{
  struct numbers units = {.count = 0};
  for (unsigned l = 0; l < WB_LANES; l++) {
    if (!is_there(addresses, l))
      continue;
    const uint64_t address = first + (uint64_t)addresses->distance[l];
    add_number(&units, address >> places);
    add_number(&units, (address + addresses->bytes - 1) >> places);
  }
  return (uint32_t)units.count;
}

/* A middle of the 64 bits, from which distances lead to no end of them. */
#define MIDDLE (UINT64_C(1) << 63)

/* The most that `count` finds for any first address whose lowest bits fit the known ones and, since
 * each address is a multiple of what it accesses, the aligned ones. */
static uint32_t most_of(const struct lane_addresses *addresses, unsigned places,
                        uint32_t (*count)(const struct lane_addresses *addresses, uint64_t first,
                                          unsigned places))
{
  const unsigned known = addresses->bits < places ? addresses->bits : places;
  const uint64_t mask = (UINT64_C(1) << known) - 1;
  uint32_t most = 0;
  bool aligned = true; /* all lanes' addresses are apart by multiples of what they access */
  for (unsigned l = 0; l < WB_LANES; l++)
    aligned = aligned && (addresses->distance[l] & (addresses->bytes - 1)) == 0;
  /* Where no first address is aligned, the access cannot be done; then all are counted. */
  for (unsigned attempt = 0; attempt < 2 && most == 0; attempt++, aligned = false)
    for (uint64_t first = 0; first < UINT64_C(1) << places; first++) {
      if (((first ^ addresses->residue) & mask) != 0 ||
          (aligned && (first & (addresses->bytes - 1)) != 0))
        continue;
      const uint32_t found = count(addresses, MIDDLE + first, places);
      most = found > most ? found : most;
    }
  return most;
}

/* The passes over 32 banks of 4 bytes: in a pass a bank gives one word. The lanes of 8 bytes go in
 * two parts of 16 lanes, those of 16 bytes in four of 8: passes of the parts are added. Turning all
 * words to the next bank changes nothing: the place within 16 bytes is all that counts. */
static uint32_t passes_from(const struct lane_addresses *addresses, uint64_t first, unsigned places)
{
  const unsigned parts = addresses->bytes <= 4 ? 1 : addresses->bytes / 4;
  uint32_t sum = 0;
  (void)places;
  for (unsigned p = 0; p < parts; p++) {
    struct numbers words = {.count = 0};
    uint32_t of_bank[BANKS] = {0};
    uint32_t most = 0;
    for (unsigned l = p * WB_LANES / parts; l < (p + 1) * WB_LANES / parts; l++) {
      if (!is_there(addresses, l))
        continue;
      const uint64_t address = first + (uint64_t)addresses->distance[l];
      for (uint64_t word = address / 4; word <= (address + addresses->bytes - 1) / 4; word++)
        add_number(&words, word);
    }
    for (size_t i = 0; i < words.count; i++) {
      const uint32_t found = ++of_bank[words.items[i] % BANKS];
      most = found > most ? found : most;
    }
    sum += most;
  }
  return sum;
}

/* The most lanes with one address. */
static uint32_t count_at_one(const struct lane_addresses *addresses)
{
  uint32_t most = 0;
  for (unsigned l = 0; l < WB_LANES; l++) {
    uint32_t equal = 0;
    for (unsigned other = 0; other < WB_LANES && is_there(addresses, l); other++)
      equal += is_there(addresses, other) && addresses->distance[other] == addresses->distance[l];
    most = equal > most ? equal : most;
  }
  return most;
}

/* Units of local memory, where words of the lanes lie side by side: word o of lane l is number
 * 32 o + l. */
static uint32_t local_units_from(const struct lane_addresses *addresses, uint64_t first,
                                 unsigned places)
{
  const uint64_t lanes_of_unit = (UINT64_C(1) << places) / 4;
  struct numbers units = {.count = 0};
  for (unsigned l = 0; l < WB_LANES; l++) {
    if (!is_there(addresses, l))
      continue;
    const uint64_t address = first + (uint64_t)addresses->distance[l];
    for (uint64_t word = address / 4; word <= (address + addresses->bytes - 1) / 4; word++)
      add_number(&units, word * (WB_LANES / lanes_of_unit) + l / lanes_of_unit);
  }
  return (uint32_t)units.count;
}

/* What is being found. */
struct finder {
  struct wb_accesses *accesses;
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

/* The most that an access can take whatever its addresses are, and what it takes of the same bytes
 * side by side. Of the generic space, the most of each space that it can be. */
static void set_worst(struct wb_access *access)
{
  const bool local = access->space == WB_SPACE_LOCAL || access->space == WB_SPACE_GENERIC;
  const uint32_t words = ((uint32_t)access->bytes + 3) / 4;
  const uint32_t bytes = LANES * (uint32_t)access->bytes;
  access->sectors = LANES * (local ? words : 1);
  access->wavefronts = access->sectors;
  access->lanes_at_one = LANES;
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
  struct lane_addresses addresses;
  uint32_t extra; /* units that lanes beyond a multiple of 2^32 may add */
  uint64_t end;   /* no byte from here on is accessed; UINT64_MAX: not known */
};

static void count_global(const struct known *known, struct wb_access *access)
{
  access->sectors = least(LANES, most_of(&known->addresses, SECTOR, units_from) + known->extra);
  access->wavefronts = least(LANES, most_of(&known->addresses, LINE, units_from) + known->extra);
}

static void count_shared(const struct known *known, struct wb_access *access)
{
  /* What a shared access takes of sectors is of no use; it has the counts of its bytes. */
  access->wavefronts = least(LANES, most_of(&known->addresses, 4, passes_from));
  access->sectors = least(LANES, most_of(&known->addresses, SECTOR, units_from));
  access->shared_end = known->end;
}

static void count_local(const struct known *known, struct wb_access *access)
{
  access->sectors = least(access->sectors, most_of(&known->addresses, SECTOR, local_units_from));
  access->wavefronts =
      least(access->wavefronts, most_of(&known->addresses, LINE, local_units_from));
}

static void count_known(const struct known *known, struct wb_access *access)
{
  const struct lane_addresses *addresses = &known->addresses;
  bool strided = true;
  access->stride = addresses->distance[1];
  for (unsigned l = 0; l < LANES; l++)
    strided = strided && addresses->distance[l] == access->stride * (int64_t)l;
  access->pattern = !strided              ? WB_ACCESS_UNKNOWN
                    : access->stride == 0 ? WB_ACCESS_UNIFORM
                                          : WB_ACCESS_STRIDED;
  if (!strided)
    access->stride = 0;
  access->alignment = 1;
  while (access->alignment < UINT32_C(1) << 12 && addresses->bits > 0 &&
         (addresses->residue & (2 * (uint64_t)access->alignment - 1)) == 0 &&
         UINT64_C(1) << (addresses->bits < 12 ? addresses->bits : 12) > (uint64_t)access->alignment)
    access->alignment *= 2;
  access->known = true;
  access->lanes_at_one = count_at_one(&known->addresses);
  switch (access->space) {
  case WB_SPACE_GLOBAL:
    count_global(known, access);
    break;
  case WB_SPACE_SHARED:
    count_shared(known, access);
    break;
  case WB_SPACE_LOCAL:
    count_local(known, access);
    break;
  case WB_SPACE_CONSTANT:
    access->sectors = most_of(&known->addresses, SECTOR, units_from);
    access->wavefronts = most_of(&known->addresses, WORD, units_from);
    break;
  default: {
    struct wb_access global = *access;
    struct wb_access local = *access;
    struct wb_access shared = *access;
    count_global(known, &global);
    count_local(known, &local);
    count_shared(known, &shared);
    access->sectors = greatest(global.sectors, local.sectors);
    access->wavefronts = greatest(greatest(global.wavefronts, local.wavefronts), shared.wavefronts);
  }
  }
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
  const struct wb_lane_value *it = &walk->values->values[value];
  known->addresses = (struct lane_addresses){.residue = it->residue,
                                             .bits = it->bits,
                                             .lanes = walk->state->lanes,
                                             .bytes = access->bytes};
  memcpy(known->addresses.distance, walk->values->shapes[it->shape].distance,
         sizeof known->addresses.distance);
  known->extra = it->split;
  known->end = it->most < UINT32_MAX ? it->most + access->bytes : UINT64_MAX;
  return true;
}

/* A copy from global to shared memory: the first operand is the shared place. */
static void count_copy(struct wb_lane_walk *walk, struct wb_access *access, uint16_t *where)
{
  struct wb_access shared = *access;
  struct known known;
  uint16_t ignored;
  shared.space = WB_SPACE_SHARED;
  set_worst(access);
  set_worst(&shared);
  if (find_addresses(walk, 0, &shared, &known, &ignored))
    count_known(&known, &shared);
  if (find_addresses(walk, 1, access, &known, where))
    count_known(&known, access);
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

/* An instruction in several contexts: the most of each count. */
static void join(struct wb_access *mine, const struct wb_access *its)
{
  const bool worse = its->sectors > mine->sectors || its->wavefronts > mine->wavefronts ||
                     (mine->known && !its->known);
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
  if (worse) {
    free(mine->reason);
    mine->reason = its->reason;
  } else {
    free(its->reason);
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
                action == WB_ACTION_LOAD_MATRIX;
  access.store = action == WB_ACTION_STORE || action == WB_ACTION_COPY || access.atomic ||
                 action == WB_ACTION_BULK || action == WB_ACTION_STORE_MATRIX;
  access.unbounded = action == WB_ACTION_BULK;
  access.pattern = WB_ACCESS_UNKNOWN;
  access.alignment = 1;
  access.shared_end = UINT64_MAX;

  set_worst(&access);
  wb_lane_walk_look(walk, instruction);
  if (kind->action == WB_ACTION_COPY)
    count_copy(walk, &access, &where);
  else if (!access.unbounded && access.space != WB_SPACE_TEXTURE &&
           find_addresses(walk, 0, &access, &known, &where))
    count_known(&known, &access);
  access.reason = reason_of(&access, instruction, where);
  struct wb_accesses *accesses = finder->accesses;
  if (access.reason == NULL ||
      !wb_grow(accesses->items, &accesses->capacity, accesses->count + 1)) {
    free(access.reason);
    finder->failed = true;
    return;
  }
  accesses->items[accesses->count++] = access;
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
  struct finder finder = {.accesses = accesses};
  *accesses = (struct wb_accesses){0};
  warpbound_status status = wb_lane_flow_run(graph, launch, visit, &finder, error);
  if (status == WARPBOUND_OK && finder.failed)
    status = wb_out_of_memory(error);
  size_t kept = 0;
  if (accesses->count > 1)
    qsort(accesses->items, accesses->count, sizeof *accesses->items, by_instruction);
  for (size_t i = 0; i < accesses->count; i++) {
    if (kept > 0 && accesses->items[kept - 1].instruction == accesses->items[i].instruction)
      join(&accesses->items[kept - 1], &accesses->items[i]);
    else
      accesses->items[kept++] = accesses->items[i];
  }
  accesses->count = kept;
  if (status != WARPBOUND_OK)
    wb_accesses_free(accesses);
  return status;
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
  *accesses = (struct wb_accesses){0};
}
