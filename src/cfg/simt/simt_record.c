#include "cfg/simt/simt_record.h"

#include "base/memory.h"

#include <stdlib.h>

void wb_simt_note_edge(struct wb_simt_analysis *analysis, struct wb_simt_way way,
                       struct wb_simt_place place)
{
  struct wb_simt_record *record = analysis->record;
  const uint32_t to = wb_pair_map_find(&analysis->places, place.instruction, place.context);
  analysis->work++;
  if (!wb_grow(record->edges, &record->edge_capacity, record->edge_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->edges;
  record->edges[record->edge_count++] =
      (struct wb_simt_edge){analysis->here.state, to, way.popped, way.kind, way.plain};
}

void wb_simt_note_push(struct wb_simt_analysis *analysis, uint32_t node, bool divergent)
{
  struct wb_simt_record *record = analysis->record;
  if (record == NULL)
    return;
  if (!wb_grow(record->pushes, &record->push_capacity, record->push_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->pushes;
  record->pushes[record->push_count++] =
      (struct wb_simt_pushed){analysis->here.state, node, divergent};
}

void wb_simt_note_match(struct wb_simt_analysis *analysis, uint32_t point)
{
  struct wb_simt_record *record = analysis->record;
  if (record == NULL)
    return;
  if (!wb_grow(record->matches, &record->match_capacity, record->match_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->matches;
  record->matches[record->match_count++] =
      (struct wb_simt_match){analysis->here.instruction, point};
}

void wb_simt_note_end(struct wb_simt_analysis *analysis)
{
  if (analysis->record != NULL)
    analysis->record->ends[analysis->here.state] = true;
}

void wb_simt_note_instruction(struct wb_simt_analysis *analysis, uint32_t instruction)
{
  struct wb_simt_record *record = analysis->record;
  if (record == NULL)
    return;
  record->notes[instruction] |= WB_NOTED_REACHED;
  record->last[analysis->here.state] = instruction;
}

void wb_simt_note_condition(struct wb_simt_analysis *analysis, bool divergent)
{
  if (analysis->record == NULL)
    return;
  uint8_t *notes = &analysis->record->notes[analysis->here.instruction];
  *notes |= WB_NOTED_CONDITIONAL;
  if (divergent)
    *notes |= WB_NOTED_DIVERGENT;
}

/* The pop that ends a block must find its token on some way down. */
static void check_pop(struct wb_simt_analysis *analysis, uint32_t state)
{
  const uint32_t last = analysis->record->last[state];
  const struct wb_instruction *instruction = &analysis->function->instructions[last];
  if (instruction->transfer != WB_TRANSFER_POP || instruction->never || !analysis->walk.missing)
    return;
  if (analysis->walk.found)
    analysis->record->notes[last] |= WB_NOTED_TOKEN_MISSING;
  else
    wb_simt_refuse(analysis, last, "expected a token that it waits for on the stack, found none");
}

bool wb_simt_record_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  record->notes = wb_allocate(analysis->function->instruction_count, sizeof *record->notes);
  record->ends = wb_allocate(analysis->state_count, sizeof *record->ends);
  record->last = wb_allocate(analysis->state_count, sizeof *record->last);
  if (record->notes == NULL || record->ends == NULL || record->last == NULL)
    return wb_simt_no_memory(analysis);
  analysis->record = record;
  for (size_t s = 0; s < analysis->state_count && wb_simt_go_on(analysis); s++) {
    wb_simt_transfer(analysis, (uint32_t)s);
    check_pop(analysis, (uint32_t)s);
  }
  analysis->record = NULL;
  return analysis->status == WARPBOUND_OK;
}

void wb_simt_record_free(struct wb_simt_record *record)
{
  free(record->edges);
  free(record->pushes);
  free(record->matches);
  free(record->notes);
  free(record->ends);
  free(record->last);
  *record = (struct wb_simt_record){0};
}
