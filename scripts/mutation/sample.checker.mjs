// A checker of Stryker's, which is asked about each mutant that some test reaches: it lets those of the sample pass.
import { isInSample } from './sample.mjs';

const SAMPLE = {
  every: Number(process.env['ADORN_MUTATION_EVERY']),
  part: Number(process.env['ADORN_MUTATION_PART']),
};

class SampleChecker {
  init() {}

  group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  check(mutants) {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, verdictOn(mutant)]));
  }
}

function verdictOn(mutant) {
  // Stryker counts lines from 0 here and from 1 in its report.
  const { line, column } = mutant.location.start;
  const asReported = { ...mutant, location: { start: { line: line + 1, column: column + 1 } } };
  const path = mutant.fileName.slice(mutant.fileName.lastIndexOf('/packages/') + 1);
  if (isInSample(asReported, path, SAMPLE)) return { status: 'passed' };
  return { status: 'compileError', reason: 'not in the sample' };
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: SampleChecker }];
