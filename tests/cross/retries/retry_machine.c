#include "retry_machine.h"

#include "instruction_text.h"
#include "maxwell_lane.h"
#include "volta_lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 32 /* of each memory */
#define TOKENS 16
#define COPIES 8
#define WINDOW 0x1000U /* this bit of a generic address: shared memory, of the block below */

struct thread {
  unsigned warp;
  size_t at;      /* the instruction */
  uint32_t block; /* of the graph; UINT32_MAX: none */
  unsigned group;
  bool done;
  struct maxwell_lane maxwell;
  struct volta_lane volta;
  size_t tokens[TOKENS]; /* instructions at which lanes wait for each other */
  size_t token_count;
};

/* A copy into shared memory that goes on while threads run. */
struct copy {
  uint8_t *to;
  uint8_t value;
};

struct run {
  struct machine *machine;
  struct wb_random *random;
  unsigned count; /* of threads */
  struct thread threads[MACHINE_THREADS];
  uint8_t global[BYTES], stale[BYTES], shared[MACHINE_BLOCKS][BYTES];
  struct copy copies[COPIES];
  size_t copy_count;
  unsigned mask;   /* of addresses */
  unsigned groups; /* numbers of groups that were given */
  unsigned rarely; /* groups at one place join */
};

static const struct wb_function *function_of(const struct run *run)
{
  return run->machine->kernel->function;
}

static const struct wb_instruction *instruction_of(const struct run *run,
                                                   const struct thread *thread)
{
  return &function_of(run)->instructions[thread->at];
}

static bool is_volta(const struct run *run)
{
  return function_of(run)->sm >= 70;
}

static uint32_t *registers_of(const struct run *run, struct thread *thread)
{
  return is_volta(run) ? thread->volta.registers : thread->maxwell.registers;
}

static bool *predicates_of(const struct run *run, struct thread *thread)
{
  return is_volta(run) ? thread->volta.predicates : thread->maxwell.predicates;
}

static bool one_in(struct run *run, uint64_t count)
{
  return wb_random_below(run->random, count) == 0;
}

/* ---- operands ---- */

/* R4, RZ, UR5: the register's place; NULL: none. */
static uint32_t *register_named(const struct run *run, struct thread *thread, const char *text)
{
  unsigned number;
  if (sscanf(text, "R%u", &number) == 1 && number < 255)
    return &registers_of(run, thread)[number];
  if (sscanf(text, "UR%u", &number) == 1 && number < 63)
    return &thread->volta.uniform[number];
  return NULL;
}

static uint32_t word_at(const uint32_t *place, size_t word)
{
  return place != NULL ? place[word] : 0;
}

static unsigned bytes_of(const struct instruction_text *parts)
{
  static const struct {
    const char *modifier;
    unsigned bytes;
  } widths[] = {{".U8", 1}, {".U16", 2}, {".64", 8}, {".128", 16}};
  unsigned bytes = 4;
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
    const char *found = strstr(parts->opcode, widths[w].modifier);
    if (found != NULL && strchr(".", found[strlen(widths[w].modifier)]) != NULL)
      bytes = widths[w].bytes;
  }
  return bytes;
}

/* The place that an address names: [R2+0x4], [R2.64], [R8+UR5], desc[UR4][R2.64+0x8]. Aligned, and
 * one of few. */
