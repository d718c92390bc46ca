/* What loads and stores access, against all lanes of a warp: random programs with branches, loops
 * and guards, in the forms of sm_52 and sm_87, run lane by lane with the meaning of the
 * instructions. No execution of an access may take more sectors, passes or lanes at one address
 * than the analysis says. Left out: calls, WARPSYNC, uniform registers, textures.
 *   WARPBOUND_CROSS_RUNS programs (1500 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/accesses/accesses.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_PROGRAMS 1500
#define REGISTERS 12
#define PREDICATES 3
#define LINE_SIZE 80
#define MOST_LINES 400
#define MOST_STEPS 300
#define LANES 32
#define RUNS 4 /* of a program */

/* ---- programs ---- */

enum kind {
  KIND_PARAMETER,
  KIND_TID_X,
  KIND_TID_Y,
  KIND_LANE,
  KIND_BLOCK,
  KIND_NUMBER,
  KIND_MOVE,
  KIND_ADD,
  KIND_SUBTRACT,
  KIND_ADD_NUMBER,
  KIND_MULTIPLY,
  KIND_MULTIPLY_NUMBER,
  KIND_SCALED_ADD,
  KIND_SHIFT_LEFT,
  KIND_SHIFT_RIGHT,
  KIND_SHIFT_SIGNED,
  KIND_LOOKUP,
  KIND_LOOKUP_NUMBER,
  KIND_SELECT,
  KIND_EXTREME,
  KIND_PERMUTE,
  KIND_FIELD,
  KIND_COMPARE,
  KIND_COMPARE_NUMBER,
  KIND_WIDE_ADD,    /* (d + 1, d) = (b, a) + (e, c), words at will */
  KIND_WIDE_SCALED, /* (d + 1, d) = (sign of a, a << n) + (e, c) */
  KIND_WIDE_MULTIPLY,
  KIND_HALVES, /* XMAD */
  KIND_LOAD_SHARED,
  KIND_STORE_SHARED,
  KIND_LOAD_GLOBAL,
  KIND_STORE_GLOBAL,
  KIND_STORE_LOCAL,
  KIND_ADD_ATOMIC,
  KIND_COUNT,
  /* structure */
  KIND_IF = KIND_COUNT,
  KIND_ELSE,
  KIND_END_IF,
  KIND_LOOP,
  KIND_END_LOOP
};

struct statement {
  enum kind kind;
  unsigned d, a, b, c, e;
  unsigned places, table, bytes;
  uint32_t number;
  unsigned predicate; /* written, read, or of the branch */
  bool turned;        /* the predicate, or the kind's other form */
  int guard;          /* a predicate, -1 for none */
  bool guard_when;
  unsigned label;       /* of structure */
  unsigned instruction; /* of an access */
  bool uniform_pair;    /* of an IF: the other side is there */
};

struct program {
  bool volta;
  struct statement statements[MOST_LINES];
  size_t count;
  char lines[MOST_LINES][LINE_SIZE];
  const char *pointers[MOST_LINES + 1];
  size_t line_count;
  unsigned instructions;
  unsigned labels;
};

static uint64_t below(struct wb_random *random, uint64_t count)
{
  return wb_random_next(random) % count;
}

static bool is_label_text(const char *line)
{
  return line[strlen(line) - 1] == ':';
}

static void WB_PRINTF(2, 3) emit(struct program *program, const char *format, ...)
{
  va_list arguments;
  assert_true(program->line_count < MOST_LINES);
  char *line = program->lines[program->line_count];
  va_start(arguments, format);
  vsnprintf(line, LINE_SIZE, format, arguments);
  va_end(arguments);
  program->pointers[program->line_count++] = line;
  program->pointers[program->line_count] = NULL;
  program->instructions += !is_label_text(line);
}

/* "" or "@P0 ". */
static const char *guard_text(const struct statement *s, char text[20])
{
  text[0] = '\0';
  if (s->guard >= 0)
    snprintf(text, 20, "@%sP%d ", s->guard_when ? "" : "!", s->guard);
  return text;
}

static const char *const relations[] = {"LT", "GE", "EQ", "NE", "GT", "LE"};

static void emit_wide(struct program *program, const struct statement *s, const char *g)
{
  const char *negative = s->turned ? "-" : "";
  if (s->kind == KIND_WIDE_ADD && program->volta) {
    emit(program, "%sIADD3 R%u, P4, R%u, %sR%u, RZ", g, s->d, s->a, negative, s->c);
    emit(program, "%sIADD3.X R%u, R%u, %sR%u, RZ, P4, !PT", g, s->d + 1, s->b, s->turned ? "~" : "",
         s->e);
  } else if (s->kind == KIND_WIDE_ADD) {
    emit(program, "%sIADD R%u.CC, R%u, %sR%u", g, s->d, s->a, negative, s->c);
    emit(program, "%sIADD.X R%u, R%u, %sR%u", g, s->d + 1, s->b, negative, s->e);
  } else if (s->kind == KIND_WIDE_SCALED && program->volta) {
    emit(program, "%sLEA R%u, P4, R%u, R%u, 0x%x", g, s->d, s->a, s->c, s->places);
    emit(program, "%sLEA.HI.X.SX32 R%u, R%u, R%u, 0x%x, P4", g, s->d + 1, s->a, s->e, s->places);
  } else if (s->kind == KIND_WIDE_SCALED) {
    emit(program, "%sSHR R%u, R%u, 0x%x", g, s->d + 1, s->a, 32 - s->places);
    emit(program, "%sISCADD R%u.CC, R%u, R%u, 0x%x", g, s->d, s->a, s->c, s->places);
    emit(program, "%sIADD.X R%u, R%u, R%u", g, s->d + 1, s->d + 1, s->e);
  } else {
    emit(program, "%sIMAD.WIDE%s R%u, R%u, 0x%x, R%u", g, s->turned ? ".U32" : "", s->d, s->a,
         s->number, s->c);
  }
}

