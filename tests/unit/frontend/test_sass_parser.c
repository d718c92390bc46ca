/* The SASS front end: the forms of listings that it reads, what it makes of them, and that it bears
 * any input. */
#include "base/text.h"
#include "failing_heap.h"
#include "fixtures.h"
#include "frontend/sass/sass_front_end.h"
#include "rows.h"
#include "unit.h"

#include <time.h>

/* --- helpers --- */

#define HEAD "\tcode for sm_52\n\t\tFunction : k\n"
/* Listings beside this file. */
#define DUAL "unit/frontend/dual_issue.sass"
#define LABELLED "unit/frontend/labelled.sass"
#define SIMPLE HEAD "/*0008*/ EXIT ;\n"

static struct wb_code parse_with(const char *text, const struct wb_sass_options *options)
{
  struct wb_code code;
  warpbound_error error;
  if (listing_parse(text, strlen(text), options, &code, &error) != WARPBOUND_OK)
    fail_msg("%zu:%zu: %s", error.line, error.column, error.message);
  return code;
}

static struct wb_code parse(const char *text)
{
  return parse_with(text, NULL);
}

static void release_code(void *code)
{
  wb_code_free(code);
  free(code);
}

/* The first function; its code lasts to the test's end. */
static const struct wb_function *parse_function(const char *text)
{
  struct wb_code *code = malloc(sizeof *code);
  assert_non_null(code);
  *code = parse(text);
  unit_at_end(release_code, code);
  return code->functions;
}

static const struct wb_instruction *at(const struct wb_function *function, uint64_t address)
{
  const size_t index = wb_function_at(function, address);
  assert_int_not_equal(index, SIZE_MAX);
  return &function->instructions[index];
}

static const struct wb_encoding *encoding_at(const struct wb_function *function, uint64_t address)
{
  assert_non_null(function->encodings);
  return &function->encodings[at(function, address) - function->instructions];
}

/* The address that a target of an instruction names. */
static uint32_t target(const struct wb_function *function, const struct wb_instruction *instruction,
                       uint32_t index)
{
  assert_true(index < instruction->target_count);
  return function->instructions[function->targets[instruction->first_target + index]].address;
}

/* --- cuobjdump --- */

TEST(test_dual_issue_with_encodings)
{
  FREED_BY(wb_code_free) struct wb_code code = parse(unit_text(DUAL));
  assert_string_equal(code.format, "cuobjdump");
  assert_int_equal(code.function_count, 1);
  const struct wb_function *k = &code.functions[0];
  assert_string_equal(k->name, "_Z1kPf");
  assert_int_equal(k->sm, 52);
  assert_int_equal(k->line, 16);
  assert_true(k->kernel);
  assert_non_null(k->kind_source);
  assert_int_equal(k->instruction_count, 7);
  assert_true(at(k, 0x18)->dual_issue);
  assert_false(at(k, 0x28)->dual_issue);
  assert_true(encoding_at(k, 0x28)->words[0] == UINT64_C(0xeedc200000070204));
  assert_true(encoding_at(k, 0x30)->words[0] == UINT64_C(0xe2400ffff888000f));
  assert_int_equal(encoding_at(k, 0x48)->words[0], UINT64_C(0xe30000000007000f));
  assert_int_equal(at(k, 0x28)->line, 23);
  assert_int_equal(at(k, 0x28)->column, 16);
  assert_string_equal(at(k, 0x28)->opcode, "STG.E");
  assert_string_equal(at(k, 0x28)->operands, "[R2], R4");
  /* The target 0x40 is a control word; 0x30 branches to itself. */
  assert_int_equal(target(k, at(k, 0x10), 0), 0x48);
  assert_int_equal(target(k, at(k, 0x30), 0), 0x30);
  assert_int_equal(at(k, 0x30)->guard, WB_REGISTER_PREDICATE);
  assert_true(at(k, 0x30)->guard_negated);
}

