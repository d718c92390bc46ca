/* Words of 128 bits (Volta and later): the names of special registers by number, as lists of the
 * family: {72:8@special80}. */
#ifndef WB_ISA_ENCODING_WORDS128_WORDS128_SPECIAL_REGISTERS_H
#define WB_ISA_ENCODING_WORDS128_WORDS128_SPECIAL_REGISTERS_H

/* NAME_24 is the name of number 24; OTHERS are names with numbers, each with a slash behind. */
#define WB_SPECIAL_REGISTERS(NAME_24, OTHERS)                                                      \
  "SR_LANEID/SR_CLOCK/SR_VIRTCFG/SR_VIRTID/15:SR_ORDERING_TICKET/SR_PRIM_TYPE/"                    \
  "SR_INVOCATION_ID/SR_Y_DIRECTION/SR_THREAD_KILL/SM_SHADER_TYPE/"                                 \
  "SR_DIRECTCBEWRITEADDRESSLOW/SR_DIRECTCBEWRITEADDRESSHIGH/SR_DIRECTCBEWRITEENABLED/" NAME_24 "/" \
  "25:SR_MACHINE_ID_1/SR_MACHINE_ID_2/SR_MACHINE_ID_3/SR_AFFINITY/SR_INVOCATION_INFO/"             \
  "SR_WSCALEFACTOR_XY/SR_WSCALEFACTOR_Z/SR_TID/SR_TID.X/SR_TID.Y/SR_TID.Z/"                        \
  "37:SR_CTAID.X/SR_CTAID.Y/SR_CTAID.Z/SR_NTID/SR_CirQueueIncrMinusOne/SR_NLATC/"                  \
  "44:SR_SM_SPA_VERSION/SR_MULTIPASSSHADERINFO/SR_LWINHI/SR_SWINHI/SR_SWINLO/SR_SWINSZ/"           \
  "SR_SMEMSZ/SR_SMEMBANKS/SR_LWINLO/SR_LWINSZ/SR_LMEMLOSZ/SR_LMEMHIOFF/SR_EQMASK/"                 \
  "SR_LTMASK/SR_LEMASK/SR_GTMASK/SR_GEMASK/SR_REGALLOC/SR_BARRIERALLOC/"                           \
  "64:SR_GLOBALERRORSTATUS/66:SR_WARPERRORSTATUS/SR_VIRTUALSMID/SR_VIRTUALENGINEID/"               \
  "80:SR_CLOCKLO/SR_CLOCKHI/SR_GLOBALTIMERLO/SR_GLOBALTIMERHI/SR_ESR_PC/SR_ESR_PC_HI/"             \
  "96:SR_HWTASKID/SR_CIRCULARQUEUEENTRYINDEX/SR_CIRCULARQUEUEENTRYADDRESSLOW/"                     \
  "SR_CIRCULARQUEUEENTRYADDRESSHIGH/SR_PM0/SR_PM_HI0/SR_PM1/SR_PM_HI1/SR_PM2/SR_PM_HI2/"           \
  "SR_PM3/SR_PM_HI3/SR_PM4/SR_PM_HI4/SR_PM5/SR_PM_HI5/SR_PM6/SR_PM_HI6/SR_PM7/"                    \
  "SR_PM_HI7/SR_SNAP_PM0/SR_SNAP_PM_HI0/SR_SNAP_PM1/SR_SNAP_PM_HI1/SR_SNAP_PM2/"                   \
  "SR_SNAP_PM_HI2/SR_SNAP_PM3/SR_SNAP_PM_HI3/SR_SNAP_PM4/SR_SNAP_PM_HI4/SR_SNAP_PM5/"              \
  "SR_SNAP_PM_HI5/SR_SNAP_PM6/SR_SNAP_PM_HI6/SR_SNAP_PM7/SR_SNAP_PM_HI7/" OTHERS "255:SRZ"

#define WB_SPECIAL_OF_CLUSTERS                                                                     \
  "65:SR_CGAERRORSTATUS/136:SR_CgaCtaId/SR_GpcLocalCgaId/139:SR_CTARegPoolSz/"
#define WB_SPECIAL_FROM_TURING "132:SR_VARIABLE_RATE/SR_TTU_TICKET_INFO/"
#define WB_SPECIAL_BLACKWELL                                                                       \
  WB_SPECIAL_FROM_TURING WB_SPECIAL_OF_CLUSTERS "138:SR_CgaSize/141:SR_TMemSz/"

/* Volta, Turing, Ampere and Ada, Hopper, Blackwell: sm_100 and its kin, sm_120 and its kin. */
#define WB_SPECIAL_REGISTER_LISTS                                                                  \
  {"special70", WB_SPECIAL_REGISTERS("SR_MACHINE_ID_0", ""), "SR%u"},                              \
      {"special75", WB_SPECIAL_REGISTERS("SR_MACHINE_ID_0", WB_SPECIAL_FROM_TURING), "SR%u"},      \
      {"special80", WB_SPECIAL_REGISTERS("SR_SW_SCRATCH", WB_SPECIAL_FROM_TURING), "SR%u"},        \
      {"special90",                                                                                \
       WB_SPECIAL_REGISTERS("SR_SW_SCRATCH", WB_SPECIAL_FROM_TURING WB_SPECIAL_OF_CLUSTERS         \
                            "134:SR_WARPGROUP_INFO/SR_WARPGROUPID/"),                              \
       "SR%u"},                                                                                    \
      {"special100", WB_SPECIAL_REGISTERS("SR_SW_SCRATCH", WB_SPECIAL_BLACKWELL), "SR%u"},         \
  {                                                                                                \
    "special120",                                                                                  \
        WB_SPECIAL_REGISTERS("SR_SW_SCRATCH", WB_SPECIAL_BLACKWELL                                 \
                             "142:SR_CONTEXT_SAVE_ADDR_LO/SR_CONTEXT_SAVE_ADDR_HI/"),              \
        "SR%u"                                                                                     \
  }

#endif
