/* Plots and page of measured times when memory runs out: every allocation is made to fail in turn.
 * Left out: series of more than some hundred times, whose plots take no other path. */
#include "failing_heap.h"
#include "report/measured/measured_report.h"
#include "samples/made_measured.h"
#include "unit.h"

/* A plot of the first series, or the page where there is no such plot. */
static void write_part(const struct made_measured *made, int plot, struct wb_text *text)
{
  if (plot < WB_MEASURED_PLOTS)
    wb_measured_plot_svg(&made->measured, &made->results[0], (enum wb_measured_plot)plot, text);
  else
    wb_measured_page(&made->measured, text);
}

/* A writer that lacks memory says so, and leaves nothing. */
static void check_part(const struct made_measured *made, int plot)
{
  struct wb_text whole = {0};
  const size_t live = heap.live;
  heap.count = 0;
  write_part(made, plot, &whole);
  const size_t total = heap.count;
  assert_false(whole.failed);
  assert_true(total >= 4);
  assert_int_equal(heap.live, live + 1);
  for (size_t n = 1; n <= total; n++) {
    struct wb_text text = {0};
    heap.count = 0;
    heap.fail_at = n;
    write_part(made, plot, &text);
    heap.fail_at = 0;
    if (!text.failed)
      fail_msg("part %d: allocation %zu of %zu was done without", plot, n, total);
    wb_text_free(&text);
    if (heap.live != live + 1)
      fail_msg("part %d, allocation %zu of %zu: %zu blocks are left", plot, n, total,
               heap.live - live - 1);
  }
  wb_text_free(&whole);
}

TEST(writers_survive)
{
  struct made_measured made;
  made_measured_start(&made, 2, 300);
  for (int plot = 0; plot <= WB_MEASURED_PLOTS; plot++)
    check_part(&made, plot);
  made_measured_free(&made);
}
