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

/* A word or two of constant bank 4 (section .nv.constant4 of a module), into which the loader
 * writes the address of a function or a variable. */
struct wb_sass_address {
  const char *name; /* in the code's names */
  uint32_t module;  /* see parser->module_starts */
  uint32_t offset;
  uint32_t size; /* bytes of the address: 4 (of code before Volta) or 8 */
};

/* A function whose address a module takes, other than to call it at once. */
struct wb_sass_taken {
  const char *name; /* in the code's names */
  uint32_t module;  /* see parser->module_starts */
};

/* A module that was read as a cubin. */
struct wb_sass_cubin {
  uint32_t module; /* see parser->module_starts */
  uint32_t sm;
  bool relocatable;
  uint32_t first, count; /* of code->called, once they stand there: the functions whose addresses
                          * are taken where its calls may get them; count 0: they do not */
};

/* The attribute of a .nv.info section that is being read. */
struct wb_sass_info {
  struct wb_sass_piece function; /* whose section it is */
  bool of_all;                   /* it is that of all functions, which gives their registers */
  uint32_t section;              /* its number, from 1 */
  struct wb_text bytes;          /* with format and number */
  struct wb_sass_piece named;    /* the symbol in it */
  bool symbolic;                 /* some of its payload are no numbers */
};

/* What a listing says of a function outside of its section of code: an attribute, whose payload is
 * words first .. first + count - 1 of parser->words, or a fact of one word. */
struct wb_sass_note {
  struct wb_sass_piece function;
  uint32_t sm;      /* of the module that the function stands in; 0: not known */
  uint32_t section; /* of an attribute: see struct wb_sass_info; 0: a fact */
  uint16_t number;  /* of EIATTR_..., or an enum wb_sass_fact */
  size_t first;
  size_t count;
};

/* Facts; UINT32_MAX: not known. */
enum wb_sass_fact { WB_SASS_REGISTERS, WB_SASS_SHARED_BYTES, WB_SASS_BARRIERS };

/* The section that the lines being read belong to. */
enum wb_sass_place {
  WB_SASS_OUTSIDE,   /* none of a function */
  WB_SASS_CODE,      /* a function's instructions */
  WB_SASS_CONSTANTS, /* a .nv.constant2 section */
  WB_SASS_ADDRESSES, /* a .nv.constant4 section */
  WB_SASS_INFO,      /* a .nv.info section, of a function or of all */
  WB_SASS_SHARED,    /* a .nv.shared section of a function */
  WB_SASS_DATA       /* another section */
};

/* Invariants: line_start <= line_end. Statements and labels are those of the function
 * `name`; there are none where place is not WB_SASS_CODE. */
struct wb_sass_parser {
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
  uint32_t module;           /* counts the modules; more than one number for each is no matter */
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
  uint32_t *module_starts;  /* by head of a module: functions that stand before it; ascending */
  size_t module_count, module_capacity;
  struct wb_sass_address *addresses; /* of all modules, in the order in which they are met */
  size_t address_count, address_capacity;
  struct wb_sass_taken *taken; /* by module */
  size_t taken_count, taken_capacity;
  struct wb_sass_cubin *cubins; /* by module */
  size_t cubin_count, cubin_capacity;
  struct wb_sass_info info;
  struct wb_sass_note *notes;
  size_t note_count, note_capacity;
  uint32_t *words; /* of all notes */
  size_t word_count, word_capacity;

  /* Room in the code, and in the function being made. */
  size_t function_capacity;
  size_t file_capacity;
  size_t span_capacity;
  size_t operand_capacity;
  size_t target_capacity;
  size_t annotation_capacity;
  size_t copy_capacity;
  size_t called_capacity;
  struct wb_hash_table file_table; /* of code->files */

  /* Of the whole listing, see sass_instruction.c. */
  struct wb_sass_met_opcode *opcodes;
  size_t opcode_count, opcode_capacity;
  struct wb_hash_table opcode_table;
};

/* ---- sass_front_end.c: pieces of a listing, and errors at them ---- */

/* Records an error at a place. */
bool wb_sass_error(struct wb_sass_parser *parser, size_t line, size_t column, const char *format,
                   ...) WB_PRINTF(4, 5);
