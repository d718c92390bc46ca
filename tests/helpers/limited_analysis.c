#include "limited_analysis.h"

#include "base/work_control.h"
#include "cfg/simt_analysis.h"
#include "unit.h"

void limited_analysis(const struct wb_code *code, uint64_t memory_limit)
{
  const struct {
    struct wb_control control;
    const char *what;
  } cases[] = {
      {{.memory_limit = memory_limit, .threads = 1}, "memory"},
      {{.memory_limit = WB_DEFAULT_MEMORY_LIMIT, .threads = 1, .deadline = 1e-9}, "time"},
      {{.memory_limit = WB_DEFAULT_MEMORY_LIMIT, .threads = 1, .interrupted = interrupt_at_once},
       "interrupted"},
  };
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    const struct wb_simt_options options = {0};
    warpbound_error error = {.message = ""};
    struct wb_simt_analysis *analysis;
    assert_limit(
        wb_simt_analyse(code, &code->functions[0], &options, &cases[c].control, &analysis, &error));
    assert_non_null(strstr(error.message, cases[c].what));
    assert_null(analysis);
  }
}
