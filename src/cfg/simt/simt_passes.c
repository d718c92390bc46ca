#include "cfg/simt/simt_passes.h"

#include "base/memory.h"
#include "base/text.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"
#include "cfg/simt/simt_transfer.h"

#include <stdlib.h>

bool wb_simt_start(struct wb_simt_analysis *analysis)
{
  analysis->block.abstract = wb_allocate(1, analysis->mechanism->state_size);
  return (analysis->block.abstract != NULL &&
          wb_simt_layout_make(analysis->function, analysis->mechanism, &analysis->layout) &&
          wb_simt_contexts_start(&analysis->contexts) && wb_register_sets_start(&analysis->sets) &&
          analysis->mechanism->start(analysis)) ||
         wb_simt_no_memory(analysis);
}

bool wb_simt_search(struct wb_simt_analysis *analysis)
{
  analysis->mechanism->begin(analysis);
  while (wb_simt_go_on(analysis)) {
    const uint32_t state = wb_simt_next(analysis);
    if (state == WB_NOWHERE)
      return true;
    wb_simt_transfer(analysis, state);
  }
  return false;
}

static void do_all(struct wb_simt_analysis *analysis)
{
  for (size_t s = 0; s < analysis->fixpoint.state_count && wb_simt_go_on(analysis); s++)
    wb_simt_transfer(analysis, (uint32_t)s);
}

void wb_simt_check(struct wb_simt_analysis *analysis, struct wb_text *violation)
{
  const char *broken[] = {
      wb_register_sets_check(&analysis->sets),
      wb_simt_contexts_check(&analysis->contexts),
      analysis->mechanism->check(analysis),
  };
  for (size_t b = 0; b < sizeof broken / sizeof broken[0]; b++) {
    if (broken[b] != NULL && violation->length == 0)
      wb_text_string(violation, broken[b]);
  }
  if (violation->length > 0)
    return;
  analysis->violation = violation;
  analysis->mechanism->begin(analysis);
  do_all(analysis);
  analysis->violation = NULL;
}

bool wb_simt_record_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  if (!wb_simt_record_start(analysis, record))
    return false;
  analysis->record = record;
  do_all(analysis);
  analysis->record = NULL;
  return analysis->status == WARPBOUND_OK;
}

void wb_simt_end_search(struct wb_simt_analysis *analysis)
{
  if (analysis->block.abstract != NULL)
    analysis->mechanism->clear(analysis->block.abstract);
  free(analysis->block.abstract);
  analysis->block.abstract = NULL;
  analysis->mechanism->end_search(analysis);
  wb_simt_fixpoint_end_search(&analysis->fixpoint);
  wb_simt_contexts_free(&analysis->contexts);
  wb_simt_layout_free(&analysis->layout);
  wb_register_sets_free(&analysis->sets);
}

void wb_simt_free(struct wb_simt_analysis *analysis)
{
  wb_simt_end_search(analysis);
  wb_simt_fixpoint_free(analysis);
  analysis->mechanism->free(analysis);
  free(analysis->block_states);
  free(analysis->makers);
  free(analysis->resumptions);
  wb_warp_graph_free(&analysis->graph);
}
