/* Configurations of a streaming multiprocessor (SM), as people and tables give
 * them: before normalisation, with fractions of a unit. */
#ifndef WB_MODEL_SM_CONFIGURATION_H
#define WB_MODEL_SM_CONFIGURATION_H

#include "base/status.h"
#include "base/text.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stdint.h>

/* Most warps on an SM, partitions of one, warp instructions of a type in a
 * cycle, and cycles that an instruction may hold its unit. */
#define WB_WARP_LIMIT UINT32_C(65536)
#define WB_PARTITION_LIMIT UINT32_C(64)
#define WB_CAPACITY_LIMIT UINT32_C(65536)
#define WB_HOLD_LIMIT UINT32_C(65536)

/* Units of one type: sigma = numerator / denominator warp instructions can start in a cycle (units
 * / warp size), in lowest terms. */
struct wb_unit_capacity {
  uint32_t numerator; /* 0: the type is not there (not given) */
  uint32_t denominator;
  uint32_t hold; /* cycles that an instruction holds its unit */
  bool shared;   /* by the warps of all partitions; the capacity is then the SM's */
};

/* One partition of an SM (see `shared` for the exception), and how many there are. */
struct wb_sm_configuration {
  char name[64];   /* for output */
  char file[256];  /* that it came from, for messages; "": none */
  char origin[32]; /* without a file: the argument that gave the units, as "--units" */
  struct wb_unit_capacity unit[WB_REAL_UNIT_COUNT];
  uint32_t
      issue_slots; /* warp instructions that a partition issues in a cycle at most; 0: no cap */
  uint32_t partitions;
  uint32_t max_warps; /* resident warps that the SM holds; 0: not known */
  const char
      *source;      /* of a row of the device table: where its numbers are read; static, or NULL */
  const char *note; /* what the row simplifies or assumes; static, or NULL */
  bool changed;     /* the user gave issue slots or partitions other than the row or file has */
};

/* The handle of the public header. */
struct warpbound_sm {
  struct wb_sm_configuration configuration;
};

/* A configuration with no units, no cap and one partition, from an argument "units".
 * The name is shortened to what there is room for, its control characters become '?'. */
void wb_sm_configuration_start(struct wb_sm_configuration *sm, const char *name);

/* Sets a capacity from units per partition and warp size, reduced. */
void wb_unit_capacity_set(struct wb_unit_capacity *capacity, uint32_t units, uint32_t warp_size);

/* Fails for a fault in the configuration, and says where it came from: with
 * WARPBOUND_INVALID_INPUT where from a file, with WARPBOUND_USAGE where from an
 * argument, as "--units, PART: ...". part: a unit's letter, or NULL. */
warpbound_status wb_sm_configuration_fail(const struct wb_sm_configuration *sm, const char *part,
                                          warpbound_error *error, const char *format, ...)
    WB_PRINTF(4, 5);

/* Parses "L=1,C=4,S=1/8" into sm->unit. Errors name sm->origin and the column. */
warpbound_status wb_sm_configuration_parse_units(struct wb_sm_configuration *sm, const char *text,
                                                 warpbound_error *error);
/* Parses one capacity, "4" or "1/8"; `where` is what messages call it. */
warpbound_status wb_unit_capacity_parse(struct wb_unit_capacity *capacity, const char *text,
                                        const char *where, warpbound_error *error);
/* Writes a capacity as "4" or "1/8". */
void wb_unit_capacity_write(const struct wb_unit_capacity *capacity, struct wb_text *text);

#endif
