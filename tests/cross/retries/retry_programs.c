#include "retry_programs.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers: R2 and R3 an address of global memory, R40 and R41 of shared memory, R8 and UR5 the
 * terms of R9, R44 to R47 numbers. */
struct maker {
  struct retry_program *program;
  struct wb_random *random;
  unsigned loop;                        /* number of the loop that is written */
  unsigned compared, next, result, old; /* its registers, of words of 8 bytes pairs */
  bool wide;
};

static bool one_in(struct wb_random *random, uint64_t count)
{
  return wb_random_below(random, count) == 0;
}

static bool is_label(const char *line)
{
  return line[0] != '\0' && line[strlen(line) - 1] == ':';
}

__attribute__((format(printf, 2, 3))) static void add(struct maker *maker, const char *format, ...)
{
  struct retry_program *program = maker->program;
  va_list arguments;
  if (program->count == PROGRAM_LINES - 8)
    return;
  va_start(arguments, format);
  vsnprintf(program->lines[program->count++], PROGRAM_WIDTH, format, arguments);
  va_end(arguments);
}

static bool is_from(const struct maker *maker, unsigned sm)
{
  return maker->program->sm >= sm;
}

static const char *choose(struct maker *maker, const char *const *texts, size_t count)
{
  return texts[wb_random_below(maker->random, count)];
}

/* ---- other accesses ---- */

/* [R2] as the architecture writes it. */
static const char *global_address(const struct maker *maker, bool of_atomic)
{
  if (is_from(maker, 90) && !of_atomic)
    return "desc[UR4][R2.64]";
  return is_from(maker, 75) && !of_atomic && one_in(maker->random, 2) ? "[R2.64]" : "[R2]";
}

static void add_store(struct maker *maker)
{
  static const char *const widths[] = {"", ".U8", ".U16", ".64", ".128"};
  const char *width = choose(maker, widths, 5);
  const unsigned from = 44 + (unsigned)wb_random_below(maker->random, 2) * 4;
  const bool guarded = one_in(maker->random, 6);
  const char *guard = guarded ? "@P5 " : "";
  if (one_in(maker->random, 2))
    add(maker, "%sSTS%s [R%u], R%u", guard, width, one_in(maker->random, 3) ? 41U : 40U, from);
  else if (one_in(maker->random, 6))
    add(maker, "%sST.E%s %s, R%u", guard, width, is_from(maker, 90) ? "desc[UR4][R2.64]" : "[R2]",
        from);
  else
    add(maker, "%sSTG.E%s %s, R%u", guard, width, global_address(maker, false), from);
}

static void add_atomic(struct maker *maker)
{
  static const char *const kinds[] = {"ADD", "EXCH"};
  const char *kind = choose(maker, kinds, 2);
  const bool volta = is_from(maker, 70);
  switch (wb_random_below(maker->random, 4)) {
  case 0:
    add(maker, "ATOMS.%s R50, [R40], R44", kind);
    break;
  case 1:
    add(maker, volta ? "ATOMG.E.%s.STRONG.GPU PT, R50, [R2], R45" : "ATOM.E.%s R50, [R2], R45",
        kind);
    break;
  case 2:
    add(maker, !volta               ? "RED.E.ADD [R2], R44"
               : is_from(maker, 90) ? "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R44"
                                    : "RED.E.ADD.STRONG.GPU [R2], R44");
    break;
  default:
    if (is_from(maker, 80))
      add(maker, "LDGSTS.E [R40], %s", global_address(maker, false));
  }
}

static void add_others(struct maker *maker, unsigned most)
{
  for (uint64_t n = wb_random_below(maker->random, most + 1); n > 0; n--)
    (one_in(maker->random, 3) ? add_atomic : add_store)(maker);
}

/* ---- parts of a loop ---- */

