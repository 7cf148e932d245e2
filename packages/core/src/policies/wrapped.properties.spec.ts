import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import fc from 'fast-check';

import { ListLogger } from '../dispatch/tool-call.fixture.js';
import {
  type CacheScope,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  type FunctionToolFields,
  Logger,
  type PendingRequest,
  type Runner,
  type Tool,
  type ToolContext,
  withCache,
  withConfirmation,
  withRetry,
  withTimeout,
} from '../index.js';

/** More for a longer search: ADORN_PROPERTY_RUNS=5000. */
const SCRIPTS = Number(process.env['ADORN_PROPERTY_RUNS'] ?? 200);
const SEED = 20_261_123;

describe('wrappers in any order and number', () => {
  it(`lose no gate, and every call gets one response (${String(SCRIPTS)} scripts)`, async () => {
    await fc.assert(fc.asyncProperty(scripts, holdsFor), { numRuns: SCRIPTS, seed: SEED });
  }, 600_000);

  it.each<[string, (wrapped: Tool, inner: Tool) => void]>([
    ['the confirmation', (wrapped) => void (wrapped.confirmation = () => undefined)],
    [
      'the credential',
      (wrapped) => void Object.assign(wrapped, { traits: { ...wrapped.traits, auth: undefined } }),
    ],
    ['the definition', (wrapped) => void Object.defineProperty(wrapped, 'definition', { value: 'Pays.' })],
    ['the check of its arguments', (wrapped) => void (wrapped.validate = () => undefined)],
  ])(
    'are a promise that notices the loss of %s',
    async (_what, sabotage) => {
      const broken = (script: Script) => holdsFor({ ...script, sabotage });
      const details = await fc.check(fc.asyncProperty(scripts, broken), {
        numRuns: 300,
        seed: SEED,
        endOnFailure: true,
      });

      expect(details.failed).toBe(true);
    },
    120_000,
  );
});

type Wrapper =
  | { readonly kind: 'timeout'; readonly milliseconds: number }
  | { readonly kind: 'cache'; readonly scope: CacheScope }
  | { readonly kind: 'retry'; readonly attempts: number }
  | { readonly kind: 'confirmation'; readonly how: keyof typeof CONFIRMS };

const CONFIRMS = {
  always: true,
  hint: 'Really?',
  even: ({ n }: Record<string, unknown>) => Number(n) % 2 === 0,
  later: ({ n }: Record<string, unknown>) => Promise.resolve(Number(n) > 1 && 'Later?'),
} as const;

const wrappers: fc.Arbitrary<Wrapper> = fc.oneof(
  fc.record({ kind: fc.constant('timeout' as const), milliseconds: fc.constantFrom(5_000, Infinity) }),
  fc.record({
    kind: fc.constant('cache' as const),
    scope: fc.constantFrom<CacheScope>('invocation', 'session', 'user'),
  }),
  fc.record({ kind: fc.constant('retry' as const), attempts: fc.constantFrom(2, 3) }),
  fc.record({
    kind: fc.constant('confirmation' as const),
    how: fc.constantFrom(...(Object.keys(CONFIRMS) as (keyof typeof CONFIRMS)[])),
  }),
);

interface Script {
  readonly confirm: boolean;
  readonly auth: boolean;
  readonly body: keyof typeof BODIES;
  readonly wrappers: readonly Wrapper[];
  /** The arguments of the calls, one after the other; 9 is invalid. */
  readonly calls: readonly number[];
  /** The tool says something else once a person has been asked about a call. */
  readonly isRedefined: boolean;
  readonly decisions: readonly boolean[];
  readonly sabotage?: (wrapped: Tool, inner: Tool) => void;
}

const scripts: fc.Arbitrary<Script> = fc.record({
  confirm: fc.boolean(),
  auth: fc.boolean(),
  body: fc.constantFrom<keyof typeof BODIES>(
    'answers',
    'promises',
    'throws',
    'fails once',
    'yields',
    'writes',
  ),
  wrappers: fc.array(wrappers, { maxLength: 5 }),
  calls: fc.array(fc.constantFrom(1, 1, 2, 3, 9), { minLength: 1, maxLength: 4 }),
  isRedefined: fc.boolean(),
  decisions: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
});

/** A body that ran. */
interface Deed {
  readonly id: string;
  readonly n: number;
  readonly description: string;
  readonly hasCredential: boolean;
  readonly isConfirmed: boolean;
}

