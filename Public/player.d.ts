/** Types of `player.js`, which plays the JSON rendering with outlines. docs/api.md, *A player*, describes it. */

import type { Rendering } from './titlecard';

export interface PlayerOptions {
  /** True for the colours of a viewer who prefers dark; false unless given. */
  dark?: boolean;
  /** Pixels of the canvas in one CSS pixel; those of the screen, unless given. */
  pixelRatio?: number;
  /** The cycles that are played; those of the rendering, unless given. */
  loop?: number | 'infinite';
  /** True for a viewer who prefers reduced motion: the finished text is shown, and nothing moves. */
  reducedMotion?: boolean;
}

/** An element, or an `OffscreenCanvas`. */
export interface PlayerCanvas {
  width: number;
  height: number;
  getContext(kind: '2d'): unknown;
}

export interface PlayerEventMap {
  /** A cycle has ended and the next one begins. */
  cycle: Event;
  /** The last cycle has ended. */
  finish: Event;
}

export declare class Player extends EventTarget {
  /** Gives the canvas its size in pixels, and a width in CSS pixels unless its style has one. */
  constructor(scene: Rendering, canvas: PlayerCanvas, options?: PlayerOptions);
  /** Is fulfilled with the player once the pictures are decoded and the first instant is drawn. */
  readonly ready: Promise<Player>;
  /** The next drawing has the colours for dark, or those for light. */
  dark: boolean;
  /** How fast it plays: 1 is as made. Any positive number. */
  playbackRate: number;
  /** Plays on; from the beginning, if it has come to its end. */
  play(): void;
  pause(): void;
  /** Shows an instant of the cycle, in seconds. Throws a TypeError for what is no number. */
  seek(seconds: number): void;
  /** Draws an instant of the cycle, in seconds, and keeps the current time; the current one, unless given. */
  draw(seconds?: number): void;
  /** Seconds since the cycle began. To set it is to seek. */
  get currentTime(): number;
  set currentTime(seconds: number);
  /** The seconds of one cycle. */
  get duration(): number;
  /** True unless it plays. */
  get paused(): boolean;

  addEventListener<Type extends keyof PlayerEventMap>(
    type: Type, listener: (this: Player, event: PlayerEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Type extends keyof PlayerEventMap>(
    type: Type, listener: (this: Player, event: PlayerEventMap[Type]) => unknown,
    options?: boolean | EventListenerOptions): void;
  removeEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}
