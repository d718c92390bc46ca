/* Caches that are empty when a tiny launch begins, for launch_brute.c: a line of code or constants
 * comes into a partition's cache from its SM's, into that from beyond it, and for that its page is
 * translated; accesses wait for translations of the pages of their data; loads for sectors that
 * come into the first cache of their SM. */
#ifndef TESTS_CROSS_LAUNCH_CODE_H
#define TESTS_CROSS_LAUNCH_CODE_H

#include "launch_moment.h"

/* Whether the launch has caches of lines. */
bool code_is_cold(const struct launch_brute *brute);
/* Whether the stage at which the request is waits for translations first. */
bool code_translates(const struct launch_brute *brute, const struct under_way *one);
/* Whether the stage at which the load is begins when its data are in the first cache of its SM; or
 * one that comes later, or that waits for them. */
bool code_loads(const struct launch_brute *brute, const struct under_way *one);
bool code_loads_later(const struct launch_brute *brute, const struct under_way *one);
/* Asks for the translations, or sectors, that a request of the warp waits for; it goes on if they
 * are there. */
void code_settle_access(const struct launch_brute *brute, struct moment *state, uint32_t warp,
                        struct under_way *one);
/* A block begins on the SM. */
void code_begin(const struct launch_brute *brute, struct moment *state, uint32_t sm);
/* The block of which this is the first warp leaves its SM. */
void code_leave(const struct launch_brute *brute, struct moment *state, uint32_t warp);
/* What the block at the place of the SM has found in its first cache. */
uint64_t code_key_of_place(const struct launch_brute *brute, const struct moment *state,
                           uint32_t sm, uint32_t place);
/* Whether the next instruction of a warp, which its own past lets issue, is there. */
bool code_is_there(const struct launch_brute *brute, const struct moment *state, uint32_t warp);
/* The next instruction of a warp issues. */
void code_issue(const struct launch_brute *brute, struct moment *state, uint32_t warp);
/* Warps for which ready[] is true want their instructions and operands; fetches and requests whose
 * lines and translations are there go on. */
void code_settle(const struct launch_brute *brute, struct moment *state, const bool *ready);
/* Which fetches the launch may make. */
void code_find_slots(struct launch_brute *brute);
/* No line is there, but sectors that first caches have. */
void code_start(const struct launch_brute *brute, struct moment *state);
/* Whether a fetch waits for a server, and of which resource, where. */
bool code_waits(const struct moment *state, uint32_t slot);
uint8_t code_resource(const struct launch_brute *brute, uint32_t slot);
uint32_t code_sm(const struct launch_brute *brute, uint32_t slot);
/* The fetch has a server now. */
void code_serve(const struct launch_brute *brute, struct moment *state, uint32_t slot);
/* Adds what serves fetches. */
void code_add_load(const struct launch_brute *brute, const struct moment *state, struct load *load);
/* What of it the state of a partition, an SM, a warp and the GPU has, for keys. */
uint64_t code_key_of_partition(const struct launch_brute *brute, const struct moment *state,
                               uint32_t sm, uint32_t partition);
uint64_t code_key_of_sm(const struct launch_brute *brute, const struct moment *state, uint32_t sm);
uint64_t code_key_of_warp(const struct launch_brute *brute, const struct moment *state,
                          uint32_t warp);
uint64_t code_key_of_gpu(const struct launch_brute *brute, const struct moment *state);

#endif
