/* How much of real code has a meaning: the opcodes of listings that write registers and have no
 * lowering, by how often they occur, and the share of instructions that have one.
 * usage: meanings LISTING...
 * Loads, shuffles and atomics are counted apart: what they read is not in registers. */
#include "base/file.h"
#include "frontend/sass/sass_front_end.h"
#include "isa/lower/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPCODES 4096

struct count {
  char opcode[64];
  size_t count;
};

struct counts {
  size_t instructions;
  size_t writing; /* registers, memory instructions apart */
  size_t memory;
  size_t known;
  size_t functions; /* that are not told */
  struct count missing[MOST_OPCODES];
  size_t missing_count;
};

static void count_missing(struct counts *counts, const char *opcode)
{
  size_t i = 0;
  while (i < counts->missing_count && strcmp(counts->missing[i].opcode, opcode) != 0)
    i++;
  if (i == MOST_OPCODES)
    return;
  if (i == counts->missing_count)
    snprintf(counts->missing[counts->missing_count++].opcode, sizeof counts->missing[i].opcode,
             "%s", opcode);
  counts->missing[i].count++;
}

static void count_instruction(struct counts *counts, const struct wb_function *function,
                              uint32_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  counts->instructions++;
  switch (wb_meaning_of(function, index)) {
  case WB_MEANING_NONE_NEEDED:
    counts->memory += instruction->unit == WB_UNIT_LOAD_STORE;
    return;
  case WB_MEANING_FUNCTION:
    counts->functions++;
    break;
  case WB_MEANING_MISSING:
    count_missing(counts, instruction->opcode);
    break;
  case WB_MEANING_KNOWN:
    counts->known++;
  }
  counts->writing++;
}

static int descending(const void *left, const void *right)
{
  const struct count *a = left, *b = right;
  return (a->count < b->count) - (a->count > b->count);
}

static void print_counts(struct counts *counts)
{
  qsort(counts->missing, counts->missing_count, sizeof *counts->missing, descending);
  for (size_t i = 0; i < counts->missing_count; i++)
    printf("%8zu  %s\n", counts->missing[i].count, counts->missing[i].opcode);
  printf("%zu instructions, %zu of memory; of %zu others that write registers %zu (%.2f %%) have "
         "a lowering, and %zu one to a function that is not told\n",
         counts->instructions, counts->memory, counts->writing, counts->known,
         counts->writing > 0 ? 100.0 * (double)counts->known / (double)counts->writing : 0.0,
         counts->functions);
}

static void count_listing(struct counts *counts, const char *path)
{
  struct wb_input source = {0};
  struct wb_code code = {0};
  warpbound_error error = {.message = ""};
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK ||
      wb_sass_parse(path, source.bytes, source.length, NULL, &code, &error) != WARPBOUND_OK) {
    fprintf(stderr, "meanings: left out: %s: %s\n", path, error.message);
    wb_input_free(&source);
    return;
  }
  for (size_t f = 0; f < code.function_count; f++)
    for (size_t i = 0; i < code.functions[f].instruction_count; i++)
      count_instruction(counts, &code.functions[f], (uint32_t)i);
  wb_code_free(&code);
  wb_input_free(&source);
}

int main(int count, char **words)
{
  static struct counts counts;
  for (int w = 1; w < count; w++)
    count_listing(&counts, words[w]);
  print_counts(&counts);
  return 0;
}
