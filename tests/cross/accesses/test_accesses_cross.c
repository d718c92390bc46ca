/* What loads and stores access, against all lanes of a warp: random programs with branches, loops
 * and guards, in the forms of sm_52 and sm_87, run lane by lane with the meaning of the
 * instructions. No execution of an access may take more sectors, passes or lanes at one address
 * than the analysis says. Left out: calls, WARPSYNC, uniform registers, textures.
 *   WARPBOUND_CROSS_RUNS programs (1500 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/accesses/accesses.h"
#include "maxwell_lane.h"
#include "random_accesses.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_PROGRAMS 1500
#define MOST_STEPS 300
#define LANES 32
#define RUNS 4 /* of a program */

/* ---- runs ---- */

struct run {
  const struct access_program *program;
  const struct wb_accesses *accesses;
  struct wb_random *random;
  struct maxwell_lane old[LANES];
  struct volta_lane new[LANES]; /* the program's form has one of both */
  uint32_t parameters[4];
  uint32_t block[3], warp, index; /* index: of the block in the grid */
  size_t steps;
  size_t checked, tight; /* accesses; those that take as many sectors or passes as said */
};

static uint32_t lane_bit(unsigned lane)
{
  return UINT32_C(1) << lane;
}

static uint32_t *registers_of(struct run *run, unsigned lane)
{
  return run->program->volta ? run->new[lane].registers : run->old[lane].registers;
}

/* A lane that executes an instruction. */
struct executing {
  const struct run *run;
  unsigned lane;
};

static uint32_t parameter(void *context, uint32_t bank, uint32_t offset)
{
  const struct executing *executing = context;
  assert_int_equal(bank, 0);
  return executing->run
      ->parameters[(offset - (executing->run->program->volta ? 0x160 : 0x140)) / 4];
}

static uint32_t special(void *context, const char *name)
{
  const struct executing *executing = context;
  const struct run *run = executing->run;
  const uint32_t thread = 32 * run->warp + executing->lane;
  if (strcmp(name, "SR_TID.X") == 0)
    return thread % run->block[0];
  if (strcmp(name, "SR_TID.Y") == 0)
    return thread / run->block[0] % run->block[1];
  return strcmp(name, "SR_LANEID") == 0 ? executing->lane : run->index;
}

/* A lane does a statement that is no access. */
static void execute(struct run *run, const struct access_statement *s, unsigned lane)
{
  struct executing executing = {run, lane};
  const struct volta_memory memory = {&executing, parameter, special};
  for (size_t l = s->line; l < s->line + s->lines; l++) {
    const char *line = run->program->lines[l];
    char opcode[ACCESS_LINE_SIZE];
    if (*line == '@')
      line = strchr(line, ' ') + 1;
    const size_t length = strcspn(line, " ");
    memcpy(opcode, line, length);
    opcode[length] = '\0';
    const char *operands = line + length + 1;
    const bool known = run->program->volta
                           ? volta_lane_execute(&run->new[lane], &memory, opcode, operands)
                           : maxwell_lane_execute(&run->old[lane], &memory, opcode, operands);
    if (!known)
      fail_msg("the reference does not know %s", line);
  }
}

/* ---- counts, in the plainest way ---- */

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

/* Units of `size` bytes of aligned accesses; of local memory words of the lanes lie side by side.
 */
static size_t units_of(const uint64_t *addresses, uint32_t lanes, unsigned bytes, uint64_t size,
                       bool local)
{
  uint64_t units[LANES * 4];
  size_t count = 0;
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned byte = 0; byte < bytes && (lanes & lane_bit(l)) != 0; byte += 4) {
      const uint64_t address = addresses[l] + byte;
      const uint64_t place = local ? address / 4 * 128 + 4 * l : address;
      units[count++] = place / size;
    }
  return distinct(units, count);
}

static size_t passes_of_lanes(const uint64_t *addresses, uint32_t lanes, unsigned bytes,
                              unsigned begin, unsigned end)
{
  size_t most = 0;
  for (unsigned bank = 0; bank < 32; bank++) {
    uint64_t words[LANES * 4];
    size_t count = 0;
    for (unsigned l = begin; l < end; l++)
      for (unsigned byte = 0; byte < bytes && (lanes & lane_bit(l)) != 0; byte += 4)
        if ((addresses[l] + byte) / 4 % 32 == bank)
          words[count++] = (addresses[l] + byte) / 4;
    const size_t found = distinct(words, count);
    most = found > most ? found : most;
  }
  return most;
}

static size_t passes_of(const uint64_t *addresses, uint32_t lanes, unsigned bytes)
{
  const unsigned parts = bytes <= 4 ? 1 : bytes / 4;
  size_t sum = 0;
  for (unsigned p = 0; p < parts; p++)
    sum += passes_of_lanes(addresses, lanes, bytes, p * LANES / parts, (p + 1) * LANES / parts);
  return sum;
}

