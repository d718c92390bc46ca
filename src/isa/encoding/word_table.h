/* Tables of machine words: from the bits of a SASS instruction to the text that NVIDIA's
 * disassembler prints for it. A table is data alone; isa/decoder/word_decoder.h decodes and prints
 * with it.
 *
 * The text of a row is literal but for these (no SASS text has braces of these kinds or < >):
 *
 *   {KIND FIELD}       an operand. FIELD is one part LO:WIDTH, or several with commas between, the
 *                      least significant first; without :WIDTH it has the kind's own width.
 *                      Behind it, in this order, any of: *N (times N), <<N (shifted left by N
 *                      bits), +N (plus N). Kinds:
 *     R    general register, 8 bits, 255 is RZ
 *     U    uniform register: 6 bits, 63 is URZ; from sm_100 on 8 bits, 255 is URZ
 *     P    predicate, 3 bits, 7 is PT
 *     UP   uniform predicate, 3 bits, 7 is UPT
 *     B    barrier register, 4 bits
 *     SB   scoreboard barrier, 3 bits
 *     x    unsigned, hexadecimal: 0x1f
 *     s    signed, hexadecimal: -0x10
 *     i    unsigned, decimal
 *     j    signed, decimal
 *     o    signed offset in an address: +0x10, +-0x10, nothing where it is 0
 *     f    single precision
 *     h    half precision
 *     d    double precision, of its upper 32 bits
 *     t    target: signed, from the next instruction's address
 *     T    target: an address
 *     m    the set bits of a mask, in braces, highest first: {3,1}; nothing where it is 0
 *   {FIELD=A/B/...}    the FIELD's value chooses among texts, which may be empty. N:TEXT gives the
 *                      text of value N, and those behind it of N+1 and on. ? is a value that the
 *                      disassembler calls INVALID; ! one that no instruction has: the row then does
 *                      not apply. Without :WIDTH one bit.
 *   {FIELD@LIST}       the same, of a list with a name.
 *   {-B} {!B} {~B} {|B}  that character where bit B is set.
 *   {r B}              .reuse where bit B is set
 *   <COND?TEXT>        TEXT where COND holds; groups nest. COND is FIELD=VALUE or FIELD!=VALUE,
 *                      several with & between: <81:3!=7&12=0?, {P 81}>
 *   $NAME              the macro NAME, or NAME/F where the row has the form F and there is one; a
 *                      name is letters and digits, longest first.
 *
 * Texts begin with the mnemonic; the guard is printed by the decoder: @P of the guard's field; @UP
 * where the text begins with ^ ; none where it begins with - . */
#ifndef WB_ISA_ENCODING_WORD_TABLE_H
#define WB_ISA_ENCODING_WORD_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Architectures that share encodings, as bits. */
enum wb_architectures {
  WB_MAXWELL_50 = 1 << 0,     /* sm_50 */
  WB_PASCAL = 1 << 1,         /* sm_60, 61, 62 */
  WB_VOLTA = 1 << 2,          /* sm_70, 72 */
  WB_TURING = 1 << 3,         /* sm_75 */
  WB_AMPERE = 1 << 4,         /* sm_80 */
  WB_AMPERE_86 = 1 << 5,      /* sm_86, 87, 88 */
  WB_ADA = 1 << 6,            /* sm_89 */
  WB_HOPPER = 1 << 7,         /* sm_90 */
  WB_BLACKWELL_100 = 1 << 8,  /* sm_100, 101, 110 */
  WB_BLACKWELL_120 = 1 << 9,  /* sm_120, 121 */
  WB_MAXWELL_52 = 1 << 10,    /* sm_52, 53 */
  WB_BLACKWELL_103 = 1 << 11, /* sm_103 */
  WB_MAXWELL = WB_MAXWELL_50 | WB_MAXWELL_52,
  WB_SM_5X_6X = WB_MAXWELL | WB_PASCAL,
  WB_BLACKWELL = WB_BLACKWELL_100 | WB_BLACKWELL_103,
  WB_FROM_BLACKWELL = WB_BLACKWELL | WB_BLACKWELL_120,
  WB_FROM_HOPPER = WB_HOPPER | WB_FROM_BLACKWELL,
  WB_FROM_ADA = WB_ADA | WB_FROM_HOPPER,
  WB_FROM_AMPERE_86 = WB_AMPERE_86 | WB_FROM_ADA,
  WB_FROM_AMPERE = WB_AMPERE | WB_FROM_AMPERE_86,
  WB_FROM_TURING = WB_TURING | WB_FROM_AMPERE,
  WB_FROM_VOLTA = WB_VOLTA | WB_FROM_TURING
};

/* One row: the words whose opcode field, under `mask`, is `opcode` and for which `where` holds. The
 * opcode field is bits 0 to 11 of a word of 128 bits and bits 48 to 63 of a word of 64. Of the
 * rows of one word the first one that applies counts, in the order of the family's tables. */
struct wb_word_row {
  uint16_t opcode;
  uint16_t mask;          /* 0: the whole field */
  uint16_t architectures; /* enum wb_architectures */
  const char *forms;      /* letters of the family's forms: the row stands for one row each, which
                           * adds the form's opcode and mask to its own; NULL: none */
  const char *where;      /* a COND, see above; NULL: any */
  const char *text;
};

/* A form of operands that many opcodes have: register, immediate, constant... */
struct wb_word_form {
  char letter;
  uint16_t opcode;
  uint16_t mask;
};

/* A text with a name: a macro ($NAME), or a list ({FIELD@NAME}: A/B/...). Where a list has no text
 * for a value it prints `otherwise`, in which %u is the value; NULL: INVALID%u. */
struct wb_word_text {
  const char *name;
  const char *text;
  const char *otherwise;
};

/* Rows of one subject, with the texts that they alone use. */
struct wb_word_table {
  const struct wb_word_row *rows;
  size_t row_count;
  const struct wb_word_text *texts;
  size_t text_count;
};

/* All of a family of encodings. */
struct wb_word_family {
  unsigned bits;      /* of a word: 64, 128 */
  unsigned opcode_at; /* the opcode field's lowest bit */
  unsigned opcode_width;
  unsigned guard_at; /* three bits of a predicate, then its negation */
  const struct wb_word_form *forms;
  size_t form_count;
  const struct wb_word_text *texts; /* of all its tables */
  size_t text_count;
  const struct wb_word_table *const *tables;
  size_t table_count;
};

extern const struct wb_word_family wb_words64;  /* Maxwell, Pascal */
extern const struct wb_word_family wb_words128; /* Volta and later */

#endif
