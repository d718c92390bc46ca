/* Places of the code as words of files: ADDRESS, FILE:LINE, ADDRESS@FILE:LINE or a label. */
#ifndef WB_FORMATS_FLOW_FACTS_PLACE_WORDS_H
#define WB_FORMATS_FLOW_FACTS_PLACE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the text that it was read from: its names are not ended by a zero byte. */
struct wb_place_words {
  const char *file; /* of source_line; NULL: none */
  size_t file_length;
  const char *label; /* NULL: none */
  size_t label_length;
  uint32_t source_line; /* 0: none */
  uint32_t address;     /* of use where has_address */
  bool has_address;
};

/* Reads a word that is not empty. False for an address with '@' and no FILE:LINE after it. */
bool wb_place_words_read(const char *text, size_t length, struct wb_place_words *place);

/* A number in decimal, or in hexadecimal after 0x, at the start of a text: how many characters it
 * has, 0 where there is none or it is above `most`. */
size_t wb_number_word(const char *text, size_t length, uint64_t most, uint64_t *number);

#endif
