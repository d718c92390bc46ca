#include "sm/search/sm_search.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/hash.h"
#include "makespan/machine/reached.h"
#include "makespan/machine/schedule.h"
#include "makespan/machine/sm_machine.h"
#include "sm/machine/sm_words.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- states in one form ---- */

/* Most classes of words of a state's warps. */
#define CLASS_LIMIT ((size_t)UINT16_MAX)

/* A state is the class (sm_words.h) of each warp, block by block, in each partition by partition,
 * in each the warps of this cell. */
struct layout {
  uint32_t warps;
  uint32_t blocks;
  uint32_t block_warps;
  uint32_t partitions;
  uint32_t wide; /* partitions that have one more warp of a block than the others: the first ones */
  uint32_t begin[WB_PARTITION_LIMIT + 1]; /* by partition: where its warps begin in a block */
  uint64_t *keys;                         /* of a cell, for layout_canonicalise */
  uint64_t *rows;                         /* of a block, for the same */
  uint64_t *columns;                      /* of a partition, for the same */
};

/* Makes the arrays in an arena. false: no memory. */
static bool layout_start(struct layout *layout, const struct wb_sm_problem *problem,
                         struct wb_arena *arena)
{
  const uint32_t partitions = (uint32_t)wb_minimum(problem->partitions, problem->block_warps);
  *layout = (struct layout){.warps = wb_sm_problem_warps(problem),
                            .blocks = problem->blocks,
                            .block_warps = problem->block_warps,
                            .partitions = partitions,
                            .wide = problem->block_warps % partitions};
  const size_t cells = (size_t)problem->blocks * partitions;
  layout->keys = wb_arena_array(arena, uint64_t, cells);
  layout->rows = wb_arena_array(arena, uint64_t, problem->blocks);
  layout->columns = wb_arena_array(arena, uint64_t, partitions);
  for (uint32_t p = 0; p < partitions; p++)
    layout->begin[p + 1] =
        layout->begin[p] + problem->block_warps / partitions + (p < layout->wide);
  return !arena->failed;
}

/* Where warp w stands in a state at the start. */
static uint32_t layout_place(const struct layout *layout, uint32_t warp)
{
  const uint32_t within = warp % layout->block_warps;
  return warp - within + layout->begin[within % layout->partitions] + within / layout->partitions;
}

/* ---- the warps of a cell ---- */

static void sort_cell(uint16_t *state, uint32_t *names, uint32_t begin, uint32_t end)
{
  for (uint32_t i = begin + 1; i < end; i++) {
    const uint16_t class = state[i];
    const uint32_t name = names != NULL ? names[i] : 0;
    uint32_t at = i;
    for (; at > begin && state[at - 1] > class; at--) {
      state[at] = state[at - 1];
      if (names != NULL)
        names[at] = names[at - 1];
    }
    state[at] = class;
    if (names != NULL)
      names[at] = name;
  }
}

static void exchange(uint16_t *state, uint32_t *names, uint32_t a, uint32_t b, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t class = state[a + i];
    state[a + i] = state[b + i];
    state[b + i] = class;
    if (names == NULL)
      continue;
    const uint32_t name = names[a + i];
    names[a + i] = names[b + i];
    names[b + i] = name;
  }
}

/* ---- partitions ---- */

/* Partitions from..to - 1, which have as many warps, in order of their keys. */
static void sort_columns(struct layout *layout, uint16_t *state, uint32_t *names, uint32_t from,
                         uint32_t to)
{
  for (uint32_t p = from + 1; p < to; p++) {
    for (uint32_t q = p; q > from && layout->columns[q - 1] > layout->columns[q]; q--) {
      const uint64_t key = layout->columns[q];
      layout->columns[q] = layout->columns[q - 1];
      layout->columns[q - 1] = key;
      const uint32_t count = layout->begin[q + 1] - layout->begin[q];
      for (uint32_t block = 0; block < layout->warps; block += layout->block_warps)
        exchange(state, names, block + layout->begin[q - 1], block + layout->begin[q], count);
    }
  }
}

