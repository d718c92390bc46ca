/* Kernels of files that hold GPU code: from the images of one architecture to code. */
#ifndef WB_FRONTEND_BINARY_BINARY_FRONT_END_H
#define WB_FRONTEND_BINARY_BINARY_FRONT_END_H

#include "base/status.h"
#include "base/text.h"
#include "binary/container/container.h"
#include "frontend/sass/sass_front_end.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bytes begin as those of a file that holds GPU code. */
bool wb_binary_detect(const char *bytes, size_t length);

/* Which of the images of a file are meant: those of one architecture. */
struct wb_image_wish {
  const char *architecture; /* "sm_90a", or "sm_90" where that is not there; "compute_90" for PTX;
                             * NULL: the only one, or the one for the device */
  const char *module;     /* the number or the name of a module (wb_images_is_module); NULL: all */
  const char *kernel;     /* the only function that is asked for (wb_demangled_matches): its module
                           * alone is read where that is enough; NULL: all. Of wb_binary_code. */
  uint32_t device;        /* 87: what sm_87 would run, where no architecture is named; 0: none */
  bool machine_code_only; /* PTX is not wanted */
};

/* Sets chosen[i], one a image, for all images of the module and architecture that are meant:
 * cubins, or PTX where that alone fits. Without an architecture or a device there must be cubins of
 * one architecture, or none and PTX of one. What a device runs is its own architecture, or the
 * largest below it of the same generation. name: the file's. Errors: WARPBOUND_USAGE where that
 * names no image, or none alone; the message lists those that are there. */
warpbound_status wb_images_choose(const char *name, const struct wb_images *images,
                                  const struct wb_image_wish *wish, bool *chosen,
                                  warpbound_error *error);

/* What of a listing is wanted. Zeroed: all that the analyses read. */
struct wb_binary_form {
  const char *kernel; /* the section of this function alone, as a user names it
                       * (wb_demangled_matches); NULL: all */
  bool code_only;     /* instructions alone, without encodings */
  bool control;       /* with what control words say (wb_listing_options) */
};

/* The text of the kernels that are meant: PTX where *ptx is set, else a listing of machine code
 * with all that the analyses read, in the form of nvdisasm; that is also what `disassemble` prints.
 * All cubins of the architecture stand one after the other. A function that several hold stands
 * once where their code is the same, and so is that of the functions that they call; else it is
 * NAME@module_N, with the number of its module. name: the file's. form: of a listing; NULL: zeroed.
 * text: zeroed; free with wb_text_free, also after an error. Errors: those of wb_container_read,
 * wb_images_choose, wb_image_unpack, wb_cubin_read and wb_cubin_listing; WARPBOUND_INVALID_INPUT
 * for several modules of PTX; WARPBOUND_USAGE
 * for a kernel that is none or several. */
warpbound_status wb_binary_text(const char *name, const char *bytes, size_t length,
                                const struct wb_image_wish *wish, const struct wb_binary_form *form,
                                struct wb_text *text, bool *ptx, warpbound_error *error);

/* The instructions of the kernels that are meant, as of the listing that wb_binary_text prints of
 * them: lines, columns and places in errors are those of it; where one module of several is read
 * alone, of its listing, and code->name says of which. Of PTX its text alone, where *ptx is set.
 * code: free with wb_code_free where it is set. options: may be NULL. Errors: also those of
 * wb_sass_parse. */
warpbound_status wb_binary_code(const char *name, const char *bytes, size_t length,
                                const struct wb_image_wish *wish,
                                const struct wb_sass_options *options, struct wb_code *code,
                                struct wb_text *text, bool *ptx, warpbound_error *error);

#endif
