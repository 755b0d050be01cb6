/** The control points of the cubic curves that have a name. */
const cubics = {
  'linear': [0, 0, 1, 1],
  'ease': [0.25, 0.1, 0.25, 1],
  'ease-in': [0.42, 0, 1, 1],
  'ease-out': [0, 0, 0.58, 1],
  'ease-in-out': [0.42, 0, 0.58, 1],
  'back-out': [0.34, 1.56, 0.64, 1],
};

/** The names that stand for a whole curve. */
export const namedEasings = [...Object.keys(cubics), 'bounce', 'spring'];

/** An example of each function that makes a curve of arguments, by the function's name. */
export const easingExamples = {
  'cubic-bezier': 'cubic-bezier(0.2, 0.8, 0.2, 1)',
  'spring': 'spring(0.5)',
  'steps': 'steps(6)',
  'linear': 'linear(0, 0.7 30%, 0.6 60%, 1)',
};

/** The ranges of the functions' arguments, by the function's name. */
export const easingRanges = {
  'cubic-bezier': { x: { minimum: 0, maximum: 1 }, y: { minimum: -10, maximum: 10 } },
  'spring': { minimum: -0.9, maximum: 0.9 },
  'steps': { minimum: 1, maximum: 100 },
};

/** The bounce of `spring` without an argument. */
const usualBounce = 0.3;

/** Points of a curve that is drawn by sampling. */
const sampleCount = 64;

/** Returns the name and the arguments of a function's call; null if the text is none. */
export function easingCall(text) {
  const [, name, inside] = /^([a-z-]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  if (!Object.hasOwn(easingExamples, name)) return null;
  return { name, parts: inside.split(',').map((part) => part.trim()) };
}

/** Returns the control points of a cubic curve, x1, y1, x2 and y2; null if the text is none. */
export function cubicOf(text) {
  if (Object.hasOwn(cubics, text)) return [...cubics[text]];
  const { name, parts } = easingCall(text) ?? {};
  if (name !== 'cubic-bezier' || parts.length !== 4 || parts.includes('')) return null;
  const points = parts.map(Number);
  return points.every(Number.isFinite) ? points : null;
}

/**
 * Returns an easing as path data in a unit square, time to the right and progress down from 0 to
 * 1; null if the text is no easing.
 */
export function easingPath(text) {
  const points = cubicOf(text);
  if (points) return cubicPath(points);
  if (text === 'bounce') return sampledPath(bounce);
  if (text === 'spring') return sampledPath(spring(usualBounce));
  const { name, parts } = easingCall(text) ?? {};
  const numbers = parts?.map((part) => part === '' ? NaN : Number(part)) ?? [];
  if (name === 'linear') return stopsPath(parts);
  if (numbers.length !== 1 || !Number.isFinite(numbers[0])) return null;
  const [number] = numbers;
  if (name === 'steps') return stepsPath(number);
  return name === 'spring' && isWithin(easingRanges.spring, number)
    ? sampledPath(spring(number)) : null;
}

function isWithin({ minimum, maximum }, number) {
  return number >= minimum && number <= maximum;
}

function cubicPath([x1, y1, x2, y2]) {
  return `M0 0C${x1} ${y1} ${x2} ${y2} 1 1`;
}

function sampledPath(value) {
  const points = Array.from({ length: sampleCount + 1 }, (_, index) => index / sampleCount)
    .map((share) => `${share} ${value(share)}`);
  return `M${points.join('L')}`;
}

function stepsPath(count) {
  if (!Number.isInteger(count) || !isWithin(easingRanges.steps, count)) return null;
  const steps = Array.from({ length: count }, (_, index) => index + 1);
  return `M0 0${steps.map((step) => `H${step / count}V${step / count}`).join('')}`;
}

/** CSS's `linear()`: the lines go on before the first point and behind the last. */
function stopsPath(parts) {
  const stops = parts.map((part) => /^(\S+)(?: +(\S+)%)?$/.exec(part))
    .map((match) => match && { value: Number(match[1]), share: match[2] && match[2] / 100 });
  const isValid = (stop) => stop && Number.isFinite(stop.value)
    && (stop.share === undefined || (stop.share >= 0 && stop.share <= 1));
  if (stops.length < 2 || !stops.every(isValid)) return null;
  stops[0].share ??= 0;
  stops.at(-1).share ??= 1;
  for (let index = 1, last = 0; index < stops.length; index += 1) {
    if (stops[index].share === undefined) continue;
    const highest = Math.max(...stops.slice(0, index).map(({ share }) => share ?? 0));
    stops[index].share = Math.max(stops[index].share, highest);
    for (let between = last + 1; between < index; between += 1) {
      stops[between].share = stops[last].share
        + (stops[index].share - stops[last].share) * (between - last) / (index - last);
    }
    last = index;
  }
  const at = (one, other, share) => other.share > one.share
    ? one.value + (other.value - one.value) * (share - one.share) / (other.share - one.share)
    : other.value;
  const points = [
    { share: 0, value: at(stops[0], stops[1], 0) }, ...stops,
    { share: 1, value: at(stops.at(-2), stops.at(-1), 1) },
  ];
  return `M${points.map(({ share, value }) => `${share} ${value}`).join('L')}`;
}

/** The parabolas of Penner's easeOutBounce, in elevenths of the time. */
const bounces = [
  { start: 0, middle: 0, floor: 0 }, { start: 4, middle: 6, floor: 0.75 },
  { start: 8, middle: 9, floor: 0.9375 }, { start: 10, middle: 10.5, floor: 0.984375 },
];

function bounce(share) {
  const { middle, floor } = bounces.findLast(({ start }) => share * 11 >= start);
  return floor + 7.5625 * (share - middle / 11) ** 2;
}

/** A damped spring that stays within 0.001 of 1 from the end on. */
function spring(bounciness) {
  const damping = bounciness >= 0 ? 1 - bounciness : 1 / (1 + bounciness);
  const root = Math.sqrt(Math.abs(1 - damping ** 2));
  const position = (time) => {
    if (root === 0) return 1 - Math.exp(-time) * (1 + time);
    if (damping < 1) {
      return 1 - Math.exp(-damping * time)
        * (Math.cos(root * time) + damping / root * Math.sin(root * time));
    }
    const [slow, fast] = [root - damping, -root - damping];
    return 1 - (slow * Math.exp(fast * time) - fast * Math.exp(slow * time)) / (slow - fast);
  };
  // The slowest spring settles at 138.
  let end = 140;
  while (end > 0 && Math.abs(position(end) - 1) < 0.001) end -= 0.02;
  return (share) => share < 1 ? position(share * end) : 1;
}
