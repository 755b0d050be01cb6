/** Types of `<title-card>`, which `titlecard.js` defines. docs/component.md describes it. */

/** A number, or its text, as attributes have it. */
type Amount = number | `${number}`;

/** A boolean, as attributes have it: `''` is true. */
type Flag = boolean | 'true' | 'false' | '';

/** The names of effects; others may be the server's own. */
type Effect =
  | 'typewriter' | 'rewrite' | 'reveal' | 'birdman' | 'fade' | 'secret' | 'fall' | 'morph' | 'slide' | 'pop' | 'drop'
  | 'wave' | 'scramble' | 'flap' | 'custom' | 'rise' | 'blur' | 'zoom' | 'flip' | 'tracking' | 'highlight' | 'shimmer' | 'draw'
  | 'count' | 'roll' | 'marquee' | 'scroll' | 'pulse' | 'shake' | 'swing' | 'float' | 'flicker' | 'glitch' | 'none'
  | (string & {});

/** The parameters of a request, which docs/api.md and docs/effects.md describe. */
export interface TitleCardParameters {
  text?: string;
  markup?: Flag;
  codeLanguage?:
    | 'none' | 'swift' | 'c' | 'cpp' | 'rust' | 'go' | 'python' | 'javascript' | 'typescript' | 'java' | 'sql' | 'html'
    | 'json' | 'shell' | 'console' | 'diff';
  codeTheme?: 'light' | 'dark';
  darkCodeTheme?: 'light' | 'dark';
  lineNumbers?: Flag;
  firstLine?: Amount | 'auto';
  font?: string;
  size?: Amount;
  weight?: Amount | 'auto';
  italic?: Flag;
  fontFeatures?: string;
  fontVariations?: string;
  lang?: string;
  letterSpacing?: Amount;
  lineHeight?: Amount | 'auto';
  color?: string;
  darkColor?: string;
  words?: 'auto' | 'spaces' | 'unicode';
  gradientBox?: 'block' | 'line' | 'glyph';
  outlineWidth?: Amount;
  outlineColor?: string;
  darkOutlineColor?: string;
  shadow?: string;
  darkShadow?: string;
  path?: string;
  pathAlign?: 'start' | 'center' | 'end';
  pathOffset?: Amount;
  pathSide?: 'left' | 'right';
  pathRotate?: Flag;
  mark?: 'none' | 'underline' | 'strike' | 'box' | 'circle' | 'highlight' | 'bracket' | 'pill' | 'quote' | 'bullet';
  markLayer?: 'behind' | 'front';
  markColor?: string;
  darkMarkColor?: string;
  markWidth?: Amount;
  markStrokes?: Amount;
  markPadding?: Amount;
  markDelay?: Amount;
  markDuration?: Amount;
  cursor?: 'auto' | 'none' | 'bar' | 'block' | 'underscore';
  cursorBlink?: Amount;
  at?: Amount;
  until?: Amount;
  times?: string;
  spoken?: 'none' | 'color' | 'sweep' | 'box';
  spokenColor?: string;
  spokenScale?: Amount;
  spokenWeight?: Amount;
  spokenBox?: string;
  spokenBoxMotion?: 'jump' | 'slide';
  upcomingOpacity?: Amount;
  pastOpacity?: Amount;
  pastColor?: string;
  width?: Amount;
  height?: Amount;
  maxWidth?: Amount | 'auto' | 'none';
  fit?: 'none' | 'shrink' | 'fill';
  minSize?: Amount;
  maxLines?: Amount;
  wrap?: 'auto' | 'none' | 'normal' | 'balance' | 'pretty';
  room?: 'none' | 'motion';
  padding?: Amount;
  align?: 'left' | 'center' | 'right' | 'start' | 'end';
  valign?: 'top' | 'middle' | 'bottom';
  spacing?: Amount;
  safeArea?: Amount;
  flow?: 'column' | 'row';
  card?: 'canvas' | 'fit';
  background?: string;
  darkBackground?: string;
  cornerRadius?: Amount;
  borderWidth?: Amount;
  borderColor?: string;
  darkBorderColor?: string;
  cardEffect?: 'none' | 'fade' | 'slide' | 'grow' | 'wipe' | 'draw';
  cardDuration?: Amount;
  cardEasing?: string;
  cardDirection?: 'up' | 'down' | 'left' | 'right';
  bar?: 'none' | 'left' | 'right' | 'top' | 'bottom' | 'start' | 'end';
  barColor?: string;
  darkBarColor?: string;
  barWidth?: Amount;
  barGap?: Amount;
  titleBar?: Flag;
  windowTitle?: string;
  sequence?: 'queue' | 'together' | 'replace' | 'rotate' | 'timed';
  offset?: Amount;
  gap?: Amount;
  delay?: Amount;
  hold?: Amount;
  exit?: 'between' | 'auto' | 'none' | Effect;
  emphasis?: 'none' | Effect;
  emphasisDuration?: Amount;
  emphasisInterval?: Amount;
  emphasisRate?: Amount;
  paintMotion?: 'none' | 'pan' | 'spin' | 'breathe';
  paintDuration?: Amount;
  paintEasing?: string;
  loop?: Amount | 'infinite';
  speed?: Amount;
  cycle?: Amount;
  minCycle?: Amount;
  maxCycle?: Amount;
  cycleStep?: Amount;
  seed?: Amount;
  animate?: Flag;
  title?: string;
  captionFormat?:
    | 'auto' | 'srt' | 'vtt' | 'ass' | 'lrc' | 'sbv' | 'ttml' | 'captions' | 'whisper' | 'whisper-cpp' | 'whisperx'
    | 'openai' | 'deepgram' | 'assemblyai' | 'elevenlabs' | 'amazon' | 'google' | 'gladia' | 'json3' | 'remotion'
    | 'hyperframes' | 'editframe';
  captionUnit?: 'auto' | 's' | 'ms';
  pageWords?: Amount;
  pageSeconds?: Amount;
  pagePause?: Amount;
  pageBreak?: 'sentence' | 'pause' | 'cue';
  pictures?: string;
  backdrop?: string;
  backdropFit?: 'cover' | 'contain';
  backdropDim?: Amount;
  for?: string;
  effect?: Effect;
  description?: string;
  preset?: string;
  scheme?: 'auto' | 'light' | 'dark';
  defaults?: '0.3';
  by?: 'glyph' | 'word' | 'line' | 'all';
  order?: 'forward' | 'backward' | 'center' | 'edges' | 'random';
  interval?: Amount | 'auto';
  jitter?: Amount;
  punctuationPause?: Amount;
  prompt?: string;
  pauseAfterCommand?: Amount;
  eraseInterval?: Amount;
  eraseOrder?: 'forward' | 'backward' | 'center' | 'edges' | 'random';
  indentation?: 'typed' | 'instant';
  typos?: Amount;
  typoPause?: Amount;
  erase?: 'all' | 'changed';
  duration?: Amount;
  fadeDuration?: Amount;
  groupDelay?: Amount;
  acceleration?: Amount;
  foldCase?: Flag;
  minDuration?: Amount;
  maxDuration?: Amount;
  maxDelay?: Amount;
  easing?: string;
  tick?: Amount;
  firstChance?: Amount;
  chance?: Amount;
  maxTicks?: Amount;
  minDistance?: Amount;
  maxDistance?: Amount;
  angle?: Amount;
  fromScale?: Amount;
  direction?: 'up' | 'down' | 'left' | 'right' | 'start';
  distance?: Amount;
  mask?: 'none' | 'line' | 'item';
  amplitude?: Amount;
  lead?: Amount;
  charset?: string;
  keyframes?: string;
  radius?: Amount;
  fromSpread?: Amount;
  highlightColor?: string;
  leftColor?: string;
  rightColor?: string;
  shimmerColor?: string;
  shimmerAngle?: Amount;
  shimmerWidth?: Amount;
  rate?: Amount;
  marqueeGap?: Amount;
  toScale?: Amount;
  depth?: Amount;
  strokeWidth?: Amount;
  from?: Amount;
  fromPercent?: Amount;
  trend?: 'up' | 'down';
  steps?: Amount;
  turns?: Amount;
  flaps?: Amount;
  flip?: Flag;
  continues?: Flag;
}

