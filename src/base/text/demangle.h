/* Names of C++ functions as their authors wrote them. */
#ifndef WB_BASE_TEXT_DEMANGLE_H
#define WB_BASE_TEXT_DEMANGLE_H

#include <stdbool.h>

/* What stands behind the name of a function of which several modules of a file have different code,
 * before the module's number: "scale@module_3". */
#define WB_MODULE_SUFFIX "@module_"

/* "saxpy(int, float, float*)" of "_Z5saxpyifPf", to be freed; NULL for a name that is not mangled,
 * or that could take long to write out. */
char *wb_demangle(const char *name);

/* Whether a user who writes `wanted` can mean the function of the mangled `name`: by the name as
 * it is, or demangled ("saxpy(int, float, float*)", "void fill<float>(float*)"), without the type
 * of its result, without the parameters ("saxpy", "fill<float>"), or without the template's
 * arguments ("fill"). Blanks do not count in the demangled forms. A module's suffix need not be
 * written; where it is, it counts. */
bool wb_demangled_matches(const char *wanted, const char *name);

/* Whether `name`, mangled or not, is of a function that its source calls `identifier`, in whatever
 * namespace, with whatever template arguments: "fill" of "void a::fill<float>(float*)". */
bool wb_demangled_is_called(const char *identifier, const char *name);

#endif
