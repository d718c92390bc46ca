/* The .nv.info sections of listings: parameters, block sizes, exits; what is refused, and what is
 * let go because it is not known. */
#include "base/text.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

#define HEAD "\t.headerflags\t@\"EF_CUDA_SM75 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM75)\"\n"
#define INFO                                                                                       \
  "\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n"                                               \
  "\t.align\t4\n"
#define BEGIN(name, number)                                                                        \
  "\t//----- nvinfo : EIATTR_" name "\n"                                                           \
  "\t.align\t\t4\n"                                                                                \
  "        /*0000*/ \t.byte\t0x04, " number "\n"                                                   \
  "        /*0002*/ \t.short\t(.L_1 - .L_0)\n"                                                     \
  ".L_0:\n"
#define WORD(value) "        /*0004*/ \t.word\t" value "\n"
#define SIZE(name, number, x, y, z) BEGIN(name, number) WORD(x) WORD(y) WORD(z) ".L_1:\n"
#define CODE                                                                                       \
  "\t.section\t.text.k,\"ax\",@progbits\n"                                                         \
  "        .type           k,@function\n"                                                          \
  "        .other          k,@\"STO_CUDA_ENTRY STV_DEFAULT\"\n"                                    \
  "        /*0000*/              @P0 EXIT ;\n"                                                     \
  "        /*0010*/                   NOP ;\n"                                                     \
  "        /*0020*/                   EXIT ;\n"

static warpbound_status read(const char *text, struct wb_code *code, warpbound_error *error)
{
  return wb_sass_parse("test", text, strlen(text), NULL, code, error);
}

static struct wb_code expect(const char *text)
{
  struct wb_code code;
  warpbound_error error;
  if (read(text, &code, &error) != WARPBOUND_OK)
    fail_msg("%zu:%zu: %s", error.line, error.column, error.message);
  assert_int_equal(code.function_count, 1);
  return code;
}

static void refuse(const char *text, size_t line, const char *message)
{
  struct wb_code code;
  warpbound_error error = {0};
  assert_invalid(read(text, &code, &error));
  assert_string_equal(error.message, message);
  assert_int_equal(error.line, line);
}

TEST(test_required_block)
{
  struct wb_code code = expect(HEAD INFO SIZE("REQNTID", "0x10", "0x40", "0x2", "0x1")
                                   SIZE("MAX_THREADS", "0x05", "0x80", "0x2", "0x3") CODE);
  const struct wb_function *k = &code.functions[0];
  assert_int_equal(k->required_block[0], 64);
  assert_int_equal(k->required_block[1], 2);
  assert_int_equal(k->required_block[2], 1);
  assert_int_equal(k->most_threads, 768);
  wb_code_free(&code);
}

/* Sizes that no launch has say nothing. */
TEST(test_senseless_sizes)
{
  struct wb_code code = expect(HEAD INFO SIZE("REQNTID", "0x10", "0x40", "0x0", "0x1") SIZE(
      "MAX_THREADS", "0x05", "0xffffffff", "0xffffffff", "0xffffffff") CODE);
  assert_int_equal(code.functions[0].required_block[0], 0);
  assert_int_equal(code.functions[0].most_threads, UINT32_MAX);
  wb_code_free(&code);
  code = expect(HEAD INFO BEGIN("REQNTID", "0x10") WORD("0x40") WORD("(.L_3 - .L_2)") WORD("0x1")
                    BEGIN("MAX_THREADS", "0x05") WORD("0x40") CODE);
  assert_int_equal(code.functions[0].required_block[0], 0);
  assert_int_equal(code.functions[0].most_threads, 0);
  wb_code_free(&code);
}

#define PARAMETER(ordinal, offset, size)                                                           \
  BEGIN("KPARAM_INFO", "0x17")                                                                     \
  WORD("0x0")                                                                                      \
  "        /*0008*/ \t.short\t" ordinal "\n"                                                       \
  "        /*000a*/ \t.short\t" offset "\n"                                                        \
  "        /*000c*/ \t.byte\t0x00, 0xf0, " size ", 0x00\n"

TEST(test_parameters)
{
  struct wb_code code = expect(HEAD INFO PARAMETER("0x0001", "0x0008", "0x11")
                                   PARAMETER("0x0000", "0x0000", "0x21") CODE);
  const struct wb_function *k = &code.functions[0];
  assert_int_equal(k->parameter_count, 2);
  assert_int_equal(k->parameters[0].size, 8);
  assert_int_equal(k->parameters[1].ordinal, 1);
  assert_int_equal(k->parameters[1].offset, 8);
  assert_int_equal(k->parameters[1].size, 4);
  wb_code_free(&code);
  code = expect(HEAD INFO PARAMETER("0x0001", "0x0008", "0x11")
                    PARAMETER("0x0001", "0x0000", "0x21") CODE);
  assert_int_equal(code.functions[0].parameter_count, 0);
  wb_code_free(&code);
}

