/* Project files: what holds for a launch, from where, and each failing allocation. Messages for
 * what is refused are golden cases (tests/errors/check). */
#include "failing_heap.h"
#include "formats/project/project_file.h"
#include "unit.h"

#include <string.h>

static const char levels[] = "device: orin-agx\n"
                             "block: 32\n"
                             "param: {n: 1, m: 2}\n"
                             "warm-l2: true\n"
                             "kernels:\n"
                             "  k: {block: [8, 8], param: [n=3, o=4], grid: 9}\n"
                             "  none:\n"
                             "launches:\n"
                             "- kernel: k\n"
                             "  param: {n: 5}\n"
                             "  grid: [1, 2]\n"
                             "- name: other\n"
                             "  warm_l2: false\n"
                             "  kernel: none\n";

static void read(const char *text, struct wb_project *project)
{
  warpbound_error error = {0};
  assert_int_equal(wb_project_read("p.yaml", text, strlen(text), project, &error), WARPBOUND_OK);
}

/* The texts of a key with blanks between. */
static void check(const struct wb_project_launch *launch, const char *key, const char *expected)
{
  char found[200] = "";
  const struct wb_project_value *value = wb_project_value_of(launch, key);
  for (size_t t = 0; value != NULL && t < value->count; t++) {
    strncat(found, value->texts[t], 40);
    strncat(found, " ", 2);
  }
  assert_string_equal(found, expected);
}

TEST(the_nearest_place_counts)
{
  struct wb_project project;
  read(levels, &project);
  assert_int_equal(project.launch_count, 2);
  const struct wb_project_launch *first = &project.launches[0];
  const struct wb_project_launch *second = &project.launches[1];
  assert_string_equal(first->name, "1");
  assert_int_equal(first->line, 9);
  assert_int_equal(first->column, 3);
  check(first, "device", "orin-agx ");
  check(first, "grid", "1,2 ");
  check(first, "block", "8,8 ");
  check(first, "param", "n=5 o=4 m=2 ");
  assert_int_equal(wb_project_value_of(first, "warm_l2")->count, 1);
  assert_int_equal(wb_project_value_of(first, "param")->line, 10);
  assert_string_equal(second->name, "other");
  check(second, "block", "32 ");
  check(second, "param", "n=1 m=2 ");
  check(second, "grid", "");
  assert_int_equal(wb_project_value_of(second, "warm_l2")->count, 0);
  wb_project_free(&project);
}

TEST(json_is_yaml)
{
  struct wb_project project;
  read("{\"format\": \"warpbound-launches-1\", \"launches\": [{\"name\": \"a\\u0041\", \"grid\": "
       "[4, 4], \"param\": {\"param_3\": 32}, \"assume_load\": \"x<=3\", "
       "\"assume_value\": [\"y<=3\", \"z=0..4\"]}]}",
       &project);
  assert_string_equal(project.launches[0].name, "aA");
  check(&project.launches[0], "grid", "4,4 ");
  check(&project.launches[0], "param", "param_3=32 ");
  check(&project.launches[0], "assume_load", "x<=3 ");
  check(&project.launches[0], "assume_value", "y<=3 z=0..4 ");
  wb_project_free(&project);
}

static warpbound_status read_all(const void *context, warpbound_error *error)
{
  const char *text = context;
  struct wb_project project;
  const warpbound_status status = wb_project_read("p", text, strlen(text), &project, error);
  if (status == WARPBOUND_OK)
    wb_project_free(&project);
  return status;
}

TEST(each_allocation_can_fail)
{
  assert_true(fail_each(read_all, levels, WARPBOUND_OK) > 20);
  assert_true(fail_each(read_all, "launches: [{a: 1}]", WARPBOUND_INVALID_INPUT) > 5);
}