static void emit_access(struct program *program, struct statement *s, const char *g)
{
  const char *width = s->bytes == 8 ? ".64" : s->bytes == 16 ? ".128" : s->bytes == 1 ? ".U8" : "";
  const char *pair = program->volta ? ".64" : "";
  s->instruction = program->instructions;
  switch (s->kind) {
  case KIND_LOAD_SHARED:
    emit(program, "%sLDS R%u, [R%u+0x%x]", g, s->d, s->a, s->number);
    break;
  case KIND_STORE_SHARED:
    emit(program, "%sSTS%s [R%u], R12", g, width, s->a);
    break;
  case KIND_LOAD_GLOBAL:
    emit(program, "%sLDG.E R%u, [R%u%s+0x%x]", g, s->d, s->a, pair, s->number);
    break;
  case KIND_STORE_GLOBAL:
    emit(program, "%sSTG.E%s [R%u%s], R12", g, width, s->a, pair);
    break;
  case KIND_STORE_LOCAL:
    emit(program, "%sSTL%s [R%u], R12", g, width, s->a);
    break;
  default:
    emit(program, "%sATOMS.ADD R%u, [R%u], R12", g, s->d, s->a);
  }
}

static void emit_old(struct program *program, const struct statement *s, const char *g)
{
  static const char *const bits[] = {"AND", "OR", "XOR"};
  switch (s->kind) {
  case KIND_PARAMETER:
    emit(program, "%sMOV R%u, c[0x0][0x%x]", g, s->d, 0x140 + 4 * (s->number % 4));
    break;
  case KIND_ADD:
    emit(program, "%sIADD R%u, R%u, R%u", g, s->d, s->a, s->b);
    break;
  case KIND_SUBTRACT:
    emit(program, "%sIADD R%u, R%u, -R%u", g, s->d, s->a, s->b);
    break;
  case KIND_ADD_NUMBER:
    emit(program, "%sIADD32I R%u, R%u, 0x%x", g, s->d, s->a, s->number);
    break;
  case KIND_MULTIPLY:
    emit(program, "%sIMUL R%u, R%u, R%u", g, s->d, s->a, s->b);
    break;
  case KIND_MULTIPLY_NUMBER:
    emit(program, "%sIMUL32I R%u, R%u, 0x%x", g, s->d, s->a, s->number);
    break;
  case KIND_SCALED_ADD:
    emit(program, "%sISCADD R%u, R%u, R%u, 0x%x", g, s->d, s->a, s->b, s->places);
    break;
  case KIND_SHIFT_LEFT:
    emit(program, "%sSHL R%u, R%u, 0x%x", g, s->d, s->a, s->places);
    break;
  case KIND_SHIFT_RIGHT:
    emit(program, "%sSHR.U32 R%u, R%u, 0x%x", g, s->d, s->a, s->places);
    break;
  case KIND_SHIFT_SIGNED:
    emit(program, "%sSHR R%u, R%u, 0x%x", g, s->d, s->a, s->places);
    break;
  case KIND_LOOKUP:
    emit(program, "%sLOP.%s R%u, R%u, R%u", g, bits[s->table % 3], s->d, s->a, s->b);
    break;
  case KIND_LOOKUP_NUMBER:
    emit(program, "%sLOP32I.%s R%u, R%u, 0x%x", g, bits[s->table % 3], s->d, s->a, s->number);
    break;
  case KIND_FIELD:
    emit(program, "%sBFE.U32 R%u, R%u, 0x%x", g, s->d, s->a, (s->table % 20 + 1) << 8 | s->places);
    break;
  default:
    emit(program, "%sXMAD%s R%u, R%u%s, R%u%s, R%u", g, s->turned ? ".MRG" : ".PSL.CBCC", s->d,
         s->a, s->places & 1 ? ".H1" : "", s->b, s->places & 2 ? ".H1" : "", s->c);
  }
}

