/* Modules, paths, control flow, WCET and traces of the public header when memory runs out: every
 * allocation is made to fail in turn. Not those of JSON, which another library makes. */
#include "failing_heap.h"
#include "unit.h"

static const char ptx[] = ".version 6.0\n.target sm_50\n.entry k(.param .u64 p) {\n"
                          ".reg .b64 %d; .reg .f32 %f;\nld.param.u64 %d, [p];\n"
                          "ld.global.f32 %f, [%d];\ncall f;\nret;\n}\n";

static const char sass[] = "\tcode for sm_52\n\t\tFunction : k\n"
                           "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                           "        /*0008*/                    S2R R0, SR_TID.X ;\n"
                           "        /*0010*/                    SSY 0x38 ;\n"
                           "        /*0018*/                    ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
                           "        /*0028*/                @P0 SYNC ;\n"
                           "        /*0030*/                    SYNC ;\n"
                           "        /*0038*/                    EXIT ;\n";

/* A loop with scopes around it and in it. */
static const char barriers[] = "\tcode for sm_75\n\t\tFunction : k\n"
                               "\t.headerflags\t@\"EF_CUDA_SM75 EF_CUDA_PTX_SM(EF_CUDA_SM75)\"\n"
                               "        /*0000*/      S2R R0, SR_TID.X ;\n"
                               "        /*0010*/      BSSY B0, 0x90 ;\n"
                               "        /*0020*/      BSSY B1, 0x70 ;\n"
                               "        /*0030*/      ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
                               "        /*0040*/  @P0 BRA 0x60 ;\n"
                               "        /*0050*/      IADD3 R0, R0, 0x1, RZ ;\n"
                               "        /*0060*/      BSYNC B1 ;\n"
                               "        /*0070*/ @!P0 BRA 0x20 ;\n"
                               "        /*0080*/      BSYNC B0 ;\n"
                               "        /*0090*/      EXIT ;\n";

static const char facts[] = "kernel k\nchecksum 0x90aa2e7a24c356fd\nrun 0x30 at most 1\n";

/* A module, its kernel, and what is known of it. */
struct code {
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_annotations *annotations;
};

static warpbound_status annotate(struct code *code, warpbound_error *error)
{
  const warpbound_parameter parameter = {.offset = 8, .value = 1, .wide = true};
  const warpbound_constant constant = {.bank = 3, .offset = 8, .value = 1, .wide = true};
  const warpbound_annotation_options known = {.flow_facts = {"facts", facts, sizeof facts - 1},
                                              .parameters = &parameter,
                                              .parameter_count = 1,
                                              .constants = &constant,
                                              .constant_count = 1,
                                              .cost = WARPBOUND_COST_TABLE,
                                              .costs = {"costs", "default 2\n", 10}};
  return warpbound_annotations_create(code->module, &known, &code->annotations, error);
}

static warpbound_status walk_ptx(const struct code *code, warpbound_error *error)
{
  const warpbound_call_assumption call = {"f", "3C"};
  const warpbound_paths_options options = {.calls = &call, .call_count = 1};
  warpbound_paths *paths;
  const warpbound_status status = warpbound_paths_find(code->kernel, &options, NULL, &paths, error);
  if (status == WARPBOUND_OK)
    assert_string_equal(warpbound_paths_string(paths), "2L5C");
  warpbound_paths_free(paths);
  return status;
}

static warpbound_status walk_string(const struct code *code, warpbound_error *error)
{
  warpbound_paths *paths;
  const warpbound_status status = warpbound_paths_find(code->kernel, NULL, NULL, &paths, error);
  warpbound_paths_free(paths);
  return status;
}

