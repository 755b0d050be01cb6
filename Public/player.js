/** Plays the JSON rendering with outlines: docs/api.md, *A player*. */

const clamp = (value, most = 1) => Math.min(Math.max(value, 0), most);
const matrixOf = (...values) => new DOMMatrix(values);
const still = globalThis.DOMMatrix && matrixOf(1, 0, 0, 1, 0, 0);

const MASK = { style: '#000' };

/** Mixes premultiplied. */
function mixed(from, to, share) {
  const [one, other] = [from, to].map((text) => {
    const parts = text.replace('transparent', '#00000000').match(/\w\w/g).map((part) => parseInt(part, 16));
    const alpha = parts[3] ?? 255;
    return [...parts.slice(0, 3).map((part) => part * alpha), alpha];
  });
  const mix = one.map((part, index) => part + (other[index] - part) * clamp(share));
  const alpha = mix.pop();
  return `rgb(${mix.map((part) => part / alpha || 0)},${alpha / 255})`;
}

/** As CSS's `cubic-bezier()`. */
function eased(x, [x1, y1, x2, y2]) {
  const curve = (t, a, b) => 3 * t * (1 - t) * ((1 - t) * a + t * b) + t * t * t;
  let t = 0;
  for (let step = 0.5; step > 1e-9; step /= 2) if (curve(t + step, x1, x2) < x) t += step;
  return curve(t, y1, y2);
}

function valueAt(track, time) {
  const next = track.findIndex((key) => key.time > time);
  if (next <= 0) return track.at(next).value;
  const [from, to] = [track[next - 1], track[next]];
  if (from.easing === 'hold') return from.value;
  const way = (time - from.time) / (to.time - from.time);
  const progress = from.easing ? eased(way, from.easing) : way;
  if (typeof to.value === 'number') return from.value + (to.value - from.value) * progress;
  return mixed(from.value, to.value, progress);
}

function boxAt(clips, time) {
  const clip = clips?.find(({ start, end }) => start <= time && time < end);
  if (!clip?.from) return clip;
  const { from, start, end, easing } = clip;
  const at = (side) => valueAt([{ time: start, value: from[side], easing }, { time: end, value: clip[side] }], time);
  return { x: at('x'), y: at('y'), width: at('width'), height: at('height') };
}

/** A style, and the map of an ellipse. */
function paintOf(context, { type, repeats, stops, x1, y1, x2, y2, x, y, radiusX, radiusY, angle }, reach) {
  const isConic = type === 'conic';
  const [across, down] = [x2 - x1, y2 - y1];
  // On a line of no length.
  if (!type && !across && !down) return { style: stops.at(-1).color };
  const period = isConic ? stops.at(-1).offset - stops[0].offset : 1;
  const length = isConic ? period * reach : type ? Math.min(radiusX, radiusY) : Math.hypot(across, down);
  const copies = repeats ? Math.ceil(Math.min(reach / length + 1, 999)) : 0;
  const [low, high] = [type ? 0 : -copies, isConic ? 1 : copies + 1];
  const style = isConic ? context.createConicGradient((angle / 180 - 0.5) * Math.PI, x, y)
    : type ? context.createRadialGradient(0, 0, 0, 0, 0, high)
    : context.createLinearGradient(x1 + low * across, y1 + low * down, x1 + high * across, y1 + high * down);
  const all = [];
  for (let copy = -copies; copy <= copies; copy += 1) {
    for (const { offset, color } of stops) all.push({ color, at: (offset + copy * period - low) / (high - low) });
  }
  // A turn ends between colours.
  for (const edge of [0, 1]) {
    const next = all.findIndex(({ at }) => at >= edge);
    const [from, to] = [all[next - 1], all[next]];
    if (from && to?.at > edge) style.addColorStop(edge, mixed(from.color, to.color, (edge - from.at) / (to.at - from.at)));
  }
  for (const { at, color } of all) if (at >= 0 && at <= 1) style.addColorStop(at, color);
  return { style, space: radiusX ? matrixOf(radiusX, 0, 0, radiusY, x, y) : undefined };
}

