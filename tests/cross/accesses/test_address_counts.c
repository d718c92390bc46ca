/* The counts of accesses against all lanes of all warps of blocks: random computations of addresses
 * (rows, clamps, quotients and remainders, swizzles, choices, guards; partial warps; all widths),
 * of which several make a program. Each is done for many blocks, parameters and pointers: no count
 * may be greater than what the analysis says, and most are to be reached. WARPBOUND_CROSS_RUNS
 * programs of 16 computations (120 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "base/text.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/accesses/access_offsets.h"
#include "flow/accesses/accesses.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_PROGRAMS 120
#define COMPUTATIONS 16
#define MOST_STEPS 6
#define LANES 32
#define RUNS 320 /* blocks that a program is done for */

/* ---- computations ---- */

enum step_kind {
  FLAT,      /* blockIdx.x * blockDim.x + threadIdx.x */
  ROWS,      /* y * pitch + x */
  THREAD,    /* threadIdx.x */
  STENCIL,   /* clamped y + number, * pitch, + clamped x + number */
  ADD,       /* + number */
  MULTIPLY,  /* * number */
  MINIMUM,   /* min(n - 1) */
  MAXIMUM,   /* max(0) */
  QUOTIENT,  /* / number, as compilers write it */
  REMAINDER, /* % number */
  TILES,     /* i / number * pitch + i % number */
  XOR,       /* ^ (threadIdx.x >> 3 & number) */
  AND,
  SHIFT_RIGHT,
  CHOOSE, /* threadIdx.x < number ? it : n */
  STEP_KINDS
};

enum space { GLOBAL, SHARED, LOCAL, ATOMIC, SPACES };
enum guard { NO_GUARD, THREAD_BELOW, EACH, INDEX_BELOW, GUARDS };

struct step {
  enum step_kind kind;
  uint32_t number;
};

struct computation {
  struct step steps[MOST_STEPS];
  size_t count;
  enum space space;
  unsigned bytes;
  enum guard guard;
  uint32_t guard_number;
  uint32_t instruction;           /* of the access */
  size_t sectors, passes, at_one; /* the most that was found */
  int64_t least, most;            /* offsets from the pointer that were found */
  bool any;
};

/* What a run has, and where: pointers for 1, 4, 8 and 16 bytes from 0x160 on, then these. */
enum { PITCH = 0x180, LIMIT = 0x184 };

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

static void draw(struct wb_random *random, struct computation *it)
{
  static const unsigned widths[] = {1, 2, 4, 4, 4, 8, 16};
  static const enum step_kind of_rows[] = {ADD, MULTIPLY, CHOOSE};
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
                   : step->kind == AND         ? (UINT32_C(1) << below(random, 12)) - 1
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
}

/* ---- code ---- */

/* The multiplier and the shift of a division of 32 unsigned bits: the multiplier may have 33. */
static uint64_t multiplier_of(uint32_t divisor, unsigned *places)
{
  for (*places = 0; *places < 32; ++*places) {
    const uint64_t unit = UINT64_C(1) << (32 + *places);
    const uint64_t multiplier = (unit - 1) / divisor + 1;
    if (multiplier * divisor - unit <= UINT64_C(1) << *places)
      return multiplier;
  }
  return 0;
}

/* R9 = R8 / divisor. */
static void write_quotient(struct wb_text *text, uint32_t divisor)
{
  unsigned places;
  const uint64_t multiplier = multiplier_of(divisor, &places);
  wb_text_format(text, "IMAD.HI.U32 R9, R8, 0x%" PRIx32 ", RZ; ", (uint32_t)multiplier);
  if (multiplier > UINT32_MAX) {
    wb_text_format(text, "IADD3 R10, R8, -R9, RZ; LEA.HI R9, R10, R9, RZ, 0x1f; ");
    places--;
  }
  if (places > 0)
    wb_text_format(text, "SHF.R.U32.HI R9, RZ, 0x%x, R9; ", places);
}

