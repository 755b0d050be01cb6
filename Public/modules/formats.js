import { capitalised } from './words.js';

/**
 * A format: `name` is what requests call it, `title` what people do.
 *
 * SVG is what the service answers unless asked, and what the page draws its previews with.
 */
export const svg = {
  name: 'svg', extension: 'svg', mediaType: 'image/svg+xml', title: 'SVG', isImage: true,
  isStill: false, hasDark: true,
};

/**
 * The formats of an API description: names from the schema, addresses from the paths.
 *
 * @param paths with one `/render.<extension>` for each.
 * @param schemas those of the request's parameters.
 */
export function formatsOf(paths, schemas) {
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
export function ownersOf(description, formats) {
  const owners = ownersIn(description)?.map((word) => formats.find(({ name }) => name === word));
  return owners?.every(Boolean) ? owners : null;
}

/** The format that a request asks for; undefined when none has that name. */
export function formatOf(request, formats) {
  return formats.find(({ name }) => name === (request.format ?? svg.name));
}

/** The same animation in another format. */
export function inFormat(permalink, { extension }) {
  return permalink.replace(/\.\w+(?=$|\?)/, `.${extension}`);
}
