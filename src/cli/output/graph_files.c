#include "cli/output/graph_files.h"

#include "base/work_control.h"
#include "cli/output/outputs.h"

#include <stdio.h>
#include <string.h>

warpbound_status graph_files_write(const struct arguments *arguments,
                                   const struct wb_cfg_report *report,
                                   const warpbound_options *limits, warpbound_error *error)
{
  warpbound_status drawn = WARPBOUND_OK;
  warpbound_status written = WARPBOUND_OK;
  if (arguments->value[OPTION_SVG] != NULL) {
    const struct wb_control control = wb_control_start(limits);
    struct wb_text svg = {0};
    warpbound_status status = wb_cfg_svg(report, &control, &svg, error);
    if (status == WARPBOUND_OK)
      status = output_write(arguments->value[OPTION_SVG], &svg, error);
    else if (status == WARPBOUND_USAGE || status == WARPBOUND_LIMIT) {
      /* Where there is no picture: the file that is to have the graph, or how to get one. */
      const char *dot = arguments->value[OPTION_DOT];
      const size_t length = strlen(error->message);
      char *const end = error->message + length;
      if (dot != NULL)
        snprintf(end, sizeof error->message - length, "; the graph is in '%.200s'", dot);
      else
        snprintf(end, sizeof error->message - length, "; --dot FILE writes the graph");
    }
    wb_text_free(&svg);
    drawn = status;
  }
  if (arguments->value[OPTION_DOT] != NULL) {
    struct wb_text dot = {0};
    wb_cfg_dot(report, true, &dot);
    written = output_write(arguments->value[OPTION_DOT], &dot, error);
  }
  return written != WARPBOUND_OK ? written : drawn;
}
