import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkCommand } from './check.command.js';
import { printedBy } from './project.fixture.js';

describe('adorn check', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-check-')));
  const file = join(folder, 'main.ts');

  beforeAll(() => {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { target: 'ES2022', types: [], strict: true, experimentalDecorators: true },
        include: ['*.ts'],
      }),
    );
    writeFileSync(file, SOURCE);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  beforeEach(resetExitCode);
  afterEach(resetExitCode);

  it('tells people what it found, what to do, and what declarations cost', async () => {
    expect(await run('-p', folder)).toBe(`${file}
    4  warning  Orders.find has no description. (undocumented-tool)
                Write a doc comment that says when to use it.
    4  note     Gemini's subset has no keyword for pattern "^W" of "id": the description says it, and calls are still checked. (dialect-words)

tokens  tool
    42  find   Orders.find   ${file}:4
    31  count  Orders.count  ${file}:6

tokens  agent
    73  Support  2 tools  ${file}:9

0 errors, 1 warning, 1 note, 1 silenced; 2 tools, some 73 tokens.
`);
    expect(process.exitCode).toBe(0);
  });

  it('counts the notes of a rule that has several, and shows each if asked to', async () => {
    const several = mkdtempSync(join(realpathSync(tmpdir()), 'adorn-check-'));
    cpSync(folder, several, { recursive: true });
    writeFileSync(join(several, 'other.ts'), SOURCE);
    const shown = `:4: Gemini's subset has no keyword for pattern "^W" of "id": the description says it, and calls are still checked.`;

    const counted = await run('-p', several);
    const each = await run('-p', several, '--notes');
    rmSync(several, { recursive: true });

    expect(counted).toContain(
      `\n2 notes of dialect-words, shown by --notes, such as ${several}/main.ts${shown}\n`,
    );
    expect(counted.match(/\(dialect-words\)/g)).toBeNull();
    expect(each.match(/ note .*\(dialect-words\)/g)).toHaveLength(2);
    for (const text of [counted, each]) expect(text).toContain(', 2 notes, ');
  });

  it('paints on a terminal', async () => {
    expect(await printedBy(checkCommand, ['-p', folder], { isTTY: true })).toContain(
      '\u001b[33m    4  warning',
    );
  });

  it('tells programs the same as JSON', async () => {
    const report = JSON.parse(await run('-p', folder, '--format', 'json')) as unknown;

    expect(report).toEqual({
      version: 1,
      passed: true,
      summary: { errors: 0, warnings: 1, notes: 1, silenced: 1, tools: 2, tokens: 73 },
      unchecked: [],
      diagnostics: [
        {
          rule: 'undocumented-tool',
          severity: 'warning',
          file,
          line: 4,
          message: 'Orders.find has no description.',
          cure: 'Write a doc comment that says when to use it.',
        },
        {
          rule: 'dialect-words',
          severity: 'note',
          file,
          line: 4,
          message: expect.any(String),
          cure: '',
          dialect: 'gemini',
          losses: [{ path: 'id', keyword: 'pattern', value: '^W', outcome: 'described' }],
        },
      ],
      tools: [
        { name: 'find', origin: 'Orders.find', file, line: 4, tokens: 42, labels: [] },
        { name: 'count', origin: 'Orders.count', file, line: 6, tokens: 31, labels: [] },
      ],
      agents: [{ name: 'Support', file, line: 9, tools: 2, tokens: 73, hasMore: false }],
      skills: [],
    });
  });

  it('annotates the lines of a workflow', async () => {
    const [first, second] = (await run('-p', folder, '--format', 'github')).split('\n');

    expect(first).toBe(
      `::warning file=${file},line=4,title=undocumented-tool::Orders.find has no description. ` +
        'Write a doc comment that says when to use it.',
    );
    expect(second).toMatch(/^::notice file=.*,line=4,title=dialect-words::/);
  });

  it('fails on errors', async () => {
    const broken = join(folder, 'broken.ts');
    writeFileSync(broken, 'class Broken {\n  /** Find. */\n  @tool find(filter: () => void): void {}\n}');
    try {
      const text = await run('-p', folder);

      expect(text).toContain('3  error    Parameter "filter" of Broken.find has the type');
      expect(process.exitCode).toBe(1);
    } finally {
      rmSync(broken);
    }
  });

  it.each([
    [['--strict'], 1],
    [['--max-warnings', '0'], 1],
    [['--max-warnings', '1'], 0],
  ])('fails with %j on more warnings than that allows', async (options, code) => {
    await run('-p', folder, ...options);

    expect(process.exitCode).toBe(code);
  });

  it('speaks of the dialects it is asked for', async () => {
    expect(await run('-p', folder, '--dialect', 'openai', 'json-schema')).toContain("OpenAI's strict mode");
    expect(await run('-p', folder, '--dialect', 'json-schema')).toContain(' 0 notes,');
  });

  it('lists its rules', async () => {
    expect(await run('--rules')).toMatch(/^generic-name +warning +a name that could be any tool's/m);
  });

  it.each([
    [['--dialect', 'klingon'], '--dialect is "klingon". Choices: gemini, openai, json-schema.'],
    [['--max-warnings', 'few'], '--max-warnings is "few". Pass a whole number from 0 to 1000000.'],
  ])('refuses %j', async (options, message) => {
    await expect(run(...options)).rejects.toThrow(message);
  });
});

function resetExitCode(): void {
  process.exitCode = 0;
}

const SOURCE = `declare const tool: any, agent: any;
class Orders {
  // adorn-ignore undocumented-parameter: the pattern says it
  @tool find(/** @pattern ^W */ id: string): void {}
  /** Count the orders. */
  @tool count(): number { return 1; }
}

@agent({ tools: [Orders] })
class Support {}
`;

function run(...args: string[]): Promise<string> {
  return printedBy(checkCommand, args);
}
