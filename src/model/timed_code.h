/* The timing of a function's code on a device: what each instruction takes and for how long, what
 * it waits for and what it releases (doc/launch.md, "Model"). All times are in cycles of the clock
 * of the streaming multiprocessor (SM), and the most that they can be: actual ones may be shorter.
 */
#ifndef WB_MODEL_TIMED_CODE_H
#define WB_MODEL_TIMED_CODE_H

#include "model/estimate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_RESOURCE_LIMIT 32
#define WB_SCOREBOARD_COUNT 6
#define WB_NO_SCOREBOARD 7
/* Most cycles of one service, delay, stall or latency, and most servers of a resource. */
#define WB_TIME_LIMIT UINT32_C(1000000000)
#define WB_SERVER_LIMIT UINT32_C(65536)
/* Least common multiples of the numbers of servers may be up to this, so that all shares of a
 * resource are whole numbers over one denominator. */
#define WB_SHARE_LIMIT UINT32_C(1048576)

/* What a resource belongs to: there is one for each partition, each SM, or one for the GPU. */
enum wb_resource_level { WB_LEVEL_PARTITION, WB_LEVEL_SM, WB_LEVEL_GPU, WB_LEVEL_COUNT };

/* A resource. Invariants: one of the GPU's is not taken at issue; of those with a place requests
 * use each, no two have the same, wider levels have greater ones, a partition's and an SM's have
 * one server each; of the GPU's two have one, or none, and none where caches keep data. */
struct wb_resource {
  char name[32];
  enum wb_resource_level level;
  uint32_t servers; /* 1 .. WB_SERVER_LIMIT */
  bool at_issue; /* instructions take a server when they issue; else requests use it, after issue */
  uint8_t place; /* in the series of stages (doc/launches/series.md, pair.md), from 1; 0: none */
};

/* A server that an instruction takes at issue, together with all others that it takes. */
struct wb_issue_use {
  uint8_t resource; /* with at_issue; each at most once in an instruction */
  uint32_t service; /* cycles that it is held, at least 1 */
};

/* A stage of the requests that an instruction makes after issue. When the stage before has ended
 * (the first: at issue) `delay` cycles pass; then each of its requests needs a server for `service`
 * cycles. The stage ends when all of its requests have been served. */
struct wb_request_stage {
  uint8_t resource;  /* without at_issue */
  uint16_t requests; /* 1 .. 4096 */
  uint32_t delay;    /* cycles */
  uint32_t service;  /* cycles, at least 1 */
  uint8_t buffer;    /* of a fetch of data that L2 keeps: their number in the kept data, from 1; 0:
                        the stage is always there */
  uint32_t hit;      /* cycles in place of delay and service where the data are in L2 */
  uint32_t walk;     /* of the delay: to translate an address of which no translation is kept */
  uint32_t fetch;    /* of the delay: to fetch data into the first cache of the SM */
  bool ahead;        /* of a fetch of its instruction, or of the constants that this reads, which no
                        cache keeps: for its work, while `before` has its time */
};

/* Data that L2 keeps from their first use in the launch to its end, so that a request goes on to
 * memory only where it fetches them (doc/launches/caches.md). */
struct wb_kept_buffer {
  uint64_t bytes; /* at least 1 */
  uint64_t lines; /* that the launch accesses at most, at least 1 and at most those of the bytes */
  bool by_sector; /* chains pay for each fetch of it once; else each access on a chain for one */
};

struct wb_kept_data {
  struct wb_kept_buffer *buffers;
  size_t count;      /* 0: nothing is kept */
  uint64_t retained; /* bytes of L2 that keep them */
  uint32_t copies;   /* parts of L2 that each fetch for themselves, at least 1 */
  bool warm;         /* all of them are there when the launch begins */
};

/* Data that the first cache of each SM keeps from their first use there to the end of the launch,
 * so that loads go beyond it only to fetch them (doc/launches/first-cache.md). How chains pay for
 * fetches: as if nothing were kept; for each of them once; each access on a chain for one. */
enum wb_first_paid { WB_FIRST_AS_BEFORE, WB_FIRST_BY_SECTOR, WB_FIRST_BY_ACCESS };

struct wb_first_buffer {
  uint64_t bytes;       /* at least 1 */
  uint64_t block_lines; /* lines of it that one block accesses, at least 1; of what is kept for
                           blocks */
  enum wb_first_paid paid;
};

struct wb_first_data {
  struct wb_first_buffer *buffers;
  size_t count;      /* 0: nothing is kept */
  uint64_t retained; /* bytes of each such cache that keep them */
  bool of_block; /* what a block has found there stays until it leaves its SM: each block fetches
                    each of its sectors once; else each SM does, in the launch */
  bool recent;   /* of blocks: the lines used last stay, as many as `retained` has, so that a block
                    fetches again what it had before so many others began */
};

#define WB_LINE_BYTES 128
/* The most lines that so many bytes, at least 1, touch wherever they begin. */
static inline uint64_t wb_lines_of(uint64_t bytes)
{
  return (bytes + 2 * WB_LINE_BYTES - 2) / WB_LINE_BYTES;
}
/* Lines of code or constants, or translations of pages, that a launch fetches once because they are
 * not there when it begins (doc/launches/cold-starts.md). */
