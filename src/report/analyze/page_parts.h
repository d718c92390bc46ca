/* The files of src/report/analyze/page, as scripts/embed puts them into the library. */
#ifndef WB_REPORT_ANALYZE_PAGE_PARTS_H
#define WB_REPORT_ANALYZE_PAGE_PARTS_H

#include <stddef.h>

extern const unsigned char wb_embedded_page_body[];
extern const size_t wb_embedded_page_body_length;
extern const unsigned char wb_embedded_page_style[];
extern const size_t wb_embedded_page_style_length;
extern const unsigned char wb_embedded_page_base[];
extern const size_t wb_embedded_page_base_length;
extern const unsigned char wb_embedded_page_overview[];
extern const size_t wb_embedded_page_overview_length;
extern const unsigned char wb_embedded_page_lists[];
extern const size_t wb_embedded_page_lists_length;
extern const unsigned char wb_embedded_page_code[];
extern const size_t wb_embedded_page_code_length;
extern const unsigned char wb_embedded_page_pictures[];
extern const size_t wb_embedded_page_pictures_length;
extern const unsigned char wb_embedded_page_start[];
extern const size_t wb_embedded_page_start_length;

/* "sha256-..." of the script (base, overview, lists, code, pictures, start, in this order) and of
 * the style. */
extern const char wb_embedded_page_script_hash[];
extern const char wb_embedded_page_style_hash[];

#endif
