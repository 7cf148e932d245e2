import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { UsageError } from './command-line/usage.error.js';

/** Where the fixtures may be, the first that is given being the one. */
export interface FixturesPlaces {
  /** What the command line says. */
  readonly flag: string | undefined;
  /** What `ADORN_FIXTURES` says. */
  readonly environment: string | undefined;
  /** The root of the repository; the fixtures lie beside it. */
  readonly root: string;
}

/**
 * The folder that holds the fixtures, with the folders that are asked for in it.
 *
 * @throws UsageError where one of them is absent: what cannot be read was not passed.
 */
export function findFixtures({ flag, environment, root }: FixturesPlaces, wanted: readonly string[]): string {
  const given = [flag, environment].find((place) => place !== undefined && place !== '');
  const folder = given === undefined ? resolve(root, '../shared/fixtures') : resolve(given);
  const missing = wanted.find((each) => !existsSync(join(folder, each)));
  if (missing === undefined) return folder;
  throw new UsageError(
    `There are no fixtures "${missing}" in ${folder}. Say where they are with --fixtures DIR or ADORN_FIXTURES.`,
  );
}
