#include "random_instruction.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Instructions, with choices in braces and operands drawn by letter: %d a register that is written,
 * %D a pair; %r a register, %s one that may be negated, %p a pair, %b a register, constant or
 * number, %a the same with a sign, %x one that may be complemented, %w 64 bits, %c a constant, %n a
 * number, %i one of 0 to 31, %k one of 0 to 63, %f a field of bits, %P a predicate that is read, %Q
 * one that is written, %t a table, %e digits that choose bytes, %m a mask of predicates, %q a
 * number of 16 bits. Those of instructions that begin with U are uniform; %u is a uniform register
 * anywhere. */
static const char *const maxwell[] = {
    "BFE{|.U32} %d, %r, %f",
    "BFE.U32 %d, %r, %r",
    "BFE.U32.BREV %d, %r, 0x2000",
    "BFI %d, %r, {%f|%r}, %b",
    "CSET{|.BF}.{EQ|LO}.{AND|OR|XOR} %d, CC, %P",
    "CSETP.{NE|GT}.{AND|OR|XOR} %Q, %E, CC, %P",
    "FCMP.{GT|NEU} %d, %r, %b, %r",
    "F2F.F32.F32{|.FLOOR} %d, %r",
    "F2I.{U8|U16|S16|U32|S32}.F32{|.TRUNC} %d, %r",
    "FLO{|.U32}{|.SH} %d, {|~}%r",
    "I2F.F32.{U32|S32|U8} %d, %b",
    "I2I.{S32.S32|S32.S16|S32.S8|S32.U8|S32.U16|U32.U8|U32.U16|U32.U32|U16.U8} %d, %r",
    "I2I.S32.S32 %d, {-|}|%r|",
    "I2I.S32.S32 %d, -%r",
    "I2I.{S32|U32|U16}.U8 %d, %r.{B1|B2|B3}",
    "I2I.{S32.S16|U32.U16|S32.U16} %d, %r.H1",
    "IADD{|.X} %d{|.CC}, %s, %a",
    "IADD %d{|.CC}, %r, -%r",
    "IADD3 %d{|.CC}, %s, %a, {RZ|%s}",
    "IADD3.X %d, %r, %b, %r",
    "IADD3.RS %d, %r, %r, %r",
    "IADD32I{|.X} %d{|.CC}, %s, %n",
    "ISAD{|.U32} %d, %r, %r, %b",
    "ISUB %d, %r, %a",
    "ICMP.{F|LT|EQ|LE|GT|NE|GE|T}{|.U32} %d, %r, %b, %r",
    "IDP.{4A.{U8|S8}|2A.{LO|HI}.{U16|S16}}.{U8|S8} %d, %r, %r, %b",
    "IMAD{|.U32.U32|.S32.U32|.U32.S32}{|.HI}{|.X} %d, %r, %b, %r",
    "IMAD{|.U32.U32} %d, %s, %b, %s",
    "IMAD32I{|.U32.U32}{|.HI} %d, %r, %n, %r",
    "IMADSP.{U32|S32|U24|S24}.{U24|S24|U16H0|S16H0}.{U32|S24|S16H0} %d, %r, %b, %r",
    "IMADSP.{U16H0|S16H0|U16H1|S16H1}.{U24|S16H0}.{U32|S24} %d, %r, %b, %r",
    "IMNMX{|.U32} %d, %r, %b, %P",
    "IMUL{|.U32.U32|.S32.U32|.U32.S32}{|.HI} %d, %r, %b",
    "IMUL32I{|.U32.U32}{|.HI} %d, %r, %n",
    "ISCADD %d{|.CC}, %s, %a, %i",
    "ISCADD32I %d{|.CC}, %r, %n, %i",
    "ISET{|.BF}.{F|LT|EQ|LE|GT|NE|GE|T}{|.U32}.{AND|OR|XOR} %d, %r, %b, %P",
    "ISETP.{F|LT|EQ|LE|GT|NE|GE|T}{|.U32}.{AND|OR|XOR} %Q, %E, %r, %b, %P",
    "ISETP.{LT|EQ|LE|GT|NE|GE}{|.U32}.X.{AND|OR|XOR} %Q, {PT|%E}, %r, %b, %P",
    "LDC{|.64|.U8|.S8|.U16|.S16} %D, %c",
    "LEA{|.X} %d{|.CC}, %r, %b{|, %i}",
    "LEA %d, -%r, %a, %i",
    "LEA.HI{|.X} %d{|.CC}, %r, %b, %r{|, %i}",
    "LOP.{AND|OR|XOR|PASS_B} %d, %x, %x",
    "LOP.{AND|OR|XOR}.{Z|NZ} %Q, %d, %x, %x",
    "LOP32I.{AND|OR|XOR} %d, %x, %n",
    "LOP3.LUT %d, %r, %b, %r, %t",
    "LOP3.LUT.{Z|NZ} %Q, {RZ|%d}, %r, %b, %r, %t",
    "MOV %d, %b",
    "MOV32I %d, %n",
    "P2R %d, PR, %r, %m",
    "POPC %d, {|~}%r",
    "PRMT{|.F4E|.B4E|.RC8|.ECL|.ECR|.RC16} %d, %r, %e, %r",
    "PRMT %d, %r, %r, %b",
    "PSET{|.BF}.{AND|OR|XOR}.{AND|OR|XOR} %d, %P, %P, %P",
    "PSETP.{AND|OR|XOR}.{AND|OR|XOR} %Q, PT, %P, %P, %P",
    "R2P PR, %r{|.B1|.B2|.B3}, %m",
    "RRO.EX2 %d, %s",
    "S2R %d, {SR_TID.X|SR_CTAID.Y|SR_LANEID}",
    "SEL %d, %r, %b, %P",
    "SHF.{L|R}{|.W} %d, %r, {%k|%r}, %r",
    "SHF.{L|R}.{U64|S64} %d, %r, {%k|%r}, %r",
    "SHF.{L|R}.W.{U64|S64} %d, %r, %i, %r",
    "SHL{|.W} %d, %r, {%k|%b}",
    "SHR{|.U32}{|.W} %d, %r, {%k|%b}",
    "VABSDIFF{|.U8.U8|.S16.U8|.U32.U32|.S8.S16}{|.ACC} %d, %r, %r, %r",
    "VABSDIFF.U8.U16 %d, %r.{B1|B2|B3}, %r.H1, %r",
    "VABSDIFF4.U8.U8 %d, %r, %r, %r",
    "VADD{|.U8.U8|.S16.U8|.U32.S32|.S8.S16}{|.ACC} %d, %s, %s, %r",
    "VADD{|.UD}.U8.U16 %d, %r.{B1|B2|B3}, %q, %r",
    "VMAD{|.U8.U8|.S16.U8|.U16.U16|.S8.S16} %d, %s, %r, %s",
    "VMNMX{|.U8.U8|.S16.U8|.U32.U16|.S8.S16}{|.MX}{|.ACC} %d, %r, %r, %r",
    "VSET.{LT|EQ|LE|GT|NE|GE}{|.U8.U8|.S16.U8|.U32.U16}{|.ACC} %d, %r, %r, %r",
    "VSETP.{LT|EQ|LE|GT|NE|GE}.{U8.U8|S16.U8|U32.U16|S32.S32}.{AND|OR|XOR} %Q, PT, %r, %r, %P",
    "VSHL{|.U8.U8|.S16.U8|.U32.U32}{|.W}{|.ACC} %d, %r, %r, %r",
    "VSHR{|.U8.U8|.S16.U8|.U32.U32}{|.W}{|.ACC} %d, %r, %r, %r",
    "XMAD %d, %r{|.H1}, %r{|.H1}, %b",
    "XMAD{|.PSL}{|.CLO|.CHI|.CBCC} %d, %r{|.H1}, {%r{|.H1}|%q}, %r",
    "XMAD.MRG %d, %r{|.H1}, %r{|.H1}, %r",
    "XMAD.{S16|U16}.{S16|U16} %d, %r{|.H1}, %r{|.H1}, %r",
};

