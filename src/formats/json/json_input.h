/* JSON files as input: parsing by Jansson, and fetching members with messages that
 * name the file and the key. Jansson keeps no positions, so that a value that is
 * not valid is named by its key, a text that is no JSON by line and column. */
#ifndef WB_FORMATS_JSON_JSON_INPUT_H
#define WB_FORMATS_JSON_JSON_INPUT_H

#include "base/status.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Largest JSON text in bytes: its tree takes up to some 20 times as much. */
#define WB_JSON_LIMIT ((size_t)1 << 27)

/* Parses a text that must be one JSON object, duplicate keys refused; a byte order mark
 * before it is skipped. The caller drops it with json_decref. Errors:
 * WARPBOUND_INVALID_INPUT. */
warpbound_status wb_json_parse(const char *name, const char *text, size_t length, json_t **object,
                               warpbound_error *error);

/* Makes *into of an object that is borrowed for the call; `name` is the file's. */
typedef warpbound_status wb_json_reader(const char *name, const json_t *object, void *into,
                                        warpbound_error *error);
/* Parses a text as above and has it read. Errors: those of both. */
warpbound_status wb_json_parse_as(const char *name, const char *text, size_t length,
                                  wb_json_reader *read, void *into, warpbound_error *error);

/* Refuses a member that is not among `keys` (ended by NULL); keys that begin with
 * "x-" are for other tools and pass. */
warpbound_status wb_json_check_keys(const char *name, const json_t *object, const char *const *keys,
                                    warpbound_error *error);

/* Whether the member "format" is one of `formats` (ended by NULL). Errors:
 * WARPBOUND_INVALID_INPUT. */
warpbound_status wb_json_format(const char *name, const json_t *object, const char *const *formats,
                                warpbound_error *error);

/* A whole number from least to most. `place` is what messages call it: a key, perhaps
 * with those around it, as "units, L, hold". */
warpbound_status wb_json_number(const char *name, const char *place, const json_t *value,
                                uint64_t least, uint64_t most, uint64_t *number,
                                warpbound_error *error);

/* A whole number that may be negative; any of 64 bits. */
warpbound_status wb_json_signed(const char *name, const char *place, const json_t *value,
                                int64_t *number, warpbound_error *error);

/* "PLACE: expected WHAT, found a TYPE". */
warpbound_status wb_json_wrong(const char *name, const char *place, const char *expected,
                               const json_t *found, warpbound_error *error);

/* "a string", "true", "nothing" (NULL), ... */
const char *wb_json_type_name(const json_t *value);

#endif
