/* Files that hold GPU code: cubins, fat binaries, ELF programs, libraries and objects with fat
 * binaries in them, static libraries of these. */
#ifndef WB_BINARY_CONTAINER_CONTAINER_H
#define WB_BINARY_CONTAINER_CONTAINER_H

#include "base/status.h"
#include "binary/container/images.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a file is, by its first bytes. */
enum wb_container_kind {
  WB_CONTAINER_NONE, /* no file that is read here: a text, say */
  WB_CONTAINER_CUBIN,
  WB_CONTAINER_FAT_BINARY,
  WB_CONTAINER_PROGRAM, /* ELF for a processor: a program, a shared library, an object */
  WB_CONTAINER_LIBRARY  /* a static library, "!<arch>\n" */
};

enum wb_container_kind wb_container_kind(const unsigned char *bytes, size_t length);

/* Whether a section of the name is one in which compilers of CUDA put fat binaries: linked code,
 * and code for the device linker (-rdc=true). */
bool wb_container_section_counts(const char *name);

/* Lists the images of a file, none of which is decompressed. What is damaged inside becomes an
 * image with its damage, and the list goes on behind it where that can be found. The bytes must
 * outlive the images. Errors: WARPBOUND_INVALID_INPUT where the file is none of those kinds, holds
 * no GPU code, or is over a limit, which the message names; WARPBOUND_INTERNAL. Linear in length.
 * name: the file's, for messages. */
warpbound_status wb_container_read(const char *name, const unsigned char *bytes, size_t length,
                                   struct wb_images *images, warpbound_error *error);

#endif
