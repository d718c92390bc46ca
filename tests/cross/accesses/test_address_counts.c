/* The counts of accesses against all lanes of all warps of blocks: random computations of addresses
 * (rows, clamps, quotients and remainders, swizzles, choices, guards; partial warps; all widths),
 * of which several make a program, in half of them with pointers that are declared to be aligned.
 * Each is done for many blocks, parameters and pointers: no count
 * may be greater than what the analysis says, and most are to be reached. WARPBOUND_CROSS_RUNS
 * programs of 16 computations (120 without it), WARPBOUND_SEED */
#include "address_code.h"
#include "address_shares.h"
#include "base/random.h"
#include "base/text.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/accesses/access_offsets.h"
#include "flow/accesses/accesses.h"
#include "flow/accesses/block_lines.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_PROGRAMS 120
#define COMPUTATIONS 16
#define LANES 32
#define BUFFER_BYTES (1 << 20)
#define RUNS 320 /* blocks that a program is done for */

struct machine {
  uint32_t block[3], grid[3];
  uint32_t index[3]; /* of the block */
  uint32_t pitch, limit;
  uint64_t pointers[4];
};

static uint32_t below(struct wb_random *random, uint32_t limit)
{
  return (uint32_t)wb_random_below(random, limit);
}

/* The lowest bits, all others, or some between; now and then with a gap. */
static uint32_t any_mask(struct wb_random *random)
{
  const uint32_t lowest = (UINT32_C(1) << below(random, 12)) - 1;
  const uint32_t way = below(random, 3);
  if (below(random, 12) == 0)
    return lowest ^ UINT32_C(1) << below(random, 10);
  return way == 0 ? lowest : way == 1 ? ~lowest : lowest & ~((UINT32_C(1) << below(random, 6)) - 1);
}

static void draw(struct wb_random *random, struct computation *it)
{
  static const unsigned widths[] = {1, 2, 4, 4, 4, 8, 16};
  static const enum step_kind of_rows[] = {ADD, MULTIPLY, CHOOSE};
  /* The lower half, bytes 0, 1 and 2, the upper half, all that is there. */
  static const uint32_t selectors[] = {0x4410, 0x4440, 0x4441, 0x4442, 0x4432, 0x3210, 0x7710};
  static const uint32_t divisors[] = {3, 5, 6, 7, 10, 12, 24, 33, 48, 60, 100, 640, 1000};
  *it = (struct computation){.count = 1 + below(random, 3)};
  for (size_t s = 0; s < it->count; s++) {
    struct step *step = &it->steps[s];
    /* Of rows only what keeps them rows. */
    step->kind = s == 0 ? (enum step_kind)(below(random, 7) / 2)
                 : it->steps[0].kind == ROWS || it->steps[0].kind == STENCIL
                     ? of_rows[below(random, COUNT_OF(of_rows))]
                     : (enum step_kind)(ADD + below(random, STEP_KINDS - ADD));
    if (step->kind == XOR && it->steps[0].kind != THREAD)
      step->kind = AND;
    step->number = step->kind == ADD || step->kind == STENCIL ? below(random, 9) - 4
                   : step->kind == MULTIPLY                   ? 1 + below(random, 6)
                   : step->kind == XOR         ? (UINT32_C(1) << below(random, 6)) - 1
                   : step->kind == AND         ? any_mask(random)
                   : step->kind == PERMUTE     ? selectors[below(random, COUNT_OF(selectors))]
                   : step->kind == SHIFT_RIGHT ? 1 + below(random, 5)
                   : step->kind == CHOOSE      ? below(random, 40)
                                               : divisors[below(random, COUNT_OF(divisors))];
  }
  it->space = below(random, 3) > 0 ? GLOBAL : (enum space)below(random, SPACES);
  it->bytes = widths[below(random, COUNT_OF(widths))];
  if (it->space != GLOBAL && it->bytes < 4)
    it->bytes = 4;
  if (it->space == ATOMIC)
    it->bytes = 4;
  it->guard = below(random, 3) > 0 ? NO_GUARD : (enum guard)below(random, GUARDS);
  it->guard_number = below(random, 48);
  it->lea = below(random, 2) == 0;
}

