/* wb_code_check: what the front ends make passes; code with one thing broken does not, and is told
 * which. */
#include "frontend/ptx/ptx_front_end.h"
#include "frontend/sass/sass_front_end.h"
#include "model/code.h"
#include "unit.h"

static const char sass[] =
    "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM52)\"\n"
    "//--------------------- .text.k ----------------\n"
    "\t.section\t.text.k,\"ax\",@progbits\n"
    "k:\n"
    ".text.k:\n"
    "\t//## File \"a.cu\", line 3\n"
    "        /*0008*/                   SSY `(.L_x_2) ;\n"
    "        /*0010*/                   LDG.64 R4, [R2] ;\n"
    "        /*0018*/              @!P0 SYNC (*\"BRANCH_TARGETS .L_x_2\"*);\n"
    "        /*0028*/                   JCAL `(vprintf) ;\n"
    "        /*0030*/                   CAL `($k$sub) ;\n"
    "        /*0038*/                   SYNC (*\"BRANCH_TARGETS .L_x_2\"*);\n"
    ".L_x_2:\n"
    "        /*0048*/                   EXIT ;\n"
    "$k$sub:\n"
    "        /*0050*/                   RET ;\n"
    "$k$end:\n"
    "        /*0058*/                   BRA `(.L_x_2) ;\n";

/* Indices of its instructions. */
enum { SSY, LDG, GUARDED_SYNC, JCAL, CAL, SYNC, EXIT, RET, BRA };

static const char volta[] = "code for sm_90\nFunction : k\n"
                            "/*0000*/ BSSY B3, 0x40 ;\n/*0010*/ MOV R20, R4 ;\n"
                            "/*0020*/ STL [R1], R20 ;\n/*0030*/ BSYNC B3 ;\n"
                            "/*0040*/ BRA.DIV UR4, 0x50 ;\n/*0050*/ RET.REL.NODEC R20 0x0 ;\n";

/* Indices of its instructions. */
enum { BSSY, MOV, STL, BSYNC, BRA_DIV, RET_LINKED };

static const char ptx[] =
    ".version 8.5\n.target sm_80\n.file 1 \"a.cu\"\n.extern .func f;\n.entry k()\n{\n"
    ".reg .pred %p;\n.loc 1 3 0\n@%p bra L;\ncall f;\nadd.s32 %r1, %r2, %r3;\nL:\nret;\n}\n";

/* Indices of its instructions, in the function of its kernel. */
enum { PTX_BRA, PTX_CALL, PTX_ADD, PTX_RET };

static void parse_sass(struct wb_code *code)
{
  warpbound_error error;
  if (wb_sass_parse("test", sass, strlen(sass), NULL, code, &error) != WARPBOUND_OK)
    fail_msg("%zu:%zu: %s", error.line, error.column, error.message);
}

static void parse_volta(struct wb_code *code)
{
  warpbound_error error;
  if (wb_sass_parse("test", volta, strlen(volta), NULL, code, &error) != WARPBOUND_OK)
    fail_msg("%zu:%zu: %s", error.line, error.column, error.message);
}

static void parse_ptx(struct wb_code *code)
{
  warpbound_error error;
  if (wb_ptx_parse("test", ptx, strlen(ptx), NULL, code, &error) != WARPBOUND_OK)
    fail_msg("%zu:%zu: %s", error.line, error.column, error.message);
}

/* Breaks one thing of `function`, which is the code's one with instructions, or of the code. */
typedef void breaker(struct wb_code *code, struct wb_function *function);

struct breakage {
  breaker *breaks;
  const char *message;
};

#define BREAKER(name, statement)                                                                   \
  static void name(struct wb_code *code, struct wb_function *function)                             \
  {                                                                                                \
    (void)code, (void)function;                                                                    \
    statement;                                                                                     \
  }

/* The span of the guard, the first that the guarded SYNC reads. */
#define GUARD_SPAN function->spans[function->instructions[GUARDED_SYNC].first_read]

