/* A device for the analysis of whole launches, as a device file describes it (doc/devices.md): how
 * many SMs it has, what their resources are and how long each class of instruction uses them, how
 * many blocks an SM holds. Every number says where it comes from. */
#ifndef WB_MODEL_DEVICES_DEVICE_TIMING_H
#define WB_MODEL_DEVICES_DEVICE_TIMING_H

#include "base/arena.h"
#include "base/status.h"
#include "model/timed_code.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a number is known. */
enum wb_value_kind {
  WB_VALUE_DOCUMENTED, /* the vendor's documents or headers say it */
  WB_VALUE_MEASURED,   /* on an idle device; no worst case */
  WB_VALUE_DECLARED,   /* the user says so */
  WB_VALUE_ASSUMED,    /* nobody says so */
  WB_VALUE_KIND_COUNT
};

/* In which clock a time counts (doc/devices.md, "Clocks"). */
enum wb_value_clock {
  WB_CLOCK_UNKNOWN,     /* the file does not say: any of those below, or a sum of such */
  WB_CLOCK_SM,          /* cycles of the SM's clock */
  WB_CLOCK_CHIP,        /* of a clock of the chip that may be the SM's, but not the memory's */
  WB_CLOCK_MEMORY,      /* cycles of the memory's clock */
  WB_CLOCK_PICOSECONDS, /* no clock */
  WB_VALUE_CLOCK_COUNT
};

/* A named number of a device. Classes, resources and limits refer to it, `--set NAME=VALUE`
 * changes it. Borrows its texts. */
struct wb_device_value {
  const char *name; /* "l2.delay"; of a number that the file leaves out its place: "yield" */
  uint64_t value;   /* of a time cycles of the SM's clock in effect */
  uint64_t given;   /* the number in its own clock; cycles at the file's clocks where that is the
                       chip's or not known */
  enum wb_value_clock clock;
  uint64_t at_clock; /* Hz of the SM's clock at which its cycles were counted; 0: the file's */
  uint64_t at_memory_clock; /* and of the memory's; 0: the file's, or not known */
  bool is_time, is_count;   /* it is used as one */
  enum wb_value_kind kind;
  const char *source; /* where it is read; "" where declared without one */
  bool left_out;      /* the file does not give it: 0 is assumed */
};

/* What a stage is multiplied by: how many requests an instruction makes in it. */
enum wb_request_unit {
  WB_PER_INSTRUCTION, /* one */
  WB_PER_SECTOR,      /* one for each sector of 32 bytes that its lanes access */
  WB_PER_WAVEFRONT, /* one for each pass over the banks of shared memory, or over lines of 128 bytes
                     */
  WB_PER_LANE,      /* one for each lane that may access one address (atomics) */
  WB_PER_REGISTER, /* one for each register of the warp, 4 bytes of each lane, that it loads; of one
                      that loads nothing one */
  WB_REQUEST_UNIT_COUNT
};

#define WB_CLASS_USES 4
#define WB_CLASS_STAGES 12

/* Numbers are indices into the device's values. */
struct wb_class_use {
  uint8_t resource;
  uint32_t service;
};

struct wb_class_stage {
  uint8_t resource;
  enum wb_request_unit per;
  uint32_t delay;
  uint32_t service;
};

/* The timing of a class of instructions. Borrows its name and patterns. An instruction is of the
 * class with the longest pattern that its opcode begins with, up to a dot ("LDG.E" before "LDG");
 * else of the one that has its unit. */
struct wb_timing_class {
  const char *name;
  char **patterns;
  size_t pattern_count;
  bool of_unit[WB_UNIT_COUNT]; /* for instructions of the unit that no pattern is for */
  uint32_t interval; /* value: least cycles to the next issue of the warp, beside the stall
                        that the code has */
  struct wb_class_use uses[WB_CLASS_USES];
  size_t use_count;
  struct wb_class_stage stages[WB_CLASS_STAGES];
  size_t stage_count;
  uint32_t latency;      /* value */
  uint32_t read_latency; /* value */
  uint8_t read_stages;
};

