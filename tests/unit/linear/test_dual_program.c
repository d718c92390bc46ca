/* Linear programs that grow by rows: answers worked out by hand. */
#include "linear/relaxation.h"
#include "unit.h"

#include <math.h>

static void assert_close(double found, double expected)
{
  if (fabs(found - expected) > 1e-6)
    fail_msg("found %.9f, expected %.9f", found, expected);
}

/* Least x + y with x, y in 0 .. 10 (the upper limit of y is none), solved again as rows and
 * other limits come. */
TEST(answers_follow_rows_and_limits)
{
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_dual_program_free) struct wb_dual_program program;
  enum wb_stop stop = WB_STOP_NONE;
  double least;
  assert_true(wb_dual_program_make(&program, 2, (double[]){0, 0}, (double[]){10, INFINITY},
                                   (double[]){1, 1}));
  assert_true(wb_dual_program_solve(&program, &control, &least, &stop));
  assert_close(least, 0);

  /* x + 2 y >= 4, 3 x + y >= 6 */
  struct wb_dual_rows two = {2, (int[]){0, 2, 4}, (int[]){0, 1, 0, 1}, (double[]){1, 2, 3, 1},
                             (double[]){4, 6}};
  assert_true(wb_dual_program_add(&program, &two));
  assert_true(wb_dual_program_solve(&program, &control, &least, &stop));
  assert_close(least, 2.8);
  assert_close(program.value[0], 1.6);
  assert_close(program.value[1], 1.2);

  struct wb_dual_rows one = {1, (int[]){0, 1}, (int[]){1}, (double[]){1},
                             (double[]){3}}; /* y >= 3 */
  assert_true(wb_dual_program_add(&program, &one));
  assert_true(wb_dual_program_solve(&program, &control, &least, &stop));
  assert_close(least, 4);
  assert_close(program.value[0], 1);

  assert_true(wb_dual_program_limit(&program, (double[]){2, -1}, (double[]){2, INFINITY}));
  assert_true(wb_dual_program_solve(&program, &control, &least, &stop));
  assert_close(least, 5);
  assert_close(program.value[0], 2);
  assert_close(program.value[1], 3);
}

/* x <= 10 and x >= 11: no answer, and no reason to have ended early. */
TEST(says_where_there_is_no_answer)
{
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_dual_program_free) struct wb_dual_program program;
  enum wb_stop stop = WB_STOP_NONE;
  double least;
  struct wb_dual_rows row = {1, (int[]){0, 1}, (int[]){0}, (double[]){1}, (double[]){11}};
  assert_true(wb_dual_program_make(&program, 1, (double[]){0}, (double[]){10}, (double[]){1}));
  assert_true(wb_dual_program_add(&program, &row));
  assert_false(wb_dual_program_solve(&program, &control, &least, &stop));
  assert_int_equal(stop, WB_STOP_NONE);
}

/* Beyond the work allowed there is no answer; what it takes is counted. */
TEST(ends_with_the_work_allowed)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_dual_rows row = {1, (int[]){0, 2}, (int[]){0, 1}, (double[]){1, 2}, (double[]){4}};
  uint64_t work = 0;
  for (int limited = 0; limited < 2; limited++) {
    FREED_BY(wb_dual_program_free) struct wb_dual_program program;
    enum wb_stop stop = WB_STOP_NONE;
    double least;
    assert_true(
        wb_dual_program_make(&program, 2, (double[]){0, 0}, (double[]){10, 10}, (double[]){1, 1}));
    assert_true(wb_dual_program_add(&program, &row));
    if (limited)
      program.allowed = 1;
    assert_int_equal(wb_dual_program_solve(&program, &control, &least, &stop), !limited);
    assert_int_equal(stop, limited ? WB_STOP_MEMORY : WB_STOP_NONE);
    work = limited ? work : program.spent;
  }
  assert_true(work > 1);
}
