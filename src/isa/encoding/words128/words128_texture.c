/* Words of 128 bits (Volta and later): textures and surfaces. */
#include "isa/encoding/words128/words128.h"
#include "isa/encoding/words128/words128_memory_lists.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

#define WITH_FOOTPRINT (BEFORE_BLACKWELL & ~WB_VOLTA)
#define BEFORE_BLACKWELL (WB_FROM_VOLTA & ~WB_FROM_BLACKWELL)

static const struct wb_word_text texts[] = {
    WB_MEMORY_LISTS,
    {"half", "/.F16.RN/.F16.RZ/.INVALID3", NULL},
    {"dim", "1D/2D/3D/CUBE/ARRAY_1D/ARRAY_2D/INVALID6/ARRAY_CUBE", NULL},
    {"dimload", "1D/2D/3D/INVALID3/ARRAY_1D/ARRAY_2D", "INVALID%u"},
    {"dimgradient", "1D/2D/INVALID2/INVALID3/ARRAY_1D/ARRAY_2D", "INVALID%u"},
    {"dimfoot", "INVALID0/2D/3D", "INVALID%u"},
    {"area", ", {61:3@dimfoot}", NULL},
    {"footprint75", "{78=.TEX/.TXD}<76=1?.COARSE>{87:3@lod75}<77=1?.NDV>$nodep", NULL},
    {"footprint100", "{78=.TEX/.TXD}<57=1?.COARSE>{87:3@lod70}", NULL},
    {"dimgather", "INVALID0/2D/INVALID2/CUBE/INVALID4/ARRAY_2D/INVALID6/ARRAY_CUBE", NULL},
    {"lod70", "/.LZ/.LB/.LL/.LC/.LB.LC", ".INVALID%u"},
    {"lod75", "/.LZ/.LB/.LL/.LC/.LB.LC/.LC.FDV", ".INVALID%u"},
    {"lod100", "/.LZ/.LB/.LL/.LC/.LB.LC", ".INVALID%u"},
    {"lod120", "/.LZ/.LB/.LL/.LC/.LB.LC/.ULB/.ULL/.ULC/.ULB.LC/.LB.ULC", ".INVALID%u"},
    {"lodload", ".INVALID0/.LZ/.INVALID2/.LL", ".INVALID%u"},
    {"component", ".R/.G/.B/.A", NULL},
    {"query", "TEX_HEADER_DIMENSION/TEX_HEADER_TEXTURE_TYPE/TEX_HEADER_SAMPLER_POS/INVALID3", NULL},
    {"offset100", "{56:2=/.AOFFI/.INVALID2/.INVALID3}", NULL},
    {"offset120", "{56:2=/.AOFFI/.UAOFFI/.INVALID3}<58=1?.UAI>", NULL},
    {"gradient100", "{76:2=/.NDV/.FDV/.INVALID3}", NULL},
    {"gradient120", "{76:2=/.NDV/.INVALID2/.DXY}", NULL},
    {"lodgradient100", "{76:2=/.NDV/.INVALID2/.INVALID3}", NULL},

    {"scr", "<60=1?.SCR>", NULL},
    {"b", "<59=1?.B>", NULL},
    {"bindless", "{59=.???0/.B}", NULL},
    {"nodep", "<90=1?.NODEP>", NULL},
    {"p", "<81:3!=7?{P 81}, >", NULL},
    {"two", "{R 64}, {R 16}, <24:8=255????255><24:8!=255?{R 24}>", NULL},
    {"three", "$two<32:8!=255?, {R 32}>", NULL},
    {"full", "$two, <32:8=255????255><32:8!=255?{R 32}>", NULL},
    {"all", "$two, {R 32}", NULL},
    {"asked", "{R 64}, {R 16}, {R 24}", NULL},
    {"bank", ", {x 54:5}, {x 40:14}", NULL},
    {"twobanks", ", {x 54:5}, {x 40:6}, {x 46:8}", NULL},
    {"uniform", ", {U 40}, {x 46:8}", NULL},
    {"handles", ", {U 40}$second", NULL},
    {"second", "<48:8!=255?, {U 48}>", NULL},
    /* surfaces */
    {"surface", ".1D/.1D_BUFFER/.1D_ARRAY/.2D/.2D_ARRAY/.3D", ".INVALID%u"},
    {"bounds", ".IGN//.TRAP/.INVALID3", NULL},
    {"colours",
     ".INVALID0/.R/.INVALID2/.RG/.INVALID4/.INVALID5/.INVALID6/.INVALID7/.INVALID8/.INVALID9"
     "/.INVALID10/.INVALID11/.INVALID12/.INVALID13/.INVALID14/",
     NULL},
    {"surfacetype", "/.S32/.U64/.F32.FTZ.RN/.F16x2.RN/.S64/.SD32/.SD64", NULL},
    {"surfacecas", "/.S32/.64", ".INVALID%u"},
    {"surfacecas80", "/.S32/.U64", ".INVALID%u"},
    {"surfaceatom", ".ADD/.MIN/.MAX/.INC/.DEC/.AND/.OR/.XOR/.EXCH", ".INVALID%u"},
    {"ordered70", "{79:2@weakstore}{77:2@scope}<76=1?.PRIVATE>", NULL},
    {"atomic70", "{79:2@weakatom}{77:2@scope}<76=1?.PRIVATE>", NULL},
    {"ordered80", "{77:4@order}", NULL},
    {"stored80", "{77:4@orderstore}", NULL},
    {"mask", "<72:4!=15?, {x 72:4}>", NULL},
    {"tailgradient", ", {61:3@dimgradient}$mask", NULL},
    {"tail", ", {61:3@dim}$mask", NULL},
    {"tailload", ", {61:3@dimload}$mask", NULL},
    {"tailgather", ", {61:3@dimgather}$mask", NULL},
};

