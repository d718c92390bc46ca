/* What a bracket on a launch rests on is listed: of each bundled device each value is changed, one
 * at a time, and where that moves an end of the bracket or its times the value must be among those
 * that the result lists. Kernels are written here, so that together they have every kind of
 * instruction of the device files: made of statements, with control words that have stalls, drains,
 * yields and scoreboards. Values that are listed and move nothing are a remark.
 *   WARPBOUND_CROSS_EVERY  takes one launch of so many (4), and raises what is not listed; 1: all
 *                          launches, all changes of all values
 * Left out: loops; devices that are no bundled ones; carve-outs that the options ask for. */
#include "analysis/code/module.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/device/device_file.h"
#include "unit.h"

#include <inttypes.h>
#include <jansson.h>

#define DEFAULT_EVERY 4

/* ---- kernels ---- */

static const char *const memory_lines[] = {
    "S2R R0, SR_TID.X",
    "IADD3 R2, R0, c[0x0][0x160], RZ",
    "LDG.E R4, [R2.64]",
    "LD.E R5, [R2.64]",
    "LDL R6, [R1]",
    "STL [R1], R4",
    "STG.E [R2.64], R4",
    "ST.E [R2.64], R5",
    "ATOMG.E.ADD.STRONG.GPU PT, R7, [R2.64], R4",
    "ATOM.E.ADD.STRONG.GPU PT, R7, [R2.64], R4",
    "RED.E.ADD.STRONG.GPU [R2.64], R4",
    "MEMBAR.SC.GPU",
    "LDC R8, c[0x0][R0]",
    "CCTL.IVALL",
    "EXIT",
    NULL,
};

static const char *const shared_lines[] = {
    "S2R R0, SR_TID.X", "STS [R0], R4", "BAR.SYNC 0x0",    "LDS R5, [R0]", "ATOMS.ADD RZ, [R0], R5",
    "BAR.SYNC 0x0",     "LDS R6, [R0]", "FADD R6, R5, R6", "EXIT",         NULL,
};

static const char *const arithmetic_lines[] = {
    "FADD R4, R5, R6",
    "IMAD R4, R5, R6, R7",
    "IMUL R4, R5, R6",
    "HADD2 R4, R5, R6",
    "MUFU.RCP R8, R4",
    "DADD R10, R4, R8",
    "SHFL.IDX PT, R4, R5, R6, R7",
    "SHL R4, R5, 0x2",
    "NOP",
    "EXIT",
    NULL,
};

static const char *const volta_lines[] = {
    "HMMA.16816.F32 R4, R8, R12, R4",
    "UMOV UR4, 0x1",
    "NANOSLEEP 0x10",
    "ERRBAR",
    "R2UR UR4, R4",
    "EXIT",
    NULL,
};

static const char *const texture_lines[] = {
    "TEX.SCR.LL R4, R5, R6, R7, 0x0, 0x5a, 2D, 0xf",
    "TLD4.R R4, R5, R6, R7, 0x0, 0x5a, 2D, 0xf",
    "SULD.D.1D.STRONG.SM.IGN R4, [R6], UR4, 0x0",
    "SUST.D.1D.STRONG.SM.IGN [R6], R4, UR4, 0x0",
    "SURED.D.1D.ADD.IGN [R6], R4, UR4, 0x0",
    "EXIT",
    NULL,
};

static const char *const copy_lines[] = {
    "LDGSTS.E [R4], [R2.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x0", "EXIT", NULL,
};

/* first: the oldest architecture whose devices have classes for all of its lines. */
static const struct kernel_row {
  const char *name;
  const char *const *lines;
  uint32_t first;
} kernel_rows[] = {
    {"memory", memory_lines, 0},   {"shared", shared_lines, 0}, {"arithmetic", arithmetic_lines, 0},
    {"texture", texture_lines, 0}, {"volta", volta_lines, 75},  {"copy", copy_lines, 80},
};

#define KERNELS (COUNT_OF(kernel_rows))

struct kernel {
  const struct kernel_row *row;
  warpbound_module *module;
  warpbound_kernel *handle;
};

/* Stalls from 0, a drain (of which devices before Volta have none), or from 1 on, a yield in every
 * other one; each third waits for those before. */
static void give_control_words(const struct kernel *kernel, uint32_t architecture)
{
  const uint32_t least = architecture < 70 ? 1 : 0;
  struct wb_function *function =
      &kernel->module->code.functions[kernel->module->functions[0].index];
  free(function->encodings);
  function->encodings = calloc(function->instruction_count, sizeof *function->encodings);
  assert_non_null(function->encodings);
  for (size_t i = 0; i < function->instruction_count; i++) {
    struct wb_encoding *encoding = &function->encodings[i];
    encoding->has_control = true;
    encoding->control.stall = (uint8_t)(least + i % 5);
    encoding->control.yield = i % 2 == 1;
    encoding->control.write_barrier = (uint8_t)(i % 3);
    encoding->control.read_barrier = (uint8_t)(3 + i % 3);
    encoding->control.wait_mask = i % 3 == 2 ? 0x3f : 0;
  }
}