static const char *const volta[] = {
    "{|U}BMSK{|.W} %d, {%k|%r}, {%k|%r}",
    "{|U}BREV %d, {%r|%n}",
    "CS2R %D, SRZ",
    "CS2R.32 %d, SRZ",
    "CS2UR %D, SRZ",
    "{|U}F2F.F16.F32 %d, %r",
    "{|U}F2FP.BF16.F32.PACK_AB %d, %r, %r",
    "F2IP.S8.F32.NTZ %d, %r, %r, %r",
    "{|U}F2I{|.U16|.U8}{|.TRUNC} %d, %r",
    "{|U}FLO{|.U32}{|.SH} %d, {|~}%r",
    "F{ADD2|MUL2} %D, %p, %p",
    "FFMA2 %D, %p, %p, %p",
    "F{MNMX3 %d, %r, %r, %r, %P|SEL %d, %r, {%r|1.5}, %P}",
    "{|U}F{ADD|MUL} %d, %s, %r",
    "UF{FMA %d, %s, %r, %s|MNMX %d, %r, %r, %P|RND %d, %r|SEL %d, %r, %r, %P}",
    "UFSET{|.BF}.GT.AND %d, %r, %r, %P",
    "UFSETP.GT.AND %Q, %E, %r, %r, %P",
    "FRND{|.F64} %D, %p",
    "FHADD %d, %r, %r",
    "HMNMX2 %d, %r, %r, %P",
    "VHMNMX %d, %r, %r, %r, %P",
    "HFMA2{|.MMA} %d, -RZ, RZ, {0|1|2|1.5|-0.0625|33.21875|1.875}, {0|5.9604644775390625e-08|-2}",
    "{|U}I2F{|.U32|.RP} %d, %r",
    "{|U}I2FP.F32.{U32|S32} %d, %r",
    "I2I.{U8|S8|U16|S16}.S32.SAT %d, %r",
    "I2IP.{U8|S8}.S32.SAT %d, %r, %r, %r",
    "{|U}IABS %d, %r",
    "IADD %d, {|%Q, }%s, %a",
    "IADD.X %d, %x, %x, %P",
    "IADD.64 %D, %p, %w",
    "IADD3 %d, {|%Q, |%Q, PT, }%s, %a, {RZ|%s}",
    "IADD3.X %d, {|PT, PT, |%Q, PT, }%x, %x, {RZ|%x}, %P, {!PT|%P}",
    "UIADD3 %d, {|%Q, |%Q, UPT, }%s, {%s|%n}, {URZ|%s}",
    "UIADD3.X %d, %x, %x, URZ, %P, {!UPT|%P}",
    "UIADD3.64 %D, UPT, UPT, %p, {%p|%n}, {URZ|%p}",
    "IADD3.64 %D, PT, PT, %p, {%p|%n}, RZ",
    "IDP{{|.}4A.{U8|S8}|.2A.{LO|HI}.{U16|S16}}.{U8|S8} %d, %r, %b, %s",
    "{|U}IMAD{|.U32} %d, %r, {%r|%n}, %s",
    "IMAD{|.U32} %d, %r, %c, %a",
    "IMAD.MOV{|.U32} %d, RZ, RZ, %a",
    "IMAD.IADD{|.U32} %d, %r, 0x1, %s",
    "IMAD.SHL{|.U32} %d, %r, {0x2|0x4|0x100|0x40000000}, RZ",
    "{|U}IMAD.X{|.U32} %d, {%r|RZ}, {%r|0x1|RZ}, %x, %P",
    "IMAD.U32.X %d, %r, %n, %x, %P",
    "{|U}IMAD.HI{|.U32} %d, %r, {%r|%n}, {RZ|%p}",
    "IMAD.HI{|.U32} %d, %r, %r, %c",
    "{|U}IMAD.WIDE{|.U32} %D, %r, {%r|%n}, {RZ|%p}",
    "IMAD.WIDE{|.U32} %D, %r, %r, {%c|-%p}",
    "IMAD.WIDE{|.U32}.X %D, %r, {%r|RZ}, %p, %P",
    "IMNMX{|.U32} %d, %r, %b, %P",
    "{|U}ISETP.{F|LT|EQ|LE|GT|NE|GE|T}{|.U32}.{AND|OR|XOR} %Q, %E, %r, {%r|%n}, %P",
    "ISETP.{LT|EQ|LE|GT|NE|GE}{|.U32}.{AND|OR|XOR} %Q, PT, %r, %c, %P",
    "{|U}ISETP.{LT|EQ|LE|GT|NE|GE}{|.U32}.{AND|OR|XOR}.EX %Q, %E, %r, {%r|%n}, %P, %P",
    "{|U}ISETP.{LT|EQ|LE|GT|NE|GE}.S64.{AND|OR|XOR} %Q, %E, %p, {%p|%n}, %P",
    "{|U}ISETP.{LT|EQ|LE|GT|NE|GE}.U64.{AND|OR|XOR} %Q, %E, %p, {%p|%i}, %P",
    "LDC{|.64|.128|.U8|.S8|.U16|.S16} %D, %c",
    "LDCU{|.64|.128} %u, c[0x0][%i0]",
    "ULDC{|.64|.U8|.S16} %D, c[0x0][%i0]",
    "{|U}LEA %d, {|%Q, }%r, {%s|%n}, %i",
    "LEA %d, -%r, %a, %i",
    "LEA.X %d, %r, %x, %i, %P",
    "{|U}LEA.HI %d, {|%Q, }%r, {%s|%n}, {RZ|%r}, %i",
    "{|U}LEA.HI.X %d, %r, %x, {RZ|%r}, %i, %P",
    "{|U}LEA.HI.SX32 %d, {|%Q, }%r, %r, %i",
    "{|U}LEA.HI.X.SX32 %d, %r, %x, %i, %P",
    "{|U}LOP3.LUT %d, %r, {%r|%n}, %r, %t, !PT",
    "LOP3.LUT %d, %r, %c, %r, %t, !PT",
    "{|U}LOP3.LUT %Q, {RZ|%d}, %r, {%r|%n}, %r, %t, !PT",
    "MOV %d, {%b|%u}",
    "UMOV %d, {%r|%n}",
    "{|U}MOV.64 %D, %w",
    "P2R %d, PR, %r, %m",
    "UP2UR %d, UPR, %r, %m",
    "ULOP.{AND|OR|XOR} %d, %r, {%r|%n}",
    "UPSETP.{AND|OR|XOR}.{AND|OR|XOR} %Q, UPT, %P, %P, %P",
    "USH{L|R{|.U32}} %d, %r, %i",
    "UCLEA %d, {|%Q, }%r, {%r|%n}, %i",
    "{|U}PLOP3.LUT %Q, %E, %P, %P, %P, %t, %t",
    "{|U}POPC %d, {|~}%r",
    "{|U}PRMT %d, %r, {%e|%r}, %r",
    "PRMT{.F4E|.B4E|.RC8|.ECL|.ECR|.RC16} %d, %r, %i, %r",
    "R2P PR, %r{|.B1|.B2|.B3}{|, %m}",
    "UR2UP UPR, %r, %m",
    "R2UR %u, %r",
    "{REDUX.SUM|CREDUX.MAX.S32} %u, %r",
    "VOTEU.ANY %u, {UPT|UP1}, %P",
    "S2R %d, {SR_TID.X|SR_CTAID.Y|SR_LANEID}",
    "S2UR %u, {SR_CTAID.X|SR_CTAID.Y}",
    "{|U}SEL %d, %r, {%r|%n}, %P",
    "SEL %d, %r, %c, %P",
    "{|U}SEL.64 %D, %p, %w, %P",
    "{|U}SGXT{|.U32}{|.W} %d, %r, {%k|%r}",
    "{|U}SHF.L{|.W}.U32 %d, %r, {%k|%r}, RZ",
    "{|U}SHF.R{|.W}.{U32|S32}.HI %d, RZ, {%k|%r}, %r",
    "{|U}SHF.{L{|.W}.U32.HI|R{|.W}.U32} %d, %r, {%k|%r}, %r",
    "{|U}SHF.{L.{U64|S64}.HI|R.{U64|S64}} %d, %r, {%k|%r}, %r",
    "VABSDIFF{|.U32} %d, %r, %b, %r",
    "VABSDIFF4{|.U8}{|.ACC} %d, %r, %b, %r",
    "{|U}VIADD{|.S32|.32} %d, %s, {%s|%n}",
    "VIADDMNMX{|.U32} %d, %r, {%s|%n}, %r, %P",
    "VIMNMX{|.U32|.S32} %d, {|PT, PT, }%r, {%r|%n}, %P",
    "UVIMNMX{.U32|.S32} %d, %r, {%r|%n}, %P",
    "UIMNMX{.U32|} %d, %r, {%r|%n}, %P",
    "VIMNMX3{|.U32} %d, %r, %b, %r, %P",
};

