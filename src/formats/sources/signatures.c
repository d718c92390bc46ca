#include "formats/sources/signatures.h"

#include "base/memory.h"
#include "base/text/ascii.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- tokens ---- */

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_SIGN };

/* A word (a name, keyword or number), or one sign. */
struct token {
  enum token_kind kind;
  const char *text;
  size_t length;
  uint32_t line;
};

struct scanner {
  const char *at, *end;
  uint32_t line;
  bool line_start; /* nothing but blanks and comments stands before it in its line */
};

static bool is_word_character(char c)
{
  return wb_is_alphanumeric(c) || c == '_';
}

/* Past one character. */
static void step(struct scanner *scanner)
{
  if (*scanner->at == '\n') {
    scanner->line++;
    scanner->line_start = true;
  }
  scanner->at++;
}

static bool stands(const struct scanner *scanner, const char *text)
{
  const size_t length = strlen(text);
  return (size_t)(scanner->end - scanner->at) >= length && memcmp(scanner->at, text, length) == 0;
}

/* Past the next `text`, or to the end. */
static void skip_past(struct scanner *scanner, const char *text)
{
  while (scanner->at < scanner->end && !stands(scanner, text))
    step(scanner);
  for (size_t i = 0; i < strlen(text) && scanner->at < scanner->end; i++)
    step(scanner);
}

/* Past a text or a character between two quotation marks, at the first of which the scanner is. One
 * that its line does not close ends there. */
static void skip_quoted(struct scanner *scanner)
{
  const char mark = *scanner->at;
  step(scanner);
  while (scanner->at < scanner->end && *scanner->at != mark && *scanner->at != '\n') {
    if (*scanner->at == '\\' && scanner->end - scanner->at > 1)
      step(scanner);
    step(scanner);
  }
  if (scanner->at < scanner->end && *scanner->at == mark)
    step(scanner);
}

/* Past a raw text R"delimiter( ... )delimiter", at whose quotation mark the scanner is. */
static void skip_raw(struct scanner *scanner)
{
  char close[20] = ")";
  size_t length = 1;
  step(scanner);
  /* A delimiter has at most 16 characters (C++ standard, [lex.string]). */
  while (scanner->at < scanner->end && *scanner->at != '(' && length <= 16) {
    close[length++] = *scanner->at;
    step(scanner);
  }
  close[length++] = '"';
  close[length] = '\0';
  skip_past(scanner, close);
}

/* Past a directive of the preprocessor, with the lines that a backslash joins to it. */
static void skip_preprocessor(struct scanner *scanner)
{
  while (scanner->at < scanner->end && *scanner->at != '\n') {
    if (stands(scanner, "//"))
      break;
    if (stands(scanner, "/*")) {
      skip_past(scanner, "*/");
      continue;
    }
    if (*scanner->at == '\\' && scanner->end - scanner->at > 1) {
      step(scanner);
      if (*scanner->at == '\r' && scanner->end - scanner->at > 1)
        step(scanner);
    }
    step(scanner);
  }
}

/* Past what is no token: true where something was skipped. */
static bool skip_one(struct scanner *scanner)
{
  const char c = *scanner->at;
  if (c == ' ' || (c >= '\t' && c <= '\r'))
    step(scanner);
  else if (stands(scanner, "//"))
    skip_past(scanner, "\n");
  else if (stands(scanner, "/*"))
    skip_past(scanner, "*/");
  else if (c == '#' && scanner->line_start)
    skip_preprocessor(scanner);
  else if (c == '"' || c == '\'')
    skip_quoted(scanner);
  else
    return false;
  return true;
}

static bool is_one_of(const struct token *token, const char *const *words, size_t count)
{
  for (size_t w = 0; w < count; w++) {
    if (strlen(words[w]) == token->length && memcmp(words[w], token->text, token->length) == 0)
      return token->kind == TOKEN_WORD;
  }
  return false;
}

