#pragma once

/// Lays a text out as plainly as Pango allows, on one layout that is kept, and asks for its lines.
///
/// Returns the width in Pango units, so that nothing is optimised away.
int bare_layout(const char *text, int length, double size);
