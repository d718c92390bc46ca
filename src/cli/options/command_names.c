#include "cli/options/command_names.h"

static const struct command_name names[] = {
    {COMMAND_STRING, "string"},
    {COMMAND_MAKESPAN, "makespan"},
    {COMMAND_SIMULATE, "simulate"},
    {COMMAND_ILP, "ilp"},
    {COMMAND_CFG, "cfg"},
    {COMMAND_WCET, "wcet"},
    {COMMAND_HYBRID, "hybrid"},
    {COMMAND_ANALYZE, "analyze"},
    {COMMAND_EVT, "evt"},
    {COMMAND_KERNELS, "kernels"},
    {COMMAND_DISASSEMBLE, "disassemble"},
    {COMMAND_INSTRUMENT, "instrument"},
    {COMMAND_VERIFY, "verify"},
    {COMMAND_RUN, "run"},
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
