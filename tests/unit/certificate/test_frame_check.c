/* The checker of claims about frames: a claim is refused when one of its numbers changes for the
 * worse. */
#include "certificate/frame/frame_claim.h"
#include "formats/frame/frame_file.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static json_t *read_claim(void)
{
  char path[4096];
  const char *source = getenv("WARPBOUND_SOURCE");
  assert_non_null(source);
  snprintf(path, sizeof path, "%s/fuzz/seeds/frame.json", source);
  json_t *claim = json_load_file(path, 0, NULL);
  assert_non_null(claim);
  return claim;
}

/* Whether the checker accepts it. */
static bool is_accepted(const json_t *claim)
{
  struct wb_frame_file file;
  warpbound_error error = {0};
  char *const text = json_dumps(claim, 0);
  assert_non_null(text);
  warpbound_status status =
      wb_json_parse_as("claim", text, strlen(text), wb_frame_file_read, &file, &error);
  free(text);
  if (status == WARPBOUND_OK) {
    struct wb_check_frame_verdict verdict = {0};
    status = wb_check_frame(&file.claim, &verdict, &error);
    wb_frame_file_free(&file);
  }
  if (status != WARPBOUND_OK && status != WARPBOUND_CHECK_FAILED)
    fail_msg("%s", error.message);
  return status == WARPBOUND_OK;
}

/* What changes of the number that the path names, and by how much. */
struct change {
  const char *path; /* members and places, "steps/0/gap" */
  json_int_t more;
};

/* The object or list that has the last member of the path; *member: that. */
static json_t *find(json_t *claim, const char *path, const char **member)
{
  json_t *at = claim;
  char name[64];
  for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(path, '/')) {
    snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
    at = json_is_array(at) ? json_array_get(at, (size_t)atoi(name)) : json_object_get(at, name);
    path = slash + 1;
  }
  *member = path;
  assert_non_null(at);
  return at;
}

/* Numbers that are left out are 0. */
static void change_number(json_t *claim, const struct change *change)
{
  const char *member;
  json_t *at = find(claim, change->path, &member);
  if (json_is_array(at)) {
    const size_t place = (size_t)atoi(member);
    json_array_set_new(at, place,
                       json_integer(json_integer_value(json_array_get(at, place)) + change->more));
  } else {
    json_object_set_new(
        at, member, json_integer(json_integer_value(json_object_get(at, member)) + change->more));
  }
}

TEST(numbers_that_get_worse_are_refused)
{
  static const struct change changes[] = {
      {"cycles", -1},
      {"period", -1200000},
      {"steps/0/cycles", 1},
      {"steps/0/memory", 1},
      {"steps/0/gap", 1},
      {"steps/1/gap", 1},
      {"steps/2/gap", 300000}, /* it has slack */
      {"steps/3/cycles", 1},
      {"steps/3/gap", 1},
      {"steps/4/response", -1},
      {"steps/4/period", -1200000},
      {"launches/0/launch/blocks", 1},
      {"launches/0/launch/block_warps", 1},
      {"launches/0/launch/overhead", 1},
      {"launches/0/launch/block_start", 1},
      {"launches/0/launch/dispatch", 1},
      {"launches/0/instructions/0/stall", 1},
      {"launches/0/instructions/0/uses/1/1", 1},
      {"launches/0/maxima/0/scale", 1},
      {"launches/0/maxima/2/scale", 1},
      {"launches/0/maxima/4/scale", 1},
      {"launches/0/maxima/7/scale", 1},
      {"launches/1/launch/blocks", 1},
      {"launches/1/launch/block_warps", 1},
      {"launches/1/launch/overhead", 1},
      {"launches/1/launch/block_start", 1},
      {"launches/1/launch/dispatch", 1},
      {"launches/1/instructions/0/stall", 1},
  };
  json_t *whole = read_claim();
  assert_true(is_accepted(whole));
  for (size_t c = 0; c < COUNT_OF(changes); c++) {
    json_t *claim = json_deep_copy(whole);
    assert_non_null(claim);
    change_number(claim, &changes[c]);
    if (is_accepted(claim))
      fail_msg("%s changed by %" JSON_INTEGER_FORMAT " is accepted", changes[c].path,
               changes[c].more);
    json_decref(claim);
  }
  json_decref(whole);
}

/* No kernel of the claim reads textures; both compute with integers. */
TEST(servers_of_what_a_kernel_does_not_use_do_not_matter)
{
  static const struct change unused = {"launches/0/resources/13/servers", 1};
  static const struct change used = {"launches/0/resources/2/servers", 1};
  json_t *claim = read_claim();
  change_number(claim, &unused);
  assert_true(is_accepted(claim));
  change_number(claim, &used);
  assert_false(is_accepted(claim));
  json_decref(claim);
}