static uint8_t *place_of(struct run *run, struct thread *thread,
                         const struct instruction_text *parts, const char *text, unsigned bytes)
{
  const bool is_shared = parts->opcode[0] == 'L' || parts->opcode[0] == 'S'
                             ? parts->opcode[2] == 'S'
                             : text_starts(parts, "ATOMS");
  const bool is_generic = text_starts(parts, "ATOM.") || text_starts(parts, "RED.") ||
                          text_starts(parts, "LD.") || text_starts(parts, "ST.");
  const char *open = strrchr(text, '[');
  uint32_t address = 0, upper = 0;
  char term[INSTRUCTION_TEXT];
  for (const char *from = open + 1; *from != '\0' && *from != ']';) {
    const size_t length = strcspn(from, "+]");
    memcpy(term, from, length);
    term[length] = '\0';
    const uint32_t *place = register_named(run, thread, term);
    if (place != NULL) {
      uint32_t word = *place;
      if (strstr(term, ".X4") != NULL)
        word *= 4;
      address += word;
      if (strstr(term, ".64") != NULL || (text_has(parts, ".E") && strchr(term, '.') == NULL))
        upper += place[1];
    } else if (term[0] != 'R' && term[0] != 'U')
      address += (uint32_t)strtol(term, NULL, 0);
    from += length + (from[length] == '+');
  }
  const unsigned low = (address + 8 * upper) & run->mask & ~(bytes - 1);
  if (!is_shared && !(is_generic && (address & WINDOW) != 0))
    return &run->global[low];
  unsigned block = thread->warp;
  if (!is_shared && function_of(run)->sm >= 90)
    block = (address >> 8) % run->machine->blocks;
  return &run->shared[block][low];
}

static const char *address_text(const struct instruction_text *parts, size_t *index)
{
  for (*index = 0; *index < parts->count; ++*index)
    if (strchr(parts->text[*index], '[') != NULL && strncmp(parts->text[*index], "c[", 2) != 0)
      return parts->text[*index];
  return NULL;
}

/* ---- memory ---- */

static void load(struct run *run, struct thread *thread, const struct instruction_text *parts)
{
  size_t index;
  const char *text = address_text(parts, &index);
  const unsigned bytes = bytes_of(parts);
  const uint8_t *from = place_of(run, thread, parts, text, bytes);
  uint32_t *to = register_named(run, thread, parts->text[0]);
  uint32_t words[4] = {0};
  memcpy(words, from, bytes);
  const bool strong = text_has(parts, ".STRONG.GPU") || text_has(parts, ".STRONG.SYS");
  if (from >= run->global && from < run->global + BYTES && !strong && one_in(run, 2))
    memcpy(words, run->stale + (from - run->global), bytes);
  for (size_t w = 0; to != NULL && w < (bytes + 3) / 4; w++)
    to[w] = words[w];
}

static void store(struct run *run, struct thread *thread, const struct instruction_text *parts)
{
  size_t index;
  const char *text = address_text(parts, &index);
  const unsigned bytes = bytes_of(parts);
  const uint32_t *from = register_named(run, thread, parts->text[index + 1]);
  uint32_t words[4];
  for (size_t w = 0; w < (bytes + 3) / 4; w++)
    words[w] = word_at(from, w);
  memcpy(place_of(run, thread, parts, text, bytes), words, bytes);
}

static void copy(struct run *run, struct thread *thread, const struct instruction_text *parts)
{
  struct instruction_text from = *parts, target = *parts;
  from.opcode = "LDG.E";
  target.opcode = "STS";
  uint8_t *to = place_of(run, thread, &target, parts->text[0], 4);
  const uint8_t *of = place_of(run, thread, &from, parts->text[1], 4);
  for (size_t b = 0; b < 4; b++) {
    if (run->copy_count == COPIES)
      to[b] = of[b];
    else
      run->copies[run->copy_count++] = (struct copy){&to[b], of[b]};
  }
}

/* ADD and EXCH of words. */
static void atomic(struct run *run, struct thread *thread, const struct instruction_text *parts)
{
  size_t index;
  const char *text = address_text(parts, &index);
  uint8_t *place = place_of(run, thread, parts, text, 4);
  uint32_t *to = index > 0 ? register_named(run, thread, parts->text[index - 1]) : NULL;
  const uint32_t by = word_at(register_named(run, thread, parts->text[index + 1]), 0);
  uint32_t word;
  memcpy(&word, place, 4);
  const uint32_t next = text_has(parts, ".EXCH") ? by : word + by;
  memcpy(place, &next, 4);
  if (to != NULL)
    *to = word;
}

struct swap {
  uint8_t *place;
  unsigned bytes;
  uint32_t compared[2], next[2];
};

