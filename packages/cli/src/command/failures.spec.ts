/** @slow */

import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { ended, Project } from '../commands/project.fixture.js';

const TWO_AGENTS = `
import { defineAgent } from 'adorn';
export const one = defineAgent({ name: 'one', model: null });
export const two = defineAgent({ name: 'two', model: null });
`;

const DESK = `
import { createRunner, defineAgent } from 'adorn';
import { sqlStorage } from '@adorn/storage';
import { says, ScriptedModel } from '@adorn/testing';
const desk = defineAgent({ name: 'desk', model: new ScriptedModel(says('Hi.'), says('Hello again, 日本.')) });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const message of ['Hello.', 'And again.']) await runner.run({ userId: 'user', sessionId: 's1', message });
  await runner.close();
}
`;

/** A tool that tells by a file that it runs, and goes on until it is cancelled. */
const SLOW_DESK = `
import { writeFileSync } from 'node:fs';
import { defineAgent, FunctionTool } from 'adorn';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
const wait = new FunctionTool({
  name: 'wait',
  description: 'Waits.',
  parameters: { type: 'object' },
  run: (_args, { signal }) => new Promise((resolve) => {
    const beat = setInterval(() => undefined, 1_000);
    signal.addEventListener('abort', () => { clearInterval(beat); resolve('stopped'); });
    writeFileSync('waiting', '');
  }),
});
const model = new ScriptedModel(...Array(9).fill(callsTool('wait', {})), says('Done.'));
export default defineAgent({ name: 'desk', model, tools: [wait] });
`;

/** Leaves something open. */
const OPEN = `
import { createServer } from 'node:http';
import { defineAgent } from 'adorn';
createServer().listen(0);
setInterval(() => undefined, 1_000);
export default defineAgent({ name: 'desk', model: null, instruction: 'long '.repeat(100_000) });
`;

const EVALS = JSON.stringify({
  eval_set_id: 'waits',
  eval_cases: [
    { eval_id: 'one', conversation: [{ user_content: { role: 'user', parts: [{ text: 'Wait.' }] } }] },
  ],
});

