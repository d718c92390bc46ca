/* The state of a simulated launch: what its parts share. */
#ifndef WB_LAUNCH_SIMULATION_LAUNCH_MACHINE_H
#define WB_LAUNCH_SIMULATION_LAUNCH_MACHINE_H

#include "base/arena.h"
#include "base/random.h"
#include "base/status.h"
#include "launch/simulation/launch_simulation.h"
#include "launch/timing/stage_pair.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the wheel: what will happen at which cycle ----
 * Buckets for the next cycles and a heap for later ones. Times never go back. */

#define WB_WHEEL_SPAN 1024 /* buckets, a multiple of 64 and a power of two */
#define WB_WHEEL_NONE UINT32_MAX

/* Something that happens to a subject (a warp, a request, a block: as `kind` says). */
struct wb_wheel_event {
  uint32_t next; /* in its bucket, or in the free list */
  uint32_t subject;
  uint16_t count; /* for the kind to use */
  uint8_t kind;
};

struct wb_later_event {
  uint64_t time;
  uint32_t event;
};

/* Owns its arrays: wb_time_wheel_free. Invariant: events of the buckets are of the cycles now ..
 * now + WB_WHEEL_SPAN - 1, those of the heap are later. */
struct wb_time_wheel {
  uint64_t now;
  uint32_t bucket[WB_WHEEL_SPAN]; /* first event of a cycle, by its remainder */
  uint64_t used[WB_WHEEL_SPAN / 64];
  struct wb_wheel_event *events;
  size_t capacity;
  uint32_t free;                /* first unused event */
  struct wb_later_event *later; /* heap, the earliest first */
  size_t later_count, later_capacity;
  size_t most_events; /* more is out of memory */
  bool failed;        /* out of memory: events were lost */
};

/* Makes room for events; false where memory is out. */
bool wb_time_wheel_grow(struct wb_time_wheel *wheel);
void wb_time_wheel_push_later(struct wb_time_wheel *wheel, uint64_t time, uint32_t event);

static inline void wb_time_wheel_link(struct wb_time_wheel *wheel, uint64_t time, uint32_t event)
{
  const uint32_t place = (uint32_t)time % WB_WHEEL_SPAN;
  wheel->events[event].next = wheel->bucket[place];
  wheel->bucket[place] = event;
  wheel->used[place / 64] |= UINT64_C(1) << place % 64;
}

/* Something happens at `time`, later than now; or now, while the events of now are taken. */
static inline void wb_time_wheel_push(struct wb_time_wheel *wheel, uint64_t time, uint8_t kind,
                                      uint32_t subject, uint16_t count)
{
  if (wheel->free == WB_WHEEL_NONE && !wb_time_wheel_grow(wheel))
    return;
  const uint32_t event = wheel->free;
  wheel->free = wheel->events[event].next;
  wheel->events[event].subject = subject;
  wheel->events[event].count = count;
  wheel->events[event].kind = kind;
  if (time - wheel->now < WB_WHEEL_SPAN)
    wb_time_wheel_link(wheel, time, event);
  else
    wb_time_wheel_push_later(wheel, time, event);
}

/* ---- the machine ---- */

#define WB_NOBODY UINT32_MAX

/* What the events of the wheel are. Their subjects: */
enum wb_launch_wake {
  WB_WAKE_WARP,      /* a warp: its own past lets it go on */
  WB_WAKE_PARTITION, /* a partition: resources that its warps need may be free */
  WB_WAKE_ARRIVAL,   /* a flight: the delay of its stage is over */
  WB_WAKE_SERVED,    /* a flight: `count` of its requests are served */
  WB_WAKE_RELEASE,   /* a flight: releases scoreboard `count`, where its number is counted */
  WB_WAKE_BLOCK,     /* a resident block: leaves */
  WB_WAKE_STEP       /* a step of a graph: `count` says what (enum wb_step_wake) */
};

/* A launch of the run. */
struct wb_launch_member {
  uint64_t blocks;
  uint32_t block_warps;
  uint32_t kernel;        /* of the graph's mixes */
  uint32_t first_sm, sms; /* where its blocks may be */
  const struct wb_warp_path *paths;
  size_t path_count;
  uint64_t first_block;              /* its number among the blocks of all launches */
  uint64_t next_block, ended_blocks; /* of its own, from 0 */
  uint64_t flights;                  /* of its instructions: when they end is not known */
  uint64_t end;                      /* of all that it has made, as far as that is known */
  bool released;
};

