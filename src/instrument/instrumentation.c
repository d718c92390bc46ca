#include "instrument/instrumentation.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "frontend/ptx/ptx_front_end.h"
#include "instrument/points.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a row of one warp: the longest time of each lane, then the count of each lane, words of
 * 32 bits. */
#define WB_ROW_BYTES 256
#define WB_ROW_COUNTS 128 /* where the counts begin */

/* What all probes of a text share. */
struct probe_style {
  char prefix[32];      /* of all names that are added */
  bool wide;            /* addresses have 64 bits */
  bool wide_clock;      /* %clock64; else %clock, and times modulo 2^32 */
  bool wide_numbers;    /* of threads and blocks: 32 bits (PTX 2.0); else 16 */
  bool reductions;      /* red; else load and store, which suffice: a lane has its own words */
  uint32_t points_file; /* number of the .file whose lines are the points; the next one is that of
                         * the other lines of probes */
  uint32_t row_count;
  const struct wb_point_graph *graph;
};

/* Writes to one text. */
struct writer {
  struct wb_text *to;
  const struct probe_style *style;
};

/* Lines of PTX, where '$' stands for the prefix of added names, '#' for what reads a number of
 * threads or blocks, and '&' for the bits of an address. */
static void lines(const struct writer *writer, const char *text)
{
  const struct probe_style *style = writer->style;
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

static struct probe_style probe_style_of(const struct wb_kernel_text *text, uint64_t prefix,
                                         const struct wb_point_graph *graph)
{
  struct probe_style style = {
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

/* Registers, the row of this thread, the two calibrations, and the start. */
static void probe_start(struct wb_text *to, const struct probe_style *style)
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

/* An end, before an exit that may have a guard, which `text` names. */
static void probe_end(struct wb_text *to, const struct probe_style *style, const char *text,
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

struct making {
  const char *name;
  const char *text;
  size_t length;
  const struct wb_code *code;
  const struct wb_function *function;
  struct wb_kernel_text places;
  struct probe_style style;
  struct wb_instrumentation *made;
  bool failed; /* memory is out */
};

/* ---- insertions ---- */

/* A new insertion before a byte; NULL where memory is out. What stands alone on its line is
 * preceded by lines, else the line is broken there. */
static struct wb_text *insert(struct making *making, size_t offset)
{
  struct wb_instrumentation *made = making->made;
  size_t start = offset;
  while (start > 0 && (making->text[start - 1] == ' ' || making->text[start - 1] == '\t'))
    start--;
  const bool breaks = start > 0 && making->text[start - 1] != '\n';
  const bool grown =
      wb_grow(made->insertions, &made->insertion_capacity, made->insertion_count + 1);
  making->failed |= !grown;
  if (!grown)
    return NULL;
  struct wb_insertion *insertion = &made->insertions[made->insertion_count++];
  *insertion = (struct wb_insertion){.offset = breaks ? offset : start};
  if (breaks)
    wb_text_string(&insertion->text, "\n");
  return &insertion->text;
}

/* Source places after a probe are those before it. Where the listing has none, they are its own
 * lines. */
static void restore_location(struct making *making, struct wb_text *to, uint32_t instruction)
{
  const struct wb_text_part *location = &making->places.places[instruction].location;
  wb_text_string(to, "\t");
  if (location->length > 0)
    wb_text_append(to, making->text + location->start, location->length);
  else
    wb_text_format(to, ".loc %lu %lu 1", (unsigned long)making->style.points_file + 2,
                   (unsigned long)making->function->instructions[instruction].line);
  wb_text_string(to, "\n");
}

/* A text of the listing in one line, in a comment or in quotes. */
static void put_word(struct wb_text *to, const char *word, const char *but)
{
  for (const char *c = word; *c != '\0'; c++)
    wb_text_append(to, (unsigned char)*c < ' ' || strchr(but, *c) != NULL ? "?" : c, 1);
}

/* After the head of the module: what the host program reads, files and variables. */
static void insert_head(struct making *making)
{
  const struct probe_style *style = &making->style;
  struct wb_text *to = insert(making, making->places.head_end);
  if (to == NULL)
    return;
  wb_text_format(to, "// warpbound-instrument 1 %s %lu %s\n", style->prefix,
                 (unsigned long)style->row_count, making->made->kernel);
  wb_text_format(to, "// " WB_POINTS_FILE ":%lu: start\n// " WB_POINTS_FILE ":%lu: end\n",
                 WB_POINT_LINE(WB_POINT_START), WB_POINT_LINE(WB_POINT_END));
  for (size_t p = 0; p < making->made->points.place_count; p++) {
    /* `// point 3: line 45, voronoi.cu:12` */
    const uint32_t point = (uint32_t)(p + WB_POINT_FIRST_PLACE);
    const uint32_t index = making->made->points.instructions[point - WB_POINT_FIRST_PLACE];
    const struct wb_instruction *at = &making->function->instructions[index];
    wb_text_format(to, "// " WB_POINTS_FILE ":%lu: line %lu", WB_POINT_LINE(point),
                   (unsigned long)at->line);
    for (size_t l = 0; l < making->function->label_count; l++) {
      if (making->function->labels[l].index == index) {
        wb_text_string(to, ", ");
        put_word(to, making->function->labels[l].name, "");
        break;
      }
    }
    if (at->source_file != 0) {
      wb_text_string(to, ", ");
      put_word(to, making->code->files[at->source_file - 1], "");
      wb_text_format(to, ":%lu", (unsigned long)at->source_line);
    }
    wb_text_string(to, "\n");
  }
  const unsigned long file = style->points_file;
  wb_text_format(
      to, "\t.file %lu \"" WB_POINTS_FILE "\"\n\t.file %lu \"" WB_PROBES_FILE "\"\n\t.file %lu \"",
      file, file + 1, file + 2);
  const char *slash = strrchr(making->name, '/');
  put_word(to, slash != NULL ? slash + 1 : making->name, "\"\\");
  wb_text_string(to, "\"\n");
  /* The variables of the module that the host program knows (doc/measured/instrument.md). */
  const struct writer writer = {to, style};
  lines(&writer, ".visible .global .align 8 .u64 $_buffer;\n"
                 ".visible .global .align 8 .u64 $_capacity;\n");
  line(&writer, ".visible .global .align 128 .b8 $_others[%lu];",
       (unsigned long)style->row_count * WB_ROW_BYTES);
}

/* The probes before an instruction. */
static void insert_probes(struct making *making, uint32_t instruction)
{
  const struct wb_instruction_place *place = &making->places.places[instruction];
  const uint32_t point = making->made->points.point_at[instruction];
  const bool ends = wb_ptx_ends_thread(&making->function->instructions[instruction]);
  if (point == 0 && !ends)
    return;
  struct wb_text *to = insert(making, place->start);
  if (to == NULL)
    return;
  if (point != 0) {
    /* A place, after which the thread goes on. */
    const struct writer writer = {to, &making->style};
    const struct wb_point_graph *graph = making->style.graph;
    read_clock_at(&writer, point, "now");
    subtract(&writer, "now", "last");
    line(&writer, "add.u64 %%$_sum, %%$_sum, %%$_time;");
    to_word(&writer, "time");
    find_rows(&writer);
    keep(&writer, "at", graph->first_row[point], "1");
    line(&writer, "mov.u32 %%$_from, %lu;", (unsigned long)graph->colour[point]);
    read_clock(&writer, "last");
  }
  if (ends)
    probe_end(to, &making->style, making->text, place);
  restore_location(making, to, instruction);
}

/* ---- the text ---- */

static warpbound_status instrument_kernel(struct making *making, size_t kernel,
                                          const struct wb_point_options *options,
                                          warpbound_error *error)
{
  struct wb_instrumentation *made = making->made;
  struct wb_arena *arena = &made->arena;
  making->function = &making->code->functions[kernel];
  made->kernel = wb_arena_text(arena, making->function->name, strlen(making->function->name));
  if (made->kernel == NULL)
    return wb_out_of_memory(error);
  warpbound_status status =
      wb_points_choose(making->code, kernel, options, arena, &made->points, error);
  if (status == WARPBOUND_OK)
    status = wb_point_graph_make(making->code, kernel, &made->points, arena, &made->graph, error);
  if (status == WARPBOUND_OK)
    status = wb_kernel_text_read(making->code, kernel, making->text, making->length, arena,
                                 &making->places, error);
  if (status != WARPBOUND_OK)
    return status;
  making->style =
      probe_style_of(&making->places, wb_free_prefix(making->text, making->length), &made->graph);
  size_t done = 0;
  insert_head(making);
  struct wb_text *start = insert(making, making->places.body_start);
  if (start != NULL)
    probe_start(start, &making->style);
  if (start != NULL && making->function->instruction_count > 0)
    restore_location(making, start, 0);
  for (size_t i = 0; i < making->function->instruction_count && !making->failed; i++)
    insert_probes(making, (uint32_t)i);
  /* Before the brace that closes the body: an end for threads that run into it. */
  const size_t count = making->function->instruction_count;
  const struct wb_instruction *last = count > 0 ? &making->function->instructions[count - 1] : NULL;
  bool reached =
      last == NULL || last->guarded ||
      (last->transfer != WB_TRANSFER_RETURN && last->transfer != WB_TRANSFER_EXIT &&
       last->transfer != WB_TRANSFER_BRANCH && last->transfer != WB_TRANSFER_INDEXED_BRANCH);
  for (size_t t = 0; t < making->function->target_count; t++)
    reached |= making->function->targets[t] == count;
  if (reached) {
    struct wb_text *to = insert(making, making->places.body_end);
    if (to != NULL)
      probe_end(to, &making->style, making->text, NULL);
  }
  for (size_t i = 0; i < made->insertion_count; i++) {
    const struct wb_insertion *insertion = &made->insertions[i];
    wb_text_append(&made->text, making->text + done, insertion->offset - done);
    wb_text_append(&made->text, insertion->text.data, insertion->text.length);
    making->failed |= insertion->text.failed;
    done = insertion->offset;
  }
  wb_text_append(&made->text, making->text + done, making->length - done);
  if (making->failed || made->text.failed)
    return wb_out_of_memory(error);
  made->checksum = wb_hash_bytes(WB_HASH_START, made->text.data, made->text.length);
  return WARPBOUND_OK;
}

warpbound_status wb_instrument(const char *name, const char *text, size_t length,
                               const char *kernel, const struct wb_point_options *options,
                               struct wb_instrumentation *made, warpbound_error *error)
{
  static const struct wb_ptx_options any = {.any_opcode = true};
  warpbound_error own = {0};
  struct wb_code code;
  if (error == NULL)
    error = &own;
  *made = (struct wb_instrumentation){0};
  warpbound_status status = wb_ptx_parse(name, text, length, &any, &code, error);
  if (status != WARPBOUND_OK)
    return status;
  struct making making = {
      .name = name, .text = text, .length = length, .code = &code, .made = made};
  static const char mark[] = WB_POINTS_FILE;
  bool before = false; /* the listing holds the name of the file of points */
  for (size_t i = 0; i + sizeof mark - 1 <= length && !before; i++)
    before = text[i] == 'w' && memcmp(text + i, mark, sizeof mark - 1) == 0;
  if (before) {
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "expected PTX without probes, found one that was instrumented before");
  } else {
    const size_t index = wb_code_find_kernel(&code, kernel, error);
    status = index == SIZE_MAX ? error->status : instrument_kernel(&making, index, options, error);
  }
  wb_code_free(&code);
  if (status != WARPBOUND_OK)
    wb_instrumentation_free(made);
  return status;
}

void wb_instrumentation_free(struct wb_instrumentation *made)
{
  wb_arena_free(&made->arena);
  wb_point_graph_free(&made->graph);
  for (size_t i = 0; i < made->insertion_count; i++)
    wb_text_free(&made->insertions[i].text);
  free(made->insertions);
  wb_text_free(&made->text);
  *made = (struct wb_instrumentation){0};
}