static const char *const both[] = {
    "D{ADD|MUL} %D, %p, {%p|1.5}",
    "DFMA %D, %p, %p, %p",
    "DMNMX %D, %p, %p, %P",
    "DSET{|.BF}.GT.AND %d, %p, %p, %P",
    "DSETP.GT.AND %Q, %E, %p, %p, %P",
    "F{ADD|MUL}{|.FTZ} %d, %s, {%a|1.5}",
    "F{ADD|MUL}32I %d, %r, 2",
    "F2F.{F64.F32 %D, %r|F32.F64 %d, %p}",
    "F2I{.S64|.U64.F64}.TRUNC %D, %p",
    "FCHK %Q, %r, %r",
    "FFMA{|.RM} %d, %s, {%b|1.5}, %r",
    "FFMA32I %d, %r, 2, %r",
    "FMNMX %d, %r, %b, %P",
    "FSET{|.BF}.GT.AND %d, %r, %b, %P",
    "FSETP.GT.{AND|OR} %Q, %E, %r, %b, %P",
    "HADD2 %d, %r, %r",
    "HADD2_32I %d, %r, 1, 2",
    "HFMA2 %d, %r, %r, %r",
    "HFMA2_32I %d, %r, 1, 2, %r",
    "HMUL2 %d, %r, %r",
    "HMUL2_32I %d, %r, 1, 2",
    "HSET2.BF.GT.AND %d, %r, %r, %P",
    "HSETP2.GT.AND %Q, %E, %r, %r, %P",
    "I2F.F64{|.S64|.U32} %D, %p",
    "MUFU.{RCP|SQRT} %d, %r",
    "VOTE.{ANY %d, %Q, %P|ALL %Q, %P}",
};

