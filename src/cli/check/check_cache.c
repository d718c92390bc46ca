#include "cli/check/check_cache.h"

#include "base/file.h"
#include "base/text.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "FOLDER/ab/cdef....json"; upto: the folder alone. */
static void write_path(const char *folder, const char *key, bool upto, struct wb_text *path)
{
  wb_text_format(path, "%s/%.2s", folder, key);
  if (!upto)
    wb_text_format(path, "/%s.json", key + 2);
}

/* Whether the files that the result rests on beside those of its digest are as they were. */
static bool are_same_files(const json_t *files)
{
  const char *path;
  json_t *was;
  if (!json_is_object(files))
    return false;
  json_object_foreach((json_t *)files, path, was)
  {
    struct wb_input file;
    char digest[DIGEST_SIZE];
    if (json_is_null(was)) {
      if (access(path, F_OK) == 0)
        return false;
      continue;
    }
    if (!json_is_string(was) || wb_input_read(path, &file, NULL) != WARPBOUND_OK)
      return false;
    digest_of(file.bytes, file.length, digest);
    wb_input_free(&file);
    if (strcmp(digest, json_string_value(was)) != 0)
      return false;
  }
  return true;
}

json_t *check_cache_find(const char *folder, const char key[DIGEST_SIZE])
{
  struct wb_text path = {0};
  struct wb_input file;
  json_t *object = NULL;
  write_path(folder, key, false, &path);
  if (path.failed || wb_input_read(path.data, &file, NULL) != WARPBOUND_OK) {
    wb_text_free(&path);
    return NULL;
  }
  if (wb_json_parse(file.name, file.bytes, file.length, &object, NULL) != WARPBOUND_OK)
    object = NULL;
  wb_input_free(&file);
  wb_text_free(&path);
  const char *found = json_string_value(json_object_get(object, "key"));
  if (object == NULL || found == NULL || strcmp(found, key) != 0 ||
      !are_same_files(json_object_get(object, "files")) ||
      !json_is_object(json_object_get(object, "row"))) {
    json_decref(object);
    return NULL;
  }
  return object;
}

/* Makes a folder and those above it. */
static bool make_folder(char *path)
{
  for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
    *at = '\0';
    const bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *at = '/';
    if (!made)
      return false;
  }
  return mkdir(path, 0777) == 0 || errno == EEXIST;
}

warpbound_status check_cache_keep(const char *folder, const char key[DIGEST_SIZE],
                                  const json_t *object, warpbound_error *error)
{
  struct wb_text parent = {0};
  struct wb_text path = {0};
  struct wb_text text = {0};
  write_path(folder, key, true, &parent);
  write_path(folder, key, false, &path);
  wb_json_write(object, JSON_COMPACT, &text);
  warpbound_status status = WARPBOUND_OK;
  if (parent.failed || path.failed || text.failed)
    status = wb_out_of_memory(error);
  else if (!make_folder(parent.data))
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, parent.data, 0, 0,
                        "the folder of kept results cannot be made: %s", strerror(errno));
  if (status == WARPBOUND_OK)
    status = wb_file_write(path.data, text.data, text.length, error);
  wb_text_free(&parent);
  wb_text_free(&path);
  wb_text_free(&text);
  return status;
}
