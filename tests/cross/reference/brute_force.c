#include "brute_force.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)256)

/* ---- the longest paths found so far, by state: a byte for each warp ---- */

#define STATE_TABLE_WARPS 16u

struct state {
  uint8_t of[STATE_TABLE_WARPS]; /* by warp; 0 for warps that there are not */
};

struct state_entry {
  struct state state;
  uint32_t cycles;
  bool used;
};

/* Owns its entries. too_large: states were left out, beyond the limit or for want of memory. */
struct state_table {
  struct state_entry *entries;
  size_t count;
  size_t capacity;
  size_t limit;
  bool too_large;
};

static size_t hash_of(const struct state *state)
{
  uint64_t hash = UINT64_C(1469598103934665603);
  for (unsigned w = 0; w < STATE_TABLE_WARPS; w++)
    hash = (hash ^ state->of[w]) * UINT64_C(1099511628211);
  return (size_t)(hash ^ (hash >> 29));
}

/* Where the state is, or would be. */
static struct state_entry *place_of(struct state_entry *entries, size_t capacity,
                                    const struct state *state)
{
  size_t at = hash_of(state) & (capacity - 1);
  while (entries[at].used && memcmp(&entries[at].state, state, sizeof *state) != 0)
    at = (at + 1) & (capacity - 1);
  return &entries[at];
}

static bool state_table_start(struct state_table *table, size_t limit)
{
  *table = (struct state_table){.entries = calloc(FIRST_CAPACITY, sizeof *table->entries),
                                .capacity = FIRST_CAPACITY,
                                .limit = limit};
  return table->entries != NULL;
}

static void state_table_free(struct state_table *table)
{
  free(table->entries);
}

static const struct state_entry *state_table_find(const struct state_table *table,
                                                  const struct state *state)
{
  const struct state_entry *entry = place_of(table->entries, table->capacity, state);
  return entry->used ? entry : NULL;
}

static bool enlarge(struct state_table *table)
{
  size_t capacity = table->capacity * 2;
  struct state_entry *entries = calloc(capacity, sizeof *entries);
  if (entries == NULL)
    return false;
  for (size_t i = 0; i < table->capacity; i++) {
    if (table->entries[i].used)
      *place_of(entries, capacity, &table->entries[i].state) = table->entries[i];
  }
  free(table->entries);
  table->entries = entries;
  table->capacity = capacity;
  return true;
}

static void state_table_add(struct state_table *table, const struct state *state, uint32_t cycles)
{
  bool full = table->count * 2 >= table->capacity;
  if (table->count >= table->limit || (full && !enlarge(table))) {
    table->too_large = true;
    return;
  }
  *place_of(table->entries, table->capacity, state) = (struct state_entry){*state, cycles, true};
  table->count++;
}

#define UNLIMITED UINT32_MAX

/* ---- the search ---- */

struct search;

/* What a search asks of its machine, for a state and a set of warps (bit w: warp w). */
struct rules {
  /* Whether the warp has issued all of its instructions. */
  bool (*is_finished)(const struct search *search, const struct state *state, uint32_t warp);
  /* Whether the warps of the set can all issue in one cycle. */
  bool (*is_possible)(const struct search *search, const struct state *state, uint32_t chosen);
  /* Whether the scheduler may choose the set; NULL: any. */
  bool (*is_fair)(const struct search *search, const struct state *state, uint32_t chosen);
  /* The warp issues. */
  void (*issue)(const struct search *search, struct state *state, uint32_t warp);
  /* Gives states the same that differ in the numbers of like warps only. */
  void (*sort)(const struct search *search, struct state *state);
};

/* The first member of each brute force. */
struct search {
  const struct rules *rules;
  uint32_t warps;
  bool sorted;
  struct state_table table;
};

/* Whether the warps of the set are what a cycle may have: they can issue, no other warp could
 * have issued as well, and the choice is fair. */
static bool is_allowed(const struct search *search, const struct state *state, uint32_t chosen)
{
  const struct rules *rules = search->rules;
  if (!rules->is_possible(search, state, chosen))
    return false;
  for (uint32_t w = 0; w < search->warps; w++) {
    if ((chosen >> w & 1) == 0 && rules->is_possible(search, state, chosen | UINT32_C(1) << w))
      return false;
  }
  return rules->is_fair == NULL || rules->is_fair(search, state, chosen);
}

