/* The table of PTX opcodes: its order, and what it says of each kind of opcode. */
#include "isa/ptx_opcodes.h"
#include "unit.h"

TEST(test_rows_are_sorted)
{
  size_t count;
  const struct wb_ptx_opcode *rows = wb_ptx_opcode_rows(&count);
  assert_true(count > 150);
  for (size_t r = 1; r < count; r++) {
    int order = strcmp(rows[r - 1].opcode, rows[r].opcode);
    assert_true(order <= 0);
    /* Rows behind one without a modifier could never be found. */
    if (order == 0)
      assert_non_null(rows[r - 1].modifiers);
    else
      assert_null(rows[r - 1].modifiers);
  }
  assert_null(rows[count - 1].modifiers);
}

/* Writes a type of each class in its letter's place. */
static void replace_classes(char *opcode, size_t size)
{
  char text[64] = "";
  for (const char *at = opcode; *at != '\0'; at++) {
    bool word = at > opcode && at[-1] == '.' && (at[1] == '\0' || at[1] == '.');
    char letter[4] = {*at, '\0'};
    if (word && *at == 'I')
      strcpy(letter, "s16");
    else if (word && *at == 'F')
      strcpy(letter, "f16");
    strncat(text, letter, sizeof text - strlen(text) - 1);
  }
  snprintf(opcode, size, "%s", text);
}

TEST(test_every_row_is_found)
{
  size_t count;
  const struct wb_ptx_opcode *rows = wb_ptx_opcode_rows(&count);
  for (size_t r = 0; r < count; r++) {
    char opcode[64];
    snprintf(opcode, sizeof opcode, "%s%s%s", rows[r].opcode, rows[r].modifiers != NULL ? "." : "",
             rows[r].modifiers != NULL ? rows[r].modifiers : "");
    replace_classes(opcode, sizeof opcode);
    assert_ptr_equal(wb_ptx_opcode_find(opcode, strlen(opcode)), &rows[r]);
    assert_true(rows[r].unit < WB_UNIT_COUNT);
  }
}

struct expectation {
  const char *opcode;
  char unit;
  enum wb_transfer transfer;
  const char *assumption; /* a part of it; "several", "Maxwell": that instead; NULL for none */
};

