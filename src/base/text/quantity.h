/* Numbers as people write them. Text for people only: JSON and files have plain digits. */
#ifndef WB_BASE_TEXT_QUANTITY_H
#define WB_BASE_TEXT_QUANTITY_H

#include "base/text.h"

#include <stdint.h>

/* Room for any count with its commas. */
#define WB_COUNT_SIZE 28

/* A count into the buffer, which is returned: 9999, and from five digits on 12,345. */
const char *wb_count(uint64_t count, char buffer[WB_COUNT_SIZE]);

/* Room for a count of things. */
#define WB_COUNT_OF_SIZE 64

/* "1 cycle", "12,345 cycles" into the buffer, which is returned; thing has at most 30 bytes. */
const char *wb_count_of(uint64_t count, const char *thing, char buffer[WB_COUNT_OF_SIZE]);

/* The same in buffers that live until the block ends, as arguments of a format. */
#define WB_COUNT(count) wb_count((count), (char[WB_COUNT_SIZE]){0})
#define WB_COUNT_OF(count, thing) wb_count_of((count), (thing), (char[WB_COUNT_OF_SIZE]){0})

/* Appends a count; and a count of things: "1 cycle", "12,345 cycles". */
void wb_text_count(struct wb_text *text, uint64_t count);
void wb_text_count_of(struct wb_text *text, uint64_t count, const char *thing);

/* Appends an amount of memory: "512 bytes", "1.5 MiB". */
void wb_text_bytes(struct wb_text *text, uint64_t bytes);

#endif
