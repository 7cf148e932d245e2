import { isCallAsker } from '../events/call-asker.js';
import { requestsOf } from '../events/pending-request.js';
import type { Event, PendingRequest, Runner } from '../index.js';
import {
  answer,
  asks,
  begin,
  type Kind,
  KINDS,
  type Manner,
  MANNERS,
  openRunner,
  type Place,
  PLACES,
  type Say,
  Scene,
} from './questions.fixture.js';

/**
 * Every cell plays one share of the conversations, and cells that follow one another play different ones: each manner and
 * each kind meet. A long search plays all of them.
 */
const SHARES = 3;
const IS_LONG_SEARCH = process.env['ADORN_PROPERTY_RUNS'] !== undefined;

/** More rounds of questions than any conversation here needs. */
const MOST_ROUNDS = 8;

describe('a question belongs to the function of a call that asks it', () => {
  const cells = (Object.keys(PLACES) as Place[]).flatMap((place) =>
    (Object.keys(KINDS) as Kind[])
      .filter((kind) => isPossible(place, kind))
      .map((kind) => [place, kind] as const),
  );

  it.each(cells.map(([place, kind], cell) => [place, kind, cell] as const))(
    '%s, %s: it gets its answer, the tool takes effect at most once, and the call ends',
    async (place, kind, cell) => {
      const broken: string[] = [];
      for (const [index, { manner, say }] of conversationsFor(place).entries()) {
        if (!IS_LONG_SEARCH && (index + cell) % SHARES !== 0) continue;
        const process = index % 2 === 0 ? 'another process' : 'the same process';
        const fault = await faultIn({ place, kind, manner, say, process });
        if (fault !== undefined) broken.push(`${manner}, ${say}, ${process}: ${fault}`);
      }
      expect(broken).toEqual([]);
    },
  );
});

function conversationsFor(place: Place): { readonly manner: Manner; readonly say: Say }[] {
  const manners = (Object.keys(MANNERS) as Manner[]).filter(
    (manner) => PLACES[place] !== 'tool' || isWaitedFor(manner),
  );
  return manners.flatMap((manner): { readonly manner: Manner; readonly say: Say }[] =>
    asks(manner)
      ? [
          { manner, say: 'no' },
          { manner, say: 'yes' },
        ]
      : [{ manner, say: 'yes' }],
  );
}

/** A tool that does not wait for its answer goes on to its effect, and runs again with the answer, as its documents say. */
function isWaitedFor(manner: Manner): boolean {
  return manner !== 'swallowed' && manner !== 'input, not waited for';
}

/** A tool that fails is not retried here: that it runs twice would be right. An inner tool that fails does not fail the agent. */
function isPossible(place: Place, kind: Kind): boolean {
  const when = PLACES[place];
  if (when === 'never' || when === 'instead of the tool') return false;
  // The callbacks of an agent are chained behind those of plugins, and are one with them for a call.
  if (place.startsWith('agent.') && kind !== 'plain' && kind !== 'gated') return false;
  const { isAgent = false, failsFirst = false } = { ...KINDS[kind] } as {
    isAgent?: boolean;
    failsFirst?: boolean;
  };
  return !(place.endsWith('onToolError') && (isAgent || failsFirst));
}

interface Case {
  readonly place: Place;
  readonly kind: Kind;
  readonly manner: Manner;
  readonly say: Say;
  readonly process: 'the same process' | 'another process';
}

/** Holds a conversation in which all requests are answered. @returns what is wrong with it */
async function faultIn(one: Case): Promise<string | undefined> {
  const scene = new Scene(one.place, one.manner, KINDS[one.kind]);
  const isAlone = one.process === 'the same process';
  const shared = isAlone ? await openRunner(scene) : undefined;
  const open = async (): Promise<Runner<unknown>> => shared ?? openRunner(scene);
  const shown: PendingRequest[] = [];
  await begin(scene, await open());
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const runner = await open();
    const [request] = await runner.pending({ userId: 'ada', sessionId: 's1' });
    if (request === undefined) break;
    shown.push(request);
    const isOwn = isCallAsker(request.askedBy);
    if (scene.paid > 0 && PLACES[one.place] !== 'after' && isOwn && !isOfInner(one))
      return 'it asks when the tool has run';
    await answer(runner, request, isOwn ? one.say : 'yes');
  }
  const runner = await open();
  return faultOf(
    one,
    scene,
    shown,
    await scene.events(runner),
    await runner.pending({ userId: 'ada', sessionId: 's1' }),
  );
}

