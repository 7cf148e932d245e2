import { resolve } from 'node:path';

import { SchemaStaleError } from '../errors/errors.js';
import { configFile } from '../program/config-file.js';
import { type BuildReport, reportOf } from './build-report.js';
import { findStamped, stamp } from './build-stamp.js';
import { writeWhole } from './write-whole.js';
import { shownPath } from '../program/shown-path.js';

export interface BuildOptions {
  /** A tsconfig, or the folder that holds `tsconfig.json`. The projects it refers to are built too. */
  readonly project: string;
  /** Write nothing, and fail where something would have to be written. */
  readonly check?: boolean;
  /** Called with the path of each file that is written. */
  readonly log?: (line: string) => void;
  /** Called with what is done next, such as `Deriving 3 of 40: src/orders.ts`. Default: nothing is told. */
  readonly onStep?: (step: string) => void;
}

/**
 * Writes the records of all decorated classes, and of the functions that are tools, of a project into the JavaScript that
 * tsc emitted for them.
 * Nothing is written where anything is wrong, and a file that is right already is left alone. A build that finds all files as
 * the last one left them ends before TypeScript is loaded; `check` always looks itself.
 *
 * @throws SchemaStaleError with `check`, naming the files that would change
 * @throws TypeNotRepresentableError, ToolMisplacedError, SchemaInvalidError for what a class says wrong
 * @throws ExperimentalDecoratorsMissingError where classes are decorated and the tsconfig lacks the option
 * @throws DerivationFailedError where a tsconfig is not usable, or tsc has not run
 * @throws SeveralFaultsError where several of these are wrong
 */
export async function buildSchemas({
  project,
  check = false,
  log,
  onStep,
}: BuildOptions): Promise<BuildReport> {
  const tsconfig = configFile(resolve(project));
  const stamped = check ? undefined : findStamped(tsconfig);
  if (stamped) return stamped;
  onStep?.('Loading TypeScript');
  const { planBuild } = await import('./plan-build.js');
  const plan = planBuild(tsconfig, onStep);
  const changed = plan.files.filter(({ before, after }) => before !== after);
  if (check && changed.length > 0) throw new SchemaStaleError(changed.map(({ path }) => path));
  for (const { path, after } of changed) {
    writeWhole(path, after);
    log?.(`wrote the schemas in ${shownPath(path)}`);
  }
  await stamp(tsconfig, plan);
  return reportOf(plan.files);
}
