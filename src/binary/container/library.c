/* Static libraries: "!<arch>\n", then members, each a head of 60 letters and its bytes. libelf
 * reads them from files alone, not from memory. */
#include "binary/container/container.h"
#include "binary/container/container_walk.h"

#include <string.h>

#define MAGIC_SIZE 8

/* The head of a member: places of its fields, blanks behind each. */
enum { NAME_SIZE = 16, SIZE_AT = 48, SIZE_SIZE = 10, END_AT = 58, HEAD_SIZE = 60 };

/* A member, and the table of long names, which comes before those that need it. */
struct member {
  const char *head;
  size_t begin; /* of its bytes in the file */
  size_t size;
  const char *name;
  size_t name_length;
};

struct long_names {
  const char *text;
  size_t length;
};

/* A decimal number with blanks behind it, below 10^10. */
static bool read_number(const char *text, size_t length, size_t *number)
{
  size_t digits = 0;
  for (*number = 0; digits < length && text[digits] >= '0' && text[digits] <= '9'; digits++)
    *number = *number * 10 + (size_t)(text[digits] - '0');
  return digits > 0 && (digits == length || text[digits] == ' ');
}

/* The member's name: in its head and ended by a slash or blanks; "/N", at N of the table of long
 * names; or, as in BSD, "#1/N", its first N bytes. */
static void read_name(struct member *member, const char *bytes, const struct long_names *names)
{
  size_t number;
  member->name = member->head;
  member->name_length = 0;
  while (member->name_length < NAME_SIZE && member->head[member->name_length] != '/' &&
         member->head[member->name_length] != ' ')
    member->name_length++;
  if (member->head[0] == '/' && read_number(member->head + 1, NAME_SIZE - 1, &number) &&
      number < names->length) {
    const char *end = memchr(names->text + number, '/', names->length - number);
    member->name = names->text + number;
    member->name_length = end != NULL ? (size_t)(end - member->name) : names->length - number;
  } else if (memcmp(member->head, "#1/", 3) == 0 &&
             read_number(member->head + 3, NAME_SIZE - 3, &number) && number <= member->size) {
    member->name = bytes;
    member->name_length = number;
    while (member->name_length > 0 && bytes[member->name_length - 1] == '\0')
      member->name_length--;
    member->begin += number;
    member->size -= number;
  }
}

/* Whether the member is a table of the library: of symbols, or of long names. */
static bool is_table(const struct member *member, const char *bytes, struct long_names *names)
{
  if (memcmp(member->head, "// ", 3) == 0) {
    *names = (struct long_names){bytes, member->size};
    return true;
  }
  return memcmp(member->head, "/ ", 2) == 0 || memcmp(member->head, "/SYM64/", 7) == 0 ||
         memcmp(member->head, "__.SYMDEF", 9) == 0;
}

static bool visit_member(struct wb_container_walk *walk, const struct wb_container_part *library,
                         struct member *member, struct long_names *names, unsigned depth,
                         wb_container_visit *visit)
{
  const char *bytes = (const char *)walk->bytes + member->begin;
  if (is_table(member, bytes, names))
    return true;
  read_name(member, bytes, names);
  /* Of those that are passed over no name is kept: a library may have millions. */
  if (wb_container_kind(walk->bytes + member->begin, member->size) == WB_CONTAINER_NONE)
    return true;
  const int length = member->name_length < 100 ? (int)member->name_length : 100;
  const struct wb_container_part part = {
      wb_container_place(walk, library->place, "%.*s", length, member->name), member->begin,
      member->begin + member->size};
  return part.place != NULL && visit(walk, &part, depth);
}

bool wb_container_walk_library(struct wb_container_walk *walk, const struct wb_container_part *part,
                               unsigned depth, wb_container_visit *visit)
{
  struct long_names names = {"", 0};
  size_t at = part->begin + MAGIC_SIZE;
  while (at < part->end) {
    struct member member = {.head = (const char *)walk->bytes + at, .begin = at + HEAD_SIZE};
    if (part->end - at < HEAD_SIZE || memcmp(member.head + END_AT, "`\n", 2) != 0 ||
        !read_number(member.head + SIZE_AT, SIZE_SIZE, &member.size) ||
        member.size > part->end - member.begin)
      return wb_container_add_damaged(walk, part->place, at,
                                      "expected the head of a library's member");
    const size_t end = member.begin + member.size;
    if (!visit_member(walk, part, &member, &names, depth, visit))
      return false;
    at = end + (end - part->begin) % 2;
  }
  return true;
}
