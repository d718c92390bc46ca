#include "cfg/simt/simt_remarks.h"

#include "cfg/simt/address_list.h"
#include "cfg/simt/simt_record.h"

#include <stdlib.h>
#include <string.h>

/* ---- assumptions ---- */

static bool loads_shared_memory(const struct wb_instruction *instruction)
{
  return instruction->agreement == WB_AGREES_BY_MEMORY && !instruction->unknown;
}

static void assume_of_instruction(struct wb_simt_analysis *analysis,
                                  const struct wb_instruction *instruction)
{
  struct wb_list *assumptions = &analysis->graph.assumptions;
  if (instruction->assumption != NULL)
    wb_list_add(assumptions, "%s", instruction->assumption);
  if (instruction->unknown && !instruction->outside)
    wb_list_add(assumptions, "%s is not known: it may read and write every register%s",
                instruction->opcode,
                instruction->transfer == WB_TRANSFER_NEXT
                    ? ", and goes on to the next instruction with all lanes"
                    : "");
  if (instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
    wb_list_add(assumptions,
                "%s, whose code is not followed, returns with all lanes that called it, together; "
                "it may write every register",
                instruction->callee != NULL ? instruction->callee : instruction->operands);
}

static void assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  const struct wb_function *function = analysis->function;
  struct wb_list *assumptions = &analysis->graph.assumptions;
  struct wb_address_list vouched = {0};
  bool loads = false;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if ((record->notes[i] & WB_NOTED_REACHED) == 0)
      continue;
    assume_of_instruction(analysis, instruction);
    loads = loads || loads_shared_memory(instruction);
    if (instruction->uniform && (record->notes[i] & WB_NOTED_CONDITIONAL) != 0)
      wb_address_list_add(&vouched, instruction->address);
  }
  if (function->kind_source != NULL)
    wb_list_add(assumptions, "%s", function->kind_source);
  if (function->sm == 0)
    wb_list_add(assumptions, "the code is for %s: the listing names no architecture",
                analysis->mechanism->architectures);
  if (loads && analysis->options.agreement != WB_AGREEMENT_NONE)
    wb_list_add(assumptions,
                "lanes that load from one address of global, shared or constant memory or a "
                "texture by one instruction together get one value");
  analysis->mechanism->assume(analysis, record);
  if (vouched.count > 0)
    wb_list_add(assumptions, "lanes agree on branches that the compiler marks as uniform: %s",
                wb_address_list_text(&vouched));
}

/* ---- disagreements ---- */

static int by_number(const void *a, const void *b)
{
  const uint32_t left = *(const uint32_t *)a;
  const uint32_t right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static int by_instruction(const void *a, const void *b)
{
  const struct wb_simt_match *left = a;
  const struct wb_simt_match *right = b;
  if (left->instruction != right->instruction)
    return left->instruction < right->instruction ? -1 : 1;
  return (left->point > right->point) - (left->point < right->point);
}

/* Sorts a set of instructions; returns how many differ. */
static size_t make_set(uint32_t *items, size_t count)
{
  size_t kept = 0;
  if (count > 0)
    qsort(items, count, sizeof *items, by_number);
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || items[kept - 1] != items[i])
      items[kept++] = items[i];
  }
  return kept;
}

static void name_all(const struct wb_function *function, const uint32_t *items, size_t count,
                     struct wb_address_list *list)
{
  for (size_t i = 0; i < count; i++) {
    if (items[i] < function->instruction_count)
      wb_address_list_add(list, function->instructions[items[i]].address);
  }
}

/* Compares what the listing says of an instruction with `found`, both changed into sets. */
static void compare(struct wb_simt_analysis *analysis, const struct wb_annotation *annotation,
                    uint32_t *said, uint32_t *found, size_t found_count)
{
  const struct wb_function *function = analysis->function;
  const struct wb_instruction *instruction = &function->instructions[annotation->instruction];
  memcpy(said, function->targets + annotation->first_target,
         annotation->target_count * sizeof *said);
  const size_t said_count = make_set(said, annotation->target_count);
  found_count = make_set(found, found_count);
  if (said_count == found_count && memcmp(said, found, said_count * sizeof *said) == 0)
    return;
  struct wb_address_list listing = {0};
  struct wb_address_list analysed = {0};
  name_all(function, said, said_count, &listing);
  name_all(function, found, found_count, &analysed);
  wb_list_add(&analysis->graph.disagreements,
              "%s at 0x%04x: the listing's annotation says %s, the analysis found %s",
              instruction->opcode, instruction->address, wb_address_list_text(&listing),
              wb_address_list_text(&analysed));
}

static void compare_all(struct wb_simt_analysis *analysis, const struct wb_simt_record *record,
                        uint32_t *said, uint32_t *found)
{
  const struct wb_function *function = analysis->function;
  size_t match = 0;
  for (size_t a = 0; a < function->annotation_count; a++) {
    const struct wb_annotation *annotation = &function->annotations[a];
    const uint32_t i = annotation->instruction;
    const struct wb_instruction *instruction = &function->instructions[i];
    size_t count = 0;
    while (match < record->match_count && record->matches[match].instruction < i)
      match++;
    for (; match < record->match_count && record->matches[match].instruction == i; match++) {
      if (count == 0 || found[count - 1] != record->matches[match].point)
        found[count++] = record->matches[match].point;
    }
    if ((record->notes[i] & WB_NOTED_REACHED) == 0)
      continue;
    if (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH) {
      count = instruction->target_count;
      memcpy(found, function->targets + instruction->first_target, count * sizeof *found);
    } else if (instruction->transfer != WB_TRANSFER_POP || instruction->never) {
      continue;
    }
    compare(analysis, annotation, said, found, count);
  }
}

void wb_simt_remark(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  assume(analysis, record);
  if (record->match_count > 0)
    qsort(record->matches, record->match_count, sizeof *record->matches, by_instruction);
  const size_t most = analysis->function->target_count + record->match_count + 1;
  uint32_t *said = calloc(most, sizeof *said);
  uint32_t *found = calloc(most, sizeof *found);
  if (said != NULL && found != NULL)
    compare_all(analysis, record, said, found);
  else
    wb_simt_no_memory(analysis);
  free(said);
  free(found);
  if (analysis->graph.assumptions.failed || analysis->graph.disagreements.failed)
    wb_simt_no_memory(analysis);
}
