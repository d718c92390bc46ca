#include "bounded_listing.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/work_control.h"
#include "frontend/sass/sass_front_end.h"
#include "groups/simt_text.h"
#include "ipet/system/ipet_system.h"
#include "unit.h"

/* Up to Pascal instructions stand at multiples of 8, without those of 32. */
static unsigned address_of(unsigned sm, size_t index)
{
  return (unsigned)(sm >= 70 ? 16 * index : 8 * (index + index / 3 + 1));
}

static bool is_label(const char *line)
{
  return line[0] != '\0' && line[strlen(line) - 1] == ':';
}

/* The index of the instruction behind the label, SIZE_MAX where no line is that label. */
static size_t instruction_behind(const char *const *lines, const char *name)
{
  size_t index = 0;
  for (; *lines != NULL; lines++) {
    if (!is_label(*lines))
      index++;
    else if (strncmp(*lines, name, strlen(*lines) - 1) == 0 && strlen(*lines) == strlen(name) + 1)
      return index;
  }
  return SIZE_MAX;
}

static void write_line(struct wb_text *text, unsigned sm, const char *const *lines,
                       const char *line, size_t index)
{
  const char *last = strrchr(line, ' ');
  const size_t target = last != NULL ? instruction_behind(lines, last + 1) : SIZE_MAX;
  wb_text_format(text, "        /*%04x*/ ", address_of(sm, index));
  if (target == SIZE_MAX)
    wb_text_format(text, "%s ;\n", line);
  else
    wb_text_format(text, "%.*s 0x%x ;\n", (int)(last - line), line, address_of(sm, target));
}

void listing_make(const char *const *lines, struct wb_code *code)
{
  listing_make_for(52, lines, code);
}

void listing_make_for(unsigned sm, const char *const *lines, struct wb_code *code)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  warpbound_error error = {.message = ""};
  size_t index = 0;
  wb_text_format(&text, "\tcode for sm_%u\n\t\tFunction : kernel\n", sm);
  for (const char *const *line = lines; *line != NULL; line++) {
    if (!is_label(*line))
      write_line(&text, sm, lines, *line, index++);
  }
  assert_false(text.failed);
  *code = (struct wb_code){0};
  if (wb_sass_parse("test", text.data, text.length, NULL, code, &error) != WARPBOUND_OK)
    fail_msg("%zu: %s\n%s", error.line, error.message, text.data);
  assert_int_equal(code->function_count, 1);
  assert_int_equal(code->functions[0].instruction_count, index);
}

void listing_of(unsigned sm, const char *text, struct wb_code *code)
{
  FREED_BY(wb_text_free) struct wb_text ended = {0};
  wb_text_format(&ended, "%s; EXIT", text);
  assert_false(ended.failed);
  listing_make_for(sm, simt_lines(ended.data), code);
}

static bool make(const struct wb_code *code, const struct wb_function *function,
                 const struct wb_launch *launch, const struct wb_simt_options *options,
                 struct bounded_function *bounded)
{
  const struct wb_control control = wb_control_start(NULL);
  warpbound_error error = {.message = ""};
  *bounded = (struct bounded_function){.function = function};
  if (wb_simt_analyse(code, function, options, &control, &bounded->analysis, &error) !=
      WARPBOUND_OK)
    return false;
  bounded->graph = wb_simt_analysis_graph(bounded->analysis);
  assert_ok(wb_ipet_loops(bounded->graph, false, &bounded->forest, &error));
  bounded->found = wb_allocate(bounded->forest.loop_count, sizeof *bounded->found);
  assert_non_null(bounded->found);
  assert_ok(wb_loop_bounds_find(bounded->graph, &bounded->forest, launch, bounded->found, &error));
  return true;
}

bool bounded_make(const struct wb_code *code, const struct wb_function *function,
                  const struct wb_launch *launch, struct bounded_function *bounded)
{
  return make(code, function, launch, &(struct wb_simt_options){0}, bounded);
}

bool bounded_make_of_block(const struct wb_code *code, const struct wb_function *function,
                           const struct wb_launch *launch, struct bounded_function *bounded)
{
  struct wb_simt_options options = {0};
  memcpy(options.block, launch->block, sizeof options.block);
  return make(code, function, launch, &options, bounded);
}

void bounded_free(struct bounded_function *bounded)
{
  wb_found_bounds_free(bounded->found, bounded->forest.loop_count);
  wb_loop_forest_free(&bounded->forest);
  wb_simt_analysis_free(bounded->analysis);
  *bounded = (struct bounded_function){0};
}

const struct wb_instruction *bounded_header(const struct bounded_function *bounded, size_t loop)
{
  return &bounded->function
              ->instructions[bounded->graph->blocks[bounded->forest.loops[loop].header].first];
}
