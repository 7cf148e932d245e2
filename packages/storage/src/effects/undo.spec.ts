import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, defineAgent, type Runner, tool, undo } from '@adorn/core';
import { callsTools, says, ScriptedModel } from '@adorn/testing';

import { A_MINUTE, newPostgresDatabase } from '../database/postgres-database.fixture.js';
import { sqlStorage } from '../sql-storage.js';

const ADA = { userId: 'ada', sessionId: 's1' };
const ID = { type: 'object', properties: { id: { type: 'string' } } } as const;
const folder = mkdtempSync(join(tmpdir(), 'adorn-undo-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let did: string[] = [];
beforeEach(() => (did = []));

class Office {
  @tool({ description: 'Files.', effect: 'write', parameters: ID, once: ({ id }) => `receipt ${String(id)}` })
  file({ id }: { id?: string }): string {
    did.push(`file ${String(id)}`);
    return `F-${String(id)}`;
  }

  @undo('file', { confirm: (filed: string) => filed === 'F-2' })
  withdraw(filed: string): void {
    did.push(`withdraw ${filed}`);
  }
}

describe.each<[name: string, url: () => Promise<string>]>([
  ['SQLite', () => Promise.resolve(join(folder, 'undo.db'))],
  ['PostgreSQL', newPostgresDatabase],
])('an undo on %s', (_name, urlOf) => {
  let url = '';
  beforeAll(async () => {
    url = await urlOf();
  }, A_MINUTE);

  /** In a process of its own. */
  async function inProcess<Result>(use: (runner: Runner) => Promise<Result>): Promise<Result> {
    const calls = ['1', '2', '3'].map((id) => ({ name: 'file', args: { id } }));
    const model = new ScriptedModel(callsTools(...calls), says('Done.'));
    const Clerk = defineAgent({ name: 'clerk', model, tools: [Office] });
    await using runner = await createRunner(Clerk, { appName: 'office', modules: [sqlStorage(url)] });
    return await use(runner);
  }

  it('goes on from process to process, happens once, and frees what happened once', async () => {
    const { invocationId } = await inProcess((runner) => runner.run({ ...ADA, message: 'File all.' }));

    const paused = await inProcess((runner) => runner.undo({ ...ADA, invocationId }));
    const rest = await inProcess(async (runner) => {
      const [request] = await runner.pending(ADA);
      if (!request) throw new Error('Nothing waits.');
      return await runner.approve(request);
    });
    const again = await inProcess((runner) => runner.undo({ ...ADA, invocationId }));

    expect([paused.status, rest.undo?.isComplete, again.undo?.isComplete]).toEqual(['paused', true, true]);
    expect(did.slice(3)).toEqual(['withdraw F-3', 'withdraw F-2', 'withdraw F-1']);
    await inProcess((runner) => runner.run({ userId: 'bob', sessionId: 's2', message: 'File all.' }));
    expect(did.slice(6).sort()).toEqual(['file 1', 'file 2', 'file 3']);
  });
});
