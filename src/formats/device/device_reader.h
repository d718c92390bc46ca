/* Parts of the reader of device files, for its own files only. */
#ifndef WB_FORMATS_DEVICE_DEVICE_READER_H
#define WB_FORMATS_DEVICE_DEVICE_READER_H

#include "formats/json/json_input.h"
#include "model/devices/device_timing.h"

/* Room for the name of a place in the file, for messages and for values without a name. */
#define WB_DEVICE_PLACE_SIZE 160

/* A file being read. */
struct wb_device_reader {
  const char *name; /* the file's, for messages */
  struct wb_device_timing *device;
  size_t given; /* values but those that the file leaves out */
  warpbound_error *error;
};

/* device_numbers.c: the members of `values`, by which others name numbers. */
warpbound_status wb_device_read_values(struct wb_device_reader *reader, const json_t *values);

/* The number at a place: the name of a value, or a number, which becomes a value with the place's
 * name; where there is none and it is optional a value 0 that is left out. */
warpbound_status wb_device_read_number(struct wb_device_reader *reader, const char *place,
                                       const json_t *found, bool optional, uint32_t *value);

/* A text without control characters, at most `most` bytes, in *copy, which the caller owns. */
warpbound_status wb_device_read_text(struct wb_device_reader *reader, const char *place,
                                     const json_t *found, size_t most, char **copy);

/* A whole number below a limit, for what is no value: an architecture, a number of stages. */
warpbound_status wb_device_read_plain(struct wb_device_reader *reader, const char *place,
                                      const json_t *found, uint64_t most, uint64_t *number);

/* device_classes.c: the members of `resources` and `classes`. */
warpbound_status wb_device_read_resources(struct wb_device_reader *reader, const json_t *list);
warpbound_status wb_device_read_classes(struct wb_device_reader *reader, const json_t *list);

#endif
