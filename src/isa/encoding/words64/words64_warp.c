/* Words of 64 bits (Maxwell and Pascal): exchange between lanes, barriers of blocks, special
 * registers. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* Special registers by number, but those that differ by architecture. */
#define SPECIAL_0_TO_14                                                                            \
  "SR_LANEID/SR_CLOCK/SR_VIRTCFG/SR_VIRTID/"                                                       \
  "SR_PM0/SR_PM1/SR_PM2/SR_PM3/SR_PM4/SR_PM5/SR_PM6/SR_PM7/"
#define SPECIAL_16_TO_42                                                                           \
  "16:SR_PRIM_TYPE/SR_INVOCATION_ID/SR_Y_DIRECTION/SR_THREAD_KILL/SM_SHADER_TYPE/"                 \
  "SR_DIRECTCBEWRITEADDRESSLOW/SR_DIRECTCBEWRITEADDRESSHIGH/SR_DIRECTCBEWRITEENABLED/"             \
  "SR_MACHINE_ID_0/SR_MACHINE_ID_1/SR_MACHINE_ID_2/SR_MACHINE_ID_3/SR_AFFINITY/"                   \
  "SR_INVOCATION_INFO/SR_WSCALEFACTOR_XY/SR_WSCALEFACTOR_Z/SR_TID/SR_TID.X/SR_TID.Y/SR_TID.Z/"     \
  "SR_CTA_PARAM/SR_CTAID.X/SR_CTAID.Y/SR_CTAID.Z/SR_NTID/SR_CirQueueIncrMinusOne/SR_NLATC/"
#define SPECIAL_48_TO_61                                                                           \
  "48:SR_SWINLO/SR_SWINSZ/SR_SMEMSZ/SR_SMEMBANKS/SR_LWINLO/SR_LWINSZ/SR_LMEMLOSZ/SR_LMEMHIOFF/"    \
  "SR_EQMASK/SR_LTMASK/SR_LEMASK/SR_GTMASK/SR_GEMASK/SR_REGALLOC/"
#define SPECIAL_FROM_64                                                                            \
  "64:SR_GLOBALERRORSTATUS/66:SR_WARPERRORSTATUS/SR_WARPERRORSTATUSCLEAR/"                         \
  "72:SR_PM_HI0/SR_PM_HI1/SR_PM_HI2/SR_PM_HI3/SR_PM_HI4/SR_PM_HI5/SR_PM_HI6/SR_PM_HI7/"            \
  "SR_CLOCKLO/SR_CLOCKHI/SR_GLOBALTIMERLO/SR_GLOBALTIMERHI/"                                       \
  "96:SR_HWTASKID/SR_CIRCULARQUEUEENTRYINDEX/SR_CIRCULARQUEUEENTRYADDRESSLOW/"                     \
  "SR_CIRCULARQUEUEENTRYADDRESSHIGH"

static const struct wb_word_text texts[] = {
    {"specialFirst",
     SPECIAL_0_TO_14 SPECIAL_16_TO_42 SPECIAL_48_TO_61 "SR_CTXADDR/" SPECIAL_FROM_64, "SR%u"},
    {"specialMaxwell",
     SPECIAL_0_TO_14 "15:SR_ORDERING_TICKET/" SPECIAL_16_TO_42 SPECIAL_48_TO_61
                     "SR_CTXADDR/" SPECIAL_FROM_64,
     "SR%u"},
    {"specialPascal",
     SPECIAL_0_TO_14 "15:SR_ORDERING_TICKET/" SPECIAL_16_TO_42
                     "44:SR_SM_SPA_VERSION/SR_MULTIPASSSHADERINFO/SR_LWINHI/"
                     "SR_SWINHI/" SPECIAL_48_TO_61 "SR_BARRIERALLOC/" SPECIAL_FROM_64,
     "SR%u"},
    {"barrier", "<44=0?{R 8}><44=1?{x 8:8}>", NULL},
    {"threads", "<43=0?, {R 20}><43=1?, {x 20:12}>", NULL}, /* of a block, that take part */
    {"threadsIfAny", "<43=0?, {R 20}><43=1&20:12!=0?, {x 20:12}>", NULL},
};

static const struct wb_word_row rows[] = {
    {0xf0a8, 0xfff8, WB_SM_5X_6X, NULL, "32:3=0&39:4=7", "BAR.SYNC $barrier$threadsIfAny"},
    {0xf0a8, 0xfff8, WB_SM_5X_6X, NULL, "32:3=1&39:4=7", "BAR.ARV $barrier$threads"},
    {0xf0a8, 0xfff8, WB_SM_5X_6X, NULL, "32:3=2",
     "BAR.RED.{35:2=POPC/AND/OR/INVALIDBARMODE3} $barrier$threadsIfAny, {!42}{P 39}"},
    {0xf0a8, 0xfff8, WB_SM_5X_6X, NULL, "32:3=3", "BAR.SCAN $barrier$threads, {!42}{P 39}"},
    {0xf0b8, 0xfff8, WB_SM_5X_6X, NULL, "32:2=1&8:8=255", "B2R.RESULT {R 0}<45:3!=7?, {P 45}>"},
    {0xf0b8, 0xfff8, WB_SM_5X_6X, NULL, "32:2=2&8:8=255", "B2R.WARP {R 0}"},
    {0xf0b8, 0xfff8, WB_SM_5X_6X, NULL, NULL, "B2R{32:2=/!/!/.INVALID} {R 0}, {x 8:8}"},
    {0xf0c0, 0xfff8, WB_SM_5X_6X, NULL, NULL, "R2B{32:2=/.RESULT/.WARP/.INVALID} {x 28:4}, {R 20}"},
    {0xf0c8, 0xfff8, WB_MAXWELL_50, NULL, NULL, "S2R {R 0}, {20:8@specialFirst}"},
    {0xf0c8, 0xfff8, WB_MAXWELL_52, NULL, NULL, "S2R {R 0}, {20:8@specialMaxwell}"},
    {0xf0c8, 0xfff8, WB_PASCAL, NULL, NULL, "S2R {R 0}, {20:8@specialPascal}"},
    {0x50c8, 0xfff8, WB_MAXWELL_50, NULL, NULL, "CS2R {R 0}, {20:8@specialFirst}"},
    {0x50c8, 0xfff8, WB_MAXWELL_52, NULL, NULL, "CS2R {R 0}, {20:8@specialMaxwell}"},
    {0x50c8, 0xfff8, WB_PASCAL, NULL, NULL, "CS2R {R 0}, {20:8@specialPascal}"},
    {0x50d8, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "VOTE.{48:2=ALL/ANY/EQ/INVALIDVMODE3} <0:8!=255?{R 0}, >{P 45}, {!42}{P 39}"},
    {0x50e0, 0xfff8, WB_SM_5X_6X, NULL, NULL, "VOTE.VTG.{48:2=R/A/RA/INVALIDVTGMODE3} {x 20:28}"},
    {0xef10, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "SHFL.{30:2=IDX/UP/DOWN/BFLY} {P 48}, {R 0}, {R 8}, <28=0?{R 20}><28=1?{x 20:5}>, "
     "<29=0?{R 39}><29=1?{x 34:13}>"},
};

const struct wb_word_table wb_words64_warp = {rows, ROW_COUNT, texts, TEXT_COUNT};
