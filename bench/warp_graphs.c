/* How long it takes from a listing to its control-flow graph: on kernels of 10^3 to 10^5
 * instructions, random ones of sm_52, generated ones of sm_87, flat and nested, then on every
 * function of the listings named, by architecture. usage: warp_graphs SEEDS [LISTING...] SEEDS
 * random programs of each length Times: of reading the listing, of wb_simt_analyse alone (the least
 * of three), of loops, dominators and the report as JSON. Memory is the largest resident set of the
 * process so far, lengths ascending. */
#include "analysis/wcet/control_flow.h"
#include "base/file.h"
#include "base/work_control.h"
#include "cfg/simt_analysis.h"
#include "frontend/sass/sass_front_end.h"
#include "group_listing.h"
#include "machine_sums.h"
#include "random_simt_program.h"
#include "report/cfg/cfg_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define REPETITIONS 3

/* What one function took. */
struct timing {
  size_t instructions;
  size_t contexts;
  size_t blocks;
  size_t edges;
  size_t entries;
  double seconds;
};

static void fail(const char *what, const char *why)
{
  fprintf(stderr, "warp_graphs: %s: %s\n", what, why);
  exit(1);
}

static double resident_mebibytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

/* False where the function is refused, with the reason. */
static bool measure(const struct wb_code *code, const struct wb_function *function,
                    struct timing *timing, warpbound_error *error)
{
  for (int r = 0; r < REPETITIONS; r++) {
    const struct wb_control control = wb_control_start(NULL);
    const struct wb_simt_options options = {0};
    struct wb_simt_analysis *analysis = NULL;
    const double start = wb_clock();
    if (wb_simt_analyse(code, function, &options, &control, &analysis, error) != WARPBOUND_OK)
      return false;
    const double seconds = wb_clock() - start;
    const struct wb_warp_graph *graph = wb_simt_analysis_graph(analysis);
    *timing = (struct timing){function->instruction_count,
                              graph->context_count,
                              graph->block_count,
                              graph->edge_count,
                              graph->entry_count,
                              r == 0 || seconds < timing->seconds ? seconds : timing->seconds};
    wb_simt_analysis_free(analysis);
  }
  return true;
}

/* Seconds from the analysis' graph to the report's text. */
static double report_seconds(const struct wb_code *code)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  struct wb_control_flow flow;
  warpbound_error error = {.message = ""};
  if (wb_control_flow_analyse(code, &code->functions[0], &options, &control, &flow, &error) !=
      WARPBOUND_OK)
    fail(code->name, error.message);
  const double start = wb_clock();
  struct wb_text text = {0};
  const struct wb_cfg_report report = {code, &options, &flow, 1, false};
  wb_united_loops_free(&flow.loops);
  wb_dominators_free(&flow.dominators);
  if (wb_control_flow_complete(&flow, &error) != WARPBOUND_OK)
    fail(code->name, error.message);
  wb_cfg_json(&report, &text);
  const double seconds = wb_clock() - start;
  wb_text_free(&text);
  wb_control_flow_free(&flow);
  return seconds;
}

/* What it took to read and analyse the one function of a listing; frees the text. */
static void print_listing(const char *what, char *text)
{
  struct wb_code code = {0};
  struct timing timing = {0};
  warpbound_error error = {.message = "out of memory"};
  const double start = wb_clock();
  if (text == NULL || wb_sass_parse(what, text, strlen(text), NULL, &code, &error) != WARPBOUND_OK)
    fail(what, error.message);
  const double reading = wb_clock() - start;
  free(text);
  if (measure(&code, &code.functions[0], &timing, &error))
    printf("%-8s %12zu %8zu %8zu %8zu %8zu %10.2f %10.2f %10.2f %10.1f\n", what,
           timing.instructions, timing.contexts, timing.blocks, timing.edges, timing.entries,
           reading * 1e3, timing.seconds * 1e3, report_seconds(&code) * 1e3, resident_mebibytes());
  else
    printf("%-8s %12zu  refused: %s\n", what, code.functions[0].instruction_count, error.message);
  wb_code_free(&code);
}

static void print_random(size_t length, uint64_t seed)
{
  struct wb_random random = {seed};
  struct random_program program = simt_program_random(&random, length, false);
  struct wb_text listing = {0};
  simt_program_print(&program, SIMT_NVDISASM, &listing);
  program_free(&program);
  print_listing("sm_52", wb_text_take(&listing));
}

static void add_listing(const char *path, struct machine_sums *sums)
{
  struct wb_input source = {0};
  struct wb_code code = {0};
  warpbound_error error = {.message = ""};
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK ||
      wb_sass_parse(path, source.bytes, source.length, NULL, &code, &error) != WARPBOUND_OK) {
    printf("left out: %s: %s\n", path, error.message);
    wb_input_free(&source);
    return;
  }
  wb_input_free(&source);
  for (size_t f = 0; f < code.function_count; f++) {
    struct timing timing = {0};
    const bool done = measure(&code, &code.functions[f], &timing, &error);
    machine_sums_add(sums, &code.functions[f], done ? timing.seconds : -1);
  }
  wb_code_free(&code);
}

int main(int count, char **words)
{
  static const size_t lengths[] = {1000, 10000, 30000, 100000};
  if (count < 2)
    fail("usage", "warp_graphs SEEDS [LISTING...]");
  const uint64_t seeds = strtoull(words[1], NULL, 10);
  printf("         instructions contexts   blocks    edges  entries    read ms analyse ms  report "
         "ms memory MiB\n");
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    for (uint64_t seed = 1; seed <= seeds; seed++)
      print_random(lengths[i], seed);
    print_listing("sm_87", group_listing_make(lengths[i], false));
    print_listing("nested", group_listing_make(lengths[i], true));
  }
  struct machine_sums sums = {0};
  for (int w = 2; w < count; w++)
    add_listing(words[w], &sums);
  if (count > 2)
    machine_sums_print(&sums);
  return 0;
}
