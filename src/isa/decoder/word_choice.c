#include "isa/decoder/word_choice.h"

#include "base/memory.h"

#include <string.h>

/* More values than any field of modifiers has. */
enum { MOST_VALUES = 1024 };

static enum wb_word_compiled add_text(struct wb_word_code *code, const char *text, const char *end,
                                      struct wb_word_option *option)
{
  if (end - text > UINT8_MAX)
    return WB_WORD_MALFORMED;
  *option = (struct wb_word_option){.kind = WB_WORD_OPTION_TEXT, .length = (uint8_t)(end - text)};
  return wb_word_characters_append(code, text, option->length, &option->place) ? WB_WORD_COMPILED
                                                                               : WB_WORD_NO_MEMORY;
}

/* A text of a list, or what stands for one. */
static enum wb_word_compiled read_option(struct wb_word_code *code, const char *text,
                                         const char *end, struct wb_word_option *option)
{
  if (end - text != 1 || (*text != '?' && *text != '!'))
    return add_text(code, text, end, option);
  *option = (struct wb_word_option){.kind = *text == '?' ? WB_WORD_OPTION_OTHERWISE
                                                         : WB_WORD_OPTION_NEVER};
  return WB_WORD_COMPILED;
}

/* Puts an option at a value; values that are passed over have no text. */
static enum wb_word_compiled put_option(struct wb_word_code *code, struct wb_word_choice *choice,
                                        uint32_t value, struct wb_word_option option)
{
  if (value >= MOST_VALUES)
    return WB_WORD_MALFORMED;
  size_t needed = choice->first + (size_t)value + 1;
  if (!wb_grow(code->options, &code->option_capacity, needed))
    return WB_WORD_NO_MEMORY;
  for (; choice->count <= value; choice->count++)
    code->options[code->option_count++] = (struct wb_word_option){.kind = WB_WORD_OPTION_OTHERWISE};
  code->options[choice->first + value] = option;
  if (option.length > choice->longest)
    choice->longest = option.length;
  return WB_WORD_COMPILED;
}

static enum wb_word_compiled read_options(struct wb_word_code *code, const char *list,
                                          const char *end, struct wb_word_choice *choice)
{
  uint32_t value = 0;
  for (const char *at = list;; at++, value++) {
    const char *behind = at, *text_end;
    uint32_t given;
    if (wb_word_number_read(&behind, end, &given) && behind < end && *behind == ':') {
      value = given;
      at = behind + 1;
    }
    text_end = memchr(at, '/', (size_t)(end - at));
    if (text_end == NULL)
      text_end = end;
    struct wb_word_option option;
    enum wb_word_compiled compiled = read_option(code, at, text_end, &option);
    if (compiled == WB_WORD_COMPILED)
      compiled = put_option(code, choice, value, option);
    if (compiled != WB_WORD_COMPILED || text_end == end)
      return compiled;
    at = text_end;
  }
}

/* Whether the first text of a choice that is not empty begins with a full stop. */
static bool is_of_modifiers(const struct wb_word_code *code, const struct wb_word_choice *choice)
{
  for (uint32_t i = 0; i < choice->count; i++) {
    const struct wb_word_option *option = &code->options[choice->first + i];
    if (option->length > 0)
      return code->characters[option->place] == '.';
  }
  return false;
}

static enum wb_word_compiled read_otherwise(struct wb_word_code *code, const char *otherwise,
                                            struct wb_word_choice *choice)
{
  const char *number = strstr(otherwise, "%u");
  const char *after = number != NULL ? number + 2 : otherwise + strlen(otherwise);
  const char *before_end = number != NULL ? number : after;
  enum wb_word_compiled compiled = add_text(code, otherwise, before_end, &choice->before);
  if (compiled == WB_WORD_COMPILED)
    compiled = add_text(code, after, after + strlen(after), &choice->after);
  if (number == NULL) /* no number: the text is all before it, and `after` says so */
    choice->after.kind = WB_WORD_OPTION_NEVER;
  uint32_t longest = choice->before.length + 20U + choice->after.length;
  if (longest > choice->longest)
    choice->longest = longest;
  return compiled;
}

/* Lists of equal texts may be one string to the compiler, though they print other values in other
 * ways. */
static bool find_choice(const struct wb_word_code *code, const char *list, const char *otherwise,
                        uint32_t *number)
{
  for (size_t c = 0; c < code->choice_count; c++) {
    if (code->choices[c].source == list && code->choices[c].otherwise == otherwise) {
      *number = (uint32_t)c;
      return true;
    }
  }
  return false;
}

enum wb_word_compiled wb_word_choice_compile(struct wb_word_code *code, const char *list,
                                             const char *end, const char *otherwise,
                                             uint32_t *number)
{
  if (find_choice(code, list, otherwise, number))
    return WB_WORD_COMPILED;
  if (code->option_count > UINT32_MAX / 2 ||
      !wb_grow(code->choices, &code->choice_capacity, code->choice_count + 1))
    return WB_WORD_NO_MEMORY;
  struct wb_word_choice choice = {
      .source = list, .otherwise = otherwise, .first = (uint32_t)code->option_count};
  enum wb_word_compiled compiled = read_options(code, list, end, &choice);
  if (compiled != WB_WORD_COMPILED)
    return compiled;
  if (otherwise == NULL)
    otherwise = is_of_modifiers(code, &choice) ? ".INVALID%u" : "INVALID%u";
  compiled = read_otherwise(code, otherwise, &choice);
  if (compiled == WB_WORD_COMPILED) {
    *number = (uint32_t)code->choice_count;
    code->choices[code->choice_count++] = choice;
  }
  return compiled;
}
