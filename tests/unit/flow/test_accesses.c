/* What loads and stores of small programs access, in the forms of sm_52 and sm_87. Left out: what
 * test accesses_cross shows on random programs, that no count is too small. */
#include "base/text.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/accesses/accesses.h"
#include "isa/opcode.h"
#include "isa/sass_opcodes.h"
#include "unit.h"

static const struct wb_launch row = {.block = {256, 1, 1}, .grid = {100, 1, 1}};
static const struct wb_launch square = {.block = {16, 16, 1}};

/* The last access of a listing; its reason is not kept. */
static struct wb_access last_access(unsigned sm, const struct wb_launch *launch, const char *lines)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  struct wb_simt_analysis *analysis = NULL;
  FREED_BY(wb_accesses_free) struct wb_accesses accesses;
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error = {.message = ""};
  listing_of(sm, lines, &code);
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) !=
      WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_ok(wb_accesses_find(wb_simt_analysis_graph(analysis), launch, &accesses, &error));
  assert_true(accesses.count > 0);
  struct wb_access last = accesses.items[accesses.count - 1];
  assert_true(strlen(last.reason) > 0);
  assert_ptr_equal(wb_accesses_at(&accesses, last.instruction),
                   &accesses.items[accesses.count - 1]);
  assert_null(wb_accesses_at(&accesses, last.instruction + 1));
  last.reason = NULL;
  wb_simt_analysis_free(analysis);
  return last;
}

static void expect_sectors(unsigned sm, const struct wb_launch *launch, uint32_t sectors,
                           const char *lines)
{
  assert_int_equal(last_access(sm, launch, lines).sectors, sectors);
}

static void expect_passes(const struct wb_launch *launch, uint32_t passes, const char *lines)
{
  assert_int_equal(last_access(87, launch, lines).wavefronts, passes);
}

TEST(neighbours)
{
  /* p[blockIdx.x * blockDim.x + threadIdx.x]; the pointer's alignment is not known. */
  expect_sectors(87, &row, 5,
                 "S2R R0, SR_TID.X; S2R R3, SR_CTAID.X; IMAD R0, R3, c[0x0][0x0], R0; MOV R2, 0x4; "
                 "IMAD.WIDE R4, R0, R2, c[0x0][0x160]; LDG.E R6, [R4.64]");
  expect_sectors(52, &row, 5,
                 "S2R R0, SR_TID.X; SHL R2, R0, 0x2; SHR R3, R0, 0x1e; IADD R4.CC, R2, "
                 "c[0x0][0x140]; IADD.X R5, R3, c[0x0][0x144]; LDG.E R6, [R4]");
  expect_sectors(87, &row, 5,
                 "S2R R0, SR_TID.X; LEA R4, P0, R0, c[0x0][0x160], 0x2; LEA.HI.X.SX32 R5, R0, "
                 "c[0x0][0x164], 0x2, P0; LDG.E R6, [R4.64]");
  /* Of 16 bytes each; bytes; one place. */
  expect_sectors(87, &row, 17,
                 "S2R R0, SR_TID.X; IMAD.WIDE R4, R0, 0x10, c[0x0][0x160]; LDG.E.128 R8, [R4.64]");
  expect_sectors(87, &row, 2,
                 "S2R R0, SR_TID.X; IADD3 R4, P0, R0, c[0x0][0x160], RZ; IADD3.X R5, RZ, "
                 "c[0x0][0x164], RZ, P0, !PT; LDG.E.U8 R8, [R4.64]");
  expect_sectors(87, &row, 1, "MOV R4, c[0x0][0x160]; MOV R5, c[0x0][0x164]; LDG.E R8, [R4.64]");
}

/* p[index] of 4 bytes in the form of sm_87, the index in R0. */
#define OF_INDEX "; MOV R2, 0x4; IMAD.WIDE R4, R0, R2, c[0x0][0x160]; LDG.E R6, [R4.64]"
/* i = blockIdx.x * blockDim.x + threadIdx.x in R0. */
#define INDEX "S2R R0, SR_TID.X; S2R R3, SR_CTAID.X; IMAD R0, R3, c[0x0][0x0], R0; "

