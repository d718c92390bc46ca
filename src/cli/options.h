/* Command-line options: one table from which parser, instance files and help all
 * grow. */
#ifndef WB_CLI_OPTIONS_H
#define WB_CLI_OPTIONS_H

#include "base/list.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option {
  OPTION_WARPS,
  OPTION_UNITS,
  OPTION_ISSUE_SLOTS,
  OPTION_PARTITIONS,
  OPTION_SM,
  OPTION_METHOD,
  OPTION_POLICY,
  OPTION_TIME_LIMIT,
  OPTION_MEMORY_LIMIT,
  OPTION_THREADS,
  OPTION_SEED,
  OPTION_KERNEL,
  OPTION_ITERATIONS,
  OPTION_THROUGH,
  OPTION_ASSUME_UNIT,
  OPTION_ASSUME_CALL,
  OPTION_CLASSES,
  OPTION_SCHEDULE,
  OPTION_GANTT,
  OPTION_DRAW,
  OPTION_JSON,
  OPTION_NO_PROGRESS,
  OPTION_HELP,
  OPTION_COUNT
};

/* The commands, as bits of the sets in which an option is known. */
enum command {
  COMMAND_STRING = 1 << 0,
  COMMAND_MAKESPAN = 1 << 1,
  COMMAND_SIMULATE = 1 << 2,
  COMMAND_VERIFY = 1 << 3,
  COMMAND_DEVICES = 1 << 4
};

/* argument: what the help calls the option's value; NULL for a flag. repeatable:
 * every value counts, in order; otherwise the last. */
struct option_row {
  const char *name;
  char letter; /* '\0': none */
  const char *argument;
  bool repeatable;
  unsigned commands;
  const char *help;
};

/* Values by option: NULL or the text ("" for a flag that was given). Repeatable
 * ones are in the lists. input: the positional argument or NULL. Texts of the
 * command line are borrowed, those of an instance file belong to `owned`. */
struct arguments {
  const char *value[OPTION_COUNT];
  struct wb_list repeated[OPTION_COUNT];
  const char *input;
  struct wb_list owned;
};

const struct option_row *option_row(enum option option);

/* Parses the words after the command's name. Errors: WARPBOUND_USAGE, with the
 * options that the command has where one is unknown. */
warpbound_status arguments_parse(struct arguments *arguments, unsigned command, int count,
                                 char **words, warpbound_error *error);

/* Sets an option from an instance file unless the command line has set it: by its
 * long name, '_' for '-' allowed; `text` is copied. false where the command has no
 * such option. */
bool arguments_set_default(struct arguments *arguments, unsigned command, const char *name,
                           const char *text);
/* Whether any command has an option of that name, '_' for '-' allowed: an instance
 * file may hold what only other commands use. */
bool option_exists(const char *name);
void arguments_free(struct arguments *arguments);

/* A whole number from least to most; `fallback` where the option is absent. */
warpbound_status arguments_number(const struct arguments *arguments, enum option option,
                                  uint64_t least, uint64_t most, uint64_t fallback, uint64_t *value,
                                  warpbound_error *error);
/* Seconds, above 0; 0 where absent. */
warpbound_status arguments_seconds(const struct arguments *arguments, enum option option,
                                   double *seconds, warpbound_error *error);
/* Bytes, with K, M, G or T (powers of 1024) behind; 0 where absent. */
warpbound_status arguments_size(const struct arguments *arguments, enum option option,
                                uint64_t *bytes, warpbound_error *error);

/* One line an option of the command. */
void options_help(unsigned command, struct wb_text *text);

#endif