static void add_next(struct maker *maker)
{
  const unsigned to = maker->next, from = maker->compared;
  const bool volta = is_from(maker, 70);
  const unsigned kind = (unsigned)wb_random_below(maker->random, 3);
  if (kind == 0)
    add(maker, "MOV R%u, R%u", to, 46 + (unsigned)wb_random_below(maker->random, 2));
  else if (volta)
    add(maker, kind == 1 ? "IADD3 R%u, R%u, 0x1, RZ" : "LOP3.LUT R%u, R%u, 0x1, RZ, 0x3c, !PT", to,
        from);
  else
    add(maker, kind == 1 ? "IADD R%u, R%u, 0x1" : "LOP.XOR R%u, R%u, 0x1", to, from);
  if (maker->wide)
    add(maker, "MOV R%u, R%u", to + 1, from + 1);
}

/* Whether the words are equal, or unequal, as P(loop + 1). */
static void add_test(struct maker *maker, unsigned a, unsigned b, bool equal)
{
  const unsigned to = maker->loop + 1;
  const char *relation = equal ? "EQ" : "NE";
  if (maker->wide && !is_from(maker, 70)) {
    add(maker, "IADD RZ.CC, -R%u, R%u", b, a);
    add(maker, "ISETP.%s.U32.X.AND P%u, PT, R%u, R%u, PT", relation, to, a + 1, b + 1);
    return;
  }
  if (maker->wide && is_from(maker, 100) && one_in(maker->random, 2)) {
    add(maker, "ISETP.%s.S64.AND P%u, PT, R%u, R%u, PT", relation, to, a, b);
    return;
  }
  add(maker, "ISETP.%s%s.AND P%u, PT, R%u, R%u, PT", relation,
      one_in(maker->random, 2) || maker->wide ? ".U32" : "", to, a, b);
  if (maker->wide)
    add(maker, "ISETP.%s.AND.EX P%u, PT, R%u, R%u, PT, P%u", relation, to, a + 1, b + 1, to);
}

static void add_move(struct maker *maker, const char *guard, unsigned to, unsigned from)
{
  if (maker->wide && is_from(maker, 100) && one_in(maker->random, 2)) {
    add(maker, "%sMOV.64 R%u, R%u", guard, to, from);
    return;
  }
  for (unsigned w = 0; w < (maker->wide ? 2U : 1U); w++)
    add(maker,
        is_from(maker, 70) && one_in(maker->random, 3) ? "%sIMAD.MOV.U32 R%u, RZ, RZ, R%u"
                                                       : "%sMOV R%u, R%u",
        guard, to + w, from + w);
}

/* A loop inside that counts, and may write a register of the one around it. */
static void add_inner(struct maker *maker)
{
  const char *step = is_from(maker, 70) ? "IADD3 R49, R49, 0x1, RZ" : "IADD R49, R49, 0x1";
  const unsigned own[] = {maker->next, maker->compared, maker->result, maker->old, 40, 2};
  const unsigned written = own[wb_random_below(maker->random, one_in(maker->random, 3) ? 6 : 1)];
  const bool writes = one_in(maker->random, 2);
  const unsigned n = maker->loop;
  add(maker, "MOV R49, RZ");
  add(maker, "I%u:", n);
  if (one_in(maker->random, 2)) {
    add(maker, "ISETP.GE.AND P4, PT, R49, R44, PT");
    add(maker, "@P4 BRA J%u", n);
    if (writes)
      add(maker, "MOV R%u, R45", written);
    add(maker, "%s", step);
    add(maker, "BRA I%u", n);
    add(maker, "J%u:", n);
    return;
  }
  if (writes)
    add(maker, "MOV R%u, R44", written);
  add(maker, "%s", step);
  add(maker, "ISETP.LT.AND P4, PT, R49, 0x2, PT");
  add(maker, "@P4 BRA I%u", n);
}

