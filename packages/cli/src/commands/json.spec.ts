/** @slow */

import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { ended, Project } from './project.fixture.js';

const DESK = `
import { defineAgent } from 'adorn';
import { says, ScriptedModel } from '@adorn/testing';
export default defineAgent({ name: 'desk', model: new ScriptedModel(says('Hi 日本.'), says('Again.')) });
`;

/** Which has the model of the command: a text model plays a live one. */
const CALL = `
import { defineAgent } from 'adorn';
export default defineAgent({ name: 'desk', description: 'Desk.' });
`;

describe('what programs read', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create({
      'desk.js': DESK,
      'call.js': CALL,
      'script.txt': 'Hello.\nAnd again.\n',
    });
  });
  afterAll(() => project.remove());

  it('is an event on each line of run, and what people read is on the standard error', async () => {
    const { output, errors, code } = await project.adorn(
      ...['run', 'desk.js', '--script', 'script.txt', '--model', 'own', '--json'],
    );

    expect(eventsIn(output).map(({ author, text }) => [author, text])).toEqual([
      ['desk', 'Hi 日本.'],
      ['desk', 'Again.'],
    ]);
    expect(errors).toContain("Model: the agent's own.\n");
    expect(errors).toContain('› Hello.\nHi 日本.\n');
    expect(code).toBe(0);
  });

  it('is an event on each line of live', async () => {
    const { output, errors } = await project.adorn(
      ...['live', 'call.js', '--script', 'script.txt', '--model', 'offline', '--json'],
    );

    expect(eventsIn(output).map(({ author }) => author)).toContain('desk');
    expect(errors).toContain('Model: offline');
  });

  it('is one line of web when it listens', async () => {
    const child = project.start('web', 'desk.js', '--json', '--model', 'offline', '--bind', '127.0.0.1:0');
    const errors = ended(child);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    child.kill('SIGTERM');

    expect(JSON.parse(line)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/) as string,
      apps: ['desk'],
    });
    expect((await errors).errors).toContain('Serving desk at http://127.0.0.1:');
  });

  it('is what new would write, and the versions of version', async () => {
    const { output } = await project.adorn('new', 'my-app', '--dry-run', '--json');
    const plan = JSON.parse(output) as { changes: { kind: string; path: string }[]; installs: boolean };
    expect(plan.changes).toContainEqual({ kind: 'create', path: 'package.json' });
    expect(plan.installs).toBe(false);

    expect(JSON.parse((await project.adorn('version', '--json')).output)).toMatchObject({
      node: process.versions.node,
    });
  });
});

interface ReadEvent {
  readonly author: string;
  readonly text: string;
}

function eventsIn(output: string): ReadEvent[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { author, content } = JSON.parse(line) as {
        author: string;
        content?: { parts: { text?: string }[] };
      };
      return { author, text: content?.parts.map(({ text = '' }) => text).join('') ?? '' };
    });
}
