/* Line tables: programs of lines of versions 2 and 5, long numbers, damaged ones. */
#include "binary/lines/line_table.h"
#include "unit.h"

#include <elf.h>

/* A cubin of a section of code, number 1, with a symbol at 0x20, and a .debug_line, number 2, whose
 * address of eight bytes at `offset` is the symbol's. */
static void read_lines(const unsigned char *bytes, size_t length, uint64_t offset,
                       struct wb_line_table *table)
{
  struct wb_cubin_relocation relocation = {.offset = offset, .type = 2, .symbol = 1};
  struct wb_cubin_symbol symbols[] = {{.name = ""},
                                      {.name = "f", .section = 1, .defined = true, .value = 0x20}};
  struct wb_cubin_section sections[] = {
      {.name = ""},
      {.name = ".text.f", .type = SHT_PROGBITS, .size = 0x100},
      {.name = ".debug_line", .bytes = bytes, .size = length, .relocations = {0, 1}},
  };
  struct wb_cubin cubin = {.sections = sections,
                           .section_count = 3,
                           .symbols = symbols,
                           .symbol_count = 2,
                           .relocations = &relocation,
                           .relocation_count = 1};
  assert_ok(wb_line_table_read(&cubin, table, NULL));
}

/* Lines 3 of a.cu at 0x20, 5 of d/b.cu at 0x30 and 0x38, back to 4 at 0x48. */
static const unsigned char version_2[] = {
    71,  0,   0,    0,   2,   0,  35, 0, 0, 0, /* length, version, length of the head */
    1,   1,   0xfb, 14,  10,                   /* line base -5, line range 14, opcode base 10 */
    0,   1,   1,    1,   1,   0,  0,  0, 1,    /* operands */
    'd', 0,   0,                               /* folders */
    '/', 'a', '.',  'c', 'u', 0,  0,  0, 0, 'b', '.', 'c', 'u', 0, 1, 0, 0, 0, /* files */
    0,   9,   2,    0,   0,   0,  0,  0, 0, 0,   0, /* address, of the symbol */
    3,   2,   1,                                    /* two lines on; a row */
    4,   2,   3,    2,   2,   16, 1,                /* file 2, two lines on, 16 bytes on; a row */
    127,                                            /* eight bytes on; a row */
    3,   127, 2,    16,  1,                         /* a line back, 16 bytes on; a row */
    0,   1,   1,                                    /* the end */
};

/* The same head and address; 624,485 lines on and 128 bytes on, a row; 128 lines back, a row. */
static const unsigned char long_numbers[] = {
    67,  0,   0,   0,    2,    0,    35,  0,    0,    0,   1,   1,    0xfb, 14,  10, 0, 1, 1,
    1,   1,   0,   0,    0,    1,    'd', 0,    0,    '/', 'a', '.',  'c',  'u', 0,  0, 0, 0,
    'b', '.', 'c', 'u',  0,    1,    0,   0,    0,    0,   9,   2,    0,    0,   0,  0, 0, 0,
    0,   0,   3,   0xe5, 0x8e, 0x26, 2,   0x80, 0x01, 1,   3,   0x80, 0x7f, 1,   0,  1, 1,
};

static void expect_row(const struct wb_line_table *table, size_t row, uint64_t address,
                       const char *file, uint32_t line)
{
  assert_true(row < table->row_count);
  assert_int_equal(table->rows[row].section, 1);
  assert_int_equal(table->rows[row].address, address);
  assert_int_equal(table->rows[row].line, line);
  assert_string_equal(table->files[table->rows[row].file].name, file);
}

TEST(test_long_numbers)
{
  FREED_BY(wb_line_table_free) struct wb_line_table table = {0};
  read_lines(long_numbers, sizeof long_numbers, 48, &table);
  assert_int_equal(table.row_count, 2);
  expect_row(&table, 0, 0xa0, "/a.cu", 624486);
  expect_row(&table, 1, 0xa0, "/a.cu", 624358);
}

TEST(test_version_2)
{
  FREED_BY(wb_line_table_free) struct wb_line_table table = {0};
  read_lines(version_2, sizeof version_2, 48, &table);
  assert_int_equal(table.row_count, 4);
  assert_int_equal(table.file_count, 2);
  expect_row(&table, 0, 0x20, "/a.cu", 3);
  expect_row(&table, 1, 0x30, "b.cu", 5);
  expect_row(&table, 2, 0x38, "b.cu", 5);
  expect_row(&table, 3, 0x48, "b.cu", 4);
  assert_string_equal(table.files[0].folder, "");
  assert_string_equal(table.files[1].folder, "d");
  assert_int_equal(wb_line_table_find(&table, 1, 0), 0);
  assert_int_equal(wb_line_table_find(&table, 1, 0x31), 2);
  assert_int_equal(wb_line_table_find(&table, 1, 0x49), 4);
  assert_int_equal(wb_line_table_find(&table, 0, 0), 0);
}

