/* Prints what the loads and stores of a listing access, for those who work on that analysis:
 * list_accesses FILE [--block X Y Z] [--grid X Y Z] [--count]. */
#include "base/file.h"
#include "base/work_control.h"
#include "cfg/simt_analysis.h"
#include "flow/accesses/accesses.h"
#include "frontend/sass/sass_front_end.h"
#include "model/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_all(const struct wb_code *code, const struct wb_function *function,
                      const struct wb_accesses *accesses, bool count)
{
  size_t known = 0;
  for (size_t i = 0; i < accesses->count; i++) {
    const struct wb_access *access = &accesses->items[i];
    const struct wb_instruction *instruction = &function->instructions[access->instruction];
    known += access->known;
    if (!count)
      printf("%4x %5u %s%s %-24s sectors %u wavefronts %u at one %u ideal %u  %s\n",
             instruction->address, instruction->source_line, access->load ? "l" : "-",
             access->store ? "s" : "-", instruction->opcode, access->sectors, access->wavefronts,
             access->lanes_at_one, access->ideal, access->reason);
  }
  printf("%s: %s: %zu accesses, %zu known\n", code->name, function->name, accesses->count, known);
}

static int analyse(const struct wb_code *code, const struct wb_launch *launch, bool count)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  int failures = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    struct wb_simt_analysis *analysis = NULL;
    struct wb_accesses accesses;
    warpbound_error error = {.message = ""};
    if (wb_simt_analyse(code, &code->functions[f], &options, &control, &analysis, &error) !=
            WARPBOUND_OK ||
        wb_accesses_find(wb_simt_analysis_graph(analysis), launch, &accesses, &error) !=
            WARPBOUND_OK) {
      fprintf(stderr, "%s: %s\n", code->functions[f].name, error.message);
      failures++;
      continue;
    }
    print_all(code, &code->functions[f], &accesses, count);
    wb_accesses_free(&accesses);
    wb_simt_analysis_free(analysis);
  }
  return failures;
}

int main(int count, char **words)
{
  struct wb_launch launch = {{0}};
  struct wb_input source;
  struct wb_code code = {0};
  warpbound_error error = {.message = ""};
  bool short_form = false;
  for (int i = 2; i < count; i++) {
    short_form = short_form || strcmp(words[i], "--count") == 0;
    for (int a = 0; a < 3 && i + 3 < count; a++) {
      if (strcmp(words[i], "--block") == 0)
        launch.block[a] = (uint32_t)strtoul(words[i + 1 + a], NULL, 0);
      if (strcmp(words[i], "--grid") == 0)
        launch.grid[a] = (uint32_t)strtoul(words[i + 1 + a], NULL, 0);
    }
  }
  if (count < 2 || wb_input_read(words[1], &source, &error) != WARPBOUND_OK ||
      wb_sass_parse(words[1], source.bytes, source.length, NULL, &code, &error) != WARPBOUND_OK) {
    fprintf(stderr, "list_accesses: %s\n", error.message);
    return 2;
  }
  const int failures = analyse(&code, &launch, short_form);
  wb_code_free(&code);
  wb_input_free(&source);
  return failures > 0;
}
