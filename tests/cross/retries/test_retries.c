/* Loops that compare and swap until they succeed: no thread takes more back edges than is said, for
 * an entry or for all of them, and no warp runs the swap more often, in whatever order threads take
 * turns. WARPBOUND_CROSS_RUNS programs (4000 without it), WARPBOUND_SEED */
#include "base/memory.h"
#include "flow/retries/retry_loops.h"
#include "retry_machine.h"
#include "retry_programs.h"
#include "unit.h"

#include <stdio.h>

#define DEFAULT_RUNS 4000
#define SCHEDULES 6 /* of a program */
#define MOST_STEPS 4000

struct totals {
  size_t refused;
  size_t programs[2]; /* as compilers write them, and changed ones */
  size_t bounded[2];  /* those with a bound of this kind */
  size_t loops, returned, loaded, spinning;
  size_t runs, unended; /* of launches */
  size_t steps;
  /* Loops of which some thread takes all but one of more than two, half, a quarter of the bound,
   * any. */
  size_t met[4];
  size_t all_met[2];   /* all that is said of all entries together, half */
  size_t sums_met[2];  /* threads of launches: half of what is said of all loops, a quarter */
  uint64_t least_warp; /* the least factor by which the warp's bound is above what it does */
};

/* A program that is tried. */
struct trial {
  struct wb_code code;
  struct bounded_function bounded;
  struct wb_retry_bound retries[MACHINE_LOOPS];
  struct wb_retry_sum sum;
  struct wb_launch launch;
  size_t found;
};

static void free_trial(struct trial *trial)
{
  bounded_free(&trial->bounded);
  wb_code_free(&trial->code);
}

/* Finds the bounds. False where the code is refused. */
static bool find_code_bounds(struct trial *trial)
{
  uint64_t bounds[MACHINE_LOOPS];
  warpbound_error error = {.message = ""};
  trial->found = 0;
  if (!bounded_make(&trial->code, &trial->code.functions[0], &trial->launch, &trial->bounded))
    return false;
  const struct wb_loop_forest *forest = &trial->bounded.forest;
  if (forest->loop_count > MACHINE_LOOPS)
    return false;
  for (size_t l = 0; l < forest->loop_count; l++) {
    const struct wb_found_bound *found = &trial->bounded.found[l];
    bounds[l] = found->found ? found->bound : UINT64_MAX;
  }
  assert_ok(wb_retry_bounds_find(trial->bounded.graph, forest, &trial->launch, bounds,
                                 trial->retries, &trial->sum, &error));
  for (size_t l = 0; l < forest->loop_count; l++)
    trial->found += trial->retries[l].found;
  return true;
}

static bool find_bounds(struct trial *trial, const struct retry_program *program)
{
  const char *lines[PROGRAM_LINES + 1] = {NULL};
  for (size_t l = 0; l < program->count; l++)
    lines[l] = program->lines[l];
  listing_make_for(program->sm, lines, &trial->code);
  return find_code_bounds(trial);
}

/* The same of all loops together: turns of each thread, runs of the swaps of each warp. */
static const char *compare_sum(const struct trial *trial, const struct machine *machine,
                               struct totals *totals)
{
  const uint64_t said = trial->sum.runs;
  for (unsigned t = 0; t < machine->blocks * machine->lanes && trial->sum.found; t++) {
    uint64_t turns = 0;
    for (size_t l = 0; l < trial->bounded.forest.loop_count; l++)
      if (trial->retries[l].found)
        turns += machine->counts[t][l].all + machine->counts[t][l].entries;
    if (turns > said)
      return "more turns in all loops than is said";
    totals->sums_met[0] += turns * 2 >= said;
    totals->sums_met[1] += turns * 4 >= said;
  }
  for (unsigned w = 0; w < machine->blocks && trial->sum.found; w++) {
    uint64_t runs = 0;
    for (size_t l = 0; l < trial->bounded.forest.loop_count; l++)
      if (trial->retries[l].found)
        runs += machine->runs[w][l].runs;
    if (runs > 32 * said)
      return "more runs of all swaps than is said";
  }
  return NULL;
}

