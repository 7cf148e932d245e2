import type { Tone } from './palette.js';

/** A line of output, not yet painted. */
export interface Line {
  readonly tone: Tone;
  readonly text: string;
}
