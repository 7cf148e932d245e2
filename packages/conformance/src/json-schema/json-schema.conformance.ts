import { join } from 'node:path';

import { type CheckGroup, type Section, timed } from '../check.js';
import { sideBySide } from '../side-by-side.js';
import type { Suite } from '../suite.js';
import { checkConversion } from './check-conversion.js';
import { checkRefusal } from './check-refusal.js';
import { ENDLESS, HOSTILE } from './hostile-groups.js';
import { judgeGroup } from './judge-group.js';
import { fileOutOfScope, groupOutOfScope } from './scope.js';
import { readTestFiles, type TestFile, type TestGroup } from './test-group.js';

interface Draft {
  readonly folder: string;
  readonly dialect: string;
}

const FOLDER = 'json-schema-test-suite';
const DRAFT_7: Draft = { folder: 'draft7', dialect: 'http://json-schema.org/draft-07/schema#' };
const NEWEST: Draft = { folder: 'draft2020-12', dialect: 'https://json-schema.org/draft/2020-12/schema' };

/** The check of tools' arguments, held to the verdicts of the published suite. */
export const jsonSchemaConformance: Suite = {
  name: 'json-schema',
  summary: 'the JSON Schema test suite: what tools accept, and that Gemini gets a schema of it',
  takes: 'about 3 seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    for (const draft of [DRAFT_7, NEWEST]) {
      for (const file of readTestFiles(join(fixtures, FOLDER, draft.folder))) yield checkFile(file, draft);
    }
    yield await timed('hostile', checkHostile);
  },
};

async function checkHostile(): Promise<CheckGroup[]> {
  const refusals = await sideBySide(ENDLESS, 1, (group) => checkRefusal(group, NEWEST.dialect));
  const others = await checkGroups('hostile', [...HOSTILE, ...ENDLESS], HOSTILE, NEWEST);
  return [...others, { name: 'refusals', checks: refusals }];
}

/** Whatever is out of scope is converted for Gemini all the same. */
async function checkFile(file: TestFile, draft: Draft): Promise<Section> {
  const reasons = new Map(
    file.groups.map((group) => [group, fileOutOfScope(file) ?? groupOutOfScope(draft.folder, group)]),
  );
  const used = file.groups.filter((group) => reasons.get(group) === undefined);
  const section = await timed(`${draft.folder}/${file.path}`, () =>
    checkGroups(file.path, file.groups, used, draft),
  );
  return { ...section, leftOut: tellLeftOut(reasons) };
}

/** A reason is told once, with how many schemas it holds for. */
function tellLeftOut(reasons: ReadonlyMap<TestGroup, string | undefined>): string[] {
  const given = [...reasons.values()].filter((reason) => reason !== undefined);
  return [...new Set(given)].map((reason) => {
    const count = given.filter((each) => each === reason).length;
    return `${String(count)} of ${String(reasons.size)} schemas: ${reason}`;
  });
}

async function checkGroups(
  path: string,
  all: readonly TestGroup[],
  used: readonly TestGroup[],
  { dialect }: Draft,
): Promise<CheckGroup[]> {
  const verdicts = await sideBySide(used, 1, (group) => judgeGroup(path, group, dialect));
  return [
    { name: 'verdicts', checks: verdicts.flat() },
    { name: 'conversions', checks: all.map((group) => checkConversion(path, group, dialect)) },
  ].filter(({ checks }) => checks.length > 0);
}
