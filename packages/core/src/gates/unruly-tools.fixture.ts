import fc from 'fast-check';

import type { AuthCredential } from '../auth/auth-credential.js';
import { type CredentialScope, InMemoryCredentialService } from '../auth/credential.service.js';
import { AdornError } from '@adorn/schema';
import { hostileValues } from '../../../schema/src/errors/hostile-values.fixture.js';
import { ToolError } from '../tools/errors.js';
import { FunctionTool, type FunctionToolFields } from '../tools/function.tool.js';
import type { ToolContext } from '../tools/tool-context.js';

/** A body that ran. */
export interface Deed {
  readonly call: string;
  readonly wasToAsk: boolean;
  readonly lacksCredential: boolean;
  /** How often one call may run it: a retry repeats it. */
  readonly most: number;
}

/** What the tools did, and how they end the run that they are called in. */
export const scene = {
  deeds: [] as Deed[],
  cancel: (_invocationId: string): void => undefined,
};

/** A tool that is told by its argument what to do. */
export interface UnrulyTool {
  readonly tool: FunctionTool;
  /** Arguments that fit. */
  readonly args: fc.Arbitrary<Record<string, unknown>>;
}

type Body = (how: string, context: ToolContext) => unknown;

interface Behaviour {
  readonly hows?: readonly string[];
  readonly run: Body;
  readonly traits?: Partial<FunctionToolFields>;
  /** True if a person has to say yes first. */
  readonly asks?: (how: string) => boolean;
  readonly validate?: (how: string) => void;
  /** The body counts only what it does after a person has said yes. */
  readonly asksOnItsWay?: boolean;
  readonly most?: number;
}

/** The time limit of what hangs, in milliseconds. */
const LIMIT = 20;

const RESULTS: Record<string, () => unknown> = {
  object: () => ({ fine: true }),
  string: () => 'fine',
  array: () => [1, 'two', undefined, null],
  undefined: () => undefined,
  null: () => null,
  nan: () => NaN,
  bigint: () => ({ deep: [1n] }),
  cycle: () => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    return cycle;
  },
  function: () => ({ call: () => 1 }),
  symbol: () => Symbol('none'),
  map: () => new Map([[1, 2]]),
  date: () => new Date(0),
  gap: () => ({ kept: 1, left: undefined }),
  huge: () => 'é'.repeat(40_000),
  thenable: () => Promise.resolve({ later: true }),
};

const THROWN: Record<string, () => unknown> = {
  error: () => new Error('secret'),
  toolError: () => new ToolError('no such order'),
  string: () => 'a text',
  undefined: () => undefined,
  null: () => null,
  symbol: () => Symbol('none'),
  function: () => () => 1,
  promise: () => Promise.resolve('not an error'),
  adorn: () =>
    new (class extends AdornError {
      readonly code = 'SESSION_NOT_FOUND';
    })('secret'),
  ...Object.fromEntries(hostileValues().map(({ what, thrown }) => [what, () => thrown])),
};

const ANSWERS: Record<string, () => unknown> = {
  no: () => false,
  yes: () => true,
  hint: () => 'Really?',
  question: () => ({ hint: 'Really?', payload: { max: 1 } }),
  null: () => null,
  zero: () => 0,
  empty: () => '',
  bare: () => ({}),
  later: () => Promise.resolve(true),
  throws: () => {
    throw new Error('secret');
  },
  rejects: () => Promise.reject(new Error('secret')),
  hangs: hang,
};

const AUTH = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' } as const;

const ok: Body = (_how, { functionCallId }) => ({ call: functionCallId });
const always = (): boolean => true;

const throwIt: Body = (how) => {
  throw THROWN[how]?.();
};