/* The four forms of a texture operation before Blackwell: its texture in a constant bank; in a
 * register; texture and sampler in two banks; in a uniform register. HEAD is the text up to the
 * mark of a texture in a register, MIDDLE goes on to the operands; these are MAYBE where the last
 * register may be absent, MUST in forms where it may not. */
#define TEXTURE(ARCHITECTURES, FIRST, HEAD, MIDDLE, MAYBE, MUST, TAIL)                             \
  {0xb00 | (FIRST), 0, ARCHITECTURES, NULL, NULL, HEAD "$b" MIDDLE MAYBE "$bank" TAIL},            \
      {0x300 | ((FIRST) + 1), 0, ARCHITECTURES, NULL, NULL, HEAD "$bindless" MIDDLE MUST TAIL},    \
      {0xb00 | ((FIRST) + 2),                                                                      \
       0,                                                                                          \
       ARCHITECTURES,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       HEAD "$bindless" MIDDLE MUST "$twobanks" TAIL},                                             \
  {                                                                                                \
    0xf00 | (FIRST), 0, (ARCHITECTURES) & ~WB_VOLTA, NULL, NULL, HEAD MIDDLE MAYBE "$uniform" TAIL \
  }

/* Those of Blackwell: in uniform registers; in a register, with what else is named by a uniform
 * register; and, of sm_120, in a register with two uniform ones. */
#define TEXTURE_100(FIRST, HEAD, MIDDLE, MAYBE, MUST, TAIL)                                        \
  {0xf00 | (FIRST), 0, WB_BLACKWELL, NULL, NULL, HEAD MIDDLE MAYBE ", {U 40}" TAIL},               \
  {                                                                                                \
    0xd00 | ((FIRST) + 1), 0, WB_BLACKWELL, NULL, NULL, HEAD ".B" MIDDLE MUST TAIL                 \
  }
#define TEXTURE_120(FIRST, HEAD, MIDDLE, MAYBE, MUST, TAIL)                                        \
  {0xf00 | (FIRST), 0, WB_BLACKWELL_120, NULL, NULL, HEAD MIDDLE MAYBE "$handles" TAIL},           \
      {0xd00 | ((FIRST) + 1),                                                                      \
       0,                                                                                          \
       WB_BLACKWELL_120,                                                                           \
       NULL,                                                                                       \
       NULL,                                                                                       \
       HEAD ".B" MIDDLE MUST "$second" TAIL},                                                      \
  {                                                                                                \
    0x300 | ((FIRST) + 1), 0x3ff, WB_BLACKWELL_120, NULL, NULL,                                    \
        HEAD ".B" MIDDLE MUST ", {U 40}, {U 48}" TAIL                                              \
  }

/* A surface operation: its surface is in a register; in a constant bank; in two; in a uniform
 * register. */
