#include "environment.h"

#include <stdlib.h>
#include <string.h>

static uint64_t read_number(const char *name, uint64_t otherwise)
{
  const char *text = getenv(name);
  return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

uint64_t number_from_environment(const char *name, uint64_t otherwise)
{
  const uint64_t times =
      strcmp(name, "WARPBOUND_CROSS_RUNS") == 0 ? read_number("WARPBOUND_TIMES", 1) : 1;
  return read_number(name, otherwise) * times;
}
