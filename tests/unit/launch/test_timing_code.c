/* From control words, a device made by hand and accesses to the timing of instructions. Left out:
 * the bundled devices, which tests/unit/formats/test_device_file reads. */
#include "base/text.h"
#include "failing_heap.h"
#include "formats/device/device_file.h"
#include "frontend/sass/sass_front_end.h"
#include "launch/timing/cold_start.h"
#include "launch/timing/sleep.h"
#include "launch/timing/timing_code.h"
#include "launch/timing/warp_times.h"
#include "unit.h"

/* ---- a device ---- */

enum {
  V_ONE,
  V_SLOW,     /* service of the core unit: 2 */
  V_PATHS,    /* servers: 1 */
  V_BANKS,    /* servers: 4 */
  V_DELAY,    /* 10 */
  V_SERVICE,  /* 3 */
  V_LATENCY,  /* 100 */
  V_READ,     /* 7 */
  V_INTERVAL, /* 9 */
  V_YIELD,    /* 2 */
  V_DRAIN,    /* 45 */
  V_CONSTANT, /* 4 */
  V_ZERO,
  V_COUNT
};

static struct wb_device_value values[V_COUNT];
static char *load_patterns[] = {(char[]){"LDG"}, (char[]){"LDGSTS"}, (char[]){"UNKNOWN.FADD"},
                                (char[]){"QSPC"}};
static char *wide_patterns[] = {(char[]){"LDG.E.128"}};
static char *shared_patterns[] = {(char[]){"LDS"}};
static char *atomic_patterns[] = {(char[]){"ATOMG"}};
static char *wait_patterns[] = {(char[]){"MEMBAR"}};
static char *tensor_patterns[] = {(char[]){"HGMMA"}};
static char nothing_name[] = "nothing";
static char *nothing_patterns[] = {(char[]){"NANOSLEEP"}};
static char class_name[] = "class";
static char device_name[] = "made";

static const struct wb_class_use slot = {0, V_ONE};

static struct wb_timing_class classes[] = {
    {.name = class_name,
     .of_unit = {[WB_UNIT_CORE] = true},
     .uses = {{0, V_ONE}, {1, V_SLOW}},
     .use_count = 2,
     .latency = V_READ},
    {.name = class_name,
     .of_unit = {[WB_UNIT_NONE] = true, [WB_UNIT_BARRIER] = true},
     .uses = {{0, V_ONE}},
     .use_count = 1},
    {.name = class_name, .patterns = load_patterns, .pattern_count = 4},
    {.name = class_name, .patterns = wide_patterns, .pattern_count = 1},
    {.name = class_name, .patterns = shared_patterns, .pattern_count = 1},
    {.name = class_name, .patterns = atomic_patterns, .pattern_count = 1},
    {.name = class_name, .patterns = wait_patterns, .pattern_count = 1},
    {.name = class_name, .patterns = tensor_patterns, .pattern_count = 1},
    {.name = nothing_name, .patterns = nothing_patterns, .pattern_count = 1},
};
enum { C_CORE, C_NONE, C_LOAD, C_WIDE, C_SHARED, C_ATOMIC, C_WAIT, C_TENSOR, C_NOTHING, C_COUNT };

/* Classes of memory: one request to the path, then as many as `per` says to the banks. */
static void set_stages(struct wb_timing_class *class, enum wb_request_unit per)
{
  class->uses[0] = slot;
  class->use_count = 1;
  class->stages[0] = (struct wb_class_stage){2, WB_PER_INSTRUCTION, V_ZERO, V_ONE};
  class->stages[1] = (struct wb_class_stage){3, per, V_DELAY, V_SERVICE};
  class->stage_count = 2;
  class->read_stages = 1;
  class->latency = V_LATENCY;
  class->read_latency = V_READ;
}

