#include "address_code.h"

#include <inttypes.h>
#include <stdio.h>

const struct form address_forms[ADDRESS_FORMS] = {
    {61, 0x140, 0x8}, {75, 0x160, 0x0}, {87, 0x160, 0x0}, {120, 0x380, 0x360}};

/* The multiplier and the shift of a division of 32 unsigned bits: the multiplier may have 33. */
static uint64_t multiplier_of(uint32_t divisor, unsigned *places)
{
  for (*places = 0; *places < 32; ++*places) {
    const uint64_t unit = UINT64_C(1) << (32 + *places);
    const uint64_t multiplier = (unit - 1) / divisor + 1;
    if (multiplier * divisor - unit <= UINT64_C(1) << *places)
      return multiplier;
  }
  return 0;
}

/* A register that holds a word of constant memory: R11 and later have room for them. */
static void write_constant(struct wb_text *text, const struct form *form, unsigned to,
                           unsigned offset)
{
  wb_text_format(text, form->sm < 120 ? "MOV R%u, c[0x0][0x%x]; " : "LDC R%u, c[0x0][0x%x]; ", to,
                 offset);
}

/* R[to] = R[a] * b + R[c], b a constant's place or a number below 2^16; c 255: RZ. By way of R12.
 */
static void write_product(struct wb_text *text, const struct form *form, unsigned to, unsigned a,
                          unsigned place, unsigned c)
{
  char added[8] = "RZ";
  if (c != 255)
    snprintf(added, sizeof added, "R%u", c);
  if (form->sm >= 120)
    wb_text_format(text, "LDCU UR6, c[0x0][0x%x]; IMAD R%u, R%u, UR6, %s; ", place, to, a, added);
  else if (form->sm >= 70)
    wb_text_format(text, "IMAD R%u, R%u, c[0x0][0x%x], %s; ", to, a, place, added);
  else
    wb_text_format(text,
                   "XMAD.MRG R12, R%u, c[0x0][0x%x].H1, RZ; XMAD R13, R%u, c[0x0][0x%x], %s; "
                   "XMAD.PSL.CBCC R%u, R%u.H1, R12.H1, R13; ",
                   a, place, a, place, added, to, a);
}

/* R9 = the upper word of R8 * number. */
static void write_upper_product(struct wb_text *text, const struct form *form, uint32_t number)
{
  if (form->sm >= 70) {
    wb_text_format(text, "IMAD.HI.U32 R9, R8, 0x%" PRIx32 ", RZ; ", number);
    return;
  }
  wb_text_format(text,
                 "XMAD R12, R8, 0x%" PRIx32 ", RZ; XMAD R13, R8, 0x%" PRIx32 ", RZ; "
                 "XMAD R14, R8.H1, 0x%" PRIx32 ", RZ; XMAD.CHI R12, R8.H1, 0x%" PRIx32 ", R12; "
                 "IADD3.RS R9, R12, R13, R14; ",
                 number & 0xffff, number >> 16, number >> 16, number & 0xffff);
}

/* R9 = R8 / divisor. */
static void write_quotient(struct wb_text *text, const struct form *form, uint32_t divisor)
{
  unsigned places;
  const uint64_t multiplier = multiplier_of(divisor, &places);
  write_upper_product(text, form, (uint32_t)multiplier);
  if (multiplier > UINT32_MAX) {
    wb_text_format(text, form->sm >= 70
                             ? "IADD3 R10, R8, -R9, RZ; LEA.HI R9, R10, R9, RZ, 0x1f; "
                             : "IADD R10, R8, -R9; SHR.U32 R10, R10, 0x1; IADD R9, R9, R10; ");
    places--;
  }
  if (places > 0)
    wb_text_format(text,
                   form->sm >= 70 ? "SHF.R.U32.HI R9, RZ, 0x%x, R9; " : "SHR.U32 R9, R9, 0x%x; ",
                   places);
}

/* R[to] = R8 % divisor, R9 = R8 / divisor. */
static void write_remainder(struct wb_text *text, const struct form *form, unsigned to,
                            uint32_t divisor)
{
  write_quotient(text, form, divisor);
  if (form->sm >= 70)
    wb_text_format(text, "IMAD R%u, R9, -0x%" PRIx32 ", R8; ", to, divisor);
  else
    wb_text_format(text,
                   "XMAD R12, R9, 0x%" PRIx32 ", RZ; XMAD.PSL R12, R9.H1, 0x%" PRIx32
                   ", R12; IADD R%u, R8, -R12; ",
                   divisor, divisor, to);
}

