import { join } from 'node:path';

import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import { sideBySide } from '../side-by-side.js';
import type { Suite } from '../suite.js';
import { checkDeclaration } from './check-declaration.js';
import { declareFunctions } from './declared-function.js';
import { KnownFaults } from './known-faults.js';
import type { Question } from './question.js';
import { type Category, type Libraries, readCategories, readLibraries } from './read-questions.js';
import { type QuestionChecks, replayQuestion } from './replay-question.js';

const FOLDER = 'bfcl';

/** Every function that the leaderboard describes is declared, and every expected call of it made. */
export const bfclConformance: Suite = {
  name: 'bfcl',
  summary: 'the functions of a function-calling leaderboard: declarations, expected calls, spoiled calls',
  takes: 'about 40 seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const folder = join(fixtures, FOLDER);
    const libraries = readLibraries(folder);
    const faults = KnownFaults.read(folder);
    yield await timed('libraries', () => Promise.resolve(checkLibraries(libraries)));
    for (const category of readCategories(folder, libraries)) {
      yield await checkCategory(category, faults, libraries);
    }
  },
};

function checkLibraries(libraries: Libraries): CheckGroup[] {
  const checks = [...libraries].flatMap(([name, documents]) =>
    declareFunctions(documents).map((declared) => checkDeclaration(name, declared)),
  );
  return [{ name: 'declarations', checks }];
}

async function checkCategory(
  { name, questions }: Category,
  faults: KnownFaults,
  libraries: Libraries,
): Promise<Section> {
  const replays: QuestionChecks[] = [];
  const section = await timed(name, async () => {
    const declarations = checkDeclarations(questions, libraries);
    replays.push(...(await sideBySide(questions, 1, (question) => replayQuestion(question, faults))));
    return groupsOf(declarations, replays);
  });
  return { ...section, leftOut: tellUnspoiled(replays) };
}

function checkDeclarations(questions: readonly Question[], libraries: Libraries): Check[] {
  const inLibraries = new Set([...libraries.values()].flat());
  return questions.flatMap(({ id, documents }) =>
    declareFunctions(documents)
      .filter(({ document }) => !inLibraries.has(document))
      .map((declared) => checkDeclaration(id, declared)),
  );
}

function groupsOf(declarations: readonly Check[], replays: readonly QuestionChecks[]): CheckGroup[] {
  return [
    { name: 'declarations', checks: declarations },
    { name: 'expected calls', checks: checksOf(replays, 'expected') },
    { name: 'argument removed', checks: checksOf(replays, 'required argument removed') },
    { name: 'wrong type', checks: checksOf(replays, 'wrong type') },
    { name: "the data's own faults", checks: checksOf(replays, 'known fault') },
    { name: 'runs', checks: replays.map(({ end }) => end) },
  ].filter(({ checks }) => checks.length > 0);
}

function checksOf(
  replays: readonly QuestionChecks[],
  wanted: QuestionChecks['calls'][number]['purpose'],
): CheckGroup['checks'] {
  return replays.flatMap(({ calls }) => calls.filter(({ purpose }) => purpose === wanted));
}

/** Not every call can be spoiled in both ways. */
function tellUnspoiled(replays: readonly QuestionChecks[]): string[] {
  const count = (purpose: QuestionChecks['calls'][number]['purpose']) => checksOf(replays, purpose).length;
  const expected = count('expected');
  const needNone = expected - count('required argument removed');
  const takeAny = expected - count('wrong type');
  return [
    ...(needNone > 0 ? [`${String(needNone)} calls need no argument that could be removed`] : []),
    ...(takeAny > 0 ? [`${String(takeAny)} calls have no argument for which any value is wrong`] : []),
  ];
}