BREAKER(unnamed_function, function->name = NULL)
BREAKER(instructions_of_none, function->defined = false)
BREAKER(no_instructions, function->instruction_count = 0; function->label_count = 0;
        function->symbol_count = 0; function->annotation_count = 0; function->target_count = 0)
BREAKER(list_of_nothing, function->constant_length = 1)
BREAKER(target_behind_the_end, function->targets[0] = (uint32_t)function->instruction_count)
BREAKER(empty_span, function->spans[0].count = 0)
BREAKER(span_of_two_kinds, function->spans[0] = ((struct wb_register_span){250, 6}))
BREAKER(span_behind_all, function->spans[0].first = WB_REGISTER_COUNT)
BREAKER(label_behind_the_end, function->labels[0].index = (uint32_t)function->instruction_count)
BREAKER(unnamed_label, function->labels[0].name = NULL)
BREAKER(unsorted_symbols, function->symbols[1].index = SSY)
BREAKER(address_twice, function->instructions[LDG].address = 8)
BREAKER(annotation_of_none, function->annotations[1].instruction = BRA + 1)
BREAKER(annotation_without_targets, function->annotations[0].target_count = 0)
BREAKER(annotation_twice, function->annotations[1].instruction = GUARDED_SYNC)
BREAKER(unsorted_parameters, static struct wb_parameter parameters[2];
        function->parameters = parameters; function->parameter_count = 2)
BREAKER(no_opcode, function->instructions[LDG].opcode = NULL)
BREAKER(no_place, function->instructions[LDG].line = 0)
BREAKER(unknown_file, function->instructions[LDG].source_file = 2)
BREAKER(unnamed_file, code->files[0] = NULL)
BREAKER(unnamed_code, free(code->name); code->name = NULL)
BREAKER(no_unit, function->instructions[LDG].unit = WB_UNIT_COUNT)
BREAKER(no_transfer, function->instructions[LDG].transfer = WB_TRANSFER_COUNT)
BREAKER(transfer_of_ptx, function->instructions[RET].transfer = WB_TRANSFER_RETURN)
BREAKER(targets_behind_all, function->instructions[CAL].first_target = 1000)
BREAKER(branch_without_target, function->instructions[BRA].target_count = 0)
BREAKER(target_of_a_load, function->instructions[LDG].target_count = 1)
BREAKER(call_of_nothing, function->instructions[JCAL].callee = NULL)
BREAKER(load_of_a_callee, function->instructions[LDG].callee = "f")
BREAKER(no_operands, function->instructions[EXIT].operands = NULL)
BREAKER(reads_behind_all, function->instructions[LDG].first_read = 1000)
BREAKER(writes_behind_all, function->instructions[LDG].write_count = 1000)
BREAKER(guarded_by_nothing, function->instructions[LDG].guarded = true)
BREAKER(guard_without_effect, function->instructions[GUARDED_SYNC].guarded = false)
BREAKER(general_guard, function->instructions[GUARDED_SYNC].guard = 4; GUARD_SPAN.first = 4)
BREAKER(unread_guard, GUARD_SPAN.first = WB_REGISTER_PREDICATE + 1)
BREAKER(no_token, function->instructions[SYNC].token = WB_TOKEN_COUNT)
BREAKER(token_of_a_load, function->instructions[LDG].token = WB_TOKEN_SYNC)
BREAKER(no_agreement, function->instructions[LDG].agreement = WB_AGREES_NEVER + 1)
BREAKER(unknown_in_silence, function->instructions[EXIT].unknown = true)
BREAKER(several_of_sass, function->instructions[LDG].several = true)