/* Slots 0x7e6, 0x7f2, 0x7f0 and 0x7ed, 0x7f5, 0x207f1: see sass_control.c. */
TEST(test_control_words)
{
  const struct wb_function *k = parse_function(unit_text(DUAL));
  const struct wb_control_word first = encoding_at(k, 0x8)->control;
  assert_true(encoding_at(k, 0x8)->has_control);
  assert_int_equal(first.stall, 6);
  assert_true(first.yield);
  assert_int_equal(first.write_barrier, 7);
  assert_int_equal(first.read_barrier, 7);
  assert_int_equal(first.wait_mask, 0);
  assert_int_equal(first.reuse, 0);
  assert_int_equal(encoding_at(k, 0x10)->control.stall, 2);
  assert_false(encoding_at(k, 0x10)->control.yield);
  assert_int_equal(encoding_at(k, 0x18)->control.stall, 0);
  assert_int_equal(encoding_at(k, 0x28)->control.stall, 13);
  assert_true(encoding_at(k, 0x28)->control.yield);
  assert_int_equal(encoding_at(k, 0x38)->control.stall, 1);
  assert_int_equal(encoding_at(k, 0x38)->control.reuse, 1);
  assert_int_equal(encoding_at(k, 0x48)->control.stall, 10);
}

TEST(test_128_bits)
{
  const struct wb_function *k = parse_function(
      "code for sm_89\n.target\tsm_89\n\t\tFunction : k\n"
      "        /*0000*/                   LDG.E R4, [R2.64] ; /* 0x0000000402047981 */\n"
      "                                                       /* 0x001ea8000c1e1900 */\n"
      "        /*0010*/              @!P0 BRA 0x0 ;           /* 0xffffffe000008947 */\n"
      "                                                       /* 0x004fea000383ffff */\n"
      "        /*0020*/                   EXIT ;              /* 0x000000000000794d */\n"
      "                                                       /* 0x000fea0003800000 */\n"
      "        /*0030*/                   BRA 0x30;           /* 0xfffffff000007947 */\n"
      "                                                       /* 0x000fc0000383ffff */\n"
      "\t\t....\n");
  assert_int_equal(k->sm, 89);
  assert_int_equal(k->instruction_count, 4);
  assert_true(encoding_at(k, 0)->words[1] == UINT64_C(0x001ea8000c1e1900));
  /* 0x001ea8...: wait mask 0, read barrier 7, write barrier 2, stall 4. */
  assert_true(encoding_at(k, 0)->has_control);
  assert_int_equal(encoding_at(k, 0)->control.stall, 4);
  assert_int_equal(encoding_at(k, 0)->control.write_barrier, 2);
  assert_int_equal(encoding_at(k, 0)->control.read_barrier, 7);
  assert_int_equal(encoding_at(k, 0x10)->control.wait_mask, 4);
  assert_int_equal(target(k, at(k, 0x10), 0), 0);
  assert_false(at(k, 0x30)->dual_issue); /* stall 0, but of 128 bits */
}

/* One name in two architectures; blocks without functions; the encodings filtered out. */
TEST(test_several_architectures)
{
  FREED_BY(wb_code_free)
  struct wb_code code = parse("\tcode for sm_52\n"
                              "\t\tFunction : k\n"
                              "        /*0008*/ MOV R1, R2 ;  \n\n"
                              "        /*0010*/ EXIT ;\n\n"
                              "\t\tFunction : d\n"
                              "        /*0008*/ RET ;\n"
                              "\t\t..............\n\n"
                              "Fatbin ptx code:\n"
                              "================\n"
                              "arch = sm_52\n"
                              "Fatbin elf code:\n"
                              "\tcode for sm_120a\n"
                              "\tcode for sm_70\n"
                              "\t\tFunction : k\n"
                              "        /*0000*/ EXIT ;\n");
  assert_int_equal(code.function_count, 3);
  assert_string_equal(code.functions[0].name, "k");
  assert_int_equal(code.functions[0].sm, 52);
  assert_true(code.functions[0].kernel);
  assert_string_equal(code.functions[1].name, "d");
  assert_false(code.functions[1].kernel);
  assert_non_null(code.functions[1].kind_source);
  assert_string_equal(code.functions[2].name, "k");
  assert_int_equal(code.functions[2].sm, 70);
}

/* Two outputs of nvdisasm, one behind the other; the first ends where the second's head is. */
TEST(test_two_modules)
{
  FREED_BY(wb_code_free)
  struct wb_code code = parse("\t.headerflags\t@\"EF_CUDA_SM61 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM61)\"\n"
                              "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n/*0008*/ EXIT ;\n"
                              "\t.target\tsm_75\n"
                              "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n/*0000*/ EXIT ;\n"
                              "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM52)\"\n"
                              "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n/*0008*/ EXIT ;\n"
                              "\tcode for sm_90\n\t\tFunction : k\n/*0000*/ EXIT ;\n");
  static const uint32_t architectures[] = {61, 75, 52, 90};
  assert_int_equal(code.function_count, 4);
  for (size_t f = 0; f < 4; f++)
    assert_int_equal(code.functions[f].sm, architectures[f]);
}