/* A step of a graph. */
struct wb_launch_step {
  size_t waits;               /* steps before it that have not ended */
  uint64_t asked, begin, end; /* UINT64_MAX: not yet; asked: all before it have ended, and its gap
                                 is over */
};

/* A resident warp. */
struct wb_launch_warp {
  uint64_t age;                        /* block * stride + warp: its name in the run */
  uint64_t stall;                      /* its next issue is not before */
  uint64_t known[WB_SCOREBOARD_COUNT]; /* releases of scoreboards that are known are over then */
  uint32_t held[WB_SCOREBOARD_COUNT];  /* releases that are not known, or are counted */
  uint64_t done;                       /* what it has made is over then, as far as that is known */
  uint32_t flights;                    /* of its instructions: when they end is not known */
  const uint32_t *path;
  size_t step, length;
  uint32_t resident; /* its block */
  uint32_t partition, place;
  bool ready;   /* its own past lets it issue */
  bool blocked; /* waits for a release that is not known */
  bool at_barrier;
  uint32_t waits_next;  /* of those that wait for the same line */
  uint8_t blocked_by;   /* for events: the resource that keeps it, though ready */
  uint64_t ready_since; /* for events */
  uint64_t barrier_since;
};

/* Room for a block on an SM, and the block that resides there. */
struct wb_resident_block {
  uint64_t block; /* of all launches */
  uint32_t member, warps;
  uint64_t begin;
  uint64_t until;   /* it does not leave before */
  uint32_t running; /* warps that have not ended */
  uint32_t arrived; /* warps at the barrier */
  uint64_t arrival; /* of the last of them */
  uint64_t flights; /* that still need a partition or the SM */
  bool here;
};

struct wb_launch_partition {
  uint64_t wake;       /* next wake that is in the wheel; UINT64_MAX: none */
  uint64_t last_age;   /* of the warp that issued last; UINT64_MAX: none */
  uint32_t next_place; /* warps up to that one in age */
  uint32_t last_place; /* of that one; WB_NOBODY: it has left */
  uint32_t warps;      /* that have places */
};

/* An instruction whose stages, or counted releases, are under way, or the fetch of a line. Queued:
 * waits at a resource. */
struct wb_launch_flight {
  uint64_t key;  /* of the queue: the least first, */
  uint64_t age;  /* then by warp, */
  uint64_t item; /* then by step and stage */
  uint64_t arrival;
  uint64_t read_release; /* where it sets one counted scoreboard twice */
  size_t step;
  uint32_t instruction, warp, partition; /* of a fetch: of the warp that was the first to need it */
  uint32_t member;
  uint32_t line;             /* that is fetched; WB_NOBODY: it is an instruction, or: */
  bool copy;                 /* of the step `member` */
  uint32_t parent;           /* of some requests of its stage, which go on by themselves to the
                                memory; WB_NOBODY: it is whole */
  uint32_t first, count;     /* requests of its stage: from that one on, so many */
  uint32_t apart;            /* of a whole one: requests that go on by themselves */
  uint32_t child, sibling;   /* of the queue; of a free flight: sibling is the next one */
  uint32_t waiting, serving; /* requests of the stage */
  uint32_t service;
  uint32_t station; /* where its stage is served */
  uint8_t stage;
  uint8_t pending; /* things that it still waits for: its stages, counted releases */
};

/* A resource that requests use, of one partition or SM or of the GPU. */
struct wb_launch_station {
  uint32_t free;  /* servers */
  uint32_t queue; /* root of the flights that wait; WB_NOBODY: none */
  bool touched;   /* it may start requests in this cycle */
  uint8_t resource;
};

/* A line or page, of one cache. */
enum wb_line_state { WB_LINE_MISSING, WB_LINE_FETCHED, WB_LINE_THERE };
struct wb_launch_line {
  enum wb_line_state state;
  uint32_t warps;   /* that wait for it */
  uint32_t flights; /* fetches that wait for it, by their siblings */
};

/* A resource taken at issue, of one partition or SM, as it is found from there. */
struct wb_issue_place {
  uint32_t servers;
  bool shared;   /* of the SM */
  size_t offset; /* into the times of the partition or SM */
};

/* Of policies by which all waits that may (simulation_convoys.c). A station is full while all of
 * its servers serve. */