/* ---- one warp ---- */

static uint32_t clamped(const struct machine *machine, uint32_t word)
{
  const int32_t least = (int32_t)word > 0 ? (int32_t)word : 0;
  const int32_t most = (int32_t)(machine->limit - 1);
  return (uint32_t)(least < most ? least : most);
}

/* The bytes of the word that the digits name, the lowest first; digits above 3 name a 0. */
static uint32_t permuted(uint32_t word, uint32_t digits)
{
  uint32_t result = 0;
  for (unsigned place = 0; place < 4; place++) {
    const uint32_t digit = digits >> 4 * place & 7;
    result |= (digit > 3 ? 0 : word >> 8 * digit & 0xff) << 8 * place;
  }
  return result;
}

static uint32_t word_after(const struct machine *machine, const struct step *step, uint32_t word,
                           uint32_t x, uint32_t y)
{
  const uint32_t number = step->number;
  const uint32_t column = machine->index[0] * machine->block[0] + x;
  const uint32_t row = machine->index[1] * machine->block[1] + y;
  switch (step->kind) {
  case FLAT:
    return column;
  case ROWS:
    return row * machine->pitch + column;
  case THREAD:
    return x;
  case STENCIL:
    return clamped(machine, row + number) * machine->pitch + clamped(machine, column + number);
  case ADD:
    return word + number;
  case MULTIPLY:
    return word * number;
  case MINIMUM:
    return (int32_t)word < (int32_t)(machine->limit - 1) ? word : machine->limit - 1;
  case MAXIMUM:
    return (int32_t)word > 0 ? word : 0;
  case QUOTIENT:
    return word / number;
  case REMAINDER:
    return word % number;
  case TILES:
    return word / number * machine->pitch + word % number;
  case XOR:
    return word ^ (x >> 3 & number);
  case AND:
    return word & number;
  case SHIFT_RIGHT:
    return word >> number;
  case PERMUTE:
    return permuted(word, number);
  case REVERSE:
    return machine->limit - 1 - word;
  default:
    return x < number ? word : machine->limit;
  }
}

static size_t distinct(uint64_t *numbers, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    size_t found = 0;
    while (found < kept && numbers[found] != numbers[i])
      found++;
    if (found == kept)
      numbers[kept++] = numbers[i];
  }
  return kept;
}

static size_t passes_of(const uint64_t *addresses, uint32_t lanes, unsigned bytes)
{
  const unsigned parts = bytes <= 4 ? 1 : bytes / 4;
  size_t sum = 0;
  for (unsigned p = 0; p < parts; p++) {
    uint64_t words[LANES * 4];
    size_t count = 0;
    size_t of_bank[32] = {0};
    size_t most = 0;
    for (unsigned l = p * LANES / parts; l < (p + 1) * LANES / parts; l++)
      for (unsigned byte = 0; byte < bytes && (lanes >> l & 1) != 0; byte += 4)
        words[count++] = (addresses[l] + byte) / 4;
    count = distinct(words, count);
    for (size_t w = 0; w < count; w++) {
      const size_t found = ++of_bank[words[w] % 32];
      most = found > most ? found : most;
    }
    sum += most;
  }
  return sum;
}

static size_t most_of(size_t a, size_t b)
{
  return a > b ? a : b;
}

/* The most lanes at one address. */
static size_t most_at_one(const uint64_t *addresses, uint32_t lanes)
{
  uint64_t numbers[LANES];
  size_t used = 0;
  size_t most = 0;
  bool ascends = true;
  for (unsigned l = 0; l < LANES; l++)
    if ((lanes >> l & 1) != 0) {
      ascends = ascends && (used == 0 || numbers[used - 1] < addresses[l]);
      numbers[used++] = addresses[l];
    }
  if (ascends) /* no two are equal */
    return used > 0;
  for (size_t i = 0; i < used; i++) {
    size_t equal = 0;
    for (size_t other = 0; other < used; other++)
      equal += numbers[i] == numbers[other];
    most = most_of(most, equal);
  }
  return most;
}

