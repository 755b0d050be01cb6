import { svg } from './request.js';
import { loadJSON } from './server.js';

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
const ofSeveral = ['sequence', 'gap', 'spacing'];

/** Shown elsewhere. */
const elsewhere = new Set(['text', 'markup', 'effect', 'blocks', 'format', ...ofSeveral]);

/** Labels that are not their names in words. */
const labels = {
  color: 'Text', darkColor: 'Text in dark', background: 'Background',
  darkBackground: 'Background in dark', letterSpacing: 'Spacing', lineHeight: 'Line height',
  spacing: 'Room', valign: 'Vertical', by: 'By', title: 'Accessible name', animate: 'Animate',
  fps: 'Frame rate',
};

const units = { px: 'px', em: 'em', seconds: 's', degrees: '°' };

/**
 * What the server can do, read from its own descriptions, so that a new effect, parameter, font
 * or format appears here by itself.
 *
 * A parameter's definition has the shape of an entry of `GET /effects`; what only the schema
 * knows is translated into it.
 *
 * @param waiting called with a `Refusal` while the server has to be asked again.
 */
export async function loadCatalogue(waiting) {
  const [effects, api, fonts] = await Promise.all(
    ['/effects', '/openapi.json', '/fonts'].map((path) => loadJSON(path, waiting)));
  const schemas = api.components.schemas.Request.properties;
  const formats = formatsOf(api.paths, schemas);
  const effectTitles = titles(effects.effects);
  return {
    effects: effects.effects,
    fonts: fonts.fonts,
    formats,
    parameters: Object.entries(schemas)
      .filter(([, schema]) => !isOfEffects(schema))
      .map(([name, schema]) => definition(name, schema, formats)),
    /** What menus call their values, by the parameter's name. */
    titles: { effect: effectTitles, exit: effectTitles, format: titles(formats) },
    types: new Map(Object.entries(schemas).map(
      ([name, schema]) => [name, typeOf(name, isOfEffects(schema) ? schema.anyOf[0] : schema)])),
    blockNames: new Set(Object.keys(api.components.schemas.Block?.properties ?? {})),
    mostBlocks: schemas.blocks?.maxItems ?? 1,
  };
}

// Where definitions stand.

/** The section that appears with the second text. */
export function sectionOfSeveral(parameters) {
  const definitions = ofSeveral.flatMap((name) => parameters.filter((one) => one.name === name));
  return { title: 'Sequence', open: true, definitions: definitions.filter(isOpen) };
}

/** What stands below the menu of formats, each shown while its format is chosen. */
export function ofFormats(parameters) {
  const own = parameters.filter((one) => one.owners && isOpen(one) && !listed.has(one.name));
  const place = ({ name }) => ofFile.includes(name) ? ofFile.indexOf(name) : ofFile.length;
  return own.sort((one, other) => place(one) - place(other));
}

/** The sections with the definitions of what this server lets one choose. */
export function sectionsOf(parameters) {
  const apart = new Set([...elsewhere, ...ofFormats(parameters).map(({ name }) => name)]);
  const open = parameters.filter((one) => isOpen(one) && !apart.has(one.name));
  return sections.map((section, index) => {
    const named = section.names.flatMap((name) => open.filter((one) => one.name === name));
    const rest = open.filter((one) => !listed.has(one.name));
    const isLast = index === sections.length - 1;
    return { ...section, definitions: isLast ? [...named, ...rest] : named };
  }).filter((section) => section.definitions.length > 0);
}

/** Whether a parameter leaves anything to choose; a release may know a name at its default only. */
export function isOpen({ values, minimum, maximum, word }) {
  if (values) return values.length > 1;
  return minimum === undefined || minimum !== maximum || word !== undefined;
}

// What definitions are called.

/** A parameter's name as a label: `groupDelay` is "Group delay". */
export function labelOf(name) {
  if (labels[name]) return labels[name];
  return capitalised(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase());
}

/** A definition's sentence with range and default. */
export function hintOf({ description, unit, minimum, maximum, default: standard, type }) {
  const facts = [];
  const suffix = unit ? (unit === '°' ? unit : ` ${unit}`) : '';
  if (minimum !== undefined && maximum < 1e6) facts.push(`${minimum} to ${maximum}${suffix}`);
  if (standard !== null && type !== 'boolean') facts.push(`default ${standard}`);
  return facts.length ? `${description} ${facts.join(', ')}.` : description;
}

export function capitalised(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function titles(named) {
  return new Map(named.map(({ name, title }) => [name, title]));
}

// Definitions from JSON Schema.

/** Several effects may have a parameter of one name: a schema for each, titled with its effect. */
function isOfEffects({ anyOf = [] }) {
  return anyOf.some((schema) => schema.title !== undefined);
}

function definition(name, schema, formats) {
  const { description, unit } = withoutUnit(schema.description ?? '');
  const range = schema.anyOf?.find((one) => one.minimum !== undefined) ?? schema;
  return {
    name, description, unit,
    type: typeOf(name, schema),
    word: /^\^(\w+)\$$/.exec(schema.pattern ?? '')?.[1],
    values: schema.enum,
    default: schema.default ?? (name === 'format' ? svg.name : null),
    minimum: range.minimum,
    maximum: range.maximum,
    /** One value outside the range. */
    apart: schema.anyOf?.find((one) => one.const !== undefined)?.const,
    maxLength: schema.maxLength,
    /** The formats that it is for, or null. */
    owners: ownersOf(description, formats),
  };
}

function typeOf(name, schema) {
  if (schema.enum) return 'choice';
  const type = [].concat(schema.type)[0];
  if (type !== 'string') return type;
  return schema.format === 'color' || /color$|background$|^matte$/i.test(name) ? 'color' : 'string';
}

/** The schema's sentence ends in the unit: "Font size. In px." */
function withoutUnit(text) {
  const match = /^(.*) In (\w+)\.$/s.exec(text);
  return match && units[match[2]]
    ? { description: match[1], unit: units[match[2]] }
    : { description: text };
}

// Formats from an API description.

/**
 * The formats: names from the schema, addresses from the paths.
 *
 * @param paths with one `/render.<extension>` for each.
 * @param schemas those of the request's parameters.
 */
function formatsOf(paths, schemas) {
  const files = Object.entries(paths).flatMap(([path, item]) => {
    const extension = /^\/render\.(\w+)$/.exec(path)?.[1];
    if (!extension) return [];
    return [{ extension, mediaType: Object.keys(item.get.responses['200'].content)[0] }];
  });
  // What has an instant stands still.
  const stills = ownersIn(schemas.time?.description ?? '') ?? [];
  const withDark = ownersIn(schemas.darkColor?.description ?? '') ?? [];
  return schemas.format.enum.flatMap((name) => {
    const file = files.find(({ extension }) => extension === name)
      ?? files.find(({ mediaType }) => mediaType.includes(name));
    return file ? [{
      name, ...file,
      title: file.extension === name ? name.toUpperCase() : capitalised(name),
      isImage: file.mediaType.startsWith('image/'), isStill: stills.includes(name),
      hasDark: withDark.includes(name),
    }] : [];
  });
}

/** The names before the colon of "GIF, APNG: frames a second"; null where there is none. */
function ownersIn(description) {
  const [, list] = /^(\w+(?:, \w+)*): /.exec(description) ?? [];
  return list?.toLowerCase().split(', ') ?? null;
}

/** The formats that a parameter is for, named at its description's start; null for all. */
function ownersOf(description, formats) {
  const owners = ownersIn(description)?.map((word) => formats.find(({ name }) => name === word));
  return owners?.every(Boolean) ? owners : null;
}
