/* Registers, shared memory and barriers that listings say: of all cubins of the fixtures the same
 * as the cubin itself says; forms of listings that say less say nothing. Left out: fat binaries'
 * choice of an image, which is another test's. */
#include "base/file.h"
#include "binary/container/container.h"
#include "binary/cubin/cubin.h"
#include "binary/listing/cubin_listing.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

#include <dirent.h>

static size_t compared;     /* functions */
static size_t with_shared;  /* those of them with shared memory */
static size_t with_barrier; /* those of them with barriers */

/* What the cubin does not say is 0 registers, and unknown otherwise. */
static void compare(const char *place, const struct wb_cubin *cubin, const struct wb_code *code)
{
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    const size_t index = wb_cubin_function_named(cubin, function->name);
    if (!function->defined || index == WB_CUBIN_NONE || cubin->functions[index].inner)
      continue;
    const struct wb_cubin_facts *facts = &cubin->functions[index].facts;
    const uint32_t registers = facts->registers != WB_CUBIN_ABSENT ? facts->registers : 0;
    const uint32_t shared = facts->registers != WB_CUBIN_ABSENT ? facts->shared : UINT32_MAX;
    if (function->registers != registers || function->static_shared != shared ||
        function->named_barriers != facts->barriers)
      fail_msg("%s, %s: expected %u registers, %u bytes, %u barriers, found %u, %u, %u", place,
               function->name, registers, shared, facts->barriers, function->registers,
               function->static_shared, function->named_barriers);
    compared++;
    with_shared += shared > 0 && shared != UINT32_MAX;
    with_barrier += facts->barriers > 0;
  }
}

