/* Words of 128 bits (Volta and later): control transfers, convergence barriers and what else acts
 * on a warp's execution.
 *
 * Up to sm_89 a displacement has 48 bits, from sm_90 on 56, of which the lowest stand apart. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

#define VOLTA_TO_TURING (WB_VOLTA | WB_TURING)
#define AMPERE_TO_ADA (WB_AMPERE | WB_AMPERE_86 | WB_ADA)
#define TURING_TO_ADA (WB_TURING | AMPERE_TO_ADA)
#define VOLTA_TO_ADA (WB_VOLTA | TURING_TO_ADA)
#define VOLTA_TO_HOPPER (VOLTA_TO_ADA | WB_HOPPER)
#define AMPERE_TO_HOPPER (AMPERE_TO_ADA | WB_HOPPER)

/* Rows whose text ends with a displacement: LONG is "target" (relative), "place" (absolute),
 * "value" (a place that is only moved) or "offset" (behind a register). */
#define REACH_TO_ADA(OPCODE, ARCHITECTURES, WHERE, TEXT, LONG)                                     \
  {                                                                                                \
    OPCODE, 0, (ARCHITECTURES)&VOLTA_TO_ADA, NULL, WHERE, TEXT "$" LONG "48"                       \
  }
#define REACH_FROM_HOPPER(OPCODE, WHERE, TEXT, LONG)                                               \
  {                                                                                                \
    OPCODE, 0, WB_FROM_HOPPER, NULL, WHERE, TEXT "$" LONG "56"                                     \
  }
#define REACH(OPCODE, ARCHITECTURES, WHERE, TEXT, LONG)                                            \
  REACH_TO_ADA(OPCODE, ARCHITECTURES, WHERE, TEXT, LONG),                                          \
      REACH_FROM_HOPPER(OPCODE, WHERE, TEXT, LONG)

/* What BMOV can name: barriers, from number 16 on other states of a warp. */
#define BARRIERS "B0/B1/B2/B3/B4/B5/B6/B7/B8/B9/B10/B11/B12/B13/B14/B15"
#define STATES                                                                                     \
  "THREAD_STATE_ENUM.0/THREAD_STATE_ENUM.1/THREAD_STATE_ENUM.2/THREAD_STATE_ENUM.3/"               \
  "THREAD_STATE_ENUM.4/TRAP_RETURN_PC.LO/TRAP_RETURN_PC.HI/TRAP_RETURN_MASK/MEXITED/MKILL/"        \
  "MACTIVE/MATEXIT/OPT_STACK/API_CALL_DEPTH/ATEXIT_PC.LO/ATEXIT_PC.HI"

/* Transfers that ask a mask of lanes. */
#define BY_MASK(OPCODE, TO_ADA, FROM_HOPPER, LONG)                                                 \
  {OPCODE, 0, AMPERE_TO_ADA, NULL, "91=1", TO_ADA "$if {~30}{U 24}, $" LONG "48"},                 \
      {OPCODE, 0, WB_HOPPER, NULL, "91=1", FROM_HOPPER "$if {~30}{U 24}, $" LONG "56"},            \
  {                                                                                                \
    OPCODE, 0, WB_FROM_BLACKWELL, NULL, "91=1", FROM_HOPPER "$if {~82}{U 24}, $" LONG "56"         \
  }

static const struct wb_word_text texts[] = {
    {"target48", "{t 34:48*4}", NULL},
    {"target56", "{t 16:8,34:48*4}", NULL},
    {"place48", "{T 34:47*4}", NULL},
    {"place56", "{T 16:8,34:47*4}", NULL},
    {"value48", "{x 34:47*4}", NULL},
    {"value56", "{x 16:8,34:47*4}", NULL},
    {"offset48", "<34:48!=0? {s 34:48*4}>", NULL},
    {"offset56", "<16:8,34:48!=0? {s 16:8,34:48*4}>", NULL},
    /* The condition besides the guard: before other operands, and alone. */
    {"if", "<87:4!=7? {!90}{P 87},>", NULL},
    {"onlyif", "<87:4!=7? {!90}{P 87}>", NULL},
    {"step", "{85:2=/.INC/.DEC/.INVALID3}", NULL},
    {"how", "{32:2=/.U/.DIV/.CONV}", NULL},
    {"any", "<32:2=1?{84=/.ANY}>", NULL},
    {"unless", "{32:2=.???0/.U/.???2/.???3}", NULL},
    {"mask80", "{32:2=.INVALID0/.INVALID1/.DIV/.CONV}", NULL},
    {"mask90", "{32:2=.???0/.???1/.DIV/.CONV}", NULL},
    {"trust", "{72:2=/.RELIABLE/.RECONVERGENT/!}", NULL},
    {"sleep", "{86=/.RAND}{85=/.WARP}", NULL},
    {"signed48", "{s 34:48*4}", NULL},
    {"signed56", "{s 16:8,34:48*4}", NULL},
    /* What is moved: no register of these has .reuse. */
    {"from", "$v", NULL},
    {"from/1", "{R 32}", NULL},
    {"up", "{!27}{UP 24}", NULL},
    {"pool", "{74=.???0/.CTAPOOL}", NULL},
    {"words", "c[{x 54:5}][{s 40:14*4}]", NULL},
    {"bytes", "c[{x 54:5}][{s 38:16}]", NULL},
    {"state48", BARRIERS "/" STATES, "???%u"},
    {"state56", BARRIERS "/" STATES "/MCOLLECTIVE", "???%u"},
    {"barrier", BARRIERS, "???%u"},
    {"other48", "16:" STATES, "???%u"},
    {"other56", "16:" STATES "/MCOLLECTIVE", "???%u"},
};

