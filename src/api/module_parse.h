/* From a text or a file to the form and the code of a module. */
#ifndef WB_API_MODULE_PARSE_H
#define WB_API_MODULE_PARSE_H

#include "analysis/code/module.h"

/* What is parsed. Borrowed. */
struct wb_module_source {
  const char *name; /* "" for none */
  const char *text; /* or the bytes of a file */
  size_t length;
};

/* Errors: WARPBOUND_USAGE. */
warpbound_status wb_module_check_options(const warpbound_module_options *options,
                                         warpbound_error *error);

/* Sets form and string of a module; name: a file's, "" for none. */
warpbound_status wb_module_take_string(const char *name, const char *text,
                                       struct warpbound_module *module, warpbound_error *error);

/* Sets the form of a module, and string or code. Errors: those of warpbound_module_parse. */
warpbound_status wb_module_parse_source(const struct wb_module_source *source,
                                        const warpbound_module_options *options,
                                        struct warpbound_module *module, warpbound_error *error);

#endif
