import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { InProcessQueue, openFleet, startWorker } from '@adorn/fleet';
import { sqlStorage } from '@adorn/storage';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

let lent = 0;

class Lending {
  /** Lend a book. @param title Its title. */
  @tool({ effect: 'write' })
  lend(title: string): { lent: string } {
    lent += 1;
    return { lent: title };
  }
}

/** The desk of a library. */
@agent({ model: 'gemini-2.5-flash', tools: [Lending] })
class Desk extends LlmAgent {}

it('runs a message once that was submitted twice, after the server that took it has gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  const url = join(folder, 'desk.db');
  const open = async () => {
    const runner = await createRunner(Desk, { model: new OfflineModel(), modules: [sqlStorage(url)] });
    return { runner, fleet: await openFleet(runner, { queue: new InProcessQueue() }) };
  };
  const message = { userId: 'ada', sessionId: 'may', message: 'Lend "Emma"', invocationId: 'message-1' };

  const server = await open();
  await server.fleet.submit(message);
  await server.fleet.submit(message);
  await server.fleet.close();
  await server.runner.close();

  const { fleet, runner } = await open();
  const worker = await startWorker(fleet, { concurrency: 1 });
  const texts: string[] = [];
  for await (const { event } of fleet.follow({ ...message, invocationId: 'message-1' }))
    texts.push(event.text);

  expect(lent).toBe(1);
  expect(texts.at(-1)).toContain('lend: Emma');
  await worker.stop();
  await expectPicture(
    '11-many-machines',
    await sceneOf(runner, 'Submitted twice, stored once; its server is gone, and a worker runs it'),
  );
  await fleet.close();
  await runner.close();
  await rm(folder, { recursive: true });
});
