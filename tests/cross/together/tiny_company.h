/* Tiny launches of several kernels on the same SMs, for tests: straight code of a few instructions,
 * a graph of launches, copies and waits, and launches beside it. */
#ifndef TESTS_CROSS_TINY_COMPANY_H
#define TESTS_CROSS_TINY_COMPANY_H

#include "base/random.h"
#include "launch/together/together.h"

#include <stdbool.h>
#include <stdint.h>

#define COMPANY_KERNELS 3u
#define COMPANY_STEPS 6u
#define COMPANY_LENGTH 3u
#define COMPANY_WARPS 3u
#define COMPANY_RESIDENT 4u

enum company_level { COMPANY_NO_REQUEST, COMPANY_OF_SM, COMPANY_OF_GPU };

struct company_instruction {
  uint8_t hold;  /* cycles of its partition's slot */
  uint8_t stall; /* at least 1 */
  uint8_t level; /* enum company_level: of the request that it makes */
  uint8_t delay, service;
  bool awaited; /* the next instruction waits for the request */
  bool barrier;
};

struct company_kernel {
  struct company_instruction code[COMPANY_LENGTH];
  uint8_t length, warps, blocks, size;
};

struct company_step {
  uint8_t kind; /* enum wb_together_kind */
  uint8_t kernel;
  uint8_t gap, cycles, memory, engine;
  uint8_t after;         /* bit s: comes after step s */
  uint8_t frame, stream; /* of several frames: which one; 0: in no stream */
  bool beside;
  bool late; /* may be released after the graph; else at its begin, or before */
};

struct company {
  uint8_t sms, partitions, sm_servers, gpu_servers, room, dispatch;
  uint8_t kernel_count, step_count;
  bool leave_late; /* blocks leave when all that they made has ended */
  bool early;      /* steps beside that are not late may have begun before the graph */
  bool repeated;   /* launches beside of one kernel are asked about as one that may be under way so
                      many times */
  uint8_t frames;  /* the graph that begins again and again; 0, 1: once */
  uint8_t period;  /* a frame begins at least so many cycles after the one before */
  uint8_t of;      /* the frame that is asked about */
  struct company_kernel kernels[COMPANY_KERNELS];
  struct company_step steps[COMPANY_STEPS]; /* of frames one after the other, each with as many */
};

void company_draw(struct wb_random *random, struct company *company);

/* Two or three frames of one or two steps in streams, without launches beside them. The period is
 * not set. */
void company_draw_frames(struct wb_random *random, struct company *company);

/* The question that the theorem answers; points into itself. */
struct company_question {
  struct wb_launch_terms terms[COMPANY_KERNELS];
  struct wb_launch_shape shapes[COMPANY_KERNELS];
  struct wb_together_kernel kernels[COMPANY_KERNELS];
  struct wb_mixes mixes;
  uint32_t after[COMPANY_STEPS][COMPANY_STEPS];
  struct wb_together_step steps[COMPANY_STEPS];
  struct wb_together_question question;
};

/* Works out the letters of each kernel from its code, one instruction after the other. */
void company_ask(const struct company *company, struct company_question *question);

/* The bound on a frame that begins again each period, with what may be in flight, as the library
 * finds it. False: none. */
bool company_bound_frames(const struct company *company, uint64_t *cycles, uint32_t *in_flight);

/* A simulated run of the launches, by policy, dispatch and moments of releases that the seed draws:
 * its cycles, from the graph's begin to its end. Fails the test where the simulator does.
 * *convoy: by a policy with full queues, which the search of schedules has not. */
uint64_t company_run(const struct company *company, const struct company_question *question,
                     uint64_t seed, bool *convoy);

/* The most cycles from the graph's begin to its end, over every schedule, every order of blocks,
 * all moments of releases; of frames those of one, over all moments at which any begins. False:
 * more states than the limit. */
struct company_brute;
struct company_brute *company_brute_start(size_t state_limit);
bool company_brute_worst(struct company_brute *brute, const struct company *company,
                         uint32_t *cycles);
void company_brute_free(struct company_brute *brute);

#endif
