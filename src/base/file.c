#include "base/file.h"

#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_CHUNK ((size_t)1 << 16)
/* Bytes of one call of pread: Linux reads at most 2 GiB. */
#define READ_MOST ((size_t)1 << 30)

static warpbound_status read_all(FILE *stream, const char *name, size_t most, struct wb_text *text,
                                 warpbound_error *error)
{
  char *chunk = malloc(READ_CHUNK);
  if (chunk == NULL)
    return wb_out_of_memory(error);
  size_t count;
  while ((count = fread(chunk, 1, READ_CHUNK, stream)) > 0 && text->length <= most)
    wb_text_append(text, chunk, count);
  free(chunk);
  if (ferror(stream))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "cannot be read: %s",
                      strerror(errno));
  if (text->length > most)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "larger than %zu bytes, the most that is read", most);
  return text->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status wb_input_read(const char *path, struct wb_input *source, warpbound_error *error)
{
  return wb_input_read_most(path, WB_INPUT_LIMIT, source, error);
}

warpbound_status wb_input_read_most(const char *path, size_t most, struct wb_input *source,
                                    warpbound_error *error)
{
  *source = (struct wb_input){0};
  bool standard_input = strcmp(path, "-") == 0;
  const char *name = standard_input ? "<standard input>" : path;
  FILE *stream = standard_input ? stdin : fopen(path, "rb");
  if (stream == NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "cannot be opened: %s",
                      strerror(errno));
  struct wb_text text = {0};
  warpbound_status status = read_all(stream, name, most, &text, error);
  if (!standard_input)
    fclose(stream);
  if (status != WARPBOUND_OK) {
    wb_text_free(&text);
    return status;
  }
  source->length = text.length;
  source->bytes = wb_text_take(&text);
  source->name = wb_copy_text(name, strlen(name));
  if (source->bytes == NULL || source->name == NULL) {
    wb_input_free(source);
    return wb_out_of_memory(error);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_input_reserve(const char *path, size_t length, struct wb_input *source,
                                  warpbound_error *error)
{
  *source = (struct wb_input){.name = wb_copy_text(path, strlen(path)), .length = length};
  source->bytes = length < SIZE_MAX ? wb_allocate(length + 1, 1) : NULL;
  if (source->name != NULL && source->bytes != NULL)
    return WARPBOUND_OK;
  wb_input_free(source);
  return wb_out_of_memory(error);
}

warpbound_status wb_input_read_part(struct wb_input *source, int descriptor, size_t offset,
                                    size_t length, warpbound_error *error)
{
  assert(offset <= source->length && length <= source->length - offset);
  for (size_t done = 0; done < length;) {
    const size_t chunk = length - done < READ_MOST ? length - done : READ_MOST;
    const ssize_t count =
        pread(descriptor, source->bytes + offset + done, chunk, (off_t)(offset + done));
    if (count == 0)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
                        "expected 0x%zx bytes at offset 0x%zx, found the end of the file after "
                        "0x%zx of them",
                        length, offset, done);
    if (count < 0 && errno != EINTR)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, source->name, 0, 0, "cannot be read: %s",
                        strerror(errno));
    done += count > 0 ? (size_t)count : 0;
  }
  return WARPBOUND_OK;
}

void wb_input_free(struct wb_input *source)
{
  free(source->name);
  free(source->bytes);
  *source = (struct wb_input){0};
}

static warpbound_status write_failed(const char *path, warpbound_error *error)
{
  return wb_fail_at(error, WARPBOUND_USAGE, path, 0, 0, "cannot be written: %s", strerror(errno));
}

static bool write_stream(FILE *stream, const char *bytes, size_t length)
{
  bool written = fwrite(bytes, 1, length, stream) == length;
  return fclose(stream) == 0 && written;
}

/* Makes an empty file beside `path`, named so that nobody else has it; *temporary is to be
 * freed. */
static warpbound_status make_beside(const char *path, char **temporary, int *descriptor,
                                    warpbound_error *error)
{
  struct wb_text name = {0};
  wb_text_format(&name, "%s.XXXXXX", path);
  *temporary = wb_text_take(&name);
  if (*temporary == NULL)
    return wb_out_of_memory(error);
  *descriptor = mkstemp(*temporary);
  if (*descriptor >= 0)
    return WARPBOUND_OK;
  write_failed(path, error);
  free(*temporary);
  return WARPBOUND_USAGE;
}

static warpbound_status try_beside(const char *path, warpbound_error *error)
{
  char *temporary;
  int descriptor;
  warpbound_status status = make_beside(path, &temporary, &descriptor, error);
  if (status != WARPBOUND_OK)
    return status;
  close(descriptor);
  unlink(temporary);
  free(temporary);
  return WARPBOUND_OK;
}

/* Writes to a file beside `path`, then renames. */
static warpbound_status write_beside(const char *path, const char *bytes, size_t length,
                                     warpbound_error *error)
{
  char *temporary;
  int descriptor;
  /* The permissions that fopen would have given, which mkstemp does not. */
  struct stat existing;
  mode_t mode = 0;
  if (stat(path, &existing) == 0) {
    mode = existing.st_mode & 07777;
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666 & ~mask;
  }
  warpbound_status status = make_beside(path, &temporary, &descriptor, error);
  if (status != WARPBOUND_OK)
    return status;
  FILE *stream = fchmod(descriptor, mode) == 0 ? fdopen(descriptor, "wb") : NULL;
  if (stream == NULL)
    close(descriptor);
  bool written = stream != NULL && write_stream(stream, bytes, length);
  if (!written || rename(temporary, path) != 0) {
    status = write_failed(path, error);
    unlink(temporary);
  }
  free(temporary);
  return status;
}

warpbound_status wb_file_write(const char *path, const char *bytes, size_t length,
                               warpbound_error *error)
{
  struct stat existing;
  if (stat(path, &existing) != 0)
    return write_beside(path, bytes, length, error);
  if (!S_ISREG(existing.st_mode)) {
    FILE *stream = fopen(path, "wb");
    if (stream == NULL || !write_stream(stream, bytes, length))
      return write_failed(path, error);
    return WARPBOUND_OK;
  }
  /* A link stays one: what it points to is replaced. */
  char *target = realpath(path, NULL);
  warpbound_status status =
      target != NULL ? write_beside(target, bytes, length, error) : write_failed(path, error);
  free(target);
  return status;
}

warpbound_status wb_file_try(const char *path, warpbound_error *error)
{
  struct stat existing;
  if (stat(path, &existing) != 0)
    return try_beside(path, error);
  if (S_ISDIR(existing.st_mode)) {
    errno = EISDIR;
    return write_failed(path, error);
  }
  if (!S_ISREG(existing.st_mode))
    return access(path, W_OK) == 0 ? WARPBOUND_OK : write_failed(path, error);
  char *target = realpath(path, NULL);
  warpbound_status status = target != NULL ? try_beside(target, error) : write_failed(path, error);
  free(target);
  return status;
}

bool wb_file_same(const char *a, const char *b)
{
  struct stat first, second;
  if (strcmp(a, b) == 0)
    return true;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
