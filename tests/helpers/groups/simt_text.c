#include "groups/simt_text.h"

#include "base/memory.h"
#include "unit.h"

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
    {"TIDX", WB_TRANSFER_NEXT, 0, WB_AGREES_NEVER},
    {"OFWARP", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
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
    {"ADD", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"LDC", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"BMOV", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"BMOV.CLEAR", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"STL", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"LDL", WB_TRANSFER_NEXT, 0, WB_AGREES_NEVER},
    {"YIELD", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"NANOSLEEP", WB_TRANSFER_NEXT, 0, WB_AGREES_BY_SOURCES},
    {"BSSY", WB_TRANSFER_SCOPE_OPEN, 0, 0},
    {"BSYNC", WB_TRANSFER_SCOPE_SYNC, 0, 0},
    {"BREAK", WB_TRANSFER_SCOPE_BREAK, 0, 0},
    {"WARPSYNC", WB_TRANSFER_WARP_SYNC, 0, 0},
    {"WARPSYNC.ALL", WB_TRANSFER_WARP_SYNC, 0, 0},
    {"WARPSYNC.EXCLUSIVE", WB_TRANSFER_WARP_SYNC, 0, 0},
    {"WARPSYNC.COLLECTIVE", WB_TRANSFER_WARP_SYNC, 0, 0},
    {"CALL.REL", WB_TRANSFER_CALL_LINKED, 0, 0},
    {"RET.REL", WB_TRANSFER_RETURN_LINKED, 0, 0},
    {"BRA.DIV", WB_TRANSFER_BRANCH, 0, 0},
    {"BRA.CONV", WB_TRANSFER_BRANCH, 0, 0},
};