/* R[to] = R[to] + number. */
static void write_sum(struct wb_text *text, const struct form *form, unsigned to, uint32_t number)
{
  wb_text_format(text,
                 form->sm >= 70 ? "IADD3 R%u, R%u, 0x%" PRIx32 ", RZ; "
                                : "IADD32I R%u, R%u, 0x%" PRIx32 "; ",
                 to, to, number);
}

/* R[to] = the least or the greatest of R[to] and another register, signed. */
static void write_extreme(struct wb_text *text, const struct form *form, unsigned to,
                          const char *other, bool least)
{
  wb_text_format(text, "%s R%u, R%u, %s, %sPT; ", form->sm >= 120 ? "VIMNMX.S32" : "IMNMX", to, to,
                 other, least ? "" : "!");
}

/* R10 = the limit - 1. */
static void write_last(struct wb_text *text, const struct form *form)
{
  write_constant(text, form, 10, form->parameters + LIMIT);
  write_sum(text, form, 10, UINT32_MAX);
}

/* R8 = the column, R9 the row, each plus the number and clamped where `clamped`; R8 += pitch R9. */
static void write_rows(struct wb_text *text, const struct form *form, bool clamped, uint32_t number)
{
  write_product(text, form, 8, 2, form->block, 0);
  write_product(text, form, 9, 3, form->block + 4, 1);
  if (clamped)
    write_last(text, form);
  for (unsigned r = 8; r <= 9 && clamped; r++) {
    write_sum(text, form, r, number);
    write_extreme(text, form, r, "RZ", false);
    write_extreme(text, form, r, "R10", true);
  }
  write_product(text, form, 8, 9, form->parameters + PITCH, 8);
}

/* R[to] = R[a] & number, or a predicate that says whether it is not 0 where `to` is 255. */
static void write_mask(struct wb_text *text, const struct form *form, unsigned to, unsigned a,
                       uint32_t number)
{
  if (to == 255)
    wb_text_format(text,
                   form->sm >= 70 ? "LOP3.LUT P1, RZ, R%u, 0x%" PRIx32 ", RZ, 0xc0, !PT; "
                                  : "LOP.AND.NZ P1, RZ, R%u, 0x%" PRIx32 "; ",
                   a, number);
  else if (form->sm >= 70)
    wb_text_format(text, "LOP3.LUT R%u, R%u, 0x%" PRIx32 ", RZ, 0xc0, !PT; ", to, a, number);
  else
    wb_text_format(text, "LOP32I.AND R%u, R%u, 0x%" PRIx32 "; ", to, a, number);
}

static void write_shift(struct wb_text *text, const struct form *form, unsigned to, unsigned a,
                        uint32_t number)
{
  if (form->sm >= 70)
    wb_text_format(text, "SHF.R.U32.HI R%u, RZ, 0x%" PRIx32 ", R%u; ", to, number, a);
  else
    wb_text_format(text, "SHR.U32 R%u, R%u, 0x%" PRIx32 "; ", to, a, number);
}

static void write_step(struct wb_text *text, const struct form *form, const struct step *step)
{
  const uint32_t number = step->number;
  switch (step->kind) {
  case FLAT:
    write_product(text, form, 8, 2, form->block, 0);
    break;
  case ROWS:
  case STENCIL:
    write_rows(text, form, step->kind == STENCIL, number);
    break;
  case THREAD:
    wb_text_format(text, "MOV R8, R0; ");
    break;
  case ADD:
    write_sum(text, form, 8, number);
    break;
  case MULTIPLY:
    wb_text_format(text,
                   form->sm >= 70 ? "IMAD R8, R8, 0x%" PRIx32 ", RZ; "
                                  : "XMAD R12, R8, 0x%" PRIx32 ", RZ; "
                                    "XMAD.PSL R8, R8.H1, 0x%" PRIx32 ", R12; ",
                   number, number);
    break;
  case MINIMUM:
    write_last(text, form);
    write_extreme(text, form, 8, "R10", true);
    break;
  case MAXIMUM:
    write_extreme(text, form, 8, "RZ", false);
    break;
  case QUOTIENT:
    write_quotient(text, form, number);
    wb_text_format(text, "MOV R8, R9; ");
    break;
  case REMAINDER:
    write_remainder(text, form, 8, number);
    break;
  case TILES:
    write_remainder(text, form, 10, number);
    write_product(text, form, 8, 9, form->parameters + PITCH, 10);
    break;
  case XOR:
    write_shift(text, form, 9, 0, 3);
    write_mask(text, form, 9, 9, number);
    wb_text_format(text, form->sm >= 70 ? "LOP3.LUT R8, R8, R9, RZ, 0x3c, !PT; "
                                        : "LOP.XOR R8, R8, R9; ");
    break;
  case AND:
    write_mask(text, form, 8, 8, number);
    break;
  case SHIFT_RIGHT:
    write_shift(text, form, 8, 8, number);
    break;
  case PERMUTE:
    wb_text_format(text, "PRMT R8, R8, 0x%" PRIx32 ", RZ; ", number);
    break;
  case REVERSE:
    write_last(text, form);
    wb_text_format(text, form->sm >= 70 ? "IADD3 R8, -R8, R10, RZ; " : "IADD R8, -R8, R10; ");
    break;
  default:
    write_constant(text, form, 9, form->parameters + LIMIT);
    wb_text_format(text, "ISETP.LT.U32.AND P0, PT, R0, 0x%" PRIx32 ", PT; SEL R8, R8, R9, P0; ",
                   number);
  }
}