/* ---- drawing ---- */

struct maker {
  struct wb_random *random;
  bool uniform; /* its registers and predicates */
  char *to;
  char *end;
};

static unsigned below(struct maker *maker, unsigned bound)
{
  return (unsigned)wb_random_below(maker->random, bound);
}

uint32_t random_instruction_number(struct wb_random *random)
{
  static const uint32_t ends[] = {0, 1, UINT32_MAX, INT32_MAX, UINT32_C(0x80000000), 0xffff};
  const uint64_t kind = wb_random_below(random, 4);
  if (kind == 0)
    return ends[wb_random_below(random, sizeof ends / sizeof *ends)];
  if (kind == 1)
    return (uint32_t)wb_random_next(random);
  return (uint32_t)wb_random_below(random, 72) - (kind == 2 ? 10 : 0);
}

static void put(struct maker *maker, const char *format, unsigned number)
{
  const int length = snprintf(maker->to, (size_t)(maker->end - maker->to), format, number);
  assert(length >= 0 && length < maker->end - maker->to);
  maker->to += length;
}

static void put_register(struct maker *maker, bool uniform, bool pair, bool read)
{
  if (read && below(maker, 12) == 0)
    put(maker, uniform ? "URZ" : "RZ", 0);
  else
    put(maker, uniform ? "UR%u" : "R%u", below(maker, 8) & (pair ? ~1U : ~0U));
}