static void write_step(struct wb_text *text, const struct step *step)
{
  const uint32_t number = step->number;
  switch (step->kind) {
  case FLAT:
    wb_text_format(text, "IMAD R8, R2, c[0x0][0x0], R0; ");
    break;
  case ROWS:
    wb_text_format(text, "IMAD R8, R2, c[0x0][0x0], R0; IMAD R9, R3, c[0x0][0x4], R1; "
                         "IMAD R8, R9, c[0x0][0x180], R8; ");
    break;
  case THREAD:
    wb_text_format(text, "MOV R8, R0; ");
    break;
  case STENCIL:
    wb_text_format(text, "MOV R10, c[0x0][0x184]; IADD3 R10, R10, -0x1, RZ; "
                         "IMAD R8, R2, c[0x0][0x0], R0; IMAD R9, R3, c[0x0][0x4], R1; ");
    for (unsigned r = 8; r <= 9; r++)
      wb_text_format(text,
                     "IADD3 R%u, R%u, 0x%" PRIx32 ", RZ; IMNMX R%u, RZ, R%u, !PT; "
                     "IMNMX R%u, R%u, R10, PT; ",
                     r, r, number, r, r, r, r);
    wb_text_format(text, "IMAD R8, R9, c[0x0][0x180], R8; ");
    break;
  case ADD:
    wb_text_format(text, "IADD3 R8, R8, 0x%" PRIx32 ", RZ; ", number);
    break;
  case MULTIPLY:
    wb_text_format(text, "IMAD R8, R8, 0x%" PRIx32 ", RZ; ", number);
    break;
  case MINIMUM:
    wb_text_format(text, "MOV R9, c[0x0][0x184]; IADD3 R9, R9, -0x1, RZ; IMNMX R8, R8, R9, PT; ");
    break;
  case MAXIMUM:
    wb_text_format(text, "IMNMX R8, RZ, R8, !PT; ");
    break;
  case QUOTIENT:
    write_quotient(text, number);
    wb_text_format(text, "MOV R8, R9; ");
    break;
  case REMAINDER:
    write_quotient(text, number);
    wb_text_format(text, "IMAD R8, R9, -0x%" PRIx32 ", R8; ", number);
    break;
  case TILES:
    write_quotient(text, number);
    wb_text_format(text, "IMAD R10, R9, -0x%" PRIx32 ", R8; IMAD R8, R9, c[0x0][0x180], R10; ",
                   number);
    break;
  case XOR:
    wb_text_format(text,
                   "SHF.R.U32.HI R9, RZ, 0x3, R0; LOP3.LUT R9, R9, 0x%" PRIx32
                   ", RZ, 0xc0, !PT; LOP3.LUT R8, R8, R9, RZ, 0x3c, !PT; ",
                   number);
    break;
  case AND:
    wb_text_format(text, "LOP3.LUT R8, R8, 0x%" PRIx32 ", RZ, 0xc0, !PT; ", number);
    break;
  case SHIFT_RIGHT:
    wb_text_format(text, "SHF.R.U32.HI R8, RZ, 0x%" PRIx32 ", R8; ", number);
    break;
  default:
    wb_text_format(
        text, "ISETP.LT.U32.AND P0, PT, R0, 0x%" PRIx32 ", PT; SEL R8, R8, c[0x0][0x184], P0; ",
        number);
  }
}

static const char *suffix_of(unsigned bytes)
{
  return bytes == 1 ? ".U8" : bytes == 2 ? ".U16" : bytes == 8 ? ".64" : bytes == 16 ? ".128" : "";
}

static unsigned pointer_of(unsigned bytes)
{
  return bytes < 4 ? 0 : bytes == 4 ? 1 : bytes == 8 ? 2 : 3;
}

static void write_computation(struct wb_text *text, const struct computation *it)
{
  for (size_t s = 0; s < it->count; s++)
    write_step(text, &it->steps[s]);
  if (it->guard == INDEX_BELOW)
    wb_text_format(text, "ISETP.LT.AND P1, PT, R8, c[0x0][0x184], PT; ");
  else if (it->guard == THREAD_BELOW)
    wb_text_format(text, "ISETP.LT.U32.AND P1, PT, R0, 0x%" PRIx32 ", PT; ", it->guard_number);
  else if (it->guard == EACH)
    wb_text_format(text, "LOP3.LUT P1, RZ, R0, 0x%" PRIx32 ", RZ, 0xc0, !PT; ", it->guard_number);
  if (it->space == GLOBAL || it->space == ATOMIC)
    wb_text_format(text, "IMAD.WIDE R16, R8, 0x%x, c[0x0][0x%x]; ", it->bytes,
                   0x160 + 8 * pointer_of(it->bytes));
  else
    wb_text_format(text, "IMAD R16, R8, 0x%x, RZ; ", it->bytes);
  const char *guard = it->guard == NO_GUARD ? "" : "@P1 ";
  if (it->space == ATOMIC)
    wb_text_format(text, "%sRED.E.ADD.STRONG.GPU [R16.64], R20; ", guard);
  else if (it->space == GLOBAL)
    wb_text_format(text, "%sLDG.E%s R20, [R16.64]; ", guard, suffix_of(it->bytes));
  else
    wb_text_format(text, "%s%s%s R20, [R16]; ", guard, it->space == SHARED ? "LDS" : "LDL",
                   suffix_of(it->bytes));
}

/* ---- one warp ---- */