/* Brings a state into its form: the warps of each cell, the partitions of as many warps and the
 * blocks in an order that depends on the classes alone; names (NULL: none) go with them. What is
 * equal in this form is equal but for names; of large states a few that are have two forms. */
static void layout_canonicalise(struct layout *layout, uint16_t *state, uint32_t *names)
{
  for (uint32_t b = 0; b < layout->blocks; b++) {
    const uint32_t block = b * layout->block_warps;
    for (uint32_t p = 0; p < layout->partitions; p++)
      sort_cell(state, names, block + layout->begin[p], block + layout->begin[p + 1]);
  }
  if (layout->partitions > 1) {
    /* A key of each partition from what its cells and the blocks that they are of hold, in whatever
     * order these stand. */
    memset(layout->rows, 0, layout->blocks * sizeof *layout->rows);
    memset(layout->columns, 0, layout->partitions * sizeof *layout->columns);
    for (uint32_t b = 0; b < layout->blocks; b++) {
      for (uint32_t p = 0; p < layout->partitions; p++) {
        uint64_t key = 1;
        for (uint32_t i = layout->begin[p]; i < layout->begin[p + 1]; i++)
          key = wb_hash_word(key, state[(size_t)b * layout->block_warps + i]);
        layout->keys[(size_t)b * layout->partitions + p] = key;
        layout->rows[b] += key;
      }
    }
    for (uint32_t b = 0; b < layout->blocks; b++) {
      for (uint32_t p = 0; p < layout->partitions; p++)
        layout->columns[p] +=
            wb_hash_word(layout->keys[(size_t)b * layout->partitions + p], layout->rows[b]);
    }
    sort_columns(layout, state, names, 0, layout->wide);
    sort_columns(layout, state, names, layout->wide, layout->partitions);
  }
  const uint32_t size = layout->block_warps;
  for (uint32_t b = 1; b < layout->blocks; b++) {
    for (uint32_t here = b * size; here > 0; here -= size) {
      if (memcmp(state + here - size, state + here, size * sizeof *state) <= 0)
        break;
      exchange(state, names, here - size, here, size);
    }
  }
}

/* ---- the search ---- */

/* Choices of warps between two polls of the control. */
#define POLL_INTERVAL (UINT64_C(1) << 16)
/* Letters whose classes surely fit into a state. */
#define LETTER_LIMIT (CLASS_LIMIT - 1)

/* Classes of states that are kept in one byte each. */
#define NARROW_CLASSES ((size_t)UINT8_MAX + 1)

/* Bytes for each instruction of all warps: its level, and its place in the witness. */
#define LEVEL_BYTES (sizeof(uint32_t) + WB_SM_RECORD_BYTES)

/* Warps of one cell and class that may issue: `count` of them from `place` on. */
struct group {
  uint32_t place;
  uint32_t count;
  uint16_t class;
  uint8_t unit;
  uint8_t partition;
  uint32_t after;                 /* warps that wait for the same units in later groups */
  uint32_t beside[WB_UNIT_COUNT]; /* by type: warps of the same partition in later groups */
  bool last;                      /* it is the last group of its partition */
};

/* string_of: NULL for all assignments. state: under expansion, at `index` of those reached;
 * settled: the one that a move makes. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of;
  const struct wb_control *control;
  struct wb_sm_words words;
  struct layout layout;
  uint16_t *next;       /* the state that the move under construction makes, before it is settled */
  struct group *groups; /* partition by partition */
  size_t group_count;
  struct wb_sm_room room;
  bool roomy[WB_PARTITION_LIMIT];      /* by partition: its issue slots cannot run out */
  bool all_roomy;                      /* of all partitions */
  uint32_t needed[WB_PARTITION_LIMIT]; /* by partition: instructions that it issues at least */
  struct replay *replay;               /* follows the moves made; NULL: they make states */
  struct wb_reached reached;           /* levels: the instructions left at most */
  bool narrow;                         /* a class has one byte there, else two */
  uint8_t *packed;                     /* working memory: a state's bytes there */
  uint16_t *state;
  uint16_t *settled;
  uint32_t index;
  size_t level;
  uint64_t work;
  enum wb_stop stop;
  struct wb_arena arena; /* of the arrays */
};

