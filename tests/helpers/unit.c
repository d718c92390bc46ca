#include "unit.h"

static struct CMUnitTest tests[128];
static size_t test_count;

/* What the running test leaves to its end. */
static struct {
  void (*release)(void *);
  void *what;
} owned[256];
static size_t owned_count;

void unit_at_end(void (*release)(void *), void *what)
{
  assert_true(owned_count < COUNT_OF(owned));
  owned[owned_count].release = release;
  owned[owned_count++].what = what;
}

static int release_owned(void **state)
{
  (void)state;
  for (; owned_count > 0; owned_count--)
    owned[owned_count - 1].release(owned[owned_count - 1].what);
  return 0;
}

void unit_test_enter(const char *name, CMUnitTestFunction test, CMFixtureFunction setup,
                     CMFixtureFunction teardown)
{
  if (test_count == COUNT_OF(tests)) {
    print_error("%s: more than %zu tests in a program\n", name, COUNT_OF(tests));
    exit(1);
  }
  tests[test_count++] =
      (struct CMUnitTest){name, test, setup, teardown != NULL ? teardown : release_owned, NULL};
}

uint64_t number_from_environment(const char *name, uint64_t otherwise)
{
  const char *text = getenv(name);
  const char *times = strcmp(name, "WARPBOUND_CROSS_RUNS") == 0 ? getenv("WARPBOUND_TIMES") : NULL;
  const uint64_t number = text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
  return times != NULL && *times != '\0' ? number * strtoull(times, NULL, 10) : number;
}

void *must(void *memory)
{
  if (memory == NULL)
    abort();
  return memory;
}

bool interrupt_at_once(void *context)
{
  (void)context;
  return true;
}

size_t count_of(const char *text, const char *part)
{
  size_t count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
    count++;
  return count;
}

int unit_run(void)
{
  const char *pattern = getenv("WARPBOUND_TEST");
  if (pattern != NULL && *pattern != '\0')
    cmocka_set_test_filter(pattern);
  return _cmocka_run_group_tests("tests", tests, test_count, NULL, NULL);
}
