import type { FoundClass } from '../extract/find-classes.js';
import type { ts } from '../typescript.js';
import type { NamedValue } from './named-value.js';

/** A file that takes the records of a source: the one emitted for it, or the source itself. */
export interface RecordTarget {
  /** The class in this file for one of the source. */
  classFor(source: FoundClass): ts.ClassLikeDeclaration;
  /** The call in this file for one of the source. */
  callFor(source: ts.CallExpression): ts.CallExpression;
  /** What names, at a place in this file, what the source names; undefined where the file does not reach it. */
  expressionFor(named: NamedValue, place: ts.Node): string | undefined;
}