static void parse_kernel(const struct kernel_row *row, struct kernel *kernel)
{
  FREED_BY(wb_text_free) struct wb_text listing = {0};
  warpbound_error error = {0};
  wb_text_string(&listing, ".headerflags @\"EF_CUDA_SM75\"\n.section .text.f,\"ax\",@progbits\n"
                           ".sectionflags @\"SHF_BARRIERS=1\"\n");
  for (unsigned line = 0; row->lines[line] != NULL; line++)
    wb_text_format(&listing, "/*%04x*/ %s ;\n", 16 * line, row->lines[line]);
  *kernel = (struct kernel){.row = row};
  if (warpbound_module_parse(row->name, listing.data, listing.length, NULL, &kernel->module,
                             &error) != WARPBOUND_OK ||
      warpbound_kernel_at(kernel->module, 0, &kernel->handle, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", row->name, error.message);
}

/* ---- launches ---- */

/* Several waves, and a block beside none. */
static const struct shape {
  uint32_t grid, block;
  uint64_t simulate;
} shapes[] = {{5000, 96, 0}, {2, 160, 4000}};

#define SHAPES (COUNT_OF(shapes))

struct bracket {
  bool there;
  uint64_t lower, upper, clock;
};

/* The launch, or NULL where it is refused. */
static warpbound_launch *analyse(const struct kernel *kernel, const warpbound_gpu *gpu,
                                 const struct shape *shape, warpbound_error *error)
{
  const warpbound_annotation_options known = {.grid = {shape->grid, 1, 1},
                                              .block = {shape->block, 1, 1}};
  warpbound_annotations *annotations = NULL;
  warpbound_launch *launch = NULL;
  warpbound_launch_options options = {.registers = 40,
                                      .has_static_shared = true,
                                      .static_shared = 4096,
                                      .allow_other_device = true,
                                      .simulate = shape->simulate};
  assert_ok(warpbound_annotations_create(kernel->module, &known, &annotations, NULL));
  options.wcet.annotations = annotations;
  (void)warpbound_launch_analyse(kernel->handle, gpu, &options, NULL, &launch, error);
  warpbound_annotations_free(annotations);
  return launch;
}

static struct bracket bracket_of(const warpbound_launch *launch, const warpbound_gpu *gpu)
{
  if (launch == NULL)
    return (struct bracket){0};
  return (struct bracket){.there = true,
                          .lower = warpbound_launch_lower(launch).cycles,
                          .upper = warpbound_launch_upper(launch).cycles,
                          .clock = warpbound_gpu_clock(gpu)};
}

static bool same(const struct bracket *a, const struct bracket *b)
{
  return a->there == b->there && a->lower == b->lower && a->upper == b->upper &&
         a->clock == b->clock;
}

/* ---- what is listed ---- */

/* By value of the device: whether the result's JSON lists it. */
static void find_listed(const warpbound_launch *launch, const struct wb_device_timing *device,
                        bool *listed)
{
  char *text;
  assert_ok(warpbound_launch_json(launch, &text, NULL));
  json_t *object = json_loads(text, 0, NULL);
  const json_t *rows = json_object_get(object, "values");
  assert_true(json_array_size(rows) > 0);
  memset(listed, 0, device->value_count * sizeof *listed);
  for (size_t r = 0; r < json_array_size(rows); r++) {
    const json_t *row = json_array_get(rows, r);
    const size_t value =
        wb_device_value_find(device, json_string_value(json_object_get(row, "name")));
    assert_true(value != SIZE_MAX);
    assert_string_equal(json_string_value(json_object_get(row, "kind")),
                        wb_value_kind_name(device->values[value].kind));
    listed[value] = true;
  }
  json_decref(object);
  warpbound_text_free(text);
}

/* ---- changes ---- */

struct tally {
  size_t changes, moved, values;
  bool *listed, *moves; /* of a device, by value: in any result; on any result */
  uint64_t every;
};

/* The value changed; whether the device may have it. */
static bool change(struct wb_device_timing *device, size_t value, int number)
{
  struct wb_device_value *at = &device->values[value];
  switch (number) {
  case 0:
    at->value = 2 * at->value + 1;
    break;
  case 1:
    at->value *= 2;
    break;
  case 2:
    at->value += 1;
    break;
  default:
    at->value /= 2;
    break;
  }
  return wb_device_timing_verify(device, NULL) == WARPBOUND_OK;
}

#define CHANGES 4

static void try_value(const struct kernel *kernel, const struct shape *shape, warpbound_gpu *gpu,
                      const struct bracket *before, const bool *listed, size_t value,
                      struct tally *tally)
{
  struct wb_device_timing *device = &gpu->device;
  const uint64_t number = device->values[value].value;
  for (int c = 0; c < (tally->every == 1 ? CHANGES : 1); c++) {
    if (change(device, value, c)) {
      warpbound_launch *launch = analyse(kernel, gpu, shape, NULL);
      const struct bracket after = bracket_of(launch, gpu);
      warpbound_launch_free(launch);
      tally->changes++;
      if (!same(before, &after)) {
        tally->moved++;
        tally->moves[value] = true;
        if (!listed[value])
          fail_msg("%s, %s, %" PRIu32 " blocks: %s from %" PRIu64 " to %" PRIu64
                   " moves the bracket from %" PRIu64 " .. %" PRIu64 " to %" PRIu64 " .. %" PRIu64
                   " and is not listed",
                   device->name, kernel->row->name, shape->grid, device->values[value].name, number,
                   device->values[value].value, before->lower, before->upper, after.lower,
                   after.upper);
      }
    }
    device->values[value].value = number;
  }
}

static void try_launch(const struct kernel *kernel, const struct shape *shape, warpbound_gpu *gpu,
                       struct tally *tally)
{
  const struct wb_device_timing *device = &gpu->device;
  bool *listed = wb_allocate(device->value_count, sizeof *listed);
  warpbound_error error = {0};
  warpbound_launch *launch = analyse(kernel, gpu, shape, &error);
  assert_non_null(listed);
  if (launch == NULL)
    fail_msg("%s is refused on %s: %s", kernel->row->name, device->name, error.message);
  const struct bracket before = bracket_of(launch, gpu);
  find_listed(launch, device, listed);
  warpbound_launch_free(launch);
  for (size_t v = 0; v < device->value_count; v++) {
    tally->listed[v] = tally->listed[v] || listed[v];
    if (tally->every == 1 || !listed[v])
      try_value(kernel, shape, gpu, &before, listed, v, tally);
  }
  free(listed);
}

/* Values that are listed and move nothing, whatever is changed. */
static void remark_idle(const struct wb_device_timing *device, const struct tally *tally)
{
  FREED_BY(wb_text_free) struct wb_text names = {0};
  size_t count = 0;
  for (size_t v = 0; v < device->value_count; v++) {
    if (tally->listed[v] && !tally->moves[v])
      wb_text_format(&names, "%s%s", count++ > 0 ? ", " : "", device->values[v].name);
  }
  if (count > 0)
    print_message("# %s: %zu listed values move nothing here: %s\n", device->name, count,
                  names.data);
}

static void try_device(size_t d, const struct kernel *kernels, struct tally *tally)
{
  warpbound_gpu *gpu = NULL;
  size_t listed = 0;
  const char *name = warpbound_gpu_bundled_name(d);
  assert_ok(warpbound_gpu_bundled(name, &gpu, NULL));
  const size_t count = gpu->device.value_count;
  tally->listed = wb_allocate(count, sizeof *tally->listed);
  tally->moves = wb_allocate(count, sizeof *tally->moves);
  for (size_t k = 0; k < KERNELS; k++) {
    give_control_words(&kernels[k], gpu->device.architecture);
    for (size_t s = 0; s < SHAPES; s++) {
      if (kernels[k].row->first <= gpu->device.architecture &&
          (5 * d + 3 * k + s) % tally->every == 0)
        try_launch(&kernels[k], &shapes[s], gpu, tally);
    }
  }
  for (size_t v = 0; v < count; v++)
    listed += tally->listed[v];
  print_message("# %s: %zu of %zu values listed\n", name, listed, count);
  if (tally->every == 1)
    remark_idle(&gpu->device, tally);
  tally->values += count;
  free(tally->listed);
  free(tally->moves);
  warpbound_gpu_free(gpu);
}

TEST(what_moves_the_bracket_is_listed)
{
  struct kernel kernels[KERNELS];
  struct tally tally = {.every = number_from_environment("WARPBOUND_CROSS_EVERY", DEFAULT_EVERY)};
  for (size_t k = 0; k < KERNELS; k++)
    parse_kernel(&kernel_rows[k], &kernels[k]);
  for (size_t d = 0; d < warpbound_gpu_count(); d++)
    try_device(d, kernels, &tally);
  print_message("# %zu values, %zu changes, %zu move a bracket\n", tally.values, tally.changes,
                tally.moved);
  assert_true(tally.changes > 0);
  for (size_t k = 0; k < KERNELS; k++) {
    warpbound_kernel_free(kernels[k].handle);
    warpbound_module_free(kernels[k].module);
  }
}