/* What kernels do with indices. */
TEST(indices)
{
  static const struct wb_launch thousand = {.block = {1000, 1, 1}, .grid = {64, 1, 1}};
  static const struct wb_launch ten = {.block = {10, 10, 1}, .grid = {8, 8, 1}};
  static const struct wb_launch one = {.block = {1, 1, 1}};
  static const struct {
    const char *lines;
    const struct wb_launch *launch;
    uint32_t sectors;
    unsigned sm;
  } rows[] = {
      /* y * pitch + x, with an unknown pitch: two rows, and a wrap of 32 bits. */
      {"S2R R0, SR_TID.X; S2R R1, SR_TID.Y; IMAD R0, R1, c[0x0][0x170], R0" OF_INDEX, &square, 7,
       87},
      {"S2R R0, SR_TID.X; S2R R1, SR_TID.Y; IMUL R1, R1, c[0x0][0x148]; IADD R0, R0, R1; SHL R2, "
       "R0, 0x2; SHR R3, R0, 0x1e; IADD R4.CC, R2, c[0x0][0x140]; IADD.X R5, R3, c[0x0][0x144]; "
       "LDG.E R6, [R4]",
       &square, 7, 61},
      {"S2R R0, SR_TID.X; S2R R1, SR_TID.Y; IMAD R0, R1, 0x64, R0" OF_INDEX, &square, 6, 75},
      /* max(i - 1, 0); min(i, n - 1); a column for each lane. */
      {INDEX "IADD3 R0, R0, -0x1, RZ; IMNMX R0, RZ, R0, !PT" OF_INDEX, &row, 5, 87},
      {"S2R R0, SR_TID.X; S2R R3, SR_CTAID.X; IMAD R0, R3, c[0x0][0x360], R0; IMNMX R0, R0, "
       "c[0x0][0x390], PT; MOV R2, 0x4; IMAD.WIDE R4, R0, R2, c[0x0][0x380]; LDG.E R6, [R4.64]",
       &row, 5, 120},
      {"S2R R0, SR_TID.X; IMNMX R0, R0, c[0x0][0x148], PT; SHL R2, R0, 0x2; SHR R3, R0, 0x1e; IADD "
       "R4.CC, R2, c[0x0][0x140]; IADD.X R5, R3, c[0x0][0x144]; LDG.E R6, [R4]",
       &row, 5, 61},
      {INDEX "IMAD R0, R0, c[0x0][0x170], RZ" OF_INDEX, &row, 32, 87},
      /* i / 3, i % 3, i / 48 * pitch + i % 48, i & 15. */
      {INDEX "IMAD.HI.U32 R0, R0, 0x55555556, RZ" OF_INDEX, &row, 3, 87},
      {INDEX "IMAD.HI.U32 R1, R0, 0x55555556, RZ; IMAD R0, R1, -0x3, R0" OF_INDEX, &row, 2, 87},
      {INDEX
       "IMAD.HI.U32 R1, R0, 0xaaaaaaab, RZ; SHF.R.U32.HI R1, RZ, 0x5, R1; IMAD R2, R1, -0x30, "
       "R0; IMAD R0, R1, c[0x0][0x170], R2" OF_INDEX,
       &row, 7, 87},
      {INDEX "LOP3.LUT R0, R0, 0xf, RZ, 0xc0, !PT" OF_INDEX, &thousand, 3, 87},
      /* i & ~31, i & 0x3f0; of a mask with gaps nothing. */
      {INDEX "LOP3.LUT R0, R0, 0xffffffe0, RZ, 0xc0, !PT" OF_INDEX, &thousand, 2, 87},
      {INDEX "LOP3.LUT R0, R0, 0x3f0, RZ, 0xc0, !PT" OF_INDEX, &thousand, 3, 87},
      {INDEX "LOP3.LUT R0, R0, 0x3d0, RZ, 0xc0, !PT" OF_INDEX, &thousand, 32, 87},
      /* A long period: i + n & 0x3fffffff. */
      {"S2R R0, SR_TID.X; IADD3 R0, R0, c[0x0][0x168], RZ; LOP3.LUT R0, R0, 0x3fffffff, RZ, 0xc0, "
       "!PT" OF_INDEX,
       &row, 7, 87},
      /* (i + n) (1 + i % 2), 64 bits; p[i + n] or, where i is even and m > 9, q[i + n]: lanes are
       * divided at two places, where i + n wraps. */
      {"S2R R0, SR_TID.X; IADD3 R1, R0, c[0x0][0x168], RZ; LOP3.LUT R3, R0, 0x1, RZ, 0xc0, !PT; "
       "IADD3 R3, R3, 0x1, RZ; SHF.L.U32 R3, R3, 0x2, RZ; IMAD.WIDE R4, R1, R3, c[0x0][0x160]; "
       "LDG.E R6, [R4.64]",
       &row, 16, 87},
      {"S2R R0, SR_TID.X; LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT; MOV R8, c[0x0][0x180]; @P1 MOV "
       "R8, 0x5; ISETP.LT.U32.AND P0, PT, R8, 0xa, PT; IADD3 R0, R0, c[0x0][0x168], RZ; MOV R2, "
       "0x4; IMAD.WIDE R4, R0, R2, c[0x0][0x170]; @P0 IMAD.WIDE R4, R0, R2, c[0x0][0x160]; LDG.E "
       "R6, [R4.64]",
       &row, 12, 87},
      /* Partial warps. */
      {INDEX "MOV R0, R0" OF_INDEX, &thousand, 5, 87},
      {"S2R R0, SR_TID.X; S2R R1, SR_TID.Y; IMAD R0, R1, 0xa, R0" OF_INDEX, &ten, 5, 87},
      {INDEX "MOV R0, R0" OF_INDEX, &one, 1, 87},
      /* if (threadIdx.x < 8) p[64 threadIdx.x]. */
      {"S2R R0, SR_TID.X; ISETP.GT.U32.AND P0, PT, R0, 0x7, PT; @P0 EXIT; SHF.L.U32 R0, R0, 0x6, "
       "RZ" OF_INDEX,
       &row, 8, 87},
      {"S2R R0, SR_TID.X; ISETP.LT.U32.AND P0, PT, R0, 0x4, PT; MOV R2, 0x40; IMAD.WIDE R4, R0, "
       "R2, "
       "c[0x0][0x160]; @P0 LDG.E R6, [R4.64]",
       &row, 4, 87},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++)
    expect_sectors(rows[r].sm, rows[r].launch, rows[r].sectors, rows[r].lines);
}