static const struct breakage sass_breakages[] = {
    {unnamed_code, "the code has no name"},
    {unnamed_file, "a source file has no name"},
    {unnamed_function, "a function has no name"},
    {instructions_of_none, "a function without a body has instructions"},
    {no_instructions, "a function of machine code has no instructions"},
    {list_of_nothing, "a function's list is missing"},
    {target_behind_the_end, "a target is not in its function"},
    {empty_span, "registers are none, or of several kinds"},
    {span_of_two_kinds, "registers are none, or of several kinds"},
    {span_behind_all, "registers are none, or of several kinds"},
    {label_behind_the_end, "a label has no name or no place in its function"},
    {unnamed_label, "a label has no name or no place in its function"},
    {unsorted_symbols, "labels are not in order"},
    {address_twice, "addresses do not ascend"},
    {annotation_of_none, "an annotation is of no instruction, or has no targets in its function"},
    {annotation_without_targets,
     "an annotation is of no instruction, or has no targets in its function"},
    {annotation_twice, "annotations are not in order"},
    {unsorted_parameters, "parameters are not in order"},
    {no_opcode, "an instruction has no opcode"},
    {no_place, "an instruction has no place in the listing"},
    {unknown_file, "an instruction's source file is not among the code's"},
    {no_unit, "an instruction's unit is invalid"},
    {no_transfer, "an instruction's control transfer is invalid"},
    {transfer_of_ptx, "an instruction's control transfer is another language's"},
    {targets_behind_all, "an instruction's targets are not among the function's"},
    {branch_without_target,
     "an instruction has a number of targets that its control transfer does not allow"},
    {target_of_a_load,
     "an instruction has a number of targets that its control transfer does not allow"},
    {call_of_nothing, "a call by name has no callee, or another instruction has one"},
    {load_of_a_callee, "a call by name has no callee, or another instruction has one"},
    {no_operands, "an instruction of machine code has no operands, not even empty ones"},
    {reads_behind_all, "an instruction's registers are not among the function's"},
    {writes_behind_all, "an instruction's registers are not among the function's"},
    {guarded_by_nothing, "an instruction is guarded without a guard, or the other way round"},
    {guard_without_effect, "an instruction is guarded without a guard, or the other way round"},
    {general_guard, "a guard is no predicate"},
    {unread_guard, "a guard is not among what its instruction reads"},
    {no_token, "an instruction's token is not one of its control transfer"},
    {token_of_a_load, "an instruction's token is not one of its control transfer"},
    {no_agreement, "an instruction's agreement rule is invalid"},
    {unknown_in_silence, "an instruction that is not understood states no assumption"},
    {several_of_sass, "an instruction of machine code has a fact of PTX"},
};

BREAKER(barrier_16, function->instructions[BSSY].barrier = 16)
BREAKER(barrier_of_a_move, function->instructions[MOV].barrier = 1)
BREAKER(no_mask, function->instructions[BRA_DIV].mask = WB_MASK_OTHER + 1)
BREAKER(move_together, function->instructions[MOV].together = true)
BREAKER(unless_alone, function->instructions[BRA_DIV].together = false)
BREAKER(link_of_a_move, function->instructions[MOV].link = 20)
BREAKER(link_in_a_predicate,
        function->instructions[RET_LINKED].link = WB_REGISTER_UNIFORM_PREDICATE)
BREAKER(scope_to_nowhere, function->instructions[BSSY].target_count = 0)
BREAKER(lost_copies, function->copies = NULL)
BREAKER(copy_of_nothing, function->copies[1].instruction = (uint32_t)function->instruction_count)
BREAKER(copy_of_no_kind, function->copies[0].kind = WB_COPY_LOAD + 1)
BREAKER(copies_out_of_order, function->copies[1].instruction = 0)
BREAKER(copy_to_nowhere, function->copies[0].to = WB_NO_REGISTER)
BREAKER(copy_from_nowhere, function->copies[0].from = WB_NO_REGISTER)
BREAKER(copy_with_a_base, function->copies[0].base = 1)
BREAKER(store_nowhere, function->copies[1].base = WB_NO_REGISTER)
BREAKER(store_to_a_register, function->copies[1].to = 4)

