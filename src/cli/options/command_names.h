/* The commands by name, as options speak of them. */
#ifndef WB_CLI_OPTIONS_COMMAND_NAMES_H
#define WB_CLI_OPTIONS_COMMAND_NAMES_H

#include <stddef.h>

/* The commands, as bits of the sets in which an option is known. */
enum command {
  COMMAND_STRING = 1 << 0,
  COMMAND_MAKESPAN = 1 << 1,
  COMMAND_SIMULATE = 1 << 2,
  COMMAND_VERIFY = 1 << 3,
  COMMAND_DEVICES = 1 << 4,
  COMMAND_ILP = 1 << 5,
  COMMAND_CFG = 1 << 6,
  COMMAND_RUN = 1 << 7,
  COMMAND_WCET = 1 << 8,
  COMMAND_KERNELS = 1 << 9,
  COMMAND_DISASSEMBLE = 1 << 10,
  COMMAND_ANALYZE = 1 << 11,
  COMMAND_EVT = 1 << 12,
  COMMAND_HYBRID = 1 << 13,
  COMMAND_INSTRUMENT = 1 << 14,
  COMMAND_COMPLETION = 1 << 15
};

/* A command and its name. */
struct command_name {
  enum command bit;
  const char *name; /* static */
};

/* All commands, in the order in which help lists them. */
const struct command_name *command_names(size_t *count);

/* The name of the command with a bit. */
const char *command_name(unsigned bit);

#endif