static struct token next_token(struct scanner *scanner)
{
  static const char *const raw_prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
  while (scanner->at < scanner->end && skip_one(scanner))
    ;
  struct token token = {TOKEN_END, scanner->at, 0, scanner->line};
  scanner->line_start = false;
  if (scanner->at == scanner->end)
    return token;
  token.kind = is_word_character(*scanner->at) ? TOKEN_WORD : TOKEN_SIGN;
  do
    step(scanner);
  while (token.kind == TOKEN_WORD && scanner->at < scanner->end && is_word_character(*scanner->at));
  token.length = (size_t)(scanner->at - token.text);
  if (token.kind == TOKEN_WORD && scanner->at < scanner->end && *scanner->at == '"' &&
      is_one_of(&token, raw_prefixes, COUNT(raw_prefixes)))
    skip_raw(scanner);
  return token;
}

static bool is_sign(const struct token *token, char sign)
{
  return token->kind == TOKEN_SIGN && *token->text == sign;
}

/* ---- signatures ---- */

/* What may stand before a parenthesis between __global__ and the kernel's name. */
static const char *const attributes[] = {
    "__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__", "__attribute__",
    "__declspec",        "alignas",          "decltype",       "noexcept",
};

/* Words that end a parameter without a name. */
static const char *const types[] = {
    "bool",
    "char",
    "short",
    "int",
    "long",
    "unsigned",
    "signed",
    "float",
    "double",
    "void",
    "const",
    "volatile",
    "restrict",
    "auto",
    "__restrict__",
    "__restrict",
    "__grid_constant__",
};

/* A signature being read. */
struct reader {
  struct scanner scanner;
  struct wb_signatures *signatures;
  struct wb_signature signature;
  warpbound_error *error;
};

/* Past the parenthesis that closes the one just read. False: there is none. */
static bool skip_parentheses(struct scanner *scanner)
{
  for (unsigned depth = 1; depth > 0;) {
    const struct token token = next_token(scanner);
    if (token.kind == TOKEN_END)
      return false;
    depth += is_sign(&token, '(');
    depth -= is_sign(&token, ')');
  }
  return true;
}

/* The kernel's name, with the scanner behind the parenthesis of its parameters. False: none is
 * declared here. */
static bool find_name(struct scanner *scanner, struct token *name)
{
  unsigned arguments = 0; /* how deep in template arguments */
  *name = (struct token){TOKEN_END, NULL, 0, 0};
  for (;;) {
    const struct token token = next_token(scanner);
    if (token.kind == TOKEN_END || is_sign(&token, ';') || is_sign(&token, '{') ||
        is_sign(&token, '}') || is_sign(&token, '#'))
      return false;
    if (is_sign(&token, '<'))
      arguments++;
    else if (is_sign(&token, '>') && arguments > 0)
      arguments--;
    else if (is_sign(&token, '(') && arguments == 0 && name->kind == TOKEN_WORD &&
             !is_one_of(name, attributes, COUNT(attributes)))
      return true;
    else if (is_sign(&token, '(') && !skip_parentheses(scanner))
      return false;
    else if (token.kind == TOKEN_WORD && arguments == 0)
      *name = token;
  }
}

static warpbound_status add_name(struct reader *reader, const struct token *name)
{
  struct wb_signatures *signatures = reader->signatures;
  const char *text = NULL;
  if (name != NULL)
    text = wb_name_pool_copy(&signatures->texts, name->text, name->length);
  if ((name != NULL && text == NULL) ||
      !wb_grow(signatures->names, &signatures->name_capacity, signatures->name_count + 1))
    return wb_out_of_memory(reader->error);
  signatures->names[signatures->name_count++] = text;
  reader->signature.count++;
  return WARPBOUND_OK;
}

/* One parameter: how many words it has, its last token before a default value or the brackets of an
 * array, and whether parentheses (a pointer to a function) hide its name. */
struct parameter {
  size_t words;
  struct token last;
  bool ended, hidden;
};

static warpbound_status end_parameter(struct reader *reader, const struct parameter *parameter)
{
  const bool named = parameter->words > 1 && parameter->last.kind == TOKEN_WORD &&
                     !parameter->hidden && !wb_is_digit(*parameter->last.text) &&
                     !is_one_of(&parameter->last, types, COUNT(types));
  return add_name(reader, named ? &parameter->last : NULL);
}

