/* Project files: the reader takes any bytes. What it takes has launches with values of known keys,
 * in the order of the table, and names that are once there. */
#include "formats/project/project_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_launch(const struct wb_project_launch *launch)
{
  if (launch->name == NULL || launch->line == 0 || launch->column == 0)
    abort();
  for (size_t v = 0; v < launch->value_count; v++) {
    const struct wb_project_value *value = &launch->values[v];
    if (value->line == 0 || (v > 0 && value->key <= launch->values[v - 1].key))
      abort();
    if (value->key->kind == WB_PROJECT_WORD && value->count != 1)
      abort();
    for (size_t t = 0; t < value->count; t++) {
      if (value->texts[t] == NULL)
        abort();
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_project project;
  warpbound_error error = {0};
  const warpbound_status status =
      wb_project_read("fuzz", (const char *)data, size, &project, &error);
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  if (status != WARPBOUND_OK)
    return 0;
  if (project.launch_count == 0)
    abort();
  for (size_t l = 0; l < project.launch_count; l++) {
    check_launch(&project.launches[l]);
    for (size_t o = l + 1; o < project.launch_count && o < l + 50; o++) {
      if (strcmp(project.launches[l].name, project.launches[o].name) == 0)
        abort();
    }
  }
  wb_project_free(&project);
  return 0;
}
