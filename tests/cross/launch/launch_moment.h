/* A moment of a tiny launch, for launch_brute.c: warps, instructions under way, what cycles do to
 * them, blocks that leave, and the key of it all. */
#ifndef TESTS_CROSS_LAUNCH_MOMENT_H
#define TESTS_CROSS_LAUNCH_MOMENT_H

#include "tiny_launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SM_LIMIT 4u
#define WARP_LIMIT 24u   /* resident ones */
#define UNDER_WAY 6u     /* instructions of a warp that have issued and not ended */
#define REQUEST_LIMIT 4u /* of a stage */
#define LEFT_LIMIT 12u   /* instructions of blocks that have left */
#define ITEM_LIMIT 48u   /* that may go on in a cycle */
#define WAITING 255u     /* a request that has no server yet; a time that has not begun */
#define FREE 255u        /* a place without a warp */
#define ARRIVING 254u    /* a request that comes to kept data */
#define MISSED 253u      /* one that waits for a fetch of them */
#define BEFORE 252u
#define DELAYED 128u
#define LINE_FETCHES 8u /* of a line: four sectors, and what it drives out */
#define FETCH_LIMIT (LINE_FETCHES * TINY_LINES)

#define COLD_LINES (TINY_CODE_LINES + TINY_CONSTANT_LINES)
#define CODE_NEAR_SLOTS 48u /* of lines, by cache or by warp, where of code and of constants */
#define FIRST_SMS 2u        /* of a launch with first caches */
#define CODE_FETCHES (2 * CODE_NEAR_SLOTS + 1 + TINY_DATA_PAGES + FIRST_SMS * TINY_FIRST_SECTORS)
#define CODE_SLOTS (2 * CODE_FETCHES) /* a fetch makes up to two requests */

/* An instruction that has issued. Times are cycles left. */
struct under_way {
  uint8_t instruction;
  uint8_t held; /* cycles since issue, counted as long as it holds what it took at issue */
  uint8_t stage;
  uint8_t delay;                  /* ARRIVING: it waits for translations */
  uint8_t request[REQUEST_LIMIT]; /* 0: served */
  uint8_t behind[REQUEST_LIMIT];  /* the same at the stage behind, where each request goes on to its
                                     own there (moment_goes_on); BEFORE: it is not there yet, from
                                     DELAYED on: so many cycles more of the delay */
  uint8_t latency;                /* WAITING until the last stage has ended */
  uint8_t read; /* WAITING until its stage has ended; 0 without a scoreboard for it */
};

struct warp {
  uint8_t path; /* FREE: no warp */
  uint8_t position;
  uint8_t stall;
  uint8_t at_barrier;
  uint8_t partition;
  uint8_t count;
  struct under_way under_way[UNDER_WAY];
};

/* A sector of kept data, or one that is written back: both times are WAITING before it is asked
 * for, and 0 when it is there, or written. */
struct fetch {
  uint8_t delay;
  uint8_t service; /* WAITING until it has a server */
};

/* A moment of a launch. Warps stand by SM, place of a block, and number; those that the launch does
 * not have are not set (moment_copy). */
struct moment {
  uint8_t waiting;     /* blocks that have not started */
  uint8_t dispatching; /* cycles that the dispatcher still needs; 0: it is free */
  uint8_t dispatch_sm; /* for which SM */
  uint8_t left_count;
  uint16_t credit; /* cycles of a server that others may still hold it, in TINY_SHARE millionths */
  struct under_way left[LEFT_LIMIT];
  struct fetch fetches[FETCH_LIMIT];
  uint8_t found[FIRST_SMS * TINY_FIRST_SECTORS];  /* sectors of first caches: bits of the places of
                                                     blocks that have found them */
  uint16_t begun[FIRST_SMS * TINY_FIRST_SECTORS]; /* by sector, four bits for each place: blocks
                                                     that have begun since its block had it last */
  struct warp warps[WARP_LIMIT];
  struct fetch code[CODE_SLOTS]; /* lines (launch_code.c); ARRIVING: waits for another. Not set
                                    where the launch has no such fetches */
};

struct entry {
  uint64_t key;
  uint32_t value;
};

struct launch_brute {
  const struct tiny_launch *launch;
  uint32_t sms, places, block_warps, partitions, warp_count;
  uint32_t barriers[TINY_PATHS]; /* by path: those of the block */
  uint32_t kinds[TINY_PATHS];    /* by path: below a 1 a bit for each barrier, 1 of a group's */
  uint32_t longest_hold[64];     /* by instruction: of what it takes at issue */
  uint32_t credit;               /* of others, that a cycle adds */
  uint8_t fetch_service;         /* of a fetch of kept data */
  uint8_t front, memory;         /* resources of the GPU with places, the second one with queues
                                    that are never full; WB_RESOURCE_LIMIT: there are none */
  uint32_t fetch_slots;          /* FETCH_LIMIT; 0: nothing is kept */
  uint32_t code_slots;           /* of lines and pages, that the launch uses; 0: all is there */
  uint8_t code_slot[CODE_SLOTS]; /* their numbers */
  bool failed;
  size_t steps;
  uintptr_t stack; /* where it begins */
  size_t state_limit, state_count;
  size_t table_size; /* a power of two, at least twice the limit */
  struct entry *table;
  size_t *used;
};

