/* What the parts of the SASS front end share: the state of one parse. A listing is read line
 * by line into statements; where a function ends, its statements become instructions; where
 * the listing ends, what needs all of it is added: targets of indexed branches, and which
 * functions are kernels.
 *
 * Every function that returns bool returns true, or false after the first error was
 * recorded; then the caller returns false as well. */
#ifndef WB_FRONTEND_SASS_SASS_PARSER_H
#define WB_FRONTEND_SASS_SASS_PARSER_H

#include "base/hash_table.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "frontend/sass/sass_front_end.h"
#include "isa/sass_opcodes.h"

/* A piece of the listing, which is borrowed. */
struct wb_sass_piece {
  const char *text;
  size_t length;
};

/* One instruction line, as it stands. */
struct wb_sass_statement {
  struct wb_sass_piece guard; /* "!P0", without its @; empty for none */
  struct wb_sass_piece opcode;
  struct wb_sass_piece operands;
  struct wb_sass_piece annotation; /* between its quotes; empty for none */
  const char *line_start;
  uint64_t encoding[2];
  uint32_t address;
  uint32_t line;
  uint32_t source_file;
  uint32_t source_line;
  uint8_t encoding_count;
  bool opens; /* a brace: issues together with the next instruction */
  bool has_control;
  struct wb_control_word control;
};

/* A label before the instruction of that index. */
struct wb_sass_label {
  struct wb_sass_piece name;
  uint32_t index;
  uint32_t line;
};

/* A .nv.constant2 section: bytes first .. first + length - 1 of parser->constants; symbolic: some
 * of them stand for what only the loader knows. */
struct wb_sass_constants {
  struct wb_sass_piece function; /* whose it is */
  size_t first;
  size_t length;
  uint32_t sm;
  bool symbolic;
};

/* An attribute of a .nv.info section, as far as it was read. */
struct wb_sass_info {
  struct wb_sass_piece function;
  uint8_t bytes[16];
  size_t count;
};

/* A parameter of a function. */
struct wb_sass_parameter {
  struct wb_sass_piece function;
  uint32_t sm;
  struct wb_parameter row;
};

/* What the lines that are being read belong to. */
enum wb_sass_place {
  WB_SASS_OUTSIDE,   /* no function */
  WB_SASS_CODE,      /* a function's instructions */
  WB_SASS_CONSTANTS, /* a .nv.constant2 section */
  WB_SASS_INFO,      /* a .nv.info section of a function */
  WB_SASS_DATA       /* another section */
};

/* Invariants: line_start <= line_end <= end; statements and labels are those of the function
 * `name`, none where place is not WB_SASS_CODE. */
struct wb_sass_parser {
  const char *cursor; /* the next line */
  const char *end;
  const char *line_start;
  const char *line_end;
  uint32_t line;
  const struct wb_sass_options *options; /* may be NULL */
  struct wb_code *code;
  warpbound_error *error;
  warpbound_status status; /* of the first error */

  enum wb_sass_place place;
  uint32_t sm; /* what the last heading said; 0: none did */
  struct wb_sass_piece name;
  uint32_t name_line;
  bool kernel_head; /* a directive calls the function a kernel */
  bool device_head; /* ... or that it is none */
  bool eights;      /* an address is no multiple of 16: words of 64 bits */
  bool brace;       /* one is open */
  uint64_t control_word;
  uint32_t control_block; /* the address of control_word */
  bool has_control_word;
  bool chain; /* the last line information goes on in the next line */
  uint32_t source_file;
  uint32_t source_line;

  struct wb_sass_statement *statements;
  size_t statement_count, statement_capacity;
  struct wb_sass_label *labels;
  size_t label_count, label_capacity;
  struct wb_sass_constants *sections;
  size_t section_count, section_capacity;
  struct wb_text constants;
  struct wb_sass_info info;
  struct wb_sass_parameter *parameters;
  size_t parameter_count, parameter_capacity;
  size_t zero_count; /* bytes of `constants` that no text stands for */
  size_t function_capacity;
  size_t span_capacity, target_capacity; /* of the function being made */
  size_t file_capacity;
  struct wb_hash_table file_table; /* of code->files */
};

/* --- errors, memory, text (sass_parser.c) --- */

/* Records an error at a place. */
bool wb_sass_error(struct wb_sass_parser *parser, size_t line, size_t column, const char *format,
                   ...) WB_PRINTF(4, 5);
/* Records "expected X, found Y" at a piece of the line line_start, which is shortened. */
bool wb_sass_expected(struct wb_sass_parser *parser, size_t line, const char *line_start,
                      struct wb_sass_piece found, const char *what);
bool wb_sass_out_of_memory(struct wb_sass_parser *parser);
/* Fails where a piece of the line being read has a byte that is no blank and not printable:
 * names and operands go to terminals and files. */
bool wb_sass_printable(struct wb_sass_parser *parser, struct wb_sass_piece piece);
/* A zero-ended copy among the code's names; NULL where memory is out. */
const char *wb_sass_keep(struct wb_sass_parser *parser, struct wb_sass_piece piece);