static void put_number(struct maker *maker)
{
  const uint32_t number = random_instruction_number(maker->random);
  if (number > INT32_MAX && number != UINT32_C(0x80000000))
    put(maker, "-0x%x", 0 - number);
  else
    put(maker, "0x%x", number);
}

static void put_constant(struct maker *maker)
{
  if (below(maker, 4) == 0)
    put(maker, "c[0x3][R%u+0x8]", below(maker, 8));
  else
    put(maker, "c[0x0][0x%x]", 4 * below(maker, 100));
}

static void put_any(struct maker *maker)
{
  switch (below(maker, 4)) {
  case 0:
    put_number(maker);
    break;
  case 1:
    put_constant(maker);
    break;
  default:
    put_register(maker, maker->uniform, false, true);
  }
}

/* A predicate that is written: one of 0 to 2, or of `first` on. */
static void put_output(struct maker *maker, unsigned first)
{
  if (below(maker, 8) == 0)
    put(maker, maker->uniform ? "UPT" : "PT", 0);
  else
    put(maker, maker->uniform ? "UP%u" : "P%u", first + below(maker, 3));
}

static void put_predicate(struct maker *maker)
{
  if (below(maker, 4) == 0)
    put(maker, "!", 0);
  if (below(maker, 8) == 0)
    put(maker, maker->uniform ? "UPT" : "PT", 0);
  else
    put(maker, maker->uniform ? "UP%u" : "P%u", below(maker, 7));
}