static void count(struct computation *it, const uint64_t *addresses, uint32_t lanes)
{
  uint64_t units[LANES * 4];
  size_t used = 0;
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned byte = 0; byte < it->bytes && (lanes >> l & 1) != 0; byte += 4) {
      const uint64_t address = addresses[l] + byte;
      const uint64_t unit = (it->space == LOCAL ? address / 4 * 128 + 4 * l : address) / 32;
      if (used == 0 || units[used - 1] != unit)
        units[used++] = unit;
    }
  it->sectors = most_of(it->sectors, distinct(units, used));
  it->passes =
      most_of(it->passes, it->space == SHARED ? passes_of(addresses, lanes, it->bytes) : 0);
  it->at_one = most_of(it->at_one, most_at_one(addresses, lanes));
}

static bool is_wide(const struct computation *it)
{
  return it->space == GLOBAL || it->space == ATOMIC;
}

/* Whether a thread does the access; *word: the index, *address: where. */
static bool does_access(const struct machine *machine, const struct computation *it, uint32_t x,
                        uint32_t y, uint32_t *word, uint64_t *address)
{
  *word = 0;
  for (size_t s = 0; s < it->count; s++)
    *word = word_after(machine, &it->steps[s], *word, x, y);
  const bool does = it->guard == NO_GUARD       ? true
                    : it->guard == THREAD_BELOW ? x < it->guard_number
                    : it->guard == EACH         ? (x & it->guard_number) != 0
                                                : (int32_t)*word < (int32_t)machine->limit;
  *address = is_wide(it) ? machine->pointers[pointer_of(it->bytes)] +
                               (uint64_t)((int64_t)(int32_t)*word * it->bytes)
                         : (uint32_t)(*word * it->bytes);
  return does && *address % it->bytes == 0;
}

static void run_warp(const struct machine *machine, struct computation *it, uint32_t warp)
{
  const uint32_t threads = machine->block[0] * machine->block[1];
  uint64_t addresses[LANES] = {0};
  uint32_t lanes = 0;
  for (unsigned l = 0; l < LANES && 32 * warp + l < threads; l++) {
    const uint32_t x = (32 * warp + l) % machine->block[0];
    const uint32_t y = (32 * warp + l) / machine->block[0];
    uint32_t word;
    if (!does_access(machine, it, x, y, &word, &addresses[l]))
      continue;
    const int64_t offset = (int64_t)(int32_t)word * it->bytes;
    lanes |= UINT32_C(1) << l;
    it->least = !it->any || offset < it->least ? offset : it->least;
    it->most = !it->any || offset > it->most ? offset : it->most;
    it->any = true;
  }
  count(it, addresses, lanes);
}

/* ---- programs ---- */

struct program {
  const struct form *form;
  struct computation computations[COMPUTATIONS];
  struct machine machine;
  bool known;   /* pitch and limit are */
  bool aligned; /* pointers are multiples of 256, and declared to be */
};

struct totals {
  struct address_shares shares;
  size_t placed, tight; /* offsets that are known, and that are reached */
};

