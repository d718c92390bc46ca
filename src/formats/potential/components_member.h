/* The member "pieces" of potential files (doc/potentials/file.md): the components. */
#ifndef WB_FORMATS_POTENTIAL_COMPONENTS_MEMBER_H
#define WB_FORMATS_POTENTIAL_COMPONENTS_MEMBER_H

#include "base/status.h"
#include "certificate/potential/potential_claim.h"
#include "formats/json/json_input.h"

#include <stddef.h>
#include <stdint.h>

/* Components read from a file. Owns its arrays. */
struct wb_components_member {
  struct wb_check_potential_component *list;
  size_t count;
  /* The values of all components, one after the other. */
  int64_t *values;
};

/* Reads a type's letter; `place` is what messages call it. Errors: WARPBOUND_INVALID_INPUT. */
warpbound_status wb_type_member_read(const char *name, const char *place, const json_t *value,
                                     char *type, warpbound_error *error);

/* Reads a list of components: one for each of pool_count pools, each with a value for each of
 * `length` instructions. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Free the components,
 * after an error too. */
warpbound_status wb_components_member_read(const char *name, const json_t *list, size_t pool_count,
                                           size_t length, struct wb_components_member *components,
                                           warpbound_error *error);
void wb_components_member_free(struct wb_components_member *components);

#endif