static uint32_t longest_from(struct search *search, const struct state *state)
{
  const struct rules *rules = search->rules;
  uint32_t unfinished = 0;
  for (uint32_t w = 0; w < search->warps; w++)
    unfinished += !rules->is_finished(search, state, w);
  if (search->table.too_large || unfinished == 0)
    return 0;
  const struct state_entry *known = state_table_find(&search->table, state);
  if (known != NULL)
    return known->cycles;
  uint32_t longest = 0;
  for (uint32_t chosen = 1; chosen < UINT32_C(1) << search->warps; chosen++) {
    if (!is_allowed(search, state, chosen))
      continue;
    struct state next = *state;
    for (uint32_t w = 0; w < search->warps; w++) {
      if ((chosen >> w & 1) != 0)
        rules->issue(search, &next, w);
    }
    if (search->sorted)
      rules->sort(search, &next);
    uint32_t cycles = 1 + longest_from(search, &next);
    if (cycles > longest)
      longest = cycles;
  }
  state_table_add(&search->table, state, longest);
  return longest;
}

/* ---- a partition ---- */

/* A state is the position of each warp. */
struct brute_force {
  struct search search;
  const struct brute_machine *machine;
  uint32_t length;
};

static const struct brute_force *partition_of(const struct search *search)
{
  return (const struct brute_force *)search;
}

static bool is_at_end(const struct search *search, const struct state *state, uint32_t warp)
{
  return state->of[warp] == partition_of(search)->length;
}

static bool fits_partition(const struct search *search, const struct state *state, uint32_t chosen)
{
  const struct brute_machine *machine = partition_of(search)->machine;
  uint32_t used[BRUTE_UNIT_TYPES + 1] = {0};
  uint32_t total = 0;
  for (uint32_t w = 0; w < search->warps; w++) {
    if ((chosen >> w & 1) == 0)
      continue;
    if (is_at_end(search, state, w))
      return false;
    int type = (int)(strchr("LCSDTN", (machine->letters[state->of[w]])) - "LCSDTN");
    if (++used[type] > (type < BRUTE_UNIT_TYPES ? machine->capacity[type] : UNLIMITED) ||
        ++total > (machine->issue_slots > 0 ? machine->issue_slots : UNLIMITED))
      return false;
  }
  return true;
}

/* The block of the warp's next instruction, from 1; 0 before the blocks, and behind them one more
 * than there are. */
static uint32_t block_of(const struct brute_machine *machine, const struct state *state,
                         uint32_t warp)
{
  uint32_t block = 0;
  for (uint32_t start = machine->fair_first;
       block <= machine->fair_count && state->of[warp] + 1u >= start; start += machine->fair_length)
    block++;
  return block;
}

/* Whether no chosen warp could have given its place to another of an earlier block. */
static bool is_fair(const struct search *search, const struct state *state, uint32_t chosen)
{
  const struct brute_machine *machine = partition_of(search)->machine;
  if (machine->fair_count == 0)
    return true;
  for (uint32_t w = 0; w < search->warps; w++) {
    for (uint32_t v = 0; v < search->warps; v++) {
      uint32_t exchanged = (chosen & ~(UINT32_C(1) << w)) | UINT32_C(1) << v;
      if ((chosen >> w & 1) != 0 && (chosen >> v & 1) == 0 && !is_at_end(search, state, v) &&
          block_of(machine, state, v) < block_of(machine, state, w) &&
          fits_partition(search, state, exchanged))
        return false;
    }
  }
  return true;
}

static void sort_positions(const struct search *search, struct state *state)
{
  for (uint32_t i = 1; i < search->warps; i++) {
    uint8_t position = state->of[i];
    uint32_t at = i;
    for (; at > 0 && state->of[at - 1] > position; at--)
      state->of[at] = state->of[at - 1];
    state->of[at] = position;
  }
}

static void advance(const struct search *search, struct state *state, uint32_t warp)
{
  (void)search;
  state->of[warp]++;
}

static const struct rules partition_rules = {
    .is_finished = is_at_end,
    .is_possible = fits_partition,
    .is_fair = is_fair,
    .issue = advance,
    .sort = sort_positions,
};

struct brute_force *brute_start(const struct brute_machine *machine, uint32_t warps, bool sorted,
                                size_t state_limit)
{
  struct brute_force *brute = calloc(1, sizeof *brute);
  struct state_table table;
  if (brute == NULL || !state_table_start(&table, state_limit)) {
    free(brute);
    return NULL;
  }
  *brute = (struct brute_force){.search = {&partition_rules, warps, sorted, table},
                                .machine = machine,
                                .length = (uint32_t)strlen(machine->letters)};
  return brute;
}