static void emit_new(struct program *program, const struct statement *s, const char *g)
{
  switch (s->kind) {
  case KIND_PARAMETER:
    emit(program, "%sMOV R%u, c[0x0][0x%x]", g, s->d, 0x160 + 4 * (s->number % 4));
    break;
  case KIND_ADD:
    emit(program, "%sIADD3 R%u, R%u, R%u, R%u", g, s->d, s->a, s->b, s->c);
    break;
  case KIND_SUBTRACT:
    emit(program, "%sIADD3 R%u, R%u, -R%u, RZ", g, s->d, s->a, s->b);
    break;
  case KIND_ADD_NUMBER:
    emit(program, "%sIADD3 R%u, R%u, 0x%x, RZ", g, s->d, s->a, s->number);
    break;
  case KIND_MULTIPLY:
    emit(program, "%sIMAD R%u, R%u, R%u, R%u", g, s->d, s->a, s->b, s->c);
    break;
  case KIND_MULTIPLY_NUMBER:
    emit(program, "%sIMAD R%u, R%u, 0x%x, R%u", g, s->d, s->a, s->number, s->c);
    break;
  case KIND_SCALED_ADD:
    emit(program, "%sLEA R%u, R%u, R%u, 0x%x", g, s->d, s->a, s->b, s->places);
    break;
  case KIND_SHIFT_LEFT:
    emit(program, "%sSHF.L.U32 R%u, R%u, 0x%x, RZ", g, s->d, s->a, s->places);
    break;
  case KIND_SHIFT_RIGHT:
    emit(program, "%sSHF.R.U32.HI R%u, RZ, 0x%x, R%u", g, s->d, s->places, s->a);
    break;
  case KIND_SHIFT_SIGNED:
    emit(program, "%sSHF.R.S32.HI R%u, RZ, 0x%x, R%u", g, s->d, s->places, s->a);
    break;
  case KIND_LOOKUP:
    emit(program, "%sLOP3.LUT R%u, R%u, R%u, R%u, 0x%x, !PT", g, s->d, s->a, s->b, s->c, s->table);
    break;
  case KIND_LOOKUP_NUMBER:
    emit(program, "%sLOP3.LUT R%u, R%u, 0x%x, R%u, 0x%x, !PT", g, s->d, s->a, s->number, s->c,
         s->table);
    break;
  default:
    emit(program, "%sSGXT%s R%u, R%u, 0x%x", g, s->turned ? ".U32" : "", s->d, s->a,
         s->places % 20 + 1);
  }
}

static void emit_plain(struct program *program, struct statement *s)
{
  static const char *const specials[] = {"SR_TID.X", "SR_TID.Y", "SR_LANEID", "SR_CTAID.X"};
  char text[20];
  const char *g = guard_text(s, text);
  switch (s->kind) {
  case KIND_TID_X:
  case KIND_TID_Y:
  case KIND_LANE:
  case KIND_BLOCK:
    emit(program, "%sS2R R%u, %s", g, s->d, specials[s->kind - KIND_TID_X]);
    break;
  case KIND_NUMBER:
    emit(program, program->volta ? "%sMOV R%u, 0x%x" : "%sMOV32I R%u, 0x%x", g, s->d, s->number);
    break;
  case KIND_MOVE:
    emit(program, "%sMOV R%u, R%u", g, s->d, s->a);
    break;
  case KIND_SELECT:
    emit(program, "%sSEL R%u, R%u, R%u, %sP%u", g, s->d, s->a, s->b, s->turned ? "!" : "",
         s->predicate);
    break;
  case KIND_EXTREME:
    emit(program, "%sIMNMX%s R%u, R%u, R%u, %sPT", g, s->table & 1 ? ".U32" : "", s->d, s->a, s->b,
         s->turned ? "!" : "");
    break;
  case KIND_PERMUTE:
    emit(program, "%sPRMT R%u, R%u, 0x%x, R%u", g, s->d, s->a, s->number & 0x7777, s->b);
    break;
  case KIND_COMPARE:
    emit(program, "%sISETP.%s%s.AND P%u, PT, R%u, R%u, PT", g, relations[s->table % 6],
         s->turned ? ".U32" : "", s->predicate, s->a, s->b);
    break;
  case KIND_COMPARE_NUMBER:
    emit(program, "%sISETP.%s%s.AND P%u, PT, R%u, 0x%x, PT", g, relations[s->table % 6],
         s->turned ? ".U32" : "", s->predicate, s->a, s->number & 0xffff);
    break;
  case KIND_WIDE_ADD:
  case KIND_WIDE_SCALED:
  case KIND_WIDE_MULTIPLY:
    emit_wide(program, s, g);
    break;
  default:
    if (s->kind >= KIND_LOAD_SHARED)
      emit_access(program, s, g);
    else if (program->volta)
      emit_new(program, s, g);
    else
      emit_old(program, s, g);
  }
}

static uint32_t random_number(struct wb_random *random)
{
  static const uint32_t numbers[] = {1,    2,    3,    4,    5,          7,          8,
                                     12,   15,   16,   31,   32,         33,         64,
                                     100,  128,  255,  256,  1024,       0xffff,     0xfffffff0,
                                     0x80, 0x7c, 0x1f, 0x60, 0x80000000, 0x7fffffff, 0xffffffff};
  return numbers[below(random, COUNT_OF(numbers))];
}