static const char *suffix_of(unsigned bytes)
{
  return bytes == 1 ? ".U8" : bytes == 2 ? ".U16" : bytes == 8 ? ".64" : bytes == 16 ? ".128" : "";
}

unsigned pointer_of(unsigned bytes)
{
  return bytes < 4 ? 0 : bytes == 4 ? 1 : bytes == 8 ? 2 : 3;
}

/* (R17, R16) = pointer + R8 * bytes. */
static void write_address(struct wb_text *text, const struct form *form, unsigned bytes, bool lea)
{
  const unsigned pointer = form->parameters + 8 * pointer_of(bytes);
  unsigned places = 0;
  while (bytes >> places > 1)
    places++;
  if (form->sm < 70) {
    wb_text_format(text, places > 0 ? "SHL R16, R8, 0x%x; " : "MOV R16, R8; ", places);
    wb_text_format(text,
                   "SHR R17, R8, 0x%x; IADD R16.CC, R16, c[0x0][0x%x]; "
                   "IADD.X R17, R17, c[0x0][0x%x]; ",
                   places > 0 ? 32 - places : 31, pointer, pointer + 4);
    return;
  }
  write_constant(text, form, 12, pointer);
  write_constant(text, form, 13, pointer + 4);
  if (!lea)
    wb_text_format(text, "IMAD.WIDE R16, R8, 0x%x, R12; ", bytes);
  else if (places > 0)
    wb_text_format(text, "LEA R16, P2, R8, R12, 0x%x; LEA.HI.X.SX32 R17, R8, R13, 0x%x, P2; ",
                   places, places);
  else
    wb_text_format(text, "IADD3 R16, P2, R8, R12, RZ; LEA.HI.X.SX32 R17, R8, R13, 0x1, P2; ");
}

/* The text of an address in memory of that space. */
static const char *address_of(const struct form *form, enum space space)
{
  if (space == SHARED || space == LOCAL || form->sm < 80)
    return "[R16]";
  return form->sm >= 120 ? "desc[UR4][R16.64]" : "[R16.64]";
}

void write_computation(struct wb_text *text, const struct form *form, const struct computation *it)
{
  const char *guard = it->guard == NO_GUARD ? "" : "@P1 ";
  for (size_t s = 0; s < it->count; s++)
    write_step(text, form, &it->steps[s]);
  if (it->guard == INDEX_BELOW) {
    write_constant(text, form, 9, form->parameters + LIMIT);
    wb_text_format(text, "ISETP.LT.AND P1, PT, R8, R9, PT; ");
  } else if (it->guard == THREAD_BELOW) {
    wb_text_format(text, "ISETP.LT.U32.AND P1, PT, R0, 0x%" PRIx32 ", PT; ", it->guard_number);
  } else if (it->guard == EACH) {
    write_mask(text, form, 255, 0, it->guard_number);
  }
  if (it->space == GLOBAL || it->space == ATOMIC)
    write_address(text, form, it->bytes, it->lea);
  else
    wb_text_format(text, form->sm >= 70 ? "IMAD R16, R8, 0x%x, RZ; " : "IMUL R16, R8, 0x%x; ",
                   it->bytes);
  if (it->space == ATOMIC)
    wb_text_format(text, "%s%s.E.ADD%s %s, R20; ", guard, form->sm >= 120 ? "REDG" : "RED",
                   form->sm >= 70 ? ".STRONG.GPU" : "", address_of(form, it->space));
  else if (it->space == GLOBAL)
    wb_text_format(text, "%sLDG.E%s%s R20, %s; ", guard, suffix_of(it->bytes),
                   form->sm == 75 ? ".SYS" : "", address_of(form, it->space));
  else
    wb_text_format(text, "%s%s%s R20, %s; ", guard, it->space == SHARED ? "LDS" : "LDL",
                   suffix_of(it->bytes), address_of(form, it->space));
}