/* Records "expected X, found Y" at a piece of the line being read, which is shortened. */
bool wb_sass_expected(struct wb_sass_parser *parser, struct wb_sass_piece found, const char *what);
/* The same at a column of any line. */
bool wb_sass_expected_at(struct wb_sass_parser *parser, size_t line, size_t column,
                         struct wb_sass_piece found, const char *what);
bool wb_sass_out_of_memory(struct wb_sass_parser *parser);
/* Fails where a piece at a column of the line parser->line has a byte that is no blank and not
 * printable: names and operands go to terminals and files. */
bool wb_sass_printable(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece piece);
/* The column of a piece of the line being read. */
size_t wb_sass_column(const struct wb_sass_parser *parser, struct wb_sass_piece piece);
/* A zero-ended copy among the code's names; NULL where memory is out. */
const char *wb_sass_keep(struct wb_sass_parser *parser, struct wb_sass_piece piece);

/* The text up to `end` without the blanks around it. */
struct wb_sass_piece wb_sass_trim(const char *text, const char *end);
/* The same of what follows the first `length` bytes of a piece. */
struct wb_sass_piece wb_sass_after(struct wb_sass_piece piece, size_t length);

bool wb_sass_begins(struct wb_sass_piece piece, const char *prefix);
bool wb_sass_contains(struct wb_sass_piece piece, const char *word);
bool wb_sass_equal(struct wb_sass_piece piece, const char *other);
bool wb_sass_same(struct wb_sass_piece one, struct wb_sass_piece other);

/* Orders names. */
int wb_sass_compare(struct wb_sass_piece one, struct wb_sass_piece other);

/* ---- sass_listing.c ---- */

/* Reads a whole listing; its last function is ended too. Linear. */
bool wb_sass_listing(struct wb_sass_parser *parser, const char *text, size_t length);

/* ---- sass_front_end.c: functions, of a listing or of a cubin, and their labels ---- */

/* Begins a function, whose name stands at that column of line parser->line. */
bool wb_sass_begin_function(struct wb_sass_parser *parser, size_t column,
                            struct wb_sass_piece name);

/* Adds the function parser->name, with room for parser->statement_count instructions; NULL where
 * memory is out. */
struct wb_function *wb_sass_add_function(struct wb_sass_parser *parser);

/* Adds a label at line parser->line, before the instruction of that index. */
bool wb_sass_add_label(struct wb_sass_parser *parser, struct wb_sass_piece name, size_t index);

/* Gives a function the labels that were added, and sorts these for wb_sass_find_label. */
bool wb_sass_keep_labels(struct wb_sass_parser *parser, struct wb_function *function);

/* Ends the function whose lines were read: its statements become instructions. None may be missing.
 * Near linear in its lines. */
bool wb_sass_finish_function(struct wb_sass_parser *parser);

/* The index of a label's instruction; SIZE_MAX where there is none. */
size_t wb_sass_find_label(const struct wb_sass_parser *parser, struct wb_sass_piece name);

/* The index of the instruction that an address names; SIZE_MAX where there is none. A control word
 * may stand at a multiple of 0x20: the instruction is then the next one. */
size_t wb_sass_target_at(const struct wb_function *function, uint64_t address);

/* Appends an instruction's index to the function's targets. */
bool wb_sass_add_target(struct wb_sass_parser *parser, struct wb_function *function,
                        size_t *capacity, size_t index);

/* The control information of an instruction, 21 bits. */
struct wb_control_word wb_sass_control(uint64_t bits);

/* The index of a file among code->files + 1, which it is added to. */
bool wb_sass_file_index(struct wb_sass_parser *parser, struct wb_sass_piece name, uint32_t *index);

/* Whether a file's name, which may be in any encoding, has control characters: none may. */
bool wb_sass_has_controls(struct wb_sass_piece name);

/* ---- sass_instruction.c, sass_copies.c ---- */

/* Makes the instruction `index` of a statement: its operands, registers, guard, control transfer
 * and targets. All of the function's instructions have their addresses already. */
bool wb_sass_make_instruction(struct wb_sass_parser *parser, struct wb_function *function,
                              const struct wb_sass_statement *statement, size_t index);