static struct wb_device_timing make_device(void)
{
  static const uint64_t numbers[V_COUNT] = {1, 2, 1, 4, 10, 3, 100, 7, 9, 2, 45, 4, 0};
  static char names[V_COUNT][8];
  for (unsigned v = 0; v < V_COUNT; v++) {
    names[v][0] = 'v';
    names[v][1] = (char)('a' + v);
    values[v] = (struct wb_device_value){.name = names[v], .value = numbers[v]};
  }
  for (unsigned c = 0; c < C_COUNT; c++) {
    if (c != C_CORE)
      classes[c].latency = V_ZERO;
    classes[c].interval = V_ZERO;
    classes[c].read_latency = V_ZERO;
    classes[c].stage_count = 0;
  }
  set_stages(&classes[C_LOAD], WB_PER_SECTOR);
  set_stages(&classes[C_WIDE], WB_PER_SECTOR);
  set_stages(&classes[C_SHARED], WB_PER_WAVEFRONT);
  set_stages(&classes[C_ATOMIC], WB_PER_LANE);
  set_stages(&classes[C_TENSOR], WB_PER_INSTRUCTION);
  classes[C_WAIT].uses[0] = slot;
  classes[C_WAIT].use_count = 1;
  classes[C_WAIT].interval = V_INTERVAL;
  return (struct wb_device_timing){
      .name = device_name,
      .file = device_name,
      .values = values,
      .value_count = V_COUNT,
      .resources = {{"issue", WB_LEVEL_PARTITION, V_ONE, true},
                    {"core", WB_LEVEL_PARTITION, V_ONE, true},
                    {"path", WB_LEVEL_SM, V_PATHS, false},
                    {"banks", WB_LEVEL_GPU, V_BANKS, false}},
      .resource_count = 4,
      .classes = classes,
      .class_count = C_COUNT,
      .yield = V_YIELD,
      .drain = V_DRAIN,
      .constant_operand = V_CONSTANT,
      .register_banks = V_ZERO,
      .register_read = V_ZERO,
  };
}

/* ---- code ---- */

/* What an instruction's control word is, if not a stall of 1 and no scoreboards. */
#define PLAIN                                                                                      \
  {                                                                                                \
    .stall = 1, .write_barrier = 7, .read_barrier = 7                                              \
  }

struct made {
  struct wb_device_timing device;
  struct wb_code code;
  struct wb_function *function;
  struct wb_accesses accesses;
  struct wb_timed_code timed;
  bool *used;
  struct wb_list assumptions;
  warpbound_error error;
  warpbound_status status;
};

/* Up to four statements; the architecture. */
static void parse(struct made *made, unsigned sm, const char *const *statements)
{
  *made = (struct made){.device = make_device()};
  const unsigned step = sm >= 70 ? 16 : 8;
  struct wb_text listing = {0};
  wb_text_format(&listing, ".headerflags @\"EF_CUDA_SM%u\"\n.section .text.f,\"ax\",@progbits\n",
                 sm);
  unsigned address = 0;
  for (size_t s = 0; statements[s] != NULL; s++, address += step) {
    if (step == 8 && address % 32 == 0)
      address += 8;
    wb_text_format(&listing, "/*%04x*/ %s ;\n", address, statements[s]);
  }
  if (wb_sass_parse("timing", listing.data, listing.length, NULL, &made->code, &made->error) !=
      WARPBOUND_OK)
    fail_msg("%s", made->error.message);
  wb_text_free(&listing);
  made->function = &made->code.functions[0];
  free(made->function->encodings);
  made->function->encodings =
      calloc(made->function->instruction_count, sizeof *made->function->encodings);
  for (size_t i = 0; i < made->function->instruction_count; i++)
    made->function->encodings[i] = (struct wb_encoding){.control = PLAIN, .has_control = true};
}

static struct wb_control_word *control(struct made *made, size_t instruction)
{
  return &made->function->encodings[instruction].control;
}

static void make(struct made *made)
{
  free(made->used);
  made->used = calloc(made->device.value_count, sizeof *made->used);
  made->device.read = made->used;
  made->status = wb_timed_code_make(NULL, made->function, &made->device, &made->accesses, NULL,
                                    &made->timed, &made->assumptions, &made->error);
  made->device.read = NULL;
  if (made->status == WARPBOUND_OK)
    assert_null(wb_timed_code_check(&made->timed));
}

static void made_ok(struct made *made)
{
  make(made);
  if (made->status != WARPBOUND_OK)
    fail_msg("%s", made->error.message);
}

static void free_made(struct made *made)
{
  wb_code_free(&made->code);
  wb_timed_code_free(&made->timed);
  wb_list_free(&made->assumptions);
  free(made->used);
}

/* ---- stalls ---- */

