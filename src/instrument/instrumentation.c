#include "instrument/instrumentation.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "frontend/ptx/ptx_front_end.h"
#include "instrument/probe_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct making {
  const char *name;
  const char *text;
  size_t length;
  const struct wb_code *code;
  const struct wb_function *function;
  struct wb_kernel_text places;
  struct wb_probe_style style;
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
  const struct wb_probe_style *style = &making->style;
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
  wb_probe_variables(to, style);
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
  if (point != 0)
    wb_probe_place(to, &making->style, point);
  if (ends)
    wb_probe_end(to, &making->style, making->text, place);
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
  making->style = wb_probe_style_of(&making->places, wb_free_prefix(making->text, making->length),
                                    &made->graph);
  struct wb_instrumentation *m = making->made;
  size_t done = 0;
  insert_head(making);
  struct wb_text *start = insert(making, making->places.body_start);
  if (start != NULL)
    wb_probe_start(start, &making->style);
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
      wb_probe_end(to, &making->style, making->text, NULL);
  }
  for (size_t i = 0; i < m->insertion_count; i++) {
    const struct wb_insertion *insertion = &m->insertions[i];
    wb_text_append(&m->text, making->text + done, insertion->offset - done);
    wb_text_append(&m->text, insertion->text.data, insertion->text.length);
    making->failed |= insertion->text.failed;
    done = insertion->offset;
  }
  wb_text_append(&m->text, making->text + done, making->length - done);
  if (making->failed || m->text.failed)
    return wb_out_of_memory(error);
  m->checksum = wb_hash_bytes(WB_HASH_START, m->text.data, m->text.length);
  return WARPBOUND_OK;
}

/* Whether a listing holds the name of the file of points. */
static bool instrumented_before(const char *text, size_t length)
{
  static const char word[] = WB_POINTS_FILE;
  for (size_t i = 0; i + sizeof word - 1 <= length; i++)
    if (text[i] == 'w' && memcmp(text + i, word, sizeof word - 1) == 0)
      return true;
  return false;
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
  if (instrumented_before(text, length)) {
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
