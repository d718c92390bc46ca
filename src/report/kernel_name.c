#include "report/kernel_name.h"

#include "base/text/demangle.h"
#include "base/text/utf8.h"

#include <stdlib.h>

void wb_kernel_name_write(const char *name, struct wb_text *text)
{
  char *demangled = wb_demangle(name);
  wb_text_clean(text, demangled != NULL ? demangled : name);
  free(demangled);
}

void wb_kernel_name_write_both(const char *name, struct wb_text *text)
{
  char *demangled = wb_demangle(name);
  wb_text_clean(text, name);
  if (demangled != NULL) {
    wb_text_string(text, " [");
    wb_text_clean(text, demangled);
    wb_text_string(text, "]");
  }
  free(demangled);
}

void wb_kernel_name_json(json_t *object, const char *name)
{
  char *demangled = wb_demangle(name);
  if (object != NULL && demangled != NULL)
    json_object_set_new(object, "demangled", json_string(demangled));
  free(demangled);
}