static const struct breakage volta_breakages[] = {
    {barrier_16, "a barrier register is invalid, or of an instruction that has none"},
    {barrier_of_a_move, "a barrier register is invalid, or of an instruction that has none"},
    {no_mask, "an instruction's mask of lanes is invalid"},
    {move_together, "an instruction that is no branch is done by all lanes or none"},
    {unless_alone, "a branch that compares lanes with no mask waits for some to be missing"},
    {link_of_a_move, "a link register is invalid, or of an instruction that has none"},
    {link_in_a_predicate, "a link register is invalid, or of an instruction that has none"},
    {scope_to_nowhere,
     "an instruction has a number of targets that its control transfer does not allow"},
    {lost_copies, "a function's list is missing"},
    {copy_of_nothing, "a copy is of no instruction, or of no kind"},
    {copy_of_no_kind, "a copy is of no instruction, or of no kind"},
    {copies_out_of_order, "copies are not in order"},
    {copy_to_nowhere, "a copy lacks a register, or has one too many"},
    {copy_from_nowhere, "a copy lacks a register, or has one too many"},
    {copy_with_a_base, "a copy lacks a register, or has one too many"},
    {store_nowhere, "a copy lacks a register, or has one too many"},
    {store_to_a_register, "a copy lacks a register, or has one too many"},
};

BREAKER(transfer_of_sass, function->instructions[PTX_RET].transfer = WB_TRANSFER_POP)
BREAKER(target_behind_the_ptx_end, function->targets[0] = (uint32_t)function->instruction_count + 1)
BREAKER(guard_of_ptx, function->instructions[PTX_BRA].guard = WB_REGISTER_PREDICATE)
BREAKER(operands_of_ptx, function->instructions[PTX_ADD].operands = "")
BREAKER(address_of_ptx, function->instructions[PTX_ADD].address = 8)
BREAKER(agreement_of_ptx, function->instructions[PTX_ADD].agreement = WB_AGREES_ALWAYS)
BREAKER(fact_of_sass, function->instructions[PTX_ADD].unknown = true)
BREAKER(ptx_call_of_nothing, function->instructions[PTX_CALL].callee = NULL)

static const struct breakage ptx_breakages[] = {
    {unnamed_code, "the code has no name"},
    {unnamed_function, "a function has no name"},
    {instructions_of_none, "a function without a body has instructions"},
    {target_behind_the_ptx_end, "a target is not in its function"},
    {unknown_file, "an instruction's source file is not among the code's"},
    {transfer_of_sass, "an instruction's control transfer is another language's"},
    {ptx_call_of_nothing, "a call by name has no callee, or another instruction has one"},
    {guard_of_ptx, "an instruction of PTX has registers"},
    {operands_of_ptx, "an instruction of PTX has an address or operands"},
    {address_of_ptx, "an instruction of PTX has an address or operands"},
    {agreement_of_ptx, "an instruction of PTX has a fact of machine code"},
    {fact_of_sass, "an instruction of PTX has a fact of machine code"},
};

static void find_each(void (*parse)(struct wb_code *), const struct breakage *breakages,
                      size_t count)
{
  for (size_t b = 0; b < count; b++) {
    FREED_BY(wb_code_free) struct wb_code code;
    parse(&code);
    const char *broken = wb_code_check(&code);
    if (broken != NULL)
      fail_msg("what the front end made is broken: %s", broken);
    size_t f = 0;
    while (f < code.function_count && code.functions[f].instruction_count == 0)
      f++;
    assert_true(f < code.function_count);
    struct wb_function *function = &code.functions[f];
    struct wb_function whole = *function;
    breakages[b].breaks(&code, function);
    broken = wb_code_check(&code);
    if (broken == NULL || strcmp(broken, breakages[b].message) != 0)
      fail_msg("breakage %zu: expected '%s', found '%s'", b, breakages[b].message,
               broken != NULL ? broken : "nothing");
    *function = whole; /* its lists, to be freed */
  }
}

TEST(broken_machine_code)
{
  find_each(parse_sass, sass_breakages, COUNT_OF(sass_breakages));
}

TEST(broken_volta)
{
  find_each(parse_volta, volta_breakages, COUNT_OF(volta_breakages));
}

TEST(broken_ptx)
{
  find_each(parse_ptx, ptx_breakages, COUNT_OF(ptx_breakages));
}