static size_t at_one(const uint64_t *addresses, uint32_t lanes)
{
  size_t most = 0;
  for (unsigned l = 0; l < LANES; l++) {
    size_t equal = 0;
    for (unsigned o = 0; o < LANES; o++)
      equal +=
          (lanes & lane_bit(l)) != 0 && (lanes & lane_bit(o)) != 0 && addresses[l] == addresses[o];
    most = equal > most ? equal : most;
  }
  return most;
}

static void check(struct run *run, const struct access_statement *s, const uint64_t *addresses,
                  uint32_t lanes)
{
  const struct wb_access *access = wb_accesses_at(run->accesses, s->instruction);
  assert_non_null(access);
  for (unsigned l = 0; l < LANES; l++)
    lanes &= addresses[l] % s->bytes != 0 ? ~lane_bit(l) : UINT32_MAX; /* they would trap */
  if (lanes == 0)
    return;
  const bool local = s->kind == ACCESS_STORE_LOCAL;
  const bool global = s->kind == ACCESS_LOAD_GLOBAL || s->kind == ACCESS_STORE_GLOBAL;
  const size_t sectors = units_of(addresses, lanes, s->bytes, 32, local);
  const size_t passes = global || local ? units_of(addresses, lanes, s->bytes, 128, local)
                                        : passes_of(addresses, lanes, s->bytes);
  const size_t equal = at_one(addresses, lanes);
  if (((global || local) && sectors > access->sectors) || passes > access->wavefronts ||
      equal > access->lanes_at_one) {
    for (size_t i = 0; i < run->program->line_count; i++)
      print_message("%s\n", run->program->lines[i]);
    fail_msg("instruction %u: %zu sectors, %zu passes, %zu at one; said: %u, %u, %u (%s)",
             s->instruction, sectors, passes, equal, access->sectors, access->wavefronts,
             access->lanes_at_one, access->reason);
  }
  run->checked++;
  run->tight += access->known && (sectors == access->sectors || passes == access->wavefronts);
}

static void do_access(struct run *run, const struct access_statement *s, uint32_t lanes)
{
  uint64_t addresses[LANES];
  for (unsigned l = 0; l < LANES; l++) {
    const uint32_t *r = registers_of(run, l);
    const bool global = s->kind == ACCESS_LOAD_GLOBAL || s->kind == ACCESS_STORE_GLOBAL;
    const bool offset = s->kind == ACCESS_LOAD_GLOBAL || s->kind == ACCESS_LOAD_SHARED;
    addresses[l] = global ? (uint64_t)r[s->a + 1] << 32 | r[s->a] : r[s->a];
    addresses[l] += offset ? s->number : 0;
    addresses[l] = global ? addresses[l] : (uint32_t)addresses[l];
  }
  check(run, s, addresses, lanes);
  const uint64_t salt = wb_random_next(run->random);
  const uint64_t most = access_below(run->random, 2) ? 64 : UINT64_C(1) << 32;
  for (unsigned l = 0; l < LANES; l++) {
    struct wb_random memory = {addresses[l] ^ salt ^ (s->kind == ACCESS_ADD_ATOMIC ? l : 0)};
    if ((lanes & lane_bit(l)) != 0 && s->kind != ACCESS_STORE_SHARED &&
        s->kind != ACCESS_STORE_GLOBAL && s->kind != ACCESS_STORE_LOCAL)
      registers_of(run, l)[s->d] = (uint32_t)access_below(&memory, most);
  }
}

/* ---- statements ---- */

static uint32_t lanes_where(const struct run *run, unsigned predicate, bool when)
{
  uint32_t lanes = 0;
  for (unsigned l = 0; l < LANES; l++)
    lanes |=
        (run->program->volta ? run->new[l].predicates : run->old[l].predicates)[predicate] == when
            ? lane_bit(l)
            : 0;
  return lanes;
}

static void do_plain(struct run *run, const struct access_statement *s, uint32_t lanes)
{
  lanes &= s->guard >= 0 ? lanes_where(run, (unsigned)s->guard, s->guard_when) : UINT32_MAX;
  if (s->kind >= ACCESS_LOAD_SHARED) {
    do_access(run, s, lanes);
    return;
  }
  for (unsigned l = 0; l < LANES; l++) {
    if ((lanes & lane_bit(l)) != 0)
      execute(run, s, l);
  }
}

/* The statement that ends the part which begins at `from`. */
static size_t find_end(const struct access_program *program, size_t from, enum access_kind kind,
                       unsigned label)
{
  size_t at = from;
  while (program->statements[at].kind != kind || program->statements[at].label != label)
    at++;
  return at;
}

static bool has_lanes(const struct run *run, uint32_t lanes)
{
  return lanes != 0 && run->steps < MOST_STEPS;
}