/* The words of an address by other ways: a sign word, bytes, choices, copies. */
TEST(words_of_addresses)
{
  expect_sectors(87, &row, 2,
                 "S2R R0, SR_TID.X; IADD3 R4, P0, R0, c[0x0][0x160], RZ; LEA.HI.X.SX32 R5, R0, "
                 "c[0x0][0x164], 0x1, P0; LDG.E.U8 R6, [R4.64]");
  expect_sectors(87, &row, 2,
                 "S2R R0, SR_TID.X; PRMT R1, R0, 0xbbbb, RZ; IADD3 R4, P0, R0, c[0x0][0x160], RZ; "
                 "IADD3.X R5, R1, c[0x0][0x164], RZ, P0, !PT; LDG.E.U8 R6, [R4.64]");
  expect_sectors(52, &row, 5,
                 "S2R R0, SR_TID.X; SHL R2, R0, 0x2; SHR.U32 R3, R0, 0x1e; MOV R7, R3; IADD R4.CC, "
                 "R2, c[0x0][0x140]; IADD.X R5, R7, c[0x0][0x144]; LDG.E R6, [R4]");
  expect_sectors(87, &row, 5,
                 "S2R R0, SR_TID.X; S2R R1, SR_CTAID.X; ISETP.NE.AND P1, PT, R1, RZ, PT; IMAD.WIDE "
                 "R4, R0, 0x4, c[0x0][0x160]; IMAD.WIDE R8, R0, 0x4, c[0x0][0x168]; SEL R10, R4, "
                 "R8, P1; SEL R11, R5, R9, P1; LDG.E R6, [R10.64]");
}

