#include "binary/listing/section_head.h"

#include <elf.h>
#include <string.h>

/* Types and flags of NVIDIA's own. */
enum {
  SHT_CUDA_INFO = 0x70000000,
  REGISTERS_SHIFT = 24,
  BARRIERS_SHIFT = 20,
  BARRIERS_MASK = 0x7f
};

void wb_cubin_print_head(const struct wb_cubin *cubin, struct wb_text *out)
{
  const char *name = cubin->architecture_name + strspn(cubin->architecture_name, "sm_");
  if (cubin->layout == WB_CUBIN_NEW) {
    wb_text_format(out, "\t.target\tsm_%s\n\n", name);
  } else {
    unsigned virtual_sm = cubin->virtual_architecture == WB_CUBIN_ABSENT
                              ? cubin->architecture
                              : cubin->virtual_architecture;
    wb_text_format(
        out,
        "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS %sEF_CUDA_SM%u "
        "EF_CUDA_VIRTUAL_SM(EF_CUDA_SM%u)\"\n",
        cubin->suffix == 'a' ? "EF_CUDA_ACCELERATORS " : "", cubin->architecture, virtual_sm);
  }
  wb_text_format(out, "\t.elftype\t@\"%s\"\n", cubin->relocatable ? "ET_REL" : "ET_EXEC");
}

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* Of a function: what the system reserves of shared memory belongs to no code. */
static bool is_shared_memory(const struct wb_cubin_section *section)
{
  return begins(section->name, ".nv.shared.") && (section->flags & SHF_INFO_LINK) != 0;
}

bool wb_section_is_data(const struct wb_cubin_section *section)
{
  return begins(section->name, ".nv.info.") || begins(section->name, ".nv.constant") ||
         is_shared_memory(section);
}

/* The registers of a section's function: before Hopper they stand at the section. */
static void print_registers(const struct wb_cubin *cubin, const struct wb_cubin_section *section,
                            struct wb_text *out)
{
  uint32_t registers = WB_CUBIN_ABSENT;
  if (section->function != WB_CUBIN_NONE)
    registers = cubin->functions[section->function].facts.registers;
  if (cubin->architecture < 90 && registers != WB_CUBIN_ABSENT)
    wb_text_format(out, "\t.sectioninfo\t@\"SHI_REGISTERS=%lu\"\n", (unsigned long)registers);
}

static void print_flags(const struct wb_cubin *cubin, const struct wb_cubin_section *section,
                        struct wb_text *out)
{
  unsigned barriers = (unsigned)(section->flags >> BARRIERS_SHIFT) & BARRIERS_MASK;
  if (cubin->layout == WB_CUBIN_OLD && barriers > 0)
    wb_text_format(out, "\t.sectionflags\t@\"SHF_BARRIERS=%u\"\n", barriers);
  print_registers(cubin, section, out);
}

static void print_ruler(const char *name, struct wb_text *out)
{
  wb_text_format(out, "\n\n//--------------------- %-25s --------------------------\n", name);
}

void wb_counts_print_head(struct wb_text *out)
{
  print_ruler(".nv.info", out);
  wb_text_string(out, "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n\t.align\t4\n");
}

void wb_section_print_head(const struct wb_cubin *cubin, size_t number, struct wb_text *out)
{
  const struct wb_cubin_section *section = &cubin->sections[number];
  bool code = (section->flags & SHF_EXECINSTR) != 0;
  bool info = section->type == SHT_CUDA_INFO;
  print_ruler(section->name, out);
  wb_text_format(out, "\t.section\t%s,\"%s\",%s\n", section->name,
                 code                                ? "ax"
                 : is_shared_memory(section)         ? "aw"
                 : (section->flags & SHF_ALLOC) != 0 ? "a"
                                                     : "",
                 info                        ? "@\"SHT_CUDA_INFO\""
                 : is_shared_memory(section) ? "@nobits"
                                             : "@progbits");
  if (code)
    print_flags(cubin, section, out);
  if (!code && (section->flags & SHF_INFO_LINK) != 0)
    wb_text_string(out, "\t.sectionflags\t@\"\"\n");
  wb_text_format(out, "\t.align\t%llu\n", (unsigned long long)section->alignment);
  if (!code && !info)
    wb_text_format(out, "%s:\n", section->name);
}