static void add_some(struct maker *maker)
{
  switch (wb_random_below(maker->random, 14)) {
  case 0:
    add_inner(maker);
    break;
  case 1:
    add(maker, "@P5 BRA S%u", maker->loop);
    add(maker, "MOV R%u, R46", maker->next);
    add(maker, "S%u:", maker->loop);
    break;
  case 2:
    add(maker, "ISETP.GT.AND P4, PT, R%u, 0x3, PT", maker->result);
    add(maker, "@P4 EXIT");
    break;
  case 3:
    add(maker, "@P5 BRA X%u", maker->loop);
    break;
  default:
    break;
  }
}

/* The swap of one form. */
static void add_swap(struct maker *maker, bool shared, const char *address)
{
  const char *width = maker->wide ? ".64" : "";
  if (shared)
    add(maker, "ATOMS.CAS%s R%u, %s, R%u, R%u", width, maker->result, address, maker->compared,
        maker->next);
  else if (is_from(maker, 70))
    add(maker, "%s.E.CAS%s.STRONG.GPU PT, R%u, %s, R%u, R%u",
        one_in(maker->random, 5) ? "ATOM" : "ATOMG", width, maker->result, address, maker->compared,
        maker->next);
  else
    add(maker, "ATOM.E.CAS%s R%u, %s, R%u, R%u", width, maker->result, address, maker->compared,
        maker->next);
}

/* Lanes that fail wait for each other as for sm_75. */
static void add_waiting_back(struct maker *maker)
{
  const unsigned n = maker->loop;
  add(maker, "@!P%u BRA X%u", n + 1, n);
  add_move(maker, "", maker->old, maker->result);
  add(maker, "W%u:", n);
  add(maker, "VOTE.ANY R0, PT, PT");
  add(maker, "YIELD");
  add(maker, "VOTEU.ANY UR6, UPT, PT");
  add(maker, "LOP3.LUT P0, RZ, R0, UR6, RZ, 0xc, !PT");
  add(maker, "@!P0 BRA.U L%u", n);
  add(maker, "BRA W%u", n);
}

/* ---- loops ---- */

static void add_first(struct maker *maker, bool shared)
{
  const unsigned to = maker->old;
  if (one_in(maker->random, 3))
    add_move(maker, "", to, 44);
  else if (shared)
    add(maker, "LDS%s R%u, [R40]", maker->wide ? ".64" : "", to);
  else
    add(maker, "LDG.E%s R%u, %s", maker->wide ? ".64" : "", to, global_address(maker, false));
}

/* What the swap has returned is compared in the next turn. */
static void add_returning(struct maker *maker)
{
  const unsigned n = maker->loop;
  const bool shared = one_in(maker->random, 3);
  const bool moves = one_in(maker->random, 2);
  char guard[8];
  if (!moves)
    maker->old = maker->compared;
  add_first(maker, shared);
  add(maker, "L%u:", n);
  if (moves)
    add_move(maker, "", maker->compared, maker->old);
  add_some(maker);
  add_next(maker);
  add_swap(maker, shared, shared ? "[R40]" : "[R2]");
  if (one_in(maker->random, 10))
    add_some(maker);
  if (is_from(maker, 75) && !is_from(maker, 80) && one_in(maker->random, 2)) {
    add_test(maker, maker->old, maker->result, false);
    add_waiting_back(maker);
  } else if (one_in(maker->random, 2)) {
    add_test(maker, maker->old, maker->result, true);
    snprintf(guard, sizeof guard, "@!P%u ", n + 1);
    add_move(maker, guard, maker->old, maker->result);
    add(maker, "@!P%u BRA L%u", n + 1, n);
  } else {
    add_test(maker, maker->old, maker->result, false);
    add_move(maker, "", maker->old, maker->result);
    add(maker, "@P%u BRA L%u", n + 1, n);
  }
  add(maker, "X%u:", n);
}

static void add_success(struct maker *maker)
{
  const unsigned to = maker->loop + 1;
  add(maker, "ISETP.EQ.U32.AND P%u, PT, R%u, 0x1, PT", to, maker->result);
  if (maker->wide)
    add(maker, "ISETP.EQ.U32.AND.EX P%u, PT, R%u, RZ, PT, P%u", to, maker->result + 1, to);
}

