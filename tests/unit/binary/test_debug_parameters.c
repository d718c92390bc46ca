/* Names of parameters in debug information, of versions 5 and 2, and damaged ones. */
#include "binary/lines/debug_parameters.h"
#include "unit.h"

#include <elf.h>
#include <string.h>

/* The kinds of entries of both units: of version 5 with strings elsewhere, constants of the kind
 * and expressions; of version 2 with strings in place and blocks. */
static const unsigned char kinds[] = {
    1,  17,  1,  3, 8, 0, 0,  2,  46, 1,  110, 14, 3,  8, 59, 33, 5, 63, 25, 64,
    24, 0,   0,  3, 5, 0, 3,  14, 2,  24, 73,  19, 0,  0, 4,  11, 1, 17, 1,  18,
    7,  0,   0,  5, 5, 0, 73, 19, 0,  0,  0,   1,  17, 1, 3,  8,  0, 0,  2,  46,
    1,  135, 64, 8, 3, 8, 0,  0,  3,  5,  0,   3,  8,  2, 10, 0,  0, 0,
};

static const char strings[] = "_Z1fiii\0n\0m\0x"; /* at 0, 8, 10, 12 */

/* A unit of version 5: a function of three parameters, the second without a name; in a block of it,
 * and behind it, parameters of nothing. One of version 2: two functions; a name that is none. */
static const unsigned char entries[] = {
    86,  0,   0,   0,   5,   0, 1,  8,   0,   0,   0,   0,   1,  107, 0,   2, 0,   0,  0,
    0,   102, 0,   1,   156, 3, 8,  0,   0,   0,   0,   0,   0,  0,   0,   5, 0,   0,  0,
    0,   3,   10,  0,   0,   0, 1,  156, 0,   0,   0,   0,   4,  0,   0,   0, 0,   0,  0,
    0,   0,   0,   0,   0,   0, 0,  0,   0,   0,   3,   12,  0,  0,   0,   0, 0,   0,  0,
    0,   0,   0,   3,   12,  0, 0,  0,   0,   0,   0,   0,   0,  0,   54,  0, 0,   0,  2,
    0,   51,  0,   0,   0,   8, 1,  108, 0,   2,   95,  90,  49, 103, 105, 0, 103, 0,  3,
    99,  111, 117, 110, 116, 0, 2,  1,   2,   3,   50,  120, 0,  0,   0,   2, 95,  90, 49,
    104, 105, 0,   104, 0,   3, 99, 111, 117, 110, 116, 0,   0,  0,   0,
};

static warpbound_status read_names(const unsigned char *of_kinds, const unsigned char *of_entries,
                                   size_t entry_bytes, struct wb_debug_parameters *parameters)
{
  struct wb_cubin_section sections[] = {
      {.name = ""},
      {.name = ".debug_abbrev", .type = SHT_PROGBITS, .bytes = of_kinds, .size = sizeof kinds},
      {.name = ".debug_info", .type = SHT_PROGBITS, .bytes = of_entries, .size = entry_bytes},
      {.name = ".debug_str",
       .type = SHT_PROGBITS,
       .bytes = (const unsigned char *)strings,
       .size = sizeof strings},
  };
  struct wb_cubin cubin = {.sections = sections, .section_count = 4};
  return wb_debug_parameters_read(&cubin, parameters, NULL);
}

TEST(names_of_two_versions)
{
  static const struct wb_debug_parameter expected[] = {
      {"_Z1fiii", "n", 0}, {"_Z1fiii", "m", 2}, {"_Z1gi", "count", 0}, {"_Z1hi", "count", 0}};
  FREED_BY(wb_debug_parameters_free) struct wb_debug_parameters found = {0};
  assert_ok(read_names(kinds, entries, sizeof entries, &found));
  assert_int_equal(found.count, COUNT_OF(expected));
  for (size_t p = 0; p < found.count; p++) {
    assert_string_equal(found.items[p].function, expected[p].function);
    assert_string_equal(found.items[p].name, expected[p].name);
    assert_int_equal(found.items[p].ordinal, expected[p].ordinal);
  }
}

/* Many entries of one kind with many attributes that have no bytes: they are not all read, so that
 * the function behind them is not found. Time is linear in the bytes. */
