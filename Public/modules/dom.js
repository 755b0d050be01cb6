const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * A new element. What the element knows as a property is set as one, `dataset` is merged, the rest
 * become attributes; strings among the children become text, never markup.
 */
export function element(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** The same in SVG, where everything is an attribute. */
export function svgElement(tag, attributes = {}, ...children) {
  const node = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name === 'dataset') Object.assign(node.dataset, value);
    else if (name in node && !name.includes('-')) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Icons are strokes in a 16 px square, in the colour of the text around them. */
export function icon(path) {
  return svgElement(
    'svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon' },
    svgElement('path', { d: path }));
}

/** Lets the style sheet draw the part of a slider's track that lies before the thumb. */
export function fillTrack(slider) {
  const share = (slider.value - slider.min) / (slider.max - slider.min);
  slider.style.setProperty('--fill', `${share * 100}%`);
}
