/* Measured times and the WCET from them through the public header alone; used well and misused. */
#include "failing_heap.h"
#include "handles.h"

static const char sass[] = "\tcode for sm_52\n\t\tFunction : k\n"
                           "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                           "        /*0008*/                    S2R R0, SR_TID.X ;\n"
                           "        /*0010*/                    EXIT ;\n"
                           "\t\tFunction : l\n"
                           "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                           "        /*0008*/                    EXIT ;\n";

static const char text[] = "kernel,from,to,cycles\nk,0x8,end,40\nk,start,end,50\nk,start,end,30\n";

struct asked {
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_times *times;
};

static void begin(struct asked *asked, const char *times, const char *kernel)
{
  const warpbound_input input = {"times", times, strlen(times)};
  asked->module = module_of(sass);
  asked->kernel = kernel_of(asked->module, kernel);
  assert_made(asked->times, warpbound_times_create(&input, &asked->times, NULL));
}

TEST(a_result_and_what_stands_beside_it)
{
  struct asked asked;
  warpbound_hybrid *hybrid;
  char *written;
  begin(&asked, text, "k");
  assert_int_equal(warpbound_times_row_count(asked.times), 3);
  assert_true(warpbound_times_name_kernels(asked.times));
  assert_int_equal(warpbound_times_rows_of(asked.times, asked.module, 0), 3);
  assert_int_equal(warpbound_times_rows_of(asked.times, asked.module, 1), 0);
  assert_int_equal(warpbound_times_rows_of(asked.times, asked.module, 2), 0);
  const warpbound_hybrid_options options = {.times = asked.times};
  assert_made(hybrid, warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, NULL));
  assert_int_equal(warpbound_hybrid_bound(hybrid).cycles, 40);
  assert_int_equal(warpbound_hybrid_bound(hybrid).kind, WARPBOUND_ESTIMATE);
  assert_int_equal(warpbound_hybrid_static(hybrid).cycles, 2);
  assert_int_equal(warpbound_hybrid_static(hybrid).kind, WARPBOUND_UPPER);
  const warpbound_high_water mark = warpbound_hybrid_high_water(hybrid);
  assert_int_equal(mark.cycles, 50);
  assert_int_equal(mark.runs, 2);
  assert_true(mark.mean == 40 && mark.above);
  assert_int_equal(warpbound_hybrid_gap_count(hybrid), 0);
  assert_int_equal(warpbound_hybrid_unmeasured_cycles(hybrid), 0);
  assert_true(warpbound_hybrid_assumption_count(hybrid) > 1);
  assert_string_not_equal(warpbound_hybrid_assumption(hybrid, 0), "");
  assert_string_equal(warpbound_hybrid_assumption(hybrid, 1000), "");
  expect_text(warpbound_hybrid_json(hybrid, &written, NULL), &written, "\"high_water_mark\"");
  expect_text(warpbound_hybrid_text(hybrid, &written, NULL), &written, "k: 40 cycles, estimate");
}

TEST(code_that_is_not_measured)
{
  struct asked asked;
  warpbound_hybrid *hybrid;
  warpbound_error error = {0};
  char *written;
  begin(&asked, "from,to,cycles\nstart,0x10,40\n", "k");
  assert_false(warpbound_times_name_kernels(asked.times));
  warpbound_hybrid_options options = {.times = asked.times};
  assert_int_equal(warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_non_null(hybrid);
  own(hybrid);
  assert_int_equal(warpbound_hybrid_gap_count(hybrid), 1);
  const warpbound_gap gap = warpbound_hybrid_gap(hybrid, 0);
  assert_true(gap.segment && gap.to_end && !gap.from_start);
  assert_int_equal(gap.first, 0x10);
  assert_int_equal(warpbound_hybrid_gap(hybrid, 1).first, 0);
  assert_true(warpbound_hybrid_bound(hybrid).cycles == UINT64_MAX);
  assert_true(warpbound_hybrid_static(hybrid).cycles == UINT64_MAX);
  assert_int_equal(warpbound_hybrid_high_water(hybrid).runs, 0);
  assert_int_equal(warpbound_hybrid_json(hybrid, &written, NULL), WARPBOUND_FACTS_MISSING);
  assert_null(written);
  assert_int_equal(warpbound_hybrid_text(hybrid, &written, NULL), WARPBOUND_FACTS_MISSING);
  options.unmeasured = WARPBOUND_UNMEASURED_CYCLES;
  options.unmeasured_cycles = 7;
  assert_made(hybrid, warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, &error));
  assert_int_equal(warpbound_hybrid_bound(hybrid).cycles, 47);
  assert_int_equal(warpbound_hybrid_unmeasured_cycles(hybrid), 7);
  options.unmeasured = WARPBOUND_UNMEASURED_STATIC;
  assert_made(hybrid, warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, &error));
  assert_int_equal(warpbound_hybrid_bound(hybrid).cycles, 41);
}