#define SURFACE(ARCHITECTURES, REGISTER, BANK, TEXT)                                               \
  {REGISTER, 0, (ARCHITECTURES) & ~WB_BLACKWELL_120, NULL, NULL, TEXT ", {R 64}"},                 \
      {BANK, 0, (ARCHITECTURES)&BEFORE_BLACKWELL, NULL, NULL, TEXT "$bank"},                       \
      {0x700 | ((BANK)&0xff), 0, (ARCHITECTURES)&BEFORE_BLACKWELL, NULL, NULL, TEXT "$twobanks"},  \
      {0xf00 | ((BANK)&0xff), 0, (ARCHITECTURES)&BEFORE_BLACKWELL & ~WB_VOLTA, NULL, NULL,         \
       TEXT "$uniform"},                                                                           \
      {0xf00 | ((BANK)&0xff), 0, (ARCHITECTURES)&WB_BLACKWELL, NULL, NULL, TEXT ", {U 40}"},       \
      {0xf00 | ((BANK)&0xff), 0, (ARCHITECTURES)&WB_BLACKWELL_120, NULL, NULL, TEXT "$handles"},   \
  {                                                                                                \
    REGISTER, 0, (ARCHITECTURES)&WB_BLACKWELL_120, NULL, NULL, TEXT ", {R 64}$second"              \
  }
#define SURFACE_120(OPCODE, TEXT)                                                                  \
  {                                                                                                \
    OPCODE, 0, WB_BLACKWELL_120, NULL, NULL, TEXT ", {R 64}, {U 40}, {U 48}"                       \
  }

/* Their texts; U is what only sm_120 has behind the dimension. */
#define SURFACE_INDEX "<58=1?.UAI>"
#define LOADED "<81:3!=7? {P 81},> {R 16}, [{R 24}]"
#define STORED " [{R 24}], {R 32}"
#define PIXELS(U, ORDER) ".P{61:3@surface}" U "{84:3@evict}" ORDER "{72:4@colours}{59:2@bounds}"
#define DATA(U, ORDER)                                                                             \
  ".D<72=1?.BA>{61:3@surface}" U "{84:3@evict}{73:3@size}" ORDER "{59:2@bounds}"
#define ATOMIC(U, OPERATION, TYPE, ORDER)                                                          \
  ".D<72=1?.BA>{61:3@surface}" U OPERATION "{84:3@evict}" TYPE ORDER "{59:2@bounds}"
#define SULD_P(U, ORDER) "SULD" PIXELS(U, ORDER) LOADED
#define SULD_D(U, ORDER) "SULD" DATA(U, ORDER) LOADED
#define SUST_P(U, ORDER) "SUST" PIXELS(U, ORDER) STORED
#define SUST_D(U, ORDER) "SUST" DATA(U, ORDER) STORED
#define SUATOM(U, ORDER)                                                                           \
  "SUATOM" ATOMIC(U, "{87:4@surfaceatom}", "{73:3@surfacetype}", ORDER) LOADED ", {R 32}"
#define SUCAS(U, TYPE, ORDER) "SUATOM" ATOMIC(U, ".CAS", TYPE, ORDER) LOADED ", {R 32}"
#define SURED(U, ORDER) "SURED" ATOMIC(U, "{87:3@surfaceatom}", "{73:3@surfacetype}", ORDER) STORED
#define SUQUERY(U) "SUQUERY<72=1?.BA>{61:3@surface}" U LOADED ", {87=COMP_STATUS/???1}"

#define SURFACES(ARCHITECTURES, U, LOAD, STORE, ATOM)                                              \
  SURFACE(ARCHITECTURES, 0x998, 0xb97, SULD_P(U, LOAD)),                                           \
      SURFACE(ARCHITECTURES, 0x99a, 0xb99, SULD_D(U, LOAD)),                                       \
      SURFACE(ARCHITECTURES, 0x99c, 0xb9b, SUST_P(U, STORE)),                                      \
      SURFACE(ARCHITECTURES, 0x99e, 0xb9d, SUST_D(U, STORE)),                                      \
      SURFACE(ARCHITECTURES, 0x394, 0x593, SUATOM(U, ATOM)),                                       \
      SURFACE(ARCHITECTURES, 0x3a0, 0x59f, SURED(U, ATOM))