TEST(test_kepler)
{
  FREED_BY(wb_code_free)
  struct wb_code code = parse("\tcode for sm_35\n"
                              "\t\tFunction : k\n"
                              "\t/* 0x08a0a0a0b0a0a000 */\n"
                              "\t/*0008*/ MOV R1, c[0x0][0x44]; /* 0x64c03c00089c0006 */\n"
                              "\t/*0010*/ SSY 0x30;             /* 0x1480000010000000 */\n"
                              "\t/*0018*/ @P0 BRA 0x30;         /* 0x120000000c00003c */\n"
                              "\t/*0020*/ FADD R2, R3, R4;      /* 0xe2c00000021c0c0a */\n"
                              "\t/*0028*/ NOP;                  /* 0x85800000001c3c02 */\n"
                              "\t/*0030*/ NOP.S;                /* 0x85800000005c3c02 */\n"
                              "\t/*0038*/ EXIT;                 /* 0x18000000001c003c */\n"
                              "\t/* 0x0800000000b810b8 */\n"
                              "\t/*0048*/ BRA 0x48;             /* 0x12007ffffc1c003c */\n"
                              "\tcode for sm_30\n"
                              "\t\tFunction : old\n"
                              "\t/*0000*/     /*0x10005de428004001*/ \tMOV R1, c [0x0] [0x44];\n"
                              "\t/*0008*/     /*0x00001de780000000*/ \tEXIT;\n");
  const struct wb_function *k = &code.functions[0];
  assert_int_equal(k->instruction_count, 8);
  assert_int_equal(at(k, 0x30)->transfer, WB_TRANSFER_POP);
  assert_int_equal(at(k, 0x30)->token, WB_TOKEN_SYNC);
  assert_int_equal(target(k, at(k, 0x10), 0), 0x30);
  assert_false(encoding_at(k, 0x8)->has_control); /* Kepler's control words are other ones */
  assert_int_equal(code.functions[1].instruction_count, 2);
  assert_true(code.functions[1].encodings[0].words[0] == UINT64_C(0x10005de428004001));
}

/* --- nvdisasm --- */

TEST(test_nvdisasm)
{
  FREED_BY(wb_code_free) struct wb_code code = parse(unit_text(LABELLED));
  assert_string_equal(code.format, "nvdisasm");
  assert_int_equal(code.function_count, 1);
  const struct wb_function *k = &code.functions[0];
  assert_string_equal(k->name, "k");
  assert_int_equal(k->sm, 52);
  assert_true(k->kernel);
  assert_null(k->kind_source);
  assert_int_equal(k->instruction_count, 10);
  assert_int_equal(target(k, at(k, 0x8), 0), 0x48);
  assert_int_equal(target(k, at(k, 0x30), 0), 0x50);
  assert_int_equal(target(k, at(k, 0x58), 0), 0x58);
  assert_int_equal(at(k, 0x30)->transfer, WB_TRANSFER_CALL);
  assert_true(at(k, 0x10)->dual_issue);
  /* Annotations of SYNC are no targets. */
  assert_int_equal(at(k, 0x38)->target_count, 0);
  assert_int_equal(k->annotation_count, 2);
  const struct wb_annotation *said = &k->annotations[1];
  assert_int_equal(said->instruction, wb_function_at(k, 0x38));
  assert_int_equal(said->target_count, 1);
  assert_int_equal(k->instructions[k->targets[said->first_target]].address, 0x48);
  assert_int_equal(k->symbol_count, 1);
  assert_string_equal(k->symbols[0].name, "$k$sub");
  assert_int_equal(k->instructions[k->symbols[0].index].address, 0x50);
}

