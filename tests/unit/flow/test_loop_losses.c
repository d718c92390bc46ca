/* Where the number of a loop without a bound is lost, and which loops only wait. */
#include "bounded_listing.h"
#include "flow/definitions/address_base.h"
#include "flow/loop_bounds/loop_losses.h"
#include "isa/opcode.h"
#include "unit.h"

/* The one loop of each listing. */
static const struct {
  unsigned sm;
  const char *lines;
  enum wb_loss_kind kind;
  uint32_t address; /* of the instruction */
  unsigned spins;
} rows[] = {
    /* Constants and sizes that are not given. */
    {52,
     "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, c[0x0][0x148], PT; @P0 BRA "
     "loop",
     WB_LOSS_CONSTANT, 0x18, 0},
    {52,
     "MOV R4, c[0x0][0x150]; MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R4, PT; "
     "@P0 BRA loop",
     WB_LOSS_CONSTANT, 0x8, 0},
    {52,
     "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, c[0x0][0x8], PT; @P0 BRA loop",
     WB_LOSS_SIZE, 0x18, 0},
    /* Loads before and in the loop, through a copy; the cheapest of several ends counts. */
    {52,
     "LDG.E R4, [R2]; MOV R5, R4; MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, "
     "R5, PT; @P0 BRA "
     "loop",
     WB_LOSS_LOAD, 0x8, 0},
    {52, "loop:; LDG.E R2, [R2]; ISETP.NE.AND P0, PT, R2, RZ, PT; @P0 BRA loop", WB_LOSS_LOAD, 0x8,
     0},
    {52,
     "MOV R0, RZ; loop:; FADD R6, R6, R7; FSETP.GT.AND P1, PT, R6, R8, PT; @P1 BRA end; IADD R0, "
     "R0, 0x1; "
     "ISETP.LT.AND P0, PT, R0, c[0x0][0x148], PT; @P0 BRA loop; end:",
     WB_LOSS_CONSTANT, 0x38, 0},
    /* A floating-point sum, which the test reads. */
    {52, "loop:; FADD R0, R0, R1; FSETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop", WB_LOSS_OPCODE,
     0x8, 0},
    /* Retries, flags that are read again, at an address that the loop makes anew, and clocks. */
    {52, "loop:; ATOM.E.CAS R4, [R2], R6, R7; ISETP.NE.AND P0, PT, R4, R6, PT; @P0 BRA loop",
     WB_LOSS_ATOMIC, 0x8, WB_SPIN_CAS | WB_SPIN_ATOMIC},
    {75,
     "loop:; ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R6; ISETP.NE.AND P0, PT, R4, RZ, PT; @P0 BRA "
     "loop",
     WB_LOSS_ATOMIC, 0x0, WB_SPIN_ATOMIC},
    {75,
     "loop:; IADD3 R2, R6, 0x4, RZ; LDG.E.SYS R4, [R2]; ISETP.NE.AND P0, PT, R4, RZ, PT; @P0 BRA "
     "loop",
     WB_LOSS_LOAD, 0x10, WB_SPIN_LOAD},
    {52,
     "loop:; S2R R4, SR_CLOCKLO; IADD R4, R4, -R5; ISETP.LT.U32.AND P0, PT, R4, c[0x0][0x140], PT; "
     "@P0 BRA loop",
     WB_LOSS_CONSTANT, 0x18, WB_SPIN_CLOCK},
    {75,
     "CS2R R6, SR_CLOCKLO; loop:; CS2R R4, SR_CLOCKLO; IADD3 R4, R4, -R6, RZ; ISETP.LT.U32.AND P0, "
     "PT, R4, 0x100, "
     "PT; @P0 BRA loop",
     WB_LOSS_CLOCK, 0x10, WB_SPIN_CLOCK},
    /* The lock whose flag a branch sets. */
    {75,
     "MOV R0, RZ; loop:; ATOMG.E.CAS.STRONG.GPU PT, R4, [R2], R6, R7; ISETP.NE.AND P1, PT, R4, RZ, "
     "PT; @P1 BRA "
     "again; STG.E [R2], RZ; MOV R0, 0x1; again:; ISETP.EQ.AND P0, PT, R0, RZ, PT; @P0 BRA loop",
     WB_LOSS_ATOMIC, 0x10, WB_SPIN_CAS | WB_SPIN_ATOMIC},
    /* Not waiting alone: another end; a word that the loop stores; other words; local memory; a
     * load before the loop. */
    {75,
     "MOV R0, RZ; loop:; ATOMG.E.CAS.STRONG.GPU PT, R4, [R2], R6, R7; ISETP.EQ.AND P1, PT, R4, RZ, "
     "PT; @P1 BRA "
     "end; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, R9, PT; @P0 BRA loop; end:",
     WB_LOSS_ATOMIC, 0x10, 0},
    {75,
     "loop:; LDG.E.SYS R4, [R2]; IADD3 R4, R4, 0x1, RZ; STG.E.SYS [R2], R4; ISETP.NE.AND P0, PT, "
     "R4, RZ, PT; @P0 "
     "BRA loop",
     WB_LOSS_LOAD, 0x0, 0},
    {75,
     "loop:; IADD3 R2, R2, 0x4, RZ; LDG.E.SYS R4, [R2]; ISETP.NE.AND P0, PT, R4, RZ, PT; @P0 BRA "
     "loop",
     WB_LOSS_LOAD, 0x10, 0},
    {75, "loop:; LDL R4, [R1]; ISETP.NE.AND P0, PT, R4, RZ, PT; @P0 BRA loop", WB_LOSS_LOAD, 0x0,
     0},
    {75, "LDG.E.SYS R4, [R2]; loop:; ISETP.NE.AND P0, PT, R4, RZ, PT; @P0 BRA loop", WB_LOSS_LOAD,
     0x0, 0},
};

