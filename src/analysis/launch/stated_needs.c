/* Numbers of a block that are said twice, by the question and by the file. */
#include "analysis/launch/stated_needs.h"

#include <inttypes.h>
#include <stdbool.h>

static warpbound_status refuse(const char *option, uint32_t of_file, uint32_t given,
                               const struct wb_function *function, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_USAGE,
                 "--%s: expected %" PRIu32 ", which the file says of %.100s, found %" PRIu32,
                 option, of_file, function->name, given);
}

static bool other_registers(const struct wb_launch_question *question,
                            const struct wb_function *function)
{
  return question->registers > 0 && function->registers > 0 &&
         question->registers != function->registers;
}

/* The file's number may have what the system reserves before it, from sm_90 on. */
static bool other_static(const struct wb_launch_question *question,
                         const struct wb_function *function)
{
  const struct wb_device_timing *device = question->device;
  const uint64_t said = question->static_shared;
  const uint64_t reserved = wb_device_number(device, device->residency.shared_reserved);
  if (said == UINT32_MAX || function->static_shared == UINT32_MAX)
    return false;
  return said != function->static_shared &&
         !(function->sm >= 90 && said + reserved == function->static_shared);
}

warpbound_status wb_stated_needs_check(const struct wb_launch_question *question,
                                       const struct wb_function *function, warpbound_error *error)
{
  if (other_registers(question, function) && !question->as_if_compiled)
    return refuse("registers", function->registers, question->registers, function, error);
  if (other_static(question, function))
    return refuse("static-shared", function->static_shared, question->static_shared, function,
                  error);
  if (question->barriers != UINT32_MAX && function->named_barriers != UINT32_MAX &&
      question->barriers != function->named_barriers)
    return refuse("barriers", function->named_barriers, question->barriers, function, error);
  return WARPBOUND_OK;
}