function motionOf({ x1, y1, x2, y2, centerX, centerY }, motion, turns) {
  const map = still.translate(centerX, centerY);
  if (motion === 'spin') map.rotateSelf(360 * turns);
  if (motion === 'breathe') map.scaleSelf(1 + turns / 2);
  if (motion === 'pan') return still.translate(turns % 1 * (x2 - x1) || 0, turns % 1 * (y2 - y1) || 0);
  return motion ? map.translate(-centerX, -centerY) : still;
}

function cornersOf({ x, y, width, height }) {
  const [right, bottom] = [x + width, y + height];
  return [{ x, y }, { x: right, y }, { x, y: bottom }, { x: right, y: bottom }];
}

function boxOf(points, margin = 0) {
  const [[x, right], [y, bottom]] = ['x', 'y'].map((side) => {
    const values = points.map((point) => point[side]);
    return [Math.min(...values) - margin, Math.max(...values) + margin];
  });
  return { x, y, width: right - x, height: bottom - y };
}

const placed = (box, matrix) => cornersOf(box).map((point) => matrix.transformPoint(point));

function rectangle({ x, y, width, height }, path = new Path2D()) {
  path.rect(x, y, width, height);
  return path;
}

/** A paint lies in a space of its own. */
function fill(context, path, { style, space }) {
  context.fillStyle = style;
  if (!space) return context.fill(path);
  const own = new Path2D();
  own.addPath(path, space.inverse());
  context.save();
  context.setTransform(context.getTransform().multiply(space));
  context.fill(own);
  context.restore();
}

function flood(context, { style, space = still }, matrix, operation) {
  const { width, height } = context.canvas;
  context.save();
  context.resetTransform();
  Object.assign(context, { globalAlpha: 1, globalCompositeOperation: operation });
  fill(context, rectangle({ x: 0, y: 0, width, height }), { style, space: matrix.multiply(space) });
  context.restore();
}

function begin(context, { clip, turned }, matrix, opacity) {
  context.save();
  context.setTransform(turned);
  if (clip) context.clip(rectangle(clip));
  context.setTransform(matrix);
  context.globalAlpha = opacity;
}

export class Player extends EventTarget {
  playbackRate = 1;
  #scene;
  #context;
  #base;
  #loop;
  #rest;
  #inks;
  #paints;
  #images;
  #sheets = [];
  #time = 0;
  #cycle = 0;
  #turns = 0;
  #request = 0;
  #last;

  constructor(scene, canvas, { dark = false, pixelRatio = globalThis.devicePixelRatio ?? 1, loop = scene.loop,
    reducedMotion = false } = {}) {
    super();
    if (!scene.outlines) throw new TypeError('no JSON with outlines=true');
    this.dark = dark;
    this.#scene = scene;
    this.#loop = reducedMotion ? 0 : loop === 'infinite' ? Infinity : loop;
    this.#rest = reducedMotion ? scene.finished : scene.duration;
    if (reducedMotion) this.#time = this.#rest;
    canvas.width = Math.ceil(scene.width * pixelRatio);
    canvas.height = Math.ceil(scene.height * pixelRatio);
    if (canvas.style) canvas.style.width ||= `${canvas.width / pixelRatio}px`;
    this.#context = canvas.getContext('2d');
    this.#base = still.scale(pixelRatio);
    this.#inks = scene.glyphs.map((glyph) => this.#inkOf(glyph));
    const reach = scene.width + scene.height;
    this.#paints = scene.gradients.map((gradient) => paintOf(this.#context, gradient, reach));
    this.ready = this.#load();
  }