static void draw_machine(struct wb_random *random, struct program *program, size_t run)
{
  struct machine *machine = &program->machine;
  for (unsigned axis = 0; axis < 2; axis++)
    machine->index[axis] = below(random, machine->grid[axis]);
  if (!program->known) {
    const uint32_t pitch = below(random, 3000);
    machine->pitch = below(random, 2) == 0 ? pitch : pitch & ~UINT32_C(31);
    /* Now and then 2^31 is within the rows. */
    const uint32_t row = 1 + below(random, 4);
    if (below(random, 2) == 0) {
      machine->index[1] = below(random, machine->grid[1] < 6 ? machine->grid[1] : 6);
      machine->limit = UINT32_C(1) << 30;
      machine->pitch =
          ((UINT32_C(1) << 31) - machine->index[0] * machine->block[0] - below(random, 32)) / row;
    }
    machine->limit = machine->index[0] * machine->block[0] + below(random, 300);
    if (below(random, 4) == 0) /* 2^31 may be within what is taken from it */
      machine->limit += (UINT32_C(1) << 31) - below(random, 200);
  }
  for (unsigned p = 0; p < 4; p++) {
    const uint64_t bytes = p == 0 ? 1 : UINT64_C(2) << p;
    machine->pointers[p] = (UINT64_C(1) << 40) + 0x100000 * p +
                           (program->aligned ? 256 * (run % 5) : bytes * (run % (32 / bytes)));
  }
}

static void find_counts(struct wb_random *random, struct program *program)
{
  for (size_t run = 0; run < RUNS; run++) {
    draw_machine(random, program, run);
    const uint32_t warps =
        (program->machine.block[0] * program->machine.block[1] + LANES - 1) / LANES;
    for (size_t c = 0; c < COMPUTATIONS; c++)
      for (uint32_t w = 0; w < warps; w++)
        if (warps <= 4 || w + 1 == warps || below(random, warps) < 4)
          run_warp(&program->machine, &program->computations[c], w);
  }
}

static void show(const struct form *form, const struct computation *it,
                 const struct wb_access *access)
{
  struct wb_text text = {0};
  write_computation(&text, form, it);
  char *lines = wb_text_take(&text);
  print_message("%s\n  sectors %zu of %u, passes %zu of %u, at one %zu of %u: %s\n", lines,
                it->sectors, access->sectors, it->passes, access->wavefronts, it->at_one,
                access->lanes_at_one, access->reason);
  free(lines);
}

/* The access of the next computation: loads of parameters are between them. */
static size_t next_access(const struct wb_accesses *accesses, size_t *next)
{
  while (*next < accesses->count && accesses->items[*next].space == WB_SPACE_CONSTANT)
    ++*next;
  assert_true(*next < accesses->count);
  return (*next)++;
}

/* Fails where a count is too small; shows those that are not reached where WARPBOUND_SHOW is set.
 */
static void compare(const struct program *program, const struct wb_accesses *accesses,
                    struct totals *totals)
{
  const struct address_setting setting = {
      .form = (unsigned)(program->form - address_forms),
      .known = program->known,
      .aligned = program->aligned,
      .whole = program->machine.block[0] * program->machine.block[1] % LANES == 0};
  size_t next = 0;
  for (size_t c = 0; c < COMPUTATIONS; c++) {
    const struct computation *it = &program->computations[c];
    const struct wb_access *access = &accesses->items[next_access(accesses, &next)];
    const bool shared = it->space == SHARED;
    if ((!shared && it->sectors > access->sectors) || it->passes > access->wavefronts ||
        it->at_one > access->lanes_at_one) {
      show(program->form, it, access);
      fail_msg("sm_%u, block %" PRIu32 " x %" PRIu32 "%s: a count is too small", program->form->sm,
               program->machine.block[0], program->machine.block[1],
               program->aligned ? ", aligned" : "");
    }
    const bool reached = shared ? it->passes == access->wavefronts : it->sectors == access->sectors;
    const bool counts = reached || it->at_one == 0; /* none: no lane does it */
    add_to_shares(&totals->shares, &setting, it, counts);
    if (!counts && getenv("WARPBOUND_SHOW") != NULL) {
      print_message("# sm_%u, block %" PRIu32 " x %" PRIu32 "%s%s: ", program->form->sm,
                    program->machine.block[0], program->machine.block[1],
                    program->known ? ", known" : "", program->aligned ? ", aligned" : "");
      show(program->form, it, access);
    }
  }
}

