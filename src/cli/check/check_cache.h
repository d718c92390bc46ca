/* Kept results of launches: a file each, named by the digest of all that it was made of. */
#ifndef WB_CLI_CHECK_CHECK_CACHE_H
#define WB_CLI_CHECK_CHECK_CACHE_H

#include "base/status.h"
#include "cli/check/digest.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The result that is kept under a digest: an object whose files are as they were when it was made.
 * NULL: there is none, or it is damaged. The caller drops it. */
json_t *check_cache_find(const char *folder, const char key[DIGEST_SIZE]);

/* Keeps an object under a digest; it has "files": by path the digest of the bytes, null for a file
 * that was looked for and not there. Makes the folder. Errors: WARPBOUND_INVALID_INPUT where it
 * cannot be written, WARPBOUND_INTERNAL. */
warpbound_status check_cache_keep(const char *folder, const char key[DIGEST_SIZE],
                                  const json_t *object, warpbound_error *error);

/* Removes kept results, those that were not used for longest first, until the others have at most
 * so many bytes; leaves all files that have other names than kept results. What cannot be removed
 * stays: the next check tries again. False where memory is out. */
bool check_cache_prune(const char *folder, uint64_t most);

#endif
