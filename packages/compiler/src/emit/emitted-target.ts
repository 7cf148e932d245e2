import { DerivationFailedError } from '../errors/derivation-failed.error.js';
import type { FoundClass } from '../extract/find-classes.js';
import { printedPlace } from '../source/place.js';
import type { ts } from '../typescript.js';
import { EmittedClasses } from './emitted-classes.js';
import type { EmittedFile } from './emitted-file.js';
import { EmittedReferences } from './emitted-references.js';
import type { NamedClass } from './named-class.js';
import type { RecordTarget } from './record-insertion.js';
import { requireSameParameters } from './same-parameters.js';

/** What to do where a file does not fit the source that it was made of. */
export interface Cures {
  /** It has not one class, or more than one, that can be the source's. */
  readonly classInDoubt: string;
  /** It was made of another source than the present one. */
  readonly otherParameters: string;
}

const TSC: Cures = {
  classInDoubt:
    'Run tsc first, with ES2015 or later as its target, and give classes with equal methods names of their own.',
  otherParameters: 'Run tsc again.',
};

/** The records of a source go into the classes that were emitted for it. */
export class EmittedTarget implements RecordTarget {
  private readonly classes: EmittedClasses;
  private readonly references: EmittedReferences;

  constructor(
    source: ts.SourceFile,
    private readonly file: EmittedFile,
    private readonly cures = TSC,
  ) {
    this.classes = new EmittedClasses(source, file.code);
    this.references = new EmittedReferences(file.code, this.classes);
  }

  /** @throws DerivationFailedError where the emitted file does not have the class, as the source has it now */
  classFor({ name, node }: FoundClass): ts.ClassLikeDeclaration {
    const emitted = this.classes.find(node);
    if (emitted === undefined) {
      throw new DerivationFailedError(
        `${this.file.path} has no class that is certainly ${name} of ${printedPlace(node)}. ` +
          this.cures.classInDoubt,
      );
    }
    requireSameParameters(name, node, emitted, this.cures.otherParameters);
    return emitted;
  }

  expressionFor(named: NamedClass, place: ts.ClassLikeDeclaration): string | undefined {
    return this.references.find(named, place);
  }
}
