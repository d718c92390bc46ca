/* The special registers whose value an analysis knows something of. */
#ifndef WB_ISA_SPECIAL_REGISTER_H
#define WB_ISA_SPECIAL_REGISTER_H

#include <stdbool.h>
#include <stddef.h>

enum wb_special_register {
  WB_SPECIAL_OTHER,
  WB_SPECIAL_ZERO,     /* SRZ */
  WB_SPECIAL_LANE,     /* SR_LANEID */
  WB_SPECIAL_THREAD_X, /* SR_TID.X; Y and Z after it, and so on */
  WB_SPECIAL_THREAD_Y,
  WB_SPECIAL_THREAD_Z,
  WB_SPECIAL_BLOCK_X, /* SR_CTAID.X */
  WB_SPECIAL_BLOCK_Y,
  WB_SPECIAL_BLOCK_Z,
  WB_SPECIAL_BLOCK_SIZE_X, /* SR_NTID.X */
  WB_SPECIAL_BLOCK_SIZE_Y,
  WB_SPECIAL_BLOCK_SIZE_Z,
  WB_SPECIAL_GRID_SIZE_X, /* SR_NCTAID.X */
  WB_SPECIAL_GRID_SIZE_Y,
  WB_SPECIAL_GRID_SIZE_Z,
  WB_SPECIAL_COUNT
};

/* The register that a listing from Maxwell on calls by that name. Linear in WB_SPECIAL_COUNT. */
enum wb_special_register wb_special_register_named(const char *name, size_t length);

/* Whether all threads of a block read it alike: its index, its size, and the grid's. */
bool wb_special_register_is_of_launch(enum wb_special_register special);

#endif
