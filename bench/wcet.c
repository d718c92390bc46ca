/* The WCET of one warp: what each part of the analysis is worth (the ablation table of WCET 2023,
 * section 4.2), and how long IPET takes beside GLPK on the same programs.
 *   wcet ablations PROGRAMS LISTING...    share of kernels whose WCET grows 10 times or more
 *   wcet ipet                             graphs of about 100, 1,000 and 10,000 blocks */
#include "analysis/wcet.h"
#include "base/file.h"
#include "frontend/sass.h"
#include "random_simt_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BOUND 10
#define SECONDS_EACH 10

/* ---- ablations ---- */

enum ablation { FULL, ACYCLIC, NO_GROUPS, NO_AGREEMENT, ACTIVE_ONLY, FREE, ABLATIONS };

static const char *const names[ABLATIONS] = {
    "full analysis",
    "acyclic stacks",
    "without groups",
    "without agreement",
    "agreement on active lanes only",
    "without limits on reactivations",
};

/* kernels: whose WCET both give; refused: where the ablation gives none (its stacks do not end,
 * or its path is not bounded) or the time is over. */
struct row {
  size_t kernels, grown, ten, refused;
};

static struct wb_wcet_options options_of(enum ablation ablation)
{
  return (struct wb_wcet_options){.simt = {.acyclic_stack = ablation == ACYCLIC,
                                           .no_groups = ablation == NO_GROUPS,
                                           .agreement = ablation == NO_AGREEMENT ? WB_AGREEMENT_NONE
                                                        : ablation == ACTIVE_ONLY
                                                            ? WB_AGREEMENT_ACTIVE
                                                            : WB_AGREEMENT_ALL},
                                  .default_bound = DEFAULT_BOUND,
                                  .free_reactivations = ablation == FREE};
}

/* -1 where there is none. */
static int64_t wcet_of(const struct wb_machine_code *code,
                       const struct wb_machine_function *function, enum ablation ablation)
{
  warpbound_options limits = {.time_limit = SECONDS_EACH};
  struct wb_control control = wb_control_start(&limits);
  struct wb_wcet_options options = options_of(ablation);
  struct wb_wcet wcet;
  warpbound_error error;
  if (wb_wcet_analyse(code, function, &options, &control, &wcet, &error) != WARPBOUND_OK)
    return -1;
  int64_t cycles = wcet.ipet.proof.bound;
  wb_wcet_free(&wcet);
  return cycles;
}

static void ablate(const struct wb_machine_code *code, struct row rows[ABLATIONS])
{
  for (size_t f = 0; f < code->function_count; f++) {
    int64_t full = wcet_of(code, &code->functions[f], FULL);
    if (full <= 0)
      continue;
    for (int a = 0; a < ABLATIONS; a++) {
      int64_t cycles = a == FULL ? full : wcet_of(code, &code->functions[f], (enum ablation)a);
      rows[a].kernels++;
      rows[a].refused += cycles < 0;
      rows[a].grown += cycles > full;
      rows[a].ten += cycles >= 0 && cycles / 10 >= full;
    }
  }
}

static void print_rows(const char *title, const struct row rows[ABLATIONS])
{
  printf("%s, every loop bound %d, one cycle an instruction\n", title, DEFAULT_BOUND);
  printf("  %-34s %8s %10s %14s %8s\n", "", "kernels", "grown", "10 times", "no bound");
  for (int a = 0; a < ABLATIONS; a++) {
    double all = rows[a].kernels > 0 ? (double)rows[a].kernels / 100 : 1;
    printf("  %-34s %8zu %8.1f %% %12.1f %% %8zu\n", names[a], rows[a].kernels,
           (double)rows[a].grown / all, (double)rows[a].ten / all, rows[a].refused);
  }
}

