/* JSON files as input: parsing by Jansson, and reading members with messages that name the file and
 * the key. Jansson keeps no positions of values: messages name a value that is not valid by its
 * key, and give line and column of a text that is not JSON.
 *
 * In all functions `name` is the file's, and `place` is a value's name in messages: its key,
 * perhaps with those around it, as "units, L, hold". Objects are borrowed for the call. Errors are
 * WARPBOUND_INVALID_INPUT unless others are named. */
#ifndef WB_FORMATS_JSON_JSON_INPUT_H
#define WB_FORMATS_JSON_JSON_INPUT_H

#include "base/arena.h"
#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest JSON text in bytes: its tree takes up to some 20 times as much. */
#define WB_JSON_LIMIT ((size_t)1 << 27)

/* Parses a text that must be one JSON object without duplicate keys; a byte order mark before it is
 * skipped. The caller drops the object with json_decref. Errors: WARPBOUND_INVALID_INPUT,
 * WARPBOUND_INTERNAL. Linear in the text. */
warpbound_status wb_json_parse(const char *name, const char *text, size_t length, json_t **object,
                               warpbound_error *error);

/* Reads an object into *into, which need not be initialised; after an error it owns nothing. */
typedef warpbound_status wb_json_read(const char *name, const json_t *object, void *into,
                                      warpbound_error *error);
/* Parses a text as wb_json_parse does, and reads the object. Errors: those of both, with *into
 * untouched where the text is not such an object. */
warpbound_status wb_json_parse_as(const char *name, const char *text, size_t length,
                                  wb_json_read *read, void *into, warpbound_error *error);

/* Refuses members whose keys are not among `keys` ("type warps work"); keys that begin with "x-"
 * are for other tools and pass. */
warpbound_status wb_json_check_keys(const char *name, const json_t *object, const char *keys,
                                    warpbound_error *error);

/* Refuses an object whose member "format" is not one of `formats` (ended by NULL). */
warpbound_status wb_json_format(const char *name, const json_t *object, const char *const *formats,
                                warpbound_error *error);

/* Fails with "PLACE: expected EXPECTED, found TYPE". */
warpbound_status wb_json_wrong(const char *name, const char *place, const char *expected,
                               const json_t *found, warpbound_error *error);

/* ---- reading with a sticky failure ---- */

/* A file being read. After the first failure, which is in *error, the functions below do nothing
 * and return 0, false or NULL; whoever indexes by what was read asks wb_json_good first. */
struct wb_json_reader {
  const char *name; /* the file's, for messages */
  warpbound_error *error;
  struct wb_arena *arena; /* of wb_json_allocate and the functions that use it; may be NULL */
  warpbound_status status;
  char place[160]; /* of the value at hand: "pools, entry 2"; "": the file's object */
};

static inline bool wb_json_good(const struct wb_json_reader *reader)
{
  return reader->status == WARPBOUND_OK;
}

/* Sets the place of the value at hand. */
void wb_json_at(struct wb_json_reader *reader, const char *format, ...) WB_PRINTF(2, 3);
/* The value at hand is the file's object. */
static inline void wb_json_at_file(struct wb_json_reader *reader)
{
  reader->place[0] = '\0';
}
/* Fails with a message of its own. */
void wb_json_fail(struct wb_json_reader *reader, const char *format, ...) WB_PRINTF(2, 3);
/* Fails with "PLACE: expected EXPECTED, found TYPE". */
void wb_json_expected(struct wb_json_reader *reader, const char *expected, const json_t *found);
/* Zeroed, of the arena; NULL is a failure of the reader. */
void *wb_json_allocate(struct wb_json_reader *reader, size_t count, size_t size);

/* The object of a file: its member "format" has to be `format`, and its keys among `keys`. */
void wb_json_file(struct wb_json_reader *reader, const json_t *object, const char *format,
                  const char *keys);
/* The value at hand has to be an object with no other keys. */
void wb_json_object(struct wb_json_reader *reader, const json_t *value, const char *keys);

/* A whole number from least to most at the place; the same of a member, at "PLACE, KEY", which has
 * to be there, or is `otherwise` where it is left out. */
uint64_t wb_json_number(struct wb_json_reader *reader, const json_t *value, uint64_t least,
                        uint64_t most);
uint64_t wb_json_member(struct wb_json_reader *reader, const json_t *object, const char *key,
                        uint64_t least, uint64_t most);
uint64_t wb_json_optional(struct wb_json_reader *reader, const json_t *object, const char *key,
                          uint64_t least, uint64_t most, uint64_t otherwise);
/* A whole number of 64 bits at the place, which may be negative. */
int64_t wb_json_signed(struct wb_json_reader *reader, const json_t *value);
/* true, false or nothing, which is false: a member at the place; messages expect `expected`. */
bool wb_json_mark(struct wb_json_reader *reader, const json_t *object, const char *key,
                  const char *expected);

/* A member that is a list, at "PLACE, KEY"; messages expect `expected`. NULL after a failure. */
const json_t *wb_json_array_member(struct wb_json_reader *reader, const json_t *object,
                                   const char *key, const char *expected);
/* Whether the value at hand is a list of `count` values; else a failure that expects `expected`. */
bool wb_json_row(struct wb_json_reader *reader, const json_t *value, size_t count,
                 const char *expected);

#endif
