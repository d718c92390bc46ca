/* The oracle from Volta on: concrete execution of a warp whose lanes run in groups and come
 * together by convergence barriers (doc/simt-volta.md). It needs no instruction's meaning but those
 * of copies (cfg/interpreter/lane_values.h has the others). Shares no code with the abstract
 * interpretation that it tests. */
#ifndef WB_CFG_INTERPRETER_GROUPS_GROUP_INTERPRETER_H
#define WB_CFG_INTERPRETER_GROUPS_GROUP_INTERPRETER_H

#include "base/status.h"
#include "cfg/interpreter/groups/group_run.h"
#include "model/code.h"

/* Runs one warp from the function's first instruction, all lanes in one group. Of a function that
 * is no kernel, lanes end that return to no instruction of it.
 * Errors: WARPBOUND_INVALID_INPUT with the listing's line (an unsupported control instruction,
 * control that runs past the end, a return to an address that is no instruction's, an architecture
 * before Volta), WARPBOUND_FACTS_MISSING (an indexed branch without targets), WARPBOUND_LIMIT
 * (WB_SCOPE_LIMIT, WB_LOCAL_WORD_LIMIT), WARPBOUND_INTERNAL. */
warpbound_status wb_group_run(const struct wb_code *code, const struct wb_function *function,
                              const struct wb_group_run_options *options, struct wb_group_run *run,
                              warpbound_error *error);

#endif
