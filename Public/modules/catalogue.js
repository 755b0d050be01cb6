import { formatsOf, ownersOf, svg } from './formats.js';

/**
 * What the server can do, read from its own descriptions, so that a new effect, parameter, font
 * or format appears here by itself.
 *
 * A parameter's definition has the shape of an entry of `GET /effects`; what only the schema
 * knows is translated into it.
 */
export async function loadCatalogue() {
  const [effects, api, fonts] = await Promise.all(
    ['/effects', '/openapi.json', '/fonts'].map(loadJSON));
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

function titles(named) {
  return new Map(named.map(({ name, title }) => [name, title]));
}

async function loadJSON(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/** Several effects may have a parameter of one name: a schema for each, titled with its effect. */
function isOfEffects({ anyOf = [] }) {
  return anyOf.some((schema) => schema.title !== undefined);
}

/** A definition from a JSON Schema. */
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

const units = { px: 'px', em: 'em', seconds: 's', degrees: '°' };

/** The schema's sentence ends in the unit: "Font size. In px." */
function withoutUnit(text) {
  const match = /^(.*) In (\w+)\.$/s.exec(text);
  return match && units[match[2]]
    ? { description: match[1], unit: units[match[2]] }
    : { description: text };
}

/** Whether a parameter leaves anything to choose; a release may know a name at its default only. */
export function isOpen({ values, minimum, maximum, word }) {
  if (values) return values.length > 1;
  return minimum === undefined || minimum !== maximum || word !== undefined;
}