static struct statement random_statement(struct wb_random *random, bool volta)
{
  static const unsigned widths[] = {4, 4, 4, 8, 16, 1};
  struct statement s = {.kind = (enum kind)below(random, KIND_COUNT), .guard = -1};
  if (s.kind == KIND_WIDE_MULTIPLY && !volta)
    s.kind = KIND_WIDE_SCALED;
  if (s.kind == KIND_HALVES && volta)
    s.kind = KIND_WIDE_MULTIPLY;
  s.d = (unsigned)below(random, REGISTERS);
  s.a = (unsigned)below(random, REGISTERS);
  s.b = (unsigned)below(random, REGISTERS);
  s.c = (unsigned)below(random, REGISTERS);
  s.e = (unsigned)below(random, REGISTERS);
  s.places = (unsigned)below(random, below(random, 2) ? 6 : 31) + 1;
  s.table = (unsigned)below(random, 256);
  s.number = random_number(random);
  s.predicate = (unsigned)below(random, PREDICATES);
  s.turned = below(random, 4) == 0;
  s.bytes = widths[below(random, COUNT_OF(widths))];
  if (below(random, 5) == 0) {
    s.guard = (int)below(random, PREDICATES);
    s.guard_when = below(random, 2) == 0;
  }
  if (s.kind >= KIND_WIDE_ADD && s.kind <= KIND_WIDE_MULTIPLY) {
    s.d &= ~1u;
    s.c &= ~1u;
    if (below(random, 3) > 0) { /* true pairs */
      s.a = s.kind == KIND_WIDE_ADD ? s.a & ~1u : s.a;
      s.b = s.kind == KIND_WIDE_ADD ? s.a + 1 : s.b;
      s.e = s.c + 1;
    }
    s.turned = s.turned && s.kind != KIND_WIDE_SCALED;
    if (s.kind == KIND_WIDE_SCALED) {
      s.places = s.places % 5 + 1;
      /* The parts are written one after the other. */
      if (s.a == s.d || s.a == s.d + 1 || s.c == s.d + 1 || s.e == s.d || s.e == s.d + 1)
        s.kind = KIND_ADD;
    }
    if (s.kind == KIND_WIDE_ADD && (s.b == s.d || s.e == s.d))
      s.kind = KIND_SUBTRACT;
  }
  if (s.kind == KIND_LOAD_GLOBAL || s.kind == KIND_STORE_GLOBAL)
    s.a &= ~1u;
  if (s.kind == KIND_STORE_LOCAL && s.bytes == 1)
    s.bytes = 4;
  if (s.kind == KIND_LOAD_SHARED || s.kind == KIND_LOAD_GLOBAL || s.kind == KIND_ADD_ATOMIC)
    s.bytes = 4;
  s.number &= s.kind == KIND_LOAD_SHARED || s.kind == KIND_LOAD_GLOBAL ? 0x1ff : UINT32_MAX;
  return s;
}

static void add_statement(struct program *program, struct statement s)
{
  assert_true(program->count < MOST_LINES);
  program->statements[program->count++] = s;
}

static void add_plain(struct program *program, struct statement s)
{
  emit_plain(program, &s);
  add_statement(program, s);
}

/* An access as compilers make it: an index, scaled, on a pointer; or shifted to the right. */
static void make_access(struct program *program, struct wb_random *random)
{
  struct statement index = random_statement(random, program->volta);
  struct statement address = index;
  index.guard = address.guard = -1;
  if (below(random, 2) == 0) { /* on a multiple of a power of two */
    index.kind = KIND_SHIFT_LEFT;
    index.d = 1;
    index.places = 1 + (unsigned)below(random, 5);
    add_plain(program, index);
    index.b = 1;
  }
  index.kind = KIND_ADD;
  index.d = 0;
  add_plain(program, index);
  address.a = 0;
  address.d = 2;
  if (below(random, 2) == 0) {
    address.kind = program->volta ? KIND_WIDE_MULTIPLY : KIND_WIDE_SCALED;
    address.c = 4 + 2 * (unsigned)below(random, 4);
    address.e = address.c + 1;
    address.number = UINT32_C(1) << below(random, 5);
    address.places = 1 + (unsigned)below(random, 4);
    address.turned = program->volta && below(random, 3) == 0;
    add_plain(program, address);
    address.kind = KIND_STORE_GLOBAL;
  } else {
    address.kind = below(random, 2) ? KIND_SHIFT_RIGHT : KIND_SHIFT_SIGNED;
    address.places = 1 + (unsigned)below(random, 3);
    add_plain(program, address);
    address.kind = KIND_SHIFT_LEFT;
    address.a = 2;
    address.places = 2;
    add_plain(program, address);
    address.kind = KIND_STORE_SHARED;
  }
  address.a = 2;
  address.bytes = 4;
  add_plain(program, address);
}

static void make_body(struct program *program, struct wb_random *random, unsigned depth,
                      size_t length);