/* A block that the walk goes through in several parts. */
TEST(long_block)
{
  FREED_BY(wb_text_free) struct wb_text lines = {0};
  wb_text_string(&lines, "S2R R0, SR_TID.X; IMAD.WIDE R4, R0, 0x4, c[0x0][0x160]; ");
  for (size_t i = 0; i < 30000; i++)
    wb_text_string(&lines, "IADD3 R1, R1, 0x1, R0; ");
  wb_text_string(&lines, "LDG.E R6, [R4.64]");
  assert_false(lines.failed);
  expect_sectors(87, &row, 5, lines.data);
}

TEST(known_pointer)
{
  static const struct wb_parameter_value words[] = {{NULL, 0, 0x1000}, {NULL, 4, 0x7f}};
  struct wb_launch launch = row;
  launch.parameters = words;
  launch.parameter_count = 2;
  expect_sectors(87, &launch, 4,
                 "S2R R0, SR_TID.X; IMAD.WIDE R4, R0, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64]");
  expect_sectors(87, &launch, 5,
                 "S2R R0, SR_TID.X; IMAD.WIDE R4, R0, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64+0x4]");
}

/* With a pointer that is a multiple of 256 bytes. */
TEST(aligned_pointer)
{
  static const struct wb_declared_buffer buffer = {.bytes = 1 << 20, .aligned = true};
  struct wb_launch rows = square;
  struct wb_launch line = row;
  rows.buffers = line.buffers = &buffer;
  rows.buffer_count = line.buffer_count = 1;
  /* Two rows that a wrap does not divide within a sector; it may where the pointer is any. */
  expect_sectors(87, &rows, 6,
                 "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; IMAD R0, R1, c[0x0][0x170], R0" OF_INDEX);
  /* Clamped numbers are those of a column that begins at a multiple of 32. */
  expect_sectors(87, &line, 4, INDEX "IMNMX R0, R0, c[0x0][0x170], PT" OF_INDEX);
  expect_sectors(87, &line, 1,
                 "S2R R0, SR_TID.X; IMNMX R0, R0, c[0x0][0x170], PT; SHF.R.U32.HI R0, RZ, 0x2, "
                 "R0" OF_INDEX);
}

TEST(strides)
{
  const struct wb_access access = last_access(
      87, &row, "S2R R0, SR_TID.X; IMAD.WIDE R4, R0, 0x20, c[0x0][0x160]; STG.E [R4.64], R6");
  assert_int_equal(access.pattern, WB_ACCESS_STRIDED);
  assert_int_equal(access.stride, 32);
  assert_int_equal(access.sectors, 32);
  assert_int_equal(access.ideal, 4);
  assert_true(access.store && !access.load && !access.atomic && !access.unbounded);
}

TEST(unknown)
{
  /* Without a block size; from memory; a product of two that are not known. */
  const char *const lines =
      "S2R R0, SR_TID.X; IMAD.WIDE R4, R0, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64]";
  expect_sectors(87, NULL, 32, lines);
  expect_sectors(87, &row, 32,
                 "S2R R0, SR_TID.X; IMAD.WIDE R4, R0, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64]; "
                 "IMAD.WIDE R4, R6, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64]");
  expect_sectors(87, &row, 32,
                 "S2R R0, SR_TID.X; IMAD R0, R0, c[0x0][0x168], RZ; IMAD.WIDE R4, R0, 0x4, "
                 "c[0x0][0x160]; LDG.E R6, [R4.64]");
}