struct wb_launch_convoys {
  bool on;
  uint8_t order[WB_RESOURCE_LIMIT]; /* resources that requests use, in the order in which they start
                                       requests */
  size_t order_count;
  uint32_t touched_count[WB_RESOURCE_LIMIT]; /* by resource */
  uint32_t full;                             /* stations of the GPU */
  uint32_t *full_of_sm;                      /* of an SM, without its partitions */
  uint32_t *full_of_part;
  uint64_t *waiting; /* set of partitions that might issue, but for full stations */
  /* In step. A spell: cycles in which a station of the GPU is full, without a pause. SMs that had
   * issued less than the one that had issued most when it began do not wait in it until they have
   * issued as much. */
  bool in_step;
  uint64_t *issued; /* by SM: instructions */
  uint64_t most_issued, goal;
  bool *behind;      /* by SM: when the spell began */
  uint64_t full_end; /* when a station of the GPU was emptied last */
};

struct wb_launch_machine {
  struct wb_arena arena; /* owns the arrays but flights */
  const struct wb_timed_code *code;
  const struct wb_launch_shape *shape;
  struct wb_stage_pair pair;              /* of the code */
  const struct wb_simulated_graph *graph; /* NULL: of one launch, which is all */
  const struct wb_simulation_options *options;
  struct wb_simulated_launch *launch;
  struct wb_time_wheel wheel;
  struct wb_random random;
  uint64_t salt; /* of draws by content */
  /* Decoded code. */
  uint32_t *group_of; /* by instruction: the group of those that take the same resources at issue */
  uint8_t
      *local_stages; /* by instruction: up to the last stage at a resource of a partition or SM */
  uint32_t *groups;  /* by group: set of resources */
  size_t group_count, group_words;
  uint32_t common; /* set of the resources that all instructions take at issue */
  struct wb_issue_place places[WB_RESOURCE_LIMIT];
  uint32_t station_base[WB_RESOURCE_LIMIT];
  uint8_t counted;   /* scoreboards whose releases are counted */
  bool shared_issue; /* partitions meet at issue */
  /* What runs. */
  struct wb_launch_member *members; /* by step; of steps that are no launches without blocks */
  uint32_t member_count;
  uint64_t block_count;                       /* of all launches */
  uint32_t stride;                            /* most warps of a block */
  struct wb_launch_step *steps;               /* of a graph */
  struct wb_request_stage *copies;            /* by step: what it asks of the memory */
  size_t steps_left;                          /* of the graph's own that have not ended */
  uint64_t engine_until[WB_TOGETHER_ENGINES]; /* it serves a copy */
  /* Size. */
  uint32_t sms, partitions, rooms; /* SMs that are used, partitions of one that have warps, blocks
                                      that one may hold */
  uint32_t partition_warps;        /* most of a partition */
  size_t words;                    /* of a set of a partition's warps */
  /* Who resides. */
  struct wb_launch_warp *warps;     /* by (SM, room, warp) */
  struct wb_resident_block *blocks; /* by (SM, room) */
  uint32_t *by_age;                 /* by SM: its rooms that hold blocks, the oldest first */
  uint32_t *residents;              /* by SM: how many */
  bool *changed;                    /* by SM: blocks came since its warps had their places */
  uint32_t *changed_sms;
  size_t changed_count;
  uint64_t *room; /* set of SMs with room */
  uint64_t free_rooms;
  uint64_t *room_left; /* of a graph: by SM and room of its mixes */
  uint32_t *held;      /* of a graph: by SM and kernel: its blocks */
  uint32_t next_room;  /* where the search for room goes on, or no room is before */
  uint64_t ended_blocks;
  uint64_t dispatcher; /* is free from then on */
  bool left;           /* a block left in this cycle, or a launch was released */
  /* Partitions. */
  struct wb_launch_partition *parts;
  uint32_t *warp_at;      /* by partition and place: its warps, the oldest first */
  uint64_t *ready;        /* by partition and group: set of ready warps by place */
  uint64_t *ready_groups; /* by partition: set of groups that have any */
  uint64_t *victims;      /* by partition: set of warps that are starved, by place */
  uint64_t *part_times;   /* by partition and place's offset: heaps of ends of services */
  uint64_t *sm_times;     /* by SM */
  size_t part_stride, sm_stride;
  uint64_t *active, *active_next; /* sets of partitions that may issue */
  size_t active_words;
  bool any_next;
  uint32_t *turn;       /* partitions that may issue, in turn */
  uint64_t *candidates; /* a set of warps by place */
  /* Requests. */
  struct wb_launch_flight *flights;
  size_t flight_capacity;
  uint32_t free_flight;
  size_t most_flights;
  struct wb_launch_station *stations;
  size_t station_count;
  uint32_t *touched; /* of convoys: by resource, from the number of its first station on */
  size_t touched_count;
  struct wb_launch_convoys convoys;
  /* Caches that begin empty. */
  bool cold;
  size_t *line_base; /* by line: its first cache, in: */
  struct wb_launch_line *lines;
  /* Result. */
  bool recording;
  bool failed;   /* out of memory */
  bool overflow; /* a sum does not fit */
  size_t event_capacity;
};

