import { eventsOf } from '@adorn/testing';

import { isCallAsker } from '../events/call-asker.js';
import {
  KINDS,
  ADDRESS,
  answer,
  begin,
  type Kind,
  openRunner,
  type Place,
  PLACES,
  Scene,
} from './questions.fixture.js';
import type { AdornError, Runner } from '../index.js';

/** Places at which a call is asked about, one for each way in which it continues. */
const ASKING = [
  'plugin.beforeTool',
  'tool.run',
  'agent.onToolError',
  'plugin.afterTool',
] as const satisfies readonly Place[];
const TOOLS = ['plain', 'gated', 'agent as a tool'] as const;

describe('a question of a function of a call, whose process dies behind any of its writes', () => {
  const cells = ASKING.flatMap((place) =>
    TOOLS.filter((kind) => isPossible(place, kind)).map((kind) => [place, kind] as const),
  );

  it.each(cells)(
    '%s, %s: the tool takes effect at most once, and the call has one response',
    async (place, kind) => {
      const faults: string[] = [];
      for (const goOn of ['resume', 'recover'] as const)
        for (let writes = 1, isDead = true; isDead; writes++) {
          const ended = await dieAfter(writes, place, kind, goOn);
          isDead = ended.isDead;
          if (ended.fault !== undefined) faults.push(`${goOn}, ${String(writes)} writes: ${ended.fault}`);
        }
      expect(faults).toEqual([]);
    },
  );
});

/** An inner tool that fails does not fail the agent. */
function isPossible(place: Place, kind: Kind): boolean {
  return !place.endsWith('onToolError') || kind !== 'agent as a tool';
}

async function dieAfter(writes: number, place: Place, kind: Kind, goOn: 'resume' | 'recover') {
  const scene = new Scene(place, 'confirmation', KINDS[kind]);
  scene.sessions.left = writes;
  const isDead = await converse(scene, async (runner) => begin(scene, runner)).then(
    () => false,
    () => true,
  );
  scene.sessions.left = Infinity;
  const paidBefore = scene.paid;
  if (isDead) await converse(scene, (runner) => (goOn === 'resume' ? resume(runner) : recover(runner)));
  return { isDead, fault: await faultOf(scene, paidBefore) };
}

/** Each answer has a process of its own. */
async function converse(scene: Scene, start: (runner: Runner<unknown>) => Promise<unknown>): Promise<void> {
  await start(await openRunner(scene));
  for (let round = 0; round < 8; round++) {
    const runner = await openRunner(scene);
    const [request] = await runner.pending(ADDRESS);
    if (request === undefined) return;
    await answer(runner, request, 'yes');
  }
}

async function resume(runner: Runner<unknown>): Promise<void> {
  try {
    await eventsOf(runner.resume(ADDRESS));
  } catch (error) {
    expect(['NOTHING_TO_RESUME', 'SESSION_NOT_FOUND']).toContain((error as AdornError).code);
  }
}

async function recover(runner: Runner<unknown>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2));
  await runner.recover({ olderThan: 0 });
}

async function faultOf(scene: Scene, paidBefore: number): Promise<string | undefined> {
  const { paid, place } = scene;
  if (paid > 1) return `it took effect ${String(paid)} times`;
  const runner = await openRunner(scene);
  if ((await runner.pending(ADDRESS)).length > 0) return 'a request is open';
  const events = await scene.events(runner);
  const isMade = events.some(({ functionCalls }) => functionCalls.some(({ id }) => id === 'pay-1'));
  const final = events.flatMap(({ functionResponses }) =>
    functionResponses.filter(({ id, willContinue }) => id === 'pay-1' && willContinue !== true),
  );
  if (isMade && final.length !== 1) return `the call has ${String(final.length)} responses`;
  const requests = events.filter(({ functionCalls }) =>
    functionCalls.some(({ args = {} }) => isCallAsker(args['askedBy'])),
  );
  if (PLACES[place] !== 'after' || requests.length === 0) return undefined;
  if (paid !== Math.max(1, paidBefore))
    return 'a question behind the tool was asked, and the tool did not run once';
  return scene.answers.length === 0 ? 'the callback did not get its answer' : undefined;
}
