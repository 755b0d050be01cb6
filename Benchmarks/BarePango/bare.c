#include "bare.h"

#include <pango/pangocairo.h>

int bare_layout(const char *text, int length, double size) {
    static PangoLayout *layout;
    if (layout == NULL) {
        PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_new());
        cairo_font_options_t *options = cairo_font_options_create();
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        pango_cairo_context_set_font_options(context, options);
        pango_context_set_round_glyph_positions(context, FALSE);
        layout = pango_layout_new(context);
    }
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, "DejaVu Sans");
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_text(layout, text, length);
    int width = 0;
    for (GSList *node = pango_layout_get_lines_readonly(layout); node != NULL; node = node->next) {
        PangoRectangle logical;
        pango_layout_line_get_extents(node->data, NULL, &logical);
        width += logical.width;
    }
    return width;
}