static void run_ablations(size_t programs, int count, char **listings)
{
  struct row fixtures[ABLATIONS] = {{0}};
  struct row random[ABLATIONS] = {{0}};
  for (int i = 0; i < count; i++) {
    struct wb_source source;
    struct wb_machine_code code;
    warpbound_error error;
    if (wb_source_read(listings[i], &source, &error) != WARPBOUND_OK)
      continue;
    if (wb_sass_parse(listings[i], source.bytes, source.length, NULL, &code, &error) ==
        WARPBOUND_OK) {
      ablate(&code, fixtures);
      wb_machine_code_free(&code);
    }
    wb_source_free(&source);
  }
  print_rows("Fixtures", fixtures);
  for (size_t p = 0; p < programs; p++) {
    struct wb_random seed = {.state = p + 1};
    struct simt_program program = simt_program_random(&seed, 20 + p % 100, false);
    struct wb_machine_code code;
    warpbound_error error;
    if (simt_program_parse(&program, SIMT_NVDISASM, &code, &error) == WARPBOUND_OK) {
      ablate(&code, random);
      wb_machine_code_free(&code);
    }
    simt_program_free(&program);
  }
  print_rows("Random programs", random);
}

/* ---- IPET ---- */

static double seconds_of_glpk(const char *file)
{
  char command[300];
  snprintf(command, sizeof command, "glpsol --lp %s --tmlim 60 -o %s.out >/dev/null 2>&1", file,
           file);
  double start = wb_clock();
  return system(command) == 0 ? wb_clock() - start : -1;
}

static void run_size(size_t length, const char *file)
{
  struct wb_random seed = {.state = 7};
  struct simt_program program = simt_program_random(&seed, length, false);
  struct wb_machine_code code;
  struct wb_control control = wb_control_start(NULL);
  struct wb_wcet_options options = {
      .default_bound = DEFAULT_BOUND, .file = file, .format = WB_LINEAR_LP};
  struct wb_wcet wcet;
  warpbound_error error;
  if (simt_program_parse(&program, SIMT_NVDISASM, &code, &error) != WARPBOUND_OK)
    return;
  double start = wb_clock();
  warpbound_status status =
      wb_wcet_analyse(&code, &code.functions[0], &options, &control, &wcet, &error);
  double all = wb_clock() - start;
  if (status == WARPBOUND_OK) {
    double glpk = seconds_of_glpk(file);
    printf("  %8zu %8zu %8zu %9.3f s %9.3f s %9.3f s", wcet.graph->block_count, wcet.columns,
           wcet.rows, all, wcet.ipet.seconds, glpk);
    if (glpk > 0)
      printf(" %8.1f", glpk / wcet.ipet.seconds);
    printf("%s\n", wcet.ipet.taken != NULL && wcet.ipet.cycles == wcet.ipet.proof.bound
                       ? "  optimal, proven"
                       : "  proven bound above the path found");
    wb_wcet_free(&wcet);
  } else {
    printf("  %zu instructions: %s\n", length, error.message);
  }
  wb_machine_code_free(&code);
  simt_program_free(&program);
}

static void run_ipet(void)
{
  static const size_t lengths[] = {300, 3000, 30000};
  const char *folder = getenv("TMPDIR");
  char file[200];
  snprintf(file, sizeof file, "%s/warpbound-bench.lp", folder != NULL ? folder : "/tmp");
  printf("IPET of random kernels: all of the analysis, the program with its proof, and glpsol on "
         "the same file\n");
  printf("  %8s %8s %8s %11s %11s %11s %8s\n", "blocks", "columns", "rows", "all", "IPET", "GLPK",
         "ratio");
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    run_size(lengths[i], file);
  remove(file);
  strcat(file, ".out");
  remove(file);
}

int main(int count, char **words)
{
  if (count > 2 && strcmp(words[1], "ablations") == 0)
    run_ablations((size_t)strtoul(words[2], NULL, 10), count - 3, words + 3);
  else if (count == 2 && strcmp(words[1], "ipet") == 0)
    run_ipet();
  else
    return fprintf(stderr, "usage: wcet ablations PROGRAMS LISTING... | wcet ipet\n"), 2;
  return 0;
}
