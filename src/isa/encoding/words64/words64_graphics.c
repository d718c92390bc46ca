/* Words of 64 bits (Maxwell and Pascal): attributes, vertices, pixels. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const struct wb_word_text texts[] = {
    {"size", "/.64/.96/.128", NULL},
    {"stream", "INVALIDOUTSTYPE0/EMIT/CUT/EMIT_THEN_CUT", NULL},
    {"interpolate",
     "IPA{38=/.IDX}{54:2=.PASS//.CONSTANT/.SC}{52:2=/.CENTROID/.OFFSET/.INVALID}"
     "{51=/.SAT} {R 0}, ",
     NULL},
    {"weights", "{R 20}<39:8!=255?, {R 39}>", NULL},
    /* An attribute's address: 11 bits and a register, or without one 10 bits. */
    {"attribute", "a[<8:8!=255?{R 8}{o 20:11}><8:8=255&20:10=0?RZ><8:8=255&20:10!=0?{x 20:10}>]",
     NULL},
    {"vertex", "<39:8!=255?, {R 39}>", NULL},
};

static const struct wb_word_row rows[] = {
    {0xe000, 0xff00, WB_SM_5X_6X, NULL, "38=1", "$interpolatea[{R 8}], $weights, {!50}{P 47}"},
    {0xe000, 0xff00, WB_SM_5X_6X, NULL, "38=0&8:8=255",
     "$interpolatea[{x 28:10}], $weights<47:4!=7?, {!50}{P 47}>"},
    {0xefa0, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "AL2P{32=/.O}{47:2@size} <44:3!=7?{P 44}, >{R 0}<8:8!=255?, {R 8}><8:8!=255&20:11!=0?, {s "
     "20:11}>"
     "<8:8=255&20:10!=0?, {x 20:10}>"},
    {0xefd0, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "ISBERD{32=/.O}{33:2=/.PATCH/.PRIM/.ATTR}{31=/.SKEW}{47:2=/.U16/.32/.???3} {R 0}, [{R 8}]"},
    {0xefd8, 0xfff8, WB_SM_5X_6X, NULL, "31=0&8:8!=255",
     "ALD{32=/.O}.PHYS{47:2@size} {R 0}, $attribute$vertex"},
    {0xefd8, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "ALD{32=/.O}{31=/.P}{47:2@size} {R 0}, $attribute$vertex"},
    {0xeff0, 0xfff8, WB_SM_5X_6X, NULL, "31=0&8:8!=255",
     "AST.PHYS{47:2@size} $attribute, {R 0}$vertex"},
    {0xeff0, 0xfff8, WB_SM_5X_6X, NULL, NULL, "AST{31=/.P}{47:2@size} $attribute, {R 0}$vertex"},
    {0xefe8, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "PIXLD{31:3=/.COVMASK/.COVERED/.OFFSET/.CENTROID_OFFSET/.MY_INDEX/.INVALID0/.INVALID1} "
     "{R 0}, <45:3!=7?{P 45}, >[<8:8!=255?{R 8}{o 20:8}><8:8=255&20:8=0?RZ><8:8=255&20:8!=0?{x "
     "20:8}>]"},
    {0xebe0, 0xfff8, WB_SM_5X_6X, NULL, NULL, "OUT.{39:2@stream} {R 0}, {R 8}, $constant"},
    {0xf6e0, 0xfef8, WB_SM_5X_6X, NULL, NULL, "OUT.{39:2@stream} {R 0}, {R 8}, {s 20:19,56:1}"},
    {0xfbe0, 0xfff8, WB_SM_5X_6X, NULL, NULL, "OUT.{39:2@stream} {R 0}, {R 8}, {R 20}"},
};

const struct wb_word_table wb_words64_graphics = {rows, ROW_COUNT, texts, TEXT_COUNT};