/* Behind the swap. */
static void add_leaving(struct maker *maker, bool some_leave)
{
  if (some_leave)
    add(maker, "@P5 BRA X%u", maker->loop);
  else if (one_in(maker->random, 10))
    add_some(maker);
}

/* The word is loaded in each turn. */
static void add_loading(struct maker *maker)
{
  static const char *const addresses[] = {"[R40]", "[R40+0x8]", "[R41]", "[R8+UR5]"};
  const unsigned n = maker->loop;
  const char *width = maker->wide ? ".64" : "";
  const bool shared = is_from(maker, 70) ? !one_in(maker->random, 4) : true;
  const char *address = shared ? choose(maker, addresses, is_from(maker, 75) ? 4 : 3) : "[R2]";
  const bool sum = strchr(address, 'U') != NULL;
  const bool some_leave = one_in(maker->random, 8); /* and load nothing */
  const char *guard = some_leave ? "@!P5 " : "";
  if (sum)
    add(maker, "IADD3 R9, R8, UR5, RZ");
  add(maker, "L%u:", n);
  if (!shared)
    add(maker, "%sLDG.E%s.STRONG.%s R%u, %s", guard, width,
        one_in(maker->random, 6)   ? "SYS"
        : one_in(maker->random, 4) ? "CTA"
                                   : "GPU",
        maker->compared, address);
  else
    add(maker, "%sLDS%s R%u, %s", guard, width, maker->compared, address);
  if (!one_in(maker->random, 4))
    add_some(maker);
  add_next(maker);
  if (sum)
    address = "[R9]";
  if (!shared || !is_from(maker, 70)) {
    add_swap(maker, shared, address);
    add_leaving(maker, some_leave);
    add_test(maker, maker->compared, maker->result, false);
    add(maker, "@P%u BRA L%u", n + 1, n);
  } else if (is_from(maker, 120)) {
    add(maker, "ATOMS.CAST.SPIN%s P%u, %s, R%u, R%u", width, n + 1, address, maker->compared,
        maker->next);
    add_leaving(maker, some_leave);
    add(maker, "@!P%u BRA L%u", n + 1, n);
  } else {
    add(maker, "ATOMS.CAST.SPIN%s R%u, %s, R%u, R%u", width, maker->result, address,
        maker->compared, maker->next);
    add_leaving(maker, some_leave);
    add_success(maker);
    add(maker, "@!P%u BRA L%u", n + 1, n);
  }
  add(maker, "X%u:", n);
}

static void add_loop(struct maker *maker)
{
  const unsigned first = 12 + 8 * maker->loop;
  maker->wide = one_in(maker->random, 3);
  maker->compared = first;
  maker->next = first + (maker->wide || one_in(maker->random, 2) ? 2 : 1);
  maker->result = one_in(maker->random, 2) ? maker->next : first + 4;
  maker->old = first + 6;
  (one_in(maker->random, 2) ? add_returning : add_loading)(maker);
}

void retry_program_make(struct retry_program *program, struct wb_random *random)
{
  static const unsigned architectures[] = {52, 75, 90, 120};
  struct maker maker = {.program = program, .random = random};
  const unsigned loops = 1 + (unsigned)wb_random_below(random, one_in(random, 3) ? 3 : 1);
  const bool around = one_in(random, 3);
  const unsigned others = one_in(random, 2) ? 0 : 2;
  *program = (struct retry_program){.sm = architectures[wb_random_below(random, 4)]};
  add_others(&maker, others);
  if (around) {
    add(&maker, "MOV R48, RZ");
    add(&maker, "A:");
  }
  for (; maker.loop < loops; maker.loop++) {
    add_others(&maker, others);
    add_loop(&maker);
  }
  add_others(&maker, others);
  if (around) {
    add(&maker, program->sm >= 70 ? "IADD3 R48, R48, 0x1, RZ" : "IADD R48, R48, 0x1");
    add(&maker, "ISETP.LT.AND P6, PT, R48, 0x%u, PT", 2 + (unsigned)wb_random_below(random, 2));
    add(&maker, "@P6 BRA A");
  }
  strcpy(program->lines[program->count++], "EXIT");
}

