#include "random_accesses.h"

#include "base/text.h"
#include "unit.h"

static void WB_PRINTF(2, 3) emit(struct access_program *program, const char *format, ...)
{
  va_list arguments;
  assert_true(program->line_count < ACCESS_MOST_LINES);
  char *line = program->lines[program->line_count];
  va_start(arguments, format);
  vsnprintf(line, ACCESS_LINE_SIZE, format, arguments);
  va_end(arguments);
  program->pointers[program->line_count++] = line;
  program->pointers[program->line_count] = NULL;
  program->instructions += line[strlen(line) - 1] != ':';
}

/* Instructions of a kind, for sm_52 and sm_87 (NULL: the same); write_operand says what stands for
 * $ and a letter. */
static const struct {
  const char *old, *new;
} forms[ACCESS_COUNT] = {
    [ACCESS_PARAMETER] = {"MOV $d, c[0x0][$q]", NULL},
    [ACCESS_TID_X] = {"S2R $d, SR_TID.X", NULL},
    [ACCESS_TID_Y] = {"S2R $d, SR_TID.Y", NULL},
    [ACCESS_LANE] = {"S2R $d, SR_LANEID", NULL},
    [ACCESS_BLOCK] = {"S2R $d, SR_CTAID.X", NULL},
    [ACCESS_NUMBER] = {"MOV32I $d, $n", "MOV $d, $n"},
    [ACCESS_MOVE] = {"MOV $d, $a", NULL},
    [ACCESS_ADD] = {"IADD $d, $a, $b", "IADD3 $d, $a, $b, $c"},
    [ACCESS_SUBTRACT] = {"IADD $d, $a, -$b", "IADD3 $d, $a, -$b, RZ"},
    [ACCESS_ADD_NUMBER] = {"IADD32I $d, $a, $n", "IADD3 $d, $a, $n, RZ"},
    [ACCESS_MULTIPLY] = {"IMUL $d, $a, $b", "IMAD $d, $a, $b, $c"},
    [ACCESS_MULTIPLY_NUMBER] = {"IMUL32I $d, $a, $n", "IMAD $d, $a, $n, $c"},
    [ACCESS_SCALED_ADD] = {"ISCADD $d, $a, $b, $p", "LEA $d, $a, $b, $p"},
    [ACCESS_SHIFT_LEFT] = {"SHL $d, $a, $p", "SHF.L.U32 $d, $a, $p, RZ"},
    [ACCESS_SHIFT_RIGHT] = {"SHR.U32 $d, $a, $p", "SHF.R.U32.HI $d, RZ, $p, $a"},
    [ACCESS_SHIFT_SIGNED] = {"SHR $d, $a, $p", "SHF.R.S32.HI $d, RZ, $p, $a"},
    [ACCESS_LOOKUP] = {"LOP.$o $d, $a, $b", "LOP3.LUT $d, $a, $b, $c, $t, !PT"},
    [ACCESS_LOOKUP_NUMBER] = {"LOP32I.$o $d, $a, $n", "LOP3.LUT $d, $a, $n, $c, $t, !PT"},
    [ACCESS_SELECT] = {"SEL $d, $a, $b, $!$P", NULL},
    [ACCESS_EXTREME] = {"IMNMX$s $d, $a, $b, $!PT", NULL},
    [ACCESS_PERMUTE] = {"PRMT $d, $a, $m, $b", NULL},
    [ACCESS_FIELD] = {"BFE.U32 $d, $a, $f", "SGXT$u $d, $a, $g"},
    [ACCESS_COMPARE] = {"ISETP.$r$u.AND $P, PT, $a, $b, PT", NULL},
    [ACCESS_COMPARE_NUMBER] = {"ISETP.$r$u.AND $P, PT, $a, $l, PT", NULL},
    [ACCESS_WIDE_ADD] = {"IADD $d.CC, $a, $-$c;IADD.X $D, $b, $-$e",
                         "IADD3 $d, P4, $a, $-$c, RZ;IADD3.X $D, $b, $~$e, RZ, P4, !PT"},
    [ACCESS_WIDE_SCALED] = {"SHR $D, $a, $i;ISCADD $d.CC, $a, $c, $p;IADD.X $D, $D, $e",
                            "LEA $d, P4, $a, $c, $p;LEA.HI.X.SX32 $D, $a, $e, $p, P4"},
    [ACCESS_WIDE_MULTIPLY] = {"", "IMAD.WIDE$u $d, $a, $n, $c"},
    [ACCESS_HALVES] = {"XMAD$x $d, $a$h, $b$H, $c", ""},
    [ACCESS_LOAD_SHARED] = {"LDS $d, [$a+$n]", NULL},
    [ACCESS_STORE_SHARED] = {"STS$w [$a], R12", NULL},
    [ACCESS_LOAD_GLOBAL] = {"LDG.E $d, [$a+$n]", "LDG.E $d, [$a.64+$n]"},
    [ACCESS_STORE_GLOBAL] = {"STG.E$w [$a], R12", "STG.E$w [$a.64], R12"},
    [ACCESS_STORE_LOCAL] = {"STL$w [$a], R12", NULL},
    [ACCESS_ADD_ATOMIC] = {"ATOMS.ADD $d, [$a], R12", NULL},
};

