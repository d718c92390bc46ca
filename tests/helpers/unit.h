/* The frame of a unit test: cmocka, tests that enter themselves into the program's group in the
 * order of their definitions, and assertions on statuses. The main function is in unit_main.c. */
#ifndef WB_TESTS_UNIT_H
#define WB_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <warpbound.h>

/* Enters a test into the group; setup and teardown may be NULL. */
void unit_test_enter(const char *name, CMUnitTestFunction test, CMFixtureFunction setup,
                     CMFixtureFunction teardown);

/* Runs the tests that have entered and match WARPBOUND_TEST; returns how many failed. */
int unit_run(void);

/* Calls release(what) when the running test ends, failed or not, the latest first; not for tests
 * with a teardown. */
void unit_at_end(void (*release)(void *), void *what);

/* Defines a test: TEST_BETWEEN(setup, teardown, name) { ... }. */
#define TEST_BETWEEN(setup, teardown, name)                                                        \
  static void name(void **state);                                                                  \
  __attribute__((constructor)) static void enter_##name(void)                                      \
  {                                                                                                \
    unit_test_enter(#name, name, setup, teardown);                                                 \
  }                                                                                                \
  static void name(void **state __attribute__((unused)))
#define TEST(name) TEST_BETWEEN(NULL, NULL, name)

/* Before a variable: release(&variable) is called where its block ends. */
#define FREED_BY(release) __attribute__((cleanup(release)))

/* Assertions on the status that a call returns. */
#define assert_ok(call) assert_int_equal(call, WARPBOUND_OK)
#define assert_misuse(call) assert_int_equal(call, WARPBOUND_USAGE)
#define assert_invalid(call) assert_int_equal(call, WARPBOUND_INVALID_INPUT)
#define assert_limit(call) assert_int_equal(call, WARPBOUND_LIMIT)

/* How much to do, as the caller of a test says it: the number in the environment, or `otherwise`
 * where there is none. A number of random instances (WARPBOUND_CROSS_RUNS) is WARPBOUND_TIMES as
 * large where that is set. */
uint64_t number_from_environment(const char *name, uint64_t otherwise);

/* The memory, which is not NULL. */
void *must(void *memory);

/* A callback that interrupts at once. */
bool interrupt_at_once(void *context);

/* How often the part stands in the text. */
size_t count_of(const char *text, const char *part);

/* The number of elements of an array. */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
