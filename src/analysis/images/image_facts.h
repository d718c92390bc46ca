/* What is known of an image of GPU code without analysing it: toolkit, functions, parameters,
 * resources. */
#ifndef WB_ANALYSIS_IMAGES_IMAGE_FACTS_H
#define WB_ANALYSIS_IMAGES_IMAGE_FACTS_H

#include "base/arena.h"
#include "base/name_pool.h"
#include "base/status.h"
#include "warpbound.h"

#include <stdbool.h>
#include <stddef.h>

struct wb_image;

/* A function and its parameters: parameters[first .. first + facts.parameter_count - 1]. */
struct wb_image_function {
  warpbound_image_function facts;
  char *demangled; /* owned; NULL where the name is not mangled */
  size_t first_parameter;
};

/* The facts of one image; all owned. Zero it; free with wb_image_facts_free. */
struct wb_image_facts {
  char architecture[16]; /* "sm_90a", of PTX "compute_90a"; "" where nothing says */
  uint32_t sm;
  char toolkit[16]; /* "13.0"; "" where the image does not say */
  char version[16]; /* of PTX, "9.0" */
  bool relocatable;
  char *damage; /* why it cannot be read; NULL where it was */
  struct wb_image_function *functions;
  size_t function_count;
  warpbound_image_parameter *parameters;
  size_t parameter_count;
  struct wb_name_pool names;
  struct wb_arena arena; /* owns functions, parameters and damage */
};

/* Decompresses an image of a file, reads its facts and lets its bytes go. An image that cannot be
 * read has its damage instead. name: the file's. Errors: WARPBOUND_INTERNAL; facts are to be freed
 * then too. */
warpbound_status wb_image_facts_read(const char *name, const struct wb_image *image,
                                     struct wb_image_facts *facts, warpbound_error *error);

/* The same of a text: PTX or a SASS listing. Errors: those of wb_sass_parse. */
warpbound_status wb_image_facts_of_ptx(const char *text, size_t length,
                                       struct wb_image_facts *facts, warpbound_error *error);
warpbound_status wb_image_facts_of_listing(const char *name, const char *text, size_t length,
                                           struct wb_image_facts *facts, warpbound_error *error);

void wb_image_facts_free(struct wb_image_facts *facts);

#endif