static void write_operand(struct wb_text *text, const struct access_program *program,
                          const struct access_statement *s, char letter)
{
  static const char *const relations[] = {"LT", "GE", "EQ", "NE", "GT", "LE"};
  static const char *const operations[] = {"AND", "OR", "XOR"};
  const char *width = s->bytes == 8 ? ".64" : s->bytes == 16 ? ".128" : s->bytes == 1 ? ".U8" : "";
  const struct {
    char letter;
    const char *format;
    unsigned number;
  } numbers[] = {
      {'a', "R%u", s->a},
      {'b', "R%u", s->b},
      {'c', "R%u", s->c},
      {'d', "R%u", s->d},
      {'D', "R%u", s->d + 1},
      {'e', "R%u", s->e},
      {'P', "P%u", s->predicate},
      {'n', "0x%x", s->number},
      {'l', "0x%x", s->number & 0xffff},
      {'m', "0x%x", s->number & 0x7777},
      {'q', "0x%x", (program->volta ? 0x160 : 0x140) + 4 * (s->number % 4)},
      {'p', "0x%x", s->places},
      {'i', "0x%x", 32 - s->places},
      {'g', "0x%x", s->places % 20 + 1},
      {'f', "0x%x", (s->table % 20 + 1) << 8 | s->places},
      {'t', "0x%x", s->table},
  };
  const struct {
    char letter;
    const char *word;
  } words[] = {
      {'!', s->turned ? "!" : ""},
      {'-', s->turned ? "-" : ""},
      {'~', s->turned ? "~" : ""},
      {'u', s->turned ? ".U32" : ""},
      {'x', s->turned ? ".MRG" : ".PSL.CBCC"},
      {'s', s->table & 1 ? ".U32" : ""},
      {'r', relations[s->table % 6]},
      {'o', operations[s->table % 3]},
      {'h', s->places & 1 ? ".H1" : ""},
      {'H', s->places & 2 ? ".H1" : ""},
      {'w', width},
  };
  for (size_t n = 0; n < COUNT_OF(numbers); n++)
    if (numbers[n].letter == letter)
      wb_text_format(text, numbers[n].format, numbers[n].number);
  for (size_t w = 0; w < COUNT_OF(words); w++)
    if (words[w].letter == letter)
      wb_text_string(text, words[w].word);
}

static void emit_plain(struct access_program *program, struct access_statement *s)
{
  const char *form =
      program->volta && forms[s->kind].new != NULL ? forms[s->kind].new : forms[s->kind].old;
  s->instruction = program->instructions;
  s->line = program->line_count;
  for (const char *at = form; *at != '\0'; at += *at == ';') {
    FREED_BY(wb_text_free) struct wb_text text = {0};
    if (s->guard >= 0)
      wb_text_format(&text, "@%sP%d ", s->guard_when ? "" : "!", s->guard);
    for (; *at != '\0' && *at != ';'; at++) {
      if (*at == '$')
        write_operand(&text, program, s, *++at);
      else
        wb_text_append(&text, at, 1);
    }
    emit(program, "%s", text.data);
  }
  s->lines = program->line_count - s->line;
}

uint32_t access_number(struct wb_random *random)
{
  static const uint32_t numbers[] = {1,    2,    3,    4,    5,          7,          8,
                                     12,   15,   16,   31,   32,         33,         64,
                                     100,  128,  255,  256,  1024,       0xffff,     0xfffffff0,
                                     0x80, 0x7c, 0x1f, 0x60, 0x80000000, 0x7fffffff, 0xffffffff};
  return numbers[access_below(random, COUNT_OF(numbers))];
}