/* Fails where an access was elsewhere than its offsets say. */
static void compare_offsets(const struct program *program, const struct wb_accesses *accesses,
                            const struct wb_access_offset *offsets, struct totals *totals)
{
  size_t next = 0;
  for (size_t c = 0; c < COMPUTATIONS; c++) {
    const struct computation *it = &program->computations[c];
    const size_t number = next_access(accesses, &next);
    const struct wb_access_offset *offset = &offsets[number];
    const bool global = is_wide(it);
    if (it->any && global && !offset->reached)
      fail_msg("an access is said not to be reached");
    if (!it->any || !global || !offset->known)
      continue;
    if (offset->buffer != pointer_of(it->bytes) || it->least < offset->least ||
        it->most > offset->most) {
      show(program->form, it, &accesses->items[number]);
      fail_msg("offsets from %" PRId64 " to %" PRId64 " of buffer %" PRIu32 ", found %" PRId64
               " to %" PRId64 ": a count is too small",
               offset->least, offset->most, offset->buffer, it->least, it->most);
    }
    totals->placed++;
    totals->tight += it->least == offset->least && it->most == offset->most;
  }
}

/* Of instructions that "; " parts, which are written over. */
static void make_listing(unsigned sm, char *text, struct wb_code *code)
{
  static const char *lines[COMPUTATIONS * MOST_STEPS * 16];
  size_t used = 0;
  for (char *end; (end = strstr(text, "; ")) != NULL; text = end + 2) {
    *end = '\0';
    lines[used++] = text;
  }
  lines[used++] = text;
  lines[used] = NULL;
  listing_make_for(sm, lines, code);
}

static struct program draw_program(struct wb_random *random)
{
  static const uint32_t blocks[][2] = {{32, 1},  {256, 1}, {16, 16}, {8, 8},   {64, 2}, {48, 4},
                                       {20, 3},  {16, 1},  {4, 16},  {33, 1},  {1, 1},  {1000, 1},
                                       {10, 10}, {32, 8},  {128, 1}, {100, 1}, {24, 8}, {512, 1}};
  const uint32_t *block = blocks[below(random, COUNT_OF(blocks))];
  struct program program = {.form = &address_forms[below(random, ADDRESS_FORMS)],
                            .known = below(random, 4) > 0,
                            .aligned = below(random, 2) == 0,
                            .machine = {.block = {block[0], block[1], 1},
                                        .grid = {1 + below(random, 60), 1 + below(random, 20), 1},
                                        .pitch = 32 + below(random, 600),
                                        .limit = below(random, 4000)}};
  for (size_t c = 0; c < COMPUTATIONS; c++)
    draw(random, &program.computations[c]);
  return program;
}

#define BUFFERS 4

/* What is found of a program. */
struct analysed {
  struct wb_code code;
  struct wb_simt_analysis *analysis;
  const struct wb_warp_graph *graph;
  struct wb_parameter_value parameters[2];
  struct wb_declared_buffer buffers[BUFFERS];
  struct wb_launch launch;
  struct wb_accesses accesses;
};

