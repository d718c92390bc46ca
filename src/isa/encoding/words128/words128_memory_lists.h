/* Lists that the tables of memory accesses share: sizes, caches, orders and scopes. */
#ifndef WB_ISA_ENCODING_WORDS128_MEMORY_LISTS_H
#define WB_ISA_ENCODING_WORDS128_MEMORY_LISTS_H

#define WB_CONSTANT_ORDERS ".CONSTANT.PRIVATE/.CONSTANT.CTA/.CONSTANT.CTA.PRIVATE"
#define WB_STRONG_ORDERS                                                                           \
  ".STRONG.SM/.STRONG.GPU.PRIVATE/.STRONG.GPU/.MMIO.GPU/.CONSTANT.SM/.STRONG.SYS"                  \
  "/.CONSTANT.SM.PRIVATE/.MMIO.SYS"
#define WB_REST_OF_ORDERS "/.CONSTANT.VC/.CONSTANT.VC.PRIVATE/.CONSTANT.GPU"

/* For a table's texts. */
#define WB_MEMORY_LISTS                                                                            \
  {"size", ".U8/.S8/.U16/.S16//.64/.128", ".INVALID%u"},                                           \
      {"evict", ".EF//.EL/.LU/.EU/.NA", ".INVALID%u"},                                             \
      {"weakstore", ".INVALID0//.STRONG/.MMIO", NULL},                                             \
      {"weakatom", ".INVALID0//.STRONG/.INVALID3", NULL}, {"scope", ".CTA/.SM/.GPU/.SYS", NULL},   \
      {"order", "/" WB_CONSTANT_ORDERS "/.CONSTANT/" WB_STRONG_ORDERS WB_REST_OF_ORDERS, NULL},    \
  {                                                                                                \
    "orderstore",                                                                                  \
        "/" WB_CONSTANT_ORDERS "/.STRONG.SM.PRIVATE/" WB_STRONG_ORDERS WB_REST_OF_ORDERS, NULL     \
  }

/* A register where RZ may not stand, a uniform register where URZ of 6 bits may not. */
#define WB_NOT_RZ(LO) "<" LO ":8=255????255><" LO ":8!=255?{R " LO "}>"
#define WB_NOT_URZ(LO) "<" LO ":6=63????63><" LO ":6!=63?{U " LO "}>"

#endif
