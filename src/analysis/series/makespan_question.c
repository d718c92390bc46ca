#include "analysis/series/makespan_question.h"

#include "analysis/paths/makespan/paths_makespan.h"
#include "base/memory.h"

#include <stdlib.h>

static warpbound_status answer_string(const struct wb_instance *asked, uint32_t warps,
                                      const struct wb_analysis_options *options,
                                      struct wb_instance *instance, struct warpbound_result *result,
                                      warpbound_error *error)
{
  warpbound_status status =
      wb_instance_make_like(asked, warps, asked->whole.blocks, instance, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_analyse_makespan(instance, options, result, error);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_instance_clear(instance);
  return status;
}

static warpbound_status answer_paths(const struct wb_question *question, uint32_t warps,
                                     const struct wb_analysis_options *options,
                                     struct wb_instance *instance, struct warpbound_result *result,
                                     warpbound_error *error)
{
  const struct wb_instance *asked = question->instance;
  const struct wb_paths_question about_paths = {.sm = &asked->sm,
                                                .warps = warps,
                                                .blocks = asked->whole.blocks,
                                                .fair = asked->fair.count > 0 ? &asked->fair : NULL,
                                                .estimate = &asked->estimate,
                                                .options = options};
  return wb_paths_makespan(question->paths, &about_paths, instance, result, error);
}

warpbound_status wb_question_answer(const struct wb_question *question, uint32_t warps,
                                    const struct wb_analysis_options *options,
                                    struct warpbound_result *result, warpbound_error *error)
{
  *result = (struct warpbound_result){0};
  struct wb_instance *instance = wb_allocate(1, sizeof *instance);
  if (instance == NULL)
    return wb_out_of_memory(error);
  warpbound_status status =
      question->paths != NULL
          ? answer_paths(question, warps, options, instance, result, error)
          : answer_string(question->instance, warps, options, instance, result, error);
  if (status == WARPBOUND_OK || (status == WARPBOUND_LIMIT && result->instance != NULL))
    result->owned_instance = instance;
  else
    free(instance);
  return status;
}
