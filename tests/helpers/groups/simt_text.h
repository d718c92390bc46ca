/* Small machine code from text, for tests that must not depend on a front end.
 *   "LABEL:" before an instruction names it; "@P0", "@!P0" guard it;
 *   "MOV R1 R2" writes its first operand from the others; likewise LDG (a load of memory that
 *   lanes share), TID (differs per lane), VOTE and CTA (agree always), SETP;
 *   BRA, BRA.U, BRA.CC (tests the condition code), CAL, SSY, PBK, PCNT, PRET have a label;
 *   BRX a register and labels; SYNC, BRK, CONT, RET, EXIT none; JCAL a name;
 *   MYSTERY and RET.X, a kind of RET, are unknown, LONGJMP unsupported; "SYNC = A" is annotated
 * with the label A. Registers: R0.., P0.., UR0.., UP0.., CC, B0..; no label looks like one.
 *
 * Of simt_text_make_barriers besides, copies told:
 *   "MOV R1 R2", "MOV R1 #5", "MOV R1 &L" (the address of a label), "ADD R1 R2 #8", "LDC R1 #16"
 *   (c[0][16]), "CTA R1" (the launch's), "STL R1 #8 R2" (to [R1+8]), "LDL R2 R1 #8", "BMOV R1 B0",
 *   "BMOV.CLEAR R1 B0", "BMOV.CLEAR RZ B0", "BMOV B0 R1", "BMOV B0 #0"; MOV and ADD of other
 *   operands are no copies;
 *   "BSSY B0 L", "BSYNC B0", "BREAK B0", "WARPSYNC.ALL", "WARPSYNC R1" (a mask), "WARPSYNC #1",
 *   "WARPSYNC #0xffffffff", "WARPSYNC.EXCLUSIVE R1", "WARPSYNC.COLLECTIVE R1 L" (L is a target),
 *   "CALL.REL L", "CALL.REL R2 L M" (one of them, as R2 says), "RET.REL R20", "BRA.DIV R6 L",
 * "BRA.CONV R6 L" (or #0xffffffff for R6), "BRA P1 L" (a second predicate; also of BRA.U), YIELD,
 * NANOSLEEP. */
#ifndef TESTS_UNIT_SIMT_TEXT_H
#define TESTS_UNIT_SIMT_TEXT_H

#include "model/code.h"

#include <stddef.h>

/* The lines of a text that has "; " between them, ended by a null pointer; valid until the next
 * call. */
const char *const *simt_lines(const char *text);

/* lines end with a null pointer. One function, a kernel for sm_52; addresses are 8 apart. Free with
 * wb_code_free. */
void simt_text_make(const char *const *lines, struct wb_code *code);

/* The same for sm_70; addresses are 16 apart. */
void simt_text_make_barriers(const char *const *lines, struct wb_code *code);

/* The index of a label. */
uint32_t simt_text_label(const char *const *lines, const char *label);

#endif