/* ---- states reached ---- */

/* Counts a choice, and says whether to go on. */
static bool goes_on(struct search *search)
{
  if (search->replay != NULL)
    return true;
  if (++search->work < POLL_INTERVAL)
    return search->stop == WB_STOP_NONE;
  search->work = 0;
  if (search->stop == WB_STOP_NONE)
    search->stop = wb_control_poll(search->control, "exact search",
                                   1 - (double)search->level / (double)search->reached.levels);
  if (search->stop == WB_STOP_NONE &&
      wb_reached_bytes(&search->reached) > search->control->memory_limit / 2)
    search->stop = WB_STOP_MEMORY;
  return search->stop == WB_STOP_NONE;
}

static uint64_t hash_of(const void *context, const uint8_t *bytes)
{
  const struct search *search = context;
  size_t count = search->reached.stride;
  uint64_t hash = count;
  while (count > 0) {
    const size_t part = count < sizeof(uint64_t) ? count : sizeof(uint64_t);
    uint64_t word = 0;
    memcpy(&word, bytes, part);
    hash = wb_hash_word(hash, word);
    bytes += part;
    count -= part;
  }
  return hash;
}

/* Adds the state `settled`, whose level is the most instructions that are left. */
static void add_settled(struct search *search, uint32_t cycles, uint32_t parent)
{
  size_t level = 0;
  for (uint32_t w = 0; w < search->layout.warps; w++) {
    level += search->words.height[search->settled[w]];
    if (search->narrow)
      search->packed[w] = (uint8_t)search->settled[w];
  }
  if (!search->narrow)
    memcpy(search->packed, search->settled, search->reached.stride);
  if (!wb_reached_add(&search->reached, search->packed, hash_of(search, search->packed), level,
                      cycles, parent))
    search->stop = WB_STOP_MEMORY;
}

/* Writes the classes of a state. */
static void read_state(const struct search *search, uint32_t index, uint16_t *state)
{
  const uint8_t *bytes = wb_reached_state(&search->reached, index);
  if (!search->narrow)
    memcpy(state, bytes, search->reached.stride);
  for (uint32_t w = 0; w < search->layout.warps && search->narrow; w++)
    state[w] = bytes[w];
}

/* From state to state on the way: which warp, by its number, stands where in the state; wanted: the
 * next state of the way. */
struct replay {
  uint32_t *names;
  uint32_t *moved_names;
  uint16_t *wanted;
  struct wb_sm_record record;
  uint32_t cycle;
};

/* A move has made `next` of the state: a state reached, or, in a replay, the way on where it leads
 * to the wanted state. Says whether to go on. */
static bool reach(struct search *search)
{
  const uint32_t warps = search->layout.warps;
  struct replay *replay = search->replay;
  memcpy(search->settled, search->next, warps * sizeof *search->settled);
  if (replay == NULL) {
    layout_canonicalise(&search->layout, search->settled, NULL);
    add_settled(search, search->reached.nodes[search->index].cycles + 1, search->index);
    return search->stop == WB_STOP_NONE;
  }
  memcpy(replay->moved_names, replay->names, warps * sizeof *replay->names);
  layout_canonicalise(&search->layout, search->settled, replay->moved_names);
  if (memcmp(search->settled, replay->wanted, warps * sizeof *search->settled) != 0)
    return true;
  for (uint32_t i = 0; i < warps; i++) {
    if (search->next[i] == search->state[i])
      continue;
    wb_sm_record_issue(&replay->record, replay->names[i], search->words.type[search->state[i]],
                       replay->cycle);
  }
  memcpy(replay->names, replay->moved_names, warps * sizeof *replay->names);
  return false;
}

/* ---- the choices ---- */