static warpbound_status analyse_flow(const struct code *code, warpbound_error *error)
{
  warpbound_control_flow *flow;
  char *text = NULL;
  warpbound_status status = warpbound_control_flow_analyse(code->kernel, NULL, NULL, &flow, error);
  if (status == WARPBOUND_OK) {
    const bool groups = warpbound_module_function_sm(code->module, 0) == 75;
    assert_int_equal(warpbound_control_flow_size_of(flow).scopes, groups ? 2 : 0);
    status = warpbound_control_flow_text(flow, &text, error);
  }
  if (status == WARPBOUND_OK) {
    warpbound_text_free(text);
    status = warpbound_control_flow_dot(flow, &text, error);
  }
  warpbound_text_free(text);
  warpbound_control_flow_free(flow);
  return status;
}

static warpbound_status analyse_wcet(const struct code *code, warpbound_error *error)
{
  const warpbound_wcet_options options = {.annotations = code->annotations};
  warpbound_wcet *wcet;
  char *text = NULL;
  warpbound_status status = warpbound_wcet_analyse(code->kernel, &options, NULL, &wcet, error);
  if (status == WARPBOUND_OK) {
    assert_int_equal(warpbound_wcet_bound(wcet).cycles % 2, 0);
    status = warpbound_wcet_text(wcet, &text, error);
  }
  if (status == WARPBOUND_OK) {
    warpbound_text_free(text);
    status = warpbound_wcet_template(wcet, &text, error);
  }
  warpbound_text_free(text);
  warpbound_wcet_free(wcet);
  return status;
}

static warpbound_status find_paths(const struct code *code, warpbound_error *error)
{
  warpbound_paths *paths;
  const warpbound_paths_options options = {
      .wcet = {.annotations = code->annotations}, .device = "sm_61", .allow_other_device = true};
  const warpbound_status status = warpbound_paths_find(code->kernel, &options, NULL, &paths, error);
  warpbound_paths_free(paths);
  return status;
}

static warpbound_status run_trace(const struct code *code, warpbound_error *error)
{
  warpbound_trace *trace;
  char *text = NULL;
  warpbound_status status = warpbound_trace_run(code->kernel, NULL, NULL, &trace, error);
  if (status == WARPBOUND_OK)
    status = warpbound_trace_text(trace, &text, error);
  warpbound_text_free(text);
  warpbound_trace_free(trace);
  return status;
}

static const struct piece {
  const char *text;
  const char *kernel; /* NULL: the first */
  bool annotated;
  warpbound_status (*use)(const struct code *code, warpbound_error *error);
  size_t least; /* allocations that it makes at least */
} pieces[] = {
    {ptx, "k", false, walk_ptx, 20},
    {"5L9C", NULL, false, walk_string, 5},
    {sass, "k@sm_52", true, analyse_flow, 60},
    {barriers, NULL, false, analyse_flow, 60},
    {sass, "k@sm_52", true, analyse_wcet, 100},
    {sass, "k@sm_52", true, find_paths, 100},
    {sass, "k@sm_52", true, run_trace, 20},
};

static warpbound_status do_piece(const void *context, warpbound_error *error)
{
  const struct piece *piece = context;
  const warpbound_unit_assumption unit = {"frobnicate", 'C'};
  const warpbound_module_options options = {.units = &unit, .unit_count = 1};
  struct code code = {0};
  warpbound_status status =
      warpbound_module_parse("k", piece->text, strlen(piece->text), &options, &code.module, error);
  if (status == WARPBOUND_OK)
    status = piece->kernel != NULL
                 ? warpbound_kernel_choose(code.module, piece->kernel, &code.kernel, error)
                 : warpbound_kernel_at(code.module, 0, &code.kernel, error);
  if (status == WARPBOUND_OK && piece->annotated)
    status = annotate(&code, error);
  if (status == WARPBOUND_OK)
    status = piece->use(&code, error);
  warpbound_annotations_free(code.annotations);
  warpbound_kernel_free(code.kernel);
  warpbound_module_free(code.module);
  return status;
}

TEST(every_failure_is_reported)
{
  for (size_t p = 0; p < COUNT_OF(pieces); p++) {
    print_message("# piece %zu\n", p);
    const struct heap_trial trial = try_each(do_piece, &pieces[p], WARPBOUND_OK);
    assert_true(trial.total > pieces[p].least);
    assert_true(2 * trial.survived < trial.total);
  }
}
