import { EmittedFileError } from '../errors/errors.js';
import type { FoundClass } from '../extract/find-classes.js';
import { printedPlace } from '../source/place.js';
import type { ts } from '../typescript.js';
import { EmittedCalls } from './emitted-calls.js';
import { EmittedClasses } from './emitted-classes.js';
import type { EmittedFile } from './emitted-file.js';
import { EmittedReferences } from './emitted-references.js';
import type { NamedValue } from './named-value.js';
import type { RecordTarget } from './record-target.js';
import { requireSameParameters } from './same-parameters.js';

/** The cure if an emitted file does not fit its source. */
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

/** The records of a source go into the classes and calls that were emitted for it. */
export class EmittedTarget implements RecordTarget {
  private readonly classes: EmittedClasses;
  private readonly calls: EmittedCalls;
  private readonly references: EmittedReferences;

  constructor(
    source: ts.SourceFile,
    private readonly file: EmittedFile,
    private readonly cures = TSC,
  ) {
    this.classes = new EmittedClasses(source, file.code);
    this.calls = new EmittedCalls(source, file.code);
    this.references = new EmittedReferences(file.code, this.classes);
  }

  /** @throws EmittedFileError where the emitted file does not have the class, as the source has it now */
  classFor({ name, node }: FoundClass): ts.ClassLikeDeclaration {
    const emitted = this.classes.find(node);
    if (emitted === undefined) {
      throw new EmittedFileError(
        `${this.file.path} has no class that certainly matches ${name} of ${printedPlace(node)}. ` +
          this.cures.classInDoubt,
      );
    }
    requireSameParameters(name, node, emitted, this.cures.otherParameters);
    return emitted;
  }

  /** @throws EmittedFileError where the emitted file does not have the call, or it may be another */
  callFor(source: ts.CallExpression): ts.CallExpression {
    const emitted = this.calls.find(source);
    if (emitted !== undefined) return emitted;
    throw new EmittedFileError(
      `${this.file.path} has no call that certainly matches the one at ${printedPlace(source)}. ` +
        'Run tsc first; call defineTool and defineAgent by these names, each assigned to its own constant.',
    );
  }

  expressionFor(named: NamedValue, place: ts.Node): string | undefined {
    return this.references.find(named, place);
  }
}
