/* Loops that compare and swap until they succeed: what writes of the launch bound them to
 * (retry_loops.txt, which says how a row is read). */
#include "bounded_listing.h"
#include "flow/retries/retry_loops.h"
#include "rows.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN UINT64_MAX

static const struct wb_parameter_value parameters[] = {{NULL, 0, 100}, {NULL, 4, 7}, {NULL, 8, 0}};
static const struct wb_launch launch = {{4, 1, 1}, {3, 1, 1}, parameters, 3, NULL, 0};
static const struct wb_launch of_any_grid = {{4, 1, 1}, {0, 0, 0}, parameters, 3, NULL, 0};

enum { MOST_LOOPS = 8 };

/* The bounds of a program's loops, those that the code shows alone and those of retries. */
static size_t find_bounds(unsigned sm, const char *lines, const struct wb_launch *known,
                          uint64_t bounds[MOST_LOOPS])
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  struct wb_retry_bound retries[MOST_LOOPS];
  struct wb_retry_sum sum;
  listing_of(sm, lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], known, &bounded));
  const size_t count = bounded.forest.loop_count;
  assert_true(count <= MOST_LOOPS);
  for (size_t l = 0; l < count; l++)
    bounds[l] = bounded.found[l].found ? bounded.found[l].bound : UNKNOWN;
  assert_int_equal(
      wb_retry_bounds_find(bounded.graph, &bounded.forest, known, bounds, retries, &sum, NULL),
      WARPBOUND_OK);
  for (size_t l = 0; l < count; l++) {
    if (retries[l].found && retries[l].bound < bounds[l])
      bounds[l] = retries[l].bound;
  }
  return count;
}

static bool has_bounds(char *const *words, size_t count, char *lines)
{
  uint64_t bounds[MOST_LOOPS];
  const size_t loops =
      find_bounds((unsigned)strtoul(words[0] + strlen("sm_"), NULL, 10), lines, &launch, bounds);
  bool holds = count == loops + 1;
  for (size_t l = 0; l < loops && holds; l++) {
    const uint64_t bound =
        strcmp(words[l + 1], "?") == 0 ? UNKNOWN : strtoull(words[l + 1], NULL, 10);
    holds = bounds[l] == bound;
  }
  return holds;
}

TEST(rows)
{
  rows_check("unit/flow/retry_loops.txt", 69, has_bounds);
}

/* Without the grid the writes of the launch are not known, those of a block are. */
TEST(any_grid)
{
  uint64_t bounds[MOST_LOOPS];
  static const char global[] = "again:; ATOMG.E.CAS.STRONG.GPU PT, R5, [R2.64], R4, R8; "
                               "ISETP.NE.U32.AND P0, PT, R5, R4, PT; MOV R4, R5; @P0 BRA again";
  static const char shared[] = "again:; ATOMS.CAS R5, [R2], R4, R8; "
                               "ISETP.NE.U32.AND P0, PT, R5, R4, PT; MOV R4, R5; @P0 BRA again";
  find_bounds(87, global, &of_any_grid, bounds);
  assert_true(bounds[0] == UNKNOWN);
  find_bounds(87, shared, &of_any_grid, bounds);
  assert_int_equal(bounds[0], 5);
  find_bounds(90, shared, &of_any_grid, bounds);
  assert_true(bounds[0] == UNKNOWN);
}
