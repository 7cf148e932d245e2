import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One schema of the published suite, and values with the verdicts on them. */
export interface TestGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly SchemaTest[];
}

export interface SchemaTest {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

/** The groups of one file, by its path below the draft's folder. */
export interface TestFile {
  readonly path: string;
  readonly groups: readonly TestGroup[];
}

/** Every file of a draft, in the order of the paths. */
export function readTestFiles(folder: string): TestFile[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => path.endsWith('.json')).sort();
  return files.map((path) => ({ path: path.replaceAll('\\', '/'), groups: readGroups(join(folder, path)) }));
}

function readGroups(path: string): TestGroup[] {
  return JSON.parse(readFileSync(path, 'utf8')) as TestGroup[];
}
