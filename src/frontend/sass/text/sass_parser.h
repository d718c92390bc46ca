/* The state of one reading of machine code, which the parts of the front end share; what a cubin
 * has is put into it without lines (frontend/binary/cubin_code.c). A listing is read line by line
 * into statements; where a function ends, its statements become instructions; where the listing
 * ends, what needs all of it is added: targets of indexed branches, and which functions are
 * kernels.
 *
 * Every function of these parts that returns bool returns true, or false after the first error was
 * recorded; then its caller returns false as well. */
#ifndef WB_FRONTEND_SASS_SASS_PARSER_H
#define WB_FRONTEND_SASS_SASS_PARSER_H

#include "base/hash_table.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "model/code.h"

struct wb_sass_options;
struct wb_sass_met_opcode;

/* A piece of the listing, which is borrowed. */
struct wb_sass_piece {
  const char *text;
  size_t length;
};

/* One line of code as it stands. */
struct wb_sass_statement {
  struct wb_sass_piece guard; /* "!P0", without its @; empty for none */
  struct wb_sass_piece opcode;
  struct wb_sass_piece operands;   /* all of them, empty for none */
  struct wb_sass_piece annotation; /* between its quotes; empty for none */
  const char *text;                /* its line, or the part of the line that was kept */
  uint64_t encoding[2];            /* low, high */
  uint32_t address;                /* in bytes from the function's start */
  uint32_t line;                   /* in the listing, from 1 */
  uint32_t column;                 /* of `text` in that line, from 1 */
  uint32_t target;                 /* index of the instruction that it goes to + 1, where that is
                                      known without its operands; else 0 */
  uint32_t source_file;            /* index into code->files + 1; 0: not known */
  uint32_t source_line;            /* 0: not known */
  uint8_t encoding_count;          /* words of `encoding` that the listing has, 0 to 2 */
  bool opens;                      /* a brace: issues together with the next instruction */
  bool has_control;                /* `control` is known */
  struct wb_control_word control;
};

/* A label. */
struct wb_sass_label {
  struct wb_sass_piece name;
  uint32_t index; /* of the statement after it */
  uint32_t line;  /* in the listing */
};

/* A .nv.constant2 section: bytes first .. first + length - 1 of parser->constants. */
struct wb_sass_constants {
  struct wb_sass_piece function; /* the one that reads it */
  size_t first;
  size_t length;
  uint32_t sm;   /* of the module that it stands in; 0: not known */
  bool symbolic; /* some bytes stand for addresses that only the loader knows */
};

/* The attribute of a .nv.info section that is being read. */
struct wb_sass_info {
  struct wb_sass_piece function; /* whose section it is */
  uint32_t section;              /* its number, from 1 */
  struct wb_text bytes;          /* with format and number */
  bool symbolic;                 /* some of its payload are no numbers */
};

/* An attribute whose payload is words: first .. first + count - 1 of parser->words. */
struct wb_sass_attribute {
  struct wb_sass_piece function;
  uint32_t sm;      /* of the module that the function stands in; 0: not known */
  uint32_t section; /* as above */
  uint8_t number;   /* of EIATTR_... */
  size_t first;
  size_t count;
};

/* What a listing says of a function outside of its section of code. */
enum wb_sass_fact_kind { WB_SASS_REGISTERS, WB_SASS_SHARED_BYTES, WB_SASS_BARRIERS };

struct wb_sass_fact {
  struct wb_sass_piece function;
  uint32_t sm; /* of the module that it stands in; 0: not known */
  enum wb_sass_fact_kind kind;
  uint32_t value; /* UINT32_MAX: not known */
};

/* The attribute of section .nv.info, of all functions, that is being read. */
struct wb_sass_count {
  struct wb_sass_piece function; /* whom it is about; empty: nobody yet */
  uint32_t value;                /* its last word */
  size_t byte_count;             /* lines of bytes so far */
  bool registers;                /* it gives registers */
};

/* The section that the lines being read belong to. */
enum wb_sass_place {
  WB_SASS_OUTSIDE,   /* none of a function */
  WB_SASS_CODE,      /* a function's instructions */
  WB_SASS_CONSTANTS, /* a .nv.constant2 section */
  WB_SASS_INFO,      /* a .nv.info section of a function */
  WB_SASS_COUNTS,    /* the .nv.info section of all functions */
  WB_SASS_SHARED,    /* a .nv.shared section of a function */
  WB_SASS_DATA       /* another section */
};

/* Invariants: line_start <= line_end <= end. Statements and labels are those of the function
 * `name`; there are none where place is not WB_SASS_CODE. */
struct wb_sass_parser {
  const char *cursor;                    /* the next line */
  const char *end;                       /* of the listing */
  const char *line_start;                /* of the line being read */
  const char *line_end;                  /* of the line being read, before its newline */
  uint32_t line;                         /* its number, from 1 */
  const struct wb_sass_options *options; /* may be NULL */
  struct wb_code *code;                  /* what is being made */
  warpbound_error *error;                /* the first one */
  warpbound_status status;               /* of the first error */

  /* The module and the function whose lines are read. */
  enum wb_sass_place place;
  uint32_t sm;               /* as the last heading says; 0: none does */
  struct wb_sass_piece name; /* of the function */
  uint32_t name_line;        /* of its heading */
  bool kernel_head;          /* a directive calls the function a kernel */
  bool device_head;          /* a directive calls it a device function */
  bool sectioned;            /* the heading is that of a section */
  bool old_head;             /* the module's head is that of CUDA to 12 */
  bool relocatable;          /* the module is an object file */
  uint32_t registers;        /* of the function, as its section's head says; 0: it does not */
  uint32_t barriers;         /* the same; UINT32_MAX: it does not */
  bool eights;               /* an address is no multiple of 16: words of 64 bits */
  bool brace;                /* one is open */
  bool has_control_word;     /* control_word is one of this function */
  uint64_t control_word;     /* the last one */
  uint32_t control_block;    /* its address */
  bool chain;                /* the last line information goes on in the next line */
  uint32_t source_file;      /* of the last line information; see struct wb_instruction */
  uint32_t source_line;
  struct wb_sass_statement *statements;
  size_t statement_count, statement_capacity;
  struct wb_sass_label *labels;
  size_t label_count, label_capacity;

  /* Sections beside the code, of the whole listing. */
  struct wb_sass_constants *sections;
  size_t section_count, section_capacity;
  struct wb_text constants; /* the bytes of all constant sections */
  size_t zero_count;        /* bytes of `constants` that .zero stands for, which are limited */
  struct wb_sass_info info;
  struct wb_sass_attribute *attributes;
  size_t attribute_count, attribute_capacity;
  uint32_t *words; /* of all attributes */
  size_t word_count, word_capacity;

  struct wb_sass_count count;
  struct wb_sass_fact *facts;
  size_t fact_count, fact_capacity;

  /* Room in the code, and in the function being made. */
  size_t function_capacity;
  size_t file_capacity;
  size_t span_capacity;
  size_t operand_capacity;
  size_t target_capacity;
  size_t annotation_capacity;
  size_t copy_capacity;
  struct wb_hash_table file_table; /* of code->files */

  /* Of the whole listing, see sass_opcode_table.h. */
  struct wb_sass_met_opcode *opcodes;
  size_t opcode_count, opcode_capacity;
  struct wb_hash_table opcode_table;
};

#endif
