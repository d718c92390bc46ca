/* What several reports write alike: colours, names of kernels, why a result is an estimate, texts
 * that several kernels share, tables and long lines of plain text. */
#ifndef WB_REPORT_REPORT_WORDS_H
#define WB_REPORT_REPORT_WORDS_H

#include "base/list.h"
#include "base/text.h"
#include "cfg/simt/simt_options.h"
#include "model/code.h"
#include "model/estimate.h"
#include "warpbound.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wb_style { WB_STYLE_PLAIN, WB_STYLE_BOLD, WB_STYLE_FAINT, WB_STYLE_COUNT };

/* The escape that begins a style, or "" without colour. WB_STYLE_PLAIN ends one. */
const char *wb_style(enum wb_style style, bool colour);

/* The escape for a kind's word: proven green, published and estimates yellow. */
const char *wb_kind_style(warpbound_kind kind, bool colour);

/* Appends a text that was put together, which is freed; its failure is the text's. The same with
 * wb_text_clean. */
void wb_text_join(struct wb_text *text, struct wb_text *part);
void wb_text_join_clean(struct wb_text *text, struct wb_text *part);

/* An empty line, and a title in bold. Items `first` up to `end` as lines "  - ITEM", cleaned. */
void wb_text_title(struct wb_text *text, const char *title, bool colour);
void wb_text_items(struct wb_text *text, const struct wb_list *list, size_t first, size_t end);

/* Appends the demangled name, where there is one, else the name; without control characters. */
void wb_kernel_name_write(const char *name, struct wb_text *text);

/* Appends the name, and where it is mangled " [DEMANGLED]" behind it. */
void wb_kernel_name_write_both(const char *name, struct wb_text *text);

/* The same in bold, after an empty line. */
void wb_kernel_title(struct wb_text *text, const char *name, bool colour);

/* Adds the member "demangled" to an object that has the name, where it is mangled. object may be
 * NULL. */
void wb_kernel_name_json(json_t *object, const char *name);

/* Appends `before` and the source line of an instruction, "FILE:LINE" or "line LINE", cleaned;
 * nothing where it is not known. */
void wb_source_line_write(const struct wb_code *code, const struct wb_instruction *at,
                          const char *before, struct wb_text *text);

/* Puts "file" and "line" of an instruction into an object (wb_json_put), where they are known. */
void wb_source_line_put(json_t **object, const struct wb_code *code,
                        const struct wb_instruction *at);

/* Lines "what because: PLACE: REASON; to prove it: REMEDY", the first few; nothing where it is
 * none. what: "estimate". */
void wb_estimate_text(const struct wb_estimate *estimate, const char *what, bool colour,
                      struct wb_text *text);

/* The first reason in a line, and how many there are beside it: "PLACE: REASON; to prove it:
 * REMEDY; and 2 more reasons". Nothing where it is none. */
void wb_estimate_summary(const struct wb_estimate *estimate, struct wb_text *text);

/* A new reference; NULL where memory is out. A number that JSON's integers cannot hold becomes a
 * real one, rounded up. */
json_t *wb_number_json(uint64_t number);
/* Put a member into an object (wb_json_put): a number as above; a text of any bytes, cleaned; a
 * truth. */
void wb_put_number(json_t **object, const char *name, uint64_t number);
void wb_put_text(json_t **object, const char *name, const char *text);
void wb_put_flag(json_t **object, const char *name, bool flag);

/* Puts "estimate_reasons" into an object (wb_json_put) where it is an estimate: a list of objects
 * with name, reason, place and remedy. The member stands beside an end of kind estimate, in every
 * command. */
void wb_estimate_put(json_t **object, const struct wb_estimate *estimate);

/* Puts "reconvergence" and "masks" into an object (wb_json_put), each where it is not the default.
 */
void wb_barrier_options_put(json_t **object, const struct wb_simt_options *options);

/* The texts of one kernel. Borrowed. */
struct wb_kernel_list {
  const char *kernel;
  const struct wb_list *list;
};

/* Appends assumptions under a title, each once, in the order of their first kernel; behind one that
 * not all kernels have, in brackets, those that have it. Nothing where there is none. Frees the
 * array, whose NULL is no memory. */
void wb_assumptions_write(struct wb_kernel_list *lists, size_t count, bool colour,
                          struct wb_text *text);

/* Characters of a line of words. */
#define WB_TEXT_WIDTH 120
/* Columns that are aligned; cells behind them follow as they are. */
#define WB_TEXT_COLUMNS 10

/* Writes a table and frees its rows, of which each ends with a line feed and has its cells parted
 * by tabs: `indent` blanks before each row and two between columns, which are as wide as their
 * widest cell; no blanks at the end of a row. A row without a tab is a line of its own: it is
 * written as it stands and widens no column. */
void wb_text_columns(struct wb_text *text, size_t indent, struct wb_text *rows);

/* Writes the bytes from `from` to the end of the text anew, in lines of at most WB_TEXT_WIDTH bytes
 * broken at blanks: every line but the first has `indent` blanks before it. */
void wb_text_break(struct wb_text *text, size_t from, size_t indent);

#endif