/** The attributes of the element's own. */
export interface TitleCardOptions {
  /** The address of the service, or of one of its SVGs; without it, where the module comes from. */
  src?: string;
  /** When it begins to play: once it is in view, unless given. */
  start?: 'visible' | 'load' | 'hover' | 'manual';
  /** A button that plays and pauses; `none` for no button at all. */
  controls?: '' | 'none' | (string & {});
  /** What it shows before it plays: the first instant, or the finished text. */
  poster?: 'start' | 'end';
  /** The text of a file of captions, in place of the text. */
  captions?: string;
  /** The id of a `<video>` or `<audio>` whose clock it follows. */
  video?: string;
  /** With `video`: the id of a `<track>`, or nothing for any; it is seen while that is on. */
  track?: string;
  'play-label'?: string;
  'pause-label'?: string;
}

type Hyphenated<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Hyphenated<Rest>}`
  : Name;

/** All attributes, by the names of parameters or with hyphens: `fontFeatures` or `font-features`. */
export type TitleCardAttributes = TitleCardOptions & TitleCardParameters & {
  [Name in keyof TitleCardParameters as Hyphenated<Name>]?: TitleCardParameters[Name];
};

export interface TitleCardEventMap {
  /** There is something to play. */
  ready: Event;
  play: Event;
  pause: Event;
  /** A cycle has ended and the next one begins. */
  cycle: Event;
  finish: Event;
  /** Nothing could be drawn, or not in time; `message` says why. */
  error: ErrorEvent;
}

export declare class TitleCard extends HTMLElement {
  /** Asks for the picture again, also after an error. */
  reload(): void;
  /** Plays on; from the beginning, if it has come to its end. */
  play(): void;
  pause(): void;
  /** Shows an instant of the cycle, in seconds. Throws a TypeError for what is no number. */
  seek(seconds: number): void;
  /** Plays from the beginning. */
  restart(): void;
  /** Seconds since the cycle began. To set it is to seek. */
  get currentTime(): number;
  set currentTime(seconds: number);
  /** The seconds of one cycle; NaN until it is ready. To set it sets the attribute, a parameter of effects. */
  get duration(): number;
  set duration(value: number);
  get paused(): boolean;
  /** How fast it plays: 1 is as drawn. Throws a RangeError for what is not positive. */
  get playbackRate(): number;
  set playbackRate(rate: number);
  /** Is fulfilled with the element when it has come to its end. A new one after it has begun again. */
  get finished(): Promise<TitleCard>;

  addEventListener<Type extends keyof TitleCardEventMap>(
    type: Type, listener: (this: TitleCard, event: TitleCardEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Type extends keyof TitleCardEventMap>(
    type: Type, listener: (this: TitleCard, event: TitleCardEventMap[Type]) => unknown,
    options?: boolean | EventListenerOptions): void;
  removeEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** The attributes in JSX, with those that all elements have, and handlers as frameworks name them. */
export type TitleCardElementProps = TitleCardAttributes & {
  // Frameworks have events of their own.
  [handler: `on${string}`]: ((event: any) => void) | undefined;
} & {
  accessKey?: string;
  autoFocus?: boolean;
  class?: string;
  className?: string;
  contentEditable?: boolean | 'true' | 'false' | 'inherit' | 'plaintext-only';
  dangerouslySetInnerHTML?: unknown;
  dir?: string;
  draggable?: boolean | 'true' | 'false';
  hidden?: boolean | 'until-found';
  id?: string;
  inert?: boolean;
  key?: string | number | null;
  lang?: string;
  nonce?: string;
  part?: string;
  popover?: '' | 'auto' | 'manual' | 'hint';
  ref?: unknown;
  role?: string;
  slot?: string;
  spellCheck?: boolean | 'true' | 'false';
  style?: unknown;
  suppressHydrationWarning?: boolean;
  tabIndex?: number;
  translate?: 'yes' | 'no';
  children?: unknown;
};

declare global {
  interface HTMLElementTagNameMap {
    'title-card': TitleCard;
  }

  namespace JSX {
    interface IntrinsicElements {
      'title-card': TitleCardElementProps;
    }
  }
}
