#include "formats/samples/time_units.h"

#include "base/text/ascii.h"

#include <stdbool.h>
#include <string.h>

static const struct unit {
  const char *name;
  double seconds;
  const char *words; /* that mean it, each between two blanks */
} units[] = {
    {"cycles", 0, " cycles cycle cyc clocks clock clk clks "},
    {"ns", 1e-9, " ns nsec nsecs nsecond nseconds nanosecond nanoseconds "},
    {"us", 1e-6,
     " us usec usecs usecond useconds microsecond microseconds \xc2\xb5s \xce\xbcs "
     "\xc2\xb5sec \xce\xbcsec "},
    {"ms", 1e-3, " ms msec msecs msecond mseconds millisecond milliseconds "},
    {"s", 1, " s sec secs second seconds "},
};
#define UNIT_COUNT (sizeof units / sizeof *units)
#define WORD_LENGTH 16

const char *wb_time_unit(const char *word, size_t length)
{
  char wanted[WORD_LENGTH + 3] = " ";
  if (length == 0 || length > WORD_LENGTH || memchr(word, ' ', length) != NULL ||
      memchr(word, '\0', length) != NULL)
    return NULL;
  for (size_t i = 0; i < length; i++)
    wanted[i + 1] = wb_small_letter(word[i]);
  wanted[length + 1] = ' ';
  for (size_t u = 0; u < UNIT_COUNT; u++) {
    if (strstr(units[u].words, wanted) != NULL)
      return units[u].name;
  }
  return NULL;
}

/* Where the brackets at the end of a name begin; NULL: there are none. */
static const char *brackets_of(const char *name)
{
  const size_t length = strlen(name);
  const char last = length > 0 ? name[length - 1] : '\0';
  return last == ')' ? strrchr(name, '(') : last == ']' ? strrchr(name, '[') : NULL;
}

const char *wb_time_unit_of_name(const char *name)
{
  const char *brackets = brackets_of(name);
  if (brackets != NULL)
    return wb_time_unit(brackets + 1, strlen(brackets) - 2);
  const char *last = name + strlen(name);
  while (last > name && last[-1] != '_' && last[-1] != ' ' && last[-1] != '-' && last[-1] != '.')
    last--;
  return wb_time_unit(last, strlen(last));
}

size_t wb_time_name_length(const char *name)
{
  const char *brackets = brackets_of(name);
  size_t length = brackets != NULL ? (size_t)(brackets - name) : strlen(name);
  while (length > 0 && name[length - 1] == ' ')
    length--;
  return length;
}

double wb_time_unit_seconds(const char *unit)
{
  for (size_t u = 0; u < UNIT_COUNT; u++) {
    if (strcmp(units[u].name, unit) == 0)
      return units[u].seconds;
  }
  return 0;
}
