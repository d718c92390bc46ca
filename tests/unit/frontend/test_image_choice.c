/* Which images of a file are analysed: by the architecture that is named, by the device, alone. */
#include "frontend/binary/binary_front_end.h"
#include "unit.h"

#define CUBIN(number, letter, text)                                                                \
  {                                                                                                \
    .kind = WB_IMAGE_CUBIN, .architecture = number, .suffix = letter, .architecture_name = text,   \
    .place = "", .identifier = ""                                                                  \
  }
#define PTX(number, text)                                                                          \
  {                                                                                                \
    .kind = WB_IMAGE_PTX, .architecture = number, .architecture_name = text, .place = "",          \
    .identifier = ""                                                                               \
  }

static struct wb_image three[] = {CUBIN(75, 0, "sm_75"), PTX(90, "sm_90"), CUBIN(86, 0, "sm_86"),
                                  CUBIN(90, 'a', "sm_90a"), CUBIN(75, 0, "sm_75")};
static struct wb_image only_ptx[] = {PTX(75, "sm_75")};
static struct wb_image both[] = {CUBIN(87, 0, "sm_87"), PTX(87, "sm_87")};

#define IMAGES(array) ((struct wb_images){.items = array, .count = COUNT_OF(array)})

/* The chosen ones as a mask of bits. */
static unsigned choose(struct wb_images images, struct wb_image_wish wish)
{
  bool chosen[8] = {false};
  warpbound_error error = {0};
  if (wb_images_choose("a.out", &images, &wish, chosen, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  unsigned mask = 0;
  for (size_t i = 0; i < images.count; i++)
    mask |= (unsigned)chosen[i] << i;
  return mask;
}

static void refuse(struct wb_images images, struct wb_image_wish wish, warpbound_status status,
                   const char *message)
{
  bool chosen[8] = {false};
  warpbound_error error = {0};
  assert_int_equal(wb_images_choose("a.out", &images, &wish, chosen, &error), status);
  assert_string_equal(error.message, message);
}

TEST(test_named)
{
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.architecture = "sm_75"}), 0x11);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.architecture = "sm_86"}), 0x4);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.architecture = "sm_90a"}), 0x8);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.architecture = "sm_90"}), 0x8);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.architecture = "compute_90"}),
                   0x2);
  refuse(IMAGES(three), (struct wb_image_wish){.architecture = "sm_87"}, WARPBOUND_USAGE,
         "--arch: expected one of sm_75, compute_90, sm_86, sm_90a, found 'sm_87'");
  refuse(IMAGES(three),
         (struct wb_image_wish){.architecture = "compute_90", .machine_code_only = true},
         WARPBOUND_USAGE, "--arch: expected one of sm_75, sm_86, sm_90a, found 'compute_90'");
}

TEST(test_device)
{
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.device = 75}), 0x11);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.device = 87}), 0x4);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.device = 90}), 0x8);
  /* An architecture with a suffix runs nowhere else; that of another major version neither. */
  refuse(IMAGES(three), (struct wb_image_wish){.device = 61}, WARPBOUND_USAGE,
         "--sm: none of the code in a.out runs on sm_61; it has code for sm_75, compute_90, "
         "sm_86, sm_90a: one of these by --arch, with --allow-other-sm");
  refuse(IMAGES(three), (struct wb_image_wish){.device = 100}, WARPBOUND_USAGE,
         "--sm: none of the code in a.out runs on sm_100; it has code for sm_75, compute_90, "
         "sm_86, sm_90a: one of these by --arch, with --allow-other-sm");
}

TEST(test_alone)
{
  refuse(IMAGES(three), (struct wb_image_wish){0}, WARPBOUND_USAGE,
         "--arch: expected one of sm_75, compute_90, sm_86, sm_90a, for a.out has code for each, "
         "found none");
  /* Machine code goes before PTX; PTX does where it is alone and wanted. */
  assert_int_equal(choose(IMAGES(both), (struct wb_image_wish){0}), 0x1);
  assert_int_equal(choose(IMAGES(both), (struct wb_image_wish){.device = 120}), 0x1);
  assert_int_equal(choose(IMAGES(only_ptx), (struct wb_image_wish){0}), 0x1);
  refuse(IMAGES(only_ptx), (struct wb_image_wish){.machine_code_only = true},
         WARPBOUND_INVALID_INPUT, "expected machine code (a cubin), found 1 image without");
}

TEST(test_module)
{
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.module = "5"}), 0x10);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.module = "2"}), 0x2);
  assert_int_equal(choose(IMAGES(three), (struct wb_image_wish){.module = "1", .device = 75}), 0x1);
  assert_int_equal(
      choose(IMAGES(three), (struct wb_image_wish){.module = "4", .architecture = "sm_90"}), 0x8);
  refuse(IMAGES(three), (struct wb_image_wish){.module = "2", .machine_code_only = true},
         WARPBOUND_USAGE,
         "--module: expected the number or name of a module with machine code in a.out, found '2'; "
         "it has 1 (sm_75), 3 (sm_86), 4 (sm_90a), 5 (sm_75)");
  refuse(IMAGES(three), (struct wb_image_wish){.module = "6"}, WARPBOUND_USAGE,
         "--module: expected the number or name of a module with kernels in a.out, found '6'; it "
         "has 1 (sm_75), 2 (compute_90), 3 (sm_86), 4 (sm_90a), 5 (sm_75)");
}