TEST(test_source_lines)
{
  FREED_BY(wb_code_free) struct wb_code code = parse(unit_text(LABELLED));
  const struct wb_function *k = &code.functions[0];
  assert_int_equal(code.file_count, 2);
  assert_string_equal(code.files[at(k, 0x8)->source_file - 1], "a.cu");
  assert_int_equal(at(k, 0x8)->source_line, 3);
  assert_string_equal(code.files[at(k, 0x10)->source_file - 1], "dir/b.cuh");
  assert_int_equal(at(k, 0x10)->source_line, 70);
  assert_int_equal(at(k, 0x30)->source_line, 70);
  assert_string_equal(code.files[at(k, 0x38)->source_file - 1], "a.cu");
  assert_int_equal(at(k, 0x38)->source_line, 9);
}

/* Entries 0x48, 0x40 (a control word: 0x48) and 0x30; the next value is no address. */
TEST(test_jump_table)
{
  const struct wb_function *k = parse_function(unit_text(LABELLED));
  const struct wb_instruction *branch = at(k, 0x28);
  assert_int_equal(branch->transfer, WB_TRANSFER_INDEXED_BRANCH);
  assert_int_equal(branch->target_count, 2);
  assert_int_equal(target(k, branch, 0), 0x30);
  assert_int_equal(target(k, branch, 1), 0x48);
  assert_non_null(branch->assumption);
}

/* Text without any directive but the section, as tools leave it that filter listings. */
TEST(test_stripped)
{
  const struct wb_function *k =
      parse_function("\n//--------------------- .text._Z1kv ----\n"
                     "\t.section\t.text._Z1kv,\"ax\",@progbits\n"
                     ".text._Z1kv:\r\n"
                     "          /*0008*/        MOV R1, c[0x0][0x20] ;\r\n"
                     "          /*0010*/        PRET `(.L_x_0) ;\r\n"
                     "          /*0018*/        BRX R2 -0x20 (*\"INDIRECT_CALL\"*);\n"
                     ".L_x_0:\n"
                     "          /*0028*/        JCAL `(vprintf) ;\n"
                     "          /*0030*/        EXIT ;\n"
                     "          /*0038*/        RET ;\n"
                     ".L_x_24:\n");
  assert_int_equal(k->sm, 0);
  assert_true(k->kernel); /* the RET is behind the EXIT */
  assert_int_equal(at(k, 0x18)->target_count, 0);
  assert_int_equal(target(k, at(k, 0x10), 0), 0x28);
  assert_int_equal(at(k, 0x28)->transfer, WB_TRANSFER_CALL_OUTSIDE);
  assert_string_equal(at(k, 0x28)->callee, "vprintf");
  assert_non_null(at(k, 0x28)->assumption);
}

/* Calls through a register: said by the listing, or by the PRET before, wherever it returns to. */
TEST(test_indirect_calls)
{
  const struct wb_function *k = parse_function("\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n"
                                               "/*0008*/ PRET `(.L_x_0) ;\n"
                                               "/*0010*/ JMX R2 ;\n"
                                               "/*0018*/ PRET `(.L_x_0) ;\n"
                                               "/*0028*/ MOV R1, R2 ;\n"
                                               "/*0030*/ JMX R2 (*\"INDIRECT_CALL\"*);\n"
                                               ".L_x_0:\n"
                                               "/*0038*/ BRX R2 -0x20 ;\n");
  for (uint64_t address = 0x10; address <= 0x30; address += 0x20) {
    assert_int_equal(at(k, address)->transfer, WB_TRANSFER_POP);
    assert_int_equal(at(k, address)->token, WB_TOKEN_RETURN);
    assert_true(at(k, address)->outside && at(k, address)->unknown);
  }
  assert_int_equal(at(k, 0x38)->transfer, WB_TRANSFER_INDEXED_BRANCH);
  assert_false(at(k, 0x38)->outside);
}

/* Words that the disassembler does not know: with the opcode of one that goes on, and without. A
 * move of a barrier register goes on, but decides where lanes meet. */
TEST(test_unknown_words)
{
  const struct wb_function *k = parse_function("\tcode for sm_75\n\t\tFunction : k\n"
                                               "/*0000*/ UNKNOWN.FADD 0x1, 0x2 ;\n"
                                               "/*0010*/ UNKNOWN.BMOV 0x1, 0x2 ;\n"
                                               "/*0020*/ UNKNOWN.BRA 0x1, 0x2 ;\n"
                                               "/*0030*/ UNKNOWN 0x1, 0x2 ;\n");
  assert_int_equal(at(k, 0)->transfer, WB_TRANSFER_NEXT);
  for (uint64_t address = 0; address <= 0x30; address += 0x10)
    assert_true(at(k, address)->unknown);
  for (uint64_t address = 0x10; address <= 0x30; address += 0x10)
    assert_int_equal(at(k, address)->transfer, WB_TRANSFER_UNSUPPORTED);
  assert_non_null(at(k, 0)->assumption);
}

