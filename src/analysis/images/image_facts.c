#include "analysis/images/image_facts.h"

#include "base/arena.h"
#include "base/text/demangle.h"
#include "binary/container/container.h"
#include "binary/cubin/cubin.h"
#include "frontend/ptx/ptx_outline.h"
#include "frontend/sass/sass_front_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of which nothing is known but its name. */
static warpbound_image_function unknown_function(const char *name)
{
  return (warpbound_image_function){
      .name = name,
      .registers = WARPBOUND_UNKNOWN,
      .barriers = WARPBOUND_UNKNOWN,
      .shared_bytes = WARPBOUND_UNKNOWN,
      .frame_bytes = WARPBOUND_UNKNOWN,
      .stack_bytes = WARPBOUND_UNKNOWN,
      .reconvergence_bytes = WARPBOUND_UNKNOWN,
      .constant_bytes = WARPBOUND_UNKNOWN,
      .parameter_base = WARPBOUND_UNKNOWN,
      .parameter_bytes = WARPBOUND_UNKNOWN,
      .code_bytes = WARPBOUND_UNKNOWN,
  };
}

/* Adds a function; its name is copied. */
static bool add_function(struct wb_image_facts *facts, const warpbound_image_function *from,
                         size_t first_parameter)
{
  struct wb_image_function *function = &facts->functions[facts->function_count];
  *function = (struct wb_image_function){.facts = *from, .first_parameter = first_parameter};
  function->facts.name = wb_name_pool_copy(&facts->names, from->name, strlen(from->name));
  if (function->facts.name == NULL)
    return false;
  facts->function_count++;
  function->demangled = wb_demangle(function->facts.name);
  function->facts.demangled =
      function->demangled != NULL ? function->demangled : function->facts.name;
  return true;
}

static bool make_room(struct wb_image_facts *facts, size_t functions, size_t parameters)
{
  facts->functions = wb_arena_array(&facts->arena, struct wb_image_function, functions);
  facts->parameters = wb_arena_array(&facts->arena, warpbound_image_parameter, parameters);
  return !facts->arena.failed;
}

/* ---- cubins ---- */

static void copy_threads(uint32_t to[3], const uint32_t from[3])
{
  for (size_t i = 0; i < 3; i++)
    to[i] = from[i] != WB_CUBIN_ABSENT ? from[i] : 0;
}

/* WB_CUBIN_ABSENT and WARPBOUND_UNKNOWN are the same number. */
static warpbound_image_function cubin_function(const struct wb_cubin *cubin,
                                               const struct wb_cubin_function *from)
{
  const struct wb_cubin_facts *facts = &from->facts;
  warpbound_image_function function = unknown_function(from->name);
  function.kernel = from->kernel;
  function.registers = facts->registers;
  function.barriers = facts->barriers;
  function.shared_bytes = facts->shared;
  function.frame_bytes = facts->frame;
  function.stack_bytes = facts->min_stack;
  function.reconvergence_bytes = facts->reconvergence_size;
  function.constant_bytes = facts->constants;
  function.parameter_base = facts->parameter_base;
  function.parameter_bytes = facts->parameter_size;
  function.parameter_count = facts->parameters.count;
  function.code_bytes = cubin->sections[from->section].size < WARPBOUND_UNKNOWN
                            ? (uint32_t)cubin->sections[from->section].size
                            : WARPBOUND_UNKNOWN;
  copy_threads(function.max_threads, facts->max_threads);
  copy_threads(function.required_threads, facts->required_threads);
  copy_threads(function.cluster, facts->cluster);
  function.most_cluster = facts->most_cluster != WB_CUBIN_ABSENT ? facts->most_cluster : 0;
  function.clustered = facts->clustered;
  return function;
}

