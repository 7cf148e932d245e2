import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { asJson, type Json } from './json-shape.js';
import { rootType } from './root-type.js';

/** What a line of the manifest says. */
export interface ManifestEntry {
  readonly corpus: string;
  readonly case: string;
  readonly expected: readonly string[];
  /** What the expected schema is of: `object` or another kind. */
  readonly root: string;
}

/** A source with a type in it, and the schema expected of that type. */
export interface TypeCase {
  readonly corpus: string;
  /** The name of the case's folder. */
  readonly folder: string;
  /** The folder's name, with what tells several schemas in it apart. */
  readonly name: string;
  readonly isObject: boolean;
  readonly expected: Json;
  /** All TypeScript sources, by name. */
  readonly sources: Readonly<Record<string, string>>;
  /** Where the type may stand; several files may each declare one of its name. */
  readonly roots: readonly TypeRoot[];
}

export interface TypeRoot {
  readonly file: string;
  readonly type: string;
}

/** All cases of a folder, as its manifest lists them. */
export function readTypeCases(folder: string): TypeCase[] {
  const entries = JSON.parse(readFileSync(join(folder, 'MANIFEST.json'), 'utf8')) as readonly ManifestEntry[];
  return entries.flatMap((entry) => entry.expected.flatMap((file) => readExpected(folder, entry, file)));
}

/** A schema that is nothing but definitions speaks of as many types. */
function readExpected(folder: string, entry: ManifestEntry, expectedFile: string): TypeCase[] {
  const place = join(folder, entry.corpus, entry.case);
  const expected = JSON.parse(readFileSync(join(place, expectedFile), 'utf8')) as Json;
  const sources = sourcesIn(place);
  const caseFolder = basename(entry.case);
  const [, named] = /^schema\.(\w+)\.\w+\.json$/.exec(expectedFile) ?? [];
  const name = caseFolder + (entry.expected.length > 1 ? ` (${expectedFile})` : '');
  const shared = { corpus: entry.corpus, folder: caseFolder, isObject: entry.root === 'object', sources };
  if (Object.keys(expected).some((key) => key !== '$schema' && key !== 'definitions'))
    return [{ ...shared, name, expected, roots: rootsIn(sources, named ?? referredTo(expected)) }];
  return Object.keys(asJson(expected['definitions'])).map((type) => ({
    ...shared,
    name: `${name} (${type})`,
    expected: { ...expected, $ref: `#/definitions/${encodeURIComponent(type)}` },
    roots: rootsIn(sources, type),
  }));
}

function sourcesIn(place: string): Record<string, string> {
  if (!existsSync(place)) return {};
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(place, name), 'utf8')]));
}

/** The type that the expected schema refers to, if it is but a reference. */
function referredTo({ $ref }: Json): string | undefined {
  if (typeof $ref !== 'string') return undefined;
  return decodeURIComponent($ref.split('/').at(-1) ?? '');
}

/** `main.ts` is asked first. */
function rootsIn(sources: Readonly<Record<string, string>>, named: string | undefined): TypeRoot[] {
  const files = Object.keys(sources).sort((a, b) => Number(b === 'main.ts') - Number(a === 'main.ts'));
  return files.flatMap((file) => {
    const type = rootType(asJson(sources)[file] as string, named);
    return type === undefined ? [] : [{ file, type }];
  });
}
