/* The GPU code of a file as JSON (doc/schema/kernels.json). What an image does not say is left
 * out. */
#include "report/images/images_report.h"

#include "formats/json/json_output.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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

static json_t *function_json(const warpbound_images *images, size_t index, size_t number)
{
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
  const size_t count = function.parameter_count;
  json_t *list = json_array();
  for (size_t p = 0; p < count; p++) {
    const warpbound_image_parameter parameter =
        warpbound_images_parameter(images, index, number, p);
    json_t *parameters =
        json_pack("{s:I, s:I, s:I}", "ordinal", (json_int_t)parameter.ordinal, "offset",
                  (json_int_t)parameter.offset, "size", (json_int_t)parameter.size);
    set_text(parameters, "name", parameter.name);
    json_array_append_new(list, parameters);
  }
  json_object_set_new(object, "parameters", list);
  set_threads(object, "max_threads", function.max_threads);
  set_threads(object, "required_threads", function.required_threads);
  set_threads(object, "cluster", function.cluster);
  if (function.most_cluster > 0)
    set_number(object, "most_cluster", function.most_cluster);
  if (function.clustered)
    json_object_set_new(object, "clustered", json_true());
  return object;
}

void wb_images_json(const warpbound_images *images, const char *architecture, struct wb_text *text)
{
  const size_t count = warpbound_images_count(images);
  json_t *list = json_array();
  for (size_t i = warpbound_images_find(images, architecture, 0); i < count;
       i = warpbound_images_find(images, architecture, i + 1)) {
    static const char *const kinds[] = {"ptx", "cubin", "listing", "other", "damaged"};
    const warpbound_image image = warpbound_images_image(images, i);
    json_t *object = json_pack("{s:s}", "kind", kinds[image.kind]);
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
      json_array_append_new(functions, function_json(images, i, f));
    json_object_set_new(object, "functions", functions);
    json_array_append_new(list, object);
  }
  wb_json_append(json_pack("{s:o}", "images", list), text);
}