/* ---- changes ---- */

void retry_program_remove(struct retry_program *program, size_t line)
{
  memmove(program->lines[line], program->lines[line + 1],
          (program->count - line - 1) * sizeof program->lines[0]);
  program->count--;
}

static void insert(struct retry_program *program, size_t line, const char *text)
{
  char kept[PROGRAM_WIDTH];
  if (program->count + 1 >= PROGRAM_LINES)
    return;
  snprintf(kept, sizeof kept, "%s", text);
  memmove(program->lines[line + 1], program->lines[line],
          (program->count - line) * sizeof program->lines[0]);
  memcpy(program->lines[line], kept, sizeof kept);
  program->count++;
}

/* Puts text in the place of `length` characters, where it fits. */
static void replace(char *line, char *at, size_t length, const char *text)
{
  const size_t more = strlen(text);
  if (strlen(line) - length + more >= PROGRAM_WIDTH)
    return;
  memmove(at + more, at + length, strlen(at + length) + 1);
  memcpy(at, text, more);
}

/* One of the registers R12 to R41, or a predicate, becomes another one. */
static void change_register(char *line, char kind, struct wb_random *random)
{
  static const unsigned others[] = {0, 2, 3, 8, 9, 40, 41, 44, 46};
  char *chosen = NULL;
  char text[8];
  size_t seen = 0;
  for (char *c = line + (line[0] == '@'); *c != '\0'; c++) {
    const char before = c > line ? c[-1] : ' ';
    if (*c == kind && c[1] >= '0' && c[1] <= '9' && strchr(" [-!,@", before) != NULL &&
        one_in(random, ++seen))
      chosen = c;
  }
  if (chosen == NULL)
    return;
  const unsigned number = (unsigned)strtoul(chosen + 1, NULL, 10);
  unsigned other = (unsigned)wb_random_below(random, 6);
  if (kind == 'R' && one_in(random, 3))
    other = others[wb_random_below(random, sizeof others / sizeof *others)];
  else if (kind == 'R')
    other = (number & ~7U) + 4 * (number / 4 % 2) + 2 * (unsigned)wb_random_below(random, 2) +
            number % 2;
  if (kind == 'R' && one_in(random, 4))
    other = 12 + 2 * (unsigned)wb_random_below(random, 8);
  snprintf(text, sizeof text, "%c%u", kind, other);
  replace(line, chosen, 1 + strspn(chosen + 1, "0123456789"), text);
}

static void change_relation(char *line, struct wb_random *random)
{
  static const char *const relations[] = {"EQ", "NE", "LT", "GE", "LE", "GT"};
  if (strncmp(strchr(line, 'I') != NULL ? strchr(line, 'I') : line, "ISETP.", 6) == 0)
    memcpy(strstr(line, "ISETP.") + 6, relations[wb_random_below(random, 6)], 2);
}

static void change_guard(char *line, struct wb_random *random)
{
  char guard[8];
  char *space = strchr(line, ' ');
  if (is_label(line))
    return;
  if (line[0] == '@' && one_in(random, 3)) {
    replace(line, line, (size_t)(space - line) + 1, "");
    return;
  }
  if (line[0] == '@' && one_in(random, 2)) {
    if (line[1] == '!')
      replace(line, line + 1, 1, "");
    else
      replace(line, line + 1, 0, "!");
    return;
  }
  if (line[0] == '@')
    replace(line, line, (size_t)(space - line) + 1, "");
  const unsigned number = (unsigned)wb_random_below(random, 6);
  const bool negated = one_in(random, 2);
  snprintf(guard, sizeof guard, "@%sP%u ", negated ? "!" : "", number);
  if (negated && number == 4) /* no lane does it */
    snprintf(guard, sizeof guard, "@!PT ");
  replace(line, line, 0, guard);
}