/* The fewest of the group that can issue such that what has to issue still can. */
static uint32_t least_of_group(struct search *search, const struct group *group)
{
  const uint32_t units =
      *wb_sm_room_units(search->problem, &search->room, group->partition, group->unit);
  const bool shared = search->problem->shared[group->unit];
  if (shared ? search->all_roomy : search->roomy[group->partition]) {
    const uint64_t wanted = wb_minimum(units, (uint64_t)group->count + group->after);
    return wanted > group->after ? (uint32_t)(wanted - group->after) : 0;
  }
  const uint32_t issued = search->problem->issue_slots - search->room.slots[group->partition];
  uint64_t others = issued;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (group->beside[u] > 0)
      others += wb_minimum(group->beside[u],
                           *wb_sm_room_units(search->problem, &search->room, group->partition, u));
  }
  const uint32_t needed = search->needed[group->partition];
  return others < needed ? (uint32_t)(needed - others) : 0;
}

/* Whether the partition's warps leave nothing unused of what is its own; wanted: gets a bit for
 * each shared type that some of them, with slots left, wait for. `group` is its last one. */
static bool partition_is_full(struct search *search, const struct group *group, uint32_t *wanted)
{
  if (search->room.slots[group->partition] == 0)
    return true;
  for (const struct group *one = group;; one--) {
    /* the last warps of a group issue last: if the very last does not, some of it waits */
    const bool waits = search->next[one->place + one->count - 1] == one->class;
    if (waits && search->problem->shared[one->unit])
      *wanted |= UINT32_C(1) << one->unit;
    else if (waits && search->room.units[one->partition][one->unit] > 0)
      return false;
    if (one == search->groups || one[-1].partition != one->partition)
      return true;
  }
}

static bool choose(struct search *search, size_t g, uint32_t wanted);

/* Spreads `count` warps of a group, from a place on, over the children from `child` on of their
 * class, in every way; then goes on with the next group. */
static bool spread(struct search *search, size_t g, uint32_t child, uint32_t place, uint32_t count,
                   uint32_t wanted)
{
  const uint32_t end = search->words.first[search->groups[g].class + 1];
  if (count == 0) {
    const bool last = search->groups[g].last;
    return (last && !partition_is_full(search, &search->groups[g], &wanted)) ||
           choose(search, g + 1, wanted);
  }
  bool more = true;
  for (uint32_t x = child + 1 == end ? count : 0; x <= count && more; x++) {
    for (uint32_t i = 0; i < x; i++)
      search->next[place + i] = (uint16_t)search->words.children[child];
    more = spread(search, g, child + 1, place + x, count - x, wanted);
  }
  return more;
}

/* Tries all numbers of warps of the groups g.. on; false: no further. */
static bool choose(struct search *search, size_t g, uint32_t wanted)
{
  if (!goes_on(search))
    return false;
  if (g == search->group_count) {
    /* Nothing that is wanted and shared is left unused. */
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if ((wanted >> u & 1) != 0 && search->room.units[0][u] > 0)
        return true;
    }
    return reach(search);
  }
  const struct group *group = &search->groups[g];
  const uint32_t least = least_of_group(search, group);
  const uint64_t units =
      *wb_sm_room_units(search->problem, &search->room, group->partition, group->unit);
  const uint64_t most =
      wb_minimum(group->count, wb_minimum(units, search->room.slots[group->partition]));
  bool more = true;
  for (uint32_t x = least; x <= most && more; x++) {
    wb_sm_room_take(search->problem, &search->room, group->partition, group->unit, x);
    more = spread(search, g, search->words.first[group->class], group->place, x, wanted);
    wb_sm_room_take(search->problem, &search->room, group->partition, group->unit, (uint32_t)-x);
    for (uint32_t i = 0; i < x; i++)
      search->next[group->place + i] = group->class;
  }
  return more;
}

/* Tries every set of warps that can issue in the state and that no other could join, and for each
 * warp of it every class that it may go on with. Warps of one cell and class are not told apart. */