struct wb_sass_piece wb_sass_trim(const char *text, const char *end);
bool wb_sass_begins(struct wb_sass_piece piece, const char *prefix);
bool wb_sass_equal(struct wb_sass_piece piece, const char *other);
bool wb_sass_same(struct wb_sass_piece one, struct wb_sass_piece other);
/* One to sixteen hexadecimal digits and nothing else. */
bool wb_sass_hexadecimal(struct wb_sass_piece piece, uint64_t *value);
/* The comment that a text begins with, trimmed; *text is then what follows it. False where
 * it begins with none that ends. */
bool wb_sass_comment(struct wb_sass_piece *text, struct wb_sass_piece *comment);

/* --- lines --- */

/* The whole listing, its last function included (sass_listing.c). */
bool wb_sass_listing(struct wb_sass_parser *parser);
/* A line of a section, what is behind its address (sass_line.c). */
bool wb_sass_instruction_line(struct wb_sass_parser *parser, uint64_t address,
                              struct wb_sass_piece rest);
/* A line that is an encoding alone (sass_control.c). */
bool wb_sass_encoding_line(struct wb_sass_parser *parser, uint64_t encoding,
                           struct wb_sass_piece line);
/* Control information of a statement, from the last control word, or from attributes
 * ("&wr=0x0 ?trans1"), where they have it (sass_control.c). */
void wb_sass_control_from_word(const struct wb_sass_parser *parser,
                               struct wb_sass_statement *statement);
void wb_sass_control_from_attributes(struct wb_sass_statement *statement,
                                     struct wb_sass_piece attributes);
/* `//## File "a.cu", line 3 inlined at ...` (sass_source.c). */
bool wb_sass_source_line(struct wb_sass_parser *parser, struct wb_sass_piece line);
/* A line of a .nv.constant2 section, what is behind its address (sass_constants.c). */
bool wb_sass_constant_line(struct wb_sass_parser *parser, struct wb_sass_piece rest);

/* --- functions --- */

/* The function whose lines were read, where there is one, becomes machine code
 * (sass_function.c). */
bool wb_sass_finish_function(struct wb_sass_parser *parser);
/* The instruction of statement `index`: what it reads and writes, and where it goes
 * (sass_instruction.c). The function's instructions have their addresses. */
bool wb_sass_make_instruction(struct wb_sass_parser *parser, struct wb_function *function,
                              size_t index, enum wb_sass_family family);

/* --- targets (sass_target.c) --- */

/* Orders names. */
int wb_sass_compare(struct wb_sass_piece one, struct wb_sass_piece other);

/* The function's labels become ready to be looked up. */
void wb_sass_sort_labels(struct wb_sass_parser *parser);
/* The index of a label's instruction; SIZE_MAX where there is none. */
size_t wb_sass_find_label(const struct wb_sass_parser *parser, struct wb_sass_piece name);
/* The index of the instruction that a target names; SIZE_MAX where there is none. At a
 * multiple of 0x20 may stand a control word: its instruction is the next one. */
size_t wb_sass_target_at(const struct wb_function *function, uint64_t address);
/* Appends a target. */
bool wb_sass_add_target(struct wb_sass_parser *parser, struct wb_function *function,
                        size_t *capacity, size_t index);
/* The targets of `(*"BRANCH_TARGETS .L_x_1,.L_x_2"*)`. */
bool wb_sass_annotation(struct wb_sass_parser *parser, struct wb_function *function,
                        const struct wb_sass_statement *statement,
                        struct wb_instruction *instruction);

/* --- the whole listing --- */

/* Constant sections become ready to be looked up (sass_constants.c). */
void wb_sass_sort_constants(struct wb_sass_parser *parser);
/* The bytes of a function's .nv.constant2 section; empty where the listing has none. */
struct wb_sass_piece wb_sass_constants_of(const struct wb_sass_parser *parser,
                                          const struct wb_function *function);
/* Puts them into the function, where all are numbers. */
bool wb_sass_keep_constants(struct wb_sass_parser *parser, struct wb_function *function);

/* --- parameters (sass_parameters.c) --- */

void wb_sass_begin_info(struct wb_sass_parser *parser, struct wb_sass_piece function);
/* A line of such a section behind its address; what is not understood is passed over. */
bool wb_sass_info_line(struct wb_sass_parser *parser, struct wb_sass_piece rest);
/* Puts them into the functions. */
bool wb_sass_keep_parameters(struct wb_sass_parser *parser);
/* Targets of indexed branches that have none yet: from tables, then from the user
 * (sass_table.c). */
bool wb_sass_indexed_branches(struct wb_sass_parser *parser);
/* Indexed branches without targets that call code outside the listing (sass_outside.c). */
void wb_sass_outside_calls(struct wb_sass_parser *parser);
/* Which functions are kernels, where no directive says it (sass_kind.c). */
bool wb_sass_kinds(struct wb_sass_parser *parser);

#endif
