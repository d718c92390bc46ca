#include "report/style.h"

const char *wb_style(enum wb_style style, bool colour)
{
  static const char *const escapes[WB_STYLE_COUNT] = {"\033[0m", "\033[1m", "\033[2m"};
  return colour ? escapes[style] : "";
}

const char *wb_kind_style(warpbound_kind kind, bool colour)
{
  if (!colour)
    return "";
  switch (kind) {
  case WARPBOUND_EXACT:
    return "\033[1;32m";
  case WARPBOUND_UPPER:
  case WARPBOUND_LOWER:
    return "\033[32m";
  default:
    return "\033[33m";
  }
}
