#include "simt_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_LIMIT 40
#define MOST_WORDS 12

struct opcode {
  const char *name;
  uint8_t transfer;
  uint8_t token;
  uint8_t agreement;
};

static const struct opcode opcodes[] = {
    {"MOV", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"SETP", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"LDG", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_MEMORY},
    {"TID", WB_TRANSFER_NEXT, 0, WB_AGREES_NEVER},
    {"CTA", WB_TRANSFER_NEXT, 0, WB_AGREES_ALWAYS},
    {"VOTE", WB_TRANSFER_NEXT, 0, WB_AGREES_ALWAYS},
    {"MYSTERY", WB_TRANSFER_NEXT, 0, WB_AGREES_NEVER},
    {"BRA", WB_TRANSFER_BRANCH, 0, 0},
    {"BRA.U", WB_TRANSFER_BRANCH, 0, 0},
    {"BRA.CC", WB_TRANSFER_BRANCH, 0, 0},
    {"BRX", WB_TRANSFER_INDEXED_BRANCH, 0, 0},
    {"SSY", WB_TRANSFER_PUSH, WB_TOKEN_SYNC, 0},
    {"PBK", WB_TRANSFER_PUSH, WB_TOKEN_BREAK, 0},
    {"PCNT", WB_TRANSFER_PUSH, WB_TOKEN_CONTINUE, 0},
    {"PRET", WB_TRANSFER_PUSH, WB_TOKEN_RETURN, 0},
    {"SYNC", WB_TRANSFER_POP, WB_TOKEN_SYNC, 0},
    {"BRK", WB_TRANSFER_POP, WB_TOKEN_BREAK, 0},
    {"CONT", WB_TRANSFER_POP, WB_TOKEN_CONTINUE, 0},
    {"RET", WB_TRANSFER_POP, WB_TOKEN_RETURN, 0},
    {"CAL", WB_TRANSFER_CALL, WB_TOKEN_RETURN, 0},
    {"JCAL", WB_TRANSFER_CALL_OUTSIDE, 0, 0},
    {"RET.X", WB_TRANSFER_POP, WB_TOKEN_RETURN, 0},
    {"EXIT", WB_TRANSFER_EXIT, 0, 0},
    {"LONGJMP", WB_TRANSFER_UNSUPPORTED, 0, 0},
    {"BSSY", WB_TRANSFER_SCOPE_OPEN, 0, 0},
};

/* What is being made; lines and the arrays of the function. */
struct maker {
  const char *const *lines;
  struct wb_function *function;
};

/* Cuts a line at spaces. */
static size_t cut(const char *line, char words[MOST_WORDS][WORD_LIMIT])
{
  size_t count = 0;
  int used = 0;
  while (count < MOST_WORDS && sscanf(line, "%39s%n", words[count], &used) == 1) {
    line += used;
    count++;
  }
  return count;
}

uint32_t simt_text_label(const char *const *lines, const char *label)
{
  const size_t length = strlen(label);
  for (uint32_t i = 0; lines[i] != NULL; i++) {
    if (strncmp(lines[i], label, length) == 0 && lines[i][length] == ':')
      return i;
  }
  fail_msg("no label %s", label);
  return 0;
}

static uint16_t register_of(const char *word)
{
  if (strcmp(word, "CC") == 0)
    return WB_REGISTER_CONDITION_CODE;
  if (word[0] == 'U')
    return (uint16_t)(WB_REGISTER_UNIFORM + atoi(word + 2));
  return (uint16_t)((word[0] == 'P' ? WB_REGISTER_PREDICATE : WB_REGISTER_GENERAL) +
                    atoi(word + 1));
}

static void add_span(struct maker *maker, uint16_t number, uint16_t *count)
{
  maker->function->spans[maker->function->span_count++] = (struct wb_register_span){number, 1};
  (*count)++;
}

static void add_target(struct maker *maker, const char *label, uint32_t *count)
{
  maker->function->targets[maker->function->target_count++] = simt_text_label(maker->lines, label);
  (*count)++;
}