describe('the failures of the command line', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create({
      'desk.js': DESK,
      'slow.js': SLOW_DESK,
      'two.js': TWO_AGENTS,
      'none.js': 'export const price = 5;',
      'open.js': OPEN,
      'open-throws.js': "setInterval(() => undefined, 1_000); throw new TypeError('no more');",
      'open-exports.js': 'setInterval(() => undefined, 1_000); export const price = 5;',
      'program.js': "setTimeout(() => console.log('later'), 300);",
      'broken.ts': 'export const x: = ;',
      'throws.js': "throw new TypeError('no more');",
      'waits.evalset.json': EVALS,
      'script.txt': 'Wait.\n',
      'text.db': 'This is no database, but a text that is long enough for a page of one.\n'.repeat(99),
      'empty.db': '',
      'odd.jsonl': '{"adorn":"session","version":1}\n',
    });
    await project.node('desk.js', 'ask');
    await project.node('--input-type=module', '-e', LATER);
  });
  afterAll(() => project.remove());

  it.each([
    ['a command that does not exist', 'sesions'],
    ['a command of a group', 'rewind'],
    ['a command of a group that does not exist', 'sessions shwo'],
    ['a command of another kit', 'dev'],
    ['a command of another kit', 'api_server'],
    ['a file in place of a command', 'desk.js'],
    ['an option that does not exist', 'run --scirpt x'],
    ['an option of another kit', 'web --host 0.0.0.0'],
    ['an option of another kit', 'run --session_service_uri=x'],
    ['an option of another kit, by its words', 'web --allow_origins x'],
    ['an option without its value', 'run --script'],
    ['options that exclude each other', 'inbox --approve a --reject b'],
    ['an argument that is missing', 'explain desk.js'],
    ['an option that is missing', 'sessions show desk.js'],
    ['too many arguments', 'graph desk.js two.js'],
    ['a value that is none', 'web --port many'],
    ['a word that is no choice', 'check --format yaml'],
    ['a file that does not exist', 'run nowhere.ts'],
    ['a file without an agent', 'run none.js'],
    ['two agents', 'run two.js'],
    ['a conversation that does not exist', 'sessions show desk.js --store chats.db --session s9'],
    ['a deletion that nobody has confirmed', 'sessions delete desk.js --store chats.db --session s1'],
  ])('wrong use: %s, adorn %s', async (_what, line) => {
    const { output, errors, code } = await project.adornInTurn(...line.split(' '));

    expect(errors).toMatchSnapshot();
    expect([output, code]).toEqual(['', 2]);
  });

  it.each([
    ['TypeScript that does not compile', 'graph broken.ts'],
    ['a file that throws', 'graph throws.js'],
    ['a store that is no database', 'sessions desk.js --store text.db'],
    ['a store of a later version', 'sessions desk.js --store later.db'],
    ['a store of a later version', 'migrate later.db'],
    ['a migration that is due', 'migrate empty.db --check'],
    ['a store that is not there', 'migrate new.db --check'],
    ['an export that is none', 'sessions import desk.js odd.jsonl --store chats.db'],
    ['a run that does not exist', 'sessions rewind desk.js --store chats.db --session s1 --before e-0'],
    ['a copy that exists', 'sessions fork desk.js --store chats.db --session s1 --to-session s1'],
  ])('failed: %s, adorn %s', async (_what, line) => {
    const { output, errors, code } = await project.adornInTurn(...line.split(' '));

    // What a parser says is the business of the version of Node.
    expect(errors.replace(/SyntaxError: .*?\. /, 'SyntaxError: …. ')).toMatchSnapshot();
    expect([output, code]).toEqual(['', 1]);
  });

  it('are JSON on one line with --json', async () => {
    const wrong = await project.adornInTurn('sessions', 'show', 'desk.js', '--json');
    const failed = await project.adornInTurn('migrate', 'empty.db', '--check', '--json');

    expect(JSON.parse(wrong.errors)).toEqual({
      error: { message: expect.stringContaining('--session') as string },
    });
    expect(JSON.parse(failed.errors)).toMatchObject({ error: { code: 'STORAGE_OUTDATED' } });
    expect([wrong.output, failed.output]).toEqual(['', '']);
  });

  it.each([
    [0, 'graph open.js'],
    [0, 'schedules open.js'],
    [0, 'doctor open.js'],
    [0, 'run open.js --model offline --script script.txt'],
    [1, 'graph open-throws.js'],
    [1, 'web open-throws.js'],
    [1, 'eval open.js waits.evalset.json --model own'],
    [2, 'graph open-exports.js'],
    [2, 'run open.js --model offline --script nowhere.txt'],
    [2, 'sessions show open.js --session s9'],
  ])('exit code %s: it ends with what the application has left open, adorn %s', async (code, line) => {
    const child = project.start(...line.split(' '));
    const isLate = setTimeout(() => child.kill('SIGKILL'), 40_000);
    await ended(child);
    clearTimeout(isLate);

    expect([child.signalCode, child.exitCode]).toEqual([null, code]);
  });

  it('a long output is whole where something was left open', async () => {
    const child = project.start('explain', 'open.js', 'Hi.', '--json');
    const isLate = setTimeout(() => child.kill('SIGKILL'), 40_000);
    const { output } = await ended(child);
    clearTimeout(isLate);

    expect(JSON.parse(output)).toMatchObject({ agent: 'desk' });
    expect(output.length).toBeGreaterThan(500_000);
  });

  it('a program that adorn run has started goes on to its own end', async () => {
    expect(await project.adorn('run', 'program.js')).toMatchObject({ output: 'later\n', code: 0 });
  });

  it('without a command, help is shown as an error', async () => {
    const { output, errors, code } = await project.adorn();

    expect([output, code]).toEqual(['', 2]);
    expect(errors).toContain('Usage: adorn');
  });

  it('an output whose reader leaves is no failure', async () => {
    const child = project.start(
      'sessions',
      'show',
      'desk.js',
      '--store',
      'chats.db',
      '--session',
      's1',
      '--json',
    );
    child.stdout.destroy();
    const [[code], errors] = await Promise.all([once(child, 'exit'), ended(child).catch(() => undefined)]);

    expect(code).toBe(0);
    expect(errors?.errors ?? '').toBe('');
  });

  it.each([
    [
      'run',
      'slow.js',
      '--script',
      'script.txt',
      '--model',
      'own',
      '--store',
      'interrupted.db',
      '--session',
      's1',
    ],
    [
      'eval',
      'slow.js',
      'waits.evalset.json',
      '--model',
      'own',
      '--html',
      'report.html',
      '--junit',
      'report.xml',
    ],
  ])('Ctrl-C ends adorn %s by that signal, and leaves no half file', async (...args) => {
    const child = project.start(...args);
    const all = ended(child);
    while (!existsSync(project.path('waiting'))) {
      expect(child.exitCode).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGINT');
    await all;

    expect([child.exitCode, child.signalCode]).toEqual([null, 'SIGINT']);
    expect([existsSync(project.path('report.html')), existsSync(project.path('report.xml'))]).toEqual([
      false,
      false,
    ]);
    await project.node('-e', "require('node:fs').rmSync('waiting')");
  });

  it('what Ctrl-C has ended is stored as cancelled', async () => {
    const { output } = await project.adorn(
      'sessions',
      'show',
      'slow.js',
      '--store',
      'interrupted.db',
      '--session',
      's1',
    );

    expect(output).toContain('(CANCELLED)');
  });
});

/** Makes a store that a later version has migrated. */
const LATER = `
import { Database } from '@adorn/storage';
import { sql } from 'kysely';
const database = new Database('later.db');
await database.run((queries) => sql\`update adorn_schema set version = 999\`.execute(queries));
await database.close();
`;
