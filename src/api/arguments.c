#include "api/arguments.h"

#include "base/control.h"

#include <math.h>

warpbound_status wb_require(const void *argument, const char *name, const char *what,
                            warpbound_error *error)
{
  return argument != NULL
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE, "%s: expected %s, found NULL", name, what);
}

warpbound_status wb_require_choice(int number, int count, const char *name, warpbound_error *error)
{
  return number >= 0 && number < count
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE, "%s: expected one of 0 to %d, found %d", name,
                       count - 1, number);
}

warpbound_status wb_require_options(const warpbound_options *options, warpbound_error *error)
{
  if (options != NULL && (!isfinite(options->time_limit) || options->time_limit < 0))
    return wb_fail(error, WARPBOUND_USAGE, "time limit: expected seconds, 0 for none, found %g",
                   options->time_limit);
  return WARPBOUND_OK;
}
