// Goes one way through core in a fresh process and prints what ran: node child.js text
// `approve` reads what `pause` has printed from its standard input.
import { Session as Inspector } from 'node:inspector/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import {
  type PendingRequest,
  ContainerModule,
  createRunner,
  type Event,
  InMemorySessionService,
  type ModelResponse,
  type Runner,
  SessionService,
} from '@adorn/core';
import { eventFromJson } from '@adorn/core/backend';

import { countFunctions, type WayCounts } from './count-functions.js';
import { calls, Lines, says, Shop } from './shop.agent.js';
import { SourceLocator } from './source-locator.js';

/** What the process of a way prints. */
export interface WentWay {
  readonly counts: WayCounts;
  /** The conversation, which another process may go on with. */
  readonly log: readonly unknown[];
  readonly pending: readonly PendingRequest[];
}

interface Way {
  readonly says: readonly ModelResponse[];
  readonly go: (runner: Runner, earlier: WentWay | undefined) => AsyncGenerator<Event, void, undefined>;
}

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const KEY = { appName: 'shop', userId: 'ada', sessionId: 's1' };
const send = (runner: Runner): AsyncGenerator<Event, void, undefined> =>
  runner.run({ ...KEY, message: 'Help me with order A-17.' });

const WAYS: Readonly<Record<string, Way | undefined>> = {
  text: { says: [says('Gladly.')], go: send },
  call: { says: [calls('look', { orderId: 'A-17' }), says('It is on its way.')], go: send },
  pause: { says: [calls('refund', { orderId: 'A-17', cents: 500 })], go: send },
  approve: { says: [says('Done.')], go: approveFirst },
};

const way = WAYS[process.argv[2] ?? ''];
if (!way) throw new Error(`The ways are ${Object.keys(WAYS).join(', ')}.`);
process.stdout.write(JSON.stringify(await goWay(way)));

async function goWay({ says: lines, go }: Way): Promise<WentWay> {
  const earlier = go === approveFirst ? (JSON.parse(await text(process.stdin)) as WentWay) : undefined;
  const sessions = new InMemorySessionService();
  const session = await sessions.createSession(KEY);
  for (const json of earlier?.log ?? []) await sessions.appendEvent(session, eventFromJson(json));
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  const runner = await createRunner(Shop, { appName: KEY.appName, model: new Lines(...lines), modules });

  const inspector = new Inspector();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  for await (const event of go(runner, earlier))
    if (event.errorCode !== undefined) throw new Error(event.errorMessage);
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  inspector.disconnect();

  const sources = new SourceLocator(ROOT, 'packages/core/src/');
  const counts = countFunctions(result, (url, offset) => sources.placeOf(url, offset));
  const stored = await sessions.getSession(KEY);
  const log = stored?.events.map((event) => event.toJSON()) ?? [];
  return { counts, log, pending: await runner.pending(KEY) };
}

function approveFirst(runner: Runner, earlier: WentWay | undefined): AsyncGenerator<Event, void, undefined> {
  const [request] = earlier?.pending ?? [];
  if (!request) throw new Error('Nothing waits for an approval.');
  return runner.approve(request, { by: 'ada' });
}