/* The other side of a branch, or where both come together. */
static void make_other_side(struct program *program, struct wb_random *random,
                            const struct statement *s, unsigned depth)
{
  if (program->volta)
    emit(program, "BRA SYNC%u", s->label);
  else
    emit(program, "SYNC");
  emit(program, "ELSE%u:", s->label);
  if (s->uniform_pair)
    make_body(program, random, depth + 1, 1 + below(random, 4));
  if (program->volta) {
    emit(program, "SYNC%u:", s->label);
    emit(program, "BSYNC B%u", depth);
  } else {
    emit(program, "SYNC");
  }
  emit(program, "END%u:", s->label);
}

static void make_if(struct program *program, struct wb_random *random, struct statement s,
                    unsigned depth)
{
  s.kind = KIND_IF;
  s.uniform_pair = below(random, 2) == 0;
  if (program->volta)
    emit(program, "BSSY B%u, END%u", depth, s.label);
  else
    emit(program, "SSY END%u", s.label);
  emit(program, "@%sP%u BRA ELSE%u", s.turned ? "" : "!", s.predicate, s.label);
  add_statement(program, s);
  make_body(program, random, depth + 1, 1 + below(random, 5));
  s.kind = KIND_ELSE;
  add_statement(program, s);
  make_other_side(program, random, &s, depth);
  s.kind = KIND_END_IF;
  add_statement(program, s);
}

