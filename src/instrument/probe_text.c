#include "instrument/probe_text.h"

#include <stdarg.h>
#include <stdio.h>

/* Writes to one text. */
struct writer {
  struct wb_text *to;
  const struct wb_probe_style *style;
};

/* Lines of PTX, where '$' stands for the prefix of added names, '#' for what reads a number of
 * threads or blocks, and '&' for the bits of an address. */
static void lines(const struct writer *writer, const char *text)
{
  const struct wb_probe_style *style = writer->style;
  bool begins = true;
  for (const char *c = text; *c != '\0'; c++) {
    wb_text_string(writer->to, begins ? "\t" : "");
    begins = *c == '\n';
    if (*c == '$')
      wb_text_string(writer->to, style->prefix);
    else if (*c == '#')
      wb_text_string(writer->to, style->wide_numbers ? "mov.u32" : "cvt.u32.u16");
    else if (*c == '&')
      wb_text_string(writer->to, style->wide ? "64" : "32");
    else
      wb_text_append(writer->to, c, 1);
  }
}

/* One of them, without its end. */
WB_PRINTF(2, 3)
static void line(const struct writer *writer, const char *format, ...)
{
  char buffer[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  lines(writer, buffer);
  wb_text_string(writer->to, "\n");
}

struct wb_probe_style wb_probe_style_of(const struct wb_kernel_text *text, uint64_t prefix,
                                        const struct wb_point_graph *graph)
{
  struct wb_probe_style style = {
      .prefix = "warpbound",
      .wide = text->wide,
      .wide_clock = text->version >= 200 && text->target >= 20,
      .wide_numbers = text->version >= 200,
      .reductions = text->version >= 102 && text->target >= 11,
      .points_file = text->file_number + 1,
      .row_count = graph->row_count,
      .graph = graph,
  };
  if (prefix > 0)
    snprintf(style.prefix, sizeof style.prefix, "warpbound%llu", (unsigned long long)prefix);
  return style;
}

void wb_probe_variables(struct wb_text *to, const struct wb_probe_style *style)
{
  const struct writer writer = {to, style};
  lines(&writer, ".visible .global .align 8 .u64 $_buffer;\n"
                 ".visible .global .align 8 .u64 $_capacity;\n");
  line(&writer, ".visible .global .align 128 .b8 $_others[%lu];",
       (unsigned long)style->row_count * WB_ROW_BYTES);
}

/* ---- steps ---- */

/* Reads the clock. */
static void read_clock(const struct writer *writer, const char *name)
{
  if (writer->style->wide_clock) {
    line(writer, "mov.u64 %%$_%s, %%clock64;", name);
  } else {
    line(writer, "mov.u32 %%$_word, %%clock;\ncvt.u64.u32 %%$_%s, %%$_word;", name);
  }
}

/* time <- to - from */
static void subtract(const struct writer *writer, const char *to, const char *from)
{
  line(writer, "sub.u64 %%$_time, %%$_%s, %%$_%s;", to, from);
  if (!writer->style->wide_clock)
    line(writer, "and.b64 %%$_time, %%$_time, 4294967295;");
}

/* word <- a time, at most 2^32 - 1, which says that it was that or more. */
static void to_word(const struct writer *writer, const char *time)
{
  line(writer, "min.u64 %%$_now, %%$_%s, 4294967295;\ncvt.u32.u64 %%$_word, %%$_now;", time);
}

/* The word at an address becomes the result of an operation with a register or number. */
static void update(const struct writer *writer, const char *operation, const char *address,
                   unsigned long offset, const char *with)
{
  if (writer->style->reductions) {
    line(writer, "red.global.%s.u32 [%%$_%s+%lu], %s;", operation, address, offset, with);
    return;
  }
  line(writer, "ld.global.u32 %%$_old, [%%$_%s+%lu];", address, offset);
  line(writer, "%s.u32 %%$_old, %%$_old, %s;", operation, with);
  line(writer, "st.global.u32 [%%$_%s+%lu], %%$_old;", address, offset);
}

/* Keeps `word` in a row. */
static void keep(const struct writer *writer, const char *address, uint32_t row, const char *count)
{
  const unsigned long offset = (unsigned long)row * WB_ROW_BYTES;
  update(writer, "max", address, offset, "%$_word");
  update(writer, "add", address, offset + WB_ROW_COUNTS, count);
}

/* at <- the rows of this thread, `from` rows further on */
static void find_rows(const struct writer *writer)
{
  if (writer->style->wide)
    line(writer, "mad.wide.u32 %%$_at, %%$_from, %d, %%$_row;", WB_ROW_BYTES);
  else
    line(writer, "mad.lo.u32 %%$_at, %%$_from, %d, %%$_row;", WB_ROW_BYTES);
}

/* What follows is of a point's probe. */
static void locate_probe(const struct writer *writer, uint32_t point)
{
  line(writer, ".loc %lu %lu 1", (unsigned long)writer->style->points_file + 1,
       WB_PROBE_LINE(point));
}

/* Reads the clock at a point. This instruction alone is of the file of points: the assembler leaves
 * it where it is, and may move the rest of a probe. */
static void read_clock_at(const struct writer *writer, uint32_t point, const char *name)
{
  line(writer, ".loc %lu %lu 1", (unsigned long)writer->style->points_file, WB_POINT_LINE(point));
  read_clock(writer, name);
  locate_probe(writer, point);
}

/* ---- the start ---- */

/* warp <- the number of the block; then that times warps of a block + warp in the block; thread <-
 * thread in the block */
static const char number_warp[] = "# %$_thread, %ctaid.z;\n"
                                  "# %$_size, %nctaid.y;\n"
                                  "# %$_word, %ctaid.y;\n"
                                  "mad.lo.u32 %$_thread, %$_thread, %$_size, %$_word;\n"
                                  "# %$_size, %nctaid.x;\n"
                                  "mul.wide.u32 %$_warp, %$_thread, %$_size;\n"
                                  "# %$_word, %ctaid.x;\n"
                                  "cvt.u64.u32 %$_now, %$_word;\n"
                                  "add.u64 %$_warp, %$_warp, %$_now;\n"
                                  "# %$_thread, %ntid.x;\n"
                                  "# %$_size, %ntid.y;\n"
                                  "mul.lo.u32 %$_thread, %$_thread, %$_size;\n"
                                  "# %$_size, %ntid.z;\n"
                                  "mul.lo.u32 %$_thread, %$_thread, %$_size;\n"
                                  "add.u32 %$_thread, %$_thread, 31;\n"
                                  "shr.u32 %$_thread, %$_thread, 5;\n"
                                  "cvt.u64.u32 %$_now, %$_thread;\n"
                                  "mul.lo.u64 %$_warp, %$_warp, %$_now;\n"
                                  "# %$_thread, %tid.z;\n"
                                  "# %$_size, %ntid.y;\n"
                                  "# %$_word, %tid.y;\n"
                                  "mad.lo.u32 %$_thread, %$_thread, %$_size, %$_word;\n"
                                  "# %$_size, %ntid.x;\n"
                                  "# %$_word, %tid.x;\n"
                                  "mad.lo.u32 %$_thread, %$_thread, %$_size, %$_word;\n"
                                  "shr.u32 %$_word, %$_thread, 5;\n"
                                  "cvt.u64.u32 %$_now, %$_word;\n"
                                  "add.u64 %$_warp, %$_warp, %$_now;\n";

void wb_probe_start(struct wb_text *to, const struct wb_probe_style *style)
{
  const struct writer writer = {to, style};
  lines(&writer, ".reg .b64 %$_last, %$_sum, %$_now, %$_time, %$_warp, %$_limit;\n"
                 ".reg .b32 %$_from, %$_word, %$_old, %$_thread, %$_size;\n"
                 ".reg .b& %$_row, %$_at;\n"
                 ".reg .pred %$_known;\n");
  locate_probe(&writer, WB_POINT_START);
  lines(&writer, number_warp);
  /* row <- where this lane's words begin: in the buffer, or for warps beyond its capacity in the
   * rows of all others. */
  const bool wide = writer.style->wide;
  lines(&writer, "ld.global.u64 %$_limit, [$_capacity];\n"
                 "ld.global.u64 %$_now, [$_buffer];\n");
  line(&writer, "mul.lo.u64 %%$_time, %%$_warp, %lu;",
       (unsigned long)writer.style->row_count * WB_ROW_BYTES);
  lines(&writer, "add.u64 %$_now, %$_now, %$_time;\n"
                 "setp.lt.u64 %$_known, %$_warp, %$_limit;\n"
                 "mov.u& %$_at, $_others;\n");
  lines(&writer, wide ? "mov.u64 %$_row, %$_now;\n" : "cvt.u32.u64 %$_row, %$_now;\n");
  lines(&writer, "selp.u& %$_row, %$_row, %$_at, %$_known;\n"
                 "and.b32 %$_word, %$_thread, 31;\n"
                 "mul.lo.u32 %$_word, %$_word, 4;\n");
  lines(&writer, wide ? "cvt.u64.u32 %$_at, %$_word;\nadd.u64 %$_row, %$_row, %$_at;\n"
                      : "add.u32 %$_row, %$_row, %$_word;\n");
  /* What no probe can do without costs time: of a read of the clock, and of a probe between its two
   * reads. */
  read_clock(&writer, "last");
  read_clock(&writer, "now");
  subtract(&writer, "now", "last");
  line(&writer, "mov.u64 %%$_last, %%$_now;");
  to_word(&writer, "time");
  keep(&writer, "row", WB_ROW_EMPTY, "1");
  read_clock(&writer, "now");
  subtract(&writer, "now", "last");
  to_word(&writer, "time");
  keep(&writer, "row", WB_ROW_PROBE, "1");
  line(&writer, "mov.u64 %%$_sum, 0;");
  line(&writer, "mov.u32 %%$_from, %lu;", (unsigned long)style->graph->colour[WB_POINT_START]);
  read_clock_at(&writer, WB_POINT_START, "last");
}

/* ---- places and ends ---- */

void wb_probe_place(struct wb_text *to, const struct wb_probe_style *style, uint32_t point)
{
  const struct writer writer = {to, style};
  const struct wb_point_graph *graph = style->graph;
  read_clock_at(&writer, point, "now");
  subtract(&writer, "now", "last");
  line(&writer, "add.u64 %%$_sum, %%$_sum, %%$_time;");
  to_word(&writer, "time");
  find_rows(&writer);
  keep(&writer, "at", graph->first_row[point], "1");
  line(&writer, "mov.u32 %%$_from, %lu;", (unsigned long)graph->colour[point]);
  read_clock(&writer, "last");
}

/* name <- of the lanes that leave what it is, or `value`; of those that stay 0 */
static void choose_lanes(const struct writer *writer, const char *text,
                         const struct wb_instruction_place *exit, const char *name,
                         const char *value)
{
  const char *leave = exit->guard_negated ? "0" : value;
  const char *stay = exit->guard_negated ? value : "0";
  wb_text_format(writer->to, "\tselp.b32 %%%s_%s, ", writer->style->prefix, name);
  for (unsigned i = 0; i < 2; i++) {
    const char *operand = i == 0 ? leave : stay;
    if (operand[0] == '%')
      wb_text_format(writer->to, "%%%s_%s, ", writer->style->prefix, operand + 1);
    else
      wb_text_format(writer->to, "%s, ", operand);
  }
  wb_text_append(writer->to, text + exit->guard.start, exit->guard.length);
  wb_text_string(writer->to, ";\n");
}

void wb_probe_end(struct wb_text *to, const struct wb_probe_style *style, const char *text,
                  const struct wb_instruction_place *exit)
{
  const struct writer writer = {to, style};
  const struct wb_point_graph *graph = style->graph;
  const bool guarded = exit != NULL && exit->guard.length > 0;
  const char *count = guarded ? "%$_size" : "1";
  read_clock_at(&writer, WB_POINT_END, "limit");
  subtract(&writer, "limit", "last");
  line(&writer, "add.u64 %%$_warp, %%$_sum, %%$_time;");
  to_word(&writer, "time");
  if (guarded) {
    choose_lanes(&writer, text, exit, "word", "%word");
    choose_lanes(&writer, text, exit, "size", "1");
  }
  find_rows(&writer);
  keep(&writer, "at", graph->first_row[WB_POINT_END], count);
  to_word(&writer, "warp");
  if (guarded)
    choose_lanes(&writer, text, exit, "word", "%word");
  keep(&writer, "row", WB_ROW_WHOLE, count);
  if (!guarded)
    return;
  read_clock(&writer, "now");
  subtract(&writer, "now", "limit");
  line(&writer, "add.u64 %%$_last, %%$_last, %%$_time;");
}