static const struct expectation expectations[] = {
    {"add.s32", 'C', WB_TRANSFER_NEXT, NULL},
    {"add.rn.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"add.rn.ftz.f32", 'C', WB_TRANSFER_NEXT, NULL},
    {"fma.rn.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"fma.rn.f16x2", 'C', WB_TRANSFER_NEXT, NULL},
    {"mad.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"mad.lo.s32", 'C', WB_TRANSFER_NEXT, "Maxwell"},
    {"mov.f64", 'C', WB_TRANSFER_NEXT, NULL},
    {"selp.f64", 'C', WB_TRANSFER_NEXT, "several"},
    {"slct.f64.s32", 'C', WB_TRANSFER_NEXT, "several"},
    {"ld.global.f64", 'L', WB_TRANSFER_NEXT, NULL},
    {"ld.global.nc.L1::no_allocate.L2::128B.v4.f32", 'L', WB_TRANSFER_NEXT, NULL},
    {"st.shared::cta.f64", 'L', WB_TRANSFER_NEXT, NULL},
    {"atom.global.add.f64", 'L', WB_TRANSFER_NEXT, NULL},
    {"red.async.relaxed.cluster", 'L', WB_TRANSFER_NEXT, NULL},
    {"setp.lt.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"setp.lt.s32", 'C', WB_TRANSFER_NEXT, NULL},
    {"set.eq.u32.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"cvt.rn.f32.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"cvt.f64.s32", 'D', WB_TRANSFER_NEXT, NULL},
    {"cvt.rn.f32.s32", 'C', WB_TRANSFER_NEXT, NULL},
    {"cvt.rn.f32.u16", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.rn.f32.s64", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.rn.f16.s32", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.rzi.s32.f32", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.rzi.ftz.u64.f32", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.rni.bf16.bf16", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.rzi.f32.f32", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.rn.f16.f32", 'C', WB_TRANSFER_NEXT, NULL},
    {"cvt.f32.f16", 'C', WB_TRANSFER_NEXT, NULL},
    {"cvt.rn.f16x2.f32", 'C', WB_TRANSFER_NEXT, NULL},
    {"cvt.sat.u8.s32", 'S', WB_TRANSFER_NEXT, NULL},
    {"cvt.s64.s32", 'C', WB_TRANSFER_NEXT, "several"},
    {"cvt.u32.u64", 'C', WB_TRANSFER_NEXT, NULL},
    {"cvt.rzi.s64.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"popc.b32", 'S', WB_TRANSFER_NEXT, NULL},
    {"popc.b64", 'S', WB_TRANSFER_NEXT, "several"},
    {"bfind.u32", 'S', WB_TRANSFER_NEXT, NULL},
    {"clz.b32", 'S', WB_TRANSFER_NEXT, "several"},
    {"brev.b32", 'S', WB_TRANSFER_NEXT, NULL},
    {"rsqrt.approx.f64", 'S', WB_TRANSFER_NEXT, "several"},
    {"rcp.rn.f64", 'D', WB_TRANSFER_NEXT, "several"},
    {"rcp.approx.ftz.f32", 'S', WB_TRANSFER_NEXT, NULL},
    {"rcp.approx.f32", 'S', WB_TRANSFER_NEXT, "several"},
    {"add.s64", 'C', WB_TRANSFER_NEXT, "several"},
    {"shl.b64", 'C', WB_TRANSFER_NEXT, "several"},
    {"mul.lo.s64", 'C', WB_TRANSFER_NEXT, "several"},
    {"mul.wide.s32", 'C', WB_TRANSFER_NEXT, "several"},
    {"mul.lo.s32", 'C', WB_TRANSFER_NEXT, "Maxwell"},
    {"mul.rn.f32", 'C', WB_TRANSFER_NEXT, NULL},
    {"setp.eq.s64", 'C', WB_TRANSFER_NEXT, "several"},
    {"atom.shared.add.f32", 'L', WB_TRANSFER_NEXT, "several"},
    {"atom.global.add.f32", 'L', WB_TRANSFER_NEXT, NULL},
    {"bfe.u32", 'C', WB_TRANSFER_NEXT, "several"},
    {"prmt.b32", 'C', WB_TRANSFER_NEXT, NULL},
    {"prmt.b32.f4e", 'C', WB_TRANSFER_NEXT, "several"},
    {"min.f64", 'D', WB_TRANSFER_NEXT, "several"},
    {"testp.finite.f64", 'D', WB_TRANSFER_NEXT, NULL},
    {"copysign.f64", 'C', WB_TRANSFER_NEXT, "several"},
    {"sqrt.approx.f32", 'S', WB_TRANSFER_NEXT, "several"},
    {"sqrt.rn.f32", 'S', WB_TRANSFER_NEXT, "several"},
    {"sqrt.rn.f64", 'D', WB_TRANSFER_NEXT, "several"},
    {"rcp.approx.ftz.f64", 'S', WB_TRANSFER_NEXT, "several"},
    {"rsqrt.approx.ftz.f32", 'S', WB_TRANSFER_NEXT, NULL},
    {"sin.approx.f32", 'S', WB_TRANSFER_NEXT, "several"},
    {"ex2.approx.ftz.bf16x2", 'S', WB_TRANSFER_NEXT, "several"},
    {"tanh.approx.f16", 'S', WB_TRANSFER_NEXT, NULL},
    {"div.rn.f32", 'S', WB_TRANSFER_NEXT, "several"},
    {"div.rn.f64", 'D', WB_TRANSFER_NEXT, "several"},
    {"div.s32", 'C', WB_TRANSFER_NEXT, "several"},
    {"rem.u64", 'C', WB_TRANSFER_NEXT, "several"},
    {"shfl.sync.bfly.b32", 'L', WB_TRANSFER_NEXT, NULL},
    {"vote.sync.ballot.b32", 'C', WB_TRANSFER_NEXT, NULL},
    {"tex.2d.v4.f32.f32", 'L', WB_TRANSFER_NEXT, "several"},
    {"sust.b.2d.b32.trap", 'L', WB_TRANSFER_NEXT, NULL},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 'L', WB_TRANSFER_NEXT, NULL},
    {"bar.sync", 'B', WB_TRANSFER_NEXT, NULL},
    {"bar.cta.sync", 'B', WB_TRANSFER_NEXT, NULL},
    {"barrier.sync.aligned", 'B', WB_TRANSFER_NEXT, NULL},
    {"barrier.red.popc.u32", 'B', WB_TRANSFER_NEXT, "several"},
    {"bar.warp.sync", 'N', WB_TRANSFER_NEXT, NULL},
    {"bar.arrive", 'N', WB_TRANSFER_NEXT, "arrives"},
    {"barrier.cluster.arrive.release", 'N', WB_TRANSFER_NEXT, NULL},
    {"barrier.cluster.wait", 'N', WB_TRANSFER_NEXT, "barrier"},
    {"mbarrier.try_wait.parity.shared::cta.b64", 'L', WB_TRANSFER_NEXT, "barrier"},
    {"mbarrier.arrive.shared.b64", 'L', WB_TRANSFER_NEXT, NULL},
    {"membar.gl", 'N', WB_TRANSFER_NEXT, "fence"},
    {"fence.acq_rel.gpu", 'N', WB_TRANSFER_NEXT, "fence"},
    {"nanosleep.u32", 'N', WB_TRANSFER_NEXT, "asleep"},
    {"cp.async.ca.shared.global", 'L', WB_TRANSFER_NEXT, NULL},
    {"cp.async.wait_group", 'N', WB_TRANSFER_NEXT, "asynchronous"},
    {"cp.async.bulk.commit_group", 'L', WB_TRANSFER_NEXT, NULL},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 'T', WB_TRANSFER_NEXT, "tensor core"},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 'T', WB_TRANSFER_NEXT, "tensor core"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16", 'L', WB_TRANSFER_NEXT, "several"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 'T', WB_TRANSFER_NEXT, "tensor core"},
    {"tcgen05.ld.sync.aligned.16x64b.x1.b32", 'L', WB_TRANSFER_NEXT, "tensor memory"},
    {"tcgen05.mma.cta_group::1.kind::f16", 'T', WB_TRANSFER_NEXT, "tensor core"},
    {"tcgen05.cp.cta_group::1.128x256b", 'T', WB_TRANSFER_NEXT, "tensor core"},
    {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64", 'T', WB_TRANSFER_NEXT, "tensor core"},
    {"tcgen05.wait::ld.sync.aligned", 'N', WB_TRANSFER_NEXT, "asynchronous"},
    {"tcgen05.fence::before_thread_sync", 'N', WB_TRANSFER_NEXT, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", 'T', WB_TRANSFER_NEXT, "warp groups"},
    {"vadd4.u32.u32.u32.add", 'C', WB_TRANSFER_NEXT, "several"},
    {"mul24.lo.s32", 'C', WB_TRANSFER_NEXT, "several"},
    {"bra.uni", 'C', WB_TRANSFER_BRANCH, NULL},
    {"brx.idx", 'C', WB_TRANSFER_INDEXED_BRANCH, NULL},
    {"call.uni", 'C', WB_TRANSFER_CALL_FUNCTION, NULL},
    {"ret", 'C', WB_TRANSFER_RETURN, NULL},
    {"ret.uni", 'C', WB_TRANSFER_RETURN, NULL},
    {"exit", 'C', WB_TRANSFER_EXIT, NULL},
    {"trap", 'N', WB_TRANSFER_EXIT, NULL},
};

TEST(test_units)
{
  for (size_t i = 0; i < COUNT_OF(expectations); i++) {
    const struct expectation *expected = &expectations[i];
    const struct wb_ptx_opcode *row =
        wb_ptx_opcode_find(expected->opcode, strlen(expected->opcode));
    if (row == NULL || wb_unit_letter(row->unit) != expected->unit ||
        row->transfer != expected->transfer)
      fail_msg("%s: wrong row", expected->opcode);
    const char *wanted = expected->assumption;
    enum wb_ptx_several several = WB_PTX_ONE;
    if (wanted != NULL && strcmp(wanted, "several") == 0)
      several = WB_PTX_SEVERAL;
    else if (wanted != NULL && strcmp(wanted, "Maxwell") == 0)
      several = WB_PTX_SEVERAL_ON_MAXWELL;
    if (several != WB_PTX_ONE || wanted == NULL) {
      if (row->several != several || row->assumption != NULL)
        fail_msg("%s: several %d, assumption '%s'", expected->opcode, (int)row->several,
                 row->assumption != NULL ? row->assumption : "");
    } else if (row->assumption == NULL || strstr(row->assumption, wanted) == NULL) {
      fail_msg("%s: no assumption of '%s'", expected->opcode, wanted);
    }
  }
}

TEST(test_unknown_opcodes)
{
  static const char *const unknown[] = {"",        ".",   "ad",   "adds",    "addd.f64",
                                        "a",       "zzz", "ABS",  "f64",     ".f64",
                                        "add_f64", "xo",  "xor2", "tcgen06", "frobnicate.s32"};
  for (size_t i = 0; i < COUNT_OF(unknown); i++)
    if (wb_ptx_opcode_find(unknown[i], strlen(unknown[i])) != NULL)
      fail_msg("'%s' was found", unknown[i]);
}

/* Modifiers are whole words, and the length counts, not a zero. */
TEST(test_bounds_of_words)
{
  assert_int_equal(wb_ptx_opcode_find("add.f640", 8)->unit, WB_UNIT_CORE);
  assert_int_equal(wb_ptx_opcode_find("add.f640", 7)->unit, WB_UNIT_DOUBLE);
  assert_int_equal(wb_ptx_opcode_find("add.f64", 3)->unit, WB_UNIT_CORE);
  assert_int_equal(wb_ptx_opcode_find("add..f64", 8)->unit, WB_UNIT_DOUBLE);
  assert_int_equal(wb_ptx_opcode_find("add.", 4)->unit, WB_UNIT_CORE);
  assert_null(wb_ptx_opcode_find("add", 2));
  assert_string_equal(wb_ptx_opcode_find("addc.cc", 7)->opcode, "addc");
}