static const unsigned char version_5[] = {
    54, 0, 0, 0,    5,   0,  8,   0,   32,  0, 0,
    0,                                            /* length, version, sizes, length of the head */
    1,  1, 1, 0xfb, 14,  10,                      /* as above, with one operation an instruction */
    0,  1, 1, 1,    1,   0,  0,   0,   1,         /* operands */
    1,  1, 8, 1,    'd', 0,                       /* a folder: its path as a string */
    2,  1, 8, 2,    11,  1,  'b', '.', 'c', 0, 0, /* a file: path, folder in a byte */
    0,  9, 2, 0,    0,   0,  0,   0,   0,   0, 0, /* address */
    4,  0, 1,                                     /* file 0; a row */
};

TEST(test_version_5)
{
  FREED_BY(wb_line_table_free) struct wb_line_table table = {0};
  read_lines(version_5, sizeof version_5, 47, &table);
  assert_int_equal(table.row_count, 1);
  expect_row(&table, 0, 0x20, "b.c", 1);
  assert_string_equal(table.files[0].folder, "d");
}

/* Many files whose names are in another section, of a cubin with many: that section is looked for
 * once. */
TEST(test_many_files)
{
  enum { COUNT = 60000, HEAD = 42 };
  static const unsigned char head[HEAD] = {
      0, 0, 0,    0,    5,  0,  8, 0, 0, 0, 0, 0, /* length, version, sizes, length of the head */
      1, 1, 1,    0xfb, 14, 10,                   /* one operation an instruction, ... */
      0, 1, 1,    1,    1,  0,  0, 0, 1,          /* operands */
      0, 0,                                       /* no folders */
      1, 1, 0x0e,                                 /* files: a path in .debug_str */
      0, 0, 0,    0,    0,  0,  0, 0, 0, 0,       /* their number goes here */
  };
  struct wb_cubin_section *sections = calloc(COUNT, sizeof *sections);
  unsigned char *bytes = calloc(1, HEAD + 4 * COUNT);
  const uint32_t unit = HEAD + 4 * COUNT - 4, rest = unit - 8;
  struct wb_cubin cubin = {.sections = sections, .section_count = COUNT};
  FREED_BY(wb_line_table_free) struct wb_line_table table = {0};
  memcpy(bytes, head, HEAD);
  for (unsigned b = 0; b < 4; b++) {
    bytes[b] = (unsigned char)(unit >> 8 * b);
    bytes[8 + b] = (unsigned char)(rest >> 8 * b);
  }
  for (unsigned b = 0; b < 10; b++)
    bytes[32 + b] = (unsigned char)((b < 9 ? 0x80 : 0) | (b < 3 ? COUNT >> 7 * b & 0x7f : 0));
  for (size_t s = 0; s < COUNT; s++)
    sections[s].name = ".text";
  sections[1] =
      (struct wb_cubin_section){.name = ".debug_line", .bytes = bytes, .size = HEAD + 4 * COUNT};
  sections[COUNT - 1] =
      (struct wb_cubin_section){.name = ".debug_str", .bytes = head, .size = HEAD};
  assert_ok(wb_line_table_read(&cubin, &table, NULL));
  assert_int_equal(table.file_count, COUNT);
  free(bytes);
  free(sections);
}

/* An address without a relocation is no address of a function. */
TEST(test_no_relocation)
{
  FREED_BY(wb_line_table_free) struct wb_line_table table = {0};
  read_lines(version_2, sizeof version_2, 0, &table);
  assert_int_equal(table.row_count, 0);
}

/* Whatever is cut off or changed, reading ends and takes no more than it should. */
TEST(test_damage)
{
  for (size_t length = 0; length < sizeof version_2; length++) {
    struct wb_line_table table = {0};
    unsigned char *cut = malloc(length + 1);
    memcpy(cut, version_2, length);
    read_lines(cut, length, 48, &table);
    assert_true(table.row_count <= 4);
    wb_line_table_free(&table);
    free(cut);
  }
  for (size_t at = 0; at < sizeof version_5; at++) {
    for (unsigned value = 0; value < 256; value++) {
      FREED_BY(wb_line_table_free) struct wb_line_table table = {0};
      unsigned char changed[sizeof version_5];
      memcpy(changed, version_5, sizeof changed);
      changed[at] = (unsigned char)value;
      read_lines(changed, sizeof changed, 47, &table);
      assert_true(table.row_count <= sizeof changed);
    }
  }
}