#define WB_COLD_STAGES 8
struct wb_cold_fetch {
  char name[24];         /* "code" */
  uint64_t count;        /* lines or pages, 1 .. WB_COLD_LIMIT */
  uint64_t by_all_warps; /* of these, how many each warp of the launch has found in that cache of
                            its partition or SM when it ends */
  enum wb_resource_level level; /* whose cache it is: each partition, each SM, or the GPU fetches
                                   each of them once */
  enum wb_first_paid data;      /* of data that the first caches keep, sectors; else AS_BEFORE */
  uint8_t stage_count;          /* at least 1: */
  struct wb_request_stage stages[WB_COLD_STAGES]; /* one after the other, of an SM's resources or
                                                     the GPU's; of data kept in L2 only those of
                                                     data that first caches keep */
};
#define WB_COLD_LIMIT (UINT64_C(1) << 40)
#define WB_COLD_FETCHES 8

/* Lines and pages one by one, for runs: what instructions have to find in caches. Of each kind no
 * more than its fetch counts. */
struct wb_cold_line {
  uint8_t fetch;   /* of the code's: how it comes, and into which caches */
  uint32_t behind; /* one more than the line, or page, of wider caches that has to be there before
                      it is fetched; 0: none */
};

struct wb_cold_lines {
  struct wb_cold_line *lines; /* `behind` is of an earlier one */
  size_t count;
  size_t *first;   /* by instruction, and one more: into `needs` */
  uint32_t *needs; /* lines: first that of the instruction, if it may not be there, then those of
                      its constants */
};

#define WB_KEPT_BYTES_LIMIT (UINT64_C(1) << 48)
#define WB_KEPT_COPIES_LIMIT 16

/* One instruction. It issues when its warp's instruction before has issued `stall` cycles ago, the
 * scoreboards that it waits for are released, its block's barrier before it has let it go, and it
 * has a server of each use. */
struct wb_timed_instruction {
  uint32_t before;       /* cycles that it is fetched, after its warp's own past lets it issue */
  uint32_t stall;        /* cycles from its issue to the next issue of its warp, at least 1 */
  uint32_t first_use;    /* into the code's uses */
  uint32_t first_stage;  /* into the code's stages */
  uint32_t latency;      /* from the end of the last stage (without stages: from issue) until its
                            results are there, which releases write_scoreboard */
  uint32_t read_latency; /* from the end of stage number `read_stages` (0: from issue) until its
                            operands are read, which releases read_scoreboard */
  uint8_t use_count;
  uint8_t stage_count;
  uint8_t read_stages;        /* at most stage_count */
  uint8_t write_scoreboard;   /* that its results release; WB_NO_SCOREBOARD: none */
  uint8_t read_scoreboard;    /* that its read operands release; WB_NO_SCOREBOARD: none */
  uint8_t wait_mask;          /* bit b: waits until scoreboard b is released by all that set it */
  uint8_t counted_scoreboard; /* waits until at most `counted_left` instructions that set it have
                                 not released it (DEPBAR.LE); WB_NO_SCOREBOARD: none */
  uint8_t counted_left;
  bool fence;     /* waits until all that its warp has made before has ended: services, stages,
                     latencies */
  bool posted;    /* a store: what it makes at the GPU's level needs nothing of its SM, nor do
                     results; its block may leave meanwhile */
  bool barrier;   /* after its stall it waits for all warps of its block to pass the barrier */
  uint8_t access; /* for people: 0 none; see flow/accesses */
};

/* The timing of all instructions of a function. Owns its arrays: wb_timed_code_free.
 * Invariants (wb_timed_code_check): uses and stages are within the code's; times are within
 * WB_TIME_LIMIT; each instruction has a stall and at least one use. Of the resource that a fetch of
 * kept data uses, which is the GPU's, all stages have one delay and service, and all fetches one
 * hit. */
struct wb_timed_code {
  struct wb_resource resources[WB_RESOURCE_LIMIT];
  size_t resource_count;
  struct wb_timed_instruction *instructions; /* by instruction of the function */
  size_t instruction_count;
  struct wb_issue_use *uses;
  size_t use_count, use_capacity;
  struct wb_request_stage *stages;
  size_t stage_count, stage_capacity;
  struct wb_kept_data kept;                   /* owned with the code */
  struct wb_first_data first;                 /* likewise */
  struct wb_cold_fetch cold[WB_COLD_FETCHES]; /* what the launch fetches once */
  size_t cold_count;
  struct wb_cold_lines cold_lines; /* owned; without `first`: it is not known which */
  struct wb_estimate estimate; /* instructions that may make more requests than their stages say, or
                                  wait for what the model does not have */
};

/* A fetch of data that L2 keeps, of an instruction or of what first caches fetch; NULL: there is
 * none. */
const struct wb_request_stage *wb_timed_code_fetch(const struct wb_timed_code *code);

/* The invariants: NULL, or which one is broken. Linear. */
const char *wb_timed_code_check(const struct wb_timed_code *code);
void wb_timed_code_free(struct wb_timed_code *code);

/* A launch as the theorems of doc/launch.md see it. */
struct wb_launch_shape {
  uint64_t blocks;          /* B, at least 1 */
  uint32_t block_warps;     /* w, at least 1 */
  uint32_t sms;             /* m, at least 1 */
  uint32_t partitions;      /* P of an SM, at least 1 */
  uint32_t resident_blocks; /* R, at least 1: most blocks that reside on an SM */
  uint64_t overhead;      /* cycles of the launch before its first and after its last instruction */
  uint32_t block_start;   /* cycles from room for a block to the first issue of its last warp */
  uint32_t dispatch;      /* cycles that the dispatcher needs for a block, one at a time; 0: none */
  uint32_t foreign_share; /* others than the GPU hold at most so many millionths of its memory in
                             the first t cycles of the launch, for each t (below
                             WB_FOREIGN_WHOLE), */
  uint32_t foreign_burst; /* and cycles of all of it more */
};

#define WB_FOREIGN_WHOLE UINT32_C(1000000)

#endif