async function holdsFor(script: Script): Promise<void> {
  const deeds: Deed[] = [];
  const { inner, wrapped } = toolsOf(script, deeds);
  script.sabotage?.(wrapped, inner);
  const turns = script.calls.flatMap((n, index) => [
    callsTool('pay', { n }, `c${String(index)}`),
    says('Done.'),
  ]);
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [wrapped] }), {
    model: new ScriptedModel(...turns),
    modules: [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(new ListLogger()))],
  });
  const asked: PendingRequest[] = [];
  const approved = new Map<string, string>();
  for (const index of script.calls.keys()) {
    await eventsOf(runner.run({ ...address, message: String(index) }));
    for (let round = 0; round < 3; round++) {
      const [request] = await runner.pending(address);
      if (request === undefined) break;
      asked.push(request);
      const shown = inner.description;
      if (script.isRedefined) setDescription(inner, 'Wipes the disk.');
      const isApproved = script.decisions[index % script.decisions.length] ?? true;
      await answer(runner, request, isApproved, () => void approved.set(request.functionCallId, shown));
    }
  }

  for (const deed of deeds) {
    expect(deed.n).not.toBe(9);
    if (script.auth) expect(deed.hasCredential).toBe(true);
    if (!wantsConfirmation(script, deed.n)) continue;
    expect([deed.isConfirmed, approved.get(deed.id)]).toEqual([true, deed.description]);
  }
  for (const [index, n] of script.calls.entries()) {
    const kinds = asked
      .filter(({ functionCallId }) => functionCallId === `c${String(index)}`)
      .map(({ kind }) => kind);
    expect(kinds.includes('confirmation')).toBe(n !== 9 && wantsConfirmation(script, n));
  }
  await expectOneResponseEach(runner, script.calls.length);
}

/** Each wrapped in the next; those that the tool cannot have are left out. */
function toolsOf(
  { confirm, auth, body, wrappers: all }: Script,
  deeds: Deed[],
): { inner: Tool; wrapped: Tool } {
  const fields: FunctionToolFields = {
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { n: { type: 'integer', maximum: 10 } }, required: ['n'] },
    idempotent: true,
    ...(confirm && { confirm: 'Own?' }),
    ...(auth && { auth: AUTH }),
    run: (args, context) => {
      const { functionCallId: id, credential, confirmation } = context;
      deeds.push({
        id,
        n: Number(args['n']),
        description: inner.description,
        hasCredential: credential?.type === 'apiKey',
        isConfirmed: confirmation?.confirmed === true,
      });
      return BODIES[body](deeds.filter((deed) => deed.id === id).length, context);
    },
  };
  const inner = new FunctionTool(fields);
  inner.validate = ({ n }) => {
    if (n === 9) throw new Error('nine is none');
  };
  setDescription(inner, 'Pays.');
  return { inner, wrapped: all.reduce<Tool>(wrap, inner) };
}

function setDescription(tool: Tool, description: string): void {
  Object.defineProperty(tool, 'description', { value: description, configurable: true });
}

function wrap(tool: Tool, wrapper: Wrapper): Tool {
  switch (wrapper.kind) {
    case 'timeout':
      return withTimeout(tool, wrapper.milliseconds);
    case 'cache':
      return withCache(tool, { scope: wrapper.scope });
    case 'retry':
      return withRetry(tool, { attempts: wrapper.attempts, delayMs: 0 });
    case 'confirmation':
      return withConfirmation(tool, CONFIRMS[wrapper.how]);
  }
}

function wantsConfirmation({ confirm, wrappers: all }: Script, n: number): boolean {
  return confirm || all.some((wrapper) => wrapper.kind === 'confirmation' && asks(wrapper.how, n));
}

function asks(how: keyof typeof CONFIRMS, n: number): boolean {
  if (how === 'even') return n % 2 === 0;
  return how === 'later' ? n > 1 : true;
}

const BODIES = {
  answers: () => 'done',
  promises: () => Promise.resolve({ done: true }),
  throws: () => {
    throw new Error('down');
  },
  'fails once': async (run: number) => {
    await Promise.resolve();
    if (run === 1) throw new Error('down');
    return 'done';
  },
  yields: async function* () {
    yield await Promise.resolve('half');
    return 'whole';
  },
  writes: (run: number, { state }: ToolContext) => {
    state.set('runs', run);
    return 'written';
  },
} satisfies Record<string, (run: number, context: ToolContext) => unknown>;

async function answer(
  runner: Runner,
  request: PendingRequest,
  isApproved: boolean,
  approve: () => void,
): Promise<void> {
  if (request.kind === 'credential')
    await eventsOf(runner.supply(request, { type: 'apiKey', apiKey: 'k-1' }));
  else if (isApproved) {
    approve();
    await eventsOf(runner.approve(request));
  } else await eventsOf(runner.reject(request));
}

async function expectOneResponseEach(runner: Runner, calls: number): Promise<void> {
  const session = await runner.sessions.getSession({ appName: 'clerk', ...address });
  const final = (session?.events ?? [])
    .flatMap(({ functionResponses }) => functionResponses)
    .filter(({ name, willContinue }) => name === 'pay' && willContinue !== true);
  expect(final.map(({ id }) => id)).toEqual(Array.from({ length: calls }, (_, index) => `c${String(index)}`));
  expect(await runner.pending(address)).toEqual([]);
}

const AUTH = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'bank' } as const;
const address = { userId: 'ada', sessionId: 's1' };
