#include "report/images_report.h"

#include "base/list.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number in a column, "-" where it is not known. */
static void write_number(uint32_t number, int width, struct wb_text *text)
{
  if (number == WARPBOUND_UNKNOWN)
    wb_text_format(text, " %*s", width, "-");
  else
    wb_text_format(text, " %*" PRIu32, width, number);
}

/* The product of three dimensions, beyond 32 bits too. */
static uint64_t threads_of(const uint32_t dimensions[3])
{
  uint64_t product = 1;
  for (size_t d = 0; d < 3; d++) {
    if (dimensions[d] != 0 && product > UINT64_MAX / dimensions[d])
      return UINT64_MAX;
    product *= dimensions[d];
  }
  return product;
}

static void write_functions(const warpbound_images *images, size_t index, size_t count, bool colour,
                            struct wb_text *text)
{
  wb_text_format(text, "  %s%5s %7s %6s %8s %10s %8s  %s%s\n", wb_style(WB_STYLE_FAINT, colour),
                 "regs", "shared", "stack", "barriers", "parameters", "block", "kernel",
                 wb_style(WB_STYLE_PLAIN, colour));
  for (size_t f = 0; f < count; f++) {
    const warpbound_image_function function = warpbound_images_function(images, index, f);
    /* Names come last: they may be long. */
    wb_text_string(text, "  ");
    write_number(function.registers, 4, text);
    write_number(function.shared_bytes, 7, text);
    write_number(function.stack_bytes != WARPBOUND_UNKNOWN ? function.stack_bytes
                                                           : function.frame_bytes,
                 6, text);
    write_number(function.barriers, 8, text);
    char parameters[48];
    if (function.parameter_bytes == WARPBOUND_UNKNOWN && function.parameter_count == 0)
      snprintf(parameters, sizeof parameters, "-");
    else if (function.parameter_bytes == WARPBOUND_UNKNOWN)
      snprintf(parameters, sizeof parameters, "%zu", function.parameter_count);
    else
      snprintf(parameters, sizeof parameters, "%zu (%" PRIu32 ")", function.parameter_count,
               function.parameter_bytes);
    wb_text_format(text, " %10s", function.kernel ? parameters : "-");
    /* "32x8" of a size that every block has, "<=256" of a bound, "-" of none. */
    const uint32_t *required = function.required_threads;
    char words[48] = "-";
    if (required[0] != 0 && required[2] > 1)
      snprintf(words, sizeof words, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, required[0], required[1],
               required[2]);
    else if (required[0] != 0 && required[1] > 1)
      snprintf(words, sizeof words, "%" PRIu32 "x%" PRIu32, required[0], required[1]);
    else if (required[0] != 0)
      snprintf(words, sizeof words, "%" PRIu32, required[0]);
    else if (function.max_threads[0] != 0)
      snprintf(words, sizeof words, "<=%" PRIu64, threads_of(function.max_threads));
    wb_text_format(text, " %8s", words);
    wb_text_string(text, "  ");
    wb_text_clean(text, function.demangled);
    if (!function.kernel)
      wb_text_string(text, " (device function)");
    /* ", clusters of 4 x 2 x 1 blocks", where the file says something of clusters. */
    const uint32_t *cluster = function.cluster;
    if (cluster[0] != 0)
      wb_text_format(text, ", clusters of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " block%s",
                     cluster[0], cluster[1], cluster[2], threads_of(cluster) == 1 ? "" : "s");
    else if (function.clustered)
      wb_text_string(text, ", clusters of a size that the launch gives");
    if (function.most_cluster != 0)
      wb_text_format(text, ", clusters of at most %" PRIu32 " blocks", function.most_cluster);
    wb_text_string(text, "\n");
  }
}

/* ---- parameters, and the loops that need them ---- */

/* The parameters of a kernel, if it is among those that are shown. */
static const struct wb_kernel_needs *find_needs(const struct wb_images_wish *wish, size_t image,
                                                size_t function)
{
  for (size_t n = 0; n < wish->need_count; n++) {
    if (wish->needs[n].image == image && wish->needs[n].function == function)
      return &wish->needs[n];
  }
  return NULL;
}