/* Compares what a launch did with what is said. A message where that is too little. */
static const char *compare(const struct trial *trial, const struct machine *machine,
                           struct machine_counts most[MACHINE_LOOPS], struct totals *totals)
{
  for (size_t l = 0; l < trial->bounded.forest.loop_count; l++) {
    const struct wb_retry_bound *retry = &trial->retries[l];
    const uint64_t first = retry->loop.reloads ? 0 : 1;
    if (!retry->found)
      continue;
    for (unsigned t = 0; t < machine->blocks * machine->lanes; t++) {
      const struct machine_counts *counts = &machine->counts[t][l];
      if (counts->most > retry->bound)
        return "more back edges for an entry than is said";
      if (counts->all > retry->writes + first * counts->entries)
        return "more back edges for all entries than is said";
      if (counts->most > most[l].most)
        most[l].most = counts->most;
      if (counts->all > most[l].all)
        most[l].all = counts->all;
    }
    for (unsigned w = 0; w < machine->blocks; w++) {
      const struct machine_runs *runs = &machine->runs[w][l];
      const uint64_t said = 32 * retry->writes + 32 * (1 + first) * runs->entries;
      if (runs->runs > said)
        return "more runs of the swap than is said";
      if (runs->runs > 0 && said / runs->runs < totals->least_warp)
        totals->least_warp = said / runs->runs;
    }
  }
  return compare_sum(trial, machine, totals);
}

static void note(const struct trial *trial, const struct machine_counts most[MACHINE_LOOPS],
                 struct totals *totals)
{
  for (size_t l = 0; l < trial->bounded.forest.loop_count; l++) {
    const struct wb_retry_bound *retry = &trial->retries[l];
    if (!retry->found)
      continue;
    totals->loops++;
    totals->returned += !retry->loop.reloads;
    totals->loaded += retry->loop.reloads && !retry->loop.may_pass;
    totals->spinning += retry->loop.may_pass;
    totals->met[0] += retry->bound > 2 && most[l].most + 1 >= retry->bound;
    totals->met[1] += most[l].most * 2 >= retry->bound;
    totals->met[2] += most[l].most * 4 >= retry->bound;
    totals->met[3] += most[l].most > 0;
    totals->all_met[0] += most[l].all >= retry->writes;
    totals->all_met[1] += most[l].all * 2 >= retry->writes;
  }
}

/* Runs launches of a program with bounds. */
static const char *run_launches(const struct trial *trial, uint64_t seed, size_t schedules,
                                struct totals *totals)
{
  struct wb_random random = {seed};
  struct machine_counts most[MACHINE_LOOPS] = {{0}};
  uint32_t watched[MACHINE_LOOPS];
  static const enum machine_schedule kinds[] = {SCHEDULE_ANY, SCHEDULE_HUNT, SCHEDULE_HUNT,
                                                SCHEDULE_HUNT_WARP};
  struct machine machine = {.kernel = &trial->bounded,
                            .blocks = trial->launch.grid[0],
                            .lanes = trial->launch.block[0],
                            .watched = watched};
  const char *wrong = NULL;
  for (size_t l = 0; l < trial->bounded.forest.loop_count; l++)
    watched[l] = trial->retries[l].found ? trial->retries[l].loop.block : UINT32_MAX;
  for (size_t s = 0; s < schedules && wrong == NULL; s++) {
    machine_run(&machine, kinds[s % 4], MOST_STEPS, &random);
    totals->runs++;
    totals->unended += !machine.ended;
    totals->steps += machine.steps;
    wrong = compare(trial, &machine, most, totals);
  }
  note(trial, most, totals);
  return wrong;
}