static struct swap read_swap(struct run *run, struct thread *thread,
                             const struct instruction_text *parts)
{
  struct swap swap;
  size_t index;
  const char *text = address_text(parts, &index);
  swap.bytes = bytes_of(parts);
  swap.place = place_of(run, thread, parts, text, swap.bytes);
  for (size_t w = 0; w < 2; w++) {
    swap.compared[w] = word_at(register_named(run, thread, parts->text[index + 1]), w);
    swap.next[w] = word_at(register_named(run, thread, parts->text[index + 2]), w);
  }
  return swap;
}

static bool is_swap(const struct instruction_text *parts)
{
  return text_starts(parts, "ATOM") &&
         (text_has(parts, ".CAS.") || text_has(parts, ".CAST.") ||
          strcmp(parts->opcode + strlen(parts->opcode) - 4, ".CAS") == 0);
}

static void do_swap(struct run *run, struct thread *thread, const struct instruction_text *parts,
                    bool tries)
{
  const struct swap swap = read_swap(run, thread, parts);
  size_t index;
  uint32_t was[2] = {0};
  address_text(parts, &index);
  memcpy(was, swap.place, swap.bytes);
  const bool succeeds = tries && memcmp(was, swap.compared, swap.bytes) == 0;
  if (succeeds)
    memcpy(swap.place, swap.next, swap.bytes);
  const char *result = parts->text[index - 1];
  uint32_t *to = register_named(run, thread, result);
  const bool tells = text_has(parts, ".CAST");
  unsigned predicate;
  if (tells && sscanf(result, "P%u", &predicate) == 1)
    predicates_of(run, thread)[predicate] = succeeds;
  for (size_t w = 0; to != NULL && w < swap.bytes / 4; w++)
    to[w] = tells ? succeeds && w == 0 : was[w];
}

/* The lanes together; of those whose words are in one bank one at least tries. */
static void do_spins(struct run *run, struct thread *const *group, size_t count,
                     const struct instruction_text *parts)
{
  bool tries[MACHINE_LANES];
  size_t banks[MACHINE_LANES];
  const bool few = one_in(run, 2);
  for (size_t l = 0; l < count; l++) {
    const struct swap swap = read_swap(run, group[l], parts);
    banks[l] = (size_t)(swap.place - run->shared[group[l]->warp]) / 4;
    tries[l] = !few && one_in(run, 2);
  }
  for (size_t l = 0; l < count; l++) {
    bool some = false;
    size_t chosen = l, seen = 0;
    for (size_t k = 0; k < count; k++) {
      if (banks[k] != banks[l])
        continue;
      some = some || tries[k];
      if (one_in(run, ++seen))
        chosen = k;
    }
    tries[chosen] = tries[chosen] || !some;
  }
  for (size_t l = 0; l < count; l++)
    do_swap(run, group[l], parts, tries[l]);
}

/* ---- instructions ---- */

static uint32_t any_constant(void *context, uint32_t bank, uint32_t offset)
{
  (void)context;
  return bank * 7 + offset % 3;
}

static uint32_t any_special(void *context, const char *name)
{
  (void)name;
  return *(const uint32_t *)context;
}

static void forget_writes(struct run *run, struct thread *thread,
                          const struct wb_instruction *instruction)
{
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function_of(run)->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      const uint32_t any = (uint32_t)wb_random_below(run->random, 4);
      if (r < WB_REGISTER_PREDICATE)
        registers_of(run, thread)[r] = any;
      else if (r < WB_REGISTER_CONDITION_CODE)
        predicates_of(run, thread)[r - WB_REGISTER_PREDICATE] = (any & 1) != 0;
      else if (r >= WB_REGISTER_UNIFORM && r < WB_REGISTER_UNIFORM_PREDICATE)
        thread->volta.uniform[r - WB_REGISTER_UNIFORM] = any;
    }
  }
}

