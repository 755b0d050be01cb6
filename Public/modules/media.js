/**
 * Makes a rendering's document answer the media queries as a reader's system would.
 *
 * `color-scheme` on the element that embeds it reaches an `<img>` but not an `<object>`, so the
 * conditions of its own style sheet are decided instead.
 *
 * @param scheme `light` or `dark`.
 * @param still whether the reader asks for reduced motion.
 */
export function pretend(document, { scheme, still }) {
  for (const rule of mediaRules(document)) {
    const { condition } = rule;
    if (condition.includes('prefers-color-scheme')) {
      rule.media.mediaText = condition.includes(scheme) ? 'all' : 'not all';
    } else if (condition.includes('prefers-reduced-motion')) {
      rule.media.mediaText = still ? 'all' : 'not all';
    }
  }
}

const known = new WeakMap();

/** The document's media rules with the conditions that they came with. */
function mediaRules(document) {
  if (!known.has(document)) {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof document.defaultView.CSSMediaRule)
      .map(({ media }) => ({ media, condition: media.mediaText }));
    known.set(document, rules);
  }
  return known.get(document);
}
