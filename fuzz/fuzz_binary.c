/* Fuzz target: containers, cubins and outlines of PTX bear any bytes, say what is wrong with what
 * they refuse, and what they make is within its bounds. */
#include "binary/container/container.h"
#include "binary/cubin/cubin.h"
#include "frontend/ptx/ptx_outline.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Larger images are left packed: a fuzzer would do nothing else. */
#define UNPACKED_LIMIT ((size_t)1 << 20)

/* Not assert: it must hold in release builds too. */
static void require(bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "fuzz_binary: violated: %s\n", what);
  abort();
}

static void check_slice(const struct wb_cubin_slice *slice, size_t count)
{
  require(slice->first <= count && slice->count <= count - slice->first, "slices are within lists");
}

/* Reads every byte, so that a sanitizer sees one that is not there. */
static void check_section(const struct wb_cubin *cubin, const struct wb_cubin_section *section)
{
  unsigned sum = 0;
  for (uint64_t i = 0; section->bytes != NULL && i < section->size; i++)
    sum += section->bytes[i];
  require(sum < UINT32_MAX, "sections are small");
  require(strlen(section->name) < SIZE_MAX, "names end");
  check_slice(&section->relocations, cubin->relocation_count);
  check_slice(&section->attached, cubin->attached_count);
  require(section->function == WB_CUBIN_NONE || section->function < cubin->function_count,
          "a section's function is one");
  for (size_t r = 0; r < section->relocations.count; r++)
    require(cubin->relocations[section->relocations.first + r].offset < section->size,
            "relocations are within their sections");
}

static void check_list(const struct wb_cubin *cubin, const struct wb_cubin_function *function,
                       const struct wb_cubin_slice *slice)
{
  check_slice(slice, cubin->offset_count);
  for (size_t i = 0; i < slice->count; i++)
    require(cubin->offsets[slice->first + i] < cubin->sections[function->section].size,
            "offsets are within their sections");
}

static void check_function(const struct wb_cubin *cubin, const struct wb_cubin_function *function)
{
  const struct wb_cubin_facts *facts = &function->facts;
  require(function->section < cubin->section_count, "a function has a section");
  require(function->offset + function->size <= cubin->sections[function->section].size,
          "functions are within their sections");
  check_slice(&facts->parameters, cubin->parameter_count);
  check_slice(&facts->branches, cubin->branch_count);
  check_list(cubin, function, &facts->exits);
  check_list(cubin, function, &facts->block_reads);
  check_list(cubin, function, &facts->warp_wide);
  check_list(cubin, function, &facts->cooperative);
  check_list(cubin, function, &facts->system_calls);
  for (size_t b = 0; b < facts->branches.count; b++)
    check_list(cubin, function, &cubin->branches[facts->branches.first + b].targets);
}

static void check_cubin(const uint8_t *data, size_t size)
{
  struct wb_cubin cubin;
  warpbound_error error = {0};
  const warpbound_status status = wb_cubin_read("fuzz", data, size, &cubin, &error);
  if (status != WARPBOUND_OK) {
    require(status == WARPBOUND_INVALID_INPUT, "the cubin is to blame");
    require(error.message[0] != '\0', "errors have a message");
    require(cubin.sections == NULL, "nothing is left of a failure");
    return;
  }
  for (size_t s = 0; s < cubin.section_count; s++)
    check_section(&cubin, &cubin.sections[s]);
  for (size_t s = 0; s < cubin.symbol_count; s++)
    require(strlen(cubin.symbols[s].name) < SIZE_MAX &&
                (!cubin.symbols[s].defined || cubin.symbols[s].section < cubin.section_count),
            "symbols have names and sections");
  for (size_t f = 0; f < cubin.function_count; f++)
    check_function(&cubin, &cubin.functions[f]);
  wb_cubin_free(&cubin);
}

static void check_outline(const uint8_t *data, size_t size)
{
  struct wb_ptx_outline outline;
  require(wb_ptx_outline_read((const char *)data, size, &outline, NULL) == WARPBOUND_OK,
          "outlines are read of anything");
  for (size_t k = 0; k < outline.kernel_count; k++)
    require(outline.kernels[k].first_parameter + outline.kernels[k].parameter_count <=
                outline.parameter_count,
            "parameters are within their list");
  wb_ptx_outline_free(&outline);
}

static void check_image(const struct wb_image *image)
{
  struct wb_image_bytes unpacked;
  warpbound_error error = {0};
  require(image->length <= WB_IMAGE_LIMIT, "images are within their limit");
  if (image->length > UNPACKED_LIMIT)
    return;
  const warpbound_status status = wb_image_unpack("fuzz", image, &unpacked, &error);
  require(status == WARPBOUND_OK || error.message[0] != '\0', "errors have a message");
  if (status != WARPBOUND_OK)
    return;
  if (image->kind == WB_IMAGE_PTX)
    check_outline(unpacked.bytes, unpacked.length);
  else if (image->kind == WB_IMAGE_CUBIN)
    check_cubin(unpacked.bytes, unpacked.length);
  wb_image_bytes_free(&unpacked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_images images;
  warpbound_error error = {0};
  check_outline(data, size);
  const warpbound_status status = wb_container_read("fuzz", data, size, &images, &error);
  if (status != WARPBOUND_OK) {
    require(status == WARPBOUND_INVALID_INPUT, "the input is to blame");
    require(error.message[0] != '\0', "errors have a message");
    require(images.items == NULL, "nothing is left of a failure");
    return 0;
  }
  require(images.count > 0, "a file that is read has images");
  for (size_t i = 0; i < images.count; i++)
    check_image(&images.items[i]);
  wb_images_free(&images);
  return 0;
}