/* Recursion as deep as programs nest, which is 3. */
static void do_statements(struct run *run, size_t from, size_t to, uint32_t lanes)
{
  const struct access_program *program = run->program;
  for (size_t i = from; i < to && has_lanes(run, lanes); i++) {
    const struct access_statement *s = &program->statements[i];
    run->steps++;
    if (s->kind == ACCESS_IF) {
      const size_t otherwise = find_end(program, i, ACCESS_ELSE, s->label);
      const size_t end = find_end(program, i, ACCESS_END_IF, s->label);
      /* Lanes branch to the other side where the predicate is `turned`. */
      const uint32_t others = lanes & lanes_where(run, s->predicate, s->turned);
      do_statements(run, otherwise + 1, end, others);
      do_statements(run, i + 1, otherwise, lanes & ~others);
      i = end;
    } else if (s->kind == ACCESS_LOOP) {
      const size_t end = find_end(program, i, ACCESS_END_LOOP, s->label);
      for (uint32_t stay = lanes; has_lanes(run, stay); run->steps++) {
        do_statements(run, i + 1, end, stay);
        stay &= lanes_where(run, s->predicate, !s->turned);
      }
      i = end;
    } else {
      do_plain(run, s, lanes);
    }
  }
}

/* ---- launches ---- */

static void start_run(struct run *run, const struct wb_launch *launch)
{
  const uint32_t threads = launch->block[0] * launch->block[1];
  struct wb_random *random = run->random;
  memcpy(run->block, launch->block, sizeof run->block);
  run->warp = (uint32_t)access_below(random, (threads + 31) / 32);
  run->index = (uint32_t)access_below(random, 8) == 0 ? (uint32_t)access_below(random, 1 << 30)
                                                      : (uint32_t)access_below(random, 100);
  for (unsigned p = 0; p < 4; p++) {
    const uint64_t choice = access_below(random, 4);
    const uint32_t number = (uint32_t)wb_random_next(random);
    run->parameters[p] = choice == 0   ? number
                         : choice == 1 ? number & ~UINT32_C(127)
                         : choice == 2 ? number % 64
                                       : (number >> 31 << 31) - number % 40;
  }
  for (unsigned l = 0; l < LANES; l++)
    run->old[l].predicates[7] = run->new[l].predicates[7] = true;
}

static void run_program(const struct access_program *program, const struct wb_accesses *accesses,
                        const struct wb_launch *launch, struct wb_random *random, size_t *checked,
                        size_t *tight)
{
  static const struct run empty;
  for (int n = 0; n < RUNS; n++) {
    struct run run = empty;
    run.program = program;
    run.accesses = accesses;
    run.random = random;
    start_run(&run, launch);
    if (launch->parameter_count > 0)
      run.parameters[1] = launch->parameters[0].value;
    const uint32_t threads = launch->block[0] * launch->block[1] - 32 * run.warp;
    do_statements(&run, 0, program->count, threads < LANES ? lane_bit(threads) - 1 : UINT32_MAX);
    *checked += run.checked;
    *tight += run.tight;
  }
}

static void try_program(struct wb_random *random, bool volta, size_t *checked, size_t *tight)
{
  static const uint32_t blocks[][3] = {{32, 1, 1}, {256, 1, 1}, {16, 16, 1}, {8, 8, 1},
                                       {64, 2, 1}, {48, 4, 1},  {20, 3, 1},  {16, 1, 1},
                                       {4, 16, 1}, {33, 1, 1}};
  static struct access_program program;
  FREED_BY(wb_code_free) struct wb_code code;
  struct wb_simt_analysis *analysis = NULL;
  struct wb_accesses accesses;
  warpbound_error error = {.message = ""};
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  const struct wb_parameter_value parameter = {NULL, 4, access_number(random)};
  struct wb_launch launch = {.parameters = &parameter, .parameter_count = access_below(random, 2)};
  memcpy(launch.block, blocks[access_below(random, COUNT_OF(blocks))], sizeof launch.block);
  access_program_make(&program, random, volta);
  listing_make_for(volta ? 87 : 52, program.pointers, &code);
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) !=
      WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_ok(wb_accesses_find(wb_simt_analysis_graph(analysis), &launch, &accesses, &error));
  run_program(&program, &accesses, &launch, random, checked, tight);
  wb_accesses_free(&accesses);
  wb_simt_analysis_free(analysis);
}

static void try_programs(bool volta)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t programs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  size_t checked = 0;
  size_t tight = 0;
  for (uint64_t n = 0; n < programs; n++) {
    struct wb_random random = {seed + n};
    printf("# WARPBOUND_SEED=%" PRIu64 "\n", seed + n);
    try_program(&random, volta, &checked, &tight);
  }
  printf("# %zu executions of accesses, %zu as many sectors or passes as said\n", checked, tight);
  assert_true(checked > programs);
  assert_true(tight > checked / 20);
}

TEST(old_programs)
{
  try_programs(false);
}

TEST(new_programs)
{
  try_programs(true);
}
