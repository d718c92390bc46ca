/* Words of 64 bits (Maxwell and Pascal): the family, its forms and the texts of all its tables. */
#include "isa/encoding/words64/words64.h"

/* The forms hold bits 59 to 63 of a word; of the form I they hold bits 60 to 63, because its bit 56
 * is the immediate's sign and the opcode's bits from 56 on lie one higher: WB_ROWS_I. */
static const struct wb_word_form forms[] = {
    {'R', 0x5800, 0xf800}, /* B and C are registers */
    {'C', 0x4800, 0xf800}, /* B is a constant */
    {'D', 0x5000, 0xf800}, /* C is a constant, B is the register behind it */
    {'I', 0x3000, 0xf000}, /* B is an immediate */
};

#define CONSTANT "c[{x 34:5}][{s 20:14*4}]"

static const struct wb_word_text texts[] = {
    {"rd", "{R 0}", NULL},
    {"rdcc", "{R 0}{47=/.CC}", NULL}, /* which also sets the condition code */
    {"ra", "{R 8}", NULL},
    {"rb", "{R 20}", NULL},
    {"rb/C", CONSTANT, NULL},
    {"rb/D", "{R 39}", NULL},
    {"rb/I", "{s 20:19,56:1}", NULL},
    {"fb", "{R 20}", NULL}, /* B of single precision */
    {"fb/C", CONSTANT, NULL},
    {"fb/D", "{R 39}", NULL},
    {"fb/I", "{f 20:19,56:1<<12}", NULL},
    {"db", "{R 20}", NULL}, /* B of double precision */
    {"db/C", CONSTANT, NULL},
    {"db/D", "{R 39}", NULL},
    {"db/I", "{d 20:19,56:1<<12}", NULL},
    {"rc", "{R 39}", NULL},
    {"rc/D", CONSTANT, NULL},
    /* Marks of operands whose registers are kept for the next instruction. Behind a word stand its
     * 21 bits of the bundle's control word, so that the marks of A, B and C are bits 81 to 83. */
    {"reusea", "{r 81}", NULL},
    {"reuseb", "{r 82}", NULL},
    {"reuseb/C", "", NULL},
    {"reuseb/I", "", NULL},
    {"reusec", "{r 83}", NULL},
    {"reusec/D", "", NULL},
    {"reusesum", "{r 83}", NULL}, /* B of a sum of floating point */
    {"reusesum/C", "", NULL},
    {"reusesum/I", "", NULL},
    {"ka", "$ra$reusea", NULL}, /* A, B and C with their marks */
    {"kb", "$rb$reuseb", NULL},
    {"kc", "$rc$reusec", NULL},
    {"constant", CONSTANT, NULL},
    {"spaced", "c[{x 34:5}] [{s 20:14*4}]", NULL}, /* a constant of which a part may be selected */
    {"pc", "{!42}{P 39}", NULL},                   /* a source predicate */
    {"pd", "{P 3}", NULL},                         /* two destination predicates */
    {"pe", "{P 0}", NULL},
    {"bop", "AND/OR/XOR/INVALIDBOP3", NULL}, /* joins predicates */
    {"cctest",                               /* of the condition code */
     "F/LT/EQ/LE/GT/NE/GE/NUM/NAN/LTU/EQU/LEU/GTU/NEU/GEU/T/OFF/LO/SFF/LS/HI/SFT/HS/OFT/CSM_TA/"
     "CSM_TR/CSM_MX/FCSM_TA/FCSM_TR/FCSM_MX/RLE/RGT",
     NULL},
};

static const struct wb_word_table *const tables[] = {
    &wb_words64_integer, &wb_words64_float,  &wb_words64_conversion,
    &wb_words64_video,   &wb_words64_memory, &wb_words64_texture,
    &wb_words64_control, &wb_words64_warp,   &wb_words64_graphics,
};

const struct wb_word_family wb_words64 = {
    .bits = 64,
    .opcode_at = 48,
    .opcode_width = 16,
    .guard_at = 16,
    .forms = forms,
    .form_count = sizeof forms / sizeof *forms,
    .texts = texts,
    .text_count = sizeof texts / sizeof *texts,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};