static void try_moves(struct search *search)
{
  const uint16_t *state = search->state;
  const struct layout *layout = &search->layout;
  memcpy(search->next, state, layout->warps * sizeof *state);
  search->group_count = 0;
  for (uint32_t p = 0; p < layout->partitions; p++) {
    for (uint32_t b = 0; b < layout->blocks; b++) {
      const uint32_t block = b * layout->block_warps;
      /* The most barriers that a warp of the block still has before it: whoever has fewer waits. */
      uint32_t barriers = 0;
      for (uint32_t i = 0; i < layout->block_warps; i++)
        barriers = (uint32_t)wb_maximum(barriers, search->words.barriers[state[block + i]]);
      const uint32_t begin = block + layout->begin[p], end = block + layout->begin[p + 1];
      for (uint32_t place = begin; place < end; place++) {
        const uint16_t class = state[place];
        if (class == 0 || search->words.barriers[class] != barriers)
          continue;
        if (place > begin && state[place - 1] == class)
          search->groups[search->group_count - 1].count++;
        else
          search->groups[search->group_count++] = (struct group){.place = place,
                                                                 .count = 1,
                                                                 .class = class,
                                                                 .unit = search->words.type[class],
                                                                 .partition = (uint8_t)p};
      }
    }
  }
  /* Counts what stands after each group, from the last one on. */
  uint32_t shared[WB_UNIT_COUNT] = {0};
  uint32_t ready[WB_UNIT_COUNT] = {0};
  uint32_t total = 0;
  search->all_roomy = true;
  for (size_t g = search->group_count; g-- > 0;) {
    struct group *group = &search->groups[g];
    group->last = g + 1 == search->group_count || group[1].partition != group->partition;
    if (group->last) {
      memset(ready, 0, sizeof ready);
      total = 0;
    }
    memcpy(group->beside, ready, sizeof ready);
    group->after = search->problem->shared[group->unit] ? shared[group->unit] : ready[group->unit];
    ready[group->unit] += group->count;
    shared[group->unit] += group->count;
    total += group->count;
    if (g > 0 && group[-1].partition == group->partition)
      continue;
    search->roomy[group->partition] = total <= search->problem->issue_slots;
    search->all_roomy = search->all_roomy && search->roomy[group->partition];
    /* The least number of instructions that a partition with ready[u] warps waiting for each type
     * issues: all slots, or all units of types that are its own. */
    uint64_t own = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
      own += search->problem->shared[u] ? 0 : wb_minimum(search->problem->capacity[u], ready[u]);
    search->needed[group->partition] = (uint32_t)wb_minimum(own, search->problem->issue_slots);
  }
  wb_sm_room_start(search->problem, &search->room);
  choose(search, 0, 0);
}

bool wb_sm_search_fits(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const size_t letters = wb_sm_words_letters(problem);
  return warps <= WB_SM_SEARCH_WARPS && letters <= LETTER_LIMIT &&
         letters <= WB_SCHEDULE_LIMIT / warps;
}

/* ---- the search ---- */

/* Chooses the first class of the warp at `place` of a cell, and of those after it, in every way;
 * warps of one cell that may run any string are not told apart. */
static void start_from(struct search *search, uint32_t place)
{
  if (!goes_on(search))
    return;
  if (place == search->layout.warps) {
    memcpy(search->settled, search->state, place * sizeof *search->settled);
    layout_canonicalise(&search->layout, search->settled, NULL);
    add_settled(search, 0, WB_NOWHERE);
    return;
  }
  bool first = false;
  for (uint32_t p = 0; p < search->layout.partitions; p++)
    first = first || place % search->layout.block_warps == search->layout.begin[p];
  for (size_t i = search->words.from[0]; i < search->words.from[1] && search->stop == WB_STOP_NONE;
       i++) {
    if (!first && search->words.starts[i] < search->state[place - 1])
      continue;
    search->state[place] = (uint16_t)search->words.starts[i];
    start_from(search, place + 1);
  }
}

/* Makes `settled` the first state of warps whose strings are given; names (NULL: none) go with it.
 */
static void canonicalise_start(struct search *search, uint32_t *names)
{
  for (uint32_t w = 0; w < search->layout.warps; w++)
    search->settled[layout_place(&search->layout, w)] =
        (uint16_t)search->words.starts[search->words.from[search->string_of[w]]];
  layout_canonicalise(&search->layout, search->settled, names);
}