TEST(attributes_without_bytes)
{
  enum { ATTRIBUTES = 20000, ENTRIES = 40000, FLAG_PRESENT = 0x19 };
  static const unsigned char head[] = {0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8};
  static const unsigned char others[] = {2, 46, 1, 3, 8, 0, 0, 3, 5, 0, 3, 8, 0, 0, 0};
  static const unsigned char function[] = {2, 'f', 0, 3, 'n', 0, 0};
  const size_t kind_bytes = 3 + 2 * ATTRIBUTES + 2 + sizeof others;
  const size_t entry_bytes = sizeof head + ENTRIES + sizeof function;
  for (size_t entry_count = 1; entry_count <= ENTRIES; entry_count += ENTRIES - 1) {
    FREED_BY(wb_debug_parameters_free) struct wb_debug_parameters found = {0};
    unsigned char *of_kinds = calloc(1, kind_bytes);
    unsigned char *of_entries = calloc(1, entry_bytes);
    assert_true(of_kinds != NULL && of_entries != NULL);
    of_kinds[0] = 1; /* of a variable */
    of_kinds[1] = 0x34;
    for (size_t a = 0; a < ATTRIBUTES; a++) {
      of_kinds[3 + 2 * a] = 0x3f;
      of_kinds[4 + 2 * a] = FLAG_PRESENT;
    }
    memcpy(of_kinds + kind_bytes - sizeof others, others, sizeof others);
    memcpy(of_entries, head, sizeof head);
    memset(of_entries + sizeof head, 1, entry_count);
    memcpy(of_entries + sizeof head + entry_count, function, sizeof function);
    const uint32_t length = (uint32_t)(sizeof head - 4 + entry_count + sizeof function);
    memcpy(of_entries, &length, sizeof length); /* of this machine, as the sections */
    struct wb_cubin_section sections[] = {
        {.name = ""},
        {.name = ".debug_abbrev", .type = SHT_PROGBITS, .bytes = of_kinds, .size = kind_bytes},
        {.name = ".debug_info", .type = SHT_PROGBITS, .bytes = of_entries, .size = entry_bytes},
    };
    struct wb_cubin cubin = {.sections = sections, .section_count = COUNT_OF(sections)};
    assert_ok(wb_debug_parameters_read(&cubin, &found, NULL));
    assert_int_equal(found.count, entry_count == 1 ? 1 : 0);
    free(of_kinds);
    free(of_entries);
  }
}

TEST(no_debug_information)
{
  struct wb_cubin_section sections[] = {{.name = ""}};
  struct wb_cubin cubin = {.sections = sections, .section_count = 1};
  struct wb_debug_parameters found = {0};
  assert_ok(wb_debug_parameters_read(&cubin, &found, NULL));
  assert_int_equal(found.count, 0);
}

/* Each length, and each byte with each value, of both sections: what is left is read, and no more.
 */
TEST(damaged_debug_information)
{
  unsigned char damaged_kinds[sizeof kinds];
  unsigned char damaged[sizeof entries];
  for (size_t length = 0; length <= sizeof entries; length++) {
    FREED_BY(wb_debug_parameters_free) struct wb_debug_parameters found = {0};
    unsigned char *cut = malloc(length + 1); /* so that tools see reads beyond it */
    assert_non_null(cut);
    memcpy(cut, entries, length);
    assert_ok(read_names(kinds, cut, length, &found));
    assert_true(found.count <= 4);
    free(cut);
  }
  memcpy(damaged_kinds, kinds, sizeof kinds);
  memcpy(damaged, entries, sizeof entries);
  for (size_t at = 0; at < sizeof entries + sizeof kinds; at++) {
    unsigned char *byte = at < sizeof entries ? &damaged[at] : &damaged_kinds[at - sizeof entries];
    const unsigned char before = *byte;
    for (unsigned value = 0; value < 256; value++) {
      FREED_BY(wb_debug_parameters_free) struct wb_debug_parameters found = {0};
      *byte = (unsigned char)value;
      assert_ok(read_names(damaged_kinds, damaged, sizeof damaged, &found));
      for (size_t p = 0; p < found.count; p++)
        assert_true(strlen(found.items[p].name) > 0 && found.items[p].function != NULL);
    }
    *byte = before;
  }
}
