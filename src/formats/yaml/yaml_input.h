/* YAML files as input: parsing by libyaml into a tree whose nodes know their line and column. JSON
 * is YAML, so a JSON file is read as well.
 *
 * One document without aliases and tags: what it means is what stands there. Keys are texts, each
 * once in its map. Scalars stay texts, quoted or not; nothing is a number or a date by its looks.
 */
#ifndef WB_FORMATS_YAML_YAML_INPUT_H
#define WB_FORMATS_YAML_YAML_INPUT_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Largest file in bytes, and most maps and lists around a value. */
#define WB_YAML_LIMIT ((size_t)1 << 24)
#define WB_YAML_DEPTH 32

enum wb_yaml_kind { WB_YAML_NOTHING, WB_YAML_TEXT, WB_YAML_LIST, WB_YAML_MAP };

/* A value. Lines and columns count from 1. */
struct wb_yaml {
  enum wb_yaml_kind kind;
  bool quoted;                  /* a text in quotes, or a block of text */
  const char *text;             /* of WB_YAML_TEXT; "" of others */
  const struct wb_yaml **keys;  /* of a map, each WB_YAML_TEXT */
  const struct wb_yaml **items; /* of a map and a list */
  size_t count;
  size_t line, column;
};

/* Parses a text; all of the tree is the arena's. `name` is the file's, for messages. Errors, with
 * line and column: WARPBOUND_INVALID_INPUT; WARPBOUND_INTERNAL where memory is out. n log n in the
 * text. */
warpbound_status wb_yaml_parse(const char *name, const char *text, size_t length,
                               struct wb_arena *arena, const struct wb_yaml **root,
                               warpbound_error *error);

/* The value of a key; NULL where the map, or what is none, does not have it. Linear. */
const struct wb_yaml *wb_yaml_member(const struct wb_yaml *map, const char *key);

/* Fails with "PLACE: expected EXPECTED, found ..." at the value. */
warpbound_status wb_yaml_wrong(const char *name, const char *place, const char *expected,
                               const struct wb_yaml *found, warpbound_error *error);

#endif
