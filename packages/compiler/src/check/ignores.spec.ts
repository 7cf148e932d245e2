import { checkProject } from './check-project.js';
import type { Diagnostic } from './check-report.js';
import { TemporaryProject } from '../fixtures/temporary-project.js';

describe('adorn-ignore', () => {
  it.each([
    [
      'a comment before the method',
      '// adorn-ignore generic-name: the protocol says so\n@tool run(): void {}',
    ],
    [
      'a comment behind the decorator',
      '@tool\n/* adorn-ignore generic-name: the protocol says so */\nrun(): void {}',
    ],
    [
      'a tag of one line',
      '/** Find. @adorn-ignore generic-name: the protocol says so */\n@tool run(): void {}',
    ],
    [
      'a tag of several lines',
      '/**\n * Find.\n * @adorn-ignore generic-name: the protocol says so\n */\n@tool run(): void {}',
    ],
    [
      'one of several rules',
      '// adorn-ignore undocumented-tool, generic-name: the protocol says so\n@tool run(): void {}',
    ],
  ])('silences as %s, and is no part of the description', async (_what, method) => {
    const { diagnostics, silenced } = await check(`class Orders {\n${method}\n}`);

    expect(diagnostics.map(({ rule }) => rule)).not.toContain('generic-name');
    expect(diagnostics.map(({ rule }) => rule)).not.toContain('unused-ignore');
    expect(silenced).toBeGreaterThan(0);
  });

  it('silences what is found inside of what it stands before', async () => {
    const { diagnostics, silenced } = await check(`
// adorn-ignore undocumented-parameter: names say it all
class Orders {
  /** Find an order. */
  @tool find(id: string, year: number): void {}
}`);

    expect(diagnostics).toEqual([]);
    expect(silenced).toBe(2);
  });

  it('leaves alone what is found elsewhere', async () => {
    const { diagnostics } = await check(`
class Orders {
  /** Find an order. */
  @tool find(
    // adorn-ignore undocumented-parameter: the name says it
    id: string,
    year: number,
  ): void {}
}`);

    expect(diagnostics).toMatchObject([{ rule: 'undocumented-parameter', line: 8 }]);
  });

  it.each([
    [
      'gives no reason',
      '// adorn-ignore generic-name',
      'adorn-ignore gives no reason, so it silences nothing.',
      ['unused-ignore', 'generic-name'],
    ],
    [
      'names no rule',
      '// adorn-ignore: why not',
      'adorn-ignore names no rule.',
      ['unused-ignore', 'generic-name'],
    ],
    [
      'names no rule there is',
      '// adorn-ignore generic-names: the protocol says so',
      'There is no rule generic-names.',
      ['unused-ignore', 'generic-name'],
    ],
    [
      'silences nothing',
      '// adorn-ignore generic-name, long-enum: the protocol says so',
      'adorn-ignore long-enum silences nothing.',
      ['unused-ignore'],
    ],
  ])('is itself found where it %s', async (_what, comment, message, rules) => {
    const { diagnostics } = await check(`class Orders {\n/** Find. */\n${comment}\n@tool run(): void {}\n}`);

    expect(diagnostics.map(({ rule }) => rule)).toEqual(rules);
    expect(diagnostics[0]).toMatchObject({ line: 4, message });
  });

  it('is itself found where it stands before nothing', async () => {
    const { diagnostics } = await check(`// adorn-ignore generic-name: the protocol says so
export const text = '// adorn-ignore generic-name: a text is no comment';
// adorn-ignore generic-name: the protocol says so`);

    expect(diagnostics.map(({ line, message }) => [line, message])).toEqual([
      [2, 'adorn-ignore generic-name silences nothing.'],
      [4, 'adorn-ignore generic-name silences nothing.'],
    ]);
  });
});

async function check(source: string): Promise<{ diagnostics: readonly Diagnostic[]; silenced: number }> {
  const project = new TemporaryProject();
  try {
    project.write('src/main.ts', `import { tool } from 'adorn';\n${source}`);
    return await checkProject({ project: project.root });
  } finally {
    project.remove();
  }
}
