/* Questions, makespans, series and checks of the public header when memory runs out: every
 * allocation is made to fail in turn. Not those of JSON, which another library makes. */
#include "failing_heap.h"
#include "unit.h"

static const warpbound_options quick = {
    .method = WARPBOUND_METHOD_BOUNDS, .threads = 1, .certify = true};

static warpbound_status ask(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_sm *sm = NULL;
  warpbound_instance *instance = NULL;
  warpbound_status status = warpbound_sm_create("L=1,C=1", 0, 1, &sm, error);
  if (status == WARPBOUND_OK)
    status = warpbound_instance_on("LCLCB", sm, 4, 2, &instance, error);
  warpbound_instance_free(instance);
  if (status == WARPBOUND_OK)
    status = warpbound_instance_on("LCLC", sm, 4, 1, &instance, error);
  if (status == WARPBOUND_OK) {
    status = warpbound_instance_make_fair(instance, 1, 2, 2, error);
    warpbound_instance_free(instance);
  }
  warpbound_sm_free(sm);
  return status;
}

/* A result with its texts, both of which are checked. */
static warpbound_status answer(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_instance *instance;
  warpbound_result *result = NULL;
  warpbound_verdict *verdict = NULL;
  char *text = NULL;
  uint64_t cycles;
  warpbound_status status = warpbound_instance_create("2LC", "L=1,C=1", 0, 1, 3, &instance, error);
  if (status == WARPBOUND_OK)
    status = warpbound_makespan(instance, &quick, &result, error);
  if (status == WARPBOUND_OK)
    status = warpbound_result_gantt(result, &text, error);
  warpbound_text_free(text);
  text = NULL;
  if (status == WARPBOUND_OK)
    status = warpbound_result_certificate(result, &text, &cycles, error);
  if (status == WARPBOUND_OK)
    status = warpbound_verify("certificate", text, strlen(text), &quick, &verdict, error);
  warpbound_verdict_free(verdict);
  verdict = NULL;
  warpbound_text_free(text);
  text = NULL;
  if (status == WARPBOUND_OK)
    status = warpbound_result_schedule(result, &text, error);
  if (status == WARPBOUND_OK)
    status = warpbound_verify("schedule", text, strlen(text), &quick, &verdict, error);
  warpbound_verdict_free(verdict);
  warpbound_text_free(text);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  return status;
}

static warpbound_status answer_range(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_instance *instance;
  warpbound_series *series = NULL;
  warpbound_status status = warpbound_instance_create("LC", "L=1,C=1", 0, 1, 1, &instance, error);
  if (status == WARPBOUND_OK)
    status = warpbound_makespan_series(instance, 1, 3, &quick, NULL, NULL, &series, error);
  if (status == WARPBOUND_OK)
    assert_int_equal(warpbound_series_count(series), 3);
  warpbound_series_free(series);
  warpbound_instance_free(instance);
  return status;
}

TEST(every_failure_is_reported)
{
  static const struct {
    memory_work *work;
    size_t least; /* allocations that it makes at least */
  } pieces[] = {{ask, 30}, {answer, 100}, {answer_range, 100}};
  for (size_t p = 0; p < COUNT_OF(pieces); p++) {
    print_message("# piece %zu\n", p);
    const struct heap_trial trial = try_each(pieces[p].work, NULL, WARPBOUND_OK);
    assert_true(trial.total > pieces[p].least);
    assert_true(2 * trial.survived < trial.total);
  }
}
