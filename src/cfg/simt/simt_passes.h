/* The passes over the states, in order: the search for the fixpoint, the check that it is one, and
 * the last pass, which notes down the transitions. */
#ifndef WB_CFG_SIMT_SIMT_PASSES_H
#define WB_CFG_SIMT_SIMT_PASSES_H

#include "cfg/simt/simt_engine.h"

struct wb_simt_record;

/* Makes what the passes need, of an analysis whose borrowed fields, options and mechanism are set
 * and whose other fields are zero. False where memory is out. */
bool wb_simt_start(struct wb_simt_analysis *analysis);

/* From the function's beginning to the fixpoint. False on failure. */
bool wb_simt_search(struct wb_simt_analysis *analysis);

/* After the search: the invariants of the sets of registers, the contexts and the mechanism, and
 * that the fixpoint is one: whatever begins or follows a state is covered by a state. Adds to
 * `violation` the first that is broken, in words; nothing where all hold. As long as one round of
 * the search over all states. */
void wb_simt_check(struct wb_simt_analysis *analysis, struct wb_text *violation);

/* Does every state once more and notes all down. False on failure. */
bool wb_simt_record_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record);

/* Frees what only the passes need; then all that the analysis owns. Each may follow a start that
 * failed. */
void wb_simt_end_search(struct wb_simt_analysis *analysis);
void wb_simt_free(struct wb_simt_analysis *analysis);

#endif
