/* Tokens of PTX, read one at a time from a buffer that needs no zero at its end. */
#ifndef WB_FRONTEND_PTX_PTX_LEXER_H
#define WB_FRONTEND_PTX_PTX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A punctuation mark of one character is its own kind: '{', ';', '+'. */
enum wb_ptx_token_kind {
  WB_PTX_END = 256, /* the end of the text; its length is 0 */
  WB_PTX_INVALID,   /* not a token; see wb_ptx_lexer.expected */
  WB_PTX_WORD,      /* identifier, register, first word of an opcode: "ld", "%r1", "_" */
  WB_PTX_DIRECTIVE, /* with its dot: ".global", ".shared::cta", ".16x64b" */
  WB_PTX_INTEGER,
  WB_PTX_FLOAT,
  WB_PTX_STRING,  /* text includes the quotes */
  WB_PTX_OPERATOR /* of two characters: "<<", "&&" */
};

/* text points into the buffer. line and column (in bytes) count from 1. */
struct wb_ptx_token {
  const char *text;
  size_t length;
  uint64_t value; /* WB_PTX_INTEGER: UINT64_MAX where it is larger than that */
  uint32_t line;
  uint32_t column;
  int kind;
};

/* Invariant: line_start <= cursor <= end, and no line break is between
 * line_start and cursor. */
struct wb_ptx_lexer {
  const char *cursor;
  const char *end;
  const char *line_start;
  const char *expected; /* after WB_PTX_INVALID: what should have stood there; static */
  uint32_t line;
};

/* Starts at the text's beginning, or after its byte order mark. length is below
 * UINT32_MAX. */
void wb_ptx_lexer_start(struct wb_ptx_lexer *lexer, const char *text, size_t length);

/* The next token. At the end it is WB_PTX_END again and again. After
 * WB_PTX_INVALID the lexer must not be asked again. */
struct wb_ptx_token wb_ptx_lexer_next(struct wb_ptx_lexer *lexer);

/* Moves to the first line from here on that begins (after blanks) with `word`, over
 * whatever is between, be it PTX or not; or to the end. */
void wb_ptx_lexer_skip_to(struct wb_ptx_lexer *lexer, const char *word);

/* Whether the token's text is `text`. */
bool wb_ptx_token_is(const struct wb_ptx_token *token, const char *text);

#endif