static const struct wb_word_row rows[] = {
    TEXTURE(WB_VOLTA, 0x60, "TEX$scr",
            "{79:2@half}{87:3@lod70}<76=1?.AOFFI><78=1?.DC>{84:3@evict}<77=1?.NDV>$nodep $p",
            "$three", "$full", "$tail"),
    TEXTURE(BEFORE_BLACKWELL & ~WB_VOLTA, 0x60, "TEX$scr",
            "{79:2@half}{87:3@lod75}<76=1?.AOFFI><78=1?.DC>{84:3@evict}<77=1?.NDV>$nodep $p",
            "$three", "$full", "$tail"),
    TEXTURE_100(0x60, "TEX$scr",
                "{79:2@half}{59:1,87:3@lod100}$offset100<78=1?.DC>{84:3@evict}$gradient100$nodep "
                "$p",
                "$three", "$full", "$tail"),
    TEXTURE_120(0x60, "TEX$scr",
                "{79:2@half}{59:1,87:3@lod120}$offset120<78=1?.DC>{84:3@evict}$gradient120$nodep "
                "$p",
                "$three", "$full", "$tail"),
    TEXTURE(BEFORE_BLACKWELL, 0x66, "TLD$scr",
            "{79:2@half}{87:3@lodload}<76=1?.AOFFI>{84:3@evict}<78=1?.MS><77=1?.CL>$nodep $p",
            "$three", "$full", "$tailload"),
    TEXTURE_100(0x66, "TLD$scr",
                "{79:2@half}{87:2=.LZ/.LL/.INVALID2/.INVALID3}$offset100{84:3@evict}"
                "{77:2=/.MS/.INVALID2/.INVALID3}<76=1?.CL>$nodep $p",
                "$three", "$full", "$tailload"),
    TEXTURE_120(0x66, "TLD$scr",
                "{79:2@half}{87:2=.LZ/.LL/.ULL/.INVALID3}$offset120{84:3@evict}"
                "{77:2=/.MS/.UMS/.INVALID3}<76=1?.CL>$nodep $p",
                "$three", "$full", "$tailload"),
    TEXTURE(BEFORE_BLACKWELL, 0x63, "TLD4$scr{87:2@component}",
            "{79:2@half}{76:2=/.AOFFI/.PTP/.INVALID3}<78=1?.DC>{84:3@evict}$nodep $p", "$three",
            "$full", "$tailgather"),
    TEXTURE_100(0x63, "TLD4$scr{87:2@component}",
                "{79:2@half}{76:2=/.AOFFI/.PTP/.INVALID3}<78=1?.DC>{84:3@evict}$nodep $p", "$three",
                "$full", "$tailgather"),
    TEXTURE_120(0x63, "TLD4$scr{87:2@component}",
                "{79:2@half}{76:2=/.AOFFI/.PTP/.UAOFFI}<58=1?.UAI><78=1?.DC>{84:3@evict}$nodep $p",
                "$three", "$full", "$tailgather"),
    TEXTURE(BEFORE_BLACKWELL, 0x6c, "TXD",
            "{79:2@half}<87=1?.LC><76=1?.AOFFI>{84:3@evict}$nodep $p", "$all", "$all",
            "$tailgradient"),
    TEXTURE_100(0x6c, "TXD",
                "{79:2@half}{87:2=/.LC/.INVALID2/.INVALID3}$offset100{84:3@evict}$nodep $p", "$all",
                "$all", "$tailgradient"),
    TEXTURE_120(0x6c, "TXD", "{79:2@half}{87:2=/.LC/.ULC/.INVALID3}$offset120{84:3@evict}$nodep $p",
                "$all", "$all", "$tailgradient"),
    TEXTURE(BEFORE_BLACKWELL, 0x69, "TMML", ".LOD<77=1?.NDV>$nodep ", "$three", "$full", "$tail"),
    {0xf69, 0, WB_BLACKWELL, NULL, NULL, "TMML.LOD$lodgradient100$nodep $three, {U 40}$tail"},
    {0xf69, 0, WB_BLACKWELL_120, NULL, NULL, "TMML.LOD$gradient120$nodep $three, {U 40}$tail"},
    {0x36a, 0, WB_BLACKWELL, NULL, NULL, "TMML.B.LOD$lodgradient100$nodep $full$tail"},
    {0x36a, 0, WB_BLACKWELL_120, NULL, NULL, "TMML.B.LOD$gradient120$nodep $full$tail"},
    {0xf6a, 0, WB_BLACKWELL_120, NULL, NULL, "TMML.B.LOD$gradient120$nodep $full, {U 40}$tail"},
    TEXTURE(BEFORE_BLACKWELL, 0x6f, "TXQ", "$nodep ", "$asked, {62:2@query}", "$two, {62:2@query}",
            ", {x 72:4}"),
    {0xf6f, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "TXQ$nodep $asked, {62:2@query}, {U 40}, 0x0, {x 72:4}"},
    {0x370, 0, WB_FROM_BLACKWELL, NULL, NULL, "TXQ.B$nodep $two, {62:2@query}, {x 72:4}"},
    {0xf70, 0, WB_BLACKWELL_120, NULL, NULL, "TXQ.B$nodep $two, {62:2@query}, {U 40}, {x 72:4}"},
    {0xb72, 0, WITH_FOOTPRINT, NULL, NULL, "FOOTPRINT$scr$b$footprint75 $p$three$bank$area"},
    {0x373, 0, WITH_FOOTPRINT, NULL, NULL, "FOOTPRINT$scr$bindless$footprint75 $p$full$area"},
    {0xb74, 0, WITH_FOOTPRINT, NULL, NULL,
     "FOOTPRINT$scr$bindless$footprint75 $p$full$twobanks$area"},
    {0xf74, 0, WITH_FOOTPRINT, NULL, NULL, "FOOTPRINT$scr$footprint75 $p$three$uniform$area"},
    {0xf74, 0, WB_BLACKWELL, NULL, NULL,
     "FOOTPRINT$scr$footprint100$gradient100$nodep $p$three, {U 40}$area"},
    {0xf74, 0, WB_BLACKWELL_120, NULL, NULL,
     "FOOTPRINT$scr$footprint100$gradient120$nodep $p$three, {U 40}$area"},
    {0xd73, 0, WB_BLACKWELL, NULL, NULL,
     "FOOTPRINT$scr.B$footprint100$gradient100$nodep $p$full$area"},
    {0xd73, 0, WB_BLACKWELL_120, NULL, NULL,
     "FOOTPRINT$scr.B$footprint100$gradient120$nodep $p$full$area"},
    {0xf73, 0, WB_BLACKWELL_120, NULL, NULL,
     "FOOTPRINT$scr.B$footprint100$gradient120$nodep $p$full, {U 40}$area"},
    SURFACES(WB_VOLTA | WB_TURING, "", "$ordered70", "$ordered70", "$atomic70"),
    SURFACE(WB_VOLTA | WB_TURING, 0x396, 0x595, SUCAS("", "{73:3@surfacecas}", "$atomic70")),
    SURFACES(WB_FROM_AMPERE & ~WB_BLACKWELL_120, "", "$ordered80", "$stored80", "$stored80"),
    SURFACE(WB_AMPERE | WB_AMPERE_86 | WB_ADA, 0x396, 0x595,
            SUCAS("", "{73:3@surfacecas80}", "$stored80")),
    SURFACE(WB_HOPPER | WB_BLACKWELL, 0x396, 0x595, SUCAS("", "{73:3@surfacecas}", "$stored80")),
    SURFACE(WB_FROM_AMPERE_86 & ~WB_BLACKWELL_120, 0x9b3, 0xbb3, SUQUERY("")),
    SURFACES(WB_BLACKWELL_120, SURFACE_INDEX, "$ordered80", "$stored80", "$stored80"),
    SURFACE(WB_BLACKWELL_120, 0x396, 0x595, SUCAS(SURFACE_INDEX, "{73:3@surfacecas}", "$stored80")),
    SURFACE(WB_BLACKWELL_120, 0x9b3, 0xbb3, SUQUERY(SURFACE_INDEX)),
    SURFACE_120(0xf98, SULD_P(SURFACE_INDEX, "$ordered80")),
    SURFACE_120(0xf9a, SULD_D(SURFACE_INDEX, "$ordered80")),
    SURFACE_120(0xf9c, SUST_P(SURFACE_INDEX, "$stored80")),
    SURFACE_120(0xf9e, SUST_D(SURFACE_INDEX, "$stored80")),
    SURFACE_120(0xf94, SUATOM(SURFACE_INDEX, "$stored80")),
    SURFACE_120(0xf96, SUCAS(SURFACE_INDEX, "{73:3@surfacecas}", "$stored80")),
    SURFACE_120(0xfa0, SURED(SURFACE_INDEX, "$stored80")),
    SURFACE_120(0xdb3, SUQUERY(SURFACE_INDEX)),
};

const struct wb_word_table wb_words128_texture = {rows, ROW_COUNT, texts, TEXT_COUNT};