/* Caches that nothing of a launch is in when it begins. Numbers are indices into the device's
 * values. Of the ways that things are fetched by only the names and stages count. */
struct wb_device_caches {
  uint32_t line, near; /* bytes of a line of code, and that a partition's cache keeps */
  uint32_t constant_line, constant_near; /* the same of constants */
  uint32_t kept;                         /* bytes of code and constants that an SM's caches keep */
  uint32_t page, reach;              /* bytes of a page, and of all whose translations are kept */
  struct wb_timing_class near_fetch; /* into a partition's cache, from the SM's */
  struct wb_timing_class fetch;      /* into the SM's: requests for each sector of the line */
  struct wb_timing_class walk;       /* of a translation that is not there */
};

/* A resource: its servers are a value. */
struct wb_device_resource {
  char name[32];
  enum wb_resource_level level;
  uint32_t servers; /* value */
  bool at_issue;
};

/* Most sizes that the shared memory of an SM can be set to. */
#define WB_CARVEOUT_LIMIT 32

/* How many blocks an SM holds (cuda_occupancy.h). All are values. */
struct wb_residency_rules {
  uint32_t max_blocks, max_warps, max_threads_per_block;
  uint32_t registers;                    /* of an SM, 32 bits each */
  uint32_t registers_per_block;          /* most */
  uint32_t registers_per_thread;         /* most */
  uint32_t register_unit;                /* registers of a warp are rounded up to a multiple */
  uint32_t shared_memory;                /* bytes of an SM, at most: with the largest carve-out */
  uint32_t carveouts[WB_CARVEOUT_LIMIT]; /* bytes that an SM can be set to, in any order; those
                                            above shared_memory do not count */
  size_t carveout_count;                 /* 0: the file does not say; shared_memory alone */
  uint32_t shared_per_block;             /* most bytes of a block */
  uint32_t shared_unit;                  /* bytes of a block are rounded up to a multiple */
  uint32_t shared_reserved;              /* bytes of each block for the system */
  uint32_t barriers;                     /* named barriers of an SM */
};

/* A mode of the device, as a power mode of Jetson: other numbers of some values. Borrows its texts.
 */
struct wb_device_mode {
  const char *name; /* "15W" */
  const char *source;
  const char *applied; /* the source with the mode's name before it, which its values have */
  enum wb_value_kind kind;
  const struct wb_mode_change {
    uint32_t value;
    uint64_t given;
  } * changes;
  size_t change_count;
};

/* A device. Owns all: wb_device_timing_free.
 * Invariants (wb_device_timing_verify): indices are of values and resources; values are in the
 * range of what they are used for; patterns are those of one class each, a unit too; the least
 * common multiple of the servers is at most WB_SHARE_LIMIT. */
