/* Small machine code from text, for tests that must not depend on a front end.
 *   "LABEL:" before an instruction names it; "@P0", "@!P0" guard it;
 *   "MOV R1 R2" writes its first operand from the others; likewise LDG (a load of memory that
 *   lanes share), TID (differs per lane), VOTE and CTA (agree always), SETP;
 *   BRA, BRA.U, BRA.CC (tests the condition code), CAL, SSY, PBK, PCNT, PRET have a label;
 *   BRX a register and labels; SYNC, BRK, CONT, RET, EXIT none; JCAL a name;
 *   MYSTERY and RET.X, a kind of RET, are unknown, LONGJMP unsupported, BSSY of
 * Volta; "SYNC = A" is annotated with the label A. Registers: R0.., P0.., UR0.., CC. */
#ifndef TESTS_UNIT_SIMT_TEXT_H
#define TESTS_UNIT_SIMT_TEXT_H

#include "model/code.h"

#include <stddef.h>

/* lines end with a null pointer. One function, a kernel for sm_52. Free with
 * wb_code_free. */
void simt_text_make(const char *const *lines, struct wb_code *code);

/* The index of a label. */
uint32_t simt_text_label(const char *const *lines, const char *label);

#endif
