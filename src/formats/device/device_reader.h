/* What the parts of reading and writing device files share: a file being read, its members that are
 * numbers of the whole device, and how texts, lists, values and numbers are read. Every function
 * does nothing to the device after a failure of the reader, and then returns 0, "" or NULL. */
#ifndef WB_FORMATS_DEVICE_DEVICE_READER_H
#define WB_FORMATS_DEVICE_DEVICE_READER_H

#include "formats/json/json_input.h"
#include "model/devices/device_timing.h"

#include <jansson.h>
#include <stddef.h>

/* Room for the name of a place in the file, for messages and for values without a name. */
#define WB_DEVICE_PLACE_SIZE 160

/* Most bytes of the name of a device, and of a value. */
#define WB_DEVICE_LONGEST_NAME 100

/* A member that is a number of the whole device: its key, where its value's number is in struct
 * wb_device_timing, and whether a file may leave it out. */
struct wb_device_member {
  const char *key;
  size_t offset;
  bool optional;
};

/* Of the file itself, and of its member `residency`; each list ends with a key of NULL. */
extern const struct wb_device_member wb_device_members[];
extern const struct wb_device_member wb_device_residency_members[];

/* A file being read. Nothing is of an arena. */
struct wb_device_reader {
  struct wb_json_reader json;
  struct wb_device_timing *device;
  size_t given; /* values but those that the file leaves out */
};

/* A text at the place at hand without control characters, of at most `most` bytes; "" after a
 * failure. */
const char *wb_device_read_text(struct wb_device_reader *reader, const json_t *found, size_t most);

/* A text that may be left out: `otherwise` then. */
const char *wb_device_read_optional(struct wb_device_reader *reader, const json_t *object,
                                    const char *key, size_t most, const char *otherwise);

/* A copy of the arena; "" after a failure. */
const char *wb_device_copy_text(struct wb_device_reader *reader, const char *text, size_t length);

/* The name of a resource or a class at the place, which is part of the names of values: as these.
 * "" after a failure. */
const char *wb_device_read_name(struct wb_device_reader *reader, const json_t *found, size_t most);

/* One of a list of names, by its number. */
unsigned wb_device_read_choice(struct wb_device_reader *reader, const json_t *found,
                               const char *const *names, unsigned count);

/* The value at hand has to be a list of at most `most` entries; how many, 0 after a failure. */
size_t wb_device_expect_list(struct wb_device_reader *reader, const json_t *list, size_t most);

/* Refuses keys but those of the members and others, which stand before and after them. */
void wb_device_check_keys(struct wb_device_reader *reader, const json_t *object, const char *before,
                          const struct wb_device_member *members, const char *after);

/* The members `kind` and `source` of an object at the place: declared, and "", where there is none.
 */
enum wb_value_kind wb_device_read_kind(struct wb_device_reader *reader, const json_t *object);
const char *wb_device_read_source(struct wb_device_reader *reader, const json_t *object);

/* The member `modes` of a file, once its values are read; NULL: none. */
void wb_device_read_modes(struct wb_device_reader *reader, const json_t *list);

/* Whether the device is right in each of its modes, which leaves it as it is. */
void wb_device_check_modes(struct wb_device_reader *reader);

/* The member `modes` as it is written; an empty list without modes. */
json_t *wb_device_modes_json(const struct wb_device_timing *device);

/* The object of a file with all that it takes over from the bundled device that its member `like`
 * names: a new reference to it, or to the object itself without such a member. */
warpbound_status wb_device_like(const char *name, const json_t *object, json_t **whole,
                                warpbound_error *error);

/* The value that a text names; the message about one that is not there has a near one. */
uint32_t wb_device_find_value(struct wb_device_reader *reader, const char *place, const char *name);

/* The member `values` of a file. */
void wb_device_read_values(struct wb_device_reader *reader, const json_t *values);

/* The number at a place, "BEFORE.KEY", or KEY where there is nothing before it: the name of a
 * value, or a number, which becomes a value with the place's name; where there is none and it is
 * optional a value 0 that is left out. Returns the value's number. A number that is left out has
 * the place's name, or, where another one has that, the same with a blank in it, which no other one
 * has. */
uint32_t wb_device_read_found(struct wb_device_reader *reader, const char *before, const char *key,
                              const json_t *found, bool optional);

/* The number of a member. */
uint32_t wb_device_read_number(struct wb_device_reader *reader, const char *before,
                               const json_t *object, const char *key, bool optional);

#endif
