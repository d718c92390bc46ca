#include "frontend/ptx/ptx_outline.h"

#include "base/memory.h"
#include "frontend/ptx/ptx_lexer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reading under way. */
struct outliner {
  struct wb_ptx_lexer lexer;
  struct wb_ptx_token token; /* the next one; WB_PTX_END after anything that is no token */
  struct wb_ptx_outline *outline;
  bool failed; /* memory is out, or a limit is reached */
  bool full;   /* a limit is reached */
};

static void advance(struct outliner *outliner)
{
  if (outliner->token.kind != WB_PTX_END)
    outliner->token = wb_ptx_lexer_next(&outliner->lexer);
  if (outliner->token.kind == WB_PTX_INVALID)
    outliner->token.kind = WB_PTX_END;
}

static bool at(const struct outliner *outliner, const char *directive)
{
  return outliner->token.kind == WB_PTX_DIRECTIVE && wb_ptx_token_is(&outliner->token, directive);
}

static void copy_token(const struct wb_ptx_token *token, char *text, size_t size)
{
  snprintf(text, size, "%.*s", token->length < size ? (int)token->length : (int)size - 1,
           token->text);
}

static const char *keep_token(struct outliner *outliner)
{
  const char *name =
      wb_name_pool_copy(&outliner->outline->names, outliner->token.text, outliner->token.length);
  outliner->failed = outliner->failed || name == NULL;
  return name;
}

/* The bytes of a type as ".b64"; 0 for a word that is none. */
static uint32_t size_of_type(const struct wb_ptx_token *token)
{
  static const struct {
    const char *digits;
    uint32_t size;
  } sizes[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};
  size_t letters = 1;
  while (letters < token->length && strchr("bfsu", token->text[letters]) != NULL)
    letters++;
  for (size_t s = 0; letters == 2 && s < sizeof sizes / sizeof *sizes; s++) {
    if (token->length - letters == strlen(sizes[s].digits) &&
        memcmp(token->text + letters, sizes[s].digits, token->length - letters) == 0)
      return sizes[s].size;
  }
  /* .texref, .surfref, .samplerref are handles */
  return token->length > 4 && memcmp(token->text + token->length - 3, "ref", 3) == 0 ? 8 : 0;
}

/* What the words of one parameter say. */
struct declaration {
  const char *name;
  uint64_t element;   /* bytes of its type */
  uint64_t elements;  /* of a vector or array */
  uint64_t alignment; /* 0: that of its type */
  bool pointer;       /* behind .ptr: an alignment is that of what it points to */
};

static uint64_t times(uint64_t a, uint64_t b)
{
  return b != 0 && a > UINT32_MAX / b ? UINT32_MAX : a * b;
}

static void take_directive(struct outliner *outliner, struct declaration *declaration)
{
  const struct wb_ptx_token *token = &outliner->token;
  if (at(outliner, ".ptr")) {
    declaration->pointer = true;
  } else if (at(outliner, ".align")) {
    advance(outliner);
    if (token->kind == WB_PTX_INTEGER && !declaration->pointer)
      declaration->alignment = token->value;
    return;
  } else if (token->length == 3 && token->text[1] == 'v') {
    declaration->elements = times(declaration->elements, (uint64_t)(token->text[2] - '0'));
  } else if (size_of_type(token) > 0) {
    declaration->element = size_of_type(token);
  }
}

static void take_dimension(struct outliner *outliner, struct declaration *declaration)
{
  advance(outliner);
  if (outliner->token.kind == WB_PTX_INTEGER)
    declaration->elements = times(declaration->elements, outliner->token.value);
}

/* Adds a parameter after those of the kernel before it, *end being where they end. */
static void add_parameter(struct outliner *outliner, const struct declaration *declaration,
                          uint64_t *end)
{
  struct wb_ptx_outline *outline = outliner->outline;
  uint64_t alignment = declaration->alignment != 0 ? declaration->alignment : declaration->element;
  if (alignment == 0 || alignment > 1024)
    alignment = 1;
  const uint64_t offset = (*end + alignment - 1) / alignment * alignment;
  const uint64_t size = times(declaration->element, declaration->elements);
  *end = offset + size < UINT32_MAX ? offset + size : UINT32_MAX;
  outliner->full = outliner->full || outline->parameter_count >= WB_PTX_OUTLINE_PARAMETERS;
  if (outliner->full ||
      !wb_grow(outline->parameters, &outline->parameter_capacity, outline->parameter_count + 1)) {
    outliner->failed = true;
    return;
  }
  outline->parameters[outline->parameter_count++] = (struct wb_ptx_outline_parameter){
      declaration->name, (uint32_t)(offset < UINT32_MAX ? offset : UINT32_MAX), (uint32_t)size};
}

