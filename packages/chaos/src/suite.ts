import type { Section } from '@adorn/conformance/check';

/** What a suite of chaos is told by the command line. */
export interface SuiteOptions<Count extends string> {
  /** What its flags with a number say. */
  readonly counts: Readonly<Record<Count, number>>;
  /** The first seed. */
  readonly from: number;
  /** Whether few cases are wanted. */
  readonly quick: boolean;
  /** The parts of the suite that are run. */
  readonly parts: readonly string[];
}

/** A flag that takes a whole number: `--seeds N`. */
export interface CountFlag {
  readonly default: number;
  /** What is counted, for the help. */
  readonly what: string;
}

/** Something that is broken at random, and looked at afterwards. */
export interface ChaosSuite<Count extends string = string> {
  /** What it is called on the command line. */
  readonly name: string;
  /** About how long it takes with the defaults, for the help. */
  readonly takes: string;
  /** What happens, and what must hold, in a sentence. */
  readonly summary: string;
  /** The flags with a number, such as `{ seeds: … }` for `--seeds`. */
  readonly counts?: Readonly<Record<Count, CountFlag>>;
  /** What `--quick` does; the flag is refused where this is left out. */
  readonly quick?: string;
  /** What can be named behind the suite to run a part of it. Default: it has no parts. */
  readonly parts?: readonly string[];
  /** Yields each line of the table when it is known. */
  run(options: SuiteOptions<Count>): AsyncIterable<Section>;
}

/** States a suite, so that its options are known by the names of its flags. */
export function chaosSuite<Count extends string = never>(suite: ChaosSuite<Count>): ChaosSuite<Count> {
  return suite;
}
