/* Paths that stand in files. */
#include "cli/options/input_paths.h"

#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

char *input_path(const char *file, const char *path)
{
  const char *slash = strrchr(file, '/');
  struct wb_text text = {0};
  if (path[0] != '/' && slash != NULL)
    wb_text_append(&text, file, (size_t)(slash - file) + 1);
  wb_text_string(&text, path);
  return wb_text_take(&text);
}

const char *input_path_kept(struct arguments *arguments, const char *file, const char *path)
{
  char *whole = input_path(file, path);
  const char *kept = whole != NULL ? arguments_keep(arguments, whole) : NULL;
  free(whole);
  return kept;
}

warpbound_status input_path_resolve(struct arguments *arguments, enum option option,
                                    warpbound_error *error)
{
  if (arguments->key[option] == NULL || arguments->value[option] == NULL)
    return WARPBOUND_OK;
  const char *kept = input_path_kept(arguments, arguments->instance, arguments->value[option]);
  if (kept == NULL)
    return wb_out_of_memory(error);
  arguments->value[option] = kept;
  return WARPBOUND_OK;
}