/** Tools that answer, throw anything, hang, wait for a person, and have every kind of policy. */
export const UNRULY_TOOLS: readonly UnrulyTool[] = Object.entries<Behaviour>({
  answers: { run: ok },
  returns: { hows: Object.keys(RESULTS), run: (how) => RESULTS[how]?.() },
  throws: { hows: Object.keys(THROWN), run: throwIt },
  rejects: { hows: Object.keys(THROWN), run: async (how, context) => throwIt(how, await later(context)) },
  alone: { run: async (how, context) => ok(how, await later(context)), traits: { sequential: true } },
  hangs: { run: hang, traits: { timeout: LIMIT } },
  waits_for_the_end: { run: (_how, context) => waitForTheEnd(context), traits: { timeout: Infinity } },
  streams: {
    hows: ['result', 'nothing', 'throws', 'bigint', 'hangs'],
    run: stream,
    traits: { timeout: LIMIT },
  },
  runs_beside: {
    hows: ['a', 'throws', 'waits', 'hangs', 'asks'],
    run: async (how, context) => {
      if (how === 'asks') context.requestConfirmation('Sure?');
      if (how === 'waits') await new Promise((resolve) => setImmediate(resolve));
      if (how === 'hangs') await hang();
      return how === 'throws' ? throwIt('error', context) : ok(how, context);
    },
    traits: { background: true, timeout: LIMIT },
    most: 100,
  },
  runs_beside_with_a_yes: {
    hows: ['a', 'waits'],
    run: async (how, context) => {
      if (how === 'waits') await new Promise((resolve) => setImmediate(resolve));
      return ok(how, context);
    },
    traits: { background: { scheduling: 'interrupt' }, confirm: true, auth: { ...AUTH, key: 'safe' } },
    asks: always,
  },
  hands_out_a_handle: { run: ok, traits: { longRunning: true } },
  finds_it_takes_long: {
    run: (how, context) => {
      context.longRunning = true;
      return ok(how, context);
    },
  },
  refuses_arguments: { hows: ['a', ...Object.keys(THROWN)], run: ok, validate: refuse },
  always_asks: { run: ok, traits: { confirm: true }, asks: always },
  destroys: { run: ok, traits: { effect: 'destructive' }, asks: always },
  asks_and_throws: { hows: Object.keys(THROWN), run: throwIt, traits: { confirm: 'Really?' }, asks: always },
  asks_sometimes: {
    hows: Object.keys(ANSWERS),
    run: ok,
    traits: { confirm: ({ how }) => (ANSWERS[String(how)] ?? always)() as boolean, checkTimeout: LIMIT },
    asks: (how) => how !== 'no',
  },
  asks_on_its_way: {
    hows: ['a', 'throws', 'twice'],
    run: (how, context) => {
      context.requestConfirmation('Sure?');
      if (how === 'twice') context.requestConfirmation('Quite sure?');
      note(context, { asks: always }, how);
      if (how === 'throws') throw new Error('secret');
      return ok(how, context);
    },
    asks: always,
    asksOnItsWay: true,
  },
  wants_an_input: {
    run: async (how, context) => {
      await context.requestInput({ message: 'Which day?', schema: { type: 'string' } });
      return ok(how, context);
    },
    most: 100,
  },
  needs_a_key: { run: ok, traits: { auth: AUTH } },
  asks_and_needs_a_key: { run: ok, traits: { auth: { ...AUTH, key: 'bank' }, confirm: true }, asks: always },
  needs_a_lost_key: { run: ok, traits: { auth: { ...AUTH, key: 'throws' } } },
  needs_a_late_key: { run: ok, traits: { auth: { ...AUTH, key: 'hangs' }, checkTimeout: LIMIT } },
  tries_again: {
    hows: ['at once', 'later', 'never', 'hangs'],
    run: (how, context) => {
      const tries = scene.deeds.filter(({ call }) => call === context.functionCallId).length;
      if (how === 'hangs') return hang();
      if (how === 'never' || (how === 'later' && tries === 1)) throw new Error('down');
      return ok(how, context);
    },
    traits: { idempotent: true, retry: { attempts: 3, delayMs: 10 }, timeout: LIMIT },
    most: 3,
  },
  remembers: {
    hows: ['a', 'throws', 'waits'],
    run: async (how, context) => {
      if (how === 'waits') await later(context);
      if (how === 'throws') throw new Error('down');
      return 'known';
    },
    traits: { cache: true },
  },
  is_limited: { run: ok, traits: { rateLimit: { calls: 1, perMs: 50, scope: 'user', maxWaitMs: 60 } } },
  one_at_a_time: {
    hows: ['a', 'hangs'],
    run: (how, context) => (how === 'hangs' ? hang() : later(context).then((one) => ok(how, one))),
    traits: { concurrency: { calls: 1, scope: 'user', maxQueue: 1 }, timeout: LIMIT },
  },
  has_all_policies: {
    hows: ['a', 'throws'],
    run: (how, context) => (how === 'throws' ? throwIt('error', context) : 'known'),
    traits: {
      confirm: true,
      auth: { ...AUTH, key: 'vault' },
      idempotent: true,
      cache: { scope: 'session' },
      retry: { attempts: 2, delayMs: 10 },
      concurrency: 1,
      rateLimit: { calls: 2, perMs: 50, scope: 'user' },
      timeout: LIMIT,
    },
    asks: always,
    most: 2,
  },
}).map(unruly);

