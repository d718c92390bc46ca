/* Images: the pieces of GPU code that a file holds, PTX and cubins, each maybe compressed; how they
 * are unpacked, and which a person means. */
#ifndef WB_BINARY_CONTAINER_IMAGES_H
#define WB_BINARY_CONTAINER_IMAGES_H

#include "base/name_pool.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wb_image_kind {
  WB_IMAGE_PTX,
  WB_IMAGE_CUBIN,
  WB_IMAGE_OTHER, /* what is neither: code for a later link (LTO), say */
  WB_IMAGE_NONE   /* nothing is known of it: it is damaged */
};

enum wb_image_compression { WB_IMAGE_PLAIN, WB_IMAGE_LZ4, WB_IMAGE_ZSTANDARD };

/* Largest image in bytes after decompression: as the largest file that is read, WB_INPUT_LIMIT. */
#define WB_IMAGE_LIMIT ((uint64_t)1 << 28)

/* Most images of a file: a library of kernels has some thousand. */
#define WB_CONTAINER_IMAGE_LIMIT ((size_t)1 << 16)

/* Most bytes of the images that are open at a time, after decompression: four times the largest
 * file that is read whole. All images of a file have at most as many, or that many times its own
 * bytes. */
#define WB_CONTAINER_BYTES_LIMIT (4 * WB_IMAGE_LIMIT)
#define WB_CONTAINER_EXPANSION 16

/* One image. Texts are the list's, stored bytes the caller's. */
struct wb_image {
  enum wb_image_kind kind;
  uint32_t architecture;      /* 90 for sm_90; 0 where the container does not say */
  char suffix;                /* 'a', 'f' or 0 */
  char architecture_name[16]; /* "sm_90a", "" where the container does not say */
  const char *place; /* in the file, in words: "b.o, .nv_fatbin, entry 2"; "" for the whole file */
  uint64_t offset;   /* of its stored bytes in the file */
  const char *identifier; /* the source that it was compiled from, "" for none */
  const char *options;    /* those of the compiler that assembles PTX, "" for none */
  bool debug;             /* compiled with -G */
  enum wb_image_compression compression;
  const unsigned char *stored;
  size_t stored_length;
  size_t length;      /* after decompression */
  const char *damage; /* what was expected there; NULL: none was seen without unpacking it */
};

/* The images of a file in its order. Zero it; free with wb_images_free. */
struct wb_images {
  struct wb_image *items;
  size_t count;
  size_t capacity;
  uint64_t bytes; /* of all images after decompression */
  struct wb_name_pool names;
};

void wb_images_free(struct wb_images *images);

/* The bytes of one image after decompression. */
struct wb_image_bytes {
  const unsigned char *bytes;
  size_t length;
  unsigned char *owned; /* NULL where bytes are those of the file */
};

/* Decompresses an image; PTX loses the zeros at its end. Errors: the image's damage, and
 * WARPBOUND_INVALID_INPUT with the offset in the file; WARPBOUND_INTERNAL. Free with
 * wb_image_bytes_free. name: the file's. */
warpbound_status wb_image_unpack(const char *name, const struct wb_image *image,
                                 struct wb_image_bytes *unpacked, warpbound_error *error);
void wb_image_bytes_free(struct wb_image_bytes *unpacked);

/* Whether image i is of the module that a person means: by its number in the file, from 1; by its
 * place, or how that begins ("b.o", "b.o, .nv_fatbin"); by the source that it was compiled from.
 * NULL means all. */
bool wb_images_is_module(const struct wb_images *images, size_t i, const char *module);

/* Whether an architecture, "sm_90a", is the one that a person names: itself, or "sm_90" for sm_90,
 * sm_90a and sm_90f. */
bool wb_architecture_is(const char *architecture, const char *named);

#endif
