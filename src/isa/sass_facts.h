/* The registers that an instruction reads and writes: its row of the opcode table, laid over its
 * operands. */
#ifndef WB_ISA_SASS_FACTS_H
#define WB_ISA_SASS_FACTS_H

#include "isa/sass_opcodes.h"
#include "isa/sass_operand.h"
#include "model/code.h"

/* Most operands of one instruction; machines have a dozen. */
#define WB_SASS_MOST_OPERANDS 24

/* Each operand has at most four registers; the rest is for the condition code, the guard,
 * and instructions that are not understood. */
#define WB_SASS_MOST_SPANS (WB_SASS_MOST_OPERANDS * WB_SASS_OPERAND_REGISTERS + 16)

/* The facts of one instruction; see struct wb_instruction for those of the same name. */
struct wb_sass_facts {
  struct wb_register_span reads[WB_SASS_MOST_SPANS];
  struct wb_register_span writes[WB_SASS_MOST_SPANS];
  size_t read_count;
  size_t write_count;
  const struct wb_sass_operand *destination; /* of a control transfer (j); NULL: none */
  enum wb_agreement_rule agreement;
  bool conditional_code;
  bool second_predicate;
  bool uniform;
  bool never;
};

/* Lays a row over an instruction's operands: fills *facts, which borrows them. False where
 * they are not what the row expects; *facts is then of no use. */
bool wb_sass_facts_make(struct wb_sass_facts *facts, const struct wb_sass_opcode *row,
                        enum wb_sass_family family, const char *opcode, size_t opcode_length,
                        const struct wb_sass_operand *operands, size_t operand_count);

/* Every register read, every register written, and no agreement. */
void wb_sass_facts_everything(struct wb_sass_facts *facts);

/* What a call reads and writes of which the code is not in the listing: everything; but from Volta
 * on functions keep R1, R2, R16 to R31, of each eight registers from R32 on the last four (R36 to
 * R39, R44 to R47, up to R252), and barrier registers (doc/simt-volta.md, "What calls keep"). */
void wb_sass_facts_call(struct wb_sass_facts *facts, enum wb_sass_family family);

void wb_sass_facts_read(struct wb_sass_facts *facts, unsigned number, unsigned count);
void wb_sass_facts_write(struct wb_sass_facts *facts, unsigned number, unsigned count);

#endif
