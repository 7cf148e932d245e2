import type { DerivedClass, DerivedTool } from '../derived-class.js';

/** Why the compiler could not derive something. */
export interface DerivationFault {
  readonly code: string;
  readonly message: string;
  /** A file that is not there yet may cure it, so it holds for this run of the compiler only. */
  readonly isUnresolved?: true;
}

/** What the compiler derived from one source file. */
export interface DerivedFile {
  /** By path, the hash of every file on which the records depend. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** By the name of the class. */
  readonly classes: Readonly<Record<string, DerivedClass>>;
  /** By the name of the function, or of the tool that it is the `run` of. */
  readonly functions?: Readonly<Record<string, DerivedTool>>;
  /** By the name of the class or function, why there is no record of it. */
  readonly faults: Readonly<Record<string, DerivationFault>>;
}

/** The compiler's answer, by path of the source file. */
export type DerivationAnswer = Readonly<Record<string, DerivedFile | { readonly error: DerivationFault }>>;
