/* Measured times and the WCET from them when memory runs out: every allocation is made to fail in
 * turn. Not those of JSON, which another library makes. */
#include "failing_heap.h"
#include "unit.h"

static const char sass[] = "\tcode for sm_52\n\t\tFunction : k\n"
                           "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                           "        /*0008*/                    S2R R0, SR_TID.X ;\n"
                           "        /*0010*/                    SSY 0x38 ;\n"
                           "        /*0018*/                    ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
                           "        /*0028*/                @P0 SYNC ;\n"
                           "        /*0030*/                    SYNC ;\n"
                           "        /*0038*/                    EXIT ;\n";

/* Some of it measured, with counts; the rest has a cost. */
static const char text[] = "# checksum 0x90aa2e7a24c356fd k\n"
                           "kernel,run,warp,from,to,count,cycles\n"
                           "k,1,0,start,0x8,1,4\nk,1,0,0x8,0x30,1,9\nk,1,0,0x38,end,1,5\n"
                           "k,2,0,0x38,end,2,5\nk,2,0,start,end,1,99\n";

static warpbound_status work(const void *context, warpbound_error *error)
{
  (void)context;
  const warpbound_input input = {"times", text, sizeof text - 1};
  warpbound_module *module = NULL;
  warpbound_kernel *kernel = NULL;
  warpbound_times *times = NULL;
  warpbound_hybrid *hybrid = NULL;
  char *written = NULL;
  warpbound_status status =
      warpbound_module_parse("k.sass", sass, sizeof sass - 1, NULL, &module, error);
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
