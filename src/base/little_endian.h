/* Numbers of a file, least byte first, at any place in memory. */
#ifndef WB_BASE_LITTLE_ENDIAN_H
#define WB_BASE_LITTLE_ENDIAN_H

#include <stdint.h>

static inline uint32_t wb_u16(const unsigned char *bytes)
{
  return bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline uint32_t wb_u32(const unsigned char *bytes)
{
  return wb_u16(bytes) | wb_u16(bytes + 2) << 16;
}

static inline uint64_t wb_u64(const unsigned char *bytes)
{
  return wb_u32(bytes) | (uint64_t)wb_u32(bytes + 4) << 32;
}

#endif
