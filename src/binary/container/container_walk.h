/* The walk over a file that holds GPU code: what its parts share. */
#ifndef WB_BINARY_CONTAINER_CONTAINER_WALK_H
#define WB_BINARY_CONTAINER_CONTAINER_WALK_H

#include "binary/container/image.h"

/* A walk under way. Functions below return false with *error where it is to end. */
struct wb_container_walk {
  const char *name; /* of the file, for messages */
  const unsigned char *bytes;
  size_t length;
  struct wb_images *images;
  uint64_t looked_at; /* bytes of sections so far, which may overlap */
  warpbound_error *error;
};

/* A stretch of the file, and where it lies: "b.o, .nv_fatbin", "" for the whole file. */
struct wb_container_part {
  const char *place;
  size_t begin;
  size_t end;
};

/* Sections of one file together are looked at as many times its bytes at most. */
#define WB_CONTAINER_SHARED_BYTES 4

/* Longest place in words; a longer one is cut off. */
#define WB_CONTAINER_PLACE 256

/* Adds an image; its texts must be the list's. */
bool wb_container_add(struct wb_container_walk *walk, const struct wb_image *image);

/* The place of a part of a part, "PLACE, WORDS"; NULL with *error where memory is out. */
const char *wb_container_place(struct wb_container_walk *walk, const char *place,
                               const char *format, ...) WB_PRINTF(3, 4);

/* Adds what is damaged: the message says what was expected at the offset. */
bool wb_container_add_damaged(struct wb_container_walk *walk, const char *place, uint64_t offset,
                              const char *format, ...) WB_PRINTF(4, 5);

/* A copy of a text that lives as long as the list; NULL with *error where memory is out. */
const char *wb_container_keep(struct wb_container_walk *walk, const char *text, size_t length);

/* Ends the walk: the file is not valid. */
bool wb_container_fail(const struct wb_container_walk *walk, const char *format, ...)
    WB_PRINTF(2, 3);
bool wb_container_out_of_memory(const struct wb_container_walk *walk);

/* fat_binary.c: all fat binaries of a part. Between them are zeros, or with `others` anything. */
bool wb_container_walk_fat_binaries(struct wb_container_walk *walk,
                                    const struct wb_container_part *part, bool others);

/* program.c: the sections of an ELF file that hold fat binaries; where none does, fat binaries
 * anywhere in it. */
bool wb_container_walk_program(struct wb_container_walk *walk,
                               const struct wb_container_part *part);

/* library.c: calls `visit` for each member of a static library. */
typedef bool wb_container_visit(struct wb_container_walk *walk,
                                const struct wb_container_part *part, unsigned depth);
bool wb_container_walk_library(struct wb_container_walk *walk, const struct wb_container_part *part,
                               unsigned depth, wb_container_visit *visit);

#endif
