import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { QuietLogger } from '@adorn/conformance/quiet-logger';
import {
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  Logger,
  SessionService,
} from '@adorn/core';
import { GeminiLiveModel } from '@adorn/gemini';
import { liveSessions } from '@adorn/live';
import { Database, SqlSessionService } from '@adorn/storage';
import { ScriptedModel } from '@adorn/testing';

import { DeedLog } from '../processes/deed-log.js';
import { ADDRESS, APP } from './live-life.js';

/** What the process is to do. */
export interface LiveWork {
  readonly url: string;
  readonly model: string;
  readonly deeds: string;
  /** The numbers of its messages, the last one not included. */
  readonly from: number;
  readonly to: number;
}

/** How long an answer is waited for before the next message, in milliseconds: none comes where the line was lost. */
const ANSWER_MS = 400;

/** `live-kill.child.js WORK`: holds a live conversation; says each message before it is sent. */
const work = JSON.parse(process.argv[2] ?? '') as LiveWork;
const deeds = new DeedLog(work.deeds);
const database = new Database(work.url);

const charge = new FunctionTool({
  name: 'charge',
  description: 'Charges a card.',
  parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
  run: async (args) => {
    const key = String(args['key']);
    deeds.note({ sessionId: ADDRESS.sessionId, kind: 'began', tool: 'charge', key });
    await sleep(5);
    deeds.note({ sessionId: ADDRESS.sessionId, kind: 'effect', tool: 'charge', key });
    return 'charged';
  },
});

const bindings = new ContainerModule(({ bind }) => {
  bind(SessionService).toConstantValue(new SqlSessionService(database));
  bind(Logger).toConstantValue(new QuietLogger());
});
const runner = await createRunner(defineAgent({ name: 'desk', instruction: 'Help.', tools: [charge] }), {
  appName: APP,
  model: new ScriptedModel(),
  modules: [bindings, liveSessions],
  config: { maxLlmCalls: 10_000, takeOverAfter: 0 },
});
const model = new GeminiLiveModel({ baseUrl: work.model, apiKey: 'the-key-of-a-test' });
const live = runner.live({ ...ADDRESS, model });
let answered: () => void = () => undefined;
const reading = (async () => {
  for await (const { author, turnComplete } of live) if (author !== 'user' && turnComplete) answered();
})();

for (let number = work.from; number < work.to; number++) {
  const answer = new Promise<void>((resolve) => (answered = resolve));
  writeSync(1, `message ${String(number)}\n`);
  live.sendText(`message ${String(number)}`);
  await Promise.race([answer, sleep(ANSWER_MS)]);
}
await live.close();
await reading;
await runner.close();
await database.close();