function unruly([name, behaviour]: [string, Behaviour]): UnrulyTool {
  const { hows = ['a'], run, traits = {}, validate, asksOnItsWay } = behaviour;
  const tool = new FunctionTool({
    name,
    description: name,
    parameters: {
      type: 'object',
      properties: { how: { type: 'string' }, times: { type: 'integer' } },
      required: ['how'],
      additionalProperties: false,
    },
    ...traits,
    run: ({ how }, context) => {
      if (asksOnItsWay !== true) note(context, behaviour, String(how));
      return run(String(how), context);
    },
  });
  if (validate !== undefined) {
    tool.validate = ({ how }) => {
      validate(String(how));
      return Promise.resolve();
    };
  }
  return {
    tool,
    args: fc.record({ how: fc.constantFrom(...hows), times: fc.nat(3) }, { requiredKeys: ['how'] }),
  };
}

function note(
  { functionCallId: call, credential }: ToolContext,
  { asks = () => false, most = 1, traits }: Pick<Behaviour, 'asks' | 'most' | 'traits'>,
  how: string,
): void {
  const lacksCredential = traits?.auth !== undefined && credential?.type !== 'apiKey';
  scene.deeds.push({ call, wasToAsk: asks(how), lacksCredential, most });
}

/** Never settles: its time is up as soon as it waits. */
function hang(): Promise<never> {
  setImmediate(() => jest.advanceTimersByTime(LIMIT));
  return new Promise(() => undefined);
}

/** Ends only with the run, which it ends itself. */
export function waitForTheEnd({ invocationId }: Pick<ToolContext, 'invocationId'>): Promise<never> {
  setImmediate(() => {
    scene.cancel(invocationId);
  });
  return new Promise(() => undefined);
}

async function* stream(how: string): AsyncGenerator<unknown, unknown> {
  yield { half: 1 };
  if (how === 'throws') throw new Error('secret');
  if (how === 'hangs') await hang();
  yield await Promise.resolve(how === 'bigint' ? 1n : 'more');
  return how === 'result' ? { whole: 2 } : undefined;
}

async function later(context: ToolContext): Promise<ToolContext> {
  await Promise.resolve();
  return context;
}

function refuse(how: string): void {
  if (how !== 'a') throw THROWN[how]?.();
}

/** Fails, or does not answer, for keys of that name. */
export class UnreliableCredentialService extends InMemoryCredentialService {
  override load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined> {
    if (key === 'throws') throw new Error('secret');
    return key === 'hangs' ? hang() : super.load(scope, key);
  }
}
