import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sqlStorage } from '@adorn/storage';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { createRunner, type Runner } from 'adorn';

import { Release } from './release.agent.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('a workflow that waits for a person', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  afterAll(() => rm(folder, { recursive: true }));

  it('goes on in another process behind the step that waited, and repeats no step', async () => {
    const first = await open(says('Closed.'), callsTool('publish', { text: 'Closed.' }));
    const { pending } = await first.run({ ...address, message: 'The harbour' });
    expect(pending).toMatchObject([{ path: 'release/publisher', hint: 'Publish it?' }]);
    await first.close();

    await using second = await open(says('Published.'), says('Announced.'));
    const [request] = await second.pending(address);
    const { events } = await second.approve(request!);

    expect(events.map(({ author, text }) => [author, text])).toEqual([
      ['publisher', ''],
      ['publisher', 'Published.'],
      ['announcer', 'Announced.'],
    ]);
  });

  /** A runner over the same file each time, as a process of its own. */
  function open(...steps: readonly ScriptedStep[]): Promise<Runner> {
    const modules = [sqlStorage(join(folder, 'release.db'))];
    return createRunner(Release, { model: new ScriptedModel(...steps), modules });
  }
});