TEST(losses)
{
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    FREED_BY(wb_code_free) struct wb_code code;
    FREED_BY(bounded_free) struct bounded_function bounded;
    FREED_BY(wb_definitions_free) struct wb_definitions definitions;
    struct wb_loop_loss loss;
    listing_of(rows[r].sm, rows[r].lines, &code);
    assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
    assert_int_equal(bounded.forest.loop_count, 1);
    assert_true(wb_definitions_make(bounded.graph, &definitions));
    assert_true(wb_loop_loss_find(&definitions, &bounded.forest, 0, NULL, &loss));
    if (loss.kind != rows[r].kind || loss.spins != rows[r].spins ||
        bounded.function->instructions[loss.instruction].address != rows[r].address)
      fail_msg("row %zu: kind %u at 0x%x, spins %u", r, loss.kind,
               bounded.function->instructions[loss.instruction].address, loss.spins);
  }
}

/* Beyond the budget less is claimed: no loop waits. */
TEST(budget)
{
  for (uint64_t budget = 0; budget < 40; budget++) {
    FREED_BY(wb_code_free) struct wb_code code;
    FREED_BY(bounded_free) struct bounded_function bounded;
    FREED_BY(wb_definitions_free) struct wb_definitions definitions;
    struct wb_loop_loss loss;
    listing_of(75,
               "loop:; LDG.E.SYS R4, [R2]; IADD3 R2, R2, R4, RZ; ISETP.NE.AND P0, PT, R4, RZ, PT; "
               "@P0 BRA loop",
               &code);
    assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
    assert_true(wb_definitions_make(bounded.graph, &definitions));
    definitions.budget = budget;
    assert_true(wb_loop_loss_find(&definitions, &bounded.forest, 0, NULL, &loss));
    assert_int_equal(loss.spins, 0);
  }
}

