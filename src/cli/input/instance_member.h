/* Members of instance files: from JSON values to the texts that options take. */
#ifndef WB_CLI_INPUT_INSTANCE_MEMBER_H
#define WB_CLI_INPUT_INSTANCE_MEMBER_H

#include "cli/options/options.h"

#include <jansson.h>

/* Gives the option that `key` names its default from the file arguments->instance. The
 * value must be of the option's type even if the command line or another command makes
 * it of no use. Errors: WARPBOUND_INVALID_INPUT with the file and the key. */
warpbound_status instance_member_take(struct arguments *arguments, unsigned command,
                                      const char *key, const json_t *value, warpbound_error *error);

#endif
