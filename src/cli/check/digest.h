/* Digests of what a result was made of: two results with one digest are of the same inputs. */
#ifndef WB_CLI_CHECK_DIGEST_H
#define WB_CLI_CHECK_DIGEST_H

#include <nettle/sha2.h>
#include <stddef.h>

/* SHA-256 in hexadecimal digits, and a zero. */
#define DIGEST_SIZE (2 * SHA256_DIGEST_SIZE + 1)

struct digest {
  struct sha256_ctx context;
};

struct digest digest_start(void);
/* Adds bytes and their number, so that no two lists of parts are alike. */
void digest_add(struct digest *digest, const void *bytes, size_t length);
/* The same of a text; NULL is not the same as "". */
void digest_add_text(struct digest *digest, const char *text);
void digest_finish(struct digest *digest, char hex[DIGEST_SIZE]);
/* All three for bytes. */
void digest_of(const void *bytes, size_t length, char hex[DIGEST_SIZE]);

/* Adds what tells this program from any other build of it: the build identifiers that the linker
 * wrote into the program and the libraries that it has loaded, else their files' bytes. */
void digest_add_program(struct digest *digest);

#endif
