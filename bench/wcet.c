/* The WCET of one warp: what each part of the analysis is worth (the ablation table of WCET 2023,
 * section 4.2), and how long IPET takes beside GLPK on the same programs.
 *   wcet ablations PROGRAMS LISTING...    share of kernels whose WCET grows 10 times or more
 *   wcet ipet                             kernels of sm_52, and of sm_87, of up to 10,000 blocks
 *   wcet times LISTING...                 all kernels with bounds of 10, by architecture */
#include "analysis/wcet/wcet.h"
#include "base/file.h"
#include "frontend/sass/sass_front_end.h"
#include "group_listing.h"
#include "machine_sums.h"
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
                                  .no_found_bounds = true,
                                  .free_reactivations = ablation == FREE};
}

/* -1 where there is none. */
static int64_t wcet_of(const struct wb_code *code, const struct wb_function *function,
                       enum ablation ablation)
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

static void ablate(const struct wb_code *code, struct row rows[ABLATIONS])
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
    struct wb_input source;
    struct wb_code code;
    warpbound_error error;
    if (wb_input_read(listings[i], &source, &error) != WARPBOUND_OK)
      continue;
    if (wb_sass_parse(listings[i], source.bytes, source.length, NULL, &code, &error) ==
        WARPBOUND_OK) {
      ablate(&code, fixtures);
      wb_code_free(&code);
    }
    wb_input_free(&source);
  }
  print_rows("Fixtures", fixtures);
  for (size_t p = 0; p < programs; p++) {
    struct wb_random seed = {.state = p + 1};
    struct random_program program = simt_program_random(&seed, 20 + p % 100, false);
    struct wb_code code;
    warpbound_error error;
    if (simt_program_parse(&program, SIMT_NVDISASM, &code, &error) == WARPBOUND_OK) {
      ablate(&code, random);
      wb_code_free(&code);
    }
    program_free(&program);
  }
  print_rows("Random programs", random);
}

/* ---- IPET ---- */

static double seconds_of_glpk(const char *file)
{
  char command[300];
  snprintf(command, sizeof command, "glpsol --lp %s --nomip --tmlim 60 -o %s.out >/dev/null 2>&1",
           file, file);
  double start = wb_clock();
  return system(command) == 0 ? wb_clock() - start : -1;
}

/* Instructions of a listing in the form of nvdisasm, with addresses. */
struct listing {
  struct wb_text text;
  uint32_t address;
  unsigned labels;
};

static void put(struct listing *listing, const char *guard, const char *statement, unsigned label)
{
  if (listing->address % 0x20 == 0)
    listing->address += 8; /* the place of a control word */
  wb_text_format(&listing->text, "        /*%04" PRIx32 "*/ %5s ", listing->address, guard);
  wb_text_format(&listing->text, statement, label);
  wb_text_string(&listing->text, " ;\n");
  listing->address += 8;
}

static void place(struct listing *listing, unsigned label)
{
  wb_text_format(&listing->text, ".L_x_%u:\n", label);
}

/* An if that diverges and reconverges, and two loops in each other, the inner one with an if whose
 * sides differ in length: ten blocks. */
static void put_piece(struct listing *listing)
{
  const unsigned first = listing->labels;
  listing->labels += 5;
  put(listing, "", "SSY `(.L_x_%u)", first);
  put(listing, "@P0", "SYNC", 0);
  put(listing, "", "IADD R2, R2, R3", 0);
  put(listing, "", "SYNC", 0);
  place(listing, first);
  put(listing, "", "ISETP.LT.AND P0, PT, R2, R4, PT", 0);
  place(listing, first + 1);
  put(listing, "", "IADD R5, R5, 0x1", 0);
  place(listing, first + 2);
  put(listing, "", "LDG.E R6, [R2]", 0);
  put(listing, "", "ISETP.LT.AND P1, PT, R6, R4, PT", 0);
  put(listing, "", "SSY `(.L_x_%u)", first + 4);
  put(listing, "@P1", "BRA `(.L_x_%u)", first + 3);
  put(listing, "", "IADD R7, R7, R6", 0);
  put(listing, "", "SYNC", 0);
  place(listing, first + 3);
  put(listing, "", "IMUL R7, R7, R6", 0);
  put(listing, "", "IADD R7, R7, R6", 0);
  put(listing, "", "SYNC", 0);
  place(listing, first + 4);
  put(listing, "@P0", "BRA `(.L_x_%u)", first + 2);
  put(listing, "", "ISETP.LT.AND P0, PT, R7, R4, PT", 0);
  put(listing, "@P0", "BRA `(.L_x_%u)", first + 1);
}