/* What is being made; lines and the arrays of the function. */
struct maker {
  const char *const *lines;
  struct wb_function *function;
  bool barriers; /* from Volta on */
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

const char *const *simt_lines(const char *text)
{
  static char copy[1 << 20];
  static const char *lines[1 << 15];
  size_t count = 0;
  assert_true(strlen(text) < sizeof copy);
  strcpy(copy, text);
  for (char *line = copy; line != NULL; count++) {
    assert_true(count + 1 < COUNT_OF(lines));
    lines[count] = line;
    line = strstr(line, "; ");
    if (line != NULL) {
      *line = '\0';
      line += 2;
    }
  }
  lines[count] = NULL;
  return lines;
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
    return (uint16_t)((word[1] == 'P' ? WB_REGISTER_UNIFORM_PREDICATE : WB_REGISTER_UNIFORM) +
                      atoi(word + 2));
  if (word[0] == 'B')
    return (uint16_t)(WB_REGISTER_BARRIER + atoi(word + 1));
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
  while (o < COUNT_OF(opcodes) && strcmp(opcodes[o].name, name) != 0)
    o++;
  assert_true(o < COUNT_OF(opcodes));
  made->opcode = opcodes[o].name;
  made->transfer = opcodes[o].transfer;
  made->token = opcodes[o].token;
  made->agreement = opcodes[o].agreement;
  made->unknown = strcmp(name, "MYSTERY") == 0 || strcmp(name, "RET.X") == 0;
  made->uniform = strcmp(name, "BRA.U") == 0;
  made->conditional_code = strcmp(name, "BRA.CC") == 0;
  made->unless_all = strcmp(name, "BRA.DIV") == 0;
  made->together = made->unless_all || strcmp(name, "BRA.CONV") == 0;
}

static void read_guard(struct maker *maker, struct wb_instruction *made)
{
  if (made->guard != WB_NO_REGISTER)
    add_span(maker, made->guard, &made->read_count);
}

/* A call of code outside writes every register; from Volta on all but R1, R2, R16 to R31, those
 * from R36 on, and barrier registers. */
static void add_call_writes(struct maker *maker, struct wb_instruction *made)
{
  static const struct wb_register_span all = {0, WB_REGISTER_COUNT};
  static const struct wb_register_span some[] = {
      {WB_REGISTER_GENERAL, 1},
      {WB_REGISTER_GENERAL + 3, 13},
      {WB_REGISTER_GENERAL + 32, 4},
      {WB_REGISTER_PREDICATE, WB_REGISTER_BARRIER - WB_REGISTER_PREDICATE}};
  const struct wb_register_span *spans = maker->barriers ? some : &all;
  made->write_count = maker->barriers ? sizeof some / sizeof *some : 1;
  for (size_t s = 0; s < made->write_count; s++)
    maker->function->spans[maker->function->span_count++] = spans[s];
  made->agreement = WB_AGREES_NEVER;
}

/* What the instruction reads, its targets, what it writes, in this order: each lies together. */
static void set_stack_operands(struct maker *maker, struct wb_instruction *made,
                               char (*words)[WORD_LIMIT], size_t count)
{
  const bool data = made->transfer == WB_TRANSFER_NEXT;
  const bool indexed = made->transfer == WB_TRANSFER_INDEXED_BRANCH;
  size_t end = count;
  made->first_read = (uint32_t)maker->function->span_count;
  read_guard(maker, made);
  if (made->conditional_code)
    add_span(maker, WB_REGISTER_CONDITION_CODE, &made->read_count);
  for (size_t w = data ? 1 : 0; (data || indexed) && w < (data ? count : 1); w++)
    add_span(maker, register_of(words[w]), &made->read_count);
  made->first_write = (uint32_t)maker->function->span_count;
  if (data && count > 0)
    add_span(maker, register_of(words[0]), &made->write_count);
  if (made->transfer == WB_TRANSFER_CALL_OUTSIDE)
    add_call_writes(maker, made);
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

/* ---- from Volta on ---- */

static bool is_register(const char *word)
{
  const size_t letters = word[0] == 'U' ? 2 : 1;
  return strchr("RPUB", word[0]) != NULL && word[letters] >= '0' && word[letters] <= '9';
}

static uint32_t number_of(const struct maker *maker, const char *word)
{
  if (word[0] == '&')
    return 16 * simt_text_label(maker->lines, word + 1);
  return (uint32_t)strtoul(word + 1, NULL, 0);
}

/* The copy that a data instruction is, if it is one. */
static void tell_copy(struct maker *maker, const struct wb_instruction *made,
                      char (*words)[WORD_LIMIT], size_t count)
{
  const char *name = made->opcode;
  const bool moves = strcmp(name, "MOV") == 0 || strncmp(name, "BMOV", 4) == 0;
  struct wb_copy copy = {.to = WB_NO_REGISTER, .from = WB_NO_REGISTER, .base = WB_NO_REGISTER};
  if (count > 0 && is_register(words[0]))
    copy.to = register_of(words[0]);
  if (strcmp(name, "BMOV.CLEAR") == 0 && copy.to == WB_NO_REGISTER) {
    copy.kind = WB_COPY_NUMBER;
    copy.to = register_of(words[1]);
  } else if (moves && count == 2 && is_register(words[1])) {
    copy.kind = WB_COPY_REGISTER;
    copy.from = register_of(words[1]);
    copy.clears = strcmp(name, "BMOV.CLEAR") == 0;
  } else if (moves && count == 2) {
    copy.kind = WB_COPY_NUMBER;
    copy.value = number_of(maker, words[1]);
  } else if (strcmp(name, "ADD") == 0 && count == 3 && words[2][0] == '#') {
    copy.kind = WB_COPY_REGISTER;
    copy.from = register_of(words[1]);
    copy.value = number_of(maker, words[2]);
  } else if (strcmp(name, "LDC") == 0) {
    copy.kind = WB_COPY_CONSTANT;
    copy.value = number_of(maker, words[1]);
  } else if (strcmp(name, "CTA") == 0) {
    copy.kind = WB_COPY_LAUNCH;
  } else if (strcmp(name, "TIDX") == 0) {
    copy.kind = WB_COPY_THREAD;
  } else if (strcmp(name, "OFWARP") == 0) {
    copy.kind = WB_COPY_OF_WARP;
    copy.from = register_of(words[1]);
  } else if (strcmp(name, "STL") == 0) {
    copy = (struct wb_copy){.value = number_of(maker, words[1]),
                            .to = WB_NO_REGISTER,
                            .from = register_of(words[2]),
                            .base = register_of(words[0]),
                            .kind = WB_COPY_STORE};
  } else if (strcmp(name, "LDL") == 0) {
    copy.kind = WB_COPY_LOAD;
    copy.base = register_of(words[1]);
    copy.value = number_of(maker, words[2]);
  } else {
    return;
  }
  copy.instruction = (uint32_t)(made - maker->function->instructions);
  maker->function->copies[maker->function->copy_count++] = copy;
}

/* Of a data instruction. */
static void set_data_operands(struct maker *maker, struct wb_instruction *made,
                              char (*words)[WORD_LIMIT], size_t count)
{
  const bool stores = strcmp(made->opcode, "STL") == 0;
  const bool clears = strcmp(made->opcode, "BMOV.CLEAR") == 0;
  for (size_t w = stores ? 0 : 1; w < count; w++) {
    if (is_register(words[w]))
      add_span(maker, register_of(words[w]), &made->read_count);
  }
  made->first_write = (uint32_t)maker->function->span_count;
  if (!stores && count > 0 && is_register(words[0]))
    add_span(maker, register_of(words[0]), &made->write_count);
  if (clears)
    add_span(maker, register_of(words[1]), &made->write_count);
  made->yields = strcmp(made->opcode, "YIELD") == 0 || strcmp(made->opcode, "NANOSLEEP") == 0;
  tell_copy(maker, made, words, count);
}

/* What lanes the instruction names, by its first operand, if it has one; of a comparison without a
 * mask all. */
static uint8_t mask_of(const struct maker *maker, const struct wb_instruction *made,
                       char (*words)[WORD_LIMIT], size_t count)
{
  if (strcmp(made->opcode, "WARPSYNC.ALL") == 0)
    return WB_MASK_ALL;
  if (strncmp(made->opcode, "WARPSYNC.", 9) == 0)
    return WB_MASK_OTHER;
  if (made->together && count == 1)
    return WB_MASK_ALL;
  if (count > 0 && is_register(words[0]))
    return WB_MASK_REGISTER;
  return count > 0 && number_of(maker, words[0]) == UINT32_MAX ? WB_MASK_ALL : WB_MASK_OTHER;
}

/* Of a control instruction: registers first, labels last. */
static void set_control_operands(struct maker *maker, struct wb_instruction *made,
                                 char (*words)[WORD_LIMIT], size_t count)
{
  const bool opens = made->transfer == WB_TRANSFER_SCOPE_OPEN;
  if (made->transfer == WB_TRANSFER_WARP_SYNC || made->together)
    made->mask = mask_of(maker, made, words, count);
  for (size_t w = 0; w < count; w++) {
    if (!is_register(words[w]))
      continue;
    const uint16_t number = register_of(words[w]);
    if (number >= WB_REGISTER_BARRIER)
      made->barrier = (uint8_t)(number - WB_REGISTER_BARRIER);
    if (made->transfer == WB_TRANSFER_RETURN_LINKED)
      made->link = number;
    made->second_predicate =
        made->second_predicate || (made->transfer == WB_TRANSFER_BRANCH && !made->together);
    if (!opens)
      add_span(maker, number, &made->read_count);
  }
  made->first_write = (uint32_t)maker->function->span_count;
  if (made->transfer == WB_TRANSFER_CALL_OUTSIDE)
    add_call_writes(maker, made);
  made->first_target = (uint32_t)maker->function->target_count;
  for (size_t w = 0; w < count; w++) {
    if (!is_register(words[w]) && words[w][0] != '#')
      add_target(maker, words[w], &made->target_count);
  }
}

static void set_operands(struct maker *maker, struct wb_instruction *made,
                         char (*words)[WORD_LIMIT], size_t count)
{
  if (!maker->barriers) {
    set_stack_operands(maker, made, words, count);
    return;
  }
  made->first_read = (uint32_t)maker->function->span_count;
  read_guard(maker, made);
  if (made->transfer == WB_TRANSFER_NEXT)
    set_data_operands(maker, made, words, count);
  else
    set_control_operands(maker, made, words, count);
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
                                  .address = index * (maker->barriers ? 16 : 8),
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
    made->guarded = !made->never;
    word++;
  }
  set_opcode(made, words[word]);
  set_operands(maker, made, words + word + 1, count - word - 1);
}

static void make(const char *const *lines, bool barriers, struct wb_code *code)
{
  size_t count = 0;
  while (lines[count] != NULL)
    count++;
  *code = (struct wb_code){.language = WB_LANGUAGE_SASS, .function_count = 1};
  code->name = wb_copy_text("test.sass", 9);
  code->functions = wb_allocate(1, sizeof *code->functions);
  assert_non_null(code->functions);
  struct wb_function *function = code->functions;
  *function = (struct wb_function){
      .name = "kernel", .line = 1, .sm = barriers ? 70 : 52, .kernel = true, .defined = true};
  function->instructions = wb_allocate(count, sizeof *function->instructions);
  function->spans = wb_allocate(count * MOST_WORDS, sizeof *function->spans);
  function->targets = wb_allocate(count * MOST_WORDS, sizeof *function->targets);
  assert_non_null(function->instructions);
  assert_non_null(function->spans);
  function->annotations = wb_allocate(count, sizeof *function->annotations);
  assert_non_null(function->targets);
  assert_non_null(function->annotations);
  function->copies = wb_allocate(count, sizeof *function->copies);
  assert_non_null(function->copies);
  struct maker maker = {lines, function, barriers};
  for (size_t i = 0; i < count; i++)
    add_line(&maker, lines[i]);
}

void simt_text_make(const char *const *lines, struct wb_code *code)
{
  make(lines, false, code);
}

void simt_text_make_barriers(const char *const *lines, struct wb_code *code)
{
  make(lines, true, code);
}