/* "kernels.cu:14 (0x0360)", or the address alone. */
static void write_loop(const warpbound_parameter_need *need, struct wb_text *text)
{
  if (need->file != NULL) {
    const char *slash = strrchr(need->file, '/');
    wb_text_clean(text, slash != NULL ? slash + 1 : need->file);
    wb_text_format(text, ":%" PRIu32 " (0x%04" PRIx32 ")", need->line, need->address);
  } else {
    wb_text_format(text, "0x%04" PRIx32, need->address);
  }
}

/* What the loops need of a parameter; index: the number of parameters for what the code names none
 * of. One line for each option: "; --param n=N: loops at kernels.cu:14 (0x0360)". */
static void write_needs(const warpbound_parameters *parameters, size_t index, struct wb_text *text)
{
  const size_t count = warpbound_parameters_need_count(parameters);
  const char *last = NULL;
  for (size_t n = 0; n < count; n++) {
    const warpbound_parameter_need need = warpbound_parameters_need(parameters, n);
    if (need.parameter != index)
      continue;
    if (last == NULL || strcmp(last, need.option) != 0)
      wb_text_format(text, "%s%s: ", last != NULL ? "; " : "", need.option);
    else
      wb_text_string(text, ", ");
    write_loop(&need, text);
    last = need.option;
  }
}

static void write_parameters(const struct wb_kernel_needs *needs, const char *kernel, bool colour,
                             struct wb_text *text)
{
  const size_t count = warpbound_parameters_count(needs->parameters);
  wb_text_string(text, "  parameters of ");
  wb_text_clean(text, kernel);
  if (needs->parameters == NULL) {
    wb_text_string(text, ": the loops are not known: ");
    wb_text_clean(text, needs->why);
    wb_text_string(text, "\n");
    return;
  }
  wb_text_format(text, "\n  %s%6s %6s  %-16s %s%s\n", wb_style(WB_STYLE_FAINT, colour), "offset",
                 "bytes", "name", "loops without a bound until it is given",
                 wb_style(WB_STYLE_PLAIN, colour));
  for (size_t p = 0; p <= count; p++) {
    struct wb_text loops = {0};
    const warpbound_parameter_facts row = warpbound_parameters_parameter(needs->parameters, p);
    char compiled[32];
    write_needs(needs->parameters, p, &loops);
    snprintf(compiled, sizeof compiled, "param_%" PRIu32, row.ordinal);
    if (p < count)
      wb_text_format(text, "  %6" PRIu32 " %6" PRIu32 "  %-16.60s ", row.offset, row.size,
                     row.name != NULL ? row.name : compiled);
    else if (loops.length > 0)
      wb_text_format(text, "  %6s %6s  %-16s ", "", "", "");
    if (loops.length > 0)
      wb_text_string(text, loops.data);
    else if (p < count)
      wb_text_string(text, "-");
    if (p < count || loops.length > 0)
      wb_text_string(text, "\n");
    text->failed |= loops.failed;
    wb_text_free(&loops);
  }
}

static void write_all_parameters(const struct wb_images_wish *wish, size_t image, bool colour,
                                 struct wb_text *text)
{
  for (size_t n = 0; n < wish->need_count; n++) {
    const struct wb_kernel_needs *needs = &wish->needs[n];
    if (needs->image == image)
      write_parameters(needs,
                       warpbound_images_function(wish->images, image, needs->function).demangled,
                       colour, text);
  }
}

size_t wb_images_next(const struct wb_images_wish *wish, size_t first)
{
  return warpbound_images_find_module(wish->images, wish->architecture, wish->module, first);
}