static void make_loop(struct program *program, struct wb_random *random, struct statement s,
                      unsigned depth)
{
  s.kind = KIND_LOOP;
  if (program->volta)
    emit(program, "BSSY B%u, END%u", depth, s.label);
  else
    emit(program, "PBK END%u", s.label);
  emit(program, "HEAD%u:", s.label);
  add_statement(program, s);
  make_body(program, random, depth + 1, 2 + below(random, 6));
  s.kind = KIND_END_LOOP;
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
static void make_body(struct program *program, struct wb_random *random, unsigned depth,
                      size_t length)
{
  for (size_t i = 0; i < length && program->count < MOST_LINES / 6; i++) {
    const uint64_t choice = below(random, 14);
    if (choice > 11) {
      make_access(program, random);
      continue;
    }
    struct statement s = random_statement(random, program->volta);
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
static void make_program(struct program *program, struct wb_random *random, bool volta)
{
  static const enum kind firsts[] = {KIND_TID_X, KIND_PARAMETER, KIND_LANE,
                                     KIND_BLOCK, KIND_TID_Y,     KIND_NUMBER};
  *program = (struct program){.volta = volta};
  for (unsigned r = 0; r < REGISTERS; r++) {
    struct statement s = random_statement(random, volta);
    s.kind = firsts[below(random, COUNT_OF(firsts))];
    s.d = r;
    s.guard = -1;
    emit_plain(program, &s);
    add_statement(program, s);
  }
  for (unsigned p = 0; p < PREDICATES; p++) {
    struct statement s = random_statement(random, volta);
    s.kind = KIND_COMPARE;
    s.predicate = p;
    s.guard = -1;
    emit_plain(program, &s);
    add_statement(program, s);
  }
  make_body(program, random, 0, 6 + below(random, 20));
  emit(program, "EXIT");
}

/* ---- runs ---- */

struct run {
  const struct program *program;
  const struct wb_accesses *accesses;
  struct wb_random *random;
  uint32_t registers[LANES][REGISTERS + 1];
  bool predicates[LANES][PREDICATES];
  uint32_t parameters[4];
  uint32_t block[3], warp, index; /* index: of the block in the grid */
  size_t steps;
  size_t checked, tight; /* accesses; those that take as many sectors or passes as said */
};

static uint32_t lane_bit(unsigned lane)
{
  return UINT32_C(1) << lane;
}

static uint64_t pair(const uint32_t *registers, unsigned high, unsigned low)
{
  return (uint64_t)registers[high] << 32 | registers[low];
}

static bool relation_holds(const struct statement *s, uint32_t left, uint32_t right)
{
  const int64_t a = s->turned ? (int64_t)left : (int64_t)(int32_t)left;
  const int64_t b = s->turned ? (int64_t)right : (int64_t)(int32_t)right;
  const bool outcomes[] = {a<b, a >= b, a == b, a != b, a> b, a <= b};
  return outcomes[s->table % 6];
}

static uint32_t lookup_bits(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; bit++) {
    const unsigned row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
    result |= (uint32_t)(table >> row & 1) << bit;
  }
  return result;
}

static uint32_t simple_bits(uint32_t a, uint32_t b, unsigned operation)
{
  return operation == 0 ? a & b : operation == 1 ? a | b : a ^ b;
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector)
{
  const uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (unsigned place = 0; place < 4; place++)
    result |= (uint32_t)(bytes >> 8 * (selector >> 4 * place & 7) & 0xff) << 8 * place;
  return result;
}

static uint32_t halves_product(const struct statement *s, uint32_t a, uint32_t b, uint32_t c)
{
  const uint32_t product =
      (s->places & 1 ? a >> 16 : a & 0xffff) * (s->places & 2 ? b >> 16 : b & 0xffff);
  const uint32_t moved = b << 16;
  return s->turned ? ((product + c) & 0xffff) + moved : (product << 16) + c + moved;
}

static uint32_t minimum_or_maximum(const struct statement *s, uint32_t a, uint32_t b)
{
  const bool less = s->table & 1 ? a < b : (int32_t)a < (int32_t)b;
  return less != s->turned ? a : b;
}

/* The word that a lane computes. */
static uint32_t word_of(const struct run *run, const struct statement *s, unsigned lane)
{
  const bool volta = run->program->volta;
  const uint32_t *r = run->registers[lane];
  const uint32_t thread = 32 * run->warp + lane;
  const uint32_t a = r[s->a];
  const uint32_t b = r[s->b];
  const uint32_t more = volta ? r[s->c] : 0;
  switch (s->kind) {
  case KIND_PARAMETER:
    return run->parameters[s->number % 4];
  case KIND_TID_X:
    return thread % run->block[0];
  case KIND_TID_Y:
    return thread / run->block[0] % run->block[1];
  case KIND_LANE:
    return lane;
  case KIND_BLOCK:
    return run->index;
  case KIND_NUMBER:
    return s->number;
  case KIND_MOVE:
    return a;
  case KIND_ADD:
    return a + b + more;
  case KIND_SUBTRACT:
    return a - b;
  case KIND_ADD_NUMBER:
    return a + s->number;
  case KIND_MULTIPLY:
    return a * b + more;
  case KIND_MULTIPLY_NUMBER:
    return a * s->number + more;
  case KIND_SCALED_ADD:
    return (a << s->places) + b;
  case KIND_SHIFT_LEFT:
    return a << s->places;
  case KIND_SHIFT_RIGHT:
    return a >> s->places;
  case KIND_SHIFT_SIGNED:
    return (uint32_t)((int64_t)(int32_t)a >> s->places);
  case KIND_LOOKUP:
    return volta ? lookup_bits(a, b, more, s->table) : simple_bits(a, b, s->table % 3);
  case KIND_LOOKUP_NUMBER:
    return volta ? lookup_bits(a, s->number, more, s->table)
                 : simple_bits(a, s->number, s->table % 3);
  case KIND_SELECT:
    return run->predicates[lane][s->predicate] != s->turned ? a : b;
  case KIND_EXTREME:
    return minimum_or_maximum(s, a, b);
  case KIND_PERMUTE:
    return permuted(a, b, s->number & 0x7777);
  case KIND_FIELD: {
    const unsigned length = (volta ? s->places : s->table) % 20 + 1;
    const uint32_t field = (volta ? a : a >> s->places) & ((UINT32_C(1) << length) - 1);
    const bool negative = volta && !s->turned && (field >> (length - 1) & 1) != 0;
    return negative ? field | UINT32_MAX << length : field;
  }
  default:
    return halves_product(s, a, b, r[s->c]);
  }
}

static uint64_t wide_of(const struct statement *s, const uint32_t *r)
{
  const uint64_t other = pair(r, s->e, s->c);
  if (s->kind == KIND_WIDE_ADD)
    return s->turned ? pair(r, s->b, s->a) - other : pair(r, s->b, s->a) + other;
  if (s->kind == KIND_WIDE_SCALED)
    return ((uint64_t)(int64_t)(int32_t)r[s->a] << s->places) + other;
  const uint64_t product =
      s->turned ? (uint64_t)r[s->a] * s->number
                : (uint64_t)((int64_t)(int32_t)r[s->a] * (int64_t)(int32_t)s->number);
  return product + pair(r, s->c + 1, s->c);
}

/* ---- counts, in the plainest way ---- */

static size_t distinct(uint64_t *numbers, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    size_t found = 0;
    while (found < kept && numbers[found] != numbers[i])
      found++;
    if (found == kept)
      numbers[kept++] = numbers[i];
  }
  return kept;
}

/* Units of `size` bytes of aligned accesses; of local memory words of the lanes lie side by side.
 */
static size_t units_of(const uint64_t *addresses, uint32_t lanes, unsigned bytes, uint64_t size,
                       bool local)
{
  uint64_t units[LANES * 4];
  size_t count = 0;
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned byte = 0; byte < bytes && (lanes & lane_bit(l)) != 0; byte += 4) {
      const uint64_t address = addresses[l] + byte;
      const uint64_t place = local ? address / 4 * 128 + 4 * l : address;
      units[count++] = place / size;
    }
  return distinct(units, count);
}

static size_t passes_of_lanes(const uint64_t *addresses, uint32_t lanes, unsigned bytes,
                              unsigned begin, unsigned end)
{
  size_t most = 0;
  for (unsigned bank = 0; bank < 32; bank++) {
    uint64_t words[LANES * 4];
    size_t count = 0;
    for (unsigned l = begin; l < end; l++)
      for (unsigned byte = 0; byte < bytes && (lanes & lane_bit(l)) != 0; byte += 4)
        if ((addresses[l] + byte) / 4 % 32 == bank)
          words[count++] = (addresses[l] + byte) / 4;
    const size_t found = distinct(words, count);
    most = found > most ? found : most;
  }
  return most;
}

static size_t passes_of(const uint64_t *addresses, uint32_t lanes, unsigned bytes)
{
  const unsigned parts = bytes <= 4 ? 1 : bytes / 4;
  size_t sum = 0;
  for (unsigned p = 0; p < parts; p++)
    sum += passes_of_lanes(addresses, lanes, bytes, p * LANES / parts, (p + 1) * LANES / parts);
  return sum;
}