TEST(stalls_of_volta)
{
  static const char *const lines[] = {"MOV R0, R1",
                                      "MOV R0, R1",
                                      "MOV R0, R1",
                                      "MOV R0, R1",
                                      "MEMBAR.SC.GPU",
                                      "MEMBAR.SC.GPU",
                                      "@!PT MOV R0, R1",
                                      "FADD R0, R1, c[0x0][0x160]",
                                      "EXIT",
                                      NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  control(&made, 0)->stall = 12;
  control(&made, 1)->yield = true;                               /* 1 with yield: 2 */
  control(&made, 2)->stall = 5, control(&made, 2)->yield = true; /* 5 */
  control(&made, 3)->stall = 0;                                  /* drain: 45 */
  control(&made, 5)->stall = 15;
  made_ok(&made);
  static const uint32_t expected[] = {12, 2, 5, 45, 9, 15, 1, 5, 1};
  for (size_t i = 0; i < 9; i++)
    assert_int_equal(made.timed.instructions[i].stall, expected[i]);
  assert_int_equal(made.timed.instructions[6].use_count, 1); /* no lane does it: no unit */
  assert_int_equal(made.timed.instructions[7].latency, 7 + 4);
  assert_true(made.used[V_DRAIN] && made.used[V_YIELD] && made.used[V_CONSTANT] &&
              made.used[V_INTERVAL]);
  assert_false(made.used[V_SERVICE]);
}

TEST(stalls_of_maxwell)
{
  static const char *const lines[] = {"MOV R0, R1", "MOV R2, R3", "EXIT", NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 61, lines);
  control(&made, 0)->stall = 0;
  control(&made, 1)->stall = 13;
  made_ok(&made);
  assert_int_equal(made.timed.instructions[0].stall, 1);
  assert_int_equal(made.timed.instructions[1].stall, 13);
  assert_false(made.used[V_DRAIN]);
  assert_false(wb_is_estimate(&made.timed.estimate));
  assert_int_equal(made.assumptions.count, 1);
  assert_non_null(strstr(made.assumptions.items[0], "issue together"));
}

/* A greater interval would be a longer stall. */
TEST(an_interval_below_the_stall_is_read)
{
  static const char *const lines[] = {"MEMBAR.SC.GPU", "EXIT", NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  control(&made, 0)->stall = 10;
  made_ok(&made);
  assert_int_equal(made.timed.instructions[0].stall, 10);
  assert_true(made.used[V_INTERVAL]);
}

/* ---- scoreboards ---- */

TEST(scoreboards_come_from_control_words)
{
  static const char *const lines[] = {"LDG.E R0, [R2.64]", "MOV R1, R0", "BAR.SYNC 0x0",
                                      "@!PT BAR.SYNC 0x0", "EXIT",       NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  control(&made, 0)->write_barrier = 3;
  control(&made, 0)->read_barrier = 0;
  control(&made, 1)->wait_mask = 0x29;
  made_ok(&made);
  const struct wb_timed_instruction *at = made.timed.instructions;
  assert_int_equal(at[0].write_scoreboard, 3);
  assert_int_equal(at[0].read_scoreboard, 0);
  assert_int_equal(at[0].counted_scoreboard, WB_NO_SCOREBOARD);
  assert_int_equal(at[1].wait_mask, 0x29);
  assert_int_equal(at[1].write_scoreboard, WB_NO_SCOREBOARD);
  assert_true(at[2].barrier);
  assert_false(at[3].barrier || at[0].barrier || at[4].barrier);
}

TEST(depbar_waits_for_what_it_lists)
{
  static const struct {
    const char *statement;
    uint8_t mask, counted, left;
  } cases[] = {
      {"DEPBAR.LE SB5, 0x2", 0x10, 5, 2},
      {"DEPBAR.LE SB0, 0x1, {4,2}", 0x14 | 0x10, 0, 1},
      {"DEPBAR {5,0}", 0x21 | 0x10, WB_NO_SCOREBOARD, 0},
      {"DEPBAR 0x3f", 0x3f, WB_NO_SCOREBOARD, 0},
      {"DEPBAR.LE SB0, 0x3f0", 0x10, 0, 255},
  };
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    const char *const lines[] = {cases[c].statement, "EXIT", NULL};
    FREED_BY(free_made) struct made made;
    parse(&made, 61, lines);
    control(&made, 0)->wait_mask = 0x10;
    made_ok(&made);
    assert_int_equal(made.timed.instructions[0].wait_mask, cases[c].mask);
    assert_int_equal(made.timed.instructions[0].counted_scoreboard, cases[c].counted);
    assert_int_equal(made.timed.instructions[0].counted_left, cases[c].left);
  }
}

TEST(copies_are_committed_as_long_as_they_take)
{
  static const char *const lines[] = {"LDGSTS.E [R3], [R2.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x0",
                                      "EXIT", NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  control(&made, 1)->write_barrier = 0;
  made_ok(&made);
  /* Path 1, delay 10, service 3, latency 100. */
  assert_int_equal(made.timed.instructions[1].latency, 114);
  assert_int_equal(made.timed.instructions[1].stall, 1);
  assert_int_equal(made.timed.instructions[2].counted_scoreboard, 0);
}

TEST(waits_for_products_of_warp_groups_stall)
{
  static const char *const lines[] = {"HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0",
                                      "WARPGROUP.DEPBAR.LE gsb0, 0x0", "WARPGROUP.ARRIVE", "EXIT",
                                      NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 90, lines);
  made_ok(&made);
  assert_int_equal(made.timed.instructions[1].stall, 1 + 114);
  assert_int_equal(made.timed.instructions[1].wait_mask, 0);
  assert_int_equal(made.timed.instructions[2].stall, 1);
}

/* ---- requests ---- */

TEST(requests_come_from_accesses)
{
  static const char *const lines[] = {
      "LDG.E R0, desc[UR4][R2.64]", "LDS R0, [R2]", "ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], R4",
      "LDG.E.128 R0, [R2.64]",      "EXIT",         NULL};
  struct wb_access items[] = {
      {.instruction = 0,
       .space = WB_SPACE_GLOBAL,
       .sectors = 4,
       .wavefronts = 1,
       .lanes_at_one = 1},
      {.instruction = 1,
       .space = WB_SPACE_SHARED,
       .sectors = 9,
       .wavefronts = 8,
       .lanes_at_one = 1},
      {.instruction = 2,
       .space = WB_SPACE_GLOBAL,
       .sectors = 9,
       .wavefronts = 9,
       .lanes_at_one = 32},
  };
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  made.accesses = (struct wb_accesses){.items = items, .count = 3};
  make(&made);
  if (made.status != WARPBOUND_OK)
    fail_msg("%s", made.error.message);
  static const uint16_t expected[] = {4, 8, 32, 32};
  for (size_t i = 0; i < 4; i++) {
    const struct wb_timed_instruction *at = &made.timed.instructions[i];
    assert_int_equal(at->stage_count, 2);
    assert_int_equal(at->read_stages, 1);
    assert_int_equal(made.timed.stages[at->first_stage].requests, 1);
    assert_int_equal(made.timed.stages[at->first_stage + 1].requests, expected[i]);
    assert_int_equal(made.timed.stages[at->first_stage + 1].delay, 10);
    assert_int_equal(made.timed.stages[at->first_stage + 1].service, 3);
    assert_int_equal(at->latency, 100);
    assert_int_equal(at->read_latency, 7);
  }
  assert_int_equal(made.timed.instructions[0].access, WB_SPACE_GLOBAL + 1);
  assert_int_equal(made.timed.instructions[4].access, 0);
  assert_int_equal(made.assumptions.count, 1); /* of the one without an access */
  assert_non_null(strstr(made.assumptions.items[0], "LDG.E.128"));
  assert_int_equal(made.timed.estimate.count, 1);
  assert_string_equal(made.timed.estimate.items[0].name, "access-not-known");
  assert_int_equal(made.timed.resources[3].servers, 4);
  assert_int_equal(made.timed.resources[3].level, WB_LEVEL_GPU);
  assert_string_equal(made.timed.resources[2].name, "path");
}

/* What no thread does moves no sector and updates no address; passes over banks are as of one. */
TEST(idle_instructions_move_nothing)
{
  static const char *const lines[] = {"@P0 LDG.E R0, desc[UR4][R2.64]",
                                      "@P0 LDS R0, [R2]",
                                      "@P0 ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], R4",
                                      "@P1 LDG.E R0, desc[UR4][R2.64]",
                                      "EXIT",
                                      NULL};
  static const bool idle[] = {true, true, true, false, false};
  static const size_t stages[] = {1, 2, 1, 2};
  struct wb_access items[4];
  bool reached[] = {true, true, true, true, true};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  for (uint32_t i = 0; i < 4; i++)
    items[i] = (struct wb_access){.instruction = i,
                                  .space = i == 1 ? WB_SPACE_SHARED : WB_SPACE_GLOBAL,
                                  .sectors = 9,
                                  .wavefronts = 8,
                                  .lanes_at_one = 32};
  made.accesses = (struct wb_accesses){.items = items, .count = 4, .reached = reached};
  wb_accesses_leave_out(&made.accesses, idle, 5);
  assert_int_equal(made.accesses.count, 1);
  made_ok(&made);
  for (size_t i = 0; i < 4; i++) {
    const struct wb_timed_instruction *at = &made.timed.instructions[i];
    assert_int_equal(at->stage_count, stages[i]);
    assert_int_equal(at->read_stages, 1);
    assert_int_equal(made.timed.stages[at->first_stage + at->stage_count - 1].requests,
                     i == 3 ? 9 : 1);
  }
  assert_int_equal(made.timed.estimate.count, 0);
}

/* What asks of which space an address is moves nothing: as many requests as lanes, no estimate. */
TEST(queries_of_addresses_make_a_request_of_each_lane)
{
  static const char *const lines[] = {"QSPC.E.S P0, RZ, [R2]", "EXIT", NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  made.accesses = (struct wb_accesses){0};
  made_ok(&made);
  const struct wb_timed_instruction *at = &made.timed.instructions[0];
  assert_int_equal(made.timed.stages[at->first_stage + 1].requests, 32);
  assert_int_equal(made.assumptions.count, 1);
  assert_non_null(strstr(made.assumptions.items[0], "moves no byte"));
  assert_int_equal(made.timed.estimate.count, 0);
}

/* The path back to the registers: four bytes of each lane a request; of what loads nothing one. */
TEST(registers_come_from_bytes_that_are_loaded)
{
  static const char *const lines[] = {"LDG.E.U8 R0, desc[UR4][R2.64]",
                                      "LDG.E.128 R0, [R2.64]",
                                      "ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], R4",
                                      "ATOMG.E.ADD.64.STRONG.GPU PT, RZ, [R2.64], R4",
                                      "EXIT",
                                      NULL};
  static const struct {
    uint8_t bytes;
    bool load;
    uint16_t requests;
  } cases[] = {{1, true, 1}, {16, true, 4}, {4, true, 1}, {8, false, 1}};
  struct wb_access items[4];
  for (uint32_t i = 0; i < 4; i++)
    items[i] = (struct wb_access){.instruction = i,
                                  .space = WB_SPACE_GLOBAL,
                                  .load = cases[i].load,
                                  .bytes = cases[i].bytes,
                                  .sectors = 9,
                                  .wavefronts = 9,
                                  .lanes_at_one = 9};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  classes[C_LOAD].stages[1].per = classes[C_WIDE].stages[1].per = WB_PER_REGISTER;
  classes[C_ATOMIC].stages[1].per = WB_PER_REGISTER;
  made.accesses = (struct wb_accesses){.items = items, .count = 4};
  made_ok(&made);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(made.timed.stages[made.timed.instructions[i].first_stage + 1].requests,
                     cases[i].requests);
}

/* Of two banks the one with more of the operands counts: three of four registers. */
TEST(reads_of_registers_hold_slot_and_unit)
{
  static const char *const lines[] = {
      "FFMA R0, R2, R4, R6",   "FFMA R0, R2.reuse, R3, R4",      "FFMA R0, R2, R2, R2",
      "STG.E.128 [R2.64], R4", "FFMA R0, R2, c[0x0][0x160], RZ", NULL};
  static const struct {
    uint32_t slot, core, latency;
  } cases[] = {{6, 6, 7 + 4}, {4, 4, 7 + 2}, {2, 2, 7}, {6, 0, 100 + 5}, {2, 2, 7 + 4}};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  static char store[] = "STG";
  char *copy = load_patterns[1];
  load_patterns[1] = store;
  made.device.register_banks = made.device.register_read = V_SLOW; /* 2 */
  made_ok(&made);
  for (size_t i = 0; i < 5; i++) {
    const struct wb_timed_instruction *at = &made.timed.instructions[i];
    const struct wb_issue_use *use = &made.timed.uses[at->first_use];
    assert_int_equal(use[0].service, cases[i].slot);
    if (cases[i].core > 0)
      assert_int_equal(use[1].service, cases[i].core);
    assert_int_equal(at->latency, cases[i].latency);
  }
  load_patterns[1] = copy;
}

/* ---- what is refused ---- */

static void refuse(struct made *made, const char *part)
{
  make(made);
  assert_invalid(made->status);
  if (strstr(made->error.message, part) == NULL)
    fail_msg("\"%s\" is not in: %s", part, made->error.message);
  assert_null(made->timed.instructions);
  free_made(made);
}

TEST(what_is_missing_is_named)
{
  static const char *const plain[] = {"MOV R0, R1", "EXIT", NULL};
  static const char *const special[] = {"MUFU.RCP R0, R1", "EXIT", NULL};
  static const char *const unknown[] = {"UNKNOWN 0x1, 0x2", "EXIT", NULL};
  static const char *const sleep[] = {"NANOSLEEP 0x10", "EXIT", NULL};
  struct made made;
  parse(&made, 87, plain);
  made.function->encodings[1].has_control = false;
  make(&made);
  assert_int_equal(made.error.line, 4);
  refuse(&made, "EXIT at 0x0010: its encoding");
  parse(&made, 87, plain);
  free(made.function->encodings);
  made.function->encodings = NULL;
  refuse(&made, "cuobjdump -sass");
  parse(&made, 87, plain);
  control(&made, 0)->read_barrier = 6;
  refuse(&made, "scoreboard 6");
  parse(&made, 87, special);
  refuse(&made, "MUFU.RCP at 0x0000: device made has no class");
  parse(&made, 87, unknown);
  refuse(&made, "unknown");
  parse(&made, 87, sleep);
  refuse(&made, "class nothing takes nothing at issue");
}

/* Nanoseconds that a sleep takes at most; -1: no document says so. */
TEST(sleeps_as_their_documents_say)
{
  static const struct {
    const char *line;
    int64_t most;
  } rows[] = {
      {"NANOSLEEP 0x15e", 700},
      {"NANOSLEEP.WARP 0x1c2", 900},
      {"NANOSLEEP 0x0", 0},
      {"NANOSLEEP 0x7a11f", 999998},
      {"NANOSLEEP 0x7a120", 1000000},
      {"NANOSLEEP 0xffffffff", 1000000},
      {"NANOSLEEP R3", 1000000},
      {"NANOSLEEP c[0x0][0x160]", 1000000},
      {"@!P0 NANOSLEEP.WARP 0x64", 200},
      {"NANOSLEEP.RAND 0x10", -1},
      {"NANOSLEEP P0, R12", -1},
      {"NANOSLEEP.CLEAR P2", -1},
      {"MOV R0, R1", -1},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const char *const lines[] = {rows[r].line, "EXIT", NULL};
    struct made made;
    uint64_t most;
    parse(&made, 87, lines);
    const bool known = wb_sleep_most(made.function, 0, &most);
    if (known != (rows[r].most >= 0) || (known && (int64_t)most != rows[r].most))
      fail_msg("%s: %s, %llu ns", rows[r].line, known ? "known" : "not known",
               (unsigned long long)most);
    free_made(&made);
  }
}

TEST(values_out_of_range_are_refused)
{
  static const char *const lines[] = {"LDG.E R0, c[0x0][0x160]", "EXIT", NULL};
  static const struct {
    unsigned value;
    uint64_t number;
    const char *part;
  } cases[] = {
      {V_SERVICE, 0, "vf is 0, expected 1"},
      {V_LATENCY, UINT64_C(1000000001), "vg is 1000000001, expected 0 to 1000000000"},
      {V_LATENCY, UINT64_C(1000000000), "too large"},
      {V_BANKS, 0, "vd is 0, expected 1 to 65536 servers"},
      {V_BANKS, 65537, "vd is 65537"},
  };
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    struct made made;
    parse(&made, 87, lines);
    values[cases[c].value].value = cases[c].number;
    refuse(&made, cases[c].part);
  }
}

/* A class that names the opcode, not one of its unit. */
TEST(unknown_instructions_need_a_class_of_their_own)
{
  static const char *const lines[] = {"UNKNOWN.FADD 0x1, 0x2", "EXIT", NULL};
  FREED_BY(free_made) struct made made;
  parse(&made, 87, lines);
  assert_true(made.function->instructions[0].unknown);
  made_ok(&made);
  assert_int_equal(made.timed.instructions[0].stage_count, 2);
}

/* ---- when memory runs out: every allocation is made to fail in turn ---- */

/* With a pair that issues together and an access of which nothing is known: assumptions. */
static const char listing[] = "\tcode for sm_61\n"
                              "\t\tFunction : k\n"
                              "\t.headerflags @\"EF_CUDA_SM61\"\n"
                              "                                   /* 0x001fc400fe2007f0 */\n"
                              "        /*0008*/ MOV R1, R2 ; /* 0x4c98078000870001 */\n"
                              "        /*0010*/ LDG.E R0, [R2] ; /* 0xeed4200000070200 */\n"
                              "        /*0018*/ EXIT ; /* 0xe30000000007000f */\n";

struct question {
  const struct wb_function *function;
  const struct wb_device_timing *device;
};

static warpbound_status all(const void *context, warpbound_error *error)
{
  const struct question *question = context;
  static const uint32_t first[] = {0, 2};
  static const uint32_t last[] = {1, 2};
  static const uint32_t from = 0;
  static const uint32_t to = 1;
  const struct wb_timing_graph graph = {.node_count = 2,
                                        .edge_count = 1,
                                        .first = first,
                                        .last = last,
                                        .from = &from,
                                        .to = &to,
                                        .starts = &from,
                                        .start_count = 1};
  FREED_BY(wb_list_free) struct wb_list assumptions = {0};
  struct wb_timed_code code;
  struct wb_warp_times times;
  warpbound_status status = wb_timed_code_make(NULL, question->function, question->device, NULL,
                                               NULL, &code, &assumptions, error);
  if (status == WARPBOUND_OK) {
    assert_true(assumptions.count >= 2);
    status = wb_warp_times_find(&code, &graph, &times, error);
    wb_timed_code_free(&code);
  }
  if (status == WARPBOUND_OK) {
    assert_true(times.reached[1]);
    wb_warp_times_free(&times);
  }
  return status;
}

TEST(nothing_leaks_where_memory_is_out)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  warpbound_error error = {0};
  if (wb_sass_parse("x", listing, strlen(listing), NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_ok(wb_device_timing_bundled("gtx-1080", &device, &error));
  const struct question question = {.function = &code.functions[0], .device = &device};
  assert_true(fail_each(all, &question, WARPBOUND_OK) > 15);
}

/* ---- stores, and loads of constants that caches keep ---- */

/* The same with a bundled device, which the caller frees. */
static void parse_for(struct made *made, const char *device, unsigned sm,
                      const char *const *statements)
{
  parse(made, sm, statements);
  assert_ok(wb_device_timing_bundled(device, &made->device, &made->error));
}

TEST(stores_to_global_and_local_memory_are_posted)
{
  static const char *const lines[] = {"STG.E [R2.64], R0", "STL [R1], R0", "STS [R1], R0",
                                      "LDG.E R0, [R2.64]", "EXIT",         NULL};
  static const bool posted[] = {true, true, false, false, false};
  FREED_BY(free_made) struct made made;
  parse_for(&made, "orin-agx", 87, lines);
  control(&made, 3)->write_barrier = 0;
  made_ok(&made);
  for (size_t i = 0; i < COUNT_OF(posted); i++)
    assert_int_equal(made.timed.instructions[i].posted, posted[i]);
  /* A scoreboard that the results of a store would release: something waits for it. */
  wb_timed_code_free(&made.timed);
  control(&made, 0)->write_barrier = 1;
  made_ok(&made);
  assert_false(made.timed.instructions[0].posted);
  wb_device_timing_free(&made.device);
}

/* Stages of each of three instructions on h100-sxm: of LDC of a place, of LDC by a register, of a
 * load. */
static void expect_stages(const struct wb_cold_question *asked, struct made *made, uint8_t placed,
                          uint8_t searched, bool kept)
{
  struct wb_cold_start found;
  wb_timed_code_free(&made->timed);
  made_ok(made);
  assert_ok(wb_cold_start_add(asked, &made->timed, &found, &made->error));
  assert_null(wb_timed_code_check(&made->timed));
  assert_int_equal(found.kept_loads, kept);
  assert_int_equal(made->timed.instructions[0].stage_count, placed);
  assert_int_equal(made->timed.instructions[0].read_stages, 1);
  if (made->function->instruction_count > 3)
    assert_int_equal(made->timed.instructions[1].stage_count, searched);
}

TEST(kept_constants_are_loaded_from_the_sm)
{
  static const char *const placed[] = {"LDC.64 R2, c[0x0][0x210]", "EXIT", NULL};
  static const char *const searched[] = {"LDC.64 R2, c[0x0][0x210]", "LDC R1, c[0x3][R2]",
                                         "LDG.E R0, [R2.64]", "EXIT", NULL};
  static const uint32_t first = 0;
  FREED_BY(free_made) struct made made;
  struct wb_cold_question asked;
  for (int warm = 0; warm < 2; warm++) {
    uint32_t last = 1;
    parse_for(&made, "h100-sxm", 90, placed);
    asked = (struct wb_cold_question){.device = &made.device,
                                      .function = made.function,
                                      .accesses = &made.accesses,
                                      .first = &first,
                                      .last = &last,
                                      .node_count = 1,
                                      .warm = warm == 1};
    /* address, constant; of two lines that must be fetched no stage is the instruction's. */
    expect_stages(&asked, &made, 2, 0, true);
    assert_int_equal(made.timed.cold_count > 0, warm == 0);
    wb_device_timing_free(&made.device);
    free_made(&made);
    /* Beside it a load from anywhere in a bank, which keeps its way through L2 to the memory. */
    last = 3;
    parse_for(&made, "h100-sxm", 90, searched);
    asked.function = made.function;
    const uint32_t kept = made.device.caches.kept;
    made.device.values[kept].value = 131072;
    expect_stages(&asked, &made, 2, 5, true);
    /* Both keep it where not all constants fit; from a cold start a fetch of the line of code,
     * which does not fit either, has four stages more. */
    made.device.values[kept].value = 65536;
    expect_stages(&asked, &made, warm == 1 ? 5 : 9, 5, false);
    wb_device_timing_free(&made.device);
    if (warm == 0)
      free_made(&made);
  }
}

/* From a cold start an operand that no cache keeps is fetched before its instruction issues, as the
 * line of code is before its first instruction; others wait for nothing. */
TEST(operands_wait_for_constants_that_nothing_keeps)
{
  static const char *const lines[] = {"IADD3 R0, R1, R2, RZ", "IADD3 R0, R1, c[0x0][0x160], RZ",
                                      "IADD3 R0, R1, R2, RZ", "EXIT", NULL};
  static const uint32_t first = 0, last = 3;
  FREED_BY(free_made) struct made made;
  struct wb_cold_start found;
  parse_for(&made, "orin-agx", 87, lines);
  made.device.values[made.device.caches.kept].value = 0;
  const struct wb_cold_question asked = {.device = &made.device,
                                         .function = made.function,
                                         .accesses = &made.accesses,
                                         .first = &first,
                                         .last = &last,
                                         .node_count = 1};
  made_ok(&made);
  assert_ok(wb_cold_start_add(&asked, &made.timed, &found, &made.error));
  assert_null(wb_timed_code_check(&made.timed));
  assert_false(found.kept);
  const struct wb_timed_instruction *const timed = made.timed.instructions;
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(timed[i].stage_count > 0, i < 2);
    assert_int_equal(timed[i].before > 0, i < 2);
  }
  wb_device_timing_free(&made.device);
}

/* Translations of declared data are kept: each page costs once, or, by access, all are work and
 * each access waits for one. */
TEST(accesses_wait_for_translations)
{
  static const char *const lines[] = {"LDG.E R0, [R2.64]", "IADD3 R0, R0, R2, RZ", "EXIT", NULL};
  static const uint32_t first = 0, last = 2;
  uint64_t alone = 0; /* of a whole walk: of a stage all services but the last go on side by side */
  for (int by_access = 0; by_access < 3; by_access++) {
    FREED_BY(free_made) struct made made;
    struct wb_cold_start found;
    parse_for(&made, "orin-agx", 87, lines);
    const struct wb_cold_question asked = {.device = &made.device,
                                           .function = made.function,
                                           .accesses = &made.accesses,
                                           .first = &first,
                                           .last = &last,
                                           .node_count = 1,
                                           .declared = true,
                                           .pages = 5,
                                           .by_access = by_access == 1};
    if (by_access == 2)
      made.device.values[made.device.caches.reach].value = 0;
    made_ok(&made);
    assert_ok(wb_cold_start_add(&asked, &made.timed, &found, &made.error));
    assert_null(wb_timed_code_check(&made.timed));
    assert_int_equal(found.pages_kept, by_access < 2);
    const struct wb_cold_fetch *walk = NULL, *data = NULL;
    for (size_t c = 0; c < made.timed.cold_count; c++) {
      walk = strcmp(made.timed.cold[c].name, "translations") == 0 ? &made.timed.cold[c] : walk;
      data =
          strcmp(made.timed.cold[c].name, "translations of data") == 0 ? &made.timed.cold[c] : data;
    }
    uint64_t waits = 0;
    const struct wb_timed_instruction *load = &made.timed.instructions[0];
    for (uint32_t s = load->first_stage; s < load->first_stage + load->stage_count; s++) {
      waits += made.timed.stages[s].walk;
      assert_true(made.timed.stages[s].delay >= made.timed.stages[s].walk);
    }
    if (by_access == 2) {
      assert_int_equal(waits, alone);
      wb_device_timing_free(&made.device);
      continue;
    }
    assert_non_null(walk);
    assert_int_equal(walk->count + (data != NULL ? data->count : 0), found.pages);
    assert_int_equal(waits, by_access == 1 ? wb_cold_fetch_steps(&made.timed, walk) : 0);
    alone = 0;
    for (size_t s = 0; s < walk->stage_count; s++) {
      const struct wb_request_stage *stage = &walk->stages[s];
      const uint32_t servers = made.timed.resources[stage->resource].servers;
      assert_int_equal(stage->requests, 4);
      alone += stage->delay + stage->service + (3 * stage->service + servers - 1) / servers;
    }
    assert_true((data != NULL) == (by_access == 1));
    for (size_t s = 0; data != NULL && s < data->stage_count; s++)
      assert_true(data->stages[s].delay == 0 &&
                  data->stages[s].service == walk->stages[s].service &&
                  data->stages[s].requests == walk->stages[s].requests);
    if (data != NULL)
      assert_int_equal(data->count, 5);
    wb_device_timing_free(&made.device);
  }
}