/* A branch goes to another label. */
static void change_target(struct retry_program *program, char *line, struct wb_random *random)
{
  const char *chosen = NULL;
  char *target = strrchr(line, ' ');
  size_t seen = 0;
  for (size_t l = 0; l < program->count; l++)
    if (is_label(program->lines[l]) && one_in(random, ++seen))
      chosen = program->lines[l];
  if (strstr(line, "BRA") == NULL || chosen == NULL)
    return;
  snprintf(target + 1, PROGRAM_WIDTH - (size_t)(target + 1 - line), "%.*s", (int)strlen(chosen) - 1,
           chosen);
}

static void change_offset(char *line, struct wb_random *random)
{
  char *close = strrchr(line, ']');
  if (close == NULL || close[-1] == ']')
    return;
  replace(line, close, 0, one_in(random, 2) ? "+0x4" : "+0x8");
}

static void add_any(struct retry_program *program, size_t line, struct wb_random *random)
{
  static const char *const maxwell[] = {"IADD R40, R40, 0x4", "IADD R2, R2, 0x4",
                                        "STS [R40], R44",     "STG.E [R2], R44",
                                        "IADD R12, R12, 0x1", "ISETP.EQ.AND P1, PT, R44, R45, PT",
                                        "MOV R12, R44",       "MOV R18, R12",
                                        "LDS R12, [R40]",     "LDS R12, [R41]"};
  static const char *const volta[] = {"IADD3 R40, R40, 0x4, RZ",
                                      "IADD3 R2, R2, 0x4, RZ",
                                      "STS [R40], R44",
                                      "IADD3 R8, R8, 0x4, RZ",
                                      "IADD3 R12, R12, 0x1, RZ",
                                      "ISETP.EQ.AND P1, PT, R44, R45, PT",
                                      "MOV R12, R44",
                                      "MOV R18, R12",
                                      "LDS R12, [R40]",
                                      "LDS R12, [R41]",
                                      "UMOV UR5, 0x4",
                                      "PLOP3.LUT P1, PT, P1, P2, PT, 0x80, 0x0",
                                      "SEL R12, R12, R16, P1",
                                      "IADD3 R9, R8, UR5, RZ"};
  const char *text = program->sm >= 70
                         ? volta[wb_random_below(random, sizeof volta / sizeof *volta)]
                         : maxwell[wb_random_below(random, sizeof maxwell / sizeof *maxwell)];
  insert(program, line, text);
}

void retry_program_change(struct retry_program *program, struct wb_random *random)
{
  const size_t last = program->count - 1; /* EXIT */
  if (last < 2)
    return;
  const size_t at = wb_random_below(random, last);
  char *line = program->lines[at];
  const struct retry_program *const before = program;
  program->changes++;
  switch (wb_random_below(random, 10)) {
  case 0:
  case 1:
    change_register(line, 'R', random);
    break;
  case 2:
    change_register(line, 'P', random);
    break;
  case 3:
    change_relation(line, random);
    break;
  case 4:
    change_guard(line, random);
    break;
  case 5:
    change_target(program, line, random);
    break;
  case 6:
    change_offset(line, random);
    break;
  case 7:
    add_any(program, at, random);
    break;
  case 8: /* a line stands elsewhere */
    if (!is_label(line) || one_in(random, 3)) {
      char kept[PROGRAM_WIDTH];
      memcpy(kept, line, sizeof kept);
      retry_program_remove(program, at);
      insert(program, (at + wb_random_below(random, 5)) % (before->count - 1), kept);
    }
    break;
  default:
    if (!is_label(line))
      retry_program_remove(program, at);
  }
}