/* Servers of each resource that serve, by the place where the resource is. */
struct load {
  uint8_t busy[WB_RESOURCE_LIMIT][SM_LIMIT * 4];
  uint8_t kept[WB_RESOURCE_LIMIT][SM_LIMIT * 4]; /* of these: serve nobody */
};

/* Only the warps that the launch has. */
void moment_copy(const struct launch_brute *brute, const struct moment *from, struct moment *to);
const struct wb_timed_instruction *moment_instruction(const struct launch_brute *brute,
                                                      uint8_t instruction);
const struct wb_request_stage *moment_stage(const struct launch_brute *brute,
                                            const struct under_way *one);
/* The stage before, where its server is kept for this one, which waits; or NULL. */
const struct wb_request_stage *moment_kept(const struct launch_brute *brute,
                                           const struct under_way *one);
/* Whether each request of its stage goes on by itself to its own of the stage behind, which has as
 * many, at the second of the two resources of the GPU that have places. */
bool moment_goes_on(const struct launch_brute *brute, const struct under_way *one);
/* Whether no stage of its request is left. */
bool moment_stages_over(const struct launch_brute *brute, const struct under_way *one);
/* Whether a warp's own past lets its next instruction issue. */
bool moment_is_ready(const struct launch_brute *brute, const struct warp *warp);
uint32_t moment_place(const struct launch_brute *brute, uint8_t resource, uint32_t sm,
                      uint32_t partition);
/* Whether all servers of the resource serve, where a warp of that partition needs them. */
bool moment_is_full(const struct launch_brute *brute, const struct load *load, uint8_t resource,
                    uint32_t sm, uint32_t partition);
void moment_add_load(const struct launch_brute *brute, const struct under_way *one, uint32_t sm,
                     uint32_t partition, struct load *load);
uint32_t moment_sm(const struct launch_brute *brute, uint32_t warp);
/* An instruction that issues now. */
struct under_way moment_issue(const struct launch_brute *brute, uint8_t instruction);
/* Less cycles left; WAITING stays. */
void moment_lower(uint8_t *time, uint32_t cycles);
/* Until something ends; UINT32_MAX: nothing is under way. */
uint32_t moment_cycles_to_event(const struct launch_brute *brute, const struct moment *state);
/* Cycles pass; returns how many of the instructions have not ended. */
uint8_t moment_advance(const struct launch_brute *brute, struct under_way *all, uint8_t count,
                       uint32_t cycles);
struct warp *moment_block(const struct launch_brute *brute, struct moment *state, uint32_t sm,
                          uint32_t place);
/* Lets the block go on where all its warps are at the barrier. */
void moment_release_barrier(const struct launch_brute *brute, struct warp *block);
/* Whether the block may leave its SM; leave: it does. */
bool moment_can_leave(const struct launch_brute *brute, const struct warp *block);
void moment_leave(struct launch_brute *brute, struct moment *state, struct warp *block);
/* Whether a fetch, or a write-back, waits for a server. */
bool moment_fetch_waits(const struct fetch *fetch);
/* All sectors as the launch begins with them. */
void moment_start_fetches(const struct launch_brute *brute, struct moment *state);
/* Whether a sector of kept data is there; asks for it if it is not. */
bool moment_sector_there(const struct launch_brute *brute, struct moment *state, uint32_t buffer,
                         uint8_t delay, uint32_t sector);
/* Requests come to kept data, and those that waited for a fetch go on. */
void moment_settle_fetches(const struct launch_brute *brute, struct moment *state);
/* The same of one instruction. */
void moment_settle_one(const struct launch_brute *brute, struct moment *state,
                       struct under_way *one);
/* Cycles pass. */
void moment_advance_fetches(const struct launch_brute *brute, struct moment *state,
                            uint32_t cycles);
/* The key of a state, the same for states that differ in names only; not 0. */
uint64_t moment_key(const struct launch_brute *brute, const struct moment *state);

/* The entry of a key in the table of what is known, or the free one where it belongs; keep: its
 * value, or a failure where the table is full. */
struct entry *moment_entry(struct launch_brute *brute, uint64_t key);
void moment_keep(struct launch_brute *brute, uint64_t key, uint32_t value);

#endif