/* Appends to the function's copies (struct wb_copy) what the instruction of that index, from Volta
 * on, whose opcode and operands are set, puts unchanged elsewhere: one a word; none where it
 * computes, or where it is not known that all bits stay. */
bool wb_sass_add_copies(struct wb_sass_parser *parser, struct wb_function *function, size_t index);

/* ---- sass_sections.c: what sections beside the code say of functions ---- */

/* Begins the .nv.constant2 section of a function. */
bool wb_sass_begin_constants(struct wb_sass_parser *parser, struct wb_sass_piece function);

/* Appends zeros to it. They are limited, for a short line could ask for any memory; text: their
 * number, at that column of line parser->line. */
bool wb_sass_add_zeros(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece text,
                       uint64_t count);

/* Reads a line of a .nv.constant2 section; `rest` is what follows its address. */
bool wb_sass_constant_line(struct wb_sass_parser *parser, struct wb_sass_piece rest);

/* Sorts the constant sections for the look-up below. */
void wb_sass_sort_constants(struct wb_sass_parser *parser);

/* The bytes of a function's .nv.constant2 section, empty where the listing has none; the function
 * gets a copy where all of them are numbers. */
bool wb_sass_keep_constants(struct wb_sass_parser *parser, struct wb_function *function,
                            struct wb_sass_piece *bytes);

/* Begins another module, whose functions come next. */
bool wb_sass_begin_module(struct wb_sass_parser *parser);

/* Adds an address of the module's constant bank 4: that at the offset, of 4 or 8 bytes, is the
 * symbol's. */
bool wb_sass_add_address(struct wb_sass_parser *parser, uint64_t offset, uint32_t size,
                         struct wb_sass_piece name);

/* Says that the module is a cubin, whose relocations name all functions whose addresses it takes;
 * adds one of these. */
bool wb_sass_note_cubin(struct wb_sass_parser *parser, bool relocatable);
bool wb_sass_add_taken(struct wb_sass_parser *parser, struct wb_sass_piece name);

/* Reads a line of a .nv.constant4 section; `rest` is what follows its address, `offset`. */
bool wb_sass_address_line(struct wb_sass_parser *parser, uint64_t offset,
                          struct wb_sass_piece rest);

/* Begins the .nv.info section of a function, or that of all functions. */
void wb_sass_begin_info(struct wb_sass_parser *parser, struct wb_sass_piece function, bool of_all);

/* Adds an attribute of the section, which begins with format and number. */
bool wb_sass_add_attribute(struct wb_sass_parser *parser, const unsigned char *bytes,
                           size_t length);

/* Ends the attribute before, and begins the next one; also where the section ends. */
bool wb_sass_next_attribute(struct wb_sass_parser *parser);

/* Reads a line of data of an attribute; `rest` is what follows its address. */
bool wb_sass_attribute_line(struct wb_sass_parser *parser, struct wb_sass_piece rest);

/* Reads `.zero 1152` of a function's section .nv.shared, whose fact was the last note. */
void wb_sass_shared_line(struct wb_sass_parser *parser, struct wb_sass_piece line);

/* Notes a fact of a function. */
bool wb_sass_note(struct wb_sass_parser *parser, struct wb_sass_piece function,
                  enum wb_sass_fact fact, uint32_t value);

/* Gives the functions what all notes say. Error: a function whose exits are not those that its
 * section lists. */
bool wb_sass_keep_notes(struct wb_sass_parser *parser);

/* ---- sass_indexed_branches.c: once all code was read ---- */

/* Gives targets to indexed branches that have none yet: from jump tables, then from the options. */
bool wb_sass_indexed_branches(struct wb_sass_parser *parser);

/* ---- sass_calls.c: once all code was read ---- */

/* Finds the indexed branches without targets that are calls of code outside the listing. */
void wb_sass_outside_calls(struct wb_sass_parser *parser);

/* Names what calls by register call, where constant bank 4 says it, and gives those of places in
 * constant bank 2 their targets; calls that never return end their lanes. */
bool wb_sass_name_calls(struct wb_sass_parser *parser);

#endif