/* Of two sections of one name nobody knows whose they are. */
TEST(test_two_sections)
{
  struct wb_code code = expect(HEAD INFO SIZE("REQNTID", "0x10", "0x40", "0x2", "0x1")
                                   INFO PARAMETER("0x0000", "0x0000", "0x21") CODE);
  assert_int_equal(code.functions[0].required_block[0], 0);
  assert_int_equal(code.functions[0].parameter_count, 0);
  wb_code_free(&code);
}

/* An attribute that is there and says no more, as nvdisasm prints it and as we do. */
#define MARK(name, number, rest)                                                                   \
  "\t//----- nvinfo : EIATTR_" name "\n"                                                           \
  "\t.align\t\t4\n"                                                                                \
  "        /*0000*/ \t.byte\t0x01, " number "\n" rest
#define ZERO "\t.zero\t\t2\n"
#define SHORT "        /*0002*/ \t.short\t0x0000\n"

/* Clusters are those of any section of the name: code whose clusters are not known is bounded as if
 * it had none. */
TEST(test_clusters)
{
  struct wb_code code = expect(HEAD INFO MARK("EXPLICIT_CLUSTER", "0x3e", ZERO)
                                   SIZE("CTA_PER_CLUSTER", "0x3d", "0x4", "0x2", "0x1") CODE);
  const struct wb_function *k = &code.functions[0];
  assert_true(k->clustered);
  assert_int_equal(k->cluster[0], 4);
  assert_int_equal(k->cluster[1], 2);
  assert_int_equal(k->cluster[2], 1);
  assert_int_equal(k->most_cluster, 0);
  wb_code_free(&code);
  code = expect(HEAD INFO MARK("EXPLICIT_CLUSTER", "0x3e", SHORT) BEGIN("MAX_CLUSTER_RANK", "0x3f")
                    WORD("0x8") ".L_1:\n" CODE);
  assert_true(code.functions[0].clustered);
  assert_int_equal(code.functions[0].cluster[0], 0);
  assert_int_equal(code.functions[0].most_cluster, 8);
  wb_code_free(&code);
  code = expect(HEAD INFO SIZE("CTA_PER_CLUSTER", "0x3d", "0x2", "0x1", "0x1")
                    INFO SIZE("REQNTID", "0x10", "0x40", "0x2", "0x1") CODE);
  assert_int_equal(code.functions[0].cluster[0], 2);
  assert_int_equal(code.functions[0].required_block[0], 0);
  assert_false(code.functions[0].clustered);
  wb_code_free(&code);
  code = expect(HEAD INFO MARK("OTHER", "0x41", ZERO) CODE);
  assert_false(code.functions[0].clustered);
  wb_code_free(&code);
}

TEST(test_exits)
{
  struct wb_code code =
      expect(HEAD INFO BEGIN("EXIT_INSTR_OFFSETS", "0x1c") WORD("0x20") WORD("0x0") CODE);
  wb_code_free(&code);
  /* In two attributes, as where there are more than one holds. */
  code = expect(HEAD INFO BEGIN("EXIT_INSTR_OFFSETS", "0x1c") WORD("0x20")
                    BEGIN("EXIT_INSTR_OFFSETS", "0x1c") WORD("0x0") CODE);
  wb_code_free(&code);
  /* As labels they are not known. */
  code = expect(HEAD INFO BEGIN("EXIT_INSTR_OFFSETS", "0x1c") WORD(".L_x_4@srel") CODE);
  wb_code_free(&code);
  refuse(HEAD INFO BEGIN("EXIT_INSTR_OFFSETS", "0x1c") WORD("0x20") CODE, 13,
         "expected no EXIT at 0x0000 of 'k': its .nv.info section does not list it");
  refuse(HEAD INFO BEGIN("EXIT_INSTR_OFFSETS", "0x1c") WORD("0x0") WORD("0x10") WORD("0x20") CODE,
         12, "expected 3 EXIT instructions in 'k', as its .nv.info section lists, found 2");
  refuse(HEAD INFO BEGIN("EXIT_INSTR_OFFSETS", "0x1c") WORD("0x0") WORD("0x10") CODE, 16,
         "expected no EXIT at 0x0020 of 'k': its .nv.info section does not list it");
}

/* Data of any length, and lines that are no data. */
TEST(test_other_lines)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_string(&text, HEAD INFO BEGIN("UNKNOWN", "0x99"));
  for (unsigned i = 0; i < 1000; i++)
    wb_text_string(&text, WORD("0x1, 0x2, 0x3"));
  wb_text_string(&text, "\t.zero\t\t4\n\t.word\n" CODE);
  FREED_BY(wb_code_free) struct wb_code code = expect(text.data);
  assert_int_equal(code.functions[0].parameter_count, 0);
}
