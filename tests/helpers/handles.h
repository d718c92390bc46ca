/* Handles of the public header that a test owns: makers fail the test where there is none, and all
 * are freed at the test's end, the latest first. For tests without a teardown of their own. */
#ifndef WB_TESTS_HANDLES_H
#define WB_TESTS_HANDLES_H

#include "unit.h"

#define OWNED_KINDS(ROW)                                                                           \
  ROW(annotations)                                                                                 \
  ROW(comparison)                                                                                  \
  ROW(control_flow)                                                                                \
  ROW(frame)                                                                                       \
  ROW(gpu)                                                                                         \
  ROW(hybrid)                                                                                      \
  ROW(images)                                                                                      \
  ROW(instance)                                                                                    \
  ROW(kernel)                                                                                      \
  ROW(launch)                                                                                      \
  ROW(measured)                                                                                    \
  ROW(module)                                                                                      \
  ROW(parameters)                                                                                  \
  ROW(paths)                                                                                       \
  ROW(result)                                                                                      \
  ROW(samples)                                                                                     \
  ROW(series)                                                                                      \
  ROW(sm)                                                                                          \
  ROW(times)                                                                                       \
  ROW(trace)                                                                                       \
  ROW(verdict)                                                                                     \
  ROW(wcet)

#define OWNED_DECLARATION(kind) void release_##kind(void *handle);
OWNED_KINDS(OWNED_DECLARATION)
void release_text(void *text);

/* Leaves a handle, or a text that was handed out, to the test's end. */
#define OWNED_ASSOCIATION(kind) warpbound_##kind * : release_##kind,
#define own(handle)                                                                                \
  unit_at_end(_Generic((handle), OWNED_KINDS(OWNED_ASSOCIATION) char * : release_text), (handle))

/* The call makes a handle or a text, which is left to the test's end. */
#define assert_made(handle, call)                                                                  \
  do {                                                                                             \
    assert_ok(call);                                                                               \
    own(handle);                                                                                   \
  } while (0)

/* A file of the source tree, with a zero after its bytes; length may be NULL. */
char *source_file(const char *name, size_t *length);

warpbound_module *module_of(const char *text);
warpbound_module *module_of_file(const char *name);
warpbound_kernel *kernel_of(const warpbound_module *module, const char *name);
warpbound_annotations *annotations_of(const warpbound_module *module,
                                      const warpbound_annotation_options *known);
warpbound_gpu *gpu_of(const char *name);
warpbound_sm *sm_of(const char *units);
warpbound_instance *instance_of(const char *string, const char *units, uint32_t warps);

/* The instance's makespan; the call has to end with the status. */
warpbound_result *result_of(const warpbound_instance *instance, const warpbound_options *options,
                            warpbound_status status);

/* A text was made, and has the part in it; frees it. */
void expect_text(warpbound_status status, char **text, const char *part);

/* The part is in the text, or the test fails and shows both. */
void expect_part(const char *text, const char *part);

#endif
