/* Plots and page of measured times when memory runs out: every allocation is made to fail in turn.
 * Left out: series of more than some hundred times, whose plots take no other path. */
#include "base/status.h"
#include "failing_heap.h"
#include "report/measured/measured_report.h"
#include "samples/made_measured.h"
#include "unit.h"

static struct made_measured made;

/* A plot of the first series, or the page where there is no such plot. */
static warpbound_status write_part(const void *context, warpbound_error *error)
{
  const int *plot = context;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  if (*plot < WB_MEASURED_PLOTS)
    wb_measured_plot_svg(&made.measured, &made.results[0], (enum wb_measured_plot) * plot, false,
                         &text);
  else
    wb_measured_page(&made.measured, &text);
  const bool failed = text.failed;
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* A writer that lacks memory says so, and leaves nothing. */
TEST(writers_survive)
{
  made_measured_start(&made, 2, 300);
  for (int plot = 0; plot <= WB_MEASURED_PLOTS; plot++) {
    print_message("# part %d\n", plot);
    assert_true(fail_each(write_part, &plot, WARPBOUND_OK) >= 4);
  }
  made_measured_free(&made);
}
