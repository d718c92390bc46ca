/* The components of a potential file (format in doc/potentials.md, "The file"). */
#ifndef WB_FORMATS_POTENTIAL_MEMBERS_H
#define WB_FORMATS_POTENTIAL_MEMBERS_H

#include "base/status.h"
#include "certificate/potential/potential_check.h"
#include "formats/json_input.h"

#include <stddef.h>
#include <stdint.h>

/* What a component points to. */
struct wb_potential_members {
  struct wb_check_potential_component *components;
  size_t count;
  int64_t *values; /* of all components, one after the other */
};

/* A type's letter. `place` as in json_input.h. */
warpbound_status wb_potential_read_type(const char *name, const char *place, const json_t *value,
                                        char *type, warpbound_error *error);

/* Reads the member "components": one for each of pool_count pools, each with a value for each of
 * `length` instructions. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Free the members,
 * after an error too. */
warpbound_status wb_potential_members_read(const char *name, const json_t *list, size_t pool_count,
                                           size_t length, struct wb_potential_members *members,
                                           warpbound_error *error);
void wb_potential_members_free(struct wb_potential_members *members);

#endif
