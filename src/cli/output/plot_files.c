#include "cli/output/plot_files.h"

#include "base/file.h"
#include "base/text/ascii.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Most characters of a series' name in a file's. */
#define NAME_LENGTH 60

warpbound_status plot_files_check(const char *folder, warpbound_error *error)
{
  struct wb_text page = {0};
  if (*folder == '\0' || strcmp(folder, "-") == 0)
    return wb_fail(error, WARPBOUND_USAGE, "--plots: expected a folder's name, found '%s'", folder);
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return wb_fail(error, WARPBOUND_USAGE, "--plots: the folder '%.200s' cannot be made: %s",
                   folder, strerror(errno));
  wb_text_format(&page, "%s/index.html", folder);
  const warpbound_status status =
      page.failed ? wb_out_of_memory(error) : wb_file_try(page.data, error);
  wb_text_free(&page);
  return status;
}

/* Letters, digits, '-', '_' and '.' of a name; each run of others is a '-'. */
static void write_name(const char *name, struct wb_text *file)
{
  bool gap = false;
  size_t written = 0;
  for (; *name != '\0' && written < NAME_LENGTH; name++) {
    if (wb_is_alphanumeric(*name) || *name == '_' || *name == '.') {
      wb_text_append(file, gap && written > 0 ? "-" : "", gap && written > 0);
      wb_text_append(file, name, 1);
      written += 1 + (size_t)gap;
      gap = false;
    } else {
      gap = true;
    }
  }
}

/* Writes a text, which is freed, to a file of the folder; its name is freed too. */
static warpbound_status write_file(struct wb_text *name, struct wb_text *text,
                                   warpbound_error *error)
{
  const warpbound_status status = name->failed || text->failed
                                      ? wb_out_of_memory(error)
                                      : wb_file_write(name->data, text->data, text->length, error);
  wb_text_free(name);
  wb_text_free(text);
  return status;
}

static warpbound_status write_plot(const char *folder, const struct wb_measured *measured,
                                   size_t place, enum wb_measured_plot plot, warpbound_error *error)
{
  const struct wb_measured_series *series = &measured->series[place];
  struct wb_text name = {0};
  struct wb_text text = {0};
  if (!wb_measured_plot_is_there(series, plot))
    return WARPBOUND_OK;
  wb_text_format(&name, "%s/", folder);
  if (measured->count > 1) {
    wb_text_format(&name, "%zu-", place + 1);
    write_name(series->series->name, &name);
    wb_text_string(&name, "-");
  }
  wb_text_format(&name, "%s.svg", wb_measured_plot_name(plot));
  wb_measured_plot_svg(measured, series, plot, &text);
  return write_file(&name, &text, error);
}

warpbound_status plot_files_write(const char *folder, const struct wb_measured *measured,
                                  warpbound_error *error)
{
  struct wb_text name = {0};
  struct wb_text text = {0};
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < measured->count; s++) {
    for (int p = 0; p < WB_MEASURED_PLOTS && status == WARPBOUND_OK; p++)
      status = write_plot(folder, measured, s, (enum wb_measured_plot)p, error);
  }
  if (status != WARPBOUND_OK)
    return status;
  wb_text_format(&name, "%s/index.html", folder);
  wb_measured_page(measured, &text);
  return write_file(&name, &text, error);
}
