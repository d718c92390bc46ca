#include "linear/name_index.h"

#include "base/hash.h"

#include <string.h>

struct piece {
  const char *text;
  size_t length;
};

static uint64_t hash(const char *name, size_t length)
{
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START, name, length));
}

static const char *name_of(const struct wb_name_index *index, size_t at)
{
  return index->rows ? wb_linear_row_name(index->model, at)
                     : wb_linear_column_name(index->model, at);
}

static bool same_name(const void *index, uint32_t at, const void *key)
{
  const struct piece *name = key;
  const char *other = name_of(index, at);
  return strncmp(other, name->text, name->length) == 0 && other[name->length] == '\0';
}

static uint32_t *slot_of(const struct wb_name_index *index, const char *name, size_t length)
{
  const struct piece piece = {name, length};
  return wb_hash_table_slot(&index->table, hash(name, length), same_name, index, &piece);
}

bool wb_name_index_make(struct wb_name_index *index, const struct wb_linear_model *model, bool rows)
{
  size_t count = rows ? model->row_count : model->column_count;
  *index = (struct wb_name_index){.model = model, .rows = rows};
  if (!wb_hash_table_reserve(&index->table, count))
    return false;
  for (size_t j = 0; j < count; j++) {
    const char *name = name_of(index, j);
    *slot_of(index, name, strlen(name)) = (uint32_t)j + 1;
  }
  return true;
}

size_t wb_name_index_find(const struct wb_name_index *index, const char *name, size_t length)
{
  if (length > WB_LINEAR_NAME_LIMIT)
    return SIZE_MAX;
  uint32_t found = *slot_of(index, name, length);
  return found != 0 ? found - 1 : SIZE_MAX;
}

void wb_name_index_free(struct wb_name_index *index)
{
  wb_hash_table_free(&index->table);
  *index = (struct wb_name_index){0};
}
