#include "isa/sass_opcodes.h"

#include "isa/opcode_search.h"
#include "isa/sass_modifiers.h"

#include <string.h>

/* Assumptions of rows that are not the plain truth. */
#define TENSOR                                                                                     \
  "tensor core instructions keep their unit equally long, whatever their shape and types"
#define GROUP                                                                                      \
  "tensor core instructions of warp groups and blocks are counted like those of one warp"
#define TENSOR_MEMORY "access to tensor memory is counted as load/store"
#define BARRIER "waiting at a barrier is not modelled"
#define FENCE "waiting at a fence is not modelled"
#define SLEEP "the time asleep is not modelled"
#define RESOURCE "waiting for registers is not modelled"
#define ASYNCHRONOUS "waiting for asynchronous operations is not modelled"
#define TRAP "a trap ends the lanes that reach it"
#define MATRICES "how many registers it loads is not known; counted as four"
#define SURFACE "how many registers a formatted surface access moves is not known; counted as four"
#define HALVES "pairs of half-precision components are counted as whole registers"

#define ANY (WB_SASS_64 | WB_SASS_128)
#define OLD WB_SASS_64
#define NEW WB_SASS_128

#define L WB_UNIT_LOAD_STORE
#define C WB_UNIT_CORE
#define S WB_UNIT_SPECIAL
#define D WB_UNIT_DOUBLE
#define T WB_UNIT_TENSOR
#define N WB_UNIT_NONE
#define B WB_UNIT_BARRIER

#define NEXT WB_TRANSFER_NEXT, WB_TOKEN_NONE
#define BRANCH WB_TRANSFER_BRANCH, WB_TOKEN_NONE
#define INDEXED WB_TRANSFER_INDEXED_BRANCH, WB_TOKEN_NONE
#define PUSH_SYNC WB_TRANSFER_PUSH, WB_TOKEN_SYNC
#define PUSH_BREAK WB_TRANSFER_PUSH, WB_TOKEN_BREAK
#define PUSH_CONTINUE WB_TRANSFER_PUSH, WB_TOKEN_CONTINUE
#define PUSH_RETURN WB_TRANSFER_PUSH, WB_TOKEN_RETURN
#define POP_SYNC WB_TRANSFER_POP, WB_TOKEN_SYNC
#define POP_BREAK WB_TRANSFER_POP, WB_TOKEN_BREAK
#define POP_CONTINUE WB_TRANSFER_POP, WB_TOKEN_CONTINUE
#define POP_RETURN WB_TRANSFER_POP, WB_TOKEN_RETURN
#define CALL WB_TRANSFER_CALL, WB_TOKEN_RETURN
#define CALL_OUTSIDE WB_TRANSFER_CALL_OUTSIDE, WB_TOKEN_NONE
#define EXIT WB_TRANSFER_EXIT, WB_TOKEN_NONE
#define SCOPE_OPEN WB_TRANSFER_SCOPE_OPEN, WB_TOKEN_NONE
#define SCOPE_SYNC WB_TRANSFER_SCOPE_SYNC, WB_TOKEN_NONE
#define SCOPE_BREAK WB_TRANSFER_SCOPE_BREAK, WB_TOKEN_NONE
#define WARP_SYNC WB_TRANSFER_WARP_SYNC, WB_TOKEN_NONE
#define CALL_LINKED WB_TRANSFER_CALL_LINKED, WB_TOKEN_NONE
#define RETURN_LINKED WB_TRANSFER_RETURN_LINKED, WB_TOKEN_NONE
#define UNSUPPORTED WB_TRANSFER_UNSUPPORTED, WB_TOKEN_NONE

#define SOURCES WB_AGREES_BY_SOURCES
#define MEMORY WB_AGREES_BY_MEMORY
#define ALWAYS WB_AGREES_ALWAYS
#define NEVER WB_AGREES_NEVER
#define SPECIAL WB_AGREES_NEVER /* unless its operand s says more */

/* Kepler (sm_30) to Blackwell (sm_120), what compilers of CUDA emit. Invariant: sorted by
 * opcode (strcmp), rows of one opcode together, special ones before general ones.
 *
 * Units as in the table of PTX: D is arithmetic on doubles, conversions from and to them
 * included; L goes through the load/store pipe, to other lanes too (SHFL), or starts a copy
 * (LDGSTS, UBLKCP, UTMALDG) or asks a barrier in shared memory (SYNCS); branches and
 * what else changes control are C; the uniform datapath is counted as C. S is the pipe of
 * MUFU, which converts (F2I, I2F, F2F) and counts bits (POPC, FLO) too. T multiplies
 * matrices; of Blackwell's tensor cores all that is sent to them (UTC...).
 *
 * An operand that is read may be counted wider than it is: that can only lose agreement.
 * One that is written must be exact, or its row's agreement is NEVER.
 *
 * A product of matrices, a shuffle or a search among lanes (HMMA, SHFL, MATCH.ANY) gives a
 * lane what other lanes hold: it never agrees. VOTE, REDUX, MATCH.ALL and R2UR give the
 * warp one value. */