static uint32_t clamped(const struct machine *machine, uint32_t word)
{
  const int32_t least = (int32_t)word > 0 ? (int32_t)word : 0;
  const int32_t most = (int32_t)(machine->limit - 1);
  return (uint32_t)(least < most ? least : most);
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

static void count(struct computation *it, const uint64_t *addresses, uint32_t lanes)
{
  uint64_t units[LANES * 4];
  size_t used = 0;
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned byte = 0; byte < it->bytes && (lanes >> l & 1) != 0; byte += 4) {
      const uint64_t address = addresses[l] + byte;
      units[used++] = (it->space == LOCAL ? address / 4 * 128 + 4 * l : address) / 32;
    }
  it->sectors = most_of(it->sectors, distinct(units, used));
  it->passes =
      most_of(it->passes, it->space == SHARED ? passes_of(addresses, lanes, it->bytes) : 0);
  for (unsigned l = 0; l < LANES; l++) {
    size_t equal = 0;
    for (unsigned o = 0; o < LANES; o++)
      equal += (lanes >> l & lanes >> o & 1) != 0 && addresses[l] == addresses[o];
    it->at_one = most_of(it->at_one, equal);
  }
}

static void run_warp(const struct machine *machine, struct computation *it, uint32_t warp)
{
  const uint32_t threads = machine->block[0] * machine->block[1];
  uint64_t addresses[LANES] = {0};
  uint32_t lanes = 0;
  for (unsigned l = 0; l < LANES && 32 * warp + l < threads; l++) {
    const uint32_t x = (32 * warp + l) % machine->block[0];
    const uint32_t y = (32 * warp + l) / machine->block[0];
    uint32_t word = 0;
    for (size_t s = 0; s < it->count; s++)
      word = word_after(machine, &it->steps[s], word, x, y);
    const bool does = it->guard == NO_GUARD       ? true
                      : it->guard == THREAD_BELOW ? x < it->guard_number
                      : it->guard == EACH         ? (x & it->guard_number) != 0
                                                  : (int32_t)word < (int32_t)machine->limit;
    const bool wide = it->space == GLOBAL || it->space == ATOMIC;
    addresses[l] = wide ? machine->pointers[pointer_of(it->bytes)] +
                              (uint64_t)((int64_t)(int32_t)word * it->bytes)
                        : (uint32_t)(word * it->bytes);
    if (!does || addresses[l] % it->bytes != 0)
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
  struct computation computations[COMPUTATIONS];
  struct machine machine;
  bool known; /* pitch and limit are */
};

struct totals {
  size_t checked[2], reached[2]; /* of parameters that are not known, and that are */
  size_t placed, tight;          /* offsets that are known, and that are reached */
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
  }
  for (unsigned p = 0; p < 4; p++) {
    const uint64_t bytes = p == 0 ? 1 : UINT64_C(2) << p;
    machine->pointers[p] = (UINT64_C(1) << 40) + 0x100000 * p + bytes * (run % (32 / bytes));
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

static void show(const struct computation *it, const struct wb_access *access)
{
  struct wb_text text = {0};
  write_computation(&text, it);
  char *lines = wb_text_take(&text);
  print_message("%s\n  sectors %zu of %u, passes %zu of %u, at one %zu of %u: %s\n", lines,
                it->sectors, access->sectors, it->passes, access->wavefronts, it->at_one,
                access->lanes_at_one, access->reason);
  free(lines);
}

/* Fails where a count is too small; shows those that are not reached where WARPBOUND_SHOW is set.
 */
static void compare(const struct program *program, const struct wb_accesses *accesses,
                    struct totals *totals)
{
  for (size_t c = 0; c < COMPUTATIONS; c++) {
    const struct computation *it = &program->computations[c];
    const struct wb_access *access = &accesses->items[accesses->count - COMPUTATIONS + c];
    const bool shared = it->space == SHARED;
    if ((!shared && it->sectors > access->sectors) || it->passes > access->wavefronts ||
        it->at_one > access->lanes_at_one) {
      show(it, access);
      fail_msg("block %" PRIu32 " x %" PRIu32 ": a count is too small", program->machine.block[0],
               program->machine.block[1]);
    }
    const bool reached = shared ? it->passes == access->wavefronts : it->sectors == access->sectors;
    totals->checked[program->known]++;
    totals->reached[program->known] += reached || it->at_one == 0; /* none: no lane does it */
    if (!reached && getenv("WARPBOUND_SHOW") != NULL) {
      print_message("# block %" PRIu32 " x %" PRIu32 "%s: ", program->machine.block[0],
                    program->machine.block[1], program->known ? ", known" : "");
      show(it, access);
    }
  }
}

/* Fails where an access was elsewhere than its offsets say. */
static void compare_offsets(const struct program *program, const struct wb_accesses *accesses,
                            const struct wb_access_offset *offsets, struct totals *totals)
{
  for (size_t c = 0; c < COMPUTATIONS; c++) {
    const struct computation *it = &program->computations[c];
    const size_t number = accesses->count - COMPUTATIONS + c;
    const struct wb_access_offset *offset = &offsets[number];
    const bool global = it->space == GLOBAL || it->space == ATOMIC;
    if (it->any && global && !offset->reached)
      fail_msg("an access is said not to be reached");
    if (!it->any || !global || !offset->known)
      continue;
    if (offset->buffer != pointer_of(it->bytes) || it->least < offset->least ||
        it->most > offset->most) {
      show(it, &accesses->items[number]);
      fail_msg("offsets from %" PRId64 " to %" PRId64 " of buffer %" PRIu32 ", found %" PRId64
               " to %" PRId64 ": a count is too small",
               offset->least, offset->most, offset->buffer, it->least, it->most);
    }
    totals->placed++;
    totals->tight += it->least == offset->least && it->most == offset->most;
  }
}

/* Of instructions that "; " parts, which are written over. */
static void make_listing(char *text, struct wb_code *code)
{
  static const char *lines[COMPUTATIONS * MOST_STEPS * 6];
  size_t used = 0;
  for (char *end; (end = strstr(text, "; ")) != NULL; text = end + 2) {
    *end = '\0';
    lines[used++] = text;
  }
  lines[used++] = text;
  lines[used] = NULL;
  listing_make_for(87, lines, code);
}

static void try_program(struct wb_random *random, struct totals *totals)
{
  static const uint32_t blocks[][2] = {{32, 1},  {256, 1}, {16, 16}, {8, 8},   {64, 2}, {48, 4},
                                       {20, 3},  {16, 1},  {4, 16},  {33, 1},  {1, 1},  {1000, 1},
                                       {10, 10}, {32, 8},  {128, 1}, {100, 1}, {24, 8}, {512, 1}};
  const uint32_t *block = blocks[below(random, COUNT_OF(blocks))];
  struct program program = {.known = below(random, 4) > 0,
                            .machine = {.block = {block[0], block[1], 1},
                                        .grid = {1 + below(random, 60), 1 + below(random, 20), 1},
                                        .pitch = 32 + below(random, 600),
                                        .limit = below(random, 4000)}};
  const struct wb_parameter_value parameters[] = {{NULL, PITCH - 0x160, program.machine.pitch},
                                                  {NULL, LIMIT - 0x160, program.machine.limit}};
  struct wb_launch launch = {.parameters = parameters,
                             .parameter_count = program.known ? COUNT_OF(parameters) : 0};
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  struct wb_simt_analysis *analysis = NULL;
  struct wb_text text = {0};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_accesses_free) struct wb_accesses accesses;
  warpbound_error error = {.message = ""};
  memcpy(launch.block, program.machine.block, sizeof launch.block);
  memcpy(launch.grid, program.machine.grid, sizeof launch.grid);
  wb_text_format(&text, "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; S2R R2, SR_CTAID.X; "
                        "S2R R3, SR_CTAID.Y; ");
  for (size_t c = 0; c < COMPUTATIONS; c++) {
    draw(random, &program.computations[c]);
    write_computation(&text, &program.computations[c]);
  }
  wb_text_format(&text, "EXIT");
  char *lines = wb_text_take(&text);
  make_listing(lines, &code);
  free(lines);
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) !=
      WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_ok(wb_accesses_find(wb_simt_analysis_graph(analysis), &launch, &accesses, &error));
  assert_true(accesses.count >= COMPUTATIONS);
  static const struct wb_declared_buffer buffers[] = {
      {0, 1 << 20, false}, {8, 1 << 20, false}, {16, 1 << 20, false}, {24, 1 << 20, false}};
  const struct wb_loop_forest forest = {0};
  struct wb_access_offset *offsets = calloc(accesses.count, sizeof *offsets);
  assert_non_null(offsets);
  launch.buffers = buffers;
  launch.buffer_count = COUNT_OF(buffers);
  assert_ok(wb_access_offsets_find(wb_simt_analysis_graph(analysis), &forest, &launch, &accesses,
                                   offsets, &error));
  find_counts(random, &program);
  compare(&program, &accesses, totals);
  compare_offsets(&program, &accesses, offsets, totals);
  free(offsets);
  wb_simt_analysis_free(analysis);
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
  const size_t checked = totals.checked[0] + totals.checked[1];
  const size_t reached = totals.reached[0] + totals.reached[1];
  printf("# %zu computations, no count too small, %zu reached; of %zu with known parameters %zu\n",
         checked, reached, totals.checked[1], totals.reached[1]);
  printf("# of %zu accesses the offsets are known, of %zu they are the ones found\n", totals.placed,
         totals.tight);
  assert_true(totals.placed > 0);
  assert_true(reached * 10 >= checked * 9 || programs < 50);
}
