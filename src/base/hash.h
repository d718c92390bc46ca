/* Hashes, the same on every machine. Not for secrets: whoever knows them can make collisions. */
#ifndef WB_BASE_HASH_H
#define WB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes. */
#define WB_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a of 64 bits (Fowler, Noll and Vo): the hash of some bytes and one more. */
static inline uint64_t wb_hash_byte(uint64_t hash, uint8_t byte)
{
  return (hash ^ byte) * UINT64_C(0x100000001b3);
}

/* ... and `length` more; bytes may be NULL with a length of 0. */
static inline uint64_t wb_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
  const uint8_t *byte = bytes;
  for (size_t i = 0; i < length; i++)
    hash = wb_hash_byte(hash, byte[i]);
  return hash;
}

/* The hash of some words and one more: a multiplicative hash with the golden ratio, as in Knuth,
 * The Art of Computer Programming 3, 6.4, whose high bits are folded onto the low ones. Start with
 * any number. Faster than byte by byte. */
static inline uint64_t wb_hash_word(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

/* Makes every bit of the hash depend on all: the finaliser of MurmurHash3 (Appleby). One to one. */
static inline uint64_t wb_hash_finish(uint64_t hash)
{
  hash ^= hash >> 33;
  hash *= UINT64_C(0xff51afd7ed558ccd);
  hash ^= hash >> 33;
  hash *= UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 33);
}

#endif
