/* The library itself: its version, and the texts that it hands out. */
#include "warpbound.h"

#include <stdlib.h>

const char *warpbound_version(void)
{
  return WARPBOUND_VERSION;
}

void warpbound_text_free(char *text)
{
  free(text);
}
