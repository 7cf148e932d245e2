import type { Section } from './check.js';

/** A body of material that Adorn is held to. */
export interface Suite {
  /** What it is called on the command line. */
  readonly name: string;
  readonly summary: string;
  /** About how long it takes, for the help. */
  readonly takes: string;
  /** The folder of the fixtures that it reads; none where it needs no fixtures. */
  readonly folder?: string;
  /** Yields each line of the table when it is known. `fixtures` is the folder that holds `folder`. */
  run(fixtures: string): AsyncIterable<Section>;
}
