#include "binary/cubin/cubin.h"

#include <stdlib.h>
#include <string.h>

void wb_cubin_free(struct wb_cubin *cubin)
{
  free(cubin->sections);
  free(cubin->symbols);
  free(cubin->relocations);
  free(cubin->attached);
  free(cubin->functions);
  free(cubin->parameters);
  free(cubin->branches);
  free(cubin->offsets);
  *cubin = (struct wb_cubin){0};
}

size_t wb_cubin_section_named(const struct wb_cubin *cubin, const char *name)
{
  for (size_t s = 1; s < cubin->section_count; s++) {
    if (strcmp(cubin->sections[s].name, name) == 0)
      return s;
  }
  return WB_CUBIN_NONE;
}

size_t wb_cubin_section_of(const struct wb_cubin *cubin, size_t code, const char *prefix)
{
  const struct wb_cubin_slice *attached = &cubin->sections[code].attached;
  for (size_t a = attached->first; a < attached->first + attached->count; a++) {
    if (strncmp(cubin->sections[cubin->attached[a]].name, prefix, strlen(prefix)) == 0)
      return cubin->attached[a];
  }
  return WB_CUBIN_NONE;
}

size_t wb_cubin_function_named(const struct wb_cubin *cubin, const char *name)
{
  size_t found = WB_CUBIN_NONE;
  for (size_t f = 0; f < cubin->function_count; f++) {
    if (strcmp(cubin->functions[f].name, name) != 0)
      continue;
    if (cubin->functions[f].kernel)
      return f;
    if (found == WB_CUBIN_NONE)
      found = f;
  }
  return found;
}
