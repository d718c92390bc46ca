/* The lines of buffers that a block accesses, of small programs in the form of sm_87. That no count
 * is too small is shown on random ones by test address_counts. */
#include "base/work_control.h"
#include "bounded_listing.h"
#include "flow/accesses/accesses.h"
#include "flow/accesses/block_lines.h"
#include "unit.h"

#define UNKNOWN UINT64_MAX

/* A megabyte behind the first pointer: of a block, or of the launch. */
static uint64_t lines_of_either(bool of_launch, const uint32_t block[2], const uint32_t grid[2],
                                bool aligned, const char *text)
{
  const struct wb_declared_buffer buffer = {.bytes = 1 << 20, .aligned = aligned};
  const struct wb_launch launch = {.block = {block[0], block[1], 1},
                                   .grid = {grid[0], grid[1], 1},
                                   .buffers = &buffer,
                                   .buffer_count = 1};
  uint64_t lines[2] = {0};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  FREED_BY(wb_accesses_free) struct wb_accesses accesses;
  warpbound_error error = {.message = ""};
  listing_of(87, text, &code);
  assert_true(bounded_make(&code, &code.functions[0], &launch, &bounded));
  const struct wb_warp_graph *graph = wb_simt_analysis_graph(bounded.analysis);
  assert_ok(wb_accesses_find(graph, &launch, &accesses, &error));
  for (size_t a = 0; a < accesses.count; a++)
    if (accesses.items[a].space == WB_SPACE_GLOBAL)
      accesses.items[a].buffer = 1;
  assert_ok(wb_block_lines_find(graph, &bounded.forest, &launch, &accesses, &lines[0], &lines[1],
                                &error));
  return lines[of_launch];
}

static uint64_t lines_of(const uint32_t block[2], const uint32_t grid[2], bool aligned,
                         const char *text)
{
  return lines_of_either(false, block, grid, aligned, text);
}

static const uint32_t wide[2] = {32, 8};
static const uint32_t square[2] = {16, 16};
static const uint32_t few[2] = {4, 4};

/* x in R0, y in R1, rows of 512 words. */
#define INDICES                                                                                    \
  "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; S2R R2, SR_CTAID.X; S2R R3, SR_CTAID.Y; "                   \
  "IMAD R0, R2, c[0x0][0x0], R0; IMAD R1, R3, c[0x0][0x4], R1; "
#define LOAD                                                                                       \
  "IMAD R8, R1, 0x200, R0; MOV R9, 0x4; IMAD.WIDE R4, R8, R9, c[0x0][0x160]; LDG.E R6, [R4.64]"

TEST(tiles)
{
  assert_int_equal(lines_of(wide, few, true, INDICES LOAD), 8);
  assert_int_equal(lines_of(wide, few, false, INDICES LOAD), 16);
  assert_int_equal(lines_of(square, few, true, INDICES LOAD), 16);
  /* The same row twice, and its neighbour: a line is counted once. */
  assert_int_equal(lines_of(wide, few, true, INDICES LOAD "; IADD3 R1, R1, 0x1, RZ; " LOAD), 9);
  /* Rows that are clamped are fewer where they are. */
  assert_int_equal(
      lines_of(wide, (const uint32_t[]){4, 1}, true, INDICES "IMNMX R1, R1, 0x3, PT; " LOAD), 4);
}

TEST(loops)
{
  assert_int_equal(lines_of(wide, few, true,
                            "S2R R0, SR_TID.X; MOV R1, RZ; loop:; " LOAD
                            "; IADD3 R0, R0, 0x20, RZ; IADD3 R1, R1, 0x1, RZ; ISETP.LT.AND P0, "
                            "PT, R1, 0x1, PT; @P0 BRA loop"),
                   1);
  assert_int_equal(
      lines_of(wide, few, true,
               "S2R R0, SR_TID.X; MOV R7, RZ; loop:; MOV R9, 0x4; IMAD R8, R7, 0x20, R0; IMAD.WIDE "
               "R4, R8, R9, c[0x0][0x160]; LDG.E R6, [R4.64]; IADD3 R7, R7, 0x1, RZ; ISETP.LT.AND "
               "P0, PT, R7, 0xa, PT; @P0 BRA loop"),
      10);
}

/* What one lane has may come from a row of its warp that is not its own. */
TEST(words_of_other_lanes)
{
  assert_int_equal(
      lines_of(square, (const uint32_t[]){1, 1}, true, INDICES "R2UR UR4, R1; MOV R1, UR4; " LOAD),
      8 * 17);
  assert_int_equal(
      lines_of(wide, (const uint32_t[]){1, 1}, true, INDICES "R2UR UR4, R1; MOV R1, UR4; " LOAD),
      8);
}

TEST(unknown)
{
  /* A number that is loaded: all of the buffer. Sizes that are not known; too many blocks. */
  assert_int_equal(lines_of(wide, few, true, INDICES LOAD "; MOV R1, R6; " LOAD), 8192);
  assert_int_equal(lines_of(wide, (const uint32_t[]){0, 1}, true, INDICES LOAD), UNKNOWN);
  assert_int_equal(lines_of(wide, (const uint32_t[]){100000, 1}, true, INDICES LOAD), UNKNOWN);
}

TEST(launches)
{
  /* 128 columns of 32 rows: 4 lines of each; 5 where a row may begin anywhere. */
  assert_int_equal(lines_of_either(true, wide, few, true, INDICES LOAD), 4 * 32);
  assert_int_equal(lines_of_either(true, wide, few, false, INDICES LOAD), 5 * 32);
  /* Blocks of 16 columns: two have a line together. */
  assert_int_equal(lines_of_either(true, square, few, true, INDICES LOAD), 2 * 64);
  /* The row after the last one is nobody's else. */
  assert_int_equal(
      lines_of_either(true, wide, few, true, INDICES LOAD "; IADD3 R1, R1, 0x1, RZ; " LOAD),
      4 * 33);
  /* Too many blocks to look at them one by one: from the first place to the last, 1 MiB of all. */
  assert_int_equal(lines_of_either(true, wide, (const uint32_t[]){128, 160}, true, INDICES LOAD),
                   8192);
  assert_int_equal(lines_of_either(true, wide, (const uint32_t[]){1 << 20, 1}, true,
                                   "S2R R0, SR_TID.X; MOV R1, RZ; " LOAD),
                   1);
  /* A number that is loaded; a pointer that is. */
  assert_int_equal(lines_of_either(true, wide, few, true, INDICES LOAD "; MOV R1, R6; " LOAD),
                   8192);
  assert_int_equal(
      lines_of_either(true, wide, few, true, INDICES LOAD "; MOV R5, R6; LDG.E R7, [R4.64]"),
      UNKNOWN);
}