static bool does(const struct run *run, struct thread *thread)
{
  const struct wb_instruction *instruction = instruction_of(run, thread);
  if (instruction->never)
    return false;
  if (instruction->guard == WB_NO_REGISTER)
    return true;
  return predicates_of(run, thread)[instruction->guard - WB_REGISTER_PREDICATE] !=
         instruction->guard_negated;
}

/* VOTE.ANY R4, PT, PT and VOTEU.ANY UR4, UPT, PT: the group. */
static void vote(struct run *run, struct thread *thread, const struct instruction_text *parts,
                 size_t count)
{
  uint32_t *to = register_named(run, thread, parts->text[0]);
  if (to != NULL)
    *to = (UINT32_C(1) << count) - 1;
}

static void do_data(struct run *run, struct thread *thread, const struct instruction_text *parts,
                    size_t count)
{
  const struct wb_instruction *instruction = instruction_of(run, thread);
  uint32_t number = thread->warp;
  const struct volta_memory memory = {&number, any_constant, any_special};
  if (text_starts(parts, "LDS") || text_starts(parts, "LDG.") || text_starts(parts, "LD."))
    load(run, thread, parts);
  else if (text_starts(parts, "LDGSTS"))
    copy(run, thread, parts);
  else if (text_starts(parts, "STS") || text_starts(parts, "STG") || text_starts(parts, "ST."))
    store(run, thread, parts);
  else if (is_swap(parts))
    do_swap(run, thread, parts, true);
  else if (text_starts(parts, "ATOM") || text_starts(parts, "RED"))
    atomic(run, thread, parts);
  else if (text_starts(parts, "VOTE"))
    vote(run, thread, parts, count);
  else if (is_volta(run) ? !volta_lane_execute(&thread->volta, &memory, instruction->opcode,
                                               instruction->operands)
                         : !maxwell_lane_execute(&thread->maxwell, &memory, instruction->opcode,
                                                 instruction->operands))
    forget_writes(run, thread, instruction);
}

static void do_control(struct run *run, struct thread *thread)
{
  const struct wb_instruction *instruction = instruction_of(run, thread);
  const uint32_t *targets = &function_of(run)->targets[instruction->first_target];
  switch ((enum wb_transfer)instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    thread->at = targets[0];
    return;
  case WB_TRANSFER_PUSH:
    if (thread->token_count < TOKENS)
      thread->tokens[thread->token_count++] = targets[0];
    break;
  case WB_TRANSFER_POP:
    if (thread->token_count == 0)
      break;
    thread->at = thread->tokens[--thread->token_count];
    return;
  case WB_TRANSFER_EXIT:
    thread->done = true;
    return;
  default:
    break;
  }
  thread->at++;
}

/* ---- loops ---- */

static bool is_in(const struct wb_loop_forest *forest, uint32_t loop, uint32_t block)
{
  uint32_t inside = block != UINT32_MAX ? forest->innermost[block] : UINT32_MAX;
  while (inside != UINT32_MAX && inside != loop)
    inside = forest->loops[inside].parent;
  return inside == loop;
}

static uint32_t block_at(const struct run *run, size_t instruction)
{
  const struct wb_warp_graph *graph = run->machine->kernel->graph;
  for (uint32_t b = 0; b < graph->block_count; b++)
    if (graph->blocks[b].first == instruction)
      return b;
  return UINT32_MAX;
}

/* A group comes to the block: where it enters a loop, it does so once. */
static void arrive(struct run *run, const struct thread *thread, uint32_t block)
{
  const struct wb_loop_forest *forest = &run->machine->kernel->forest;
  for (uint32_t l = 0; l < forest->loop_count && l < MACHINE_LOOPS; l++)
    run->machine->runs[thread->warp][l].entries +=
        forest->loops[l].header == block && !is_in(forest, l, thread->block);
}