static void expand_all(struct search *search)
{
  const struct wb_reached *states = &search->reached;
  if (search->string_of == NULL) {
    start_from(search, 0);
  } else {
    canonicalise_start(search, NULL);
    add_settled(search, 0, WB_NOWHERE);
  }
  for (search->level = states->levels; search->level-- > 1 && search->stop == WB_STOP_NONE;) {
    search->index = states->level[search->level];
    while (search->index != WB_NOWHERE && search->stop == WB_STOP_NONE) {
      read_state(search, search->index, search->state);
      try_moves(search);
      search->index = states->nodes[search->index].next;
    }
  }
}

/* ---- the witness ---- */

static warpbound_status make_witness(struct search *search, uint32_t end,
                                     struct wb_schedule *schedule, warpbound_error *error)
{
  const uint32_t warps = search->layout.warps;
  const size_t cycles = search->reached.nodes[end].cycles;
  struct wb_arena *arena = &search->arena;
  struct replay replay = {.names = wb_arena_array(arena, uint32_t, warps),
                          .moved_names = wb_arena_array(arena, uint32_t, warps),
                          .wanted = wb_arena_array(arena, uint16_t, warps)};
  const bool started = wb_sm_record_start(&replay.record, search->problem, arena);
  uint32_t *way = wb_reached_way(&search->reached, end);
  warpbound_status status = WARPBOUND_OK;
  if (started && way != NULL) {
    search->replay = &replay;
    /* The names in the first state: any warp of a cell that begins with such a class. */
    for (uint32_t w = 0; w < warps; w++)
      replay.names[layout_place(&search->layout, w)] = w;
    if (search->string_of != NULL)
      canonicalise_start(search, replay.names);
    for (replay.cycle = 0; replay.cycle < cycles;) {
      read_state(search, way[replay.cycle], search->state);
      read_state(search, way[++replay.cycle], replay.wanted);
      try_moves(search);
    }
    status = wb_sm_record_schedule(&replay.record, search->string_of, cycles, schedule, error);
  } else {
    status = wb_out_of_memory(error);
  }
  search->replay = NULL; /* it ends with this function */
  free(way);
  return status;
}

/* ---- start and end ---- */

warpbound_status wb_sm_search(const struct wb_sm_problem *problem, const uint32_t *string_of,
                              const struct wb_control *control, struct wb_sm_search *result,
                              warpbound_error *error)
{
  assert(wb_sm_search_fits(problem));
  *result = (struct wb_sm_search){0};
  struct search search = {.problem = problem, .string_of = string_of, .control = control};
  warpbound_status status = wb_sm_words_start(&search.words, problem, string_of == NULL, error);
  if (status == WARPBOUND_OK) {
    uint32_t height = 0;
    for (size_t c = 0; c < search.words.count; c++)
      height = search.words.height[c] > height ? search.words.height[c] : height;
    const uint32_t warps = wb_sm_problem_warps(problem);
    const size_t levels = (size_t)warps * height + 1;
    struct wb_arena *arena = &search.arena;
    search.state = wb_arena_array(arena, uint16_t, warps);
    search.settled = wb_arena_array(arena, uint16_t, warps);
    search.narrow = search.words.count <= NARROW_CLASSES;
    search.reached =
        (struct wb_reached){.stride = warps * (search.narrow ? sizeof(uint8_t) : sizeof(uint16_t)),
                            .levels = levels,
                            .hash = hash_of,
                            .context = &search};
    search.packed = wb_arena_array(arena, uint8_t, search.reached.stride);
    search.next = wb_arena_array(arena, uint16_t, warps);
    search.groups = wb_arena_array(arena, struct group, warps);
    if (levels * LEVEL_BYTES <= control->memory_limit / 2 &&
        layout_start(&search.layout, problem, arena) && wb_reached_start(&search.reached)) {
      expand_all(&search);
      result->states = search.reached.count;
      result->bytes = wb_reached_bytes(&search.reached);
    } else {
      search.stop = WB_STOP_MEMORY;
    }
  }
  result->stop = search.stop;
  if (status == WARPBOUND_OK && search.stop == WB_STOP_NONE) {
    const uint32_t end = search.reached.level[0];
    result->longest = search.reached.nodes[end].cycles;
    status = make_witness(&search, end, &result->witness, error);
  }
  wb_sm_words_free(&search.words);
  wb_reached_free(&search.reached);
  wb_arena_free(&search.arena);
  return status;
}