static warpbound_status read_cubin(const char *name, const struct wb_image_bytes *image,
                                   struct wb_image_facts *facts, warpbound_error *error)
{
  struct wb_cubin cubin;
  warpbound_status status = wb_cubin_read(name, image->bytes, image->length, &cubin, error);
  if (status != WARPBOUND_OK)
    return status;
  facts->relocatable = cubin.relocatable;
  facts->sm = cubin.architecture;
  memcpy(facts->architecture, cubin.architecture_name, sizeof facts->architecture);
  if (cubin.toolkit != WB_CUBIN_ABSENT)
    snprintf(facts->toolkit, sizeof facts->toolkit, "%u.%u", (unsigned)cubin.toolkit / 10,
             (unsigned)cubin.toolkit % 10);
  bool made = make_room(facts, cubin.function_count, cubin.parameter_count);
  for (size_t p = 0; p < cubin.parameter_count && made; p++)
    facts->parameters[facts->parameter_count++] =
        (warpbound_image_parameter){.name = "",
                                    .ordinal = cubin.parameters[p].ordinal,
                                    .offset = cubin.parameters[p].offset,
                                    .size = cubin.parameters[p].size};
  for (size_t f = 0; f < cubin.function_count && made; f++) {
    const struct wb_cubin_function *from = &cubin.functions[f];
    const warpbound_image_function function = cubin_function(&cubin, from);
    made = from->inner || add_function(facts, &function, from->facts.parameters.first);
  }
  if (!made)
    status = wb_out_of_memory(error);
  wb_cubin_free(&cubin);
  return status;
}

/* ---- PTX ---- */

static void take_target(const char *target, struct wb_image_facts *facts)
{
  unsigned sm;
  if (sscanf(target, "sm_%4u", &sm) != 1)
    return;
  facts->sm = sm;
  snprintf(facts->architecture, sizeof facts->architecture, "compute_%.7s", target + 3);
}

warpbound_status wb_image_facts_of_ptx(const char *text, size_t length,
                                       struct wb_image_facts *facts, warpbound_error *error)
{
  struct wb_ptx_outline outline;
  warpbound_status status = wb_ptx_outline_read(text, length, &outline, error);
  if (status != WARPBOUND_OK)
    return status;
  memcpy(facts->version, outline.version, sizeof facts->version);
  take_target(outline.target, facts);
  bool made = make_room(facts, outline.kernel_count, outline.parameter_count);
  for (size_t f = 0; f < outline.kernel_count && made; f++) {
    const struct wb_ptx_outline_kernel *from = &outline.kernels[f];
    warpbound_image_function function = unknown_function(from->name);
    function.kernel = true;
    function.parameter_count = from->parameter_count;
    function.parameter_bytes = 0;
    if (from->parameter_count > 0) {
      const struct wb_ptx_outline_parameter *last =
          &outline.parameters[from->first_parameter + from->parameter_count - 1];
      function.parameter_bytes = last->offset + last->size;
    }
    memcpy(function.max_threads, from->max_threads, sizeof function.max_threads);
    memcpy(function.required_threads, from->required_threads, sizeof function.required_threads);
    memcpy(function.cluster, from->cluster, sizeof function.cluster);
    function.most_cluster = from->most_cluster[0];
    function.clustered = from->clustered;
    made = add_function(facts, &function, from->first_parameter);
    for (size_t p = 0; p < from->parameter_count && made; p++) {
      const struct wb_ptx_outline_parameter *given = &outline.parameters[from->first_parameter + p];
      const char *name = wb_name_pool_copy(&facts->names, given->name, strlen(given->name));
      made = name != NULL;
      facts->parameters[from->first_parameter + p] = (warpbound_image_parameter){
          .name = name, .ordinal = (uint32_t)p, .offset = given->offset, .size = given->size};
    }
  }
  if (made)
    facts->parameter_count = outline.parameter_count;
  else
    status = wb_out_of_memory(error);
  wb_ptx_outline_free(&outline);
  return status;
}

/* ---- listings ---- */

