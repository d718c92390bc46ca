/* Names of kernels in output: as the listing has them, and as their authors wrote them. */
#ifndef WB_REPORT_KERNEL_NAME_H
#define WB_REPORT_KERNEL_NAME_H

#include "base/text.h"

#include <jansson.h>

/* Appends the demangled name, where there is one, else the name; without control characters. */
void wb_kernel_name_write(const char *name, struct wb_text *text);

/* Appends the name, and where it is mangled " [DEMANGLED]" behind it. */
void wb_kernel_name_write_both(const char *name, struct wb_text *text);

/* Adds the member "demangled" to an object that has the name, where it is mangled. object may be
 * NULL. */
void wb_kernel_name_json(json_t *object, const char *name);

#endif
