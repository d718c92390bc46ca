/* The commands: each takes its parsed arguments, prints its result, and returns the
 * exit status; *error says what went wrong. */
#ifndef WB_CLI_COMMANDS_COMMANDS_H
#define WB_CLI_COMMANDS_COMMANDS_H

#include "cli/options/options.h"

/* One row a command. */
struct command_row {
  enum command bit;     /* with its name in cli/options/options.c */
  const char *form;     /* of its arguments */
  const char *summary;  /* one line for the list of commands */
  const char *examples; /* `help NAME` says it below the options */
  warpbound_status (*run)(struct arguments *arguments, warpbound_error *error);
};

const struct command_row *command_rows(size_t *count);

warpbound_status command_string(struct arguments *arguments, warpbound_error *error);
warpbound_status command_makespan(struct arguments *arguments, warpbound_error *error);
warpbound_status command_simulate(struct arguments *arguments, warpbound_error *error);
warpbound_status command_ilp(struct arguments *arguments, warpbound_error *error);
warpbound_status command_verify(struct arguments *arguments, warpbound_error *error);
warpbound_status command_run(struct arguments *arguments, warpbound_error *error);
warpbound_status command_hybrid(struct arguments *arguments, warpbound_error *error);
warpbound_status command_wcet(struct arguments *arguments, warpbound_error *error);
warpbound_status command_cfg(struct arguments *arguments, warpbound_error *error);
warpbound_status command_kernels(struct arguments *arguments, warpbound_error *error);
warpbound_status command_disassemble(struct arguments *arguments, warpbound_error *error);
warpbound_status command_analyze(struct arguments *arguments, warpbound_error *error);
warpbound_status command_evt(struct arguments *arguments, warpbound_error *error);
warpbound_status command_devices(struct arguments *arguments, warpbound_error *error);
warpbound_status command_completion(struct arguments *arguments, warpbound_error *error);
warpbound_status command_compare(struct arguments *arguments, warpbound_error *error);
warpbound_status command_check(struct arguments *arguments, warpbound_error *error);
warpbound_status command_merge(struct arguments *arguments, warpbound_error *error);
warpbound_status command_init(struct arguments *arguments, warpbound_error *error);
warpbound_status command_instrument(struct arguments *arguments, warpbound_error *error);

#endif
