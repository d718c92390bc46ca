/* Names of input files that stand in another file, which are relative to its folder. */
#ifndef WB_CLI_OPTIONS_INPUT_PATHS_H
#define WB_CLI_OPTIONS_INPUT_PATHS_H

#include "cli/options/options.h"

/* `path` as the program opens it: from the folder of `file`, in which it stands. The caller frees
 * it; NULL: no memory. */
char *input_path(const char *file, const char *path);

/* The same, kept with the arguments. */
const char *input_path_kept(struct arguments *arguments, const char *file, const char *path);

/* Makes the value of an option that the instance file gave relative to that file. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status input_path_resolve(struct arguments *arguments, enum option option,
                                    warpbound_error *error);

#endif
