/* A tiny launch for tests: timed code, all paths of its warps, its shape, and which of the runs
 * that the model of doc/launch.md allows are meant. */
#ifndef TESTS_CROSS_TINY_LAUNCH_H
#define TESTS_CROSS_TINY_LAUNCH_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TINY_PATHS 8u
#define TINY_LENGTH 16u
#define TINY_GROUPS 3u   /* of warps, by their barriers */
#define TINY_STAGES 192u /* of the code */
#define TINY_LINES 2u    /* of kept data: a line of four sectors is a buffer */

/* Warps that end before barriers which others of their block pass: none do, such may as pass no
 * barrier, or any. */
enum tiny_early { TINY_NONE_EARLY, TINY_EARLY_FIRST, TINY_EARLY_ANY };

/* Of caches of instructions and constants that begin empty: a fetch of a line. */
#define TINY_CODE_LINES 3u
#define TINY_CONSTANT_LINES 2u
#define TINY_DATA_PAGES 3u
struct tiny_fetch {
  uint8_t resource, delay, service;
  uint8_t requests; /* 1 or 2, which begin together */
};

/* Which caches keep what they have fetched: none, those of SMs, those of partitions as well. */
enum tiny_keeps { TINY_KEEPS_NONE, TINY_KEEPS_SM, TINY_KEEPS_NEAR, TINY_KEEPS_COUNT };

struct tiny_cold {
  uint8_t lines; /* 0: all is there */
  enum tiny_keeps keeps;
  uint8_t line[64];            /* by instruction */
  bool entered[64];            /* by instruction: a warp may come to its line there */
  struct tiny_fetch near, far; /* from the SM's cache, at a resource of the SM; from beyond it, at
                                  one of the GPU */
  bool pages;                  /* the one page of all lines has to be translated first */
  struct tiny_fetch page;      /* at a resource of the GPU; translations of data are the same */
  uint8_t constants;           /* lines of constants, kept and fetched as those of code are */
  uint8_t constant[64]; /* by instruction: one more than the line that its operands are in; 0:
                           none, else it is fetched when the instruction itself is there */
  uint8_t data;         /* pages of data, whose translations stay where they were fetched */
  uint8_t touches[64];  /* by instruction: bits of the pages whose translations its first stage
                           at the GPU's resources waits for */
};

/* Data that the first cache of each SM keeps: lines of four sectors. */
#define TINY_FIRST_LINES 2u
#define TINY_FIRST_SECTORS (4 * TINY_FIRST_LINES)
struct tiny_first {
  uint8_t lines;       /* 0: none is kept */
  uint8_t resident;    /* bit s: sector s is there, on each SM, when the launch begins */
  uint8_t whole;       /* bit l: a fetch of line l brings all of its sectors that are not there */
  uint8_t stage_count; /* of a fetch, 1 or 2, one after the other; of one request each */
  struct tiny_fetch stages[2];
  bool in_l2;  /* the last one is at the memory behind L2, which keeps line l as its buffer l modulo
                  their number */
  uint8_t hit; /* cycles in its place where L2 has the sector */
  bool of_block;     /* what a block has found stays until it leaves; else until the launch ends */
  bool drops;        /* what no block has found that is there goes when one leaves */
  uint8_t patience;  /* of blocks: what a block has found stays until so many others have begun on
                        the SM since it had it last; 0: until it leaves. What drops then goes when
                        the last of them begins */
  uint8_t wants[64]; /* by instruction: bits of the sectors that it loads; 0: none */
  uint8_t stage[64]; /* by instruction: which of its stages begins only when they are there */
};

/* Instruction indices, in order. */
struct tiny_path {
  uint8_t step[TINY_LENGTH];
  uint8_t length;
};

/* When a block leaves its SM, its warps having ended: as soon as (E) lets it, when operands are
 * read too, or when everything of it has ended. */
enum tiny_leave { TINY_LEAVE_EARLY, TINY_LEAVE_READ, TINY_LEAVE_ENDED, TINY_LEAVE_COUNT };

/* A foreign share is a multiple of so many millionths. */
#define TINY_SHARE 250000u

/* The code is owned: tiny_launch_free. */
struct tiny_launch {
  struct wb_timed_code code;
  struct wb_launch_shape shape;
  struct tiny_path paths[TINY_PATHS]; /* warps of a block take such as pass the same number of
                                         barriers, but for those that end early */
  size_t path_count;
  enum tiny_leave leave;
  uint32_t
      partition_places; /* warps that a partition has room for, of blocks of one warp; 0: any */
  bool same_path;       /* all warps of a block take one path */
  bool launch_path;     /* all warps of the launch do */
  bool as_many;         /* bounds know that warps of a block pass as many barriers, and not where */
  bool groups; /* with as_many: warps of a block whose paths are of one group pass alike its
                  barriers and the block's, all warps of the block the block's alone */
  uint8_t group[TINY_PATHS]; /* by path: below TINY_GROUPS */
  bool of_group[64];         /* by instruction, of barriers: those of its warp's group wait there */
  bool arrives[64];          /* with of_group: the warp is there, and goes on; who waits at the
                                barrier of that number in its path waits for it too */
  bool balanced;             /* a block goes to an SM with the fewest blocks */
  enum tiny_early early;
  bool late_ends; /* at barriers of others a warp that ends early has ended when all that it made is
                     over; else with its last instruction */
  uint8_t foreign; /* the resource of the GPU that others use, where the shape says that they do:
                      in each cycle any servers that are free */
  bool keeps[TINY_STAGES]; /* by stage of the code: its server is kept until the next one has its
                              servers; it makes one request, and the next has no delay and a
                              resource of a greater number */
  bool full_queues; /* what could go on may also wait for a full resource that it does not need, if
                       requests use that (condition (W) in full); else only for what it needs */
  struct tiny_cold cold;
  struct tiny_first first;
  /* Of data that L2 keeps (code.kept), of which buffer b is line b: */
  uint8_t memory;              /* the resource that fetches use */
  uint8_t sector[TINY_STAGES]; /* by stage of the code: that of its first request within the line;
                                  the next ones want the next ones, round and round */
  uint8_t resident;    /* bit s of a line's four from 4 b on: there when the launch begins */
  bool whole_lines;    /* a fetch brings all sectors of its line that are not there */
  uint8_t write_backs; /* sectors that each line drives out when it comes, 0 to 4 */
};

#endif