static const char *try_program(const struct retry_program *program, const struct wb_launch *launch,
                               uint64_t seed, size_t schedules, struct totals *totals)
{
  struct trial trial = {.launch = *launch};
  const char *wrong = NULL;
  if (!find_bounds(&trial, program))
    totals->refused++;
  else {
    totals->programs[program->changes > 0]++;
    totals->bounded[program->changes > 0] += trial.found > 0;
    if (trial.found > 0)
      wrong = run_launches(&trial, seed, schedules, totals);
  }
  free_trial(&trial);
  return wrong;
}

static bool is_named(const struct retry_program *program, size_t label)
{
  const char *name = program->lines[label];
  const size_t length = strlen(name) - 1;
  if (name[length] != ':')
    return false;
  for (size_t l = 0; l < program->count; l++) {
    const char *last = strrchr(program->lines[l], ' ');
    if (last != NULL && strlen(last + 1) == length && strncmp(last + 1, name, length) == 0)
      return true;
  }
  return false;
}

/* Takes lines away as long as something is wrong, and tells what is left. */
static void shrink(struct retry_program *program, const struct wb_launch *launch, uint64_t seed,
                   const char *wrong)
{
  struct totals totals = {0};
  for (size_t l = 0; l + 1 < program->count;) {
    struct retry_program less = *program;
    if (!is_named(program, l)) {
      retry_program_remove(&less, l);
      if (try_program(&less, launch, seed, 200, &totals) != NULL) {
        *program = less;
        continue;
      }
    }
    l++;
  }
  printf("# seed %llu: %s, sm_%u, %u blocks of %u\n", (unsigned long long)seed, wrong, program->sm,
         launch->grid[0], launch->block[0]);
  for (size_t l = 0; l < program->count; l++)
    printf("#   %s\n", program->lines[l]);
}

static void try_seed(uint64_t seed, struct totals *totals)
{
  struct wb_random random = {seed * 2 + 1};
  struct retry_program program;
  const uint32_t blocks = 1 + (uint32_t)wb_random_below(&random, MACHINE_BLOCKS);
  const uint32_t lanes =
      1 + (uint32_t)wb_random_below(&random, wb_random_below(&random, 2) == 0 ? 3 : MACHINE_LANES);
  const struct wb_launch launch = {.block = {lanes, 1, 1}, .grid = {blocks, 1, 1}};
  retry_program_make(&program, &random);
  if (wb_random_below(&random, 5) != 0)
    for (uint64_t c = 1 + wb_random_below(&random, 3); c > 0; c--)
      retry_program_change(&program, &random);
  const char *wrong = try_program(&program, &launch, seed, SCHEDULES, totals);
  if (wrong != NULL)
    shrink(&program, &launch, seed, wrong);
  if (wrong != NULL)
    fail_msg("%s", wrong);
}

/* Written kernels for launches of 3 blocks of 2, with the bound of the one loop of this kind; NONE:
 * it has none. */
#define NONE UINT64_MAX