static char *make_listing(size_t pieces)
{
  struct listing listing = {0};
  wb_text_string(&listing.text, "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                                "\t.section\t.text.k,\"ax\",@progbits\n"
                                "\t.other\tk,@\"STO_CUDA_ENTRY STV_DEFAULT\"\n.text.k:\n");
  put(&listing, "", "S2R R2, SR_TID.X", 0);
  for (size_t p = 0; p < pieces; p++)
    put_piece(&listing);
  put(&listing, "", "EXIT", 0);
  return wb_text_take(&listing.text);
}

/* Frees the text. */
static void run_listing(char *text, const char *file)
{
  struct wb_code code;
  struct wb_control control = wb_control_start(NULL);
  struct wb_wcet_options options = {
      .default_bound = DEFAULT_BOUND, .file = file, .format = WB_LINEAR_LP};
  struct wb_wcet wcet;
  warpbound_error error;
  if (text == NULL ||
      wb_sass_parse("listing", text, strlen(text), NULL, &code, &error) != WARPBOUND_OK) {
    printf("  %s\n", text != NULL ? error.message : "out of memory");
    free(text);
    return;
  }
  double start = wb_clock();
  warpbound_status status =
      wb_wcet_analyse(&code, &code.functions[0], &options, &control, &wcet, &error);
  double all = wb_clock() - start;
  if (status == WARPBOUND_OK) {
    double glpk = seconds_of_glpk(file);
    printf("  %8zu %8zu %8zu %9.3f s %9.3f s %9.3f s", wcet.graph->block_count, wcet.columns,
           wcet.rows, all, wcet.ipet.seconds, glpk);
    printf(" %8.1f", glpk > 0 ? glpk / wcet.ipet.seconds : 0);
    printf("%s\n", wcet.ipet.taken != NULL && wcet.ipet.cycles == wcet.ipet.proof.bound
                       ? "  optimal, proven"
                       : "  proven bound above the path found");
    wb_wcet_free(&wcet);
  } else {
    printf("  %s\n", error.message);
  }
  wb_code_free(&code);
  free(text);
}

static void run_ipet(void)
{
  static const size_t pieces[] = {11, 111, 1112};
  static const size_t lengths[] = {300, 3000, 10000};
  const char *folder = getenv("TMPDIR");
  char file[200];
  snprintf(file, sizeof file, "%s/warpbound-bench.lp", folder != NULL ? folder : "/tmp");
  printf("IPET of kernels of ifs and nested loops: all of the analysis, the program with its "
         "proof, and glpsol on "
         "the same file\n");
  printf("  %8s %8s %8s %11s %11s %11s %8s\n", "blocks", "columns", "rows", "all", "IPET", "GLPK",
         "ratio");
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    run_listing(make_listing(pieces[i]), file);
  printf("  of sm_87\n");
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    run_listing(group_listing_make(lengths[i], false), file);
  remove(file);
  strcat(file, ".out");
  remove(file);
}

/* ---- times ---- */

static void add_times(const struct wb_code *code, struct machine_sums *sums)
{
  for (size_t f = 0; f < code->function_count; f++) {
    const double start = wb_clock();
    const bool done = wcet_of(code, &code->functions[f], FULL) >= 0;
    machine_sums_add(sums, &code->functions[f], done ? wb_clock() - start : -1);
  }
}

static void run_times(int count, char **listings)
{
  struct machine_sums sums = {0};
  for (int i = 0; i < count; i++) {
    struct wb_input source;
    struct wb_code code;
    warpbound_error error;
    if (wb_input_read(listings[i], &source, &error) != WARPBOUND_OK)
      continue;
    if (wb_sass_parse(listings[i], source.bytes, source.length, NULL, &code, &error) ==
        WARPBOUND_OK) {
      add_times(&code, &sums);
      wb_code_free(&code);
    }
    wb_input_free(&source);
  }
  machine_sums_print(&sums);
}

int main(int count, char **words)
{
  if (count > 2 && strcmp(words[1], "ablations") == 0)
    run_ablations((size_t)strtoul(words[2], NULL, 10), count - 3, words + 3);
  else if (count == 2 && strcmp(words[1], "ipet") == 0)
    run_ipet();
  else if (count > 2 && strcmp(words[1], "times") == 0)
    run_times(count - 2, words + 2);
  else
    return fprintf(
               stderr,
               "usage: wcet ablations PROGRAMS LISTING... | wcet ipet | wcet times LISTING...\n"),
           2;
  return 0;
}
