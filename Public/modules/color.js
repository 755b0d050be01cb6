const context = document.createElement('canvas').getContext('2d');

/** A colour as the API takes it, as `#rrggbb`; null when it is no colour or cannot be seen. */
export function opaqueHex(text) {
  const css = cssColor(text);
  if (!css || !CSS.supports('color', css)) return null;
  context.fillStyle = css;
  const drawn = context.fillStyle;
  if (drawn.startsWith('#')) return drawn;
  const [red, green, blue, alpha] = drawn.match(/[\d.]+/g).map(Number);
  if (alpha === 0) return null;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The same colour for a style sheet: a query may leave out the `#`. */
export function cssColor(text) {
  const colour = text.trim();
  return /^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(colour) ? `#${colour}` : colour;
}