static const struct wb_sass_opcode rows[] = {
    {"ACQBULK", NULL, "", NEW, N, NEXT, SOURCES, NULL},
    {"ARRIVES", "64", "r*", NEW, L, NEXT, SOURCES, NULL},
    {"ARRIVES", NULL, "r*", NEW, L, NEXT, SOURCES, NULL},
    {"ATOM", NULL, "P Om a rm*", ANY, L, NEXT, NEVER, NULL},
    {"ATOMG", NULL, "P Om a rm*", NEW, L, NEXT, NEVER, NULL},
    {"ATOMS", NULL, "P Om r rm*", ANY, L, NEXT, NEVER, NULL},
    {"B2R", NULL, "R P", ANY, C, NEXT, ALWAYS, NULL},
    {"BAR", "ARV", "r*", ANY, N, NEXT, SOURCES, NULL},
    {"BAR", "RED", "r*", ANY, B, NEXT, SOURCES, BARRIER},
    {"BAR", "SYNC", "r*", ANY, B, NEXT, SOURCES, BARRIER},
    {"BAR", NULL, "r*", ANY, N, NEXT, SOURCES, BARRIER},
    {"BFE", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"BFI", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"BGMMA", NULL, "RD32 rD32*", NEW, T, NEXT, NEVER, GROUP},
    {"BMMA", NULL, "RD32 rA1 rB1 rD32", NEW, T, NEXT, NEVER, TENSOR},
    {"BMOV", "64.CLEAR", "R2 U", NEW, C, NEXT, SOURCES, NULL},
    {"BMOV", "64", "R2 w2", NEW, C, NEXT, SOURCES, NULL},
    {"BMOV", "CLEAR", "R U", NEW, C, NEXT, SOURCES, NULL},
    {"BMOV", NULL, "R w", NEW, C, NEXT, SOURCES, NULL},
    {"BMSK", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"BPT", "TRAP", "r*", ANY, N, EXIT, SOURCES, TRAP},
    {"BPT", NULL, "r*", ANY, N, UNSUPPORTED, SOURCES, NULL},
    /* Whether it is done depends on which thread does it, beside its predicates. */
    {"BRA", "NOT_TID0", "q j", NEW, C, UNSUPPORTED, SOURCES, NULL},
    {"BRA", "U", "u q j", ANY, C, BRANCH, SOURCES, NULL},
    {"BRA", "DIV", "q M j", NEW, C, BRANCH, SOURCES, NULL},
    {"BRA", "CONV", "q M j", NEW, C, BRANCH, SOURCES, NULL},
    {"BRA", NULL, "q j", ANY, C, BRANCH, SOURCES, NULL},
    {"BREAK", NULL, "q U", NEW, C, SCOPE_BREAK, SOURCES, NULL},
    {"BREV", NULL, "R r", NEW, S, NEXT, SOURCES, NULL},
    {"BRK", NULL, "q", OLD, C, POP_BREAK, SOURCES, NULL},
    {"BRX", NULL, "q r r*", OLD, C, INDEXED, SOURCES, NULL},
    {"BRX", NULL, "q r2 r*", NEW, C, INDEXED, SOURCES, NULL},
    {"BRXU", NULL, "q r2 r*", NEW, C, INDEXED, SOURCES, NULL},
    {"BSSY", NULL, "R j", NEW, C, SCOPE_OPEN, SOURCES, NULL},
    {"BSYNC", NULL, "q r", NEW, C, SCOPE_SYNC, SOURCES, NULL},
    {"CAL", NULL, "j", OLD, C, CALL, SOURCES, NULL},
    {"CALL", NULL, "q j r*", NEW, C, CALL_LINKED, SOURCES, NULL},
    {"CCTL", "QFAULT", "P a r*", NEW, L, NEXT, NEVER, NULL},
    {"CCTL", NULL, "a*", ANY, L, NEXT, SOURCES, NULL},
    {"CCTLL", NULL, "r*", ANY, L, NEXT, SOURCES, NULL},
    {"CCTLT", NULL, "r*", ANY, L, NEXT, SOURCES, NULL},
    {"CGAERRBAR", NULL, "", NEW, N, NEXT, SOURCES, FENCE},
    {"CONT", NULL, "q", OLD, C, POP_CONTINUE, SOURCES, NULL},
    {"CREDUX", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"CS2R", "32", "R s", ANY, C, NEXT, SPECIAL, NULL},
    {"CS2R", "64", "R2 s", ANY, C, NEXT, SPECIAL, NULL},
    /* No source says whether it is one register or two: two are lost. */
    {"CS2R", NULL, "R2 r", OLD, C, NEXT, NEVER, NULL},
    {"CS2R", NULL, "R2 s", NEW, C, NEXT, SPECIAL, NULL},
    {"CS2UR", "32", "R s", NEW, C, NEXT, ALWAYS, NULL},
    {"CS2UR", NULL, "R2 s", NEW, C, NEXT, ALWAYS, NULL},
    {"CSET", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"CSETP", NULL, "P P r*", OLD, C, NEXT, SOURCES, NULL},
    {"DADD", NULL, "R2 r2*", ANY, D, NEXT, SOURCES, NULL},
    {"DEPBAR", NULL, "r*", ANY, N, NEXT, SOURCES, NULL},
    {"DFMA", NULL, "R2 r2*", ANY, D, NEXT, SOURCES, NULL},
    {"DMMA", NULL, "RD64 rA64 rB64 rD64", NEW, T, NEXT, NEVER, TENSOR},
    {"DMNMX", NULL, "R2 r2*", ANY, D, NEXT, SOURCES, NULL},
    {"DMUL", NULL, "R2 r2*", ANY, D, NEXT, SOURCES, NULL},
    {"DSET", NULL, "R r2*", ANY, D, NEXT, SOURCES, NULL},
    {"DSETP", NULL, "P P r2*", ANY, D, NEXT, SOURCES, NULL},
    {"ELECT", NULL, "P O r*", NEW, C, NEXT, NEVER, NULL},
    {"ENDCOLLECTIVE", NULL, "r*", NEW, C, NEXT, SOURCES, NULL},
    {"ERRBAR", NULL, "r*", NEW, N, NEXT, SOURCES, FENCE},
    {"EXIT", NULL, "q", ANY, C, EXIT, SOURCES, NULL},
    {"F2F", "F64.F64", "R2 r2", ANY, D, NEXT, SOURCES, NULL},
    {"F2F", "F32.F64", "R r2", ANY, D, NEXT, SOURCES, NULL},
    {"F2F", "F16.F64", "R r2", ANY, D, NEXT, SOURCES, NULL},
    {"F2F", "BF16.F64", "R r2", ANY, D, NEXT, SOURCES, NULL},
    {"F2F", "F64.F32", "R2 r", ANY, D, NEXT, SOURCES, NULL},
    {"F2F", "F64.F16", "R2 r", ANY, D, NEXT, SOURCES, NULL},
    {"F2F", NULL, "R r", ANY, S, NEXT, SOURCES, NULL},
    {"F2FP", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"F2I", "S64.F64", "R2 r2", ANY, D, NEXT, SOURCES, NULL},
    {"F2I", "U64.F64", "R2 r2", ANY, D, NEXT, SOURCES, NULL},
    {"F2I", "F64", "R r2", ANY, D, NEXT, SOURCES, NULL},
    {"F2I", "S64", "R2 r", ANY, S, NEXT, SOURCES, NULL},
    {"F2I", "U64", "R2 r", ANY, S, NEXT, SOURCES, NULL},
    {"F2I", NULL, "R r", ANY, S, NEXT, SOURCES, NULL},
    {"F2IP", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"FADD", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FADD2", NULL, "R2 r2*", NEW, C, NEXT, SOURCES, NULL},
    {"FADD32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FCHK", NULL, "P r*", ANY, C, NEXT, SOURCES, NULL},
    {"FCMP", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"FENCE", NULL, "r*", NEW, N, NEXT, SOURCES, FENCE},
    {"FFMA", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FFMA2", NULL, "R2 r2*", NEW, C, NEXT, SOURCES, NULL},
    {"FFMA32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FHADD", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"FLO", NULL, "R P r", ANY, S, NEXT, SOURCES, NULL},
    {"FMNMX", "IS_A", "R P r*", NEW, C, NEXT, SOURCES, NULL},
    {"FMNMX", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FMNMX3", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"FMUL", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FMUL2", NULL, "R2 r2*", NEW, C, NEXT, SOURCES, NULL},
    {"FMUL32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FRND", "F64", "R2 r2", NEW, D, NEXT, SOURCES, NULL},
    {"FRND", NULL, "R r", NEW, S, NEXT, SOURCES, NULL},
    {"FSEL", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"FSET", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"FSETP", NULL, "P P r*", ANY, C, NEXT, SOURCES, NULL},
    {"FSWZ", NULL, "R r*", OLD, C, NEXT, NEVER, NULL},
    {"FSWZADD", NULL, "R r*", ANY, C, NEXT, NEVER, NULL},
    {"GETCRSPTR", NULL, "R", OLD, C, UNSUPPORTED, NEVER, NULL},
    {"GETLMEMBASE", NULL, "R", OLD, C, NEXT, NEVER, NULL},
    {"HADD2", "MRG_H0", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HADD2", "MRG_H1", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HADD2", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"HADD2_32I", "MRG_H0", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HADD2_32I", "MRG_H1", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HADD2_32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"HFMA2", "MRG_H0", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HFMA2", "MRG_H1", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HFMA2", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"HFMA2_32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"HGMMA", "F32", "RD32 rD32*", NEW, T, NEXT, NEVER, GROUP},
    {"HGMMA", "F16", "RD16 rD32*", NEW, T, NEXT, NEVER, GROUP},
    {"HMMA", "884", "R2 r2 r2 r2", NEW, T, NEXT, NEVER, TENSOR},
    {"HMMA", "F32.TF32", "RD32 rA32 rB32 rD32 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"HMMA", "F32", "RD32 rA16 rB16 rD32 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"HMMA", NULL, "RD16 rA16 rB16 rD16 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"HMNMX2", "IS_A", "R P r*", NEW, C, NEXT, SOURCES, NULL},
    {"HMNMX2", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"HMUL2", "MRG_H0", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HMUL2", "MRG_H1", "U r*", OLD, C, NEXT, SOURCES, NULL},
    {"HMUL2", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"HMUL2_32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"HSET2", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"HSETP2", NULL, "P P r*", ANY, C, NEXT, SOURCES, NULL},
    {"I2F", "F64.S64", "R2 r2", ANY, D, NEXT, SOURCES, NULL},
    {"I2F", "F64.U64", "R2 r2", ANY, D, NEXT, SOURCES, NULL},
    {"I2F", "F64", "R2 r", ANY, D, NEXT, SOURCES, NULL},
    {"I2F", "S64", "R r2", ANY, S, NEXT, SOURCES, NULL},
    {"I2F", "U64", "R r2", ANY, S, NEXT, SOURCES, NULL},
    {"I2F", NULL, "R r", ANY, S, NEXT, SOURCES, NULL},
    {"I2FP", NULL, "R r", NEW, C, NEXT, SOURCES, NULL},
    {"I2I", NULL, "R r", ANY, S, NEXT, SOURCES, NULL},
    {"I2IP", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"IABS", NULL, "R r", NEW, C, NEXT, SOURCES, NULL},
    {"IADD", "64", "R2 P r2*", NEW, C, NEXT, SOURCES, NULL},
    {"IADD", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IADD", NULL, "R P r*", NEW, C, NEXT, SOURCES, NULL},
    {"IADD3", "64", "R2 P P r2*", NEW, C, NEXT, SOURCES, NULL},
    {"IADD3", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IADD3", NULL, "R P P r*", NEW, C, NEXT, SOURCES, NULL},
    {"IADD32I", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"ICMP", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IDE", NULL, "r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"IDP", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"IDP4A", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"IGMMA", NULL, "RD32 rD32*", NEW, T, NEXT, NEVER, GROUP},
    {"IMAD", "WIDE", "R2 P r r r2 r*", ANY, C, NEXT, SOURCES, NULL},
    {"IMAD", "HI", "R P r r r2 r*", NEW, C, NEXT, SOURCES, NULL},
    {"IMAD", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IMAD", NULL, "R P r*", NEW, C, NEXT, SOURCES, NULL},
    {"IMAD32I", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IMADSP", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IMMA", "S4", "RD32 rA4 rB4 rD32 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"IMMA", "U4", "RD32 rA4 rB4 rD32 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"IMMA", NULL, "RD32 rA8 rB8 rD32 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"IMNMX", "S64", "P P R2 r2*", NEW, C, NEXT, SOURCES, NULL},
    {"IMNMX", "U64", "P P R2 r2*", NEW, C, NEXT, SOURCES, NULL},
    {"IMNMX", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IMNMX", NULL, "P P R r*", NEW, C, NEXT, SOURCES, NULL},
    {"IMUL", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"IMUL32I", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"ISAD", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"ISCADD", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"ISCADD32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"ISET", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"ISETP", "64", "P P r2*", NEW, C, NEXT, SOURCES, NULL},
    {"ISETP", "S64", "P P r2*", NEW, C, NEXT, SOURCES, NULL},
    {"ISETP", "U64", "P P r2*", NEW, C, NEXT, SOURCES, NULL},
    {"ISETP", NULL, "P P r*", ANY, C, NEXT, SOURCES, NULL},
    {"ISUB", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"JCAL", NULL, "j", OLD, C, CALL_OUTSIDE, SOURCES, NULL},
    {"JMP", NULL, "q j", OLD, C, BRANCH, SOURCES, NULL},
    {"JMP", NULL, "q j r*", NEW, C, BRANCH, SOURCES, NULL},
    {"JMX", NULL, "q r r*", OLD, C, INDEXED, SOURCES, NULL},
    {"JMX", NULL, "q r2 r*", NEW, C, INDEXED, SOURCES, NULL},
    {"JMXU", NULL, "q r2 r*", NEW, C, INDEXED, SOURCES, NULL},
    {"KIL", NULL, "q", OLD, C, EXIT, SOURCES, NULL},
    {"KILL", NULL, "q", NEW, C, EXIT, SOURCES, NULL},
    {"LD", NULL, "P Rm a r*", ANY, L, NEXT, NEVER, NULL},
    {"LDC", NULL, "Rm r*", ANY, L, NEXT, MEMORY, NULL},
    {"LDCU", NULL, "Rm r*", NEW, C, NEXT, ALWAYS, NULL},
    {"LDG", "ENL2.256", "P R4 R4 a r*", NEW, L, NEXT, MEMORY, NULL},
    {"LDG", NULL, "P Rm a r*", ANY, L, NEXT, MEMORY, NULL},
    {"LDGDEPBAR", NULL, "", NEW, N, NEXT, SOURCES, NULL},
    {"LDGMC", NULL, "Rm a r*", NEW, L, NEXT, NEVER, NULL},
    {"LDGSTS", NULL, "rm a r*", NEW, L, NEXT, SOURCES, NULL},
    {"LDL", NULL, "Rm r", ANY, L, NEXT, NEVER, NULL},
    {"LDS", NULL, "P Rm r", ANY, L, NEXT, MEMORY, NULL},
    {"LDSLK", NULL, "P Rm r", OLD, L, NEXT, NEVER, NULL},
    {"LDSM", "M88", "Rn r", NEW, L, NEXT, NEVER, NULL},
    {"LDSM", "MT88", "Rn r", NEW, L, NEXT, NEVER, NULL},
    {"LDSM", NULL, "R4 r", NEW, L, NEXT, NEVER, MATRICES},
    {"LDTM", NULL, "Rz r*", NEW, L, NEXT, NEVER, TENSOR_MEMORY},
    {"LDU", NULL, "P Rm a r*", OLD, L, NEXT, MEMORY, NULL},
    {"LEA", NULL, "P R P r*", ANY, C, NEXT, SOURCES, NULL},
    {"LEPC", NULL, "R", OLD, C, NEXT, ALWAYS, NULL},
    {"LEPC", NULL, "R2 r*", NEW, C, NEXT, ALWAYS, NULL},
    {"LONGJMP", NULL, "q r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"LOP", NULL, "P R r*", ANY, C, NEXT, SOURCES, NULL},
    {"LOP3", NULL, "P R r*", ANY, C, NEXT, SOURCES, NULL},
    {"LOP32I", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"MATCH", "ALL.U64", "P R r2", NEW, C, NEXT, ALWAYS, NULL},
    {"MATCH", "ALL", "P R r", NEW, C, NEXT, ALWAYS, NULL},
    {"MATCH", "U64", "R r2", NEW, C, NEXT, NEVER, NULL},
    {"MATCH", NULL, "R r", NEW, C, NEXT, NEVER, NULL},
    {"MEMBAR", NULL, "r*", ANY, N, NEXT, SOURCES, FENCE},
    {"MOV", "64", "R2 r2", NEW, C, NEXT, SOURCES, NULL},
    {"MOV", NULL, "R r", ANY, C, NEXT, SOURCES, NULL},
    {"MOV32I", NULL, "R r", ANY, C, NEXT, SOURCES, NULL},
    {"MOVM", NULL, "R r", NEW, L, NEXT, NEVER, NULL},
    {"MUFU", NULL, "R r", ANY, S, NEXT, SOURCES, NULL},
    {"NANOSLEEP", NULL, "r*", NEW, N, NEXT, SOURCES, SLEEP},
    {"NOP", NULL, "r*", ANY, N, NEXT, SOURCES, NULL},
    {"OMMA", NULL, "RD32 rA4 rB4 rD32 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"P2R", NULL, "R k r*", ANY, C, NEXT, SOURCES, NULL},
    {"PBK", NULL, "j", OLD, C, PUSH_BREAK, SOURCES, NULL},
    {"PCNT", NULL, "j", OLD, C, PUSH_CONTINUE, SOURCES, NULL},
    {"PEXIT", NULL, "r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"PLONGJMP", NULL, "r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"PLOP3", NULL, "P P r*", NEW, C, NEXT, SOURCES, NULL},
    {"PMTRIG", NULL, "r*", ANY, N, NEXT, SOURCES, NULL},
    {"POPC", NULL, "R r*", ANY, S, NEXT, SOURCES, NULL},
    {"PREEXIT", NULL, "", NEW, N, NEXT, SOURCES, NULL},
    {"PRET", NULL, "j", OLD, C, PUSH_RETURN, SOURCES, NULL},
    {"PRMT", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"PSET", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"PSETP", NULL, "P P r*", ANY, C, NEXT, SOURCES, NULL},
    {"QGMMA", "F32", "RD32 rD32*", NEW, T, NEXT, NEVER, GROUP},
    {"QGMMA", "F16", "RD16 rD32*", NEW, T, NEXT, NEVER, GROUP},
    {"QMMA", "F32", "RD32 rA8 rB8 rD32 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"QMMA", NULL, "RD16 rA8 rB8 rD16 r*", NEW, T, NEXT, NEVER, TENSOR},
    {"QSPC", NULL, "P R a r*", NEW, L, NEXT, SOURCES, NULL},
    {"R2B", NULL, "r*", ANY, C, NEXT, SOURCES, NULL},
    {"R2P", NULL, "K r*", ANY, C, NEXT, SOURCES, NULL},
    {"R2UR", NULL, "P R r", NEW, C, NEXT, ALWAYS, NULL},
    {"RAM", NULL, "r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"RED", NULL, "a rm*", ANY, L, NEXT, SOURCES, NULL},
    {"REDAS", NULL, "r rm*", NEW, L, NEXT, SOURCES, NULL},
    {"REDG", NULL, "a rm*", NEW, L, NEXT, SOURCES, NULL},
    {"REDS", NULL, "r rm*", NEW, L, NEXT, SOURCES, NULL},
    {"REDUX", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"RET", NULL, "q", OLD, C, POP_RETURN, SOURCES, NULL},
    {"RET", NULL, "q r2 r*", NEW, C, RETURN_LINKED, SOURCES, NULL},
    {"RRO", NULL, "R r", OLD, S, NEXT, SOURCES, NULL},
    {"RTT", NULL, "r*", ANY, C, UNSUPPORTED, SOURCES, NULL},
    {"S2R", NULL, "R s", ANY, C, NEXT, SPECIAL, NULL},
    {"S2UR", NULL, "R s", NEW, C, NEXT, ALWAYS, NULL},
    {"SAM", NULL, "r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"SEL", "64", "R2 r2*", NEW, C, NEXT, SOURCES, NULL},
    {"SEL", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"SETCRSPTR", NULL, "r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"SETLMEMBASE", NULL, "r*", OLD, C, UNSUPPORTED, SOURCES, NULL},
    {"SGXT", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"SHF", "S64", "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"SHF", "U64", "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"SHF", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"SHFL", NULL, "P R r*", ANY, L, NEXT, NEVER, NULL},
    {"SHL", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"SHR", NULL, "R r*", ANY, C, NEXT, SOURCES, NULL},
    {"SSY", NULL, "j", OLD, C, PUSH_SYNC, SOURCES, NULL},
    {"ST", NULL, "a rm r*", ANY, L, NEXT, SOURCES, NULL},
    {"STAS", NULL, "r rm*", NEW, L, NEXT, SOURCES, NULL},
    {"STG", "ENL2.256", "a r4 r4", NEW, L, NEXT, SOURCES, NULL},
    {"STG", NULL, "a rm r*", ANY, L, NEXT, SOURCES, NULL},
    {"STL", NULL, "r rm", ANY, L, NEXT, SOURCES, NULL},
    {"STS", NULL, "r rm", ANY, L, NEXT, SOURCES, NULL},
    {"STSCUL", NULL, "P r rm", OLD, L, NEXT, NEVER, NULL},
    {"STSM", NULL, "r rn", NEW, L, NEXT, SOURCES, NULL},
    {"STSUL", NULL, "r rm", OLD, L, NEXT, SOURCES, NULL},
    {"STTM", NULL, "r rz*", NEW, L, NEXT, SOURCES, TENSOR_MEMORY},
    {"SUATOM", NULL, "P Om rv rm r*", ANY, L, NEXT, NEVER, NULL},
    {"SULD", "D", "P Rm rv r*", ANY, L, NEXT, MEMORY, NULL},
    {"SULD", NULL, "P R4 rv r*", ANY, L, NEXT, NEVER, SURFACE},
    {"SURED", NULL, "rv rm r*", ANY, L, NEXT, SOURCES, NULL},
    {"SUST", "D", "rv rm r*", ANY, L, NEXT, SOURCES, NULL},
    {"SUST", NULL, "rv r4 r*", ANY, L, NEXT, SOURCES, SURFACE},
    {"SYNC", NULL, "q", OLD, C, POP_SYNC, SOURCES, NULL},
    {"SYNCS", "ARRIVE.TRANS64", "R2 r r2*", NEW, L, NEXT, NEVER, NULL},
    {"SYNCS", "CCTL", "r*", NEW, L, NEXT, SOURCES, NULL},
    {"SYNCS", "EXCH.64", "R2 r r2*", NEW, L, NEXT, NEVER, NULL},
    {"SYNCS", "PHASECHK.TRANS64", "P r r2*", NEW, L, NEXT, NEVER, NULL},
    {"TEX", NULL, "P Rt rv r4*", OLD, L, NEXT, MEMORY, NULL},
    {"TEX", "F16", "P Rx Ry r4*", NEW, L, NEXT, NEVER, HALVES},
    {"TEX", NULL, "P Rx Ry r4*", NEW, L, NEXT, MEMORY, NULL},
    {"TEXDEPBAR", NULL, "r*", OLD, N, NEXT, SOURCES, NULL},
    {"TEXS", "F16", "Rx Ry r2 r2*", OLD, L, NEXT, NEVER, HALVES},
    {"TEXS", NULL, "Rx Ry r2 r2*", OLD, L, NEXT, MEMORY, NULL},
    {"TLD", NULL, "P Rt rv r4*", OLD, L, NEXT, MEMORY, NULL},
    {"TLD", "F16", "P Rx Ry r4*", NEW, L, NEXT, NEVER, HALVES},
    {"TLD", NULL, "P Rx Ry r4*", NEW, L, NEXT, MEMORY, NULL},
    {"TLD4", NULL, "P Rt rv r4*", OLD, L, NEXT, MEMORY, NULL},
    {"TLD4", "F16", "P Rx Ry r4*", NEW, L, NEXT, NEVER, HALVES},
    {"TLD4", NULL, "P Rx Ry r4*", NEW, L, NEXT, MEMORY, NULL},
    {"TLD4S", NULL, "R2 R2 r2 r2*", OLD, L, NEXT, NEVER, NULL},
    {"TLDS", "F16", "Rx Ry r2 r2*", OLD, L, NEXT, NEVER, HALVES},
    {"TLDS", NULL, "Rx Ry r2 r2*", OLD, L, NEXT, MEMORY, NULL},
    {"TXD", NULL, "P Rt r4 r4*", OLD, L, NEXT, MEMORY, NULL},
    {"TXD", NULL, "P Rx Ry r4*", NEW, L, NEXT, MEMORY, NULL},
    {"TXQ", NULL, "P Rt r4*", OLD, L, NEXT, MEMORY, NULL},
    {"TXQ", NULL, "P Rx Ry r4*", NEW, L, NEXT, MEMORY, NULL},
    {"UBLKCP", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UBLKPF", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UBLKRED", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UBMSK", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UBREV", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UCGABAR_ARV", NULL, "r*", NEW, N, NEXT, SOURCES, NULL},
    {"UCGABAR_WAIT", NULL, "r*", NEW, N, NEXT, SOURCES, BARRIER},
    {"UCLEA", NULL, "R P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UF2F", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UF2FP", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UF2I", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UFADD", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UFFMA", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UFLO", NULL, "R P r", NEW, C, NEXT, ALWAYS, NULL},
    {"UFMNMX", "IS_A", "R P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UFMNMX", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UFMUL", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UFRND", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UFSEL", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UFSET", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UFSETP", NULL, "P P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UGETNEXTWORKID", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UI2F", "U64", "R r2", NEW, C, NEXT, ALWAYS, NULL},
    {"UI2F", "S64", "R r2", NEW, C, NEXT, ALWAYS, NULL},
    {"UI2F", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UI2FP", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UIABS", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UIADD3", "64", "R2 P P r2*", NEW, C, NEXT, ALWAYS, NULL},
    {"UIADD3", NULL, "R P P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UIMAD", "WIDE", "R2 P r r r2 r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UIMAD", "HI", "R P r r r2 r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UIMAD", NULL, "R P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UIMNMX", "S64", "P P R2 r2*", NEW, C, NEXT, ALWAYS, NULL},
    {"UIMNMX", "U64", "P P R2 r2*", NEW, C, NEXT, ALWAYS, NULL},
    {"UIMNMX", NULL, "P P R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UISETP", "64", "P P r2*", NEW, C, NEXT, ALWAYS, NULL},
    {"UISETP", "S64", "P P r2*", NEW, C, NEXT, ALWAYS, NULL},
    {"UISETP", "U64", "P P r2*", NEW, C, NEXT, ALWAYS, NULL},
    {"UISETP", NULL, "P P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"ULDC", NULL, "Rm r*", NEW, C, NEXT, ALWAYS, NULL},
    {"ULEA", NULL, "P R P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"ULOP", NULL, "P R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"ULOP3", NULL, "P R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UMEMSETS", "64", "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UMOV", "64", "R2 r2", NEW, C, NEXT, ALWAYS, NULL},
    {"UMOV", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UP2UR", NULL, "R k r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UPLOP3", NULL, "P P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UPOPC", NULL, "R r", NEW, C, NEXT, ALWAYS, NULL},
    {"UPRMT", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UPSETP", NULL, "P P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UR2UP", NULL, "K r*", NEW, C, NEXT, ALWAYS, NULL},
    {"USEL", "64", "R2 r2*", NEW, C, NEXT, ALWAYS, NULL},
    {"USEL", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"USETMAXREG", "TRY_ALLOC", "P r*", NEW, N, NEXT, NEVER, RESOURCE},
    {"USETMAXREG", NULL, "r*", NEW, N, NEXT, SOURCES, RESOURCE},
    {"USGXT", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"USHF", "S64", "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"USHF", "U64", "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"USHF", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"USHL", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"USHR", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UTCATOMSWS", NULL, "P R r*", NEW, T, NEXT, ALWAYS, RESOURCE},
    {"UTCBAR", NULL, "b*", NEW, T, NEXT, SOURCES, GROUP},
    {"UTCCP", NULL, "b*", NEW, T, NEXT, SOURCES, GROUP},
    {"UTCHMMA", NULL, "b*", NEW, T, NEXT, SOURCES, GROUP},
    {"UTCIMMA", NULL, "b*", NEW, T, NEXT, SOURCES, GROUP},
    {"UTCOMMA", NULL, "b*", NEW, T, NEXT, SOURCES, GROUP},
    {"UTCQMMA", NULL, "b*", NEW, T, NEXT, SOURCES, GROUP},
    {"UTCSHIFT", NULL, "b*", NEW, T, NEXT, SOURCES, GROUP},
    {"UTMACCTL", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UTMACMDFLUSH", NULL, "", NEW, L, NEXT, SOURCES, NULL},
    {"UTMALDG", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UTMAPF", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UTMAREDG", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UTMASTG", NULL, "b*", NEW, L, NEXT, SOURCES, NULL},
    {"UVIADD", NULL, "R r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UVIMNMX", NULL, "R P P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"UVIRTCOUNT", NULL, "r*", NEW, N, NEXT, SOURCES, NULL},
    {"VABSDIFF", NULL, "R P r*", ANY, C, NEXT, SOURCES, NULL},
    {"VABSDIFF4", NULL, "R P r*", ANY, C, NEXT, SOURCES, NULL},
    {"VADD", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"VHMNMX", NULL, "R P P r*", NEW, C, NEXT, SOURCES, NULL},
    {"VIADD", NULL, "R r*", NEW, C, NEXT, SOURCES, NULL},
    {"VIADDMNMX", NULL, "R P P r*", NEW, C, NEXT, SOURCES, NULL},
    {"VIMNMX", NULL, "R P P r*", NEW, C, NEXT, SOURCES, NULL},
    {"VIMNMX3", NULL, "R P P r*", NEW, C, NEXT, SOURCES, NULL},
    {"VMAD", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"VMNMX", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"VOTE", NULL, "O P r*", ANY, C, NEXT, ALWAYS, NULL},
    {"VOTEU", NULL, "O P r*", NEW, C, NEXT, ALWAYS, NULL},
    {"VSET", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"VSETP", NULL, "P P r*", OLD, C, NEXT, SOURCES, NULL},
    {"VSHL", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"VSHR", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"WARPGROUP", "ARRIVE", "", NEW, N, NEXT, SOURCES, ASYNCHRONOUS},
    {"WARPGROUP", "DEPBAR", "r*", NEW, N, NEXT, SOURCES, ASYNCHRONOUS},
    {"WARPSYNC", "COLLECTIVE", "q r j", NEW, C, WARP_SYNC, SOURCES, NULL},
    {"WARPSYNC", NULL, "q r*", NEW, C, WARP_SYNC, SOURCES, NULL},
    {"XMAD", NULL, "R r*", OLD, C, NEXT, SOURCES, NULL},
    {"YIELD", NULL, "r*", NEW, N, NEXT, SOURCES, NULL},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static const char *opcode_of(size_t row)
{
  return rows[row].opcode;
}

/* Whether a row of the same first word answers for this opcode. */
static bool applies(const struct wb_sass_opcode *row, const char *opcode, size_t length,
                    enum wb_sass_family family)
{
  return (row->families & (unsigned)family) != 0 &&
         (row->modifiers == NULL || wb_sass_has_words(opcode, length, row->modifiers)) &&
         (strpbrk(row->operands, "mb") != NULL ||
          wb_sass_widths_claimed(opcode, length, row->modifiers));
}

const struct wb_sass_opcode *wb_sass_opcode_find(const char *opcode, size_t length,
                                                 enum wb_sass_family family)
{
  const char *dot = length > 0 ? memchr(opcode, '.', length) : NULL;
  const size_t word = dot != NULL ? (size_t)(dot - opcode) : length;
  for (size_t r = wb_opcode_lower_bound(opcode_of, ROW_COUNT, opcode, word); r < ROW_COUNT; r++) {
    if (wb_opcode_compare(opcode, word, rows[r].opcode) != 0)
      break;
    if (applies(&rows[r], opcode, length, family))
      return &rows[r];
  }
  return NULL;
}

const struct wb_sass_opcode *wb_sass_opcode_rows(size_t *count)
{
  *count = ROW_COUNT;
  return rows;
}

static char lower(char c)
{
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Whether text begins with `prefix`, which is in lower case. */
static bool begins_with(const char *text, size_t length, const char *prefix)
{
  size_t i = 0;
  while (prefix[i] != '\0' && i < length && lower(text[i]) == prefix[i])
    i++;
  return prefix[i] == '\0';
}

enum wb_agreement_rule wb_sass_special_register(const char *name, size_t length)
{
  /* SRZ is zero; the rest are block index, block size, and grid size. */
  static const char *const shared[] = {"srz", "sr_ctaid", "sr_ntid", "sr_nctaid"};
  for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
    if (begins_with(name, length, shared[s]))
      return WB_AGREES_ALWAYS;
  return WB_AGREES_NEVER;
}

bool wb_sass_joins(const char *opcode, size_t length)
{
  return length > 2 && opcode[length - 2] == '.' && opcode[length - 1] == 'S';
}

bool wb_sass_traps(const char *opcode, size_t length)
{
  return wb_sass_has_words(opcode, length, "BPT.TRAP");
}

bool wb_sass_yields(const char *opcode, size_t length)
{
  return wb_sass_has_words(opcode, length, "YIELD") ||
         wb_sass_has_words(opcode, length, "NANOSLEEP");
}