struct wb_device_timing {
  struct wb_arena arena; /* has the texts, the classes and their patterns */
  const char *name;      /* "orin-agx" */
  const char *file;      /* for messages; of a bundled one its name */
  const char *product;
  const char
      *memory_clients;    /* what else uses the memory of an integrated GPU; "" or NULL: nothing */
  uint32_t memory_factor; /* how many thousandths of their times accesses to the memory are taken to
                             need beside other clients; 0: nobody said */
  uint32_t architecture;  /* 87 for sm_87 */
  struct wb_device_value *values;
  size_t value_count, value_capacity;
  struct wb_device_resource resources[WB_RESOURCE_LIMIT];
  size_t resource_count;
  struct wb_timing_class *classes;
  size_t class_count;
  struct wb_residency_rules residency;
  uint32_t sms, partitions;   /* values */
  uint32_t clock;             /* value: Hz of the SM's clock */
  uint32_t memory_clock;      /* value: Hz of the memory's clock; left out: not known */
  uint64_t file_clock;        /* Hz for which the file gives its numbers */
  uint64_t file_memory_clock; /* the same of the memory; 0: not known */
  const struct wb_device_mode *modes;
  size_t mode_count;
  uint32_t
      launch_overhead;  /* value: cycles from the launch to the first issue, and after the last */
  uint32_t block_start; /* value: cycles from room for a block to its last warp's first issue */
  uint32_t dispatch;    /* value: cycles of the dispatcher for a block; 0: none */
  uint32_t yield;       /* value: least cycles to the next issue after a yield mark */
  uint32_t drain;       /* value: cycles of a stall count of 0 from Volta on */
  uint32_t constant_operand; /* value: cycles more of an instruction that reads constant memory as
                                an operand */
  /* The register file of a partition: */
  uint32_t
      register_banks; /* value: its banks; register n is in bank n modulo their number; 0: one */
  uint32_t register_read; /* value: cycles in which a bank gives one register of a warp; 0: reads
                             take no time */
  /* What L2 keeps. Without a memory behind it nothing: */
  uint32_t l1_retained; /* a value: bytes that an SM's first cache keeps of declared buffers */
  uint32_t l1_recent;   /* a value: the same of their lines that were used last, of any that come */
  bool has_memory;
  uint8_t memory;                          /* resource: the memory's servers */
  uint32_t l2_retained, l2_copies, l2_far; /* values: bytes that it keeps of declared buffers;
                                            * parts that each fetch for themselves; cycles more
                                            * of a hit in its farthest part */
  bool has_caches;                         /* else all that they have is taken to be there */
  struct wb_device_caches caches;
  bool *read; /* by value, not owned: where wb_device_number notes what it reads; NULL: nowhere */
};

/* Notes in device->read that a value is read, and of a time the clocks that its cycles hang on. */
void wb_device_note(const struct wb_device_timing *device, uint32_t value);

/* The number that an index stands for: the one way to read it for a result, which rests on all that
 * is read while it is made. */
static inline uint64_t wb_device_number(const struct wb_device_timing *device, uint32_t value)
{
  if (device->read != NULL)
    wb_device_note(device, value);
  return device->values[value].value;
}

/* The index of a value by name, SIZE_MAX where there is none. Linear. */
size_t wb_device_value_find(const struct wb_device_timing *device, const char *name);

/* The name of the resource of the GPU that is its memory. */
#define WB_MEMORY_RESOURCE "dram"

/* The index of the memory, SIZE_MAX where no resource of the GPU has the name. */
size_t wb_device_memory(const struct wb_device_timing *device);

/* The class of an opcode with modifiers, or of its unit; NULL where none is for it. Linear in the
 * patterns. */
const struct wb_timing_class *wb_device_class(const struct wb_device_timing *device,
                                              const char *opcode, enum wb_unit unit);

/* Whether the invariants hold that other values can break: those of ranges. Linear. */
bool wb_device_timing_values_hold(const struct wb_device_timing *device);

/* Checks all invariants: WARPBOUND_INVALID_INPUT with the device's file, the value that breaks one,
 * and what it has to be. Linear in the values, with the square of the number of patterns. */
warpbound_status wb_device_timing_verify(const struct wb_device_timing *device,
                                         warpbound_error *error);

/* Finds of each value whether it is a time or a count. Linear. */
void wb_device_uses_find(struct wb_device_timing *device);

/* Makes of times that were counted at other clocks than the file's the most that they can be at
 * those. Needs wb_device_uses_find. Linear. */
void wb_device_clocks_take_over(struct wb_device_timing *device);
/* Makes the cycles of all times for the clocks in effect; a count is as it is given. A time whose
 * clock is not known is the most that any makes of it, and so is any sum of parts of which each
 * counts in one. What does not fit is the greatest number, which no time may be. Linear. Source:
 * doc/devices.md, "Clocks". */
void wb_device_clocks_apply(struct wb_device_timing *device);

/* Names in files: "measured"; "sm", NULL where the clock is not known; "partition", "sm", "gpu";
 * "sector". */
const char *wb_value_kind_name(enum wb_value_kind kind);
const char *wb_value_clock_name(enum wb_value_clock clock);
const char *wb_resource_level_name(enum wb_resource_level level);
const char *wb_request_unit_name(enum wb_request_unit unit);

void wb_device_timing_free(struct wb_device_timing *device);

#endif
