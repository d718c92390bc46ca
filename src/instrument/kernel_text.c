#include "instrument/kernel_text.h"

#include "base/status.h"
#include "frontend/ptx/ptx_lexer.h"

#include <stdlib.h>
#include <string.h>

/* A walk over the tokens of a text that the front end has accepted. */
struct walk {
  const char *text;
  struct wb_ptx_lexer lexer;
  struct wb_ptx_token token;     /* the next one */
  struct wb_ptx_token before[3]; /* the last ones that were taken, the latest first */
  struct wb_kernel_text *found;
  const struct wb_function *function;
  size_t next_instruction;
  struct wb_text_part location; /* the last .loc of the body */
  bool in_instruction; /* its opcode was met, and its ';' not yet: words with dots are its own */
  bool wide_registers;
  bool size_given;
};

static size_t offset_of(const struct walk *walk, const struct wb_ptx_token *token)
{
  return (size_t)(token->text - walk->text);
}

static void take(struct walk *walk)
{
  walk->before[2] = walk->before[1];
  walk->before[1] = walk->before[0];
  walk->before[0] = walk->token;
  walk->token = wb_ptx_lexer_next(&walk->lexer);
}

static bool at(const struct walk *walk, const char *word)
{
  return wb_ptx_token_is(&walk->token, word);
}

static bool ended(const struct walk *walk)
{
  return walk->token.kind == WB_PTX_END || walk->token.kind == WB_PTX_INVALID;
}

static size_t end_of_last(const struct walk *walk)
{
  return offset_of(walk, &walk->before[0]) + walk->before[0].length;
}

/* ---- the head ---- */

/* 806 of "8.6". */
static uint32_t version_of(const struct wb_ptx_token *token)
{
  const char *dot = memchr(token->text, '.', token->length);
  uint32_t major = 0;
  uint32_t minor = 0;
  for (size_t i = 0; i < token->length && i < 8; i++) {
    const char *c = token->text + i;
    if (*c >= '0' && *c <= '9' && (dot == NULL || c < dot))
      major = major * 10 + (uint32_t)(*c - '0');
    else if (*c >= '0' && *c <= '9')
      minor = minor * 10 + (uint32_t)(*c - '0');
  }
  return major < 10000 && minor < 100 ? major * 100 + minor : 0;
}

/* The directives that stand before all others. */
static void read_head(struct walk *walk)
{
  for (;;) {
    if (at(walk, ".version")) {
      take(walk);
      walk->found->version = version_of(&walk->token);
      take(walk);
    } else if (at(walk, ".target")) {
      take(walk);
      while (walk->token.kind == WB_PTX_WORD) {
        take(walk);
        if (walk->token.kind != ',')
          break;
        take(walk);
      }
    } else if (at(walk, ".address_size")) {
      take(walk);
      walk->size_given = true;
      walk->found->wide = walk->token.value == 64;
      take(walk);
    } else {
      break;
    }
  }
  walk->found->head_end = end_of_last(walk);
}

/* ---- what is noted of any token ---- */

/* The largest file number, and whether registers have 64 bits. */
static void note(struct walk *walk)
{
  const bool file = at(walk, ".file") || at(walk, ".loc");
  const bool wide = at(walk, ".u64") || at(walk, ".b64") || at(walk, ".s64");
  walk->wide_registers |= wide && wb_ptx_token_is(&walk->before[0], ".reg");
  take(walk);
  if (file && walk->token.kind == WB_PTX_INTEGER && walk->token.value <= UINT32_MAX &&
      walk->token.value > walk->found->file_number)
    walk->found->file_number = (uint32_t)walk->token.value;
}

/* Takes a token; of one that begins a text in another language, that text too. */
static void pass(struct walk *walk)
{
  if (at(walk, ".source_begin"))
    wb_ptx_lexer_skip_to(&walk->lexer, ".source_end");
  note(walk);
}

/* ---- the body ---- */

/* Takes `count` tokens. */
static void take_some(struct walk *walk, unsigned count)
{
  for (unsigned i = 0; i < count && !ended(walk); i++)
    note(walk);
}

/* `.loc 1 2 3, function_name $L+4, inlined_at 1 2 3` */
static void take_location(struct walk *walk)
{
  walk->location.start = offset_of(walk, &walk->token);
  take_some(walk, 4);
  while (walk->token.kind == ',') {
    take_some(walk, 1);
    const bool name = at(walk, "function_name");
    take_some(walk, name ? 2 : 4);
    if (name && walk->token.kind == '+')
      take_some(walk, 2);
  }
  walk->location.length = end_of_last(walk) - walk->location.start;
}