bool brute_longest(struct brute_force *brute, const uint8_t *positions, uint32_t *cycles)
{
  struct state state = {{0}};
  memcpy(state.of, positions, brute->search.warps);
  if (brute->search.sorted)
    sort_positions(&brute->search, &state);
  *cycles = longest_from(&brute->search, &state);
  return !brute->search.table.too_large;
}

void brute_free(struct brute_force *brute)
{
  if (brute == NULL)
    return;
  state_table_free(&brute->search.table);
  free(brute);
}

bool brute_makespan(const struct brute_machine *machine, uint32_t warps, size_t state_limit,
                    uint32_t *cycles)
{
  if (warps > BRUTE_WARP_LIMIT || strlen(machine->letters) > BRUTE_LENGTH_LIMIT)
    return false;
  struct brute_force *brute = brute_start(machine, warps, true, state_limit);
  if (brute == NULL)
    return false;
  const uint8_t start[BRUTE_WARP_LIMIT] = {0};
  bool done = brute_longest(brute, start, cycles);
  brute_free(brute);
  return done;
}

/* ---- a whole SM ---- */

#define SUFFIX_LIMIT (SM_STRING_LIMIT * SM_LENGTH_LIMIT + 1)

/* An end of some string; equal ends are one. barriers: its number of B. next: without its first
 * letter. */
struct suffix {
  const char *text;
  uint32_t barriers;
  uint8_t next;
};

/* A state is what each warp has left: the index of a suffix. suffixes[0] is the empty one.
 * suffix_of: by string and position. */
struct sm_brute {
  struct search search;
  const struct sm_instance *instance;
  struct suffix suffixes[SUFFIX_LIMIT];
  uint32_t suffix_count;
  uint8_t suffix_of[SM_STRING_LIMIT][SM_LENGTH_LIMIT + 1];
};

static const struct suffix *left_of(const struct search *search, const struct state *state,
                                    uint32_t warp)
{
  return &((const struct sm_brute *)search)->suffixes[state->of[warp]];
}

static bool has_nothing_left(const struct search *search, const struct state *state, uint32_t warp)
{
  return *left_of(search, state, warp)->text == '\0';
}

/* Whether another warp of its block has more B to do: then the warp has done one that the other
 * has not. */
static bool waits_at_barrier(const struct search *search, const struct state *state, uint32_t warp)
{
  const uint32_t size = ((const struct sm_brute *)search)->instance->block_warps;
  const uint32_t first = warp / size * size;
  for (uint32_t v = first; v < first + size; v++) {
    if (left_of(search, state, v)->barriers > left_of(search, state, warp)->barriers)
      return true;
  }
  return false;
}

/* used: by type and partition, the last for the types that all of them share. */
static bool fits_sm(const struct search *search, const struct state *state, uint32_t chosen)
{
  const struct sm_instance *instance = ((const struct sm_brute *)search)->instance;
  uint32_t used[SM_UNIT_TYPES][SM_PARTITION_LIMIT + 1] = {{0}};
  uint32_t issued[SM_PARTITION_LIMIT] = {0};
  for (uint32_t w = 0; w < search->warps; w++) {
    if ((chosen >> w & 1) == 0)
      continue;
    if (has_nothing_left(search, state, w) || waits_at_barrier(search, state, w))
      return false;
    uint32_t partition = w % instance->block_warps % instance->partitions;
    if (++issued[partition] > instance->issue_slots && instance->issue_slots > 0)
      return false;
    size_t unit = strcspn("LCSDT", (const char[]){*left_of(search, state, w)->text, '\0'});
    if (unit < SM_UNIT_TYPES &&
        ++used[unit][instance->shared[unit] ? SM_PARTITION_LIMIT : partition] >
            instance->capacity[unit])
      return false;
  }
  return true;
}

/* Sorts the warps of a block and partition among themselves. */
static void sort_group(const struct sm_instance *instance, uint8_t *block, uint32_t partition)
{
  uint32_t step = instance->partitions;
  for (uint32_t i = partition + step; i < instance->block_warps; i += step) {
    uint8_t left = block[i];
    uint32_t at = i;
    for (; at >= step && block[at - step] > left; at -= step)
      block[at] = block[at - step];
    block[at] = left;
  }
}

