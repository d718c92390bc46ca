#define _GNU_SOURCE /* dl_iterate_phdr */
#include "cli/check/digest.h"

#include "base/file.h"

#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct digest digest_start(void)
{
  struct digest digest;
  sha256_init(&digest.context);
  return digest;
}

void digest_add(struct digest *digest, const void *bytes, size_t length)
{
  char number[32];
  const int digits = snprintf(number, sizeof number, "%zu:", length);
  sha256_update(&digest->context, (size_t)digits, (const uint8_t *)number);
  if (length > 0)
    sha256_update(&digest->context, length, bytes);
}

void digest_add_text(struct digest *digest, const char *text)
{
  if (text == NULL)
    sha256_update(&digest->context, 1, (const uint8_t *)"-");
  else
    digest_add(digest, text, strlen(text));
}

void digest_finish(struct digest *digest, char hex[DIGEST_SIZE])
{
  uint8_t bytes[SHA256_DIGEST_SIZE];
  sha256_digest(&digest->context, sizeof bytes, bytes);
  for (size_t b = 0; b < sizeof bytes; b++)
    snprintf(hex + 2 * b, 3, "%02x", bytes[b]);
}

void digest_of(const void *bytes, size_t length, char hex[DIGEST_SIZE])
{
  struct digest digest = digest_start();
  digest_add(&digest, bytes, length);
  digest_finish(&digest, hex);
}

/* ---- the program ---- */

/* Adds the build identifier in a segment of notes; false where it has none. */
static bool add_notes(struct digest *digest, const char *at, size_t size, size_t alignment)
{
  const size_t mask = (alignment == 8 ? 8 : 4) - 1;
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, at, sizeof note);
    const size_t name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
    const size_t whole = (sizeof note + name + note.n_descsz + mask) & ~mask;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        memcmp(at + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
      digest_add(digest, at + sizeof note + name, note.n_descsz);
      return true;
    }
    if (whole > size)
      break;
    at += whole;
    size -= whole;
  }
  return false;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *context)
{
  struct digest *digest = context;
  bool found = false;
  (void)size;
  /* What the kernel maps into every program has no file, and is no part of it. */
  if (strncmp(object->dlpi_name, "linux-", strlen("linux-")) == 0)
    return 0;
  for (size_t h = 0; h < object->dlpi_phnum && !found; h++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[h];
    if (header->p_type == PT_NOTE)
      /* NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers */
      found = add_notes(digest, (const char *)(object->dlpi_addr + header->p_vaddr),
                        header->p_memsz, header->p_align);
  }
  struct wb_input file;
  const char *name = object->dlpi_name[0] != '\0' ? object->dlpi_name : "/proc/self/exe";
  if (!found && wb_input_read(name, &file, NULL) == WARPBOUND_OK) {
    digest_add(digest, file.bytes, file.length);
    wb_input_free(&file);
  } else if (!found) {
    digest_add_text(digest, name);
  }
  return 0;
}

void digest_add_program(struct digest *digest)
{
  digest_add_text(digest, WARPBOUND_VERSION);
  (void)dl_iterate_phdr(add_object, digest);
}