static void analyse(const struct program *program, struct analysed *it)
{
  const struct machine *machine = &program->machine;
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  struct wb_text text = {0};
  warpbound_error error = {.message = ""};
  *it = (struct analysed){
      .parameters = {{NULL, PITCH, machine->pitch}, {NULL, LIMIT, machine->limit}}};
  it->launch = (struct wb_launch){.parameters = it->parameters,
                                  .parameter_count = program->known ? 2 : 0,
                                  .buffers = it->buffers,
                                  .buffer_count = BUFFERS};
  memcpy(it->launch.block, machine->block, sizeof it->launch.block);
  memcpy(it->launch.grid, machine->grid, sizeof it->launch.grid);
  for (uint32_t p = 0; p < BUFFERS; p++)
    it->buffers[p] = (struct wb_declared_buffer){
        .parameter = 8 * p, .bytes = BUFFER_BYTES, .aligned = program->aligned};
  wb_text_format(&text, "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; S2R R2, SR_CTAID.X; "
                        "S2R R3, SR_CTAID.Y; ");
  for (size_t c = 0; c < COMPUTATIONS; c++)
    write_computation(&text, program->form, &program->computations[c]);
  wb_text_format(&text, "EXIT");
  char *lines = wb_text_take(&text);
  make_listing(program->form->sm, lines, &it->code);
  free(lines);
  if (wb_simt_analyse(&it->code, &it->code.functions[0], &options, &control, &it->analysis,
                      &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  it->graph = wb_simt_analysis_graph(it->analysis);
  assert_ok(wb_accesses_find(it->graph, &it->launch, &it->accesses, &error));
}

static void free_analysed(struct analysed *it)
{
  wb_accesses_free(&it->accesses);
  wb_simt_analysis_free(it->analysis);
  wb_code_free(&it->code);
}

static const struct wb_loop_forest no_loops;

static void try_program(struct wb_random *random, struct totals *totals)
{
  struct program program = draw_program(random);
  struct analysed found;
  warpbound_error error = {.message = ""};
  analyse(&program, &found);
  struct wb_access_offset *offsets = calloc(found.accesses.count, sizeof *offsets);
  assert_non_null(offsets);
  assert_ok(wb_access_offsets_find(found.graph, &no_loops, &found.launch, &found.accesses, offsets,
                                   &error));
  find_counts(random, &program);
  compare(&program, &found.accesses, totals);
  compare_offsets(&program, &found.accesses, offsets, totals);
  free(offsets);
  free_analysed(&found);
}

TEST(counts_are_never_too_small)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t programs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < programs; n++) {
    struct wb_random random = {seed + n};
    printf("# WARPBOUND_SEED=%" PRIu64 "\n", seed + n);
    try_program(&random, &totals);
  }
  print_shares(&totals.shares);
  printf("# of %zu accesses the offsets are known, of %zu they are the ones found\n", totals.placed,
         totals.tight);
  assert_true(totals.placed > 0);
  assert_true(share_is_at_least(&totals.shares.all, programs < 1000 ? 88 : 90) || programs < 50);
}

/* ---- lines of blocks ---- */

#define LINES (BUFFER_BYTES / 128 + 2)

/* Marks the lines of a buffer that the block accesses where all lies in it. Returns how many were
 * not marked. */
static size_t mark_lines(const struct program *program, unsigned buffer, bool seen[LINES])
{
  const struct machine *machine = &program->machine;
  const uint64_t pointer = machine->pointers[buffer];
  size_t lines = 0;
  for (size_t c = 0; c < COMPUTATIONS; c++) {
    const struct computation *it = &program->computations[c];
    for (uint32_t t = 0; t < machine->block[0] * machine->block[1]; t++) {
      uint32_t word;
      uint64_t address;
      if (!is_wide(it) || pointer_of(it->bytes) != buffer ||
          !does_access(machine, it, t % machine->block[0], t / machine->block[0], &word,
                       &address) ||
          address < pointer || address + it->bytes > pointer + BUFFER_BYTES)
        continue;
      for (uint64_t byte = address; byte < address + it->bytes; byte++) {
        bool *line = &seen[byte / 128 - pointer / 128];
        lines += !*line;
        *line = true;
      }
    }
  }
  return lines;
}

struct line_totals {
  size_t buffers, known, reached;
  size_t of_launch, of_launch_reached;
};

static void fail_lines(const struct program *program, unsigned buffer, const char *of, size_t most,
                       uint64_t lines)
{
  const struct machine *machine = &program->machine;
  fail_msg("sm_%u, block %" PRIu32 " x %" PRIu32 ", grid %" PRIu32 " x %" PRIu32
           "%s, buffer %u: %zu lines of %s, not %" PRIu64 ": a count is too small",
           program->form->sm, machine->block[0], machine->block[1], machine->grid[0],
           machine->grid[1], program->aligned ? ", aligned" : "", buffer, most, of, lines);
}