static size_t at_one(const uint64_t *addresses, uint32_t lanes)
{
  size_t most = 0;
  for (unsigned l = 0; l < LANES; l++) {
    size_t equal = 0;
    for (unsigned o = 0; o < LANES; o++)
      equal +=
          (lanes & lane_bit(l)) != 0 && (lanes & lane_bit(o)) != 0 && addresses[l] == addresses[o];
    most = equal > most ? equal : most;
  }
  return most;
}

static void check(struct run *run, const struct statement *s, const uint64_t *addresses,
                  uint32_t lanes)
{
  const struct wb_access *access = wb_accesses_at(run->accesses, s->instruction);
  assert_non_null(access);
  for (unsigned l = 0; l < LANES; l++)
    lanes &= addresses[l] % s->bytes != 0 ? ~lane_bit(l) : UINT32_MAX; /* they would trap */
  if (lanes == 0)
    return;
  const bool local = s->kind == KIND_STORE_LOCAL;
  const bool global = s->kind == KIND_LOAD_GLOBAL || s->kind == KIND_STORE_GLOBAL;
  const size_t sectors = units_of(addresses, lanes, s->bytes, 32, local);
  const size_t passes = global || local ? units_of(addresses, lanes, s->bytes, 128, local)
                                        : passes_of(addresses, lanes, s->bytes);
  const size_t equal = at_one(addresses, lanes);
  if (((global || local) && sectors > access->sectors) || passes > access->wavefronts ||
      equal > access->lanes_at_one) {
    for (size_t i = 0; i < run->program->line_count; i++)
      print_message("%s\n", run->program->lines[i]);
    fail_msg("instruction %u: %zu sectors, %zu passes, %zu at one; said: %u, %u, %u (%s)",
             s->instruction, sectors, passes, equal, access->sectors, access->wavefronts,
             access->lanes_at_one, access->reason);
  }
  run->checked++;
  run->tight += access->known && (sectors == access->sectors || passes == access->wavefronts);
}

static void do_access(struct run *run, const struct statement *s, uint32_t lanes)
{
  uint64_t addresses[LANES];
  for (unsigned l = 0; l < LANES; l++) {
    const uint32_t *r = run->registers[l];
    const bool global = s->kind == KIND_LOAD_GLOBAL || s->kind == KIND_STORE_GLOBAL;
    const bool offset = s->kind == KIND_LOAD_GLOBAL || s->kind == KIND_LOAD_SHARED;
    addresses[l] = global ? pair(r, s->a + 1, s->a) : r[s->a];
    addresses[l] += offset ? s->number : 0;
    addresses[l] = global ? addresses[l] : (uint32_t)addresses[l];
  }
  check(run, s, addresses, lanes);
  const uint64_t salt = wb_random_next(run->random);
  const uint64_t most = below(run->random, 2) ? 64 : UINT64_C(1) << 32;
  for (unsigned l = 0; l < LANES; l++) {
    struct wb_random memory = {addresses[l] ^ salt ^ (s->kind == KIND_ADD_ATOMIC ? l : 0)};
    if ((lanes & lane_bit(l)) != 0 && s->kind != KIND_STORE_SHARED &&
        s->kind != KIND_STORE_GLOBAL && s->kind != KIND_STORE_LOCAL)
      run->registers[l][s->d] = (uint32_t)below(&memory, most);
  }
}

/* ---- statements ---- */

static uint32_t lanes_where(const struct run *run, unsigned predicate, bool when)
{
  uint32_t lanes = 0;
  for (unsigned l = 0; l < LANES; l++)
    lanes |= run->predicates[l][predicate] == when ? lane_bit(l) : 0;
  return lanes;
}

static void do_plain(struct run *run, const struct statement *s, uint32_t lanes)
{
  lanes &= s->guard >= 0 ? lanes_where(run, (unsigned)s->guard, s->guard_when) : UINT32_MAX;
  if (s->kind >= KIND_LOAD_SHARED) {
    do_access(run, s, lanes);
    return;
  }
  for (unsigned l = 0; l < LANES; l++) {
    uint32_t *r = run->registers[l];
    if ((lanes & lane_bit(l)) == 0)
      continue;
    if (s->kind == KIND_COMPARE) {
      run->predicates[l][s->predicate] = relation_holds(s, r[s->a], r[s->b]);
    } else if (s->kind == KIND_COMPARE_NUMBER) {
      run->predicates[l][s->predicate] = relation_holds(s, r[s->a], s->number & 0xffff);
    } else if (s->kind >= KIND_WIDE_ADD && s->kind <= KIND_WIDE_MULTIPLY) {
      const uint64_t value = wide_of(s, r);
      r[s->d] = (uint32_t)value;
      r[s->d + 1] = (uint32_t)(value >> 32);
    } else {
      r[s->d] = word_of(run, s, l);
    }
  }
}

