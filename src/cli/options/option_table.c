/* The table of options, and the names of the commands. */
#include "cli/options/options.h"

#define MAKESPAN_LIKE (COMMAND_MAKESPAN | COMMAND_SIMULATE | COMMAND_ILP)
#define INTEGER (COMMAND_ILP | COMMAND_MAKESPAN)
#define FROM_KERNEL (MAKESPAN_LIKE | COMMAND_STRING)
#define GRAPHS (COMMAND_CFG | COMMAND_WCET)
#define FROM_SASS (GRAPHS | COMMAND_RUN | COMMAND_ANALYZE | COMMAND_HYBRID)
#define WORST_PATH (FROM_KERNEL | COMMAND_WCET | COMMAND_ANALYZE | COMMAND_HYBRID)
#define SEARCHES (MAKESPAN_LIKE | COMMAND_VERIFY)
#define LONG_WORK (SEARCHES | GRAPHS | COMMAND_ANALYZE | COMMAND_HYBRID)
#define TIMED (LONG_WORK | COMMAND_EVT)
#define HAS_ANSWER (FROM_KERNEL | FROM_SASS | COMMAND_VERIFY | COMMAND_EVT)
#define ANY (FROM_KERNEL | FROM_SASS | TIMED | COMMAND_DEVICES | COMMAND_KERNELS)
#define EVERY ALL_COMMANDS

const struct option_row option_rows[OPTION_COUNT] = {
#define OPTION(name, ...) [OPTION_##name] = {__VA_ARGS__},
#include "cli/options/option_rows.def"
#undef OPTION
};

static const struct command_name names[] = {
    {COMMAND_ANALYZE, "analyze"},
    {COMMAND_WCET, "wcet"},
    {COMMAND_MAKESPAN, "makespan"},
    {COMMAND_SIMULATE, "simulate"},
    {COMMAND_ILP, "ilp"},
    {COMMAND_STRING, "string"},
    {COMMAND_CFG, "cfg"},
    {COMMAND_RUN, "run"},
    {COMMAND_EVT, "evt"},
    {COMMAND_HYBRID, "hybrid"},
    {COMMAND_INSTRUMENT, "instrument"},
    {COMMAND_VERIFY, "verify"},
    {COMMAND_KERNELS, "kernels"},
    {COMMAND_DISASSEMBLE, "disassemble"},
    {COMMAND_DEVICES, "devices"},
    {COMMAND_COMPLETION, "completion"},
};

const struct command_name *command_names(size_t *count)
{
  *count = sizeof names / sizeof names[0];
  return names;
}

const char *command_name(unsigned bit)
{
  size_t i = 0;
  while (names[i].bit != bit)
    i++;
  return names[i].name;
}
