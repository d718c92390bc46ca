#include "model/unit.h"

#include "base/text/ascii.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "LCSDTNB";

static const char *const names[WB_UNIT_COUNT] = {
    "load/store",  "CUDA core",  "special function", "double precision",
    "tensor core", "issue only", "barrier",
};

char wb_unit_letter(enum wb_unit unit)
{
  return letters[unit];
}

const char *wb_unit_name(enum wb_unit unit)
{
  return names[unit];
}

enum wb_unit wb_unit_from_letter(char letter)
{
  const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
  return found != NULL ? (enum wb_unit)(found - letters) : WB_UNIT_COUNT;
}

const char *wb_unit_hint(char letter, char buffer[WB_UNIT_HINT_SIZE])
{
  buffer[0] = '\0';
  for (const char *capital = letters; *capital != '\0'; capital++) {
    if (letter != *capital && letter == wb_small_letter(*capital))
      snprintf(buffer, WB_UNIT_HINT_SIZE, " (did you mean '%c'?)", *capital);
  }
  return buffer;
}
