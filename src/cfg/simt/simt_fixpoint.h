/* The states of the fixpoint and its worklist: each state is the join of all that is known of a
 * place, and is done again when it, or a cell that it was computed from, allows more than
 * before. */
#ifndef WB_CFG_SIMT_SIMT_FIXPOINT_H
#define WB_CFG_SIMT_SIMT_FIXPOINT_H

#include "cfg/simt/simt_engine.h"

/* The mechanism's part of a state; valid until a transition is emitted. */
struct wb_abstract_state *wb_simt_abstract_of(const struct wb_simt_analysis *analysis,
                                              uint32_t state);

/* A transition found: lanes that agree on a set of registers come to a place, with the mechanism's
 * part of the state. Search: joins it into the place's state. Checking pass: a violation where the
 * place's state does not cover it. Last pass: notes the edge. */
void wb_simt_emit(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                  struct wb_simt_place place, uint32_t agreement,
                  const struct wb_abstract_state *abstract);

/* The state that is being done reads a cell. */
void wb_simt_depend(struct wb_simt_analysis *analysis, uint32_t cell);

/* A cell allows more than before: what depends on it is done again. A violation in the checking
 * pass. */
void wb_simt_changed(struct wb_simt_analysis *analysis, uint32_t cell);

/* Takes the first state of the queue; WB_NOWHERE where it is empty. Logarithmic. */
uint32_t wb_simt_next(struct wb_simt_analysis *analysis);

/* Free what only the search needs, then all of it. */
void wb_simt_fixpoint_end_search(struct wb_simt_fixpoint *fixpoint);
void wb_simt_fixpoint_free(struct wb_simt_analysis *analysis);

#endif