static void set_opcode(struct wb_instruction *made, const char *name)
{
  size_t o = 0;
  while (o < sizeof opcodes / sizeof opcodes[0] && strcmp(opcodes[o].name, name) != 0)
    o++;
  assert_true(o < sizeof opcodes / sizeof opcodes[0]);
  made->opcode = opcodes[o].name;
  made->transfer = opcodes[o].transfer;
  made->token = opcodes[o].token;
  made->agreement = opcodes[o].agreement;
  made->unknown = strcmp(name, "MYSTERY") == 0 || strcmp(name, "RET.X") == 0;
  made->uniform = strcmp(name, "BRA.U") == 0;
  made->conditional_code = strcmp(name, "BRA.CC") == 0;
}

/* What the instruction reads, its targets, what it writes, in this order: each lies together. */
static void set_operands(struct maker *maker, struct wb_instruction *made,
                         char (*words)[WORD_LIMIT], size_t count)
{
  const bool data = made->transfer == WB_TRANSFER_NEXT;
  const bool indexed = made->transfer == WB_TRANSFER_INDEXED_BRANCH;
  size_t end = count;
  made->first_read = (uint32_t)maker->function->span_count;
  if (made->guard != WB_NO_REGISTER)
    add_span(maker, made->guard, &made->read_count);
  if (made->conditional_code)
    add_span(maker, WB_REGISTER_CONDITION_CODE, &made->read_count);
  for (size_t w = data ? 1 : 0; (data || indexed) && w < (data ? count : 1); w++)
    add_span(maker, register_of(words[w]), &made->read_count);
  made->first_write = (uint32_t)maker->function->span_count;
  if (data && count > 0)
    add_span(maker, register_of(words[0]), &made->write_count);
  made->first_target = (uint32_t)maker->function->target_count;
  for (size_t w = 0; w < count; w++)
    end = strcmp(words[w], "=") == 0 ? w : end;
  for (size_t w = indexed ? 1 : 0; !data && made->transfer != WB_TRANSFER_CALL_OUTSIDE && w < end;
       w++)
    add_target(maker, words[w], &made->target_count);
  struct wb_annotation annotation = {.instruction =
                                         (uint32_t)(made - maker->function->instructions),
                                     .first_target = (uint32_t)maker->function->target_count};
  for (size_t w = end + 1; w < count; w++)
    add_target(maker, words[w], &annotation.target_count);
  if (annotation.target_count > 0)
    maker->function->annotations[maker->function->annotation_count++] = annotation;
  if (made->transfer == WB_TRANSFER_CALL_OUTSIDE)
    made->callee = "vprintf";
}

static void add_line(struct maker *maker, const char *line)
{
  char words[MOST_WORDS][WORD_LIMIT];
  const size_t count = cut(line, words);
  size_t word = 0;
  struct wb_function *function = maker->function;
  const uint32_t index = (uint32_t)function->instruction_count++;
  struct wb_instruction *made = &function->instructions[index];
  *made = (struct wb_instruction){.operands = "",
                                  .address = index * 8,
                                  .line = index + 1,
                                  .column = 1,
                                  .guard = WB_NO_REGISTER};
  if (strchr(words[word], ':') != NULL)
    word++;
  if (words[word][0] == '@') {
    made->guard_negated = words[word][1] == '!';
    made->never = strcmp(words[word], "@!PT") == 0;
    if (!made->never)
      made->guard = register_of(words[word] + (made->guard_negated ? 2 : 1));
    word++;
  }
  set_opcode(made, words[word]);
  set_operands(maker, made, words + word + 1, count - word - 1);
}

void simt_text_make(const char *const *lines, struct wb_code *code)
{
  size_t count = 0;
  while (lines[count] != NULL)
    count++;
  *code = (struct wb_code){.language = WB_LANGUAGE_SASS, .function_count = 1};
  code->name = wb_copy_text("test.sass", 9);
  code->functions = wb_allocate(1, sizeof *code->functions);
  assert_non_null(code->functions);
  struct wb_function *function = code->functions;
  *function =
      (struct wb_function){.name = "kernel", .line = 1, .sm = 52, .kernel = true, .defined = true};
  function->instructions = wb_allocate(count, sizeof *function->instructions);
  function->spans = wb_allocate(count * MOST_WORDS, sizeof *function->spans);
  function->targets = wb_allocate(count * MOST_WORDS, sizeof *function->targets);
  assert_non_null(function->instructions);
  assert_non_null(function->spans);
  function->annotations = wb_allocate(count, sizeof *function->annotations);
  assert_non_null(function->targets);
  assert_non_null(function->annotations);
  struct maker maker = {lines, function};
  for (size_t i = 0; i < count; i++)
    add_line(&maker, lines[i]);
}
