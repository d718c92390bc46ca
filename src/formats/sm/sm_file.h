/* SM configuration files (doc/formats.md, "SM configuration files"). One JSON object; each member
 * may be left out:
 *
 *   name         a text; left out: the file's name
 *   warp_size    threads of a warp; left out: 32
 *   partitions   left out: 1
 *   issue_slots  of a partition in a cycle; 0 or left out: no cap
 *   units        by type L, C, S, D or T: a capacity, that is a whole number or a fraction as
 * "1/8", or an object of `capacity` or `lanes`, and `hold` and `shared` max_warps    most warps of
 * the SM; 0 or left out: no limit */
#ifndef WB_FORMATS_SM_SM_FILE_H
#define WB_FORMATS_SM_SM_FILE_H

#include "base/status.h"
#include "model/sm_configuration.h"

#include <jansson.h>
#include <stddef.h>

/* Reads a configuration from the text of a file. `name` is the file's. Errors:
 * WARPBOUND_INVALID_INPUT with the file and the key, or with line and column where it is not JSON.
 */
warpbound_status wb_sm_file_parse(const char *name, const char *text, size_t length,
                                  struct wb_sm_configuration *sm, warpbound_error *error);

/* Reads a member of `units` whose value is a capacity: a whole number, or a fraction as a text.
 * Errors: WARPBOUND_INVALID_INPUT with the file and the key. */
warpbound_status wb_sm_file_capacity(const char *name, const char *key, const json_t *value,
                                     struct wb_unit_capacity *capacity, warpbound_error *error);

/* The unit type of a key of `units`. Errors: WARPBOUND_INVALID_INPUT for any key but L, C, S and
 * D. */
warpbound_status wb_sm_file_unit(const char *name, const char *key, enum wb_unit *unit,
                                 warpbound_error *error);

#endif
