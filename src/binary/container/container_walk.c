#include "binary/container/container_walk.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool wb_container_fail(const struct wb_container_walk *walk, const char *format, ...)
{
  char message[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  wb_fail_at(walk->error, WARPBOUND_INVALID_INPUT, walk->name, 0, 0, "%s", message);
  return false;
}

bool wb_container_out_of_memory(const struct wb_container_walk *walk)
{
  wb_out_of_memory(walk->error);
  return false;
}

const char *wb_container_keep(struct wb_container_walk *walk, const char *text, size_t length)
{
  const char *kept = wb_name_pool_copy(&walk->images->names, text, length);
  if (kept == NULL)
    wb_out_of_memory(walk->error);
  return kept;
}

bool wb_container_add(struct wb_container_walk *walk, const struct wb_image *image)
{
  struct wb_images *images = walk->images;
  if (images->count >= WB_CONTAINER_IMAGE_LIMIT)
    return wb_container_fail(walk, "offset 0x%llx: expected at most %zu images",
                             (unsigned long long)image->offset, WB_CONTAINER_IMAGE_LIMIT);
  if (image->length > WB_CONTAINER_BYTES_LIMIT - images->bytes)
    return wb_container_fail(walk, "offset 0x%llx: expected images of at most %llu bytes together",
                             (unsigned long long)image->offset,
                             (unsigned long long)WB_CONTAINER_BYTES_LIMIT);
  if (!wb_grow(images->items, &images->capacity, images->count + 1))
    return wb_container_out_of_memory(walk);
  images->items[images->count++] = *image;
  images->bytes += image->length;
  return true;
}

const char *wb_container_place(struct wb_container_walk *walk, const char *place,
                               const char *format, ...)
{
  char words[WB_CONTAINER_PLACE];
  char last[WB_CONTAINER_PLACE / 2];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last, sizeof last, format, arguments);
  va_end(arguments);
  snprintf(words, sizeof words, "%.*s%s%s", WB_CONTAINER_PLACE / 2 - 4, place,
           place[0] != '\0' ? ", " : "", last);
  return wb_container_keep(walk, words, strlen(words));
}

bool wb_container_add_damaged(struct wb_container_walk *walk, const char *place, uint64_t offset,
                              const char *format, ...)
{
  char message[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  const char *damage = wb_container_keep(walk, message, strlen(message));
  const struct wb_image image = {.kind = WB_IMAGE_NONE,
                                 .place = place,
                                 .offset = offset,
                                 .identifier = "",
                                 .options = "",
                                 .damage = damage};
  return damage != NULL && wb_container_add(walk, &image);
}
