#include "handles.h"

#define OWNED_RELEASE(kind)                                                                        \
  void release_##kind(void *handle)                                                                \
  {                                                                                                \
    warpbound_##kind##_free(handle);                                                               \
  }
OWNED_KINDS(OWNED_RELEASE)

void release_text(void *text)
{
  warpbound_text_free(text);
}

char *source_file(const char *name, size_t *length)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("WARPBOUND_SOURCE"), name);
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    fail_msg("%s: cannot be opened", path);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const long size = ftell(file);
  assert_true(size > 0);
  rewind(file);
  char *bytes = calloc((size_t)size + 1, 1);
  assert_non_null(bytes);
  unit_at_end(free, bytes);
  assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
  fclose(file);
  if (length != NULL)
    *length = (size_t)size;
  return bytes;
}

warpbound_module *module_of(const char *text)
{
  warpbound_module *module;
  assert_ok(warpbound_module_parse("text", text, strlen(text), NULL, &module, NULL));
  own(module);
  return module;
}

/* The module needs the file's bytes no more: they are overwritten. */
warpbound_module *module_of_file(const char *name)
{
  size_t length;
  warpbound_error error = {0};
  warpbound_module *module;
  char *text = source_file(name, &length);
  if (warpbound_module_parse(name, text, length, NULL, &module, &error) != WARPBOUND_OK)
    fail_msg("%s:%zu: %s", error.file, error.line, error.message);
  memset(text, 0, length);
  own(module);
  return module;
}

warpbound_kernel *kernel_of(const warpbound_module *module, const char *name)
{
  warpbound_kernel *kernel;
  assert_ok(warpbound_kernel_choose(module, name, &kernel, NULL));
  own(kernel);
  return kernel;
}

warpbound_annotations *annotations_of(const warpbound_module *module,
                                      const warpbound_annotation_options *known)
{
  warpbound_annotations *annotations;
  assert_ok(warpbound_annotations_create(module, known, &annotations, NULL));
  own(annotations);
  return annotations;
}

warpbound_gpu *gpu_of(const char *name)
{
  warpbound_gpu *gpu;
  assert_ok(warpbound_gpu_bundled(name, &gpu, NULL));
  own(gpu);
  return gpu;
}

warpbound_sm *sm_of(const char *units)
{
  warpbound_sm *sm;
  assert_ok(warpbound_sm_create(units, 0, 1, &sm, NULL));
  own(sm);
  return sm;
}

warpbound_instance *instance_of(const char *string, const char *units, uint32_t warps)
{
  warpbound_instance *instance;
  assert_ok(warpbound_instance_create(string, units, 0, 1, warps, &instance, NULL));
  own(instance);
  return instance;
}

warpbound_result *result_of(const warpbound_instance *instance, const warpbound_options *options,
                            warpbound_status status)
{
  warpbound_result *result;
  assert_int_equal(warpbound_makespan(instance, options, &result, NULL), status);
  assert_non_null(result);
  own(result);
  return result;
}

void expect_text(warpbound_status status, char **text, const char *part)
{
  assert_ok(status);
  assert_non_null(*text);
  expect_part(*text, part);
  warpbound_text_free(*text);
}

void expect_part(const char *text, const char *part)
{
  if (strstr(text, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, text);
}
