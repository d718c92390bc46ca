#include "isa/names/special_register.h"

#include <string.h>

static const char *const names[WB_SPECIAL_COUNT] = {
    [WB_SPECIAL_ZERO] = "SRZ",
    [WB_SPECIAL_LANE] = "SR_LANEID",
    [WB_SPECIAL_THREAD_X] = "SR_TID.X",
    [WB_SPECIAL_THREAD_Y] = "SR_TID.Y",
    [WB_SPECIAL_THREAD_Z] = "SR_TID.Z",
    [WB_SPECIAL_BLOCK_X] = "SR_CTAID.X",
    [WB_SPECIAL_BLOCK_Y] = "SR_CTAID.Y",
    [WB_SPECIAL_BLOCK_Z] = "SR_CTAID.Z",
    [WB_SPECIAL_BLOCK_SIZE_X] = "SR_NTID.X",
    [WB_SPECIAL_BLOCK_SIZE_Y] = "SR_NTID.Y",
    [WB_SPECIAL_BLOCK_SIZE_Z] = "SR_NTID.Z",
    [WB_SPECIAL_GRID_SIZE_X] = "SR_NCTAID.X",
    [WB_SPECIAL_GRID_SIZE_Y] = "SR_NCTAID.Y",
    [WB_SPECIAL_GRID_SIZE_Z] = "SR_NCTAID.Z",
};

enum wb_special_register wb_special_register_named(const char *name, size_t length)
{
  for (int s = WB_SPECIAL_OTHER + 1; s < WB_SPECIAL_COUNT; s++)
    if (strlen(names[s]) == length && memcmp(names[s], name, length) == 0)
      return (enum wb_special_register)s;
  return WB_SPECIAL_OTHER;
}

bool wb_special_register_is_of_launch(enum wb_special_register special)
{
  return special == WB_SPECIAL_ZERO || special >= WB_SPECIAL_BLOCK_X;
}
