// Pango with its cairo back end, HarfBuzz for outlines, FreeType to embolden them, fontconfig for the
// list of fonts.
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>
#include <pango/pangofc-fontmap.h>
#include <hb.h>
#include <hb-ot.h>
#include <fontconfig/fontconfig.h>
#include <freetype/freetype.h>
#include <freetype/ftoutln.h>

// The direction of the first strong character, or neutral. Pango's layouts call it, too; for others
// it is deprecated without a replacement.
static inline PangoDirection titlecard_find_base_direction(const char *text, int length) {
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    return pango_find_base_dir(text, length);
    G_GNUC_END_IGNORE_DEPRECATIONS
}
