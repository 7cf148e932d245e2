import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Declaration } from '../command/declaration.js';
import { buildCommand } from './build.command.js';
import { checkCommand } from './check.command.js';
import { explainCommand } from './explain.command.js';
import { graphCommand } from './graph.command.js';
import { migrateCommand } from './migrate.command.js';
import { printedBy, Project } from './project.fixture.js';

/** What replaces the last line of a terminal. */
const REPLACED = '\r\u001b[K';

const DESK = `
import { defineAgent } from 'adorn';
export default defineAgent({ name: 'desk', description: 'A desk.', model: 'gemini-2.5-flash' });
`;

describe('the progress of a command', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-progress-')));
  let project: Project;

  beforeAll(async () => {
    project = await Project.create({ 'desk.js': DESK });
    const compilerOptions = { target: 'ES2022', module: 'nodenext', types: [], outDir: 'build' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    writeFileSync(join(folder, 'main.ts'), 'export const one = 1;\n');
    writeFileSync(join(folder, 'other.ts'), 'export const two = 2;\n');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await project.remove();
  });

  it('names the files that check looks at, and is gone in the end', async () => {
    const steps = await stepsOf(checkCommand, '-p', folder);

    expect(steps).toEqual([
      expect.stringMatching(/^Loading TypeScript …/),
      expect.stringMatching(/^Reading .*tsconfig\.json …/),
      expect.stringMatching(/^Checking 1 of 2: .*main\.ts …/),
      expect.stringMatching(/^Checking 2 of 2: .*other\.ts …/),
      expect.stringMatching(/^Applying the rules …/),
      '',
    ]);
  });

  it('names the files whose schemas are derived', async () => {
    const steps = await stepsOf(buildCommand, '-p', folder, '--check');

    expect(steps.map((step) => step.split(':')[0])).toEqual([
      expect.stringMatching(/^Loading TypeScript …/),
      expect.stringMatching(/^Reading .*tsconfig\.json …/),
      'Deriving 1 of 2',
      'Deriving 2 of 2',
      '',
    ]);
  });

  it('counts migrations', async () => {
    const steps = await stepsOf(migrateCommand, join(folder, 'app.db'));

    expect(steps.slice(0, 2)).toEqual([
      expect.stringMatching(/^Opening .*app\.db …/),
      expect.stringMatching(/^Migrating 1 of \d+: 001-sessions …/),
    ]);
    expect(steps.at(-1)).toBe('');
  });

  it('says that an application is loaded', async () => {
    const file = project.path('desk.js');

    expect((await stepsOf(graphCommand, file))[0]).toMatch(/^Loading .*desk\.js …/);
    expect((await stepsOf(explainCommand, file, 'Hello'))[1]).toMatch(/^Making the request …/);
  });

  it('is not in a file, a pipe, or where programs read', async () => {
    expect(await written(false, checkCommand, '-p', folder)).toBe('');
    expect(await written(true, checkCommand, '-p', folder, '--json')).toBe('');
    expect(await written(true, graphCommand, project.path('desk.js'), '--json')).toBe('');
  });
});

/** The steps that a terminal shows, one after another. */
async function stepsOf(command: Declaration, ...args: string[]): Promise<string[]> {
  return (await written(true, command, ...args)).split(REPLACED);
}

/** What is written to the standard error. */
async function written(isTTY: boolean, command: Declaration, ...args: string[]): Promise<string> {
  let text = '';
  const errors = { isTTY, columns: 500, write: (piece: string) => (text += piece) };
  await printedBy(command, args, { errors });
  return text;
}
