import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  ArtifactService,
  ContainerModule,
  createRunner,
  defineAgent,
  InMemoryArtifactService,
  Logger,
  type Runner,
  SessionService,
} from '@adorn/core';
import { callsTool, eventsOf, says } from '@adorn/testing';

import { MortalSessionService } from '../../core/src/agents/workflow/workflow.fixture.js';
import { QuietLogger } from '../../core/src/gates/quiet-services.fixture.js';
import { RepeatingModel } from '../../sandbox/src/tools/code-mode.fixture.js';
import { artifactFiles, folderFiles, workspace, type WorkspaceConfirm, WorkspaceStore } from './index.js';
import { useFolders } from './workspace.fixture.js';

const newFolder = useFolders();
const ADA = { userId: 'ada', sessionId: 's1' };

/** One change, and what becomes of the file if it is made once: undefined for none. */
interface Case {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const CASES: readonly Case[] = [
  {
    name: 'an edit that would fit twice',
    tool: 'edit_file',
    args: { oldText: 'a', newText: 'aa', replaceAll: true },
    before: 'a-a',
    after: 'aa-aa',
  },
  { name: 'a new file', tool: 'write_file', args: { content: 'new' }, before: undefined, after: 'new' },
  { name: 'a deletion', tool: 'delete_file', args: {}, before: 'old', after: undefined },
];

const CONFIRMS: readonly WorkspaceConfirm[] = [false, 'write'];

describe('a change whose process dies behind any of its writes', () => {
  for (const confirm of CONFIRMS)
    for (const place of ['folder', 'artifacts'] as const)
      it.each(CASES)(`is made once: $name, in ${place}, with confirm ${String(confirm)}`, async (change) => {
        for (let writes = 1, isDead = true; isDead; writes++) {
          const world = await open(change, place, confirm);
          isDead = await diesAfter(writes, world);
          await goOn(world);

          expect([writes, await world.content()]).toEqual([writes, change.after]);
          expect([writes, await world.finals()]).toEqual([
            writes,
            [expect.objectContaining({ path: 'file.txt' })],
          ]);
        }
      });

  it.each(CASES)('is made if its process has died before it was: $name', async (change) => {
    const world = await open(change, 'folder', false);
    world.dieBeforeWriting();
    await expect(eventsOf(world.runner.run({ ...ADA, message: 'Go.' }))).rejects.toThrow();
    expect(await world.content()).toBe(change.before);

    await goOn(world);

    expect(await world.content()).toBe(change.after);
    expect(await world.finals()).toEqual([expect.objectContaining({ path: 'file.txt' })]);
  });

  it('is not made on top of what somebody else has made of it meanwhile', async () => {
    const [edit] = CASES;
    for (let writes = 1, isDead = true; isDead; writes++) {
      const world = await open(edit!, 'folder', false);
      isDead = await diesAfter(writes, world);
      const wasDone = (await world.content()) === edit!.after;
      const store = folderFiles(world.folder);
      const { version } = (await store.read('file.txt'))!;
      if (wasDone) await store.write('file.txt', Buffer.from('mine: a'), { replaces: version });
      await goOn(world);

      expect([writes, await world.content()]).toEqual([writes, wasDone ? 'mine: a' : edit!.after]);
    }
  });
});

type World = Awaited<ReturnType<typeof open>>;

async function diesAfter(writes: number, { sessions, runner }: World): Promise<boolean> {
  sessions.left = writes;
  return answerAll(runner, eventsOf(runner.run({ ...ADA, message: 'Go.' }))).then(
    () => false,
    () => true,
  );
}

/** Another process recovers what is left; a message that never began is sent again. */
async function goOn({ sessions, restart, finals }: World): Promise<void> {
  sessions.left = Infinity;
  const next = await restart();
  await new Promise((resolve) => setTimeout(resolve, 2));
  await answerAll(next, next.recover({ olderThan: 0 }));
  if ((await finals()).length === 0) await answerAll(next, eventsOf(next.run({ ...ADA, message: 'Go.' })));
}

async function answerAll(runner: Runner, started: Promise<unknown>): Promise<void> {
  await started;
  for (let rounds = 0; rounds < 10; rounds++) {
    const [request] = await runner.pending(ADA);
    if (request === undefined) return;
    await eventsOf(runner.approve(request));
  }
  throw new Error('the conversation does not end');
}

async function open({ tool, args, before }: Case, place: 'folder' | 'artifacts', confirm: WorkspaceConfirm) {
  const folder = newFolder(place === 'folder' && before !== undefined ? { 'file.txt': before } : {});
  const sessions = new MortalSessionService();
  const artifacts = new InMemoryArtifactService();
  const key = { appName: 'clerk', ...ADA };
  if (place === 'artifacts' && before !== undefined) await artifacts.save(key, 'file.txt', { text: before });
  let isDying = false;
  const restart = () => {
    const files = folderFiles(folder);
    const dying = new DyingStore(files, sessions);
    const source = place === 'folder' ? () => (isDying ? dying : files) : artifactFiles();
    const model = new RepeatingModel(callsTool(tool, { path: 'file.txt', ...args }), says('Done.'));
    const Clerk = defineAgent({ name: 'clerk', model, tools: [workspace(source, { confirm })] });
    return createRunner(Clerk, {
      appName: 'clerk',
      config: { takeOverAfter: 0 },
      modules: [
        new ContainerModule(({ bind }) => {
          bind(SessionService).toConstantValue(sessions);
          bind(ArtifactService).toConstantValue(artifacts);
          bind(Logger).toConstantValue(new QuietLogger());
        }),
      ],
    });
  };
  const content = async (): Promise<string | undefined> => {
    if (place === 'artifacts') return (await artifacts.load(key, 'file.txt'))?.text;
    const path = join(folder, 'file.txt');
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const finals = async (): Promise<unknown[]> => {
    const session = await sessions.getSession(key);
    const responses = (session?.events ?? []).flatMap(({ functionResponses }) => functionResponses);
    return responses
      .filter(({ name, willContinue }) => name === tool && willContinue !== true)
      .map(({ response }) => response);
  };
  const dieBeforeWriting = (): void => void (isDying = true);
  const live = () => {
    isDying = false;
    return restart();
  };
  return { folder, sessions, runner: await restart(), restart: live, content, finals, dieBeforeWriting };
}

/** The process dies when it is about to write. */
class DyingStore extends WorkspaceStore {
  constructor(
    private readonly files: WorkspaceStore,
    private readonly sessions: MortalSessionService,
  ) {
    super();
  }

  list(folder?: string) {
    return this.files.list(folder);
  }

  read(path: string) {
    return this.files.read(path);
  }

  write(): Promise<string> {
    this.sessions.left = 0;
    return Promise.reject(new Error('The process is dead.'));
  }

  async delete(): Promise<void> {
    await this.write();
  }
}