  async #load() {
    // Policies may forbid requests.
    this.#images = await Promise.all(this.#scene.images.map(({ url }) => {
      const [type, text] = url.slice(5).split(';base64,');
      return createImageBitmap(new Blob([Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))], { type }));
    }));
    this.draw();
    return this;
  }

  #inkOf({ outline, penX, penY, unit, lines = [], images = [] }) {
    const corners = [...lines, ...images].flatMap(cornersOf);
    const [shape, bars, edges] = [new Path2D(), new Path2D(), new Path2D()];
    if (unit) {
      const { path, box } = this.#scene.outlines[outline];
      const place = matrixOf(unit, 0, 0, unit, penX, penY);
      shape.addPath(new Path2D(path), place);
      corners.push(...placed(box, place));
    }
    for (const line of lines) rectangle(line, bars);
    edges.addPath(shape);
    edges.addPath(bars);
    return { shape, bars, edges, images, corners, fills: !!unit + !!lines.length };
  }

  play() {
    if (this.#request) return;
    if (this.#time >= this.duration) this.#time = 0;
    this.#last = undefined;
    this.#request = requestAnimationFrame(this.#tick);
  }

  pause() {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  seek(seconds) {
    if (!Number.isFinite(seconds)) throw new TypeError('Not a number of seconds.');
    this.#time = clamp(seconds, this.duration);
    this.draw();
  }

  get currentTime() {
    return this.#time;
  }

  set currentTime(seconds) {
    this.seek(seconds);
  }

  get duration() {
    return this.#scene.duration;
  }

  get paused() {
    return !this.#request;
  }

  #tick = (now) => {
    this.#request = requestAnimationFrame(this.#tick);
    if (!this.#images) return;
    let event;
    this.#time += (now - (this.#last ?? now)) / 1000 * this.playbackRate;
    this.#last = now;
    if (this.#time >= this.duration || !this.#loop) {
      this.#cycle += Math.floor(this.#time / this.duration) || Infinity;
      this.#time %= this.duration;
      event = 'cycle';
      if (this.#cycle >= this.#loop) {
        this.pause();
        this.#cycle = 0;
        this.#time = this.#rest;
        event = 'finish';
      }
    }
    this.draw();
    if (event) this.dispatchEvent(new Event(event));
  };

  draw(time = this.#time) {
    if (!this.#images) return;
    const { layers, glyphs, paintTurns } = this.#scene;
    this.#turns = paintTurns ? valueAt(paintTurns, time) : 0;
    this.#drawCard();
    for (const layer of layers) {
      if (layer.scheme === (this.dark ? 'light' : 'dark')) continue;
      const parts = layer.glyphs.map((index) => this.#partOf(layer, glyphs[index], time));
      for (let start = 0, end; start < parts.length; start = end) {
        end = start + 1;
        const first = parts[start];
        if (!first) continue;
        // Glyphs that meet would show a seam if each were blended.
        while (first.join && first.join === parts[end]?.join) end += 1;
        if (end > start + 1 || !first.isDirect) this.#drawTogether(parts.slice(start, end));
        else this.#drawPart(this.#context, first, first.paint, first.opacity);
      }
    }
  }

  /** The paint of a gradient that stays on the canvas. */
  #movingPaint(index, turns, motion = this.#scene.gradients[index].motion) {
    const { style, space = still } = this.#paints[index];
    return { style, space: motionOf(this.#scene.gradients[index], motion, turns).multiply(space), isMoving: true };
  }

  #drawCard() {
    const { background: color, backgroundGradient: gradient, darkBackground: darkColor, darkBackgroundGradient: darkGradient,
      cornerRadius = 0, borderWidth, borderColor, darkBorderColor } = this.#scene;
    const [context, base] = [this.#context, this.#base];
    flood(context, this.#paintOf({ part: 'fill', gradient, darkGradient }, { color, darkColor }), base, 'copy');
    const card = new Path2D();
    card.roundRect(0, 0, context.canvas.width / base.a, context.canvas.height / base.a, cornerRadius);
    context.setTransform(base);
    // Half of the line lies outside the card.
    context.strokeStyle = this.dark && darkBorderColor || borderColor;
    context.lineWidth = 2 * borderWidth;
    if (borderWidth) context.stroke(card);
    context.globalCompositeOperation = 'destination-in';
    if (cornerRadius) fill(context, card, MASK);
    context.globalCompositeOperation = 'source-over';
  }

  /** Undefined where nothing is seen. */
  #partOf(layer, glyph, time) {
    const { index, rect, turn = 0 } = glyph;
    const { canvas } = this.#context;
    const { offsetX, offsetY, blurRadius = 0, outlineWidth = 0 } = layer;
    const at = (name, rest = 0) => (glyph[name] ? valueAt(glyph[name], time) : rest);
    const share = (name, rest = 1) => clamp(at(name, rest));
    const [isFill, isShadow] = ['fill', 'shadow'].map((part) => layer.part === part);
    const opacity = share('opacity') * (isFill ? 1 : share('fillOpacity')) * (isShadow ? share('shadowOpacity') : 1);
    const clip = isShadow ? undefined : boxAt(glyph.clip, time);
    const paint = this.#paintOf(layer, glyph, time);
    const { corners, fills, images } = this.#inks[index];
    if (!corners.length || !opacity || !paint || clip?.width <= 0 || clip?.height <= 0) return undefined;

    const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
    const turned = this.#base.translate(x, y).rotate(turn).translate(-x, -y);
    const matrix = turned.translate(x + at('offsetX'), y + at('offsetY')).rotate(at('rotation')).scale(at('scale', 1))
      .scale(at('scaleX', 1), at('scaleY', 1)).skewX(at('skewX')).skewY(at('skewY')).translate(-x, -y);
    // At rest a shadow falls in the directions of the canvas.
    if (isShadow) matrix.rotateSelf(-turn).translateSelf(offsetX, offsetY).rotateSelf(turn);
    const { a, b, c, d } = matrix;
    if (Math.abs(a * d - b * c) < 1e-9) return undefined;

    const blur = Math.hypot(Math.max(at('blur'), 0), blurRadius / 2);
    const scale = Math.max(Math.hypot(a, b), Math.hypot(c, d));
    const fillOpacity = isFill ? share('fillOpacity') : isShadow;
    const drawn = isFill ? share('draw') : 1;
    const lineWidth = isFill ? at('strokeWidth') : outlineWidth;
    const lineOpacity = lineWidth > 0 && drawn > 0 ? isFill ? share('strokeOpacity', 0) : 1 : 0;
    const box = boxOf(corners, lineOpacity && lineWidth / 2);
    const pieces = (fillOpacity && fills) + (lineOpacity > 0) + images.length;
    // Shadows have one colour, and a line is as wide in all directions.
    const isMasked = paint.isMoving || (isShadow ? pieces > 1 || images.length : lineOpacity && paint.space);
    const bounds = boxOf(cornersOf(boxOf(placed(box, matrix), 3 * blur * scale + 2)).map((point) => (
      { x: clamp(Math.round(point.x), canvas.width), y: clamp(Math.round(point.y), canvas.height) })));
    return bounds.width && bounds.height ? {
      glyph, isFill, clip, paint, opacity, turned, matrix, blur, scale, fillOpacity, drawn, lineWidth, lineOpacity, box, isMasked,
      bounds,
      isDirect: !isMasked && (blur || pieces < 2 || opacity === 1),
      join: glyph.join >= 0 && JSON.stringify([glyph.join, opacity, clip, paint.style]),
    } : undefined;
  }

  #paintOf({ part, shimmer, ...layer }, glyph, time) {
    if (shimmer >= 0) {
      const { gradient, passage } = this.#scene.shimmers[shimmer];
      const way = valueAt(passage, time);
      return way > 0 && way < 1 ? this.#movingPaint(gradient, way, 'pan') : undefined;
    }
    if (part !== 'fill') return { style: this.dark && layer.darkColor || layer.color };
    const isDark = this.dark && glyph.darkColor;
    const moving = isDark ? layer.darkGradient : layer.gradient;
    if (moving >= 0) return this.#movingPaint(moving, this.#turns);
    const gradient = isDark ? glyph.darkGradient : glyph.gradient;
    if (gradient >= 0) return this.#paints[gradient];
    const color = isDark || glyph.color;
    // The glyph's own colour is that of the scheme.
    const track = glyph.fill?.map((key) => (key.value === glyph.color ? { ...key, value: color } : key));
    return { style: track ? valueAt(track, time) : color };
  }

  #sheet(number, width, height) {
    const context = this.#sheets[number] ??= new OffscreenCanvas(1, 1).getContext('2d');
    const { canvas } = context;
    if (canvas.width < width) canvas.width = width;
    if (canvas.height < height) canvas.height = height;
    context.resetTransform();
    Object.assign(context, { globalAlpha: 1, filter: 'none' });
    context.clearRect(0, 0, width, height);
    return context;
  }

  /** Draws parts that are blended once. */
  #drawTogether(parts) {
    const { x, y, width, height } = boxOf(parts.flatMap(({ bounds }) => cornersOf(bounds)));
    const [first] = parts;
    const { paint, isMasked, matrix, opacity } = first;
    const [context, sheet, map] = [this.#context, this.#sheet(0, width, height), still.translate(-x, -y)];
    const isMask = isMasked || parts.length > 1 && typeof paint.style === 'string';
    for (const part of parts) this.#drawPart(sheet, { ...part, clip: undefined }, isMask ? MASK : paint, 1, map);
    if (isMask) flood(sheet, paint, map.multiply(paint.isMoving ? this.#base : matrix), 'source-in');
    begin(context, first, still.translate(x, y), opacity);
    context.drawImage(sheet.canvas, 0, 0, width, height, 0, 0, width, height);
    context.restore();
  }

  #drawPart(context, part, paint, opacity, map = still) {
    const { blur, box, scale } = part;
    const matrix = map.multiply(part.matrix);
    begin(context, part, matrix, opacity);
    if (blur) {
      // Before it is stretched and turned; browsers leave out small blurs.
      const factor = Math.min(scale * (blur * scale < 2 ? 2 : 1), 2048 / (Math.max(box.width, box.height) + 6 * blur));
      const margin = Math.ceil(3 * blur * factor) + 1;
      const place = still.translate(margin, margin).scale(factor).translate(-box.x, -box.y);
      const [width, height] = [box.width, box.height].map((side) => Math.ceil(side * factor) + 2 * margin);
      const [sharp, blurred] = [1, 2].map((number) => this.#sheet(number, width, height));
      sharp.setTransform(place);
      this.#drawInk(sharp, part, paint, 1);
      blurred.filter = `blur(${blur * factor}px)`;
      blurred.drawImage(sharp.canvas, 0, 0, width, height, 0, 0, width, height);
      context.setTransform(matrix.multiply(place.inverse()));
      context.drawImage(blurred.canvas, 0, 0, width, height, 0, 0, width, height);
    } else {
      this.#drawInk(context, part, paint, opacity);
    }
    context.restore();
  }

  #drawInk(context, { glyph, isFill, fillOpacity, lineOpacity, lineWidth, drawn }, paint, opacity) {
    const { shape, bars, edges, images } = this.#inks[glyph.index];
    context.globalAlpha = opacity * fillOpacity;
    for (const path of [shape, bars]) fill(context, path, paint);
    if (lineOpacity) {
      const length = this.#scene.outlines[glyph.outline]?.length * glyph.unit;
      Object.assign(context, { globalAlpha: opacity * lineOpacity, strokeStyle: paint.style, lineWidth, lineJoin: 'round',
        lineCap: glyph.cap ?? 'butt' });
      context.setLineDash(drawn < 1 && length ? [drawn * length, 2 * length] : []);
      context.stroke(isFill ? shape : edges);
    }
    if (!isFill && !fillOpacity) return;
    Object.assign(context, { globalAlpha: opacity, imageSmoothingQuality: 'high' });
    for (const { image, x, y, width, height } of images) context.drawImage(this.#images[image], x, y, width, height);
  }
}
