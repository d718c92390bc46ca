/* What loads, stores and atomics access, as far as their addresses show: the sectors of 32 bytes of
 * a warp's access, and the passes over the banks of shared memory (doc/accesses.md). */
#ifndef WB_FLOW_ACCESSES_ACCESSES_H
#define WB_FLOW_ACCESSES_ACCESSES_H

#include "base/status.h"
#include "cfg/warp_graph/warp_graph.h"
#include "isa/opcode.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texels that linear filtering reads for a lane at most: of three dimensions, or of two levels of
 * two (CUDA C++ Programming Guide, "Texture Fetching"), without anisotropy. */
#define WB_FILTERED_TEXELS 8

/* How far the addresses of the lanes are known: address = uniform part + stride * lane. */
enum wb_access_pattern {
  WB_ACCESS_UNIFORM, /* one address for all lanes */
  WB_ACCESS_STRIDED, /* a known stride by lane */
  WB_ACCESS_UNKNOWN
};

/* The accesses of one instruction. The three counts are the most of any execution by a warp. */
struct wb_access {
  uint32_t instruction; /* index in the function */
  enum wb_memory_space space;
  bool load, store, atomic; /* an atomic is both load and store where it returns a value */
  bool unbounded; /* it may move more than its lanes' own bytes (copies of blocks, tensor memory,
                     an opcode that is not known): the counts are no bounds */
  bool filtered;  /* a texture: a sector of the count is WB_FILTERED_TEXELS of a lane, each of a
                     sector of its own */
  uint8_t bytes;  /* of one lane: 1 .. 32 */
  bool known; /* the distances between the lanes' addresses are known, perhaps without a stride */
  enum wb_access_pattern pattern;
  int64_t stride;      /* bytes from lane to lane, where strided */
  uint32_t alignment;  /* the uniform part is a multiple of it, a power of 2 */
  uint32_t sectors;    /* of 32 bytes, of one warp: 1 .. 128 */
  uint32_t wavefronts; /* passes over the banks of shared memory: 1 .. 32; of other spaces lines of
                          128 bytes: 1 .. 32, of local memory to 128; of a copy from global to
                          shared memory (LDGSTS) both together: 2 .. 64 */
  uint64_t shared_end; /* of shared memory: no byte from this address on is accessed; UINT64_MAX:
                          not known */
  uint32_t lanes_at_one; /* lanes that may access one address: 1 .. 32 */
  uint32_t ideal;        /* sectors (of shared memory wavefronts) of the same bytes side by side */
  uint8_t buffer; /* of global memory: the number of the declared buffer that its address is based
                     on, from 1; 0: none is known */
  bool within;    /* it is shown to lie in that buffer */
  bool kept;      /* of a buffer that the L2 keeps: its requests go on to memory only where they
                     fetch (doc/launches/caches.md) */
  char *reason;   /* for people; owned */
};

/* By ascending instruction. Owns all: wb_accesses_free. */
struct wb_accesses {
  struct wb_access *items;
  size_t count, capacity;
  bool *reached; /* by instruction: it is in the graph, and not left out; NULL: not told */
};

/* Finds the accesses of all reachable instructions of a function of SASS. graph: with its contexts
 * and entries, not a united one. launch: what is known of sizes and parameters; NULL: nothing.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_accesses_find(const struct wb_warp_graph *graph, const struct wb_launch *launch,
                                  struct wb_accesses *accesses, warpbound_error *error);

/* Leaves out the accesses of instructions that no thread does, by instruction of the function. */
void wb_accesses_leave_out(struct wb_accesses *accesses, const bool *idle, size_t count);

/* The access of an instruction, or NULL. Logarithmic. */
const struct wb_access *wb_accesses_at(const struct wb_accesses *accesses, uint32_t instruction);

void wb_accesses_free(struct wb_accesses *accesses);

#endif