/* The parameters between '(' and ')', the next token being '('. */
static void take_parameters(struct outliner *outliner, struct wb_ptx_outline_kernel *kernel)
{
  struct declaration declaration = {.elements = 1};
  uint64_t end = 0;
  advance(outliner);
  while (outliner->token.kind != WB_PTX_END && !outliner->failed) {
    const int kind = outliner->token.kind;
    if (kind == WB_PTX_DIRECTIVE)
      take_directive(outliner, &declaration);
    else if (kind == WB_PTX_WORD)
      declaration.name = keep_token(outliner);
    else if (kind == '[')
      take_dimension(outliner, &declaration);
    if ((kind == ',' || kind == ')') && declaration.name != NULL) {
      add_parameter(outliner, &declaration, &end);
      kernel->parameter_count++;
      declaration = (struct declaration){.elements = 1};
    }
    advance(outliner);
    if (kind == ')')
      return;
  }
}

/* `X, Y, Z` after .maxntid, .reqntid or a size of clusters; what is left out is 1. */
static void take_threads(struct outliner *outliner, uint32_t threads[3])
{
  threads[0] = threads[1] = threads[2] = 1;
  advance(outliner);
  for (size_t i = 0; i < 3 && outliner->token.kind == WB_PTX_INTEGER; i++) {
    const uint64_t value = outliner->token.value;
    threads[i] = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    advance(outliner);
    if (outliner->token.kind != ',')
      return;
    advance(outliner);
  }
}

/* The words between the parameters and the body. */
static void take_bounds(struct outliner *outliner, struct wb_ptx_outline_kernel *kernel)
{
  while (outliner->token.kind != WB_PTX_END && outliner->token.kind != '{' &&
         outliner->token.kind != ';') {
    if (at(outliner, ".maxntid"))
      take_threads(outliner, kernel->max_threads);
    else if (at(outliner, ".reqntid"))
      take_threads(outliner, kernel->required_threads);
    else if (at(outliner, ".reqnctapercluster"))
      take_threads(outliner, kernel->cluster);
    else if (at(outliner, ".maxclusterrank"))
      take_threads(outliner, kernel->most_cluster);
    else if (at(outliner, ".explicitcluster")) {
      kernel->clustered = true;
      advance(outliner);
    } else
      advance(outliner);
  }
}

/* A kernel from .entry on; one without a body is declared only. */
static void take_kernel(struct outliner *outliner)
{
  struct wb_ptx_outline *outline = outliner->outline;
  advance(outliner);
  if (outliner->token.kind != WB_PTX_WORD)
    return;
  struct wb_ptx_outline_kernel kernel = {.name = keep_token(outliner),
                                         .first_parameter = outline->parameter_count};
  advance(outliner);
  if (outliner->token.kind == '(')
    take_parameters(outliner, &kernel);
  take_bounds(outliner, &kernel);
  if (outliner->failed || outliner->token.kind != '{')
    return;
  outliner->full = outline->kernel_count >= WB_PTX_OUTLINE_KERNELS;
  if (outliner->full ||
      !wb_grow(outline->kernels, &outline->kernel_capacity, outline->kernel_count + 1))
    outliner->failed = true;
  else
    outline->kernels[outline->kernel_count++] = kernel;
}

/* The next word, of .version or .target. */
static void take_word(struct outliner *outliner, char *text, size_t size)
{
  advance(outliner);
  if (text[0] == '\0')
    copy_token(&outliner->token, text, size);
}

static void take_all(struct outliner *outliner)
{
  struct wb_ptx_outline *outline = outliner->outline;
  if (!at(outliner, ".version"))
    return;
  while (outliner->token.kind != WB_PTX_END && !outliner->failed) {
    if (at(outliner, ".version"))
      take_word(outliner, outline->version, sizeof outline->version);
    else if (at(outliner, ".target"))
      take_word(outliner, outline->target, sizeof outline->target);
    else if (at(outliner, ".entry"))
      take_kernel(outliner);
    else
      advance(outliner);
  }
}

warpbound_status wb_ptx_outline_read(const char *text, size_t length,
                                     struct wb_ptx_outline *outline, warpbound_error *error)
{
  struct outliner outliner = {.outline = outline};
  *outline = (struct wb_ptx_outline){0};
  wb_ptx_lexer_start(&outliner.lexer, text, length);
  advance(&outliner);
  take_all(&outliner);
  if (!outliner.failed)
    return WARPBOUND_OK;
  wb_ptx_outline_free(outline);
  if (outliner.full)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "expected at most %zu kernels and %zu parameters in PTX", WB_PTX_OUTLINE_KERNELS,
                   WB_PTX_OUTLINE_PARAMETERS);
  return wb_out_of_memory(error);
}

void wb_ptx_outline_free(struct wb_ptx_outline *outline)
{
  free(outline->kernels);
  free(outline->parameters);
  wb_name_pool_free(&outline->names);
  *outline = (struct wb_ptx_outline){0};
}
