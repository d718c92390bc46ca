/* JSON files as input: parsing by Jansson, and reading members with messages that name the file and
 * the key. Jansson keeps no positions of values: messages name a value that is not valid by its
 * key, and give line and column of a text that is not JSON.
 *
 * In all functions `name` is the file's, and `place` is a value's name in messages: its key,
 * perhaps with those around it, as "units, L, hold". Objects are borrowed for the call. Errors are
 * WARPBOUND_INVALID_INPUT unless others are named. */
#ifndef WB_FORMATS_JSON_JSON_INPUT_H
#define WB_FORMATS_JSON_JSON_INPUT_H

#include "base/status.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Largest JSON text in bytes: its tree takes up to some 20 times as much. */
#define WB_JSON_LIMIT ((size_t)1 << 27)

/* Parses a text that must be one JSON object without duplicate keys; a byte order mark before it is
 * skipped. The caller drops the object with json_decref. Errors: WARPBOUND_INVALID_INPUT,
 * WARPBOUND_INTERNAL. Linear in the text. */
warpbound_status wb_json_parse(const char *name, const char *text, size_t length, json_t **object,
                               warpbound_error *error);

/* Reads an object into *into. */
typedef warpbound_status wb_json_reader(const char *name, const json_t *object, void *into,
                                        warpbound_error *error);
/* Parses a text as wb_json_parse does, and reads the object. Errors: those of both. */
warpbound_status wb_json_parse_as(const char *name, const char *text, size_t length,
                                  wb_json_reader *read, void *into, warpbound_error *error);

/* Refuses members whose keys are not among `keys` (ended by NULL); keys that begin with "x-" are
 * for other tools and pass. */
warpbound_status wb_json_check_keys(const char *name, const json_t *object, const char *const *keys,
                                    warpbound_error *error);

/* Refuses an object whose member "format" is not one of `formats` (ended by NULL). */
warpbound_status wb_json_format(const char *name, const json_t *object, const char *const *formats,
                                warpbound_error *error);

/* Reads a whole number from least to most. */
warpbound_status wb_json_number(const char *name, const char *place, const json_t *value,
                                uint64_t least, uint64_t most, uint64_t *number,
                                warpbound_error *error);

/* Reads a whole number of 64 bits, which may be negative. */
warpbound_status wb_json_signed(const char *name, const char *place, const json_t *value,
                                int64_t *number, warpbound_error *error);

/* Fails with "PLACE: expected EXPECTED, found TYPE". */
warpbound_status wb_json_wrong(const char *name, const char *place, const char *expected,
                               const json_t *found, warpbound_error *error);

/* The name of a value's type in messages: "a string", "true", "nothing" for NULL, ... */
const char *wb_json_type_name(const json_t *value);

#endif
