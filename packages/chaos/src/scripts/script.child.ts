import { writeSync } from 'node:fs';

import { QuietLogger } from '@adorn/conformance/quiet-logger';
import { ContainerModule, createRunner, Logger, type Runner, SessionService } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import { DeedLog } from '../processes/deed-log.js';
import { type Death, Life } from '../processes/life.js';
import { type CaseName, CASES, shopOf } from './shop.js';

/** The conversation of a case, and behind which of its writes the process dies, if any. */
export interface ScriptWork {
  readonly name: CaseName;
  readonly database: string;
  readonly deeds: string;
  readonly death?: Death;
}

const ADDRESS = { userId: 'ada', sessionId: 's1' };

/** `script.child.js WORK`: does what is left of the conversation, and says its last text. */
const work = JSON.parse(process.argv[2] ?? '') as ScriptWork;
const life = new Life(work.death, kill);
const database = new Database(work.database);
const sessions = life.bounds(new SqlSessionService(database));
const place = { life, deeds: new DeedLog(work.deeds), sessionId: ADDRESS.sessionId };
const runner = await createRunner(shopOf(CASES[work.name], place), {
  appName: 'app',
  // The shortest lease: each round waits for it.
  config: { takeOverAfter: 3_000 },
  modules: [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      bind(Logger).toConstantValue(new QuietLogger());
    }),
  ],
});
writeSync(1, `${JSON.stringify(await converse(runner))}\n`);
await runner.close();
await database.close();

/** Recovers, sends the message if nobody has, and approves all that is asked. Returns the last text. */
async function converse(open: Runner<unknown>): Promise<string> {
  await open.recover({ olderThan: 0 });
  const begun = await sessions.getSession({ appName: 'app', ...ADDRESS });
  if (begun?.events.some(({ author }) => author === 'user') !== true)
    await open.run({ ...ADDRESS, message: 'Go.' });
  for (;;) {
    const [request] = await open.pending(ADDRESS);
    if (!request) break;
    await open.approve(request);
  }
  const session = await sessions.getSession({ appName: 'app', ...ADDRESS });
  return session?.events.findLast(({ text }) => text !== '')?.text ?? '';
}

/** Ends the process as the loss of power would. No statement runs between the signal and the end. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