/* The body; the next token is its opening brace. */
static void read_body(struct walk *walk)
{
  size_t depth = 0;
  walk->found->body_start = offset_of(walk, &walk->token) + 1;
  do {
    const struct wb_instruction *next = walk->next_instruction < walk->function->instruction_count
                                            ? &walk->function->instructions[walk->next_instruction]
                                            : NULL;
    if (next != NULL && walk->token.line == next->line && walk->token.column == next->column) {
      /* The next token is the opcode of the next instruction. */
      const struct wb_ptx_token *first = &walk->token;
      struct wb_instruction_place *place = &walk->found->places[walk->next_instruction++];
      place->location = walk->location;
      if (next->guarded) {
        place->guard =
            (struct wb_text_part){offset_of(walk, &walk->before[0]), walk->before[0].length};
        place->guard_negated = walk->before[1].kind == '!';
        first = &walk->before[place->guard_negated ? 2 : 1];
      }
      place->start = offset_of(walk, first);
      walk->in_instruction = true;
    }
    depth += walk->token.kind == '{';
    depth -= walk->token.kind == '}';
    if (depth == 0)
      walk->found->body_end = offset_of(walk, &walk->token);
    walk->in_instruction &= walk->token.kind != ';';
    if (walk->in_instruction)
      note(walk);
    else if (at(walk, ".loc"))
      take_location(walk);
    else
      pass(walk);
  } while (depth > 0 && !ended(walk));
}

/* Goes on to the brace that opens the body, or to the ';' of a declaration: after the name. */
static void pass_heading(struct walk *walk)
{
  while (!ended(walk) && walk->token.kind != '{' && walk->token.kind != ';') {
    if (at(walk, ".pragma"))
      while (!ended(walk) && walk->token.kind != ';')
        pass(walk);
    pass(walk);
  }
}

warpbound_status wb_kernel_text_read(const struct wb_code *code, size_t kernel, const char *text,
                                     size_t length, struct wb_arena *arena,
                                     struct wb_kernel_text *places, warpbound_error *error)
{
  const struct wb_function *function = &code->functions[kernel];
  const bool known = strncmp(code->target, "sm_", 3) == 0; /* 75 of "sm_75", "sm_75a" */
  const unsigned long target = known ? strtoul(code->target + 3, NULL, 10) : 0;
  *places = (struct wb_kernel_text){.target = target < 100000 ? (uint32_t)target : 0};
  places->places = wb_arena_array(arena, struct wb_instruction_place, function->instruction_count);
  if (places->places == NULL)
    return wb_out_of_memory(error);
  struct walk walk = {.text = text, .found = places, .function = function};
  wb_ptx_lexer_start(&walk.lexer, text, length);
  bool found = false;
  walk.token = wb_ptx_lexer_next(&walk.lexer);
  read_head(&walk);
  while (!ended(&walk)) {
    const bool named =
        !found && walk.token.line == walk.function->line && at(&walk, walk.function->name);
    pass(&walk);
    if (named)
      pass_heading(&walk);
    if (named && walk.token.kind == '{') {
      read_body(&walk);
      found = true;
    }
  }
  if (!walk.size_given)
    walk.found->wide = walk.wide_registers;
  return (found && walk.token.kind == WB_PTX_END &&
          walk.next_instruction == walk.function->instruction_count)
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_INTERNAL, "the text of kernel %s was not found again",
                       function->name);
}

uint64_t wb_free_prefix(const char *text, size_t length)
{
  static const char word[] = "warpbound";
  const size_t word_length = sizeof word - 1;
  uint64_t next = 0;
  for (size_t i = 0; i + word_length <= length; i++) {
    if (text[i] != 'w' || memcmp(text + i, word, word_length) != 0)
      continue;
    /* The N of a "warpbound" N "_"; one of 16 digits or more no free prefix has. */
    const size_t first = i + word_length;
    size_t end = first;
    uint64_t number = 0;
    while (end < length && text[end] >= '0' && text[end] <= '9' && end - first < 16)
      number = number * 10 + (uint64_t)(text[end++] - '0');
    if (end < length && text[end] == '_' && number >= next)
      next = number + 1;
  }
  return next;
}