/* How deep the token after it is in parentheses, brackets and template arguments. */
static size_t depth_after(const struct token *token, size_t depth, bool ended)
{
  const char sign = token->kind == TOKEN_SIGN ? *token->text : '\0';
  if (sign == '(' || sign == '[' || sign == '{' || (sign == '<' && !ended))
    return depth + 1;
  const bool closes = sign == ')' || sign == ']' || sign == '}' || (sign == '>' && !ended);
  return closes && depth > 0 ? depth - 1 : depth;
}

/* The parameters up to the parenthesis that closes them; *whole: all of them were understood. */
static warpbound_status read_parameters(struct reader *reader, bool *whole)
{
  struct parameter parameter = {0};
  size_t depth = 0;
  warpbound_status status = WARPBOUND_OK;
  *whole = false;
  while (status == WARPBOUND_OK && reader->signature.count < WB_SIGNATURE_PARAMETER_LIMIT) {
    const struct token token = next_token(&reader->scanner);
    const bool closes = is_sign(&token, ')') && depth == 0;
    if (token.kind == TOKEN_END || is_sign(&token, ';') || (depth == 0 && is_sign(&token, '.')))
      return WARPBOUND_OK;
    if (closes || (is_sign(&token, ',') && depth == 0)) {
      *whole = closes;
      const bool none = closes && reader->signature.count == 0 &&
                        (parameter.words == 0 ||
                         (parameter.words == 1 && memcmp(parameter.last.text, "void", 4) == 0 &&
                          parameter.last.length == 4));
      if (!none)
        status = end_parameter(reader, &parameter);
      parameter = (struct parameter){0};
      if (closes)
        return status;
      continue;
    }
    parameter.ended |= depth == 0 && (is_sign(&token, '=') || is_sign(&token, '['));
    parameter.hidden |= !parameter.ended && is_sign(&token, '(');
    depth = depth_after(&token, depth, parameter.ended);
    if (parameter.ended)
      continue;
    parameter.words += token.kind == TOKEN_WORD || is_sign(&token, '*') || is_sign(&token, '&') ||
                       is_sign(&token, '>');
    parameter.last = depth == 0 ? token : parameter.last;
  }
  return status;
}

/* Reads what follows the word __global__. */
static warpbound_status read_signature(struct reader *reader)
{
  struct wb_signatures *signatures = reader->signatures;
  struct token name;
  bool whole;
  if (!find_name(&reader->scanner, &name))
    return WARPBOUND_OK;
  reader->signature.line = name.line;
  reader->signature.first = signatures->name_count;
  reader->signature.count = 0;
  warpbound_status status = read_parameters(reader, &whole);
  if (status != WARPBOUND_OK || !whole) {
    signatures->name_count = reader->signature.first;
    return status;
  }
  reader->signature.kernel = wb_name_pool_copy(&signatures->texts, name.text, name.length);
  if (reader->signature.kernel == NULL ||
      !wb_grow(signatures->items, &signatures->capacity, signatures->count + 1))
    return wb_out_of_memory(reader->error);
  signatures->items[signatures->count++] = reader->signature;
  return WARPBOUND_OK;
}

warpbound_status wb_signatures_read(const char *file, const char *text, size_t length,
                                    struct wb_signatures *signatures, warpbound_error *error)
{
  static const char *const global[] = {"__global__"};
  struct reader reader = {.scanner = {text, text + length, 1, true},
                          .signatures = signatures,
                          .signature.file = file,
                          .error = error};
  warpbound_status status = WARPBOUND_OK;
  struct token token;
  do {
    token = next_token(&reader.scanner);
    if (is_one_of(&token, global, COUNT(global)))
      status = read_signature(&reader);
  } while (token.kind != TOKEN_END && status == WARPBOUND_OK);
  return status;
}

void wb_signatures_free(struct wb_signatures *signatures)
{
  free(signatures->items);
  free(signatures->names);
  wb_name_pool_free(&signatures->texts);
  *signatures = (struct wb_signatures){0};
}
