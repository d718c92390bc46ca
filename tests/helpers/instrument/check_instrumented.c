#include "instrument/check_instrumented.h"

#include "base/hash.h"
#include "frontend/ptx/ptx_front_end.h"
#include "model/code.h"

#include <stdlib.h>
#include <string.h>

/* Takes the insertions out of the made text again. */
static bool text_kept(const char *text, size_t length, const struct wb_instrumentation *made)
{
  const char *at = made->text.data;
  const char *end = at + made->text.length;
  size_t done = 0;
  for (size_t i = 0; i < made->insertion_count; i++) {
    const struct wb_insertion *insertion = &made->insertions[i];
    const size_t part = insertion->offset - done;
    if (insertion->offset < done || (size_t)(end - at) < part + insertion->text.length ||
        memcmp(at, text + done, part) != 0 ||
        memcmp(at + part, insertion->text.data, insertion->text.length) != 0)
      return false;
    at += part + insertion->text.length;
    done = insertion->offset;
  }
  return (size_t)(end - at) == length - done && memcmp(at, text + done, length - done) == 0;
}

/* Where instruction `made` comes from: the original's index, or UINT32_MAX for an added one. Both
 * lists are in order, and added instructions begin on lines of insertions. */
struct origin {
  uint32_t *of;   /* by instruction of the new kernel */
  uint32_t *next; /* the next instruction there that is none of the added, as an original index */
};

/* The offsets of lines, ended as the lexer ends them; a zero follows the text. */
static size_t *find_lines(const char *text, size_t length, size_t *count)
{
  size_t *lines = malloc((length + 2) * sizeof *lines);
  if (lines == NULL)
    abort();
  lines[0] = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  *count = 1;
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n'))
      lines[(*count)++] = i + 1;
  return lines;
}

/* Whether a byte of the made text is of an insertion. */
static bool is_added(const struct wb_instrumentation *made, size_t offset, size_t *insertion,
                     size_t *shift)
{
  while (*insertion < made->insertion_count) {
    const struct wb_insertion *at = &made->insertions[*insertion];
    if (offset < at->offset + *shift)
      return false;
    if (offset < at->offset + *shift + at->text.length)
      return true;
    *shift += at->text.length;
    (*insertion)++;
  }
  return false;
}

static void find_origins(const struct wb_instrumentation *made, const struct wb_function *new,
                         struct origin *origin)
{
  size_t line_count;
  size_t *lines = find_lines(made->text.data, made->text.length, &line_count);
  size_t insertion = 0;
  size_t shift = 0;
  uint32_t old = 0;
  for (size_t i = 0; i < new->instruction_count; i++) {
    const struct wb_instruction *at = &new->instructions[i];
    if (at->line > line_count)
      abort();
    const size_t offset = lines[at->line - 1] + at->column - 1;
    origin->of[i] = is_added(made, offset, &insertion, &shift) ? UINT32_MAX : old++;
  }
  free(lines);
  uint32_t next = old;
  origin->next[new->instruction_count] = next;
  for (size_t i = new->instruction_count; i-- > 0;) {
    if (origin->of[i] != UINT32_MAX)
      next = origin->of[i];
    origin->next[i] = next;
  }
}

static const char *compare_instruction(const struct wb_function *old, const struct wb_function *new,
                                       const struct origin *origin, size_t at)
{
  const struct wb_instruction *a = &old->instructions[origin->of[at]];
  const struct wb_instruction *b = &new->instructions[at];
  if (strcmp(a->opcode, b->opcode) != 0 || a->guarded != b->guarded ||
      a->target_count != b->target_count || a->transfer != b->transfer)
    return "an instruction has changed";
  for (size_t t = 0; t < a->target_count; t++)
    if (origin->next[new->targets[b->first_target + t]] != old->targets[a->first_target + t])
      return "a branch leads elsewhere";
  if (a->source_file != 0 && a->source_line != b->source_line)
    return "an instruction has another source line";
  return NULL;
}

static const char *compare_kernel(const struct wb_instrumentation *made,
                                  const struct wb_function *old, const struct wb_function *new)
{
  const size_t count = new->instruction_count;
  struct origin origin = {calloc(count + 1, sizeof *origin.of),
                          calloc(count + 1, sizeof *origin.next)};
  const char *wrong = NULL;
  if (origin.of == NULL || origin.next == NULL)
    abort();
  find_origins(made, new, &origin);
  if (origin.next[count] != old->instruction_count)
    wrong = "instructions are lost";
  for (size_t i = 0; i < count && wrong == NULL; i++) {
    const bool added = origin.of[i] == UINT32_MAX;
    if (added &&
        (new->instructions[i].transfer != WB_TRANSFER_NEXT || new->instructions[i].guarded))
      wrong = "an added instruction branches";
    if (!added)
      wrong = compare_instruction(old, new, &origin, i);
  }
  free(origin.of);
  free(origin.next);
  return wrong;
}

static const char *compare_code(const struct wb_code *old, const struct wb_code *new,
                                const struct wb_instrumentation *made)
{
  if (old->function_count != new->function_count)
    return "functions are lost";
  for (size_t f = 0; f < old->function_count; f++) {
    const struct wb_function *a = &old->functions[f];
    const struct wb_function *b = &new->functions[f];
    const bool kernel = a->defined && strcmp(a->name, made->kernel) == 0;
    if (strcmp(a->name, b->name) != 0 || a->defined != b->defined)
      return "a function has changed";
    if (!kernel && a->instruction_count != b->instruction_count)
      return "another function has changed";
    const char *wrong = kernel ? compare_kernel(made, a, b) : NULL;
    if (wrong != NULL)
      return wrong;
  }
  return NULL;
}

static const char *check_rows(const struct wb_instrumentation *made)
{
  const struct wb_point_graph *graph = &made->graph;
  bool *taken = calloc(graph->row_count, sizeof *taken);
  const char *wrong = NULL;
  if (taken == NULL)
    abort();
  for (size_t t = 0; t < graph->transition_count && wrong == NULL; t++) {
    const struct wb_point_transition *transition = &graph->transitions[t];
    const uint32_t row = transition->row;
    if (row < WB_ROW_FIRST || row >= graph->row_count ||
        row != graph->first_row[transition->to] + graph->colour[transition->from])
      wrong = "a row is not its transition's";
    else if (taken[row])
      wrong = "two transitions have one row";
    else
      taken[row] = true;
  }
  free(taken);
  return wrong;
}

const char *check_instrumented(const char *text, size_t length,
                               const struct wb_instrumentation *made)
{
  static const struct wb_ptx_options any = {.any_opcode = true};
  struct wb_code old;
  struct wb_code new;
  if (!text_kept(text, length, made))
    return "the listing has changed";
  if (made->checksum != wb_hash_bytes(WB_HASH_START, made->text.data, made->text.length))
    return "the checksum is not the text's";
  if (wb_ptx_parse("old", text, length, &any, &old, NULL) != WARPBOUND_OK)
    return "the listing does not parse";
  const char *wrong = "the text does not parse";
  if (wb_ptx_parse("new", made->text.data, made->text.length, &any, &new, NULL) == WARPBOUND_OK) {
    wrong = compare_code(&old, &new, made);
    wb_code_free(&new);
  }
  wb_code_free(&old);
  return wrong != NULL ? wrong : check_rows(made);
}