/* nvdisasm for sm_100 and later: attributes stand before the semicolon. */
TEST(test_attributes)
{
  const struct wb_function *f = parse_function(
      "\t.target\tsm_120\n\t.section\t.text.f,\"ax\",@progbits\n"
      "        .type           f,@function\nf:\n.text.f:\n"
      "        /*0000*/      LDC R6, c[0x0][0x2f8]     &wr=0x1            ?trans3;\n"
      "        /*0010*/      IADD.64 R6, R4, R6        &req={1, 3} &rd=0x0 ?WAIT13_END_GROUP;\n"
      "        /*0020*/      RET.ABS.NODEC R20 0x0     &req={2}           ?trans6;\n"
      ".L_x_4:\n"
      "        /*0030*/      BRA `(.L_x_4);\n"
      "        /*0040*/      BRX R2 -0x50              &req={4, 3}        ?trans5   "
      "(*\"BRANCH_TARGETS .L_x_4,.L_x_5\"*);\n"
      ".L_x_5:\n"
      "        /*0050*/      EXIT                                         ?trans5;\n");
  assert_int_equal(f->sm, 120);
  assert_false(f->kernel);
  assert_null(f->kind_source);
  assert_string_equal(at(f, 0)->operands, "R6, c[0x0][0x2f8]");
  assert_int_equal(encoding_at(f, 0)->control.write_barrier, 1);
  assert_int_equal(encoding_at(f, 0)->control.read_barrier, 7);
  assert_int_equal(encoding_at(f, 0)->control.stall, 3);
  assert_false(encoding_at(f, 0)->control.yield);
  assert_int_equal(encoding_at(f, 0x10)->control.wait_mask, 10);
  assert_int_equal(encoding_at(f, 0x10)->control.read_barrier, 0);
  assert_int_equal(encoding_at(f, 0x10)->control.stall, 13);
  assert_true(encoding_at(f, 0x10)->control.yield);
  assert_false(encoding_at(f, 0x30)->has_control);
  assert_string_equal(at(f, 0x40)->operands, "R2 -0x50");
  assert_int_equal(encoding_at(f, 0x40)->control.wait_mask, 24);
  assert_int_equal(encoding_at(f, 0x40)->control.stall, 5);
  assert_int_equal(at(f, 0x40)->target_count, 2);
  assert_int_equal(f->targets[at(f, 0x40)->first_target + 1], 5);
}

/* --- kernel or device function --- */

static bool is_kernel(const char *instructions)
{
  char text[512];
  snprintf(text, sizeof text, HEAD "%s", instructions);
  FREED_BY(wb_code_free) struct wb_code code = parse(text);
  const bool kernel = code.functions[0].kernel;
  assert_non_null(code.functions[0].kind_source);
  return kernel;
}

TEST(test_kinds)
{
  assert_true(is_kernel("/*0008*/ EXIT ;\n"));
  assert_false(is_kernel("/*0008*/ RET ;\n"));
  assert_true(is_kernel("/*0008*/ CAL 0x18 ;\n/*0010*/ EXIT ;\n/*0018*/ RET ;\n"));
  assert_false(is_kernel("/*0008*/ @P0 BRA 0x18 ;\n/*0010*/ EXIT ;\n/*0018*/ RET ;\n"));
  assert_false(is_kernel("/*0008*/ @P0 EXIT ;\n/*0010*/ RET ;\n"));
  assert_true(is_kernel("/*0008*/ @!PT RET ;\n/*0010*/ EXIT ;\n"));
  assert_false(is_kernel("/*0008*/ BPT.TRAP 0x1 ;\n/*0010*/ RET ;\n"));
  assert_true(is_kernel("/*0008*/ BRA 0x8 ;\n/*0010*/ RET ;\n"));
  assert_true(is_kernel("/*0008*/ PRET 0x18 ;\n/*0010*/ BRA 0x28 ;\n/*0018*/ EXIT ;\n"
                        "/*0028*/ RET ;\n"));
}

