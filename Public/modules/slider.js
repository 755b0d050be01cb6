/**
 * Where a value stands on a slider, 0…1.
 *
 * Ranges reach far beyond what one mostly wants (an interval may last 10 s, but 0.1 s is usual),
 * so the scale is bent until the default stands about a third along.
 */
export class Scale {
  constructor({ minimum, maximum, apart, default: standard, type }) {
    this.minimum = minimum;
    /** What the slider's start stands for: the range's own, or a value apart from it. */
    this.first = apart ?? minimum;
    this.span = maximum - minimum;
    this.whole = type === 'integer';
    const share = ((standard ?? minimum) - minimum) / this.span;
    this.bend = share > 0
      ? Math.min(Math.max(Math.log(share) / Math.log(0.35), 1), 4)
      : this.span > 2 ? 3 : 1;
  }

  position(value) {
    const share = (value - this.minimum) / this.span;
    return Math.min(Math.max(share, 0), 1) ** (1 / this.bend);
  }

  /** The value at a position, to two significant digits. */
  value(position) {
    const value = this.minimum + this.span * position ** this.bend;
    if (position <= 0) return this.first;
    if (position >= 1) return this.minimum + this.span;
    if (this.whole) return Math.round(value);
    const rounded = Number(value.toPrecision(2));
    return Math.min(Math.max(rounded, this.minimum), this.minimum + this.span);
  }
}

/** Lets the style sheet draw the part of a slider's track that lies before the thumb. */
export function fillTrack(slider) {
  const share = (slider.value - slider.min) / (slider.max - slider.min);
  slider.style.setProperty('--fill', `${share * 100}%`);
}
