/* Words of 64 bits (Maxwell and Pascal): control transfers and the stack of tokens. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* Where a transfer goes: bit 5 tells an entry of a constant bank. */
#define RELATIVE "<5=0?{t 20:24}><5=1?$entry>"
#define ABSOLUTE "<5=0?{T 20:32}><5=1?$entry>"

static const struct wb_word_text texts[] = {
    {"cc", "<0:5!=15? CC.{0:5@cctest}>", NULL},      /* nothing where it is T */
    {"ccWith", "<0:5!=15? CC.{0:5@cctest},>", NULL}, /* before operands */
    {"entry", "c[{x 36:5}][{s 20:16}]", NULL},
    {"indexed",
     "c[{x 36:5}][<8:8!=255?{R 8}{o 20:16}><8:8=255&20:16=0?RZ><8:8=255&20:16!=0?{s 20:16}>]",
     NULL},
};

static const struct wb_word_row rows[] = {
    {0xe200, 0xfff0, WB_SM_5X_6X, NULL, "5=0", "JMX{6=/.LMT}$ccWith {R 8}<20:32!=0? {s 20:32}>"},
    {0xe200, 0xfff0, WB_SM_5X_6X, NULL, "5=1", "JMX{6=/.LMT}$ccWith $indexed"},
    {0xe210, 0xfff0, WB_SM_5X_6X, NULL, NULL, "JMP{7=/.U}{6=/.LMT}$ccWith " ABSOLUTE},
    {0xe220, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-JCAL{6=.NOINC/} " ABSOLUTE},
    {0xe230, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-PEXIT {t 20:24}"},
    {0xe240, 0xfff0, WB_SM_5X_6X, NULL, NULL, "BRA{7=/.U}{6=/.LMT}$ccWith " RELATIVE},
    {0xe250, 0xfff0, WB_SM_5X_6X, NULL, "5=0", "BRX{6=/.LMT}$ccWith {R 8}<20:24!=0? {s 20:24}>"},
    {0xe250, 0xfff0, WB_SM_5X_6X, NULL, "5=1", "BRX{6=/.LMT}$ccWith $indexed"},
    {0xe260, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-CAL{6=.NOINC/} " RELATIVE},
    {0xe270, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-PRET{6=.NOINC/} " RELATIVE},
    {0xe280, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-PLONGJMP " RELATIVE},
    {0xe290, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-SSY " RELATIVE},
    {0xe2a0, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-PBK " RELATIVE},
    {0xe2b0, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-PCNT " RELATIVE},
    {0xe2c0, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-GETCRSPTR {R 0}"},
    {0xe2d0, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-GETLMEMBASE {R 0}"},
    {0xe2e0, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-SETCRSPTR {R 8}"},
    {0xe2f0, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-SETLMEMBASE {R 8}"},
    {0xe300, 0xfff0, WB_SM_5X_6X, NULL, NULL, "EXIT{5=/.KEEPREFCOUNT}$cc"},
    {0xe310, 0xfff0, WB_SM_5X_6X, NULL, NULL, "LONGJMP$cc"},
    {0xe320, 0xfff0, WB_SM_5X_6X, NULL, NULL, "RET$cc"},
    {0xe330, 0xfff0, WB_SM_5X_6X, NULL, NULL, "KIL$cc"},
    {0xe340, 0xfff0, WB_SM_5X_6X, NULL, NULL, "BRK$cc"},
    {0xe350, 0xfff0, WB_SM_5X_6X, NULL, NULL, "CONT$cc"},
    {0xe360, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-RTT{0:2=/.TERMINATE/.FALLTHROUGH/.PREEMPTED}"},
    {0xe370, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-SAM"},
    {0xe380, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-RAM"},
    {0xe390, 0xfff0, WB_SM_5X_6X, NULL, NULL, "-IDE{5=.EN/} {x 20:16}"},
    {0xe3a0, 0xfff0, WB_MAXWELL, NULL, NULL,
     "-BPT.{6:3=DRAIN_ILLEGAL/CAL/PAUSE/TRAP/INT/DRAIN/???6/???7}<20:20!=0? {x 20:20}>"},
    {0xe3a0, 0xfff0, WB_PASCAL, NULL, NULL,
     "-BPT.{6:3=DRAIN_ILLEGAL/CAL/PAUSE/TRAP/INT/DRAIN/PAUSE_QUIET/???7}<20:20!=0? {x 20:20}>"},
    {0xf0f8, 0xfff8, WB_SM_5X_6X, NULL, NULL, "SYNC$cc"},
    {0x50b0, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "NOP{13=/.TRIG}<8:5!=15? CC.{8:5@cctest}><8:5!=15&20:16!=0?,><20:16!=0? {x 20:16}>"},
    {0xf0f0, 0xfff8, WB_SM_5X_6X, NULL, "29=0", "DEPBAR<0:6!=0? {m 0:6}>"},
    {0xf0f0, 0xfff8, WB_SM_5X_6X, NULL, "29=1",
     "DEPBAR.LE {26:3=SB0/SB1/SB2/SB3/SB4/SB5/???6/???7}, {x 20:6}<0:6!=0?, {m 0:6}>"},
};

const struct wb_word_table wb_words64_control = {rows, ROW_COUNT, texts, TEXT_COUNT};