static const struct {
  unsigned sm;
  uint64_t bound;
  const char *text;
} written[] = {
    /* What was returned: each thread writes once; the first turn may compare anything. */
    {75, 7,
     "L:; IADD3 R5, R4, 0x1, RZ; ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5; "
     "ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R6; @P0 BRA L"},
    /* What was loaded. */
    {75, 6,
     "L:; LDG.E.STRONG.GPU R4, [R2]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; @P0 BRA L"},
    {75, 6,
     "L:; LDG.E.STRONG.SYS R4, [R2]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMG.E.CAS.STRONG.SYS PT, R6, [R2], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; @P0 BRA L"},
    /* A cache of the SM may serve the load, or the swap holds for a block. */
    {75, NONE,
     "L:; LDG.E R4, [R2]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; @P0 BRA L"},
    {75, NONE,
     "L:; LDG.E.STRONG.SM R4, [R2]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; @P0 BRA L"},
    {75, NONE,
     "L:; LDG.E.STRONG.CTA R4, [R2]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; @P0 BRA L"},
    {75, NONE,
     "L:; IADD3 R5, R4, 0x1, RZ; ATOMG.E.CAS.STRONG.SM PT, R6, [R2], R4, R5; "
     "ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R6; @P0 BRA L"},
    /* Threads of the block alone write its shared memory, but not from sm_90 on. */
    {75, 2,
     "L:; LDS R4, [R3]; IADD3 R5, R4, 0x1, RZ; ATOMS.CAST.SPIN R6, [R3], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {90, 6,
     "L:; LDS R4, [R3]; IADD3 R5, R4, 0x1, RZ; ATOMS.CAST.SPIN R6, [R3], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    /* The address is a sum that was made before, or that no lane makes. */
    {90, 6,
     "IADD3 R9, R8, UR5, RZ; L:; LDS R4, [R8+UR5]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMS.CAST.SPIN R6, [R9], R4, R5; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {90, NONE,
     "@!PT IADD3 R9, R8, UR5, RZ; L:; LDS R4, [R8+UR5]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMS.CAST.SPIN R6, [R9], R4, R5; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    /* Each byte of another write counts; a store outside shared memory does not. */
    {75, 10,
     "STS [R3], R8; STG.E [R10], R8; L:; LDS R4, [R3]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMS.CAST.SPIN R6, [R3], R4, R5; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {75, 34,
     "STS.128 [R3], R8; L:; LDS R4, [R3]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMS.CAST.SPIN R6, [R3], R4, R5; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {75, 6,
     "STS.U16 [R3], R8; L:; LDS R4, [R3]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMS.CAST.SPIN R6, [R3], R4, R5; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {87, 10,
     "LDGSTS.E [R3], [R10.64]; L:; LDS R4, [R3]; IADD3 R5, R4, 0x1, RZ; "
     "ATOMS.CAST.SPIN R6, [R3], R4, R5; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    /* The load is of another place, in another block, after the swap, or skipped by some. */
    {75, NONE,
     "L:; LDS R4, [R3+0x4]; IADD3 R5, R4, 0x1, RZ; ATOMS.CAST.SPIN R6, [R3], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {75, NONE,
     "L:; LDS R4, [R3]; @P1 BRA S; IADD3 R5, R4, 0x1, RZ; S:; ATOMS.CAST.SPIN R6, [R3], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {75, NONE,
     "L:; ATOMS.CAST.SPIN R6, [R3], R4, R5; LDS R4, [R3]; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {75, NONE,
     "L:; @P1 LDS R4, [R3]; ATOMS.CAST.SPIN R6, [R3], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {75, NONE,
     "L:; LDS R4, [R3]; WARPSYNC 0xffffffff; ATOMS.CAST.SPIN R6, [R3], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    /* The address changes, the result takes its place, or it is that of another turn. */
    {75, NONE,
     "L:; ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; IADD3 R3, R3, 0x4, RZ; "
     "MOV R4, R6; @P0 BRA L"},
    {75, NONE,
     "L:; ATOMS.CAS R6, [R4], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R6; "
     "@P0 BRA L"},
    {75, NONE,
     "L:; ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R7; MOV R7, R6; "
     "@P0 BRA L"},
    /* Both words of 8 bytes have to be what was loaded, or equal. */
    {75, 2,
     "L:; LDS.64 R4, [R3]; ATOMS.CAST.SPIN.64 R6, [R3], R4, R10; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; ISETP.EQ.U32.AND.EX P0, PT, R7, RZ, PT, P0; "
     "@!P0 BRA L"},
    {75, NONE,
     "L:; LDS.64 R4, [R3]; MOV R8, R4; ATOMS.CAST.SPIN.64 R6, [R3], R8, R10; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; ISETP.EQ.U32.AND.EX P0, PT, R7, RZ, PT, P0; "
     "@!P0 BRA L"},
    {52, 3,
     "L:; MOV R16, R30; MOV R17, R31; ATOMS.CAS.64 R16, [R35], R16, R18; IADD RZ.CC, -R16, R30; "
     "ISETP.EQ.U32.X.AND P1, PT, R31, R17, PT; @!P1 MOV R30, R16; @!P1 MOV R31, R17; @!P1 BRA L"},
    {52, NONE,
     "L:; MOV R16, R30; MOV R17, R31; ATOMS.CAS.64 R16, [R35], R16, R18; "
     "ISETP.EQ.U32.X.AND P1, PT, R31, R17, PT; @!P1 MOV R30, R16; @!P1 MOV R31, R17; @!P1 BRA L"},
    /* The address of the load as a sum: in front of the loop on all ways, of the same number. */
    {90, 6,
     "IADD3 R9, R8, UR5, RZ; L:; LDS R4, [R8+UR5]; ATOMS.CAST.SPIN R6, [R9], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {90, NONE,
     "IADD3 R9, R8, UR5, RZ; L:; LDS R4, [R8+UR5]; ATOMS.CAST.SPIN R6, [R9+0x4], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {90, NONE,
     "@P1 BRA S; IADD3 R9, R8, UR5, RZ; S:; MOV R12, R13; L:; LDS R4, [R8+UR5]; "
     "ATOMS.CAST.SPIN R6, [R9], R4, R5; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    {90, NONE,
     "IADD3 R9, R8, UR5, RZ; L:; LDS R4, [R8+UR5]; ATOMS.CAST.SPIN R6, [R9], R4, R5; "
     "UIADD3 UR5, UR5, 0x4, URZ; ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
    /* Threads that succeed may go back, or the swap is skipped. */
    {75, NONE,
     "L:; ATOMS.CAS R6, [R3], R4, R5; ISETP.GE.U32.AND P0, PT, R6, R4, PT; MOV R4, R6; @P0 BRA L"},
    {75, NONE,
     "L:; @P1 ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R6; @P0 BRA L"},
    {75, NONE,
     "L:; @P1 BRA S; ATOMS.CAS R6, [R3], R4, R5; S:; ISETP.NE.AND P0, PT, R6, R4, PT; "
     "MOV R4, R6; @P0 BRA L"},
    /* A load is skipped by threads that go back, for they do not come to the branch. */
    {75, 2,
     "L:; @P2 BRA X; @!P2 LDS R4, [R3]; ATOMS.CAS R6, [R3], R4, R5; "
     "ISETP.NE.AND P0, PT, R6, R4, PT; @P0 BRA L; X:"},
    {75, NONE,
     "L:; @P1 BRA S; @P2 BRA X; S:; @!P2 LDS R4, [R3]; ATOMS.CAS R6, [R3], R4, R5; "
     "ISETP.NE.AND P0, PT, R6, R4, PT; @P0 BRA L; X:"},
    /* A loop inside writes the address, with its test in front. */
    {75, NONE,
     "L:; MOV R8, RZ; I:; ISETP.GE.AND P1, PT, R8, R9, PT; @P1 BRA J; IADD3 R8, R8, 0x1, RZ; "
     "MOV R3, R10; BRA I; J:; ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; "
     "MOV R4, R6; @P0 BRA L"},
    /* A float that is no number is unequal to itself. */
    {75, NONE,
     "L:; ATOMS.CAS R6, [R3], R4, R5; FSETP.NEU.AND P0, PT, R6, R4, PT; MOV R4, R6; "
     "@P0 BRA L"},
    /* Lanes that have succeeded go back with the others. */
    {75, NONE,
     "L:; ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R6; "
     "VOTE.ANY P0, P0; @P0 BRA L"},
    {100, NONE,
     "L:; ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R6; "
     "@P0 BRA.U.ANY L"},
    /* A loop around has no bound. */
    {75, NONE,
     "A:; L:; ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; MOV R4, R6; "
     "@P0 BRA L; LDG.E R8, [R10]; ISETP.NE.AND P1, PT, R8, RZ, PT; @P1 BRA A"},
    /* The loop around has three turns. */
    {75, 7,
     "MOV R8, RZ; A:; MOV R9, R8; L:; ATOMS.CAS R6, [R3], R4, R5; ISETP.NE.AND P0, PT, R6, R4, PT; "
     "MOV R4, R6; @P0 BRA L; IADD3 R8, R8, 0x1, RZ; ISETP.LT.AND P1, PT, R8, 0x3, PT; "
     "@P1 BRA A"},
    /* Bulk copies write when they like. */
    {90, NONE,
     "UBLKCP.S.G [UR8], [UR4], UR6; L:; LDS R4, [R3]; ATOMS.CAST.SPIN R6, [R3], R4, R5; "
     "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; @!P0 BRA L"},
};

TEST(written_kernels)
{
  for (size_t w = 0; w < sizeof written / sizeof *written; w++) {
    struct trial trial = {.launch = {.block = {2, 1, 1}, .grid = {3, 1, 1}}};
    uint64_t said = NONE;
    listing_of(written[w].sm, written[w].text, &trial.code);
    assert_true(find_code_bounds(&trial));
    for (size_t l = 0; l < trial.bounded.forest.loop_count; l++) {
      if (!trial.retries[l].found)
        continue;
      said = trial.retries[l].bound;
      /* The last turn of an entry takes no back edge. */
      if (trial.bounded.forest.loops[l].parent == UINT32_MAX && trial.sum.runs != said + 1)
        fail_msg("sm_%u: %s: of all loops: %llu != %llu", written[w].sm, written[w].text,
                 (unsigned long long)trial.sum.runs, (unsigned long long)said + 1);
    }
    if (said != written[w].bound)
      fail_msg("sm_%u: %s: said: %llu != %llu", written[w].sm, written[w].text,
               (unsigned long long)said, (unsigned long long)written[w].bound);
    free_trial(&trial);
  }
}

TEST(no_thread_tries_more_often)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {.least_warp = UINT64_MAX};
  for (uint64_t n = 0; n < runs; n++)
    try_seed(seed + n, &totals);
  printf("# seeds %llu to %llu: %zu of %zu programs as compilers write them and %zu of %zu changed "
         "ones have a bound, %zu are refused\n",
         (unsigned long long)seed, (unsigned long long)(seed + runs - 1), totals.bounded[0],
         totals.programs[0], totals.bounded[1], totals.programs[1], totals.refused);
  printf("# %zu loops (%zu compare what was returned, %zu what was loaded, %zu spin): some thread "
         "takes all that is said but one in %zu, half of it in %zu, a quarter in %zu, any in %zu; "
         "of all "
         "entries together all in %zu, half in %zu\n",
         totals.loops, totals.returned, totals.loaded, totals.spinning, totals.met[0],
         totals.met[1], totals.met[2], totals.met[3], totals.all_met[0], totals.all_met[1]);
  printf(
      "# %zu launches, %zu not ended, %zu steps; the warp's bound is %llu times what one does at "
      "least\n",
      totals.runs, totals.unended, totals.steps, (unsigned long long)totals.least_warp);
  printf(
      "# of all loops together half of what is said by %zu threads of launches, a quarter by %zu\n",
      totals.sums_met[0], totals.sums_met[1]);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.sums_met[0] > 0);
    assert_true(totals.bounded[0] * 2 > totals.programs[0]);
    assert_true(totals.bounded[1] * 5 > totals.programs[1]);
    assert_true(totals.met[0] > 0 && totals.met[1] * 10 > totals.loops);
    assert_true(totals.returned > 0 && totals.loaded > 0 && totals.spinning > 0);
  }
}
