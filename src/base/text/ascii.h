/* Characters of ASCII, whatever the locale. */
#ifndef WB_BASE_TEXT_ASCII_H
#define WB_BASE_TEXT_ASCII_H

#include <stdbool.h>
#include <stddef.h>

/* A blank inside of a line, or the carriage return at its end. */
static inline bool wb_is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static inline bool wb_is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static inline bool wb_is_capital(char c)
{
  return c >= 'A' && c <= 'Z';
}

static inline bool wb_is_letter(char c)
{
  return wb_is_capital(c) || (c >= 'a' && c <= 'z');
}

static inline bool wb_is_alphanumeric(char c)
{
  return wb_is_letter(c) || wb_is_digit(c);
}

static inline char wb_small_letter(char c)
{
  return (char)(wb_is_capital(c) ? c - 'A' + 'a' : c);
}

static inline bool wb_same_ignoring_case(const char *a, const char *b)
{
  while (*a != '\0' && wb_small_letter(*a) == wb_small_letter(*b)) {
    a++;
    b++;
  }
  return *a == *b;
}

/* Whether `word`, which is not empty, is one of the words of a text, in any case. */
static inline bool wb_has_word(const char *text, const char *word)
{
  for (const char *at = text; *at != '\0'; at++) {
    size_t same = 0;
    while (word[same] != '\0' && wb_small_letter(at[same]) == wb_small_letter(word[same]))
      same++;
    if (word[same] == '\0' && !wb_is_alphanumeric(at[same]) &&
        (at == text || !wb_is_alphanumeric(at[-1])))
      return true;
  }
  return false;
}

/* The value of a digit in any base up to 16; 16 for any other character. */
static inline unsigned wb_digit_value(char c)
{
  if (wb_is_digit(c))
    return (unsigned)(c - '0');
  const char small = wb_small_letter(c);
  return small >= 'a' && small <= 'f' ? (unsigned)(small - 'a') + 10 : 16;
}

#endif