/* A register or constant with a sign, or a number. */
static void put_signed(struct maker *maker, const char *sign, bool any)
{
  const bool number = any && below(maker, 4) == 0;
  if (number) {
    put_number(maker);
    return;
  }
  if (below(maker, 3) == 0)
    put(maker, sign, 0);
  if (any && below(maker, 4) == 0)
    put_constant(maker);
  else
    put_register(maker, maker->uniform, false, true);
}

/* Numbers of some use; false for a letter that is none of them. */
static bool put_immediate(struct maker *maker, char kind)
{
  static const unsigned masks[] = {0x7f, 0x1, 0x3, 0x12, 0x40, 0x55};
  static const unsigned fields[] = {0x800,  0x808,  0x1f01, 0x2000, 0x101, 0x0,
                                    0x1010, 0x2010, 0x51f,  0x320,  0x817};
  static const unsigned digits[] = {0x3210, 0x7610, 0x7710, 0x7770, 0x9910, 0x8880, 0xbb32};
  static const struct {
    char kind;
    unsigned count;          /* of the numbers, or 0 to count - 1 */
    const unsigned *numbers; /* NULL: all of them */
  } rows[] = {{'i', 32, NULL},
              {'k', 64, NULL},
              {'q', 0x10000, NULL},
              {'t', 256, NULL},
              {'f', sizeof fields / sizeof *fields, fields},
              {'m', sizeof masks / sizeof *masks, masks},
              {'e', sizeof digits / sizeof *digits, digits}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (rows[r].kind != kind)
      continue;
    const unsigned drawn = below(maker, rows[r].count);
    put(maker, "0x%x", rows[r].numbers != NULL ? rows[r].numbers[drawn] : drawn);
    return true;
  }
  return false;
}