/* The thread begins the block, which begins where it is. first: of its group. */
static void begin(struct run *run, struct thread *thread, uint32_t block, bool first)
{
  const struct wb_loop_forest *forest = &run->machine->kernel->forest;
  const size_t number = (size_t)(thread - run->threads);
  for (uint32_t l = 0; l < forest->loop_count && l < MACHINE_LOOPS; l++) {
    struct machine_counts *counts = &run->machine->counts[number][l];
    run->machine->runs[thread->warp][l].runs += first && run->machine->watched[l] == block;
    if (forest->loops[l].header != block)
      continue;
    if (!is_in(forest, l, thread->block)) {
      counts->entries++;
      counts->entry = 0;
      continue;
    }
    counts->all++;
    if (++counts->entry > counts->most)
      counts->most = counts->entry;
  }
  thread->block = block;
}

/* Where lanes of a group part they are groups of their own; where a block begins, lanes may join.
 */
static void part(struct run *run, struct thread *const *group, size_t count)
{
  bool told[MACHINE_LANES] = {false};
  for (size_t l = 0; l < count; l++) {
    if (told[l] || group[l]->done)
      continue;
    const unsigned number = run->groups++;
    const uint32_t block = block_at(run, group[l]->at);
    if (block != UINT32_MAX)
      arrive(run, group[l], block);
    for (size_t k = l; k < count; k++) {
      if (group[k]->done || group[k]->at != group[l]->at || told[k])
        continue;
      told[k] = true;
      group[k]->group = number;
    }
  }
}

/* Groups that have come to the beginning of one block may become one. */
static void join(struct run *run, struct thread *one)
{
  if (block_at(run, one->at) == UINT32_MAX || !one_in(run, run->rarely))
    return;
  for (unsigned t = 0; t < run->count; t++) {
    struct thread *other = &run->threads[t];
    if (!other->done && other->warp == one->warp && other->at == one->at)
      other->group = one->group;
  }
}

/* ---- a launch ---- */

static void step(struct run *run, struct thread *leader)
{
  struct thread *group[MACHINE_LANES], *doing[MACHINE_LANES];
  size_t count = 0, doing_count = 0;
  struct instruction_text parts;
  join(run, leader);
  for (unsigned t = 0; t < run->count; t++) {
    struct thread *thread = &run->threads[t];
    if (thread->warp == leader->warp && thread->group == leader->group && !thread->done)
      group[count++] = thread;
  }
  const struct wb_instruction *instruction = instruction_of(run, leader);
  const uint32_t block = block_at(run, leader->at);
  text_split(instruction->opcode, instruction->operands, &parts);
  for (size_t l = 0; l < count && block != UINT32_MAX; l++)
    begin(run, group[l], block, l == 0);
  for (size_t l = 0; l < count; l++)
    if (does(run, group[l]))
      doing[doing_count++] = group[l];
  const bool control = instruction->transfer != WB_TRANSFER_NEXT;
  if (!control && text_has(&parts, ".SPIN") && doing_count > 0)
    do_spins(run, doing, doing_count, &parts);
  else if (!control)
    for (size_t l = 0; l < doing_count; l++)
      do_data(run, doing[l], &parts, doing_count);
  for (size_t l = 0, d = 0; l < count; l++) {
    const bool has_done = d < doing_count && doing[d] == group[l];
    d += has_done;
    if (control && has_done)
      do_control(run, group[l]);
    else
      group[l]->at++;
  }
  part(run, group, count);
  run->machine->steps++;
  if (run->copy_count > 0 && one_in(run, 4)) {
    struct copy *last = &run->copies[--run->copy_count];
    struct copy *some = &run->copies[wb_random_below(run->random, run->copy_count + 1)];
    *some->to = some->value;
    *some = *last;
  }
}

static struct thread *any_thread(struct run *run, const struct thread *but)
{
  struct thread *chosen = NULL;
  size_t count = 0;
  for (unsigned t = 0; t < run->count; t++) {
    struct thread *thread = &run->threads[t];
    const bool same = but != NULL && thread->warp == but->warp && thread->group == but->group;
    if (!thread->done && !same && one_in(run, ++count))
      chosen = thread;
  }
  return chosen;
}

