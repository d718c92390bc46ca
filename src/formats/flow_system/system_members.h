/* The members of files that hold a flow system, read and written in one place:
 *
 *   start, ends   the node where paths begin, those where they may end; nodes count from 0
 *   edges         [FROM, TO] each
 *   starts, ports
 *                 where several groups of lanes run (doc/group-flow.md): starts are [NODE, RUNS],
 *                 ports the node of each, ascending, an edge in one is [FROM, TO, PORT], and `ends`
 *                 go by port; there is no `start` then
 *   limits        [{"most": 9, "edges": [[EDGE, FACTOR], ...], "local": true,
 *                 "common": true}, ...]; "local" and "common" may be left out: false
 *
 * The nodes themselves are a member that each kind of file has in its own way. */
#ifndef WB_FORMATS_FLOW_SYSTEM_SYSTEM_MEMBERS_H
#define WB_FORMATS_FLOW_SYSTEM_SYSTEM_MEMBERS_H

#include "base/status.h"
#include "base/text.h"
#include "formats/json/json_input.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is said of limits besides, by limit. Borrowed. */
struct wb_limit_marks {
  bool *local, *common;
};

/* Reads the system of a file with so many nodes; the caller frees it, after a failure too, and the
 * marks are the reader's arena's. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Linear. */
void wb_system_members_read(struct wb_json_reader *reader, const json_t *object, size_t nodes,
                            struct wb_flow_system *system, struct wb_limit_marks *marks);
/* Writes them, a line each, with a comma at the end. local, common: NULL for none. */
void wb_system_members_write(const struct wb_flow_system *system, const bool *local,
                             const bool *common, struct wb_text *text);

/* Reads a member that is a list of so many numbers, which are the arena's. */
const int64_t *wb_numbers_member_read(struct wb_json_reader *reader, const json_t *object,
                                      const char *key, size_t count);
/* Writes it behind a comma. */
void wb_numbers_member_write(const char *key, const int64_t *numbers, size_t count,
                             struct wb_text *text);

#endif
