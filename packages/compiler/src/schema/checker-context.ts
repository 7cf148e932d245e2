import type { ts } from '../typescript.js';

/** The program and type checker that all steps of the extraction share. */
export interface CheckerContext {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
}