/* Whether the thread's next instruction is a swap that would find what it compares. */
static bool would_succeed(struct run *run, struct thread *thread)
{
  const struct wb_instruction *instruction = instruction_of(run, thread);
  struct instruction_text parts;
  text_split(instruction->opcode, instruction->operands, &parts);
  if (!is_swap(&parts))
    return false;
  const struct swap swap = read_swap(run, thread, &parts);
  return memcmp(swap.place, swap.compared, swap.bytes) == 0;
}

/* Others run where the one is about to succeed, one at a time for a while. */
static struct thread *hunter(struct run *run, struct thread *victim, struct thread *last)
{
  if (victim->done)
    return any_thread(run, NULL);
  if (!would_succeed(run, victim))
    return victim;
  if (last != NULL && last != victim && !last->done && last->group != victim->group &&
      !one_in(run, 20))
    return last;
  struct thread *other = any_thread(run, victim);
  return other != NULL ? other : victim;
}

static void start(struct run *run, bool together)
{
  struct machine *machine = run->machine;
  run->count = machine->blocks * machine->lanes;
  run->mask = one_in(run, 2) ? 0xf : BYTES - 1;
  run->groups = run->count;
  for (size_t b = 0; b < BYTES; b++) {
    run->global[b] = (uint8_t)wb_random_below(run->random, b % 4 == 0 ? 3 : 1);
    run->stale[b] = (uint8_t)wb_random_below(run->random, b % 4 == 0 ? 3 : 1);
    for (size_t m = 0; m < machine->blocks; m++)
      run->shared[m][b] = (uint8_t)wb_random_below(run->random, b % 4 == 0 ? 3 : 1);
  }
  const bool alike = one_in(run, 2), windows = one_in(run, 4);
  for (unsigned t = 0; t < run->count; t++) {
    struct thread *thread = &run->threads[t];
    *thread = (struct thread){.warp = t / machine->lanes,
                              .block = UINT32_MAX,
                              .group = together ? t / machine->lanes : t};
    for (size_t r = 0; r < 255; r++) {
      const bool is_address = r == 2 || r == 40 || r == 41;
      uint32_t word = alike && is_address ? 0 : (uint32_t)wb_random_below(run->random, 3) * 4;
      if (r == 3)
        word = alike ? 0 : (uint32_t)wb_random_below(run->random, 2);
      if (r == 2 && windows)
        word |= WINDOW | (uint32_t)wb_random_below(run->random, machine->blocks) << 8;
      if (r >= 44)
        word = (uint32_t)wb_random_below(run->random, 4);
      thread->maxwell.registers[r] = thread->volta.registers[r] = word;
    }
    for (size_t u = 0; u < 63; u++)
      thread->volta.uniform[u] = 0;
    thread->maxwell.predicates[7] = thread->volta.predicates[7] = true;
    thread->volta.uniform_predicates[7] = true;
    for (size_t p = 0; p < 7; p++)
      thread->maxwell.predicates[p] = thread->volta.predicates[p] = one_in(run, 2);
    if (!together || t % machine->lanes == 0)
      arrive(run, thread, block_at(run, 0));
  }
}

void machine_run(struct machine *machine, enum machine_schedule schedule, uint64_t most,
                 struct wb_random *random)
{
  struct run run = {.machine = machine, .random = random};
  memset(machine->counts, 0, sizeof machine->counts);
  memset(machine->runs, 0, sizeof machine->runs);
  machine->steps = 0;
  run.rarely = schedule == SCHEDULE_HUNT ? 1000000 : 1 + (unsigned)wb_random_below(random, 8);
  start(&run, schedule == SCHEDULE_HUNT_WARP || (schedule == SCHEDULE_ANY && one_in(&run, 2)));
  struct thread *victim = &run.threads[wb_random_below(random, run.count)];
  struct thread *last = NULL;
  while (machine->steps < most) {
    last = schedule == SCHEDULE_ANY ? any_thread(&run, NULL) : hunter(&run, victim, last);
    if (last == NULL)
      break;
    step(&run, last);
  }
  machine->ended = last == NULL;
}