/* --- targets from the user --- */

static const char indexed[] = HEAD "/*0008*/ BRX R2 -0x10 ;\n/*0010*/ EXIT ;\n/*0018*/ EXIT ;\n";
static const char twice[] = HEAD "/*0008*/ BRX R2 -0x10 ;\n/*0010*/ EXIT ;\n"
                                 "Function : l\n/*0008*/ BRX R2 -0x10 ;\n/*0010*/ EXIT ;\n";

TEST(test_user_targets)
{
  static const uint64_t addresses[] = {0x18, 0x10};
  static const struct wb_sass_targets given = {NULL, 0x8, addresses, 2};
  static const struct wb_sass_targets named = {"l", 0x8, addresses + 1, 1};
  static const struct wb_sass_options options = {&given, 1};
  static const struct wb_sass_options named_options = {&named, 1};
  struct wb_code code = parse_with(indexed, &options);
  const struct wb_function *k = &code.functions[0];
  assert_int_equal(at(k, 8)->target_count, 2);
  assert_int_equal(target(k, at(k, 8), 0), 0x18);
  assert_int_equal(target(k, at(k, 8), 1), 0x10);
  assert_non_null(at(k, 8)->assumption);
  wb_code_free(&code);
  code = parse_with(twice, &named_options);
  assert_int_equal(at(&code.functions[0], 8)->target_count, 0);
  assert_int_equal(at(&code.functions[1], 8)->target_count, 1);
  wb_code_free(&code);
}

static void refuse_targets(const char *text, const char *kernel, uint64_t address, uint64_t to,
                           const char *message)
{
  const struct wb_sass_targets given = {kernel, address, &to, 1};
  const struct wb_sass_options options = {&given, 1};
  struct wb_code code;
  warpbound_error error;
  assert_misuse(listing_parse(text, strlen(text), &options, &code, &error));
  if (strstr(error.message, message) == NULL)
    fail_msg("'%s' does not say '%s'", error.message, message);
}

TEST(test_user_targets_refused)
{
  refuse_targets(indexed, NULL, 0x10, 0x18, "expected an indexed branch");
  refuse_targets(indexed, NULL, 0x20, 0x18, "expected an indexed branch");
  refuse_targets(indexed, "l", 0x8, 0x18, "of l: expected an indexed branch");
  refuse_targets(indexed, NULL, 0x8, 0x24, "addresses of the kernel's instructions");
  refuse_targets(twice, NULL, 0x8, 0x10, "the name of a kernel");
}

/* --- robustness --- */

TEST(test_too_many_operands)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  struct wb_code code;
  warpbound_error error;
  wb_text_string(&text, HEAD "/*0008*/ FFMA R1");
  for (int i = 0; i < 30; i++)
    wb_text_string(&text, ", R2");
  wb_text_string(&text, " ;\n");
  assert_invalid(listing_parse(text.data, text.length, NULL, &code, &error));
  assert_non_null(strstr(error.message, "at most 24 operands"));
}

/* A prefix of a listing is an error with a place, or a shorter listing. */
TEST(test_every_prefix)
{
  const char *const texts[] = {unit_text(DUAL), unit_text(LABELLED)};
  for (size_t t = 0; t < 2; t++)
    for (size_t length = 0; length < strlen(texts[t]); length++) {
      struct wb_code code;
      warpbound_error error = {0};
      if (listing_parse(texts[t], length, NULL, &code, &error) == WARPBOUND_OK) {
        wb_code_free(&code);
        continue;
      }
      assert_int_equal(error.status, WARPBOUND_INVALID_INPUT);
      assert_true(error.line >= 1 && error.column >= 1);
    }
}

/* Any byte replaced by any of a few others. */
TEST(test_spoilt_bytes)
{
  static const char bytes[] = {'\0', '\n', ' ', '{', '}', '(', '*', '"', ';', 'R', '9', '\xff'};
  const char *labelled = unit_text(LABELLED);
  const size_t length = strlen(labelled);
  char *text = malloc(length);
  assert_non_null(text);
  for (size_t i = 0; i < length; i++)
    for (size_t b = 0; b < sizeof bytes; b++) {
      struct wb_code code;
      warpbound_error error;
      memcpy(text, labelled, length);
      text[i] = bytes[b];
      if (wb_sass_parse("x", text, length, NULL, &code, &error) == WARPBOUND_OK)
        wb_code_free(&code);
    }
  free(text);
}