/* The last load of each listing: whether its address is based on the parameter at that offset. */
static const struct {
  unsigned sm;
  const char *lines;
  uint32_t parameter;
  bool based;
} bases[] = {
    {75, "S2R R0, SR_TID.X; IMAD.WIDE R2, R0, 0x4, c[0x0][0x168]; LDG.E.SYS R4, [R2]", 8, true},
    {75, "S2R R0, SR_TID.X; IMAD.WIDE R2, R0, 0x4, c[0x0][0x168]; LDG.E.SYS R4, [R2]", 0, false},
    {75, "MOV R2, c[0x0][0x160]; MOV R3, c[0x0][0x164]; LDG.E.SYS R4, [R2+0x10]", 0, true},
    /* An index that was loaded, and one that is a parameter, beside two other words. */
    {75, "LDG.E.SYS R0, [R8]; IMAD.WIDE R2, R0, 0x4, c[0x0][0x168]; LDG.E.SYS R4, [R2]", 8, true},
    {75,
     "MOV R8, c[0x0][0x160]; MOV R9, c[0x0][0x164]; LDG.E.SYS R0, [R8]; IMAD.WIDE R2, R0, 0x4, "
     "c[0x0][0x168]; "
     "LDG.E.SYS R4, [R2]",
     8, true},
    {75, "MOV R0, c[0x0][0x170]; IMAD.WIDE R2, R0, 0x4, c[0x0][0x168]; LDG.E.SYS R4, [R2]", 8,
     true},
    {75, "MOV R0, c[0x0][0x170]; IMAD.WIDE R2, R0, 0x4, c[0x0][0x168]; LDG.E.SYS R4, [R2]", 0x10,
     false},
    /* One of two pointers; their sum; a pointer that was loaded. */
    {75,
     "MOV R2, c[0x0][0x160]; MOV R3, c[0x0][0x164]; @P0 BRA on; MOV R2, c[0x0][0x168]; MOV R3, "
     "c[0x0][0x16c]; on:; "
     "LDG.E.SYS R4, [R2]",
     0, false},
    {75,
     "MOV R2, c[0x0][0x160]; IADD3 R2, P0, R2, c[0x0][0x168], RZ; MOV R3, c[0x0][0x164]; IADD3.X "
     "R3, R3, "
     "c[0x0][0x16c], RZ, P0, !PT; LDG.E.SYS R4, [R2]",
     0, false},
    {75, "MOV R8, c[0x0][0x160]; MOV R9, c[0x0][0x164]; LDG.E.64.SYS R2, [R8]; LDG.E.SYS R4, [R2]",
     0, false},
    /* A pointer that the loop moves; what reaches from the kernel's start. */
    {75,
     "MOV R2, c[0x0][0x160]; MOV R3, c[0x0][0x164]; loop:; IADD3 R2, P1, R2, 0x4, RZ; IADD3.X R3, "
     "R3, RZ, RZ, P1, "
     "!PT; LDG.E.SYS R4, [R2]; @P0 BRA loop",
     0, true},
    {75, "@P0 MOV R2, c[0x0][0x160]; @P0 MOV R3, c[0x0][0x164]; LDG.E.SYS R4, [R2]", 0, false},
    {52,
     "MOV R0, c[0x0][0x148]; IADD R2.CC, R0, c[0x0][0x140]; IADD.X R3, RZ, c[0x0][0x144]; LDG.E "
     "R4, [R2]",
     0, true},
};

TEST(addresses)
{
  for (size_t r = 0; r < sizeof bases / sizeof *bases; r++) {
    FREED_BY(wb_code_free) struct wb_code code;
    FREED_BY(bounded_free) struct bounded_function bounded;
    FREED_BY(wb_definitions_free) struct wb_definitions definitions;
    listing_of(bases[r].sm, bases[r].lines, &code);
    assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
    assert_true(wb_definitions_make(bounded.graph, &definitions));
    bool based = false;
    for (uint32_t b = 0; b < bounded.graph->block_count; b++)
      for (uint32_t i = bounded.graph->blocks[b].first; i <= bounded.graph->blocks[b].last; i++)
        if (wb_instruction_loads(&bounded.function->instructions[i]))
          based = wb_address_is_based_on(&definitions, b, i, bases[r].parameter);
    if (based != bases[r].based)
      fail_msg("row %zu: %d", r, based);
  }
}