void wb_images_text(const struct wb_images_wish *wish, bool colour, struct wb_text *text)
{
  const warpbound_images *images = wish->images;
  const size_t count = warpbound_images_count(images);
  for (size_t i = wb_images_next(wish, 0); i < count; i = wb_images_next(wish, i + 1)) {
    const warpbound_image image = warpbound_images_image(images, i);
    const size_t functions = warpbound_images_function_count(images, i);
    wb_text_string(text, wb_style(WB_STYLE_BOLD, colour));
    if (count > 1)
      wb_text_format(text, "module %zu, ", i + 1);
    if (image.place[0] != '\0') {
      wb_text_clean(text, image.place);
      wb_text_string(text, ": ");
    }
    /* An image's head: "b.o, .nv_fatbin, entry 2: sm_87 SASS, CUDA 13.0, zstd". */
    static const char *const kinds[] = {"PTX", "SASS", "SASS listing", "code for a later link",
                                        "damaged"};
    if (image.architecture[0] != '\0')
      wb_text_format(text, "%s ", image.architecture);
    wb_text_string(text, kinds[image.kind]);
    if (image.ptx_version[0] != '\0')
      wb_text_format(text, " %s", image.ptx_version);
    if (image.toolkit[0] != '\0')
      wb_text_format(text, ", CUDA %s", image.toolkit);
    if (image.relocatable)
      wb_text_string(text, ", not linked");
    if (image.debug)
      wb_text_string(text, ", debug");
    if (image.stored_bytes != image.bytes)
      wb_text_format(text, ", %s", image.compression);
    wb_text_string(text, wb_style(WB_STYLE_PLAIN, colour));
    if (image.identifier[0] != '\0') {
      wb_text_string(text, ", from ");
      wb_text_clean(text, image.identifier);
    }
    if (image.damage[0] != '\0' && image.kind != WARPBOUND_IMAGE_DAMAGED)
      wb_text_string(text, ", damaged");
    if (image.damage[0] == '\0' && functions == 0 && image.kind != WARPBOUND_IMAGE_OTHER)
      wb_text_string(text, ": no kernels");
    wb_text_string(text, "\n");
    if (functions > 0)
      write_functions(images, i, functions, colour, text);
    write_all_parameters(wish, i, colour, text);
  }
}

void wb_images_names(const struct wb_images_wish *wish, struct wb_text *text)
{
  const warpbound_images *images = wish->images;
  const size_t count = warpbound_images_count(images);
  struct wb_list names = {0};
  for (size_t i = wb_images_next(wish, 0); i < count; i = wb_images_next(wish, i + 1)) {
    for (size_t f = 0; f < warpbound_images_function_count(images, i); f++) {
      const warpbound_image_function function = warpbound_images_function(images, i, f);
      if (function.kernel)
        wb_list_add(&names, "%s", function.name);
    }
  }
  text->failed = text->failed || names.failed;
  for (size_t n = 0; n < names.count; n++) {
    wb_text_clean(text, names.items[n]);
    wb_text_string(text, "\n");
  }
  wb_list_free(&names);
}

/* A text of a file, which need not be UTF-8; left out where it is empty. */
static void set_text(json_t *object, const char *key, const char *value)
{
  if (value[0] != '\0')
    json_object_set_new(object, key, wb_json_clean(value));
}

static void set_number(json_t *object, const char *key, uint32_t value)
{
  if (value != WARPBOUND_UNKNOWN)
    json_object_set_new(object, key, json_integer(value));
}

static void set_threads(json_t *object, const char *key, const uint32_t threads[3])
{
  if (threads[0] != 0)
    json_object_set_new(object, key,
                        json_pack("[I, I, I]", (json_int_t)threads[0], (json_int_t)threads[1],
                                  (json_int_t)threads[2]));
}

/* The loops that need a parameter, by what is to be given. */
static json_t *needs_json(const warpbound_parameters *parameters, size_t index)
{
  json_t *list = json_array();
  for (size_t n = 0; n < warpbound_parameters_need_count(parameters); n++) {
    const warpbound_parameter_need need = warpbound_parameters_need(parameters, n);
    if (need.parameter != index)
      continue;
    json_t *row = json_pack("{s:I, s:I}", "address", (json_int_t)need.address, "offset",
                            (json_int_t)need.offset);
    json_object_set_new(row, "option", wb_json_clean(need.option));
    if (need.file != NULL) {
      json_object_set_new(row, "file", wb_json_clean(need.file));
      json_object_set_new(row, "line", json_integer((json_int_t)need.line));
    }
    json_array_append_new(list, row);
  }
  return list;
}

/* Adds to a parameter of the image what is known beyond it. needs: NULL for nothing. */
static void add_needs(json_t *row, const struct wb_kernel_needs *needs, uint32_t ordinal)
{
  const warpbound_parameters *parameters = needs != NULL ? needs->parameters : NULL;
  for (size_t p = 0; p < warpbound_parameters_count(parameters); p++) {
    const warpbound_parameter_facts facts = warpbound_parameters_parameter(parameters, p);
    if (facts.ordinal != ordinal)
      continue;
    if (facts.name != NULL) {
      set_text(row, "name", facts.name);
      json_object_set_new(row, "file", wb_json_clean(facts.file));
      json_object_set_new(row, "line", json_integer((json_int_t)facts.line));
    }
    json_object_set_new(row, "loops", needs_json(parameters, p));
  }
}

