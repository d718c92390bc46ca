#include "unit.h"

static struct CMUnitTest tests[128];
static size_t test_count;

void unit_test_enter(const char *name, CMUnitTestFunction test, CMFixtureFunction setup,
                     CMFixtureFunction teardown)
{
  if (test_count == COUNT_OF(tests)) {
    print_error("%s: more than %zu tests in a program\n", name, COUNT_OF(tests));
    exit(1);
  }
  tests[test_count++] = (struct CMUnitTest){name, test, setup, teardown, NULL};
}

int main(void)
{
  return _cmocka_run_group_tests("tests", tests, test_count, NULL, NULL);
}