static const struct wb_word_row rows[] = {
    /* Branches and jumps. With bit 91 they ask a uniform register (a mask of lanes) or a uniform
     * predicate. */
    BY_MASK(0x947, "BRA$step$mask80", "BRA$step$mask80", "target"),
    REACH_TO_ADA(0x547, AMPERE_TO_ADA, "91=1", "BRA$step$unless$if $up, ", "target"),
    REACH_FROM_HOPPER(0x547, "91=1", "BRA$step$unless{84=/.ANY}$if $up, ", "target"),
    REACH_TO_ADA(0x947, VOLTA_TO_ADA, NULL, "BRA$step$how$if ", "target"),
    {0x947, 0, WB_HOPPER, NULL, NULL, "BRA$step$how$any$if $target56"},
    {0x947, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "BRA$step$how$any<32:2=1?{83=/.NOT_TID0}>$if $target56"},
    REACH(0x949, VOLTA_TO_ADA, NULL, "BRX$step$if {R 24}", "offset"),
    REACH(0x958, TURING_TO_ADA, "91=1", "BRXU$step$how$if {U 24}", "offset"),
    BY_MASK(0x94a, "JMP$step$mask80", "JMP$step$mask90", "place"),
    REACH_TO_ADA(0x54a, AMPERE_TO_ADA, "91=1", "JMP$step$unless$if $up, ", "place"),
    REACH_FROM_HOPPER(0x54a, "91=1", "JMP$step$unless{84=/.ANY}$if $up, ", "place"),
    {0x74a, 0, AMPERE_TO_ADA, NULL, "91=1", "JMP$step$unless$if $up, $words"},
    {0x74a, 0, WB_HOPPER, NULL, "91=1", "JMP$step$unless{84=/.ANY}$if $up, $words"},
    REACH_TO_ADA(0x94a, VOLTA_TO_ADA, NULL, "JMP$step$how$if ", "place"),
    REACH_FROM_HOPPER(0x94a, NULL, "JMP$step$how$any$if ", "place"),
    {0xb4a, 0, VOLTA_TO_TURING, NULL, NULL, "JMP$step$how$if $bytes"},
    {0xb4a, 0, AMPERE_TO_ADA, NULL, "91=0", "JMP$step$how$if $words"},
    {0xb4a, 0, AMPERE_TO_ADA, NULL, "91=1", "JMP$step$mask80$if {~30}{U 24}, $words"},
    {0xb4a, 0, WB_HOPPER, NULL, "91=0", "JMP$step$how$any$if $words"},
    {0xb4a, 0, WB_HOPPER, NULL, "91=1", "JMP$step$mask90$if {~30}{U 24}, $words"},
    REACH(0x94c, VOLTA_TO_ADA, NULL, "JMX$step$if {R 24}", "offset"),
    REACH(0x959, TURING_TO_ADA, "91=1", "JMXU$step$how$if {U 24}", "offset"),

    /* Calls, returns, ends. */
    REACH(0x943, TURING_TO_ADA, "91=1", "CALL.ABS{86=/.NOINC}$if {U 24}", "offset"),
    REACH(0x944, TURING_TO_ADA, "91=1", "CALL.REL{86=/.NOINC}$if {U 24} ", "target"),
    REACH(0x943, VOLTA_TO_ADA, NULL, "CALL.ABS{86=/.NOINC}$if ", "place"),
    REACH(0x944, VOLTA_TO_ADA, NULL, "CALL.REL{86=/.NOINC}$if ", "target"),
    REACH(0x343, VOLTA_TO_ADA, NULL, "CALL.ABS{86=/.NOINC}$if {R 24}", "offset"),
    REACH(0x344, VOLTA_TO_ADA, NULL, "CALL.REL{86=/.NOINC}$if {R 24} ", "target"),
    {0xb43, 0, VOLTA_TO_TURING, NULL, NULL, "CALL.ABS{86=/.NOINC}$if $bytes"},
    {0xb43, 0, AMPERE_TO_HOPPER, NULL, NULL, "CALL.ABS{86=/.NOINC}$if $words"},
    REACH(0x950, TURING_TO_ADA, "91=1&85=0", "RET.REL{86=/.NODEC}$if {U 24} ", "target"),
    REACH(0x950, TURING_TO_ADA, "91=1&85=1", "RET.ABS{86=/.NODEC}$if {U 24} ", "signed"),
    REACH(0x950, VOLTA_TO_ADA, "85=0", "RET.REL{86=/.NODEC}$if {R 24} ", "target"),
    REACH(0x950, VOLTA_TO_ADA, "85=1", "RET.ABS{86=/.NODEC}$if {R 24} ", "signed"),
    {0x94d, 0, WB_FROM_VOLTA, NULL, NULL,
     "EXIT{84:2=/.KEEPREFCOUNT/.PREEMPTED/.INVALID3}{86=/.NO_ATEXIT}$onlyif"},
    {0x95b, 0, WB_FROM_VOLTA, NULL, NULL, "KILL$onlyif"},
    {0x82d, 0, WB_FROM_HOPPER, NULL, NULL, "PREEXIT"},
    {0x94f, 0, VOLTA_TO_TURING, NULL, NULL, "RTT"},
    {0x95c, 0, WB_FROM_VOLTA, NULL, NULL,
     "BPT{84:3=!/!/.PAUSE/.TRAP/.INT/.DRAIN/.PAUSE_QUIET/!}<34:3!=0? {x 34:3}>"},

    /* Convergence barriers. */
    {0x945, 0, VOLTA_TO_HOPPER, NULL, NULL, "BSSY$if {B 16}, {t 34:30*4}"},
    {0x945, 0, WB_FROM_BLACKWELL, NULL, NULL, "BSSY$trust$if {B 16}, {t 34:30*4}"},
    {0x941, 0, VOLTA_TO_HOPPER, NULL, NULL, "BSYNC$if {B 16}"},
    {0x941, 0, WB_FROM_BLACKWELL, NULL, NULL, "BSYNC$trust$if {B 16}"},
    {0x942, 0, VOLTA_TO_HOPPER, NULL, NULL, "BREAK$if {B 16}"},
    {0x942, 0, WB_FROM_BLACKWELL, NULL, NULL, "BREAK{72:2=/.RELIABLE/!/!}$if {B 16}"},
    {0x348, 0, VOLTA_TO_TURING, NULL, NULL, "WARPSYNC$if {R 32}"},
    {0x348, 0, AMPERE_TO_ADA, NULL, NULL, "WARPSYNC{86=/.EXCLUSIVE}$if {R 32}"},
    {0x348, 0, WB_FROM_HOPPER, NULL, "86=0", "WARPSYNC{85=/.EXCLUSIVE}$if {R 24}"},
    {0x348, 0, WB_FROM_HOPPER, NULL, "85:2=2", "WARPSYNC.COLLECTIVE$if {R 24}, $target56"},
    {0x148, 0, VOLTA_TO_ADA, "456", NULL, "WARPSYNC$if $v"},
    {0x948, 0, WB_FROM_HOPPER, NULL, "85:2=0", "WARPSYNC.ALL$onlyif"},
    {0x948, 0, WB_FROM_HOPPER, NULL, "85:2=2", "WARPSYNC.COLLECTIVE.ALL$if $target56"},
    {0x91b, 0, WB_FROM_HOPPER, NULL, NULL, "ENDCOLLECTIVE$onlyif"},
    {0x82f, 0, WB_FROM_HOPPER, NULL, "91=1", "ELECT{85=/.IGNOREKILL} $p81, {U 16}, {~72}{U 24}"},
    {0x82f, 0, WB_FROM_HOPPER, NULL, NULL, "ELECT{85=/.IGNOREKILL} $p81, {U 16}, $p87"},

    /* What a warp knows of its lanes: barriers as values, and states. */
    {0x355, 0, VOLTA_TO_ADA, NULL, NULL, "BMOV.32{84=/.CLEAR} {R 16}, {24:6@state48}"},
    {0x355, 0, WB_FROM_HOPPER, NULL, NULL, "BMOV.32{84=/.CLEAR} {R 16}, {24:6@state56}"},
    {0x156, 0, VOLTA_TO_ADA, "1456", NULL, "BMOV.32{84=/.PQUAD} {24:6@state48}, $from"},
    {0x156, 0, WB_FROM_HOPPER, "1456", NULL, "BMOV.32{84=/.PQUAD} {24:6@state56}, $from"},
    {0xf55, 0, WB_FROM_VOLTA, NULL, "84=1", "BMOV.32.CLEAR {B 16}, {24:6@barrier}"},
    {0xf55, 0, VOLTA_TO_ADA, NULL, NULL, "BMOV.32 {B 16}, {24:6@other48}"},
    {0xf55, 0, WB_FROM_HOPPER, NULL, NULL, "BMOV.32 {B 16}, {24:6@other56}"},
    {0xf56, 0, VOLTA_TO_ADA, NULL, NULL, "BMOV.32{84=/.PQUAD} {24:6@state48}, {B 16}"},
    {0xf56, 0, WB_FROM_HOPPER, NULL, NULL, "BMOV.32{84=/.PQUAD} {24:6@state56}, {B 16}"},
    REACH(0x957, VOLTA_TO_ADA, NULL, "BMOV.64 ATEXIT_PC, ", "value"),
    {0x157, 0, WB_FROM_VOLTA, "156", NULL, "BMOV.64 ATEXIT_PC, $from"},
    {0x353, 0, WB_FROM_VOLTA, NULL, NULL, "RPCMOV.32 {R 16}, Rpc{31=.LO/.HI}"},
    {0xb52, 0, VOLTA_TO_TURING, NULL, "91=0", "RPCMOV.32 Rpc{31=.LO/.HI}, $bytes"},
    {0x152, 0, WB_FROM_VOLTA, "1456", NULL, "RPCMOV.32 Rpc{31=.LO/.HI}, $v"},
    REACH(0x954, VOLTA_TO_ADA, NULL, "RPCMOV.64 Rpc, ", "value"),
    {0x154, 0, WB_FROM_VOLTA, "56", NULL, "RPCMOV.64 Rpc, $from"},
    {0x34e, 0, WB_FROM_VOLTA, NULL, NULL, "LEPC {R 16}"},
    {0x94e, 0, WB_FROM_HOPPER, NULL, NULL, "LEPC {R 16}, {t 24:58}"},
    {0x3ce, 0, WB_FROM_HOPPER, NULL, NULL, "^ULEPC {U 16}"},
    {0x9ce, 0, WB_FROM_HOPPER, NULL, NULL, "^ULEPC {U 16}, {t 24:58}"},
    {0x3c0, 0, WB_FROM_VOLTA, NULL, NULL, "GETLMEMBASE {R 16}"},
    {0x3c1, 0, WB_FROM_VOLTA, NULL, NULL, "SETLMEMBASE {R 24}"},

    /* Waiting and what else a scheduler is told. */
    {0x946, 0, WB_FROM_VOLTA, NULL, NULL, "YIELD$onlyif"},
    {0x95d, 0, WB_FROM_AMPERE, NULL, "83=1", "NANOSLEEP.CLEAR$onlyif"},
    {0x15d, 0, VOLTA_TO_ADA, "1456", NULL, "NANOSLEEP$sleep$if $from"},
    {0x15d, 0, WB_FROM_HOPPER, "1456", NULL, "NANOSLEEP$sleep{84=/.SYNCS}$if $from"},
    {0x918, 0, WB_FROM_VOLTA, NULL, NULL, "NOP"},
    {0x801, 0, WB_FROM_VOLTA, NULL, NULL, "PMTRIG$if {x 32:16}"},
    {0x31f, 0, WB_FROM_VOLTA, NULL, NULL, "SETCTAID{78:2=.X/.Y/.Z/} {R 24}"},
    {0x3c8, 0, WB_FROM_HOPPER, NULL, "72:2=1", "^USETMAXREG.DEALLOC$pool {U 32}"},
    {0x3c8, 0, WB_FROM_HOPPER, NULL, "72:2=2", "^USETMAXREG.TRY_ALLOC$pool {UP 81}, {U 32}"},
    {0x9c8, 0, WB_FROM_HOPPER, NULL, "72:2=1", "^USETMAXREG.DEALLOC$pool {x 32:10}"},
    {0x9c8, 0, WB_FROM_HOPPER, NULL, "72:2=2", "^USETMAXREG.TRY_ALLOC$pool {UP 81}, {x 32:10}"},
    {0x3c9, 0, WB_FROM_HOPPER, NULL, NULL, "^USETSHMSZ {U 32}"},
    {0x9c9, 0, WB_FROM_HOPPER, NULL, "72=0", "^USETSHMSZ {x 32:20}"},
    {0x9c9, 0, WB_FROM_HOPPER, NULL, "72=1", "^USETSHMSZ.FLUSH"},
};

const struct wb_word_table wb_words128_control = {rows, ROW_COUNT, texts, TEXT_COUNT};
