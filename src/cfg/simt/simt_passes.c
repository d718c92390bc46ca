#include "cfg/simt/simt_passes.h"

#include "base/text.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"
#include "cfg/simt/simt_transfer.h"

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
