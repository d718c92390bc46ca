/* Flow fact files (doc/flow-facts.md): one fact a line; '#' begins a comment; a word in quotes may
 * hold blanks.
 *
 *   kernel NAME
 *   checksum NUMBER                    of the kernel's code
 *   loop PLACE bound N [per entry of PLACE] [per thread|per warp]
 *   run PLACE at most N [per entry of PLACE] [per thread|per warp]
 *   run PLACE never
 *   loops cas|atomic|load|clock|spin bound N [per thread|per warp]
 *   call NAME|ADDRESS takes N
 *   load PLACE at least N | at most N | from A to B | unchanged
 *   value PLACE at least N | at most N | from A to B
 *   equal PLACE PLACE ... [per thread|per warp]
 *   exclusive PLACE PLACE ... per warp
 *
 * PLACE is an address (0x0148), FILE:LINE, both as 0x0148@FILE:LINE, or a label; of loads also a
 * parameter with the pointer that addresses are based on, param_2 or param:0x10 (its offset). */
#ifndef WB_FORMATS_FLOW_FACTS_FLOW_FACTS_FILE_H
#define WB_FORMATS_FLOW_FACTS_FLOW_FACTS_FILE_H

#include "base/name_pool.h"
#include "base/status.h"
#include "base/text.h"
#include "formats/flow_facts/fact_words.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a whole file; any bytes may be given. `name` is the file's, for messages. The caller frees
 * the facts with wb_flow_facts_free. Errors: WARPBOUND_INVALID_INPUT with line and column, the word
 * that was expected and the one found; WARPBOUND_INTERNAL; with nothing to free. Linear in length,
 * but for kernels, which are looked up by name. */
warpbound_status wb_flow_facts_parse(const char *name, const char *text, size_t length,
                                     struct wb_flow_facts *facts, warpbound_error *error);

/* The writers below write whole lines but for the place; the caller checks text->failed. Names
 * without line ends and quotes are read back as they were. */

/* Begins the facts of a kernel: an empty line, its name and its checksum. */
void wb_flow_facts_write_kernel(const char *kernel, uint64_t checksum, struct wb_text *text);

/* Writes a fact. places: its fact->place_count places. */
void wb_flow_facts_write_fact(const struct wb_flow_fact *fact, const struct wb_place *places,
                              struct wb_text *text);

/* Writes a loop whose bound is to be filled in: a '?' in its place, which the reader refuses. */
void wb_flow_facts_write_open_loop(const struct wb_place *place, struct wb_text *text);

/* Writes a place as one word, in quotes where it has to be. */
void wb_flow_facts_write_place(const struct wb_place *place, struct wb_text *text);

/* ---- places ---- */

/* A place in the text that it was read from: its names are not ended by a zero byte. */
struct wb_place_words {
  const char *file; /* of source_line; NULL: none */
  size_t file_length;
  const char *label; /* NULL: none */
  size_t label_length;
  uint32_t source_line; /* 0: none */
  uint32_t address;     /* of use where has_address */
  bool has_address;
};

/* Reads a word that is not empty. False for an address with '@' and no FILE:LINE after it. */
bool wb_place_words_read(const char *text, size_t length, struct wb_place_words *place);

/* ---- loop bounds in source files, as comments or pragmas beside the loops ---- */

/* The bound of a loop whose condition stands in a line. */
struct wb_source_bound {
  uint32_t line;          /* from 1 */
  uint64_t bound;         /* most back edges for each entry of a thread; without `expression` */
  const char *expression; /* the bound, of names of parameters (wb_expression_evaluate), in the
                             pool of the bounds; or NULL */
  uint32_t at_line, at_column; /* where its first word stands, from 1 */
  bool at_loop;                /* the line has a word of a loop: for, while, do */
};

/* A comment that looks like a bound and is none, or is not the one that counts. */
struct wb_source_remark {
  uint32_t line, column;
  const char *expected; /* what would make it one; static */
};

/* Invariant: lines of bounds ascend, each once. Zero-initialise; free with wb_source_bounds_free.
 */
struct wb_source_bounds {
  struct wb_source_bound *items;
  size_t count, capacity;
  struct wb_source_remark *remarks;
  size_t remark_count, remark_capacity;
  struct wb_name_pool texts;
};

/* Reads the bounds of a source file, which is not parsed otherwise:
 *
 *   // loopbound 15                 a comment of either kind; also "loop bound 15"
 *   // loopbound = (n + 7) / 8      an expression (wb_expression_evaluate); also with ':'
 *   // warpbound: loop <= n / 8     the same; what is no expression is an error
 *   WARPBOUND_LOOP(n / 8)           the same in code (include/warpbound_annotations.h)
 *   #pragma loopbound min 0 max 15
 *   _Pragma("loopbound min 0 max 15")
 *
 * The pragmas are those of TACLeBench and give the most iterations of the body, of which no loop
 * has fewer than back edges. A bound is of the loop in its line or, where the line has comments,
 * pragmas and such macros alone, in the next one that has code. Of several numbers for one line the
 * largest counts, and a number counts beside an expression. Any bytes may be given. `name` is for
 * messages. Errors: WARPBOUND_INVALID_INPUT, with line and column, where what follows a pragma,
 * `warpbound:` or the macro is not understood; WARPBOUND_INTERNAL. Linear in length. */
warpbound_status wb_source_bounds_parse(const char *name, const char *text, size_t length,
                                        struct wb_source_bounds *bounds, warpbound_error *error);

/* The bound in a line; NULL where there is none. Logarithmic. */
const struct wb_source_bound *wb_source_bounds_find(const struct wb_source_bounds *bounds,
                                                    uint32_t line);

void wb_source_bounds_free(struct wb_source_bounds *bounds);

#endif