static void put_operand(struct maker *maker, char kind)
{
  if (put_immediate(maker, kind))
    return;
  switch (kind) {
  case 'd':
    put_register(maker, maker->uniform, false, below(maker, 4) == 0);
    break;
  case 'D':
    put_register(maker, maker->uniform, true, false);
    break;
  case 'r':
    put_register(maker, maker->uniform, false, true);
    break;
  case 'u':
    put(maker, "UR%u", 4 * below(maker, 2));
    break;
  case 's':
  case 'a':
    put_signed(maker, "-", kind == 'a');
    break;
  case 'x':
    put_signed(maker, "~", !maker->uniform);
    break;
  case 'p':
    put_register(maker, maker->uniform, true, true);
    break;
  case 'b':
    put_any(maker);
    break;
  case 'w':
    if (below(maker, 2) == 0)
      put_number(maker);
    else
      put_register(maker, maker->uniform, true, true);
    break;
  case 'c':
    put_constant(maker);
    break;
  case 'n':
    put_number(maker);
    break;
  case 'P':
    put_predicate(maker);
    break;
  default:
    put_output(maker, kind == 'E' ? 3 : 0);
  }
}

/* The end of a choice in braces: its | or }, of this level. */
static const char *end_of_choice(const char *at)
{
  for (int depth = 0; depth > 0 || (*at != '|' && *at != '}'); at++)
    depth += (*at == '{') - (*at == '}');
  return at;
}

static const char *put_choice(struct maker *maker, const char *at);

/* What stands before `end`, which may be the text's. */
static void put_text(struct maker *maker, const char *at, const char *end)
{
  while (at < end) {
    if (*at == '{') {
      at = put_choice(maker, at + 1);
    } else if (*at == '%') {
      put_operand(maker, at[1]);
      at += 2;
    } else {
      put(maker, "%c", (unsigned char)*at++);
    }
  }
}

/* One of the alternatives; returns the place after the closing brace. */
static const char *put_choice(struct maker *maker, const char *at)
{
  const char *chosen = at;
  unsigned count = 1;
  for (const char *end = end_of_choice(at); *end == '|'; end = end_of_choice(end + 1))
    if (below(maker, ++count) == 0)
      chosen = end + 1;
  const char *end = end_of_choice(chosen);
  put_text(maker, chosen, end);
  while (*end == '|')
    end = end_of_choice(end + 1);
  return end + 1;
}

struct random_instruction random_instruction_make(struct wb_random *random, bool of_volta)
{
  struct random_instruction made = {"", ""};
  char text[224];
  const char *const *templates = of_volta ? volta : maxwell;
  const size_t count = of_volta ? sizeof volta / sizeof *volta : sizeof maxwell / sizeof *maxwell;
  struct maker maker = {random, false, text, text + sizeof text};
  const size_t drawn = wb_random_below(random, count + sizeof both / sizeof *both);
  const char *template = drawn < count ? templates[drawn] : both[drawn - count];
  if (template[0] == '{' && template[2] == 'U') { /* {|U} */
    maker.uniform = wb_random_below(random, 2) == 0;
    template += strlen("{|U}");
    if (maker.uniform)
      put(&maker, "U", 0);
  } else {
    maker.uniform = template[0] == 'U' || strncmp(template, "CS2UR", 5) == 0;
  }
  put_text(&maker, template, template + strlen(template));
  const size_t opcode = strcspn(text, " ");
  memcpy(made.opcode, text, opcode);
  made.opcode[opcode] = '\0';
  memcpy(made.operands, text + opcode + 1, strlen(text + opcode + 1) + 1);
  return made;
}