/* Of 8 pointers the most lines of one block, and of all of them. */
static void compare_lines(struct wb_random *random, struct program *program,
                          const uint64_t lines[BUFFERS], const uint64_t of_launch[BUFFERS],
                          struct line_totals *totals)
{
  static bool seen[LINES], seen_by_any[LINES];
  struct machine *machine = &program->machine;
  for (unsigned p = 0; p < BUFFERS; p++) {
    size_t most = 0, most_of_launch = 0;
    for (unsigned turn = 0; turn < 8; turn++) {
      size_t all = 0;
      machine->pointers[p] =
          (UINT64_C(1) << 40) + (program->aligned ? 256 : UINT64_C(16)) * below(random, 100);
      memset(seen_by_any, 0, sizeof seen_by_any);
      for (uint32_t b = 0; b < machine->grid[0] * machine->grid[1]; b++) {
        machine->index[0] = b % machine->grid[0];
        machine->index[1] = b / machine->grid[0];
        memset(seen, 0, sizeof seen);
        most = most_of(most, mark_lines(program, p, seen));
        all += mark_lines(program, p, seen_by_any);
      }
      most_of_launch = most_of(most_of_launch, all);
    }
    if (most > lines[p])
      fail_lines(program, p, "a block", most, lines[p]);
    if (most_of_launch > of_launch[p])
      fail_lines(program, p, "the launch", most_of_launch, of_launch[p]);
    totals->buffers += most > 0;
    totals->known += most > 0 && lines[p] != UINT64_MAX;
    totals->reached += most > 0 && lines[p] == most;
    totals->of_launch += most > 0 && of_launch[p] != UINT64_MAX;
    totals->of_launch_reached += most > 0 && of_launch[p] == most_of_launch;
  }
}

TEST(lines_of_blocks_are_never_too_few)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t programs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS) / 8;
  struct line_totals totals = {0}, apart = {0};
  for (uint64_t n = 0; n < programs; n++) {
    struct wb_random random = {seed + n};
    struct program program = draw_program(&random);
    struct analysed found;
    uint64_t lines[BUFFERS], of_launch[BUFFERS];
    warpbound_error error = {.message = ""};
    program.known = true;
    program.machine.grid[0] = 1 + below(&random, 3);
    program.machine.grid[1] = 1 + below(&random, 2);
    /* Of some few computations most addresses are known. */
    for (size_t c = 0; c < COMPUTATIONS; c++)
      if (program.computations[c].count > 2)
        program.computations[c].count = 1;
    analyse(&program, &found);
    size_t next = 0;
    for (size_t c = 0; c < COMPUTATIONS; c++) {
      const size_t number = next_access(&found.accesses, &next);
      if (is_wide(&program.computations[c]))
        found.accesses.items[number].buffer =
            (uint8_t)(pointer_of(program.computations[c].bytes) + 1);
    }
    printf("# WARPBOUND_SEED=%" PRIu64 "\n", seed + n);
    assert_ok(wb_block_lines_find(found.graph, &no_loops, &found.launch, &found.accesses, lines,
                                  of_launch, &error));
    compare_lines(&random, &program, lines, of_launch, &totals);
    /* All threads together, as where there are too many blocks to look at one by one. */
    found.launch.block[0] = 0;
    assert_ok(wb_block_lines_find(found.graph, &no_loops, &found.launch, &found.accesses, lines,
                                  of_launch, &error));
    compare_lines(&random, &program, lines, of_launch, &apart);
    free_analysed(&found);
  }
  printf("# of %zu buffers the lines of a block are known of %zu, and reached of %zu, those of the "
         "launch of %zu and %zu, of all threads together of %zu and %zu\n",
         totals.buffers, totals.known, totals.reached, totals.of_launch, totals.of_launch_reached,
         apart.of_launch, apart.of_launch_reached);
  assert_true((totals.reached > 0 && totals.of_launch_reached > 0) || programs < 10);
}
