#include "binary/container/images.h"

#include "base/memory.h"

#include <lz4.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

void wb_images_free(struct wb_images *images)
{
  free(images->items);
  wb_name_pool_free(&images->names);
  *images = (struct wb_images){0};
}

static warpbound_status fail(const char *name, const struct wb_image *image, warpbound_error *error,
                             const char *format, ...) WB_PRINTF(4, 5);

static warpbound_status fail(const char *name, const struct wb_image *image, warpbound_error *error,
                             const char *format, ...)
{
  char message[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "%s%soffset 0x%llx: %s",
                    image->place, image->place[0] != '\0' ? ", " : "",
                    (unsigned long long)image->offset, message);
}

static warpbound_status decompress(const char *name, const struct wb_image *image,
                                   struct wb_image_bytes *unpacked, warpbound_error *error)
{
  unsigned char *bytes = malloc(image->length > 0 ? image->length : 1);
  if (bytes == NULL)
    return wb_out_of_memory(error);
  unpacked->owned = bytes;
  unpacked->bytes = bytes;
  if (image->compression == WB_IMAGE_LZ4) {
    /* Both lengths are below WB_IMAGE_LIMIT, which an int holds. */
    const int made = LZ4_decompress_safe((const char *)image->stored, (char *)bytes,
                                         (int)image->stored_length, (int)image->length);
    if (made == (int)image->length)
      return WARPBOUND_OK;
    return fail(name, image, error,
                "expected an LZ4 block of %zu bytes after decompression, found %s", image->length,
                made < 0 ? "a damaged one" : "less");
  }
  const size_t made = ZSTD_decompress(bytes, image->length, image->stored, image->stored_length);
  if (made == image->length)
    return WARPBOUND_OK;
  return fail(name, image, error,
              "expected a Zstandard frame of %zu bytes after decompression, found %s",
              image->length, ZSTD_isError(made) ? ZSTD_getErrorName(made) : "less");
}

warpbound_status wb_image_unpack(const char *name, const struct wb_image *image,
                                 struct wb_image_bytes *unpacked, warpbound_error *error)
{
  *unpacked = (struct wb_image_bytes){.bytes = image->stored, .length = image->length};
  if (image->damage != NULL)
    return fail(name, image, error, "%s", image->damage);
  warpbound_status status = WARPBOUND_OK;
  if (image->compression != WB_IMAGE_PLAIN)
    status = decompress(name, image, unpacked, error);
  if (status != WARPBOUND_OK) {
    wb_image_bytes_free(unpacked);
    return status;
  }
  while (image->kind == WB_IMAGE_PTX && unpacked->length > 0 &&
         unpacked->bytes[unpacked->length - 1] == '\0')
    unpacked->length--;
  return WARPBOUND_OK;
}

void wb_image_bytes_free(struct wb_image_bytes *unpacked)
{
  free(unpacked->owned);
  *unpacked = (struct wb_image_bytes){0};
}

bool wb_images_is_module(const struct wb_images *images, size_t i, const char *module)
{
  const struct wb_image *image = &images->items[i];
  char number[24];
  if (module == NULL)
    return true;
  snprintf(number, sizeof number, "%zu", i + 1);
  const size_t length = strlen(module);
  return strcmp(module, number) == 0 || (length > 0 && strcmp(module, image->identifier) == 0) ||
         (length > 0 && strncmp(image->place, module, length) == 0 &&
          (image->place[length] == '\0' || strncmp(image->place + length, ", ", 2) == 0));
}

bool wb_architecture_is(const char *architecture, const char *named)
{
  const size_t length = strlen(named);
  if (length == 0 || strncmp(architecture, named, length) != 0)
    return false;
  const char last = named[length - 1];
  const char *rest = architecture + length;
  return rest[0] == '\0' ||
         (last >= '0' && last <= '9' && rest[0] >= 'a' && rest[0] <= 'z' && rest[1] == '\0');
}