warpbound_status wb_image_facts_of_listing(const char *name, const char *text, size_t length,
                                           struct wb_image_facts *facts, warpbound_error *error)
{
  struct wb_code code;
  warpbound_status status = wb_sass_parse(name, text, length, NULL, &code, error);
  if (status != WARPBOUND_OK)
    return status;
  /* The architecture of the functions, where all have the same. */
  const uint32_t sm = code.function_count > 0 ? code.functions[0].sm : 0;
  bool same = true;
  size_t parameters = 0;
  for (size_t f = 0; f < code.function_count; f++) {
    same &= code.functions[f].sm == sm;
    parameters += code.functions[f].parameter_count;
  }
  facts->sm = same ? sm : facts->sm;
  if (same && sm > 0)
    snprintf(facts->architecture, sizeof facts->architecture, "sm_%u", (unsigned)sm);
  bool made = make_room(facts, code.function_count, parameters);
  for (size_t f = 0; f < code.function_count && made; f++) {
    const struct wb_function *from = &code.functions[f];
    warpbound_image_function function = unknown_function(from->name);
    function.kernel = from->kernel;
    function.parameter_count = from->parameter_count;
    if (from->most_threads > 0) {
      function.max_threads[0] = from->most_threads;
      function.max_threads[1] = function.max_threads[2] = 1;
    }
    memcpy(function.required_threads, from->required_block, sizeof function.required_threads);
    memcpy(function.cluster, from->cluster, sizeof function.cluster);
    function.most_cluster = from->most_cluster;
    function.clustered = from->clustered;
    made = add_function(facts, &function, facts->parameter_count);
    for (size_t p = 0; p < from->parameter_count && made; p++)
      facts->parameters[facts->parameter_count++] =
          (warpbound_image_parameter){.name = "",
                                      .ordinal = from->parameters[p].ordinal,
                                      .offset = from->parameters[p].offset,
                                      .size = from->parameters[p].size};
  }
  if (!made)
    status = wb_out_of_memory(error);
  wb_code_free(&code);
  return status;
}

/* ---- all ---- */

warpbound_status wb_image_facts_read(const char *name, const struct wb_image *image,
                                     struct wb_image_facts *facts, warpbound_error *error)
{
  struct wb_image_bytes bytes;
  warpbound_error cause;
  facts->sm = image->architecture;
  if (image->kind == WB_IMAGE_PTX)
    take_target(image->architecture_name, facts);
  else
    memcpy(facts->architecture, image->architecture_name, sizeof facts->architecture);
  warpbound_status status = wb_image_unpack(name, image, &bytes, &cause);
  if (status == WARPBOUND_OK) {
    if (image->kind == WB_IMAGE_CUBIN)
      status = read_cubin(name, &bytes, facts, &cause);
    else if (image->kind == WB_IMAGE_PTX)
      status = wb_image_facts_of_ptx((const char *)bytes.bytes, bytes.length, facts, &cause);
    if (status == WARPBOUND_INVALID_INPUT) {
      /* The message begins with the image. */
      const warpbound_error inner = cause;
      wb_fail_at(&cause, inner.status, inner.file, inner.line, inner.column,
                 "%s%soffset 0x%llx: %s", image->place, image->place[0] != '\0' ? ", " : "",
                 (unsigned long long)image->offset, inner.message);
    }
    wb_image_bytes_free(&bytes);
  }
  if (status == WARPBOUND_INTERNAL)
    return wb_fail_with(error, &cause);
  if (status == WARPBOUND_OK)
    return WARPBOUND_OK;
  facts->damage = wb_arena_text(&facts->arena, cause.message, strlen(cause.message));
  return facts->damage != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_image_facts_free(struct wb_image_facts *facts)
{
  for (size_t f = 0; f < facts->function_count; f++)
    free(facts->functions[f].demangled);
  wb_arena_free(&facts->arena);
  wb_name_pool_free(&facts->names);
  *facts = (struct wb_image_facts){0};
}