/** The tool of an agent that runs as a tool asks behind the agent's back. */
function isOfInner({ kind, place }: Case): boolean {
  return kind === 'agent as a tool' && place.startsWith('tool.');
}

function faultOf(
  one: Case,
  scene: Scene,
  shown: readonly PendingRequest[],
  events: readonly Event[],
  pending: readonly PendingRequest[],
): string | undefined {
  const { place, manner, say } = one;
  const when = PLACES[place];
  if (pending.length > 0) return `still pending: ${JSON.stringify(pending)}`;
  if (scene.paid > 1) return `it took effect ${String(scene.paid)} times`;
  const final = events.flatMap(({ functionResponses }) =>
    functionResponses.filter(({ id, willContinue }) => id === 'pay-1' && willContinue !== true),
  );
  if (final.length !== 1) return `the call has ${String(final.length)} responses: ${JSON.stringify(final)}`;
  const [{ response = {} } = {}] = final;
  const last = events.at(-1);
  if (!isCalled(one) && last?.text !== 'The end.') return `it ends with ${JSON.stringify(last)}`;
  const own = shown.filter(({ askedBy }) => isCallAsker(askedBy));
  if (!asks(manner)) return own.length > 0 ? 'it asks' : undefined;
  if (own.length === 0) return 'nobody is asked';
  if (own.some(({ askedBy }) => askedBy !== nameOf(place))) return `asked by ${JSON.stringify(own)}`;
  const isRefusable = manner !== 'credential';
  const told = JSON.stringify(response);
  if (say === 'no' && isRefusable) {
    if (when === 'before' && scene.paid > 0) return 'it took effect without a yes';
    if (when === 'after' && !/has run/.test(told)) return `the model reads ${told}`;
    return undefined;
  }
  if (scene.paid !== 1) return 'it did not take effect';
  if (!isAnswered(manner, scene)) return `it was answered ${JSON.stringify(scene.answers)}`;
  if (when !== 'after' && !place.endsWith('onToolError') && 'error' in response)
    return `the model reads ${told}`;
  return faultInReasons(events);
}

function isCalled({ kind }: Case): boolean {
  return kind.endsWith('runner.call');
}

/** The names of functions of a tool, as requests have them. */
const ASKERS: Readonly<Record<string, string>> = { run: 'tool', confirmation: 'confirm' };

/** Who asks, as the request says it. */
function nameOf(place: Place): string {
  const [owner = '', name = ''] = place.split('.');
  if (owner === 'guardrail') return name === 'checkCall' ? 'checkTool' : 'afterTool';
  if (owner === 'provider') return 'confirmationProvider';
  return ASKERS[name] ?? name;
}

function isAnswered(manner: Manner, { answers }: Scene): boolean {
  return JSON.stringify(answers.at(-1)) === JSON.stringify(ANSWERS[manner]);
}

/** What a function gets that asks in these manners, once all is answered; undefined if it does not read its answer. */
const ANSWERS: Partial<Readonly<Record<Manner, unknown>>> = {
  confirmation: true,
  input: 'because',
  credential: 'apiKey',
  twice: [true, 'because'],
  swallowed: true,
};

/** Every request of a call but its first one says why it is made. */
function faultInReasons(events: readonly Event[]): string | undefined {
  const asked = new Set<string>();
  for (const request of events.flatMap(requestsOf)) {
    if (request.kind === 'result') continue;
    const { functionCallId, askedAgain, askedBy } = request;
    if (asked.has(functionCallId) && askedAgain === undefined)
      return `${askedBy ?? 'a gate'} asks again without a reason`;
    if (!asked.has(functionCallId) && askedAgain !== undefined)
      return `a first question says ${askedAgain.reason}`;
    asked.add(functionCallId);
  }
  return undefined;
}