/* An evenly mixed number of what names it. */
static inline uint64_t wb_launch_mix(uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t z = a + UINT64_C(0x9e3779b97f4a7c15) * (b + 1);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z = (z ^ (z >> 31)) + UINT64_C(0xd1342543de82ef95) * (c + 1);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  return z ^ (z >> 31);
}

/* Whether the policy keeps some warps back. */
static inline bool wb_launch_has_victims(const struct wb_launch_machine *machine)
{
  return machine->options->policy == WB_LAUNCH_STARVING ||
         wb_launch_policy_lags(machine->options->policy);
}

/* Whether the policy keeps the warp of that age back. */
static inline bool wb_launch_is_victim(const struct wb_launch_machine *machine, uint64_t age)
{
  const uint64_t warps = machine->stride;
  const uint64_t seed = machine->options->seed;
  const uint64_t laggards = machine->options->laggards;
  if (wb_launch_policy_lags(machine->options->policy))
    return laggards != 0 ? (laggards >> age % warps % 64 & 1) != 0 : age % warps == seed % warps;
  return age % warps == seed % warps &&
         age / warps % machine->rooms == seed / warps % machine->rooms;
}

/* The end of the first free server of a resource that is taken at issue, a heap of all its servers.
 */
static inline uint64_t *wb_launch_servers(const struct wb_launch_machine *machine, size_t part,
                                          unsigned resource)
{
  const struct wb_issue_place *const place = &machine->places[resource];
  return place->shared
             ? &machine->sm_times[part / machine->partitions * machine->sm_stride + place->offset]
             : &machine->part_times[part * machine->part_stride + place->offset];
}

/* Numbers of the times of a step, for draws. */
enum wb_launch_draw {
  WB_DRAW_STALL,
  WB_DRAW_LATENCY,
  WB_DRAW_READ_LATENCY,
  WB_DRAW_START,
  WB_DRAW_DISPATCH,
  WB_DRAW_USE = 16,    /* + use */
  WB_DRAW_STAGE = 1024 /* + 2 * stage, + 1 for its service */
};

/* A time of a step of a warp: its most, or where the options say so drawn from `least` to that. */
uint32_t wb_launch_draw_shorter(const struct wb_launch_machine *machine, uint64_t age,
                                uint64_t step, uint32_t what, uint32_t most, uint32_t least);
static inline uint32_t wb_launch_draw(const struct wb_launch_machine *machine, uint64_t age,
                                      uint64_t step, uint32_t what, uint32_t most, uint32_t least)
{
  return machine->options->shorter == 0
             ? most
             : wb_launch_draw_shorter(machine, age, step, what, most, least);
}

/* Something that a launch has made ends at `time`. */
static inline void wb_launch_ends(struct wb_launch_machine *machine, uint32_t member, uint64_t time)
{
  if (time > machine->members[member].end)
    machine->members[member].end = time;
}

static inline void wb_launch_busy(struct wb_launch_machine *machine, uint8_t resource,
                                  uint64_t cycles)
{
  uint64_t *const busy = &machine->launch->busy[resource];
  *busy += cycles;
  machine->overflow |= *busy < cycles;
}

/* simulation_run.c: adds an event of the warp of that age in that partition. */
void wb_launch_record(struct wb_launch_machine *machine, const struct wb_launch_event *event,
                      uint64_t age, uint32_t partition);
/* The same: zeroed room, if the budget allows; else NULL, and the machine has failed. */
void *wb_launch_take(struct wb_launch_machine *machine, uint64_t *budget, uint64_t count,
                     size_t size);

/* ---- simulation_blocks.c ---- */