static struct access_statement random_statement(struct wb_random *random, bool volta)
{
  static const unsigned widths[] = {4, 4, 4, 8, 16, 1};
  struct access_statement s = {.kind = (enum access_kind)access_below(random, ACCESS_COUNT),
                               .guard = -1};
  if (s.kind == ACCESS_WIDE_MULTIPLY && !volta)
    s.kind = ACCESS_WIDE_SCALED;
  if (s.kind == ACCESS_HALVES && volta)
    s.kind = ACCESS_WIDE_MULTIPLY;
  s.d = (unsigned)access_below(random, ACCESS_REGISTERS);
  s.a = (unsigned)access_below(random, ACCESS_REGISTERS);
  s.b = (unsigned)access_below(random, ACCESS_REGISTERS);
  s.c = (unsigned)access_below(random, ACCESS_REGISTERS);
  s.e = (unsigned)access_below(random, ACCESS_REGISTERS);
  s.places = (unsigned)access_below(random, access_below(random, 2) ? 6 : 31) + 1;
  s.table = (unsigned)access_below(random, 256);
  s.number = access_number(random);
  s.predicate = (unsigned)access_below(random, ACCESS_PREDICATES);
  s.turned = access_below(random, 4) == 0;
  s.bytes = widths[access_below(random, COUNT_OF(widths))];
  if (access_below(random, 5) == 0) {
    s.guard = (int)access_below(random, ACCESS_PREDICATES);
    s.guard_when = access_below(random, 2) == 0;
  }
  if (s.kind >= ACCESS_WIDE_ADD && s.kind <= ACCESS_WIDE_MULTIPLY) {
    s.d &= ~1u;
    s.c &= ~1u;
    if (access_below(random, 3) > 0) { /* true pairs */
      s.a = s.kind == ACCESS_WIDE_ADD ? s.a & ~1u : s.a;
      s.b = s.kind == ACCESS_WIDE_ADD ? s.a + 1 : s.b;
      s.e = s.c + 1;
    }
    s.turned = s.turned && s.kind != ACCESS_WIDE_SCALED;
    if (s.kind == ACCESS_WIDE_SCALED) {
      s.places = s.places % 5 + 1;
      /* The parts are written one after the other. */
      if (s.a == s.d || s.a == s.d + 1 || s.c == s.d + 1 || s.e == s.d || s.e == s.d + 1)
        s.kind = ACCESS_ADD;
    }
    if (s.kind == ACCESS_WIDE_ADD && (s.b == s.d || s.e == s.d))
      s.kind = ACCESS_SUBTRACT;
  }
  if (s.kind == ACCESS_LOAD_GLOBAL || s.kind == ACCESS_STORE_GLOBAL)
    s.a &= ~1u;
  if (s.kind == ACCESS_STORE_LOCAL && s.bytes == 1)
    s.bytes = 4;
  if (s.kind == ACCESS_LOAD_SHARED || s.kind == ACCESS_LOAD_GLOBAL || s.kind == ACCESS_ADD_ATOMIC)
    s.bytes = 4;
  s.number &= s.kind == ACCESS_LOAD_SHARED || s.kind == ACCESS_LOAD_GLOBAL ? 0x1ff : UINT32_MAX;
  return s;
}

static void add_statement(struct access_program *program, struct access_statement s)
{
  assert_true(program->count < ACCESS_MOST_LINES);
  program->statements[program->count++] = s;
}

static void add_plain(struct access_program *program, struct access_statement s)
{
  emit_plain(program, &s);
  add_statement(program, s);
}

/* An access as compilers make it: an index, scaled, on a pointer; or shifted to the right. */
static void make_access(struct access_program *program, struct wb_random *random)
{
  struct access_statement index = random_statement(random, program->volta);
  struct access_statement address = index;
  index.guard = address.guard = -1;
  if (access_below(random, 2) == 0) { /* on a multiple of a power of two */
    index.kind = ACCESS_SHIFT_LEFT;
    index.d = 1;
    index.places = 1 + (unsigned)access_below(random, 5);
    add_plain(program, index);
    index.b = 1;
  }
  index.kind = ACCESS_ADD;
  index.d = 0;
  add_plain(program, index);
  address.a = 0;
  address.d = 2;
  if (access_below(random, 2) == 0) {
    address.kind = program->volta ? ACCESS_WIDE_MULTIPLY : ACCESS_WIDE_SCALED;
    address.c = 4 + 2 * (unsigned)access_below(random, 4);
    address.e = address.c + 1;
    address.number = UINT32_C(1) << access_below(random, 5);
    address.places = 1 + (unsigned)access_below(random, 4);
    address.turned = program->volta && access_below(random, 3) == 0;
    add_plain(program, address);
    address.kind = ACCESS_STORE_GLOBAL;
  } else {
    address.kind = access_below(random, 2) ? ACCESS_SHIFT_RIGHT : ACCESS_SHIFT_SIGNED;
    address.places = 1 + (unsigned)access_below(random, 3);
    add_plain(program, address);
    address.kind = ACCESS_SHIFT_LEFT;
    address.a = 2;
    address.places = 2;
    add_plain(program, address);
    address.kind = ACCESS_STORE_SHARED;
  }
  address.a = 2;
  address.bytes = 4;
  add_plain(program, address);
}

