#include "cli/graph_files.h"

#include "cli/outputs.h"
#include "report/graphviz.h"

static warpbound_status draw(const struct arguments *arguments, const struct wb_text *dot,
                             const struct wb_control *control, warpbound_error *error)
{
  struct wb_text svg = {0};
  warpbound_status status = wb_graphviz_svg(dot, control, &svg, error);
  if (status == WARPBOUND_OK)
    status = output_write(arguments, OPTION_SVG, &svg, error);
  wb_text_free(&svg);
  return status;
}

warpbound_status graph_files_write(const struct arguments *arguments,
                                   const struct wb_cfg_report *report,
                                   const struct wb_control *control, warpbound_error *error)
{
  const char *const *value = arguments->value;
  struct wb_text dot = {0};
  if (value[OPTION_DOT] == NULL && value[OPTION_SVG] == NULL)
    return WARPBOUND_OK;
  wb_cfg_dot(report, &dot);
  warpbound_status status = dot.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && value[OPTION_SVG] != NULL)
    status = draw(arguments, &dot, control, error);
  if (!dot.failed && value[OPTION_DOT] != NULL) {
    warpbound_status written = output_write(arguments, OPTION_DOT, &dot, error);
    status = written != WARPBOUND_OK ? written : status;
  }
  wb_text_free(&dot);
  return status;
}
