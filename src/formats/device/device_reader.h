/* Parts of the reader and the writer of device files, for their own files only. */
#ifndef WB_FORMATS_DEVICE_DEVICE_READER_H
#define WB_FORMATS_DEVICE_DEVICE_READER_H

#include "formats/json/json_input.h"
#include "model/devices/device_timing.h"

/* Room for the name of a place in the file, for messages and for values without a name. */
#define WB_DEVICE_PLACE_SIZE 160

/* A member that is a number of the whole device: its key, where its value's number is in struct
 * wb_device_timing, and whether a file may leave it out. */
struct wb_device_member {
  const char *key;
  size_t offset;
  bool optional;
};

/* Of the file itself, and of its member `residency`; each list ends with a key of NULL. */
extern const struct wb_device_member wb_device_members[];
extern const struct wb_device_member wb_residency_members[];

/* A file being read. Nothing is of an arena. */
struct wb_device_reader {
  struct wb_json_reader json;
  struct wb_device_timing *device;
  size_t given; /* values but those that the file leaves out */
};

/* The number at a place: the name of a value, or a number, which becomes a value with the place's
 * name; where there is none and it is optional a value 0 that is left out. place: "BEFORE.KEY", or
 * KEY where there is nothing before it. Returns the value's number. */
uint32_t wb_device_read_number(struct wb_device_reader *reader, const char *before, const char *key,
                               const json_t *found, bool optional);

/* A text at the place at hand without control characters, of at most `most` bytes, which the caller
 * owns; NULL after a failure. */
char *wb_device_read_text(struct wb_device_reader *reader, const json_t *found, size_t most);

/* device_classes.c: the members of `resources` and `classes`. */
void wb_device_read_resources(struct wb_device_reader *reader, const json_t *list);
void wb_device_read_classes(struct wb_device_reader *reader, const json_t *list);

#endif