/* Of three words the carry is not all that the upper ones need. */
TEST(sum_of_three)
{
  expect_sectors(87, &row, 32,
                 "S2R R0, SR_TID.X; MOV R1, c[0x0][0x168]; IADD3 R4, P0, R0, c[0x0][0x160], R1; "
                 "IADD3.X R5, RZ, c[0x0][0x164], RZ, P0, !PT; LDG.E R6, [R4.64]");
}

/* A shift of numbers that may wrap round within the warp tells nothing; on a multiple of 32 it is
 * one number. */
TEST(shifted_indices)
{
  expect_passes(&row, 32,
                "S2R R0, SR_TID.X; MOV R1, c[0x0][0x168]; SHF.L.U32 R1, R1, 0x2, RZ; IADD3 R0, R0, "
                "R1, RZ; SHF.R.U32.HI R0, RZ, 0x1, R0; STS [R0.X4], R2");
  expect_passes(&row, 1, "S2R R0, SR_TID.X; SHF.R.U32.HI R0, RZ, 0x5, R0; STS [R0.X4], R2");
}

/* An index that may wrap round within the warp: one sector more. */
TEST(wrapping)
{
  expect_sectors(87, &row, 6,
                 "S2R R0, SR_TID.X; IADD3 R0, R0, c[0x0][0x168], RZ; IMAD.WIDE R4, R0, 0x4, "
                 "c[0x0][0x160]; LDG.E R6, [R4.64]");
}

/* Lanes leave a loop after different numbers of rounds: its counter is theirs alone then. */
TEST(after_a_loop)
{
  expect_sectors(87, &row, 32,
                 "S2R R0, SR_TID.X; MOV R1, RZ; BSSY B0, end; head:; IADD3 R1, R1, 0x1, RZ; "
                 "ISETP.LT.AND P0, PT, R1, R0, PT; @P0 BRA head; BSYNC B0; end:; IMAD.WIDE R4, R1, "
                 "0x4, c[0x0][0x160]; LDG.E R6, [R4.64]");
  expect_sectors(52, &row, 32,
                 "S2R R0, SR_TID.X; MOV R1, RZ; PBK end; head:; IADD R1, R1, 0x1; ISETP.GE.AND P0, "
                 "PT, R1, R0, PT; @P0 BRK; BRA head; end:; SHL R2, R1, 0x2; LDG.E R6, [R2]");
}

/* In the loop those that are left are in one round. */
TEST(in_a_loop)
{
  expect_sectors(87, &row, 1,
                 "S2R R0, SR_TID.X; MOV R1, RZ; BSSY B0, end; head:; IADD3 R1, R1, 0x1, RZ; "
                 "IMAD.WIDE R4, R1, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64]; ISETP.LT.AND P0, PT, "
                 "R1, R0, PT; @P0 BRA head; BSYNC B0; end:");
}

TEST(sides_of_a_branch)
{
  /* What one side writes is not known after it; what none writes is. */
  expect_sectors(87, &row, 32,
                 "S2R R0, SR_TID.X; MOV R1, c[0x0][0x168]; ISETP.LT.AND P0, PT, R0, 0x7, PT; BSSY "
                 "B0, end; @P0 BRA sync; MOV R1, c[0x0][0x16c]; sync:; BSYNC B0; end:; IMAD.WIDE "
                 "R4, R1, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64]");
  expect_sectors(87, &row, 1,
                 "S2R R0, SR_TID.X; MOV R1, c[0x0][0x168]; ISETP.LT.AND P0, PT, R0, 0x7, PT; BSSY "
                 "B0, end; @P0 BRA sync; MOV R2, c[0x0][0x16c]; sync:; BSYNC B0; end:; IMAD.WIDE "
                 "R4, R1, 0x4, c[0x0][0x160]; LDG.E R6, [R4.64]");
}

