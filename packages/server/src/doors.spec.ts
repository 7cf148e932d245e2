import { readdirSync, readFileSync } from 'node:fs';

const PACKAGES = new URL('../../', import.meta.url);
const ANSWERS = /\b(?:runner|live)\??\.(?:approve|reject|supply)\(/;

/** The files of doors that answer requests. Each passes a principal that its `authenticate` gave, never just a name. */
const DOORS = [
  'a2a/src/server/task-answer.ts',
  'a2a/src/server/task-handler.ts',
  'mcp/src/server/client-questions.ts',
  'server/src/api/api-routes.ts',
  'server/src/live/live-call.ts',
  'server/src/ui/ui-answers.ts',
];

describe('a door that answers requests', () => {
  it('is one of these: a new one brings the principal of its authenticate as `by`, and is listed here', () => {
    const found = ['a2a', 'mcp', 'server', 'studio'].flatMap((name) =>
      sourcesOf(`${name}/src/`).filter((path) => ANSWERS.test(textOf(path))),
    );
    expect(found.sort()).toEqual(DOORS);
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

function textOf(path: string): string {
  return readFileSync(new URL(path, PACKAGES), 'utf8');
}
