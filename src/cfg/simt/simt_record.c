#include "cfg/simt/simt_record.h"

#include "base/memory.h"

#include <stdlib.h>

bool wb_simt_record_start(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  const size_t states = analysis->fixpoint.state_count;
  record->notes = wb_allocate(analysis->function->instruction_count, sizeof *record->notes);
  record->ends = wb_allocate(states, sizeof *record->ends);
  record->last = wb_allocate(states, sizeof *record->last);
  return (record->notes != NULL && record->ends != NULL && record->last != NULL) ||
         wb_simt_no_memory(analysis);
}

void wb_simt_record_free(struct wb_simt_record *record)
{
  free(record->edges);
  free(record->makings);
  free(record->matches);
  free(record->notes);
  free(record->ends);
  free(record->last);
  *record = (struct wb_simt_record){0};
}

void wb_simt_note_edge(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                       struct wb_simt_place place)
{
  struct wb_simt_record *record = analysis->record;
  const uint32_t to =
      wb_pair_map_find(&analysis->fixpoint.places, place.instruction, place.context);
  analysis->work++;
  if (!wb_grow(record->edges, &record->edge_capacity, record->edge_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->edges;
  record->edges[record->edge_count++] =
      (struct wb_simt_edge){.from = analysis->block.state,
                            .to = to,
                            .continuation = transition.continuation,
                            .kind = transition.kind,
                            .rate = transition.rate,
                            .plain = transition.plain};
}

void wb_simt_note_making(struct wb_simt_analysis *analysis, uint32_t continuation, bool divergent)
{
  struct wb_simt_record *record = analysis->record;
  if (record == NULL)
    return;
  if (!wb_grow(record->makings, &record->making_capacity, record->making_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->noted += sizeof *record->makings;
  record->makings[record->making_count++] =
      (struct wb_simt_making){analysis->block.state, continuation, divergent};
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
      (struct wb_simt_match){analysis->block.instruction, point};
}

void wb_simt_note_end(struct wb_simt_analysis *analysis)
{
  if (analysis->record != NULL)
    analysis->record->ends[analysis->block.state] = true;
}

void wb_simt_note(struct wb_simt_analysis *analysis, uint8_t flags)
{
  if (analysis->record != NULL)
    analysis->record->notes[analysis->block.instruction] |= flags;
}

void wb_simt_note_instruction(struct wb_simt_analysis *analysis, uint32_t instruction)
{
  struct wb_simt_record *record = analysis->record;
  if (record == NULL)
    return;
  record->notes[instruction] |= WB_NOTED_REACHED;
  record->last[analysis->block.state] = instruction;
}
