/* A list of addresses in a sentence: "0x0128, 0x0140 and 3 more". */
#ifndef WB_CFG_SIMT_ADDRESS_LIST_H
#define WB_CFG_SIMT_ADDRESS_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Addresses that are named; the others are counted. */
#define WB_ADDRESSES_NAMED 8

/* Zero-initialise. */
struct wb_address_list {
  char text[WB_ADDRESSES_NAMED * 12 + 32]; /* those named, ended by a zero */
  size_t length;                           /* of the text */
  size_t count;                            /* of all addresses */
};

void wb_address_list_add(struct wb_address_list *list, uint32_t address);

/* The list in words, "nothing" where it is empty; nothing may be added afterwards. */
const char *wb_address_list_text(struct wb_address_list *list);

#endif
