/* A cycle-level simulation of a launch in the model of doc/launch.md: every run is one that the
 * model allows (work-conserving), so its time is a lower end of the worst case, if each warp can
 * take its path. */
#ifndef WB_LAUNCH_SIMULATION_LAUNCH_SIMULATION_H
#define WB_LAUNCH_SIMULATION_LAUNCH_SIMULATION_H

#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"
#include "launch/together/mixes.h"
#include "launch/together/together.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who goes first where several may: the warps of a partition at issue, requests at a resource. */
enum wb_launch_policy {
  WB_LAUNCH_GREEDY_OLDEST,   /* the same warp while it can, else the oldest */
  WB_LAUNCH_GREEDY_YOUNGEST, /* the same warp while it can, else the youngest */
  WB_LAUNCH_ROUND_ROBIN,     /* loose round robin */
  WB_LAUNCH_RANDOM,
  WB_LAUNCH_STARVING, /* one warp of every R-th block, and its requests, last of all: which is by
                         the seed */
  WB_LAUNCH_LAGGING,  /* some warps of each block, and their requests, after all others: so blocks
                         pass barriers together, and end together */
  WB_LAUNCH_LAGGING_YOUNGEST, /* the same; of the others' requests those of the youngest warp first,
                                 where those that came first do in the one above */
  WB_LAUNCH_CONVOY, /* whatever may wait while all servers of a resource that requests use serve
                       waits, and the warp that is least far in its path goes first: so one resource
                       after the other works, and all others wait for it */
  WB_LAUNCH_CONVOY_LAGGING, /* the same, and some warps of each block lag as above */
  WB_LAUNCH_IN_STEP, /* as convoy, but SMs that are behind do not wait for resources of the GPU: so
                        all SMs come to them together */
  WB_LAUNCH_IN_STEP_LAGGING, /* the same, and some warps of each block lag as above */
  WB_LAUNCH_POLICY_COUNT
};

/* Whether some warps of each block lag behind all others. */
static inline bool wb_launch_policy_lags(enum wb_launch_policy policy)
{
  return policy == WB_LAUNCH_LAGGING || policy == WB_LAUNCH_LAGGING_YOUNGEST ||
         policy == WB_LAUNCH_CONVOY_LAGGING || policy == WB_LAUNCH_IN_STEP_LAGGING;
}

/* Whether SMs that are behind do not wait for the GPU's resources. */
static inline bool wb_launch_policy_in_step(enum wb_launch_policy policy)
{
  return policy == WB_LAUNCH_IN_STEP || policy == WB_LAUNCH_IN_STEP_LAGGING;
}

/* Whether all waits that may. */
static inline bool wb_launch_policy_convoys(enum wb_launch_policy policy)
{
  return policy == WB_LAUNCH_CONVOY || policy == WB_LAUNCH_CONVOY_LAGGING ||
         wb_launch_policy_in_step(policy);
}

/* Paths of one warp through timed code. Borrowed: instruction indices in order. */
struct wb_warp_path {
  const uint32_t *instructions;
  size_t length;
};

/* What to simulate. Zero-initialise. All borrowed. */
struct wb_simulation_options {
  enum wb_launch_policy policy;
  uint64_t seed;
  uint64_t laggards; /* of policies by which warps lag: bit n: warp n of each block, n modulo 64; 0:
                        one, by the seed */
  const struct wb_warp_path *paths;
  size_t path_count; /* warps take them in turn by a rule of the seed; with one all take it */
  uint32_t shorter;  /* of 1000 times (stalls, delays, services, latencies): drawn below their
                        most; 0: all are at their most */
  bool cold;         /* caches have nothing of what the code fetches once: `cold_lines` */
  bool balanced;     /* a block goes to an SM with the fewest blocks; else by a rule of the seed */
  bool early_starts; /* a block's start goes on while the block waits for the dispatcher, so that
                        it takes less after that: blocks that are placed together start together */
  uint64_t most_instructions; /* warp instructions after which the run is given up; 0: no limit */
  size_t most_events;         /* events to record; 0: none */
  bool events_of_run;         /* record what the checker of runs needs: issues, requests, fetches,
                                 copies; else fetches and copies alone are left out */
  uint64_t events_from;       /* record only what is not over by then */
  bool events_of_sm;          /* record only what happens on events_sm */
  uint32_t events_sm;
};

/* Launches of several kernels, whose blocks share the SMs, as steps of a graph, and launches beside
 * it (doc/launches/together.md). All borrowed. */
struct wb_simulated_kernel {
  uint64_t blocks;
  uint32_t block_warps;
  const struct wb_warp_path *paths; /* of the code of all kernels; warps take them as those of the
                                       options */
  size_t path_count;
  uint32_t first_sm, sms; /* the SMs that it has for itself; sms 0: all */
};

