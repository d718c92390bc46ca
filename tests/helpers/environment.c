#include "environment.h"

#include <stdlib.h>

uint64_t number_from_environment(const char *name, uint64_t otherwise)
{
  const char *text = getenv(name);
  return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}
