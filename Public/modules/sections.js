import { isOpen } from './catalogue.js';

/** Where parameters stand; names that are not listed follow in the last section. */
const sections = [
  { title: 'Type', open: true,
    names: ['font', 'size', 'weight', 'italic', 'letterSpacing', 'lineHeight'] },
  { title: 'Colour', open: true,
    names: ['color', 'darkColor', 'background', 'darkBackground'] },
  { title: 'Playback', open: true,
    names: ['seed', 'delay', 'hold', 'speed', 'cycle', 'loop', 'exit', 'cursor', 'cursorBlink'] },
  { title: 'Canvas', names: ['width', 'height', 'padding', 'align', 'valign'] },
  { title: 'Output', names: ['title', 'animate'] },
];

const listed = new Set(sections.flatMap((section) => section.names));

/** What belongs to some formats only, in this order; others that do follow. */
const ofFile = ['scale', 'fps', 'poster', 'levels', 'matte', 'time'];

/** What has a meaning for several texts only. */
const several = ['sequence', 'gap', 'spacing'];

/** Shown elsewhere. */
const elsewhere = new Set(['text', 'markup', 'effect', 'blocks', 'format', ...several]);

/** The section that appears with the second text. */
export function ofSeveral(parameters) {
  const definitions = several.flatMap((name) => parameters.filter((one) => one.name === name));
  return { title: 'Sequence', open: true, definitions: definitions.filter(isOpen) };
}

/** What stands below the menu of formats, each shown while its format is chosen. */
export function ofFormats(parameters) {
  const own = parameters.filter((one) => one.owners && isOpen(one) && !listed.has(one.name));
  const place = ({ name }) => ofFile.includes(name) ? ofFile.indexOf(name) : ofFile.length;
  return own.sort((one, other) => place(one) - place(other));
}

/** The sections with the definitions of what this server lets one choose. */
export function arrange(parameters) {
  const apart = new Set([...elsewhere, ...ofFormats(parameters).map(({ name }) => name)]);
  const open = parameters.filter((one) => isOpen(one) && !apart.has(one.name));
  return sections.map((section, index) => {
    const named = section.names.flatMap((name) => open.filter((one) => one.name === name));
    const rest = open.filter((one) => !listed.has(one.name));
    const isLast = index === sections.length - 1;
    return { ...section, definitions: isLast ? [...named, ...rest] : named };
  }).filter((section) => section.definitions.length > 0);
}