/* The statement that ends the part which begins at `from`. */
static size_t find_end(const struct program *program, size_t from, enum kind kind, unsigned label)
{
  size_t at = from;
  while (program->statements[at].kind != kind || program->statements[at].label != label)
    at++;
  return at;
}

static bool has_lanes(const struct run *run, uint32_t lanes)
{
  return lanes != 0 && run->steps < MOST_STEPS;
}

/* Recursion as deep as programs nest, which is 3. */
static void do_statements(struct run *run, size_t from, size_t to, uint32_t lanes)
{
  const struct program *program = run->program;
  for (size_t i = from; i < to && has_lanes(run, lanes); i++) {
    const struct statement *s = &program->statements[i];
    run->steps++;
    if (s->kind == KIND_IF) {
      const size_t otherwise = find_end(program, i, KIND_ELSE, s->label);
      const size_t end = find_end(program, i, KIND_END_IF, s->label);
      /* Lanes branch to the other side where the predicate is `turned`. */
      const uint32_t others = lanes & lanes_where(run, s->predicate, s->turned);
      do_statements(run, otherwise + 1, end, others);
      do_statements(run, i + 1, otherwise, lanes & ~others);
      i = end;
    } else if (s->kind == KIND_LOOP) {
      const size_t end = find_end(program, i, KIND_END_LOOP, s->label);
      for (uint32_t stay = lanes; has_lanes(run, stay); run->steps++) {
        do_statements(run, i + 1, end, stay);
        stay &= lanes_where(run, s->predicate, !s->turned);
      }
      i = end;
    } else {
      do_plain(run, s, lanes);
    }
  }
}

/* ---- launches ---- */

static void start_run(struct run *run, const struct wb_launch *launch)
{
  const uint32_t threads = launch->block[0] * launch->block[1];
  struct wb_random *random = run->random;
  memcpy(run->block, launch->block, sizeof run->block);
  run->warp = (uint32_t)below(random, (threads + 31) / 32);
  run->index = (uint32_t)below(random, 8) == 0 ? (uint32_t)below(random, 1 << 30)
                                               : (uint32_t)below(random, 100);
  for (unsigned p = 0; p < 4; p++) {
    const uint64_t choice = below(random, 4);
    const uint32_t number = (uint32_t)wb_random_next(random);
    run->parameters[p] = choice == 0   ? number
                         : choice == 1 ? number & ~UINT32_C(127)
                         : choice == 2 ? number % 64
                                       : (number >> 31 << 31) - number % 40;
  }
  run->steps = 0;
}

static void run_program(const struct program *program, const struct wb_accesses *accesses,
                        const struct wb_launch *launch, struct wb_random *random, size_t *checked,
                        size_t *tight)
{
  static const struct run empty;
  for (int n = 0; n < RUNS; n++) {
    struct run run = empty;
    run.program = program;
    run.accesses = accesses;
    run.random = random;
    start_run(&run, launch);
    if (launch->parameter_count > 0)
      run.parameters[1] = launch->parameters[0].value;
    const uint32_t threads = launch->block[0] * launch->block[1] - 32 * run.warp;
    do_statements(&run, 0, program->count, threads < LANES ? lane_bit(threads) - 1 : UINT32_MAX);
    *checked += run.checked;
    *tight += run.tight;
  }
}

static void try_program(struct wb_random *random, bool volta, size_t *checked, size_t *tight)
{
  static const uint32_t blocks[][3] = {{32, 1, 1}, {256, 1, 1}, {16, 16, 1}, {8, 8, 1},
                                       {64, 2, 1}, {48, 4, 1},  {20, 3, 1},  {16, 1, 1},
                                       {4, 16, 1}, {33, 1, 1}};
  static struct program program;
  struct wb_code code;
  struct wb_simt_analysis *analysis = NULL;
  struct wb_accesses accesses;
  warpbound_error error = {.message = ""};
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  const struct wb_parameter_value parameter = {NULL, 4, random_number(random)};
  struct wb_launch launch = {.parameters = &parameter, .parameter_count = below(random, 2)};
  memcpy(launch.block, blocks[below(random, COUNT_OF(blocks))], sizeof launch.block);
  make_program(&program, random, volta);
  listing_make_for(volta ? 87 : 52, program.pointers, &code);
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) !=
      WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_ok(wb_accesses_find(wb_simt_analysis_graph(analysis), &launch, &accesses, &error));
  run_program(&program, &accesses, &launch, random, checked, tight);
  wb_accesses_free(&accesses);
  wb_simt_analysis_free(analysis);
  wb_code_free(&code);
}

static void try_programs(bool volta)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t programs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  size_t checked = 0;
  size_t tight = 0;
  for (uint64_t n = 0; n < programs; n++) {
    struct wb_random random = {seed + n};
    printf("# WARPBOUND_SEED=%" PRIu64 "\n", seed + n);
    try_program(&random, volta, &checked, &tight);
  }
  printf("# %zu executions of accesses, %zu as many sectors or passes as said\n", checked, tight);
  assert_true(checked > programs);
  assert_true(tight > checked / 20);
}

TEST(old_programs)
{
  try_programs(false);
}

TEST(new_programs)
{
  try_programs(true);
}