static void make_body(struct access_program *program, struct wb_random *random, unsigned depth,
                      size_t length);

/* The other side of a branch, or where both come together. */
static void make_other_side(struct access_program *program, struct wb_random *random,
                            const struct access_statement *s, unsigned depth)
{
  if (program->volta)
    emit(program, "BRA SYNC%u", s->label);
  else
    emit(program, "SYNC");
  emit(program, "ELSE%u:", s->label);
  if (s->uniform_pair)
    make_body(program, random, depth + 1, 1 + access_below(random, 4));
  if (program->volta) {
    emit(program, "SYNC%u:", s->label);
    emit(program, "BSYNC B%u", depth);
  } else {
    emit(program, "SYNC");
  }
  emit(program, "END%u:", s->label);
}

static void make_if(struct access_program *program, struct wb_random *random,
                    struct access_statement s, unsigned depth)
{
  s.kind = ACCESS_IF;
  s.uniform_pair = access_below(random, 2) == 0;
  if (program->volta)
    emit(program, "BSSY B%u, END%u", depth, s.label);
  else
    emit(program, "SSY END%u", s.label);
  emit(program, "@%sP%u BRA ELSE%u", s.turned ? "" : "!", s.predicate, s.label);
  add_statement(program, s);
  make_body(program, random, depth + 1, 1 + access_below(random, 5));
  s.kind = ACCESS_ELSE;
  add_statement(program, s);
  make_other_side(program, random, &s, depth);
  s.kind = ACCESS_END_IF;
  add_statement(program, s);
}

static void make_loop(struct access_program *program, struct wb_random *random,
                      struct access_statement s, unsigned depth)
{
  s.kind = ACCESS_LOOP;
  if (program->volta)
    emit(program, "BSSY B%u, END%u", depth, s.label);
  else
    emit(program, "PBK END%u", s.label);
  emit(program, "HEAD%u:", s.label);
  add_statement(program, s);
  make_body(program, random, depth + 1, 2 + access_below(random, 6));
  s.kind = ACCESS_END_LOOP;
  add_statement(program, s);
  if (program->volta) {
    emit(program, "@%sP%u BRA HEAD%u", s.turned ? "!" : "", s.predicate, s.label);
    emit(program, "BSYNC B%u", depth);
  } else {
    emit(program, "@%sP%u BRK", s.turned ? "" : "!", s.predicate);
    emit(program, "BRA HEAD%u", s.label);
  }
  emit(program, "END%u:", s.label);
}

/* Recursion as deep as programs nest, which is 3. */
static void make_body(struct access_program *program, struct wb_random *random, unsigned depth,
                      size_t length)
{
  for (size_t i = 0; i < length && program->count < ACCESS_MOST_LINES / 6; i++) {
    const uint64_t choice = access_below(random, 14);
    if (choice > 11) {
      make_access(program, random);
      continue;
    }
    struct access_statement s = random_statement(random, program->volta);
    if (choice > 1 || depth == 3) {
      add_plain(program, s);
      continue;
    }
    s.label = program->labels++;
    s.guard = -1;
    if (choice == 0)
      make_if(program, random, s, depth);
    else
      make_loop(program, random, s, depth);
  }
}

/* Some registers hold what addresses are made of. */
void access_program_make(struct access_program *program, struct wb_random *random, bool volta)
{
  static const enum access_kind firsts[] = {ACCESS_TID_X, ACCESS_PARAMETER, ACCESS_LANE,
                                            ACCESS_BLOCK, ACCESS_TID_Y,     ACCESS_NUMBER};
  *program = (struct access_program){.volta = volta};
  for (unsigned r = 0; r < ACCESS_REGISTERS; r++) {
    struct access_statement s = random_statement(random, volta);
    s.kind = firsts[access_below(random, COUNT_OF(firsts))];
    s.d = r;
    s.guard = -1;
    emit_plain(program, &s);
    add_statement(program, s);
  }
  for (unsigned p = 0; p < ACCESS_PREDICATES; p++) {
    struct access_statement s = random_statement(random, volta);
    s.kind = ACCESS_COMPARE;
    s.predicate = p;
    s.guard = -1;
    emit_plain(program, &s);
    add_statement(program, s);
  }
  make_body(program, random, 0, 6 + access_below(random, 20));
  emit(program, "EXIT");
}