/* Blocks come and leave. */
void wb_launch_dispatch(struct wb_launch_machine *machine);
void wb_launch_try_leave(struct wb_launch_machine *machine, uint32_t resident);
void wb_launch_leave(struct wb_launch_machine *machine, uint32_t resident);

/* ---- simulation_steps.c: what comes after what, in a graph ---- */

enum wb_step_wake { WB_STEP_ASKED, WB_STEP_BEGINS, WB_STEP_OVER };

/* Makes steps and launches of the graph, or the one launch. False: out of memory, or of numbers. */
bool wb_launch_make_steps(struct wb_launch_machine *machine, uint64_t *budget);
/* Asks for the first steps. */
void wb_launch_begin_steps(struct wb_launch_machine *machine);
void wb_launch_step_wakes(struct wb_launch_machine *machine, uint32_t step, enum wb_step_wake what);
/* Whether all that the launch has made is over, or when that will be is known. */
void wb_launch_try_end(struct wb_launch_machine *machine, uint32_t member);

/* ---- simulation_warps.c ---- */

/* What the warp's own past and caches let go on, from now on. */
void wb_launch_ready(struct wb_launch_machine *machine, uint32_t warp);
/* Something that set the scoreboard for the warp of that age has released it, from `time` on. */
void wb_launch_release(struct wb_launch_machine *machine, uint32_t warp, uint64_t age,
                       uint8_t scoreboard, uint64_t time);
/* Something that the flight's warp has made ends at `time`. */
void wb_launch_will_end(struct wb_launch_machine *machine, const struct wb_launch_flight *flight,
                        uint64_t time);
/* It is known when all of an instruction of the warp of that age ends. */
void wb_launch_end_flight(struct wb_launch_machine *machine, uint32_t warp, uint64_t age);
/* The warps that the policy chooses issue in this cycle. */
void wb_launch_issue_all(struct wb_launch_machine *machine);

/* ---- simulation_requests.c: what instructions do after issue ---- */

void wb_launch_start_flight(struct wb_launch_machine *machine, uint32_t warp, uint32_t instruction);
void wb_launch_arrive(struct wb_launch_machine *machine, uint32_t flight);
void wb_launch_served(struct wb_launch_machine *machine, uint32_t flight, uint32_t count);
void wb_launch_flight_release(struct wb_launch_machine *machine, uint32_t flight,
                              uint8_t scoreboard);
void wb_launch_serve_all(struct wb_launch_machine *machine);
/* A flight of its own; WB_NOBODY where memory is out. */
uint32_t wb_launch_take_flight(struct wb_launch_machine *machine);
void wb_launch_begin_stage(struct wb_launch_machine *machine, uint32_t flight);
/* The copy of the step begins: where the memory is idle it holds all of it at once, and else not at
 * all, so that it holds nothing once it has ended. */
void wb_launch_start_copy(struct wb_launch_machine *machine, uint32_t step);

/* ---- simulation_convoys.c: policies by which all waits that may ---- */

/* False: the machine has failed. */
bool wb_launch_make_convoys(struct wb_launch_machine *machine, uint64_t *budget);
/* A station has become full, or is not full any more; partitions that waited may then issue. */
void wb_launch_fill(struct wb_launch_machine *machine, uint32_t station);
void wb_launch_empty(struct wb_launch_machine *machine, uint32_t station);
/* A warp of the partition issues, by such a policy. */
void wb_launch_count_issue(struct wb_launch_machine *machine, size_t part);
/* Whether the partition issues nothing now; if so it is woken when that may have changed. */
bool wb_launch_issue_waits(struct wb_launch_machine *machine, size_t part);
/* Whether the station starts no requests now: one of the same place or of a wider one is full. */
bool wb_launch_station_waits(const struct wb_launch_machine *machine, uint32_t station);

/* ---- simulation_fetches.c: what is not in caches when the launch begins ---- */

/* How many lines all caches have together; sets line_base, of so many as the code has lines. */
uint64_t wb_launch_lay_out_lines(struct wb_launch_machine *machine);
/* Whether the warp, whose own past lets it go on, finds all that its instruction needs in caches;
 * else the first that it lacks is fetched, and the warp comes back: it knows what constants an
 * instruction reads when that is there. */
bool wb_launch_finds_lines(struct wb_launch_machine *machine, uint32_t warp);
/* All stages of the fetch are over. */
void wb_launch_end_fetch(struct wb_launch_machine *machine, uint32_t flight);

#endif
