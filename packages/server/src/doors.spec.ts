import { readdirSync, readFileSync } from 'node:fs';

import { DOORS_OF_FILES } from './doors.fixture.js';

const PACKAGES = new URL('../../', import.meta.url);
const ANSWERS = /\b(?:runner|live)\??\.(?:approve|reject|supply|delegate|run|call|undo|live)\(/;

describe('a door that begins runs or answers requests', () => {
  it('is one of these: a new one brings the principal of its authenticate as `by`, and is listed in doors.fixture', () => {
    const found = ['a2a', 'channels', 'mcp', 'schedules', 'server', 'studio'].flatMap((name) =>
      sourcesOf(`${name}/src/`).filter((path) => ANSWERS.test(codeOf(path))),
    );
    expect(found.sort()).toEqual(Object.keys(DOORS_OF_FILES));
  });

  it('is not in a fleet, whose submissions come from the program itself: one that is gets a row of the matrix', () => {
    const served = sourcesOf('fleet/src/').filter((path) =>
      /authenticate|createServer|Hono/.test(textOf(path)),
    );
    expect(served).toEqual([]);
  });

  it('makes no principal of an id alone: roles and tenant of `authenticate` reach every run and answer', () => {
    const made = ['a2a/src/server/', 'mcp/src/server/', 'server/src/'].flatMap(sourcesOf).flatMap((path) => {
      const found = textOf(path).matchAll(/\b(?:by|principal): (?:\{ id\b|userId\b|['"`])[^\n]*/g);
      return [...found].map(([text]) => `${path}: ${text}`);
    });
    expect(made).toEqual([]);
  });
});

function sourcesOf(folder: string): string[] {
  const files = readdirSync(new URL(folder, PACKAGES), { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => path.endsWith('.ts') && !/\.(?:spec|fixture)\.ts$/.test(path))
    .map((path) => folder + path);
}

/** Without the lines of comments. */
function codeOf(path: string): string {
  return textOf(path).replace(/^ *(?:\*|\/\*|\/\/).*$/gm, '');
}

function textOf(path: string): string {
  return readFileSync(new URL(path, PACKAGES), 'utf8');
}
