/* The words for how a number is known. */
#include "warpbound.h"

const char *warpbound_kind_name(warpbound_kind kind)
{
  static const char *const names[] = {"exact", "upper", "lower", "estimate", "published"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}