static json_t *function_json(const struct wb_images_wish *wish, size_t index, size_t number)
{
  const warpbound_images *images = wish->images;
  const struct wb_kernel_needs *needs = find_needs(wish, index, number);
  const warpbound_image_function function = warpbound_images_function(images, index, number);
  json_t *object = json_object();
  set_text(object, "name", function.name);
  if (strcmp(function.name, function.demangled) != 0)
    set_text(object, "demangled", function.demangled);
  json_object_set_new(object, "kernel", json_boolean(function.kernel));
  set_number(object, "registers", function.registers);
  set_number(object, "barriers", function.barriers);
  set_number(object, "shared_bytes", function.shared_bytes);
  set_number(object, "frame_bytes", function.frame_bytes);
  set_number(object, "stack_bytes", function.stack_bytes);
  set_number(object, "reconvergence_bytes", function.reconvergence_bytes);
  set_number(object, "constant_bytes", function.constant_bytes);
  set_number(object, "code_bytes", function.code_bytes);
  set_number(object, "parameter_base", function.parameter_base);
  set_number(object, "parameter_bytes", function.parameter_bytes);
  json_t *list = json_array();
  for (size_t p = 0; p < function.parameter_count; p++) {
    const warpbound_image_parameter parameter =
        warpbound_images_parameter(images, index, number, p);
    json_t *row = json_pack("{s:I, s:I, s:I}", "ordinal", (json_int_t)parameter.ordinal, "offset",
                            (json_int_t)parameter.offset, "size", (json_int_t)parameter.size);
    set_text(row, "name", parameter.name);
    add_needs(row, needs, parameter.ordinal);
    json_array_append_new(list, row);
  }
  json_object_set_new(object, "parameters", list);
  if (needs != NULL && needs->parameters == NULL)
    set_text(object, "loops_unknown", needs->why);
  set_threads(object, "max_threads", function.max_threads);
  set_threads(object, "required_threads", function.required_threads);
  set_threads(object, "cluster", function.cluster);
  if (function.most_cluster > 0)
    set_number(object, "most_cluster", function.most_cluster);
  if (function.clustered)
    json_object_set_new(object, "clustered", json_true());
  return object;
}

void wb_images_json(const struct wb_images_wish *wish, struct wb_text *text)
{
  const warpbound_images *images = wish->images;
  const size_t count = warpbound_images_count(images);
  json_t *list = json_array();
  for (size_t i = wb_images_next(wish, 0); i < count; i = wb_images_next(wish, i + 1)) {
    static const char *const kinds[] = {"ptx", "cubin", "listing", "other", "damaged"};
    const warpbound_image image = warpbound_images_image(images, i);
    json_t *object = json_pack("{s:s}", "kind", kinds[image.kind]);
    json_object_set_new(object, "module", json_integer((json_int_t)i + 1));
    set_text(object, "place", image.place);
    set_text(object, "architecture", image.architecture);
    set_text(object, "toolkit", image.toolkit);
    set_text(object, "ptx_version", image.ptx_version);
    set_text(object, "identifier", image.identifier);
    set_text(object, "assembler_options", image.assembler_options);
    set_text(object, "compression", image.compression);
    json_object_set_new(object, "offset", json_integer((json_int_t)image.offset));
    json_object_set_new(object, "stored_bytes", json_integer((json_int_t)image.stored_bytes));
    json_object_set_new(object, "bytes", json_integer((json_int_t)image.bytes));
    json_object_set_new(object, "debug", json_boolean(image.debug));
    json_object_set_new(object, "relocatable", json_boolean(image.relocatable));
    set_text(object, "damage", image.damage);
    json_t *functions = json_array();
    for (size_t f = 0; f < warpbound_images_function_count(images, i); f++)
      json_array_append_new(functions, function_json(wish, i, f));
    json_object_set_new(object, "functions", functions);
    json_array_append_new(list, object);
  }
  wb_json_append(json_pack("{s:o}", "images", list), text);
}
