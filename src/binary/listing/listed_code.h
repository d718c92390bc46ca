/* The code of a cubin on its way to a listing or to instructions: texts, labels and names. */
#ifndef WB_BINARY_LISTING_LISTED_CODE_H
#define WB_BINARY_LISTING_LISTED_CODE_H

#include "base/text.h"
#include "binary/lines/line_table.h"
#include "isa/decoder/word_decoder.h"

/* In a section of words of 64 bits every fourth one is a control word: 21 bits for each of the
 * three behind it. */
enum { WB_CONTROL_PERIOD = 4, WB_CONTROL_BITS = 21 };

enum wb_issue {
  WB_ISSUE_PLAIN,
  WB_ISSUE_UNSPECIFIED, /* without a stall count: what fills up behind the code */
  WB_ISSUE_WITH_NEXT,   /* the first of two that Maxwell and Pascal issue together */
  WB_ISSUE_WITH_LAST,   /* the second of them */
  WB_ISSUE_CONTROL      /* no instruction: a control word of Maxwell and Pascal */
};

/* A word of a section of code. Texts are places in the code's texts. */
struct wb_listed_word {
  size_t text;
  uint32_t length;       /* with the guard */
  uint16_t guard_length; /* with the blank behind it */
  uint16_t issue;        /* enum wb_issue */
  size_t note;           /* text of an annotation: (*"..."*) */
  uint32_t note_length;  /* 0: none */
  uint32_t target;       /* number of the word of the section that it goes to + 1; 0: none, or what
                          * a linker fills in */
};

/* A symbol of the section: an index of the cubin's symbols. */
struct wb_listed_symbol {
  uint64_t address;
  size_t symbol;
  size_t function; /* the first of the function symbols from here on at the address; WB_CUBIN_NONE:
                    * none */
};

struct wb_listed_section {
  size_t number; /* of the cubin's section */
  const struct wb_cubin_section *section;
  struct wb_listed_word *words; /* word w is at address w * word_size */
  size_t word_count;
  uint32_t *labels;                 /* of each word and the end: its label's number + 1; 0: none */
  struct wb_listed_symbol *symbols; /* by address, the last of the symbol table first */
  size_t symbol_count;
};

/* All code of a cubin. Zero-initialise; wb_listed_code_free. */
struct wb_listed_code {
  const struct wb_cubin *cubin;
  struct wb_word_decoder *decoder;
  unsigned word_size; /* in bytes */
  struct wb_listed_section *sections;
  size_t section_count;
  uint32_t label_count;
  struct wb_text texts;
  size_t limit;     /* of a listing's bytes: long names, again and again, would have none */
  size_t out_limit; /* the length at which the text that it is appended to has had them */
};

/* Decodes all sections of code and numbers their labels. To be freed, also after an error. */
warpbound_status wb_listed_code_make(const struct wb_cubin *cubin, struct wb_listed_code *code,
                                     warpbound_error *error);
void wb_listed_code_free(struct wb_listed_code *code);

/* The error of a listing beyond code->limit. */
warpbound_status wb_listed_too_long(warpbound_error *error);

/* Word w, the lower half first. Of words of 64 bits the other holds the 21 bits of the control word
 * that are the instruction's. */
void wb_listed_bits(const struct wb_listed_code *code, const struct wb_listed_section *section,
                    size_t w, uint64_t word[2]);

/* The section of the number in the cubin, or NULL where that is none of code. */
struct wb_listed_section *wb_listed_section_numbered(const struct wb_listed_code *code,
                                                     size_t number);

/* Appends what names an address of a section: a symbol, or .L_x_12, which is made. is_end: the end
 * of a function, which a symbol at a control word there does not name. False: neither can be. */
bool wb_listed_append_name(struct wb_listed_code *code, struct wb_listed_section *section,
                           uint64_t address, bool is_end, struct wb_text *text);

/* What a listing of a section of code has, in its order. */
enum wb_listed_kind {
  WB_LISTED_LABEL,   /* .L_x_12 */
  WB_LISTED_SYMBOL,  /* a symbol at an address */
  WB_LISTED_SOURCE,  /* the source line that instructions are of, where it changes */
  WB_LISTED_CONTROL, /* a control word, whose encoding stands before the next instruction */
  WB_LISTED_WORD     /* an instruction */
};

struct wb_listed_item {
  enum wb_listed_kind kind;
  uint32_t label;
  const struct wb_cubin_symbol *symbol;
  const struct wb_line_row *row;
  size_t word;
};

/* A walk over a section of code (wb_listed_walk_start). */
struct wb_listed_walk {
  const struct wb_listed_code *code;
  const struct wb_listed_section *section;
  const struct wb_line_table *lines;
  size_t row;     /* the next one of the line table */
  size_t symbol;  /* the next one */
  size_t word;    /* the next one */
  uint64_t named; /* what is before it has its labels */
};

/* The next item; false at the end. */
bool wb_listed_next(struct wb_listed_walk *walk, struct wb_listed_item *item);

#endif
