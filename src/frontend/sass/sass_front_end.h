/* The SASS front end: from a listing of cuobjdump -sass or nvdisasm to machine code. */
#ifndef WB_FRONTEND_SASS_SASS_FRONT_END_H
#define WB_FRONTEND_SASS_SASS_FRONT_END_H

#include "base/status.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The targets of an indexed branch, as the user gives them where the listing has none:
 * `--targets ADDRESS=A,B,C`, of the kernel where one is named. */
struct wb_sass_targets {
  const char *kernel; /* NULL: the only one with a BRX at that address */
  uint64_t address;
  const uint64_t *targets;
  size_t target_count;
};

struct wb_sass_options {
  const struct wb_sass_targets *targets;
  size_t target_count;
};

/* Whether text looks like a SASS listing: for choosing the front end. */
bool wb_sass_detect(const char *text, size_t length);

struct wb_sass_parser;

/* Begins a reading of machine code, of a listing or of cubins, into *code. False: an error was
 * recorded; wb_sass_end follows in any case. */
bool wb_sass_begin(struct wb_sass_parser *parser, const char *name,
                   const struct wb_sass_options *options, struct wb_code *code,
                   warpbound_error *error);

/* Ends it with what needs all of the code, and frees the parser; read: there was no error. */
warpbound_status wb_sass_end(struct wb_sass_parser *parser, bool read);

/* Parses a listing of `length` bytes, which need not be valid in any way: the form is
 * detected. `name` is for messages. options may be NULL.
 * An indexed branch has the targets of its annotation, else those of its table in
 * .nv.constant2, else those of an option; with none of them it has none, and the analyses
 * that reach it ask for them.
 * Errors: WARPBOUND_INVALID_INPUT with line and column, saying what was expected and what
 * was found; WARPBOUND_USAGE for an option that fits no branch. Near linear in length; memory
 * is at most a fixed multiple of it.
 * The caller frees the code with wb_code_free. */
warpbound_status wb_sass_parse(const char *name, const char *text, size_t length,
                               const struct wb_sass_options *options, struct wb_code *code,
                               warpbound_error *error);

#endif
