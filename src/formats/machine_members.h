/* What schedule files and certificates have in common: the members `string`,
 * `units` and `issue_slots`, which give the normalised machine. */
#ifndef WB_FORMATS_MACHINE_MEMBERS_H
#define WB_FORMATS_MACHINE_MEMBERS_H

#include "base/status.h"
#include "formats/json_input.h"

#include <stddef.h>
#include <stdint.h>

/* letters: the string, `length` characters of "LCSDNB" without counts, owned by the
 * caller (free). capacity: of L, C, S, D, 0 where not given. issue_slots 0: no cap. */
struct wb_machine_members {
  char *letters;
  size_t length;
  uint64_t capacity[4];
  uint64_t issue_slots;
};

/* Reads them from a file's object. Errors: WARPBOUND_INVALID_INPUT, with nothing to
 * free. */
warpbound_status wb_machine_members_read(const char *name, const json_t *object,
                                         struct wb_machine_members *machine,
                                         warpbound_error *error);

/* A string, `place` being what messages call it: letters and length as above. Errors:
 * WARPBOUND_INVALID_INPUT, with nothing to free. */
warpbound_status wb_machine_string_read(const char *name, const char *place, const json_t *value,
                                        char **letters, size_t *length, warpbound_error *error);

/* The members `units` and `issue_slots` only; sets capacity and issue_slots. */
warpbound_status wb_machine_units_read(const char *name, const json_t *object,
                                       struct wb_machine_members *machine, warpbound_error *error);

#endif