static void compare_cubin(const char *place, const unsigned char *bytes, size_t length)
{
  FREED_BY(wb_cubin_free) struct wb_cubin cubin = {0};
  FREED_BY(wb_code_free) struct wb_code code = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  const struct wb_listing_options options = {.without_lines = true};
  warpbound_error error = {0};
  if (wb_cubin_read(place, bytes, length, &cubin, &error) != WARPBOUND_OK ||
      wb_cubin_listing(&cubin, &options, &text, &error) != WARPBOUND_OK ||
      wb_sass_parse(place, text.data, text.length, NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", place, error.message);
  compare(place, &cubin, &code);
}

static void compare_file(const char *path)
{
  FREED_BY(wb_input_free) struct wb_input source = {0};
  warpbound_error error = {0};
  FREED_BY(wb_images_free) struct wb_images images = {0};
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  const unsigned char *bytes = (const unsigned char *)source.bytes;
  if (wb_container_read(path, bytes, source.length, &images, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", path, error.message);
  for (size_t i = 0; i < images.count; i++) {
    FREED_BY(wb_image_bytes_free) struct wb_image_bytes unpacked = {0};
    if (images.items[i].kind != WB_IMAGE_CUBIN)
      continue;
    if (wb_image_unpack(path, &images.items[i], &unpacked, &error) != WARPBOUND_OK)
      fail_msg("%s: %s", path, error.message);
    compare_cubin(path, unpacked.bytes, unpacked.length);
  }
}

/* All files of a folder whose names have the ending. */
static void compare_folder(const char *folder, const char *ending)
{
  const char *fixtures = getenv("WARPBOUND_FIXTURES");
  assert_non_null(fixtures);
  char path[1024];
  snprintf(path, sizeof path, "%s/binary/%s", fixtures, folder);
  DIR *open = opendir(path);
  assert_non_null(open);
  for (const struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
    const size_t length = strlen(entry->d_name);
    const size_t end = strlen(ending);
    if (length < end || strcmp(entry->d_name + length - end, ending) != 0)
      continue;
    snprintf(path, sizeof path, "%s/binary/%s/%s", fixtures, folder, entry->d_name);
    compare_file(path);
  }
  closedir(open);
}

TEST(all_fixtures)
{
  static const char *const folders[] = {"algorithms", "arithmetic", "branches",
                                        "calls",      "loops",      "shared_memory"};
  for (size_t f = 0; f < COUNT_OF(folders); f++) {
    char folder[64];
    snprintf(folder, sizeof folder, "kernels/%s", folders[f]);
    compare_folder(folder, ".fatbin");
  }
  compare_folder("vectors", ".cubin");
  compare_folder("vectors", ".fatbin");
  /* 62 kernels' files of several architectures; old and new heads. */
  assert_true(compared > 200);
  assert_true(with_shared > 20);
  assert_true(with_barrier > 20);
}

struct listing {
  const char *text;
  uint32_t registers, shared, barriers;
};

#define UNKNOWN UINT32_MAX
#define CODE                                                                                       \
  "k:\n        /*0000*/ EXIT ; /* 0x000000000000794d */\n"                                         \
  "                                                       /* 0x000fea0003800000 */\n"
#define OLD "\t.headerflags\t@\"EF_CUDA_SM87\"\n\t.elftype\t@\"ET_EXEC\"\n"
#define NEW "\t.target\tsm_87\n\t.elftype\t@\"ET_EXEC\"\n"
#define OBJECT "\t.headerflags\t@\"EF_CUDA_SM87\"\n\t.elftype\t@\"ET_REL\"\n"
#define COUNTS                                                                                     \
  "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n\t//----- nvinfo : EIATTR_REGCOUNT\n"             \
  "        /*0000*/ .byte 0x04, 0x2f\n        /*0002*/ .short (.L_1 - .L_0)\n.L_0:\n"              \
  "        /*0004*/ .word index@(k)\n        /*0008*/ .word 0x00000018\n"                          \
  "\t//----- nvinfo : EIATTR_FRAME_SIZE\n.L_1:\n        /*000c*/ .byte 0x04, 0x11\n"               \
  "        /*000e*/ .short (.L_3 - .L_2)\n        /*0010*/ .word index@(k)\n"                      \
  "        /*0014*/ .word 0x00000063\n"
#define BARRIERS                                                                                   \
  "\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n\t//----- nvinfo : EIATTR_NUM_BARRIERS\n"       \
  "        /*0040*/ .byte 0x02, 0x4c\n        /*0042*/ .byte 0x03\n\t.zero\t\t1\n"
#define TEXT "\t.section\t.text.k,\"ax\",@progbits\n"
#define HEAD "\t.sectionflags\t@\"SHF_BARRIERS=2\"\n\t.sectioninfo\t@\"SHI_REGISTERS=34\"\n"
#define SHARED                                                                                     \
  "\t.section\t.nv.shared.k,\"aw\",@nobits\n.nv.shared.k:\n\t.zero\t\t0\n\t.zero\t\t1152\n"

TEST(listings)
{
  static const struct listing rows[] = {
      {OLD TEXT CODE, 0, UNKNOWN, 0},
      {OLD TEXT HEAD CODE, 34, UNKNOWN, 2},
      {OLD COUNTS TEXT CODE, 24, 0, 0},
      {OLD COUNTS TEXT HEAD CODE SHARED, 34, 1152, 2},
      {OLD TEXT HEAD CODE SHARED, 34, 1152, 2},
      {NEW TEXT CODE, 0, UNKNOWN, UNKNOWN},
      {NEW COUNTS TEXT CODE, 24, 0, 0},
      {NEW COUNTS BARRIERS TEXT CODE SHARED, 24, 1152, 3},
      {OBJECT COUNTS TEXT HEAD CODE, 34, UNKNOWN, 2},
      {OBJECT COUNTS TEXT HEAD CODE SHARED, 34, UNKNOWN, 2},
      /* Two modules of one architecture: whose they are is not known. */
      {NEW COUNTS TEXT CODE NEW COUNTS, 0, UNKNOWN, UNKNOWN},
      {OLD COUNTS TEXT CODE SHARED SHARED, 24, UNKNOWN, 0},
      {"\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM87\"\n" CODE, 0, UNKNOWN, UNKNOWN},
      {OLD TEXT "\t.sectioninfo\t@\"SHI_REGISTERS=\"\n" CODE, 0, UNKNOWN, 0},
      {OLD TEXT "\t.sectioninfo\t@\"SHI_REGISTERS=16777224\"\n" CODE, 16777224, UNKNOWN, 0},
      {OLD TEXT "\t.sectioninfo\t@\"SHI_REGISTERS=99999999999\"\n" CODE, 0, UNKNOWN, 0},
      {OLD COUNTS TEXT CODE "\t.section\t.nv.shared.k,\"aw\"\n\t.zero -1\n", 24, UNKNOWN, 0},
      {OLD COUNTS TEXT CODE "\t.section\t.nv.shared.k,\"aw\"\n\t.zero 4294967295\n\t.zero 4\n", 24,
       UNKNOWN, 0},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    FREED_BY(wb_code_free) struct wb_code code;
    warpbound_error error = {0};
    const struct listing *row = &rows[i];
    if (wb_sass_parse("f", row->text, strlen(row->text), NULL, &code, &error) != WARPBOUND_OK)
      fail_msg("row %zu: %zu:%zu: %s", i, (size_t)error.line, (size_t)error.column, error.message);
    assert_int_equal(code.function_count, 1);
    const struct wb_function *function = &code.functions[0];
    if (function->registers != row->registers || function->static_shared != row->shared ||
        function->named_barriers != row->barriers)
      fail_msg("row %zu: found %u registers, %u bytes, %u barriers", i, function->registers,
               function->static_shared, function->named_barriers);
  }
}
