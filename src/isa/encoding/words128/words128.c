/* Words of 128 bits (Volta and later): the family, its forms and the texts of all its tables. */
#include "isa/encoding/words128/words128.h"
#include "isa/encoding/words128/words128_special_registers.h"

static const struct wb_word_form forms[] = {
    {'1', 0x200, 0xe00}, /* B and C are registers */
    {'2', 0x400, 0xe00}, /* C is an immediate */
    {'3', 0x600, 0xe00}, /* C is a constant */
    {'4', 0x800, 0xe00}, /* B is an immediate */
    {'5', 0xa00, 0xe00}, /* B is a constant */
    {'6', 0xc00, 0xe00}, /* B is a uniform register */
    {'7', 0xe00, 0xe00}, /* C is a uniform register */
};

/* Operands A, B and C. A is a register at bit 24. At bit 32 is what the form is named after, an
 * immediate, a constant or a uniform register, be it B or C; the other of the two is a register
 * at bit 64. In form 1 B is a register at bit 32, C one at bit 64. An operand of forms 2 to 7 has
 * either of two bits for .reuse on sm_70; from sm_72 on only one of them is ever set.
 *
 *   $ra $b $c     plain
 *   $na $nb $nc   with a minus sign
 *   $fa $fb $fc   single precision, with a minus sign and bars
 *   $fa $db $dc   double precision, the same
 *   $v $nv $fv $dv, $constant    what is at bit 32, for texts of fewer operands; $spaced is a
 *                                constant as some words print it, with a space
 *   $f32 $d32 $h32 $b32          the same of words without .reuse: of single and double precision,
 *                                half precision and bfloat16
 *   $p81 $p84     a predicate that is set: bits 81, 84
 *   $p87          a predicate that is read: bit 87; $q87: nothing where it is PT
 *   @fcmp @bop    comparisons of floats, how predicates are combined */
static const struct wb_word_text texts[] = {
    {"ra", "{R 24}{r 122}", NULL},
    {"na", "{-72}{R 24}{r 122}", NULL},
    {"fa", "{-72}{|73}{R 24}{|73}{r 122}", NULL},
    {"constant", "<91=0?c[{x 54:5}][{s 40:14*4}]><91=1?cx[{U 32}][{x 40:14*4}]>", NULL},
    {"spaced", "<91=0?c[{x 54:5}] [{s 40:14*4}]><91=1?cx[{U 32}] [{x 40:14*4}]>", NULL},
    WB_AT_32("v", "", "", "{x 32:32}"),
    WB_AT_32("nv", "{-63}", "", "{x 32:32}"),
    WB_AT_32("fv", "{-63}{|62}", "{|62}", "{f 32:32}"),
    WB_AT_32("dv", "{-63}{|62}", "{|62}", "{d 32:32}"),
    {"b/1", "{R 32}{r 123}", NULL},
    {"nb/1", "{-63}{R 32}{r 123}", NULL},
    {"fb/1", "{-63}{|62}{R 32}{|62}{r 123}", NULL},
    {"db/1", "{-63}{|62}{R 32}{|62}{r 123}", NULL},
    WB_B_AND_C("", "", ""),
    WB_B_AND_C("n", "{-75}", ""),
    WB_B_AND_C("f", "{-75}{|74}", "{|74}"),
    WB_B_AND_C("d", "{-75}{|74}", "{|74}"),
    {"f32", "$fv", NULL},
    {"f32/1", "{-63}{|62}{R 32}{|62}", NULL},
    {"d32", "$f32", NULL},
    {"d32/4", "$dv", NULL},
    {"h32", "{-63}{|62}$h32x{60:2=/.H1/?}{|62}", NULL},
    {"h32x/1", "{R 32}", NULL},
    {"h32x/5", "$spaced", NULL},
    {"h32x/6", "{U 32}", NULL},
    {"h32/4", "{h 32:16}", NULL},
    {"b32", "$h32", NULL},
    {"b32/4", "{f 32:16<<16}", NULL},
    {"p81", "{P 81}", NULL},
    {"p84", "{P 84}", NULL},
    {"p87", "{!90}{P 87}", NULL},
    {"q87", "<87:4!=7?, {!90}{P 87}>", NULL},
    {"fcmp", ".F/.LT/.EQ/.LE/.GT/.NE/.GE/.NUM/.NAN/.LTU/.EQU/.LEU/.GTU/.NEU/.GEU/.T", NULL},
    {"bop", ".AND/.OR/.XOR", NULL},
    WB_SPECIAL_REGISTER_LISTS,
};

static const struct wb_word_table *const tables[] = {
    &wb_words128_integer,    &wb_words128_uniform, &wb_words128_float,  &wb_words128_half,
    &wb_words128_conversion, &wb_words128_tensor,  &wb_words128_memory, &wb_words128_texture,
    &wb_words128_async,      &wb_words128_control, &wb_words128_warp,
};

const struct wb_word_family wb_words128 = {
    .bits = 128,
    .opcode_at = 0,
    .opcode_width = 12,
    .guard_at = 12,
    .forms = forms,
    .form_count = sizeof forms / sizeof *forms,
    .texts = texts,
    .text_count = sizeof texts / sizeof *texts,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};