static double seconds_for(const struct wb_text *text, warpbound_status expected, size_t count)
{
  struct wb_code code;
  warpbound_error error;
  const clock_t start = clock();
  assert_int_equal(wb_sass_parse("x", text->data, text->length, NULL, &code, &error), expected);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (expected == WARPBOUND_OK) {
    assert_int_equal(code.functions[0].instruction_count, count);
    wb_code_free(&code);
  }
  return seconds;
}

/* A line of 10^7 bytes: no number of them is special. */
TEST(test_long_lines)
{
  static const char fills[] = {'A', ' ', '(', ',', '[', '{', '/', '0', '-', '.'};
  for (size_t f = 0; f < sizeof fills; f++) {
    FREED_BY(wb_text_free) struct wb_text text = {0};
    wb_text_string(&text, HEAD "/*0008*/ MOV R1, ");
    wb_text_fill(&text, fills[f], 10000000);
    wb_text_string(&text, "\n/*0010*/ EXIT ;\n");
    assert_false(text.failed);
    assert_true(seconds_for(&text, WARPBOUND_INVALID_INPUT, 0) < 5);
  }
}

TEST(test_speed)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  const unsigned count = 100000;
  wb_text_string(&text, "\t.headerflags @\"EF_CUDA_SM52\"\n\t.section\t.text.k,\"ax\"\n.text.k:\n");
  for (unsigned i = 0; i < count; i++) {
    const unsigned address = (i / 3) * 32 + (i % 3 + 1) * 8;
    wb_text_format(&text, "\t//## File \"file%u.cu\", line %u\n", i % 1000, i);
    wb_text_format(&text, ".L_x_%u:\n        /*%04x*/ ", i, address);
    if (i % 4 == 0)
      wb_text_format(&text, "@!P0 BRA `(.L_x_%u) ;\n", count - 1 - i);
    else
      wb_text_string(&text, "LDG.E.64 R4, [R2+0x10] ; /* 0xeed5200000170204 */\n");
  }
  assert_false(text.failed);
  const double seconds = seconds_for(&text, WARPBOUND_OK, count);
  print_message("# 100,000 instructions: %.0f ms\n", seconds * 1e3);
  assert_true(seconds < 4); /* generous: sanitizers, a busy machine */
}

TEST(test_detect)
{
  static const char ptx[] = ".version 8.5\n.target sm_80\n.visible .entry k() { ret; }\n"
                            "\t.section\t.debug_loc\n{\n}\n";
  const char *const texts[] = {unit_text(DUAL), unit_text(LABELLED), SIMPLE};
  for (size_t t = 0; t < 3; t++)
    assert_true(wb_sass_detect(texts[t], strlen(texts[t])));
  assert_false(wb_sass_detect(ptx, strlen(ptx)));
  assert_false(wb_sass_detect("LCCS", 4));
  assert_false(wb_sass_detect("", 0));
}

/* ---- when memory runs out: every allocation is made to fail in turn ---- */

/* every_kind.sass: a bit of everything that is stored; enough instructions that arrays grow. */
static warpbound_status parse_stored(const void *context, warpbound_error *error)
{
  static const uint64_t addresses[] = {0x10, 0x18};
  static const struct wb_sass_targets targets[] = {{"k", 0x50, addresses, 2},
                                                   {"g", 0x10, addresses, 1}};
  static const struct wb_sass_options options = {targets, 2};
  const char *stored = context;
  struct wb_code code;
  const warpbound_status status =
      wb_sass_parse("x", stored, strlen(stored), &options, &code, error);
  if (status == WARPBOUND_OK) {
    assert_int_equal(code.function_count, 3);
    assert_int_equal(code.functions[2].copy_count, 9);
    assert_int_equal(code.functions[2].instructions[1].target_count, 1);
    assert_true(code.functions[0].instructions[3].target_count > 0);
    assert_int_equal(code.functions[0].instructions[7].target_count, 2);
    wb_code_free(&code);
  }
  return status;
}

TEST(test_memory)
{
  assert_true(fail_each(parse_stored, unit_text("unit/frontend/every_kind.sass"), WARPBOUND_OK) >
              20);
}
