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

/* Static shared memory as the code says, without what the system reserves, which code of sm_90 on
 * counts too. */
static uint32_t static_of_code(const struct wb_device_timing *device,
                               const struct wb_function *function)
{
  const uint64_t reserved = wb_device_number(device, device->residency.shared_reserved);
  const uint32_t said = function->static_shared;
  return function->sm >= 90 && said != UINT32_MAX && said >= reserved ? said - (uint32_t)reserved
                                                                      : said;
}

warpbound_status wb_stated_needs_check(const struct wb_launch_question *question,
                                       const struct wb_function *function, warpbound_error *error)
{
  if (question->registers > 0 && function->registers > 0 &&
      question->registers != function->registers && !question->as_if_compiled)
    return refuse("registers", function->registers, question->registers, function, error);
  /* The file's number may be given with what the system reserves, or without. */
  const uint32_t said = question->static_shared;
  if (said != UINT32_MAX && function->static_shared != UINT32_MAX &&
      said != function->static_shared && said != static_of_code(question->device, function))
    return refuse("static-shared", function->static_shared, question->static_shared, function,
                  error);
  if (question->barriers != UINT32_MAX && function->named_barriers != UINT32_MAX &&
      question->barriers != function->named_barriers)
    return refuse("barriers", function->named_barriers, question->barriers, function, error);
  return WARPBOUND_OK;
}

/* A number of the user's in place of the code's, which wb_stated_needs_check lets differ where
 * other code is asked about; `unknown`: the code says none. */
static void state_need(struct wb_launch_analysis *analysis, const char *what, const char *option,
                       uint32_t said, uint32_t of_code, uint32_t unknown)
{
  if (of_code == unknown)
    wb_list_add(&analysis->assumptions, "%s: %" PRIu32 ", as declared (%s): the code does not say",
                what, said, option);
  else if (said != of_code)
    wb_list_add(&analysis->assumptions,
                "%s: %" PRIu32 ", as declared (%s), in place of %" PRIu32 ", as the code says",
                what, said, option, of_code);
}

void wb_stated_needs_assume(const struct wb_launch_question *question,
                            struct wb_launch_analysis *analysis)
{
  const struct wb_function *function = analysis->function;
  if (question->registers > 0)
    state_need(analysis, "registers of a thread", "--registers", question->registers,
               function->registers, 0);
  if (question->static_shared != UINT32_MAX)
    state_need(analysis, "bytes of static shared memory of a block", "--static-shared",
               question->static_shared, static_of_code(analysis->device, function), UINT32_MAX);
  if (question->barriers != UINT32_MAX)
    state_need(analysis, "named barriers of a block", "--barriers", question->barriers,
               function->named_barriers, UINT32_MAX);
}
