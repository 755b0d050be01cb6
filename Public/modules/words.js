const labels = {
  color: 'Text', darkColor: 'Text in dark', background: 'Background',
  darkBackground: 'Background in dark', letterSpacing: 'Spacing', lineHeight: 'Line height',
  spacing: 'Room', valign: 'Vertical', by: 'By', title: 'Accessible name', animate: 'Animate',
  fps: 'Frame rate',
};

/** A parameter's name as a label: `groupDelay` is "Group delay". */
export function labelOf(name) {
  if (labels[name]) return labels[name];
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return capitalised(words);
}

export function capitalised(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A definition's sentence with range and default. */
export function hintOf({ description, unit, minimum, maximum, default: standard, type }) {
  const facts = [];
  const suffix = unit ? (unit === '°' ? unit : ` ${unit}`) : '';
  if (minimum !== undefined && maximum < 1e6) facts.push(`${minimum} to ${maximum}${suffix}`);
  if (standard !== null && type !== 'boolean') facts.push(`default ${standard}`);
  return facts.length ? `${description} ${facts.join(', ')}.` : description;
}

export function seconds(value) {
  return `${value.toFixed(2)} s`;
}

/** How long something took: no more digits than it can mean. */
export function elapsed(milliseconds) {
  return milliseconds < 1000
    ? `${Math.max(Math.round(milliseconds), 1)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

export function bytes(count) {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`;
}

/** A file's name from the first words of a text, in any script. */
export function fileNameOf(text) {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize('NFC');
  const words = plain.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, 6) ?? ['titlecard'];
  return [...words.join('-')].slice(0, 60).join('');
}
