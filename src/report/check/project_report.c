#include "report/check/project_report.h"

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "warpbound.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts of YAML ---- */

/* Whether a text is the same in YAML without quotes: a letter, then letters, digits and the like.
 * Words that YAML reads as something else have quotes. */
static bool is_plain(const char *text)
{
  static const char *const words[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
    if (strcmp(text, words[w]) == 0)
      return false;
  }
  return *text != '\0' && strchr(letters, *text) != NULL &&
         text[strspn(
             text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-/$")] == '\0';
}

/* Appends a text as a YAML scalar, which may be a key. */
static void put(const char *value, struct wb_text *text)
{
  struct wb_text clean = {0};
  if (is_plain(value)) {
    wb_text_string(text, value);
    return;
  }
  wb_text_clean(&clean, value);
  wb_text_string(text, "\"");
  for (size_t at = 0; at < clean.length; at++) {
    if (clean.data[at] == '"' || clean.data[at] == '\\')
      wb_text_string(text, "\\");
    wb_text_append(text, clean.data + at, 1);
  }
  wb_text_string(text, "\"");
  text->failed |= clean.failed;
  wb_text_free(&clean);
}

/* ---- kernels ---- */

static bool is_machine_code(const warpbound_image *image)
{
  return image->damage[0] == '\0' &&
         (image->kind == WARPBOUND_IMAGE_CUBIN || image->kind == WARPBOUND_IMAGE_LISTING);
}

/* A kernel of the binary. */
struct kernel {
  size_t image, function;
};

/* What is done for each kernel: each name once, that of the first image. */
typedef void visit_kernel(const struct wb_images_wish *wish, struct kernel kernel, void *context);

static bool is_first(const struct wb_images_wish *wish, struct kernel kernel, const char *name)
{
  for (size_t i = wb_images_next(wish, 0); i <= kernel.image; i = wb_images_next(wish, i + 1)) {
    const warpbound_image image = warpbound_images_image(wish->images, i);
    const size_t count =
        i < kernel.image ? warpbound_images_function_count(wish->images, i) : kernel.function;
    for (size_t f = 0; is_machine_code(&image) && f < count; f++) {
      const warpbound_image_function other = warpbound_images_function(wish->images, i, f);
      if (other.kernel && strcmp(other.name, name) == 0)
        return false;
    }
  }
  return true;
}

static void visit_all(const struct wb_images_wish *wish, visit_kernel *visit, void *context)
{
  const size_t count = warpbound_images_count(wish->images);
  for (size_t i = wb_images_next(wish, 0); i < count; i = wb_images_next(wish, i + 1)) {
    const warpbound_image image = warpbound_images_image(wish->images, i);
    const size_t functions = warpbound_images_function_count(wish->images, i);
    for (size_t f = 0; is_machine_code(&image) && f < functions; f++) {
      const struct kernel kernel = {i, f};
      const warpbound_image_function function = warpbound_images_function(wish->images, i, f);
      if (function.kernel && is_first(wish, kernel, function.name))
        visit(wish, kernel, context);
    }
  }
}

static void count_kernel(const struct wb_images_wish *wish, struct kernel kernel, void *context)
{
  (void)wish;
  (void)kernel;
  (*(size_t *)context)++;
}

size_t wb_project_kernels(const struct wb_images_wish *wish)
{
  size_t count = 0;
  visit_all(wish, count_kernel, &count);
  return count;
}

/* ---- names ---- */

#define LONGEST_NAME 100

/* What a source calls a kernel, of its demangled name: "fill" of "void a::fill<float>(float*)"; ""
 * where that is not clear. */
static void short_name(const char *demangled, char name[LONGEST_NAME])
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t end = strcspn(demangled, "(<");
  size_t start = end;
  while (start > 0 && strchr(letters, demangled[start - 1]) != NULL)
    start--;
  const size_t length = end - start < LONGEST_NAME ? end - start : 0;
  memcpy(name, demangled + start, length);
  name[length] = '\0';
}

/* Kernels that a source calls so. */
struct namesakes {
  const char *name;
  size_t count;
};

static void count_namesake(const struct wb_images_wish *wish, struct kernel kernel, void *context)
{
  struct namesakes *namesakes = context;
  char name[LONGEST_NAME];
  short_name(warpbound_images_function(wish->images, kernel.image, kernel.function).demangled,
             name);
  namesakes->count += strcmp(name, namesakes->name) == 0;
}

/* The kernel by the name of its source, where no other one is called so; else by its own. Of many
 * kernels by their own. */
static void put_name(const struct wb_images_wish *wish, const warpbound_image_function *function,
                     struct wb_text *text)
{
  char name[LONGEST_NAME];
  struct namesakes namesakes = {.name = name};
  short_name(function->demangled, name);
  if (name[0] != '\0' && wish->need_count > 0)
    visit_all(wish, count_namesake, &namesakes);
  put(namesakes.count == 1 ? name : function->name, text);
}

/* ---- the file ---- */

static void put_sizes(const uint32_t sizes[3], struct wb_text *text)
{
  wb_text_format(text, "[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", sizes[0] > 0 ? sizes[0] : 1,
                 sizes[1] > 0 ? sizes[1] : 1, sizes[2] > 0 ? sizes[2] : 1);
}

/* The kernel with what the binary says of it, as a comment and as what holds for its launches. */
static void put_kernel(const struct wb_images_wish *wish, struct kernel kernel, void *context)
{
  struct wb_text *text = context;
  const warpbound_image_function function =
      warpbound_images_function(wish->images, kernel.image, kernel.function);
  wb_text_string(text, "  ");
  put_name(wish, &function, text);
  wb_text_string(text, ":");
  if (strcmp(function.name, function.demangled) != 0) {
    wb_text_string(text, " # ");
    wb_text_clean(text, function.demangled);
  }
  wb_text_string(text, "\n    # ");
  if (function.registers != WARPBOUND_UNKNOWN)
    wb_text_format(text, "%" PRIu32 " registers, ", function.registers);
  if (function.shared_bytes != WARPBOUND_UNKNOWN)
    wb_text_format(text, "%" PRIu32 " bytes of static shared memory, ", function.shared_bytes);
  wb_text_count_of(text, function.parameter_count, "parameter");
  wb_text_string(text, "\n");
  if (function.required_threads[0] > 0) {
    wb_text_string(text, "    block: ");
    put_sizes(function.required_threads, text);
    wb_text_string(text, "\n");
  } else if (function.max_threads[0] > 0) {
    wb_text_string(text, "    # block: [X, Y, Z] # threads, at most as many as ");
    put_sizes(function.max_threads, text);
    wb_text_string(text, " has\n");
  } else {
    wb_text_string(text, "    # block: [X, Y, Z] # threads of a block\n");
  }
  if (function.cluster[0] > 0) {
    wb_text_string(text, "    cluster: ");
    put_sizes(function.cluster, text);
    wb_text_string(text, "\n");
  }
}

/* What the loops of the kernel need of the parameters, where they were looked at. */
static const warpbound_parameters *parameters_of(const struct wb_images_wish *wish,
                                                 struct kernel kernel)
{
  for (size_t n = 0; n < wish->need_count; n++) {
    if (wish->needs[n].image == kernel.image && wish->needs[n].function == kernel.function)
      return wish->needs[n].parameters;
  }
  return NULL;
}

/* ", needed by the loop at kernels.cu:14", once for each line; of a struct with the options. */
static void put_needs(const warpbound_parameters *parameters, size_t index, struct wb_text *text)
{
  const size_t count = warpbound_parameters_need_count(parameters);
  uint32_t last = UINT32_MAX;
  for (size_t n = 0; n < count; n++) {
    const warpbound_parameter_need need = warpbound_parameters_need(parameters, n);
    const char *slash = need.file != NULL ? strrchr(need.file, '/') : NULL;
    if (need.parameter != index || (need.file != NULL && need.line == last))
      continue;
    wb_text_string(text, last == UINT32_MAX ? ", which the loop needs at " : " and at ");
    if (need.file != NULL) {
      wb_text_clean(text, slash != NULL ? slash + 1 : need.file);
      wb_text_format(text, ":%" PRIu32, need.line);
    } else {
      wb_text_format(text, "0x%04" PRIx32, need.address);
    }
    last = need.line;
  }
}

static void put_parameters(const struct wb_images_wish *wish, struct kernel kernel, size_t count,
                           struct wb_text *text)
{
  const warpbound_parameters *parameters = parameters_of(wish, kernel);
  if (count > 0)
    wb_text_string(text, "    # param: # those that loop bounds and addresses rest on\n");
  for (size_t p = 0; p < count; p++) {
    const warpbound_image_parameter parameter =
        warpbound_images_parameter(wish->images, kernel.image, kernel.function, p);
    const char *name = NULL;
    size_t index = 0;
    while (index < warpbound_parameters_count(parameters) &&
           warpbound_parameters_parameter(parameters, index).ordinal != parameter.ordinal)
      index++;
    if (index < warpbound_parameters_count(parameters))
      name = warpbound_parameters_parameter(parameters, index).name;
    wb_text_string(text, "    #   ");
    if (name != NULL)
      put(name, text);
    else
      wb_text_format(text, "param_%" PRIu32, parameter.ordinal);
    wb_text_format(text, ": # %" PRIu32 " bytes at %" PRIu32 "%s", parameter.size, parameter.offset,
                   parameter.size == 8 ? ", perhaps a pointer" : "");
    if (parameters != NULL)
      put_needs(parameters, index, text);
    wb_text_string(text, "\n");
  }
}

static void put_launch(const struct wb_images_wish *wish, struct kernel kernel, void *context)
{
  struct wb_text *text = context;
  const warpbound_image_function function =
      warpbound_images_function(wish->images, kernel.image, kernel.function);
  wb_text_string(text, "  - name: ");
  put_name(wish, &function, text);
  wb_text_string(text, "\n    kernel: ");
  put_name(wish, &function, text);
  wb_text_string(text, "\n    # grid: [X, Y, Z] # blocks\n");
  put_parameters(wish, kernel, function.parameter_count, text);
  wb_text_string(text, "    # deadline: 1ms\n");
}

void wb_project_write(const struct wb_project_start *start, struct wb_text *text)
{
  wb_text_string(text,
                 "# Launches for `warpbound check`. What the binary does not say stands after "
                 "'#': fill it in, and\n# `warpbound check` names what is still missing.\n"
                 "format: warpbound-project-1\n");
  wb_text_string(text, start->device != NULL ? "device: " : "# device: ");
  if (start->device != NULL)
    put(start->device, text);
  else
    wb_text_format(text, "NAME # %s; 'warpbound devices' lists all", start->devices);
  wb_text_string(text, "\nbinary: ");
  put(start->binary, text);
  wb_text_string(text, start->sources != NULL ? "\nsources: " : "\n# sources: ");
  put(start->sources != NULL ? start->sources : "FOLDER", text);
  wb_text_string(text, " # loop bounds in comments, names of parameters\n"
                       "# baseline: warpbound-baseline.json # 'check --update-baseline' writes it\n"
                       "# fail_above: 5%\n\nkernels: # what holds for all launches of a kernel\n");
  visit_all(&start->wish, put_kernel, text);
  wb_text_string(text, "\nlaunches:\n");
  visit_all(&start->wish, put_launch, text);
}