struct wb_simulated_step {
  enum wb_together_kind kind;
  uint32_t kernel;       /* of a launch */
  uint32_t engine;       /* of a copy, below WB_TOGETHER_ENGINES */
  uint64_t gap;          /* cycles from the end of all that it comes after to its release */
  uint64_t cycles;       /* of a copy or a wait */
  uint64_t memory;       /* of a copy: it has each server of the memory for so long; below 2^32 */
  const uint32_t *after; /* steps with lower numbers */
  size_t after_count;
  bool
      beside; /* no step of the graph: it is released at `at`, unless the graph has ended by then */
  uint64_t at;
};

struct wb_simulated_graph {
  const struct wb_simulated_kernel *kernels; /* by kernel of the mixes */
  const struct wb_mixes *mixes;              /* what fits on an SM */
  const struct wb_simulated_step *steps;
  size_t step_count;
  uint64_t begin; /* the graph's own steps begin then */
  uint8_t memory; /* the resource that copies hold; WB_RESOURCE_LIMIT: none */
};

enum wb_launch_event_kind {
  WB_EVENT_ISSUE,   /* at `time` the warp issued the instruction; until: time + stall */
  WB_EVENT_REQUEST, /* a request of it was served from time to until */
  WB_EVENT_WAIT,    /* between time and until the warp was blocked though its own past let it go
                       on: at issue where the resource is taken there, else a request */
  WB_EVENT_BARRIER_WAIT, /* it waited for its block at a barrier */
  WB_EVENT_FETCH, /* a request of the fetch of line `instruction` was served, into the cache of the
                     warp's partition, or a wider one; warp and step are those that asked for it */
  WB_EVENT_COPY   /* a server of the memory was held by the copy of step `instruction` */
};

/* Times are in cycles from the placing of the first blocks; of a graph: from 0. Blocks of a graph
 * are numbered through all launches, step by step. */
struct wb_launch_event {
  enum wb_launch_event_kind kind;
  uint32_t sm, partition, warp; /* warp: of its block */
  uint64_t block;
  uint32_t step;        /* of the warp's path */
  uint32_t instruction; /* of the code */
  uint32_t stage;       /* of a request: its stage; and which one of it in `request` */
  uint32_t request;
  uint32_t resource; /* of a request or a wait; else UINT32_MAX */
  uint64_t time, until;
};

/* Owns its arrays: wb_simulated_launch_free. */
struct wb_simulated_launch {
  struct wb_arena arena; /* owns the lists of blocks and warps; events are beside it */
  bool ended;            /* false: given up, or interrupted */
  uint64_t cycles;       /* the end of everything; with the shape's overhead and starts of blocks */
  uint64_t instructions; /* warp instructions issued */
  uint64_t longest_block;           /* cycles of the block that resided longest */
  uint64_t last_block;              /* that left last, */
  uint32_t last_sm;                 /* there, */
  uint64_t last_block_begin;        /* where it came then */
  uint64_t busy[WB_RESOURCE_LIMIT]; /* by resource: sum of all services */
  struct wb_launch_event *events;   /* the first ones, if asked for, by time */
  size_t event_count;
  uint64_t *block_begin,
      *block_end;        /* by block: placed, left; if events were asked for and the launch has at
                            most 2^22 warps; else NULL. An end of 0: it has not left */
  uint64_t *block_ready; /* from when on its last warp may issue */
  uint32_t *block_sm;
  uint32_t *path_of_warp; /* by block * block_warps + warp, where block_sm is; of a graph
                             block_warps is the most of a block */
  uint64_t *step_asked, *step_begin, *step_end; /* of a graph, by step: all that it comes after has
                             ended, and its gap is over; it is released, or begins; ends.
                             UINT64_MAX: it was not released */
};

/* Deterministic in its options, whatever the machine. Memory: linear in the resident warps and
 * their requests, in the code, and in what is recorded; not in the blocks. A block that is placed
 * waits for the dispatcher, then block_start (see early_starts), then its warps may issue; it
 * leaves when its warps' last stalls, its services at issue and its stages at a partition or the SM
 * are over. Errors: WARPBOUND_LIMIT (time, an interruption: *launch holds what was run),
 * WARPBOUND_INVALID_INPUT (a path whose warps wait at different numbers of barriers, a time that
 * does not fit), WARPBOUND_INTERNAL. */
warpbound_status wb_launch_simulate(const struct wb_timed_code *code,
                                    const struct wb_launch_shape *shape,
                                    const struct wb_simulation_options *options,
                                    const struct wb_control *control,
                                    struct wb_simulated_launch *launch, warpbound_error *error);
/* The same of a graph, from its begin to the end of its own steps. Launches are released the
 * shape's overhead after they are asked for; of the shape blocks, block_warps and resident_blocks
 * do not count, nor do the options' paths. The run goes on until launches beside the graph that
 * were released have ended. A copy holds all servers of the memory from its begin where these are
 * idle, and else none. */
warpbound_status wb_graph_simulate(const struct wb_timed_code *code,
                                   const struct wb_launch_shape *shape,
                                   const struct wb_simulated_graph *graph,
                                   const struct wb_simulation_options *options,
                                   const struct wb_control *control,
                                   struct wb_simulated_launch *launch, warpbound_error *error);
void wb_simulated_launch_free(struct wb_simulated_launch *launch);

const char *wb_launch_policy_name(enum wb_launch_policy policy);

#endif