static void sort_state(const struct search *search, struct state *state)
{
  const struct sm_instance *instance = ((const struct sm_brute *)search)->instance;
  uint32_t size = instance->block_warps;
  for (uint32_t b = 0; b < instance->blocks; b++) {
    uint8_t sorted[SM_WARP_LIMIT];
    memcpy(sorted, state->of + (size_t)b * size, size);
    for (uint32_t p = 0; p < instance->partitions; p++)
      sort_group(instance, sorted, p);
    uint32_t at = b;
    for (; at > 0 && memcmp(state->of + (size_t)(at - 1) * size, sorted, size) > 0; at--)
      memcpy(state->of + (size_t)at * size, state->of + (size_t)(at - 1) * size, size);
    memcpy(state->of + (size_t)at * size, sorted, size);
  }
}

static void take_letter(const struct search *search, struct state *state, uint32_t warp)
{
  state->of[warp] = left_of(search, state, warp)->next;
}

static const struct rules sm_rules = {
    .is_finished = has_nothing_left,
    .is_possible = fits_sm,
    .issue = take_letter,
    .sort = sort_state,
};

/* The suffix with this text, made where there is none. next: that of the text behind its first
 * letter. */
static uint8_t find_suffix(struct sm_brute *brute, const char *text, uint8_t next)
{
  for (uint32_t i = 0; i < brute->suffix_count; i++) {
    if (strcmp(brute->suffixes[i].text, text) == 0)
      return (uint8_t)i;
  }
  uint32_t barriers = brute->suffixes[next].barriers + (*text == 'B');
  brute->suffixes[brute->suffix_count] = (struct suffix){text, barriers, next};
  return (uint8_t)brute->suffix_count++;
}

struct sm_brute *sm_brute_start(const struct sm_instance *instance, bool sorted, size_t state_limit)
{
  struct sm_brute *brute = calloc(1, sizeof *brute);
  struct state_table table;
  if (brute == NULL || !state_table_start(&table, state_limit)) {
    free(brute);
    return NULL;
  }
  *brute = (struct sm_brute){.search = {&sm_rules, sm_instance_warps(instance), sorted, table},
                             .instance = instance};
  brute->suffixes[0] = (struct suffix){"", 0, 0};
  brute->suffix_count = 1;
  for (uint32_t s = 0; s < brute->instance->string_count; s++) {
    const char *string = brute->instance->strings[s];
    uint8_t next = 0;
    for (size_t at = strlen(string); at-- > 0;)
      brute->suffix_of[s][at] = next = find_suffix(brute, string + at, next);
  }
  return brute;
}

bool sm_brute_longest(struct sm_brute *brute, const uint32_t *string_of, const uint32_t *position,
                      uint32_t *cycles)
{
  struct state state = {{0}};
  for (uint32_t w = 0; w < brute->search.warps; w++)
    state.of[w] = brute->suffix_of[string_of[w]][position != NULL ? position[w] : 0];
  if (brute->search.sorted)
    sort_state(&brute->search, &state);
  *cycles = longest_from(&brute->search, &state);
  return !brute->search.table.too_large;
}

bool sm_brute_assignment(struct sm_brute *brute, const uint32_t *string_of, uint32_t *cycles)
{
  return sm_brute_longest(brute, string_of, NULL, cycles);
}

/* The next assignment in the order of numbers to the base string_count; false after the last. */
static bool count_up(const struct sm_brute *brute, uint32_t *string_of)
{
  for (uint32_t w = 0; w < brute->search.warps; w++) {
    if (++string_of[w] < brute->instance->string_count)
      return true;
    string_of[w] = 0;
  }
  return false;
}

bool sm_brute_worst(struct sm_brute *brute, uint32_t *cycles, uint32_t *string_of)
{
  uint32_t tried[SM_WARP_LIMIT] = {0};
  *cycles = 0;
  do {
    uint32_t longest;
    if (!sm_brute_assignment(brute, tried, &longest))
      return false;
    if (longest > *cycles && string_of != NULL)
      memcpy(string_of, tried, brute->search.warps * sizeof *tried);
    if (longest > *cycles)
      *cycles = longest;
  } while (count_up(brute, tried));
  return true;
}

void sm_brute_free(struct sm_brute *brute)
{
  if (brute == NULL)
    return;
  state_table_free(&brute->search.table);
  free(brute);
}
