#include "cli/check/check_cache.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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
  (void)utimensat(AT_FDCWD, path.data, NULL, 0); /* it is used: it stays for longer */
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

/* ---- what the folder may hold ---- */

/* A kept result. */
struct kept_file {
  char *path;
  uint64_t bytes;
  struct timespec used;
};

struct kept_files {
  struct kept_file *items;
  size_t count, capacity;
  uint64_t bytes;
  bool failed; /* no memory */
};

/* Whether a name has so many hexadecimal digits and then the ending alone. */
static bool is_kept_name(const char *name, size_t digits, const char *ending)
{
  return strspn(name, "0123456789abcdef") == digits && strcmp(name + digits, ending) == 0;
}

/* Adds the kept results of a folder below. */
static void list_below(const char *folder, struct kept_files *files)
{
  DIR *open = opendir(folder);
  if (open == NULL)
    return;
  for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
    struct wb_text path = {0};
    struct stat found;
    if (!is_kept_name(entry->d_name, DIGEST_SIZE - 3, ".json"))
      continue;
    wb_text_format(&path, "%s/%s", folder, entry->d_name);
    if (path.failed || !wb_grow(files->items, &files->capacity, files->count + 1))
      files->failed = true;
    else if (lstat(path.data, &found) == 0 && S_ISREG(found.st_mode)) {
      files->items[files->count++] = (struct kept_file){
          .path = wb_text_take(&path), .bytes = (uint64_t)found.st_size, .used = found.st_mtim};
      files->bytes += (uint64_t)found.st_size;
    }
    wb_text_free(&path);
  }
  (void)closedir(open);
}

/* By the time of the last use, then by name. */
static int compare_files(const void *left, const void *right)
{
  const struct kept_file *one = left;
  const struct kept_file *other = right;
  if (one->used.tv_sec != other->used.tv_sec)
    return one->used.tv_sec < other->used.tv_sec ? -1 : 1;
  if (one->used.tv_nsec != other->used.tv_nsec)
    return one->used.tv_nsec < other->used.tv_nsec ? -1 : 1;
  return strcmp(one->path, other->path);
}

bool check_cache_prune(const char *folder, uint64_t most)
{
  struct kept_files files = {0};
  DIR *open = opendir(folder);
  if (open == NULL)
    return true;
  for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
    struct wb_text path = {0};
    if (!is_kept_name(entry->d_name, 2, ""))
      continue;
    wb_text_format(&path, "%s/%s", folder, entry->d_name);
    if (path.failed)
      files.failed = true;
    else
      list_below(path.data, &files);
    wb_text_free(&path);
  }
  (void)closedir(open);
  if (files.count > 0)
    qsort(files.items, files.count, sizeof *files.items, compare_files);
  for (size_t f = 0; f < files.count; f++) {
    if (files.bytes > most && unlink(files.items[f].path) == 0)
      files.bytes -= files.items[f].bytes;
    free(files.items[f].path);
  }
  free(files.items);
  return !files.failed;
}