TEST(misuse)
{
  struct asked asked;
  warpbound_hybrid *hybrid;
  warpbound_times *times;
  const warpbound_input none = {"times", NULL, 0};
  begin(&asked, text, "l");
  warpbound_hybrid_options options = {.times = asked.times};
  assert_misuse(warpbound_times_create(NULL, &times, NULL));
  assert_null(times);
  assert_misuse(warpbound_times_create(&none, &times, NULL));
  assert_misuse(warpbound_times_create(&none, NULL, NULL));
  assert_misuse(warpbound_hybrid_analyse(NULL, &options, NULL, &hybrid, NULL));
  assert_misuse(warpbound_hybrid_analyse(asked.kernel, NULL, NULL, &hybrid, NULL));
  assert_misuse(warpbound_hybrid_analyse(asked.kernel, &options, NULL, NULL, NULL));
  /* Times of another kernel. */
  assert_int_equal(warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, NULL),
                   WARPBOUND_FACTS_MISSING);
  own(hybrid);
  options.unmeasured_cycles = 1000000001;
  assert_misuse(warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, NULL));
  assert_null(hybrid);
  options = (warpbound_hybrid_options){.times = asked.times, .unmeasured = (warpbound_unmeasured)9};
  assert_misuse(warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, NULL));
  options = (warpbound_hybrid_options){0};
  assert_misuse(warpbound_hybrid_analyse(asked.kernel, &options, NULL, &hybrid, NULL));
  warpbound_hybrid_free(NULL);
  warpbound_times_free(NULL);
  assert_int_equal(warpbound_times_row_count(NULL), 0);
  assert_int_equal(warpbound_times_rows_of(NULL, asked.module, 0), 0);
  assert_int_equal(warpbound_hybrid_bound(NULL).cycles, 0);
  assert_int_equal(warpbound_hybrid_static(NULL).cycles, 0);
  assert_int_equal(warpbound_hybrid_gap_count(NULL), 0);
  assert_int_equal(warpbound_hybrid_assumption_count(NULL), 0);
}

/* ---- when memory runs out ----
 *
 * Every allocation is made to fail in turn. Not those of JSON, which another library makes. */

static const char divided[] =
    "\tcode for sm_52\n\t\tFunction : k\n"
    "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
    "        /*0008*/                    S2R R0, SR_TID.X ;\n"
    "        /*0010*/                    SSY 0x38 ;\n"
    "        /*0018*/                    ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
    "        /*0028*/                @P0 SYNC ;\n"
    "        /*0030*/                    SYNC ;\n"
    "        /*0038*/                    EXIT ;\n";

/* Some of it measured, with counts; the rest has a cost. */
static const char counted[] = "# checksum 0x90aa2e7a24c356fd k\n"
                              "kernel,run,warp,from,to,count,cycles\n"
                              "k,1,0,start,0x8,1,4\nk,1,0,0x8,0x30,1,9\nk,1,0,0x38,end,1,5\n"
                              "k,2,0,0x38,end,2,5\nk,2,0,start,end,1,99\n";

static warpbound_status work(const void *context, warpbound_error *error)
{
  (void)context;
  const warpbound_input input = {"times", counted, sizeof counted - 1};
  warpbound_module *module = NULL;
  warpbound_kernel *kernel = NULL;
  warpbound_times *times = NULL;
  warpbound_hybrid *hybrid = NULL;
  char *written = NULL;
  warpbound_status status =
      warpbound_module_parse("k.sass", divided, sizeof divided - 1, NULL, &module, error);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_at(module, 0, &kernel, error);
  if (status == WARPBOUND_OK)
    status = warpbound_times_create(&input, &times, error);
  const warpbound_hybrid_options options = {
      .times = times, .unmeasured = WARPBOUND_UNMEASURED_STATIC, .observed_counts = true};
  if (status == WARPBOUND_OK)
    status = warpbound_hybrid_analyse(kernel, &options, NULL, &hybrid, error);
  if (status == WARPBOUND_OK)
    status = warpbound_hybrid_text(hybrid, &written, error);
  warpbound_text_free(written);
  warpbound_hybrid_free(hybrid);
  warpbound_times_free(times);
  warpbound_kernel_free(kernel);
  warpbound_module_free(module);
  return status;
}

TEST(every_failure_is_reported)
{
  const struct heap_trial trial = try_each(work, NULL, WARPBOUND_OK);
  assert_true(trial.total > 150);
  assert_true(2 * trial.survived < trial.total);
}
