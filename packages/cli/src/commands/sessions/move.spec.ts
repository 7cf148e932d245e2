import { copyFile, readdir } from 'node:fs/promises';

import { Project } from '../project.fixture.js';

const APP = `
import { createRunner, defineAgent } from 'adorn';
import { sqlStorage } from '@adorn/storage';
import { says, ScriptedModel } from '@adorn/testing';
const desk = defineAgent({ name: 'desk', model: new ScriptedModel(says('One.'), says('Two.'), says('Three 日本.')) });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const [userId, sessionId] of [['ada', 's1'], ['ada', 's1'], ['bob', 's2']])
    await runner.run({ userId, sessionId, message: 'Hello ' + sessionId + '.' });
  await runner.close();
}
`;

describe('adorn sessions', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create({ 'app.js': APP });
    await project.node('app.js', 'ask');
    await copyFile(project.path('chats.db'), project.path('asked.db'));
  });
  beforeEach(() => copyFile(project.path('asked.db'), project.path('chats.db')));
  afterAll(() => project.remove());

  const sessions = async (command: string, ...args: string[]) => {
    const store = args.includes('--store') ? [] : ['--store', 'chats.db'];
    const { output, errors } = await project.adornInTurn('sessions', command, 'app.js', ...args, ...store);
    if (errors !== '') throw new Error(errors);
    return output;
  };
  const ADA = ['--user', 'ada', '--session', 's1'];

  it('show prints a conversation with the ids of its runs, and its latest events', async () => {
    const shown = await sessions('show', ...ADA);

    expect(shown.replaceAll(/── e-\S+ {2}\S+Z/g, '── RUN')).toBe(
      '── RUN\n› Hello s1.\nOne.\n── RUN\n› Hello s1.\nTwo.\n',
    );
    expect(await sessions('show', ...ADA, '--last', '1')).toMatch(/^── e-\S+ {2}\S+Z\nTwo\.\n$/);
    expect(await runsOf(sessions, ADA)).toHaveLength(2);
  });

  it('export and import move conversations to another store, byte by byte, and go on after a part', async () => {
    expect(await sessions('export', ...ADA, '--out', 'part.jsonl')).toBe('1 conversation in part.jsonl\n');
    expect(await sessions('import', 'part.jsonl', '--store', 'other.db')).toBe('1 stored\n');
    const all = await sessions('export');
    await project.write('all.jsonl', all);

    await expect(sessions('import', 'all.jsonl', '--store', 'other.db', '--trusted')).rejects.toThrow(
      'SESSION_EXISTS',
    );
    expect(
      JSON.parse(
        await sessions(
          'import',
          'all.jsonl',
          '--store',
          'other.db',
          '--trusted',
          '--skip-existing',
          '--json',
        ),
      ),
    ).toEqual({ stored: 1, skipped: 1 });
    expect(await sessions('import', 'all.jsonl', '--store', 'third.db', '--trusted')).toBe('2 stored\n');
    expect(eventsIn(await sessions('export', '--store', 'third.db'))).toEqual(eventsIn(all));
    expect((await readdir(project.folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('import takes another user and session, and stores nothing of an export that is cut off', async () => {
    const whole = await sessions('export', ...ADA);
    await project.write('whole.jsonl', whole);
    await project.write('cut.jsonl', whole.split('\n').slice(0, 3).join('\n'));

    await sessions('import', 'whole.jsonl', '--user', 'mia', '--session', 'copy');
    expect(await sessions('show', '--user', 'mia', '--session', 'copy')).toContain('Two.');
    await expect(sessions('import', 'cut.jsonl', '--user', 'eve')).rejects.toThrow('SESSION_FILE_INVALID');
    await expect(sessions('show', '--user', 'eve', '--session', 's1')).rejects.toThrow('eve has none');
  });

  it('rewind lets agents forget a run, and rewinding the rewind brings it back', async () => {
    const [, second = ''] = await runsOf(sessions, ADA);

    expect(await sessions('rewind', ...ADA, '--before', second)).toMatch(
      new RegExp(`^rewound to before ${second}; the rewind is e-`),
    );
    const shown = await sessions('show', ...ADA);
    expect(shown).toContain(`« rewound to before ${second}\n`);
  });

  it('fork copies the beginning of a conversation to another user', async () => {
    const [first = ''] = await runsOf(sessions, ADA);

    expect(await sessions('fork', ...ADA, '--at', first, '--to-user', 'mia', '--to-session', 'copy')).toBe(
      'copied to mia/copy\n',
    );
    const copy = await sessions('show', '--user', 'mia', '--session', 'copy');
    expect(copy).toContain('One.');
    expect(copy).not.toContain('Two.');
    expect(JSON.parse(await sessions('fork', ...ADA, '--json'))).toMatchObject({
      userId: 'ada',
      appName: 'desk',
    });
  });

  it('delete deletes one conversation', async () => {
    expect(JSON.parse(await sessions('delete', ...ADA, '--yes', '--json'))).toEqual({
      userId: 'ada',
      sessionId: 's1',
      events: 4,
    });
    await expect(sessions('show', ...ADA)).rejects.toThrow('ada has none');
    expect(await sessions('show', '--user', 'bob', '--session', 's2')).toContain('Three 日本.');
  });
});

/** The lines of an export that are events. Those that begin a session count its runs, of which a new store has one. */
function eventsIn(exported: string): string[] {
  const lines = exported.split('\n').filter((line) => line !== '');
  return lines.filter((line) => !line.startsWith('{"adorn":')).sort();
}

/** The ids of the runs, as `show` prints them. */
async function runsOf(
  sessions: (command: string, ...args: string[]) => Promise<string>,
  address: readonly string[],
): Promise<string[]> {
  const shown = await sessions('show', ...address);
  return [...shown.matchAll(/^── (\S+)/gm)].map(([, id = '']) => id);
}