TEST(guards)
{
  /* An access under the guard of its address is known, one without it is not. */
  expect_sectors(87, &row, 5,
                 "S2R R0, SR_TID.X; ISETP.LT.AND P0, PT, R0, c[0x0][0x168], PT; @P0 IMAD.WIDE R4, "
                 "R0, 0x4, c[0x0][0x160]; @P0 LDG.E R6, [R4.64]");
  expect_sectors(87, &row, 32,
                 "S2R R0, SR_TID.X; ISETP.LT.AND P0, PT, R0, c[0x0][0x168], PT; @P0 IMAD.WIDE R4, "
                 "R0, 0x4, c[0x0][0x160]; @!P0 LDG.E R6, [R4.64]");
}

TEST(banks)
{
  expect_passes(&row, 1, "S2R R0, SR_TID.X; STS [R0.X4], R1");
  expect_passes(&row, 2, "S2R R0, SR_TID.X; STS [R0.X8], R1");
  expect_passes(&row, 32, "S2R R0, SR_TID.X; SHF.L.U32 R0, R0, 0x7, RZ; STS [R0], R1");
  /* Rows of 33 words. */
  expect_passes(&row, 1, "S2R R0, SR_TID.X; IMAD R0, R0, 0x84, RZ; STS [R0], R1");
  expect_passes(&row, 2, "S2R R0, SR_TID.X; STS.64 [R0.X8], R2");
  expect_passes(&row, 4, "S2R R0, SR_TID.X; STS.128 [R0.X16], R4");
  expect_passes(&row, 1, "MOV R0, c[0x0][0x160]; LDS R1, [R0]");
  /* Two rows of 16 lanes, 17 words apart: two lanes share a bank. */
  expect_passes(&square, 2,
                "S2R R0, SR_TID.X; S2R R1, SR_TID.Y; IMAD R0, R1, 0x11, R0; SHF.L.U32 R0, R0, 0x2, "
                "RZ; IMAD R0, R1, 0x3c, R0; STS [R0], R1");
}

TEST(atomics)
{
  const struct wb_access one = last_access(87, &row, "MOV R0, RZ; ATOMS.ADD R1, [R0], R2");
  const struct wb_access apart =
      last_access(87, &row, "S2R R0, SR_TID.X; ATOMS.ADD R1, [R0.X4], R2");
  const struct wb_access any =
      last_access(87, &row, "LDS R0, [RZ]; LDG.E R0, [R8.64]; ATOMS.ADD R1, [R0], R2");
  assert_true(one.atomic && one.load && one.store);
  assert_int_equal(one.lanes_at_one, 32);
  assert_int_equal(apart.lanes_at_one, 1);
  assert_int_equal(any.lanes_at_one, 32);
}

TEST(local_memory)
{
  expect_sectors(87, &row, 4, "MOV R0, c[0x0][0x160]; STL [R0], R1");
  expect_sectors(87, &row, 16, "MOV R0, c[0x0][0x160]; STL.128 [R0], R4");
  expect_sectors(87, &row, 32, "S2R R0, SR_TID.X; STL [R0.X4], R1");
  expect_sectors(87, &row, 128, "LDG.E R0, [R8.64]; STL.128 [R0], R4");
}

TEST(not_bounded)
{
  assert_true(last_access(90, NULL, "UBLKCP.S.G [UR4], [UR6], UR8").unbounded);
  assert_true(last_access(87, NULL, "NOSUCH R0, R1").unbounded);
}

/* Every opcode of the load/store pipe and of the tensor cores is in the table of accesses. */
TEST(all_opcodes)
{
  size_t rows;
  const struct wb_sass_opcode *opcodes = wb_sass_opcode_rows(&rows);
  for (size_t r = 0; r < rows; r++) {
    struct wb_instruction instruction = {0};
    wb_opcode_parse(opcodes[r].opcode, strlen(opcodes[r].opcode), &instruction);
    if ((opcodes[r].unit == WB_UNIT_LOAD_STORE || opcodes[r].unit == WB_UNIT_TENSOR) &&
        wb_access_kind_of((enum wb_opcode)instruction.number)->action == WB_ACTION_UNLISTED)
      fail_msg("%s is not in the table", opcodes[r].opcode);
  }
}
