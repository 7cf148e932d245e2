import { toolPolicies } from '@adorn/policies';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { toolCall, toolNamed } from '../../gates/tool-call.fixture.js';
import { definitionDigest } from '../../gates/tool-call.js';
import type { Asked, ToolTraits } from '../../backend.js';
import {
  createRunner,
  defineAgent,
  FunctionTool,
  type ModelRequest,
  Tool,
  ToolError,
  withOptions,
} from '../../index.js';
import { ToolConfigInvalidError } from '../errors.js';
import { settle } from './run-stage.fixture.js';
import { WrappedTool } from './wrapped.tool.js';

const AUTH = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'bank' } as const;

const WRAPPERS: readonly [string, (tool: Tool) => Tool][] = [
  ['timeout', (tool) => withOptions(tool, { timeout: 5 })],
  ['cache', (tool) => withOptions(tool, { cache: true })],
  ['retry', (tool) => withOptions(tool, { retry: 2 })],
  ['confirm', (tool) => withOptions(tool, { confirm: true })],
  ['background', (tool) => withOptions(tool, { background: true })],
  ['longRunning', (tool) => withOptions(tool, { longRunning: true })],
];

describe.each(WRAPPERS)('a tool in %s', (_name, wrap) => {
  it('need not be one that prepares itself, checks its arguments or changes requests', async () => {
    const wrapped = wrap(new Bare());
    const { context } = await toolCall(new Bare());

    expect(await wrapped.ready?.()).toBeUndefined();
    expect(await wrapped.validate?.({}, context)).toBeUndefined();
    expect(await wrapped.processRequest?.({ contents: [] } as never, context)).toBeUndefined();
  });

  it('is the tool inside in every member', async () => {
    const inner = new Scale();
    const wrapped = wrap(inner);
    const { context } = await toolCall(inner);
    const request = { contents: [] } as unknown as ModelRequest;

    expect(wrapped).toBeInstanceOf(Tool);
    const { name, description, definition, isDerived, ownDefaults, origin } = wrapped;
    expect({ name, description, definition, isDerived, ownDefaults, origin }).toEqual({
      name: 'weigh',
      description: 'Weighs.',
      definition: inner.definition,
      isDerived: true,
      ownDefaults: new Set(['unit']),
      origin: 'Scale',
    });
    expect(wrapped.declaration()).toBe(inner.declaration());
    expect(wrapped.traits).toMatchObject({ effect: 'read', auth: AUTH, exposeErrors: true });
    expect(wrapped.run({ of: 1 }, context)).toEqual(['ran', { of: 1 }, context]);
    expect(await wrapped.confirmation({}, context)).toEqual({ hint: 'Weigh it?' });
    expect(() => wrapped.validate?.({ of: 0 }, context)).toThrow('nothing to weigh');
    expect(wrapped.reconcile?.({ of: 2 }, context)).toEqual(['found', { of: 2 }, context]);
    expect(wrapped.failureIn?.('empty')).toEqual(new ToolError('The scale is empty.'));
    await wrapped.ready?.();
    await wrapped.processRequest?.(request, context);
    expect(inner.told.slice(1)).toEqual(['ready', request]);
  });

  it('lacks no member that a tool may have', async () => {
    const own = (of: object): string[] => Object.getOwnPropertyNames(of);

    expect(own(WrappedTool.prototype)).toEqual(expect.arrayContaining(own(Tool.prototype)));
    const plain = wrap(toolNamed('pay', { effect: 'read' }));
    expect([await plain.validate?.({}, {} as never), 'reconcile' in plain]).toEqual([undefined, false]);
    expect(plain.processRequest?.({} as never, {} as never)).toBeUndefined();
    expect(plain.failureIn?.('empty')).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['a function', () => 1],
    ['a text', 'weigh'],
    ['null', null],
    ['an object', { name: 'weigh', run: () => 1 }],
  ])('is refused where it is %s', (_what, given) => {
    expect(() => wrap(given as Tool)).toThrow(
      /^with\w+ was called with (a function|a text|null|an object), which is not a Tool\. Pass a FunctionTool/,
    );
  });
});

describe('a wrapper', () => {
  it('replaces the time limit of the tool', () => {
    expect(
      withOptions(withOptions(toolNamed('pay', { timeout: 1 }), { timeout: 2 }), { timeout: 3 }).traits
        .timeout,
    ).toBe(3);
  });

  it.each<[string, () => Tool, string]>([
    ['timeout', () => withOptions(toolNamed('pay'), { timeout: NaN }), 'timeout is NaN.'],
    [
      'cache',
      () => withOptions(toolNamed('pay'), { cache: { ttl: 5 } as object }),
      'in cache, there is no option ttl. Did you mean ttlMs?',
    ],
    [
      'cache',
      () => withOptions(toolNamed('pay', { effect: 'destructive' }), { cache: true }),
      'cache is set, but the effect is "destructive": an equal call would be answered without having the effect.',
    ],
    ['retry', () => withOptions(toolNamed('pay', { effect: 'read' }), { retry: 1 }), 'retry is 1.'],
    [
      'retry',
      () => withOptions(toolNamed('pay', { effect: 'write' }), { retry: 2 }),
      'retry is set, but an attempt',
    ],
    [
      'background',
      () => withOptions(toolNamed('pay', { longRunning: true }), { background: true }),
      'background is set, but the tool is longRunning',
    ],
    [
      'confirm',
      () => withOptions(toolNamed('pay'), { confirm: false as true }),
      'the confirm of a wrapper is false. Pass true, a hint, or a function',
    ],
    ['confirm', () => withOptions(toolNamed('pay'), { confirm: '' }), 'the confirm of a wrapper is "".'],
    [
      'confirm',
      () => withOptions(toolNamed('pay'), { confirm: null as unknown as true }),
      'the confirm of a wrapper is null.',
    ],
    [
      'options',
      () => withOptions(toolNamed('pay'), undefined as never),
      'the options of withOptions are absent.',
    ],
    ['options', () => withOptions(toolNamed('pay'), [] as never), 'the options of withOptions are'],
    [
      'options',
      () => withOptions(toolNamed('pay'), { timout: 5 } as never),
      'there is no option timout. Did you mean timeout?',
    ],
  ])('%s refuses options that cannot be', (_name, wrap, message) => {
    expect(wrap).toThrow(ToolConfigInvalidError);
    expect(wrap).toThrow(`The tool "pay": ${message}`);
  });

  it('that retries what is not repeatable has to be told so', () => {
    expect(() => withOptions(toolNamed('pay'), { retry: { attempts: 2, unsafe: true } })).not.toThrow();
    expect(() => withOptions(toolNamed('pay', { idempotent: true }), { retry: 2 })).not.toThrow();
  });

  it('has its tool decide whether a call may run again', async () => {
    const idempotent = jest.fn(({ cents }) => cents === 5);
    const tool = withOptions(withOptions(toolNamed('pay', { idempotent }), { retry: 2 }), { confirm: true });
    const { context } = await toolCall(tool);

    expect(await tool.isIdempotent({ cents: 5 }, context)).toBe(true);
    expect(await tool.isIdempotent({ cents: 6 }, context)).toBe(false);
  });

  it('asks before a tool that is destructive, through every other wrapper', async () => {
    let runs = 0;
    const inner = new FunctionTool({
      name: 'wipe',
      description: '',
      effect: 'destructive',
      run: () => ++runs,
    });
    const tool = withOptions(withOptions(inner, { retry: { attempts: 2, unsafe: true } }), { timeout: 5 });
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
      modules: [toolPolicies],
      model: new ScriptedModel(callsTool('wipe'), says('Wiped.')),
    });
    await eventsOf(runner.run({ sessionId: 's1', message: 'Wipe.' }));
    expect(runs).toBe(0);

    const [request] = await runner.pending({ sessionId: 's1' });
    if (request !== undefined) await eventsOf(runner.approve(request));

    expect(runs).toBe(1);
  });
});

describe('confirm of withOptions', () => {
  const DEFAULT = { hint: 'Approve execution of tool `pay`?' };
  const OWN = { hint: 'Own?' };

  it.each<[boolean | string, unknown, unknown]>([
    [false, true, DEFAULT],
    [false, 'Sure?', { hint: 'Sure?' }],
    ['Own?', true, OWN],
    ['Own?', 'Sure?', { hint: 'Sure?' }],
    [false, () => false, undefined],
    ['Own?', () => false, OWN],
    ['Own?', () => true, OWN],
    [false, () => true, DEFAULT],
    ['Own?', () => 'Sure?', { hint: 'Sure?' }],
    ['Own?', () => ({ hint: 'Sure?', payload: 1 }), { hint: 'Sure?', payload: 1 }],
    [false, () => undefined, DEFAULT],
    [false, () => Promise.resolve('Sure?'), { hint: 'Sure?' }],
  ])('asks where the tool (%p) or the wrapper (%p) asks', async (confirm, own, expected) => {
    for (const base of [confirm, () => Promise.resolve<Asked>(confirm)]) {
      const tool = withOptions(toolNamed('pay', { confirm: base }), { confirm: own as true });
      const { context } = await toolCall(tool);

      expect(await tool.confirmation({}, context)).toEqual(expected);
    }
  });

  it('asks with a hint that is fixed', async () => {
    const tool = withOptions(toolNamed('pay'), { confirm: 'Sure?' });
    const { context } = await toolCall(tool);

    expect(await tool.confirmation({}, context)).toEqual({ hint: 'Sure?' });
  });

  it('gives the function a copy of the arguments', async () => {
    const args = { to: { name: 'ada' } };
    const tool = withOptions(toolNamed('pay'), {
      confirm: ({ to }) => {
        (to as Record<string, unknown>)['name'] = 'eve';
        return false;
      },
    });
    const { context } = await toolCall(tool);

    await tool.confirmation(args, context);

    expect(args).toEqual({ to: { name: 'ada' } });
  });

  it('fails the call where the function throws', async () => {
    const rejecting = toolNamed('pay', { confirm: () => Promise.reject(new Error('no')) });
    const tool = withOptions(rejecting, {
      confirm: () => {
        throw new Error('also no');
      },
    });
    const { context } = await toolCall(tool);

    await expect(tool.confirmation({}, context)).rejects.toThrow('no');
    await settle();
  });

  it('is part of the definition that an approval covers where its hint is fixed', () => {
    const tool = toolNamed('pay');
    const digests = [
      tool,
      withOptions(tool, { confirm: true }),
      withOptions(tool, { confirm: 'A?' }),
      withOptions(tool, { confirm: 'B?' }),
    ].map(definitionDigest);

    expect(digests[1]).toBe(digests[0]);
    expect(new Set(digests).size).toBe(3);
  });
});

/** A tool that has every member. */
class Bare extends Tool {
  readonly name = 'bare';
  readonly description = 'Does nothing.';

  constructor() {
    super({ effect: 'read' });
  }

  declaration() {
    return { name: this.name, description: this.description };
  }

  run(): string {
    return 'done';
  }
}

class Scale extends Tool {
  readonly name = 'weigh';
  readonly description = 'Weighs.';
  readonly told: unknown[] = [];
  private readonly declared = { name: 'weigh', description: 'Weighs.' };

  constructor(traits: ToolTraits = { effect: 'read', auth: AUTH, exposeErrors: true }) {
    super(traits);
  }

  override ready(): void {
    this.told.push('ready');
  }

  declaration() {
    return this.declared;
  }

  run(...all: unknown[]): unknown {
    return ['ran', ...all];
  }

  override reconcile(...all: unknown[]): unknown {
    return ['found', ...all];
  }

  override failureIn(result: unknown): ToolError | undefined {
    return result === 'empty' ? new ToolError('The scale is empty.') : undefined;
  }

  override confirmation() {
    return { hint: 'Weigh it?' };
  }

  override validate({ of }: Record<string, unknown>): void {
    if (of === 0) throw new Error('nothing to weigh');
  }

  override processRequest(request: ModelRequest): void {
    this.told.push(request);
  }

  override get isDerived(): boolean {
    return true;
  }

  override get ownDefaults(): ReadonlySet<string> {
    return new Set(['unit']);
  }
}

it('longRunning of withOptions pauses the run with the result as a handle, and takes the real result later', async () => {
  const print = new FunctionTool({
    name: 'print',
    description: 'Prints.',
    parameters: { type: 'object', properties: {} },
    run: () => ({ ticket: 7 }),
  });
  const model = new ScriptedModel(callsTool('print'), says('Printed.'));
  const clerk = defineAgent({
    name: 'clerk',
    description: '',
    tools: [withOptions(print, { longRunning: true })],
    model,
  });
  await using runner = await createRunner(clerk);

  const { status, pending } = await runner.run({ userId: 'ada', message: 'Print.' });
  const [request] = pending;
  if (request === undefined) throw new Error('Nothing is pending.');

  expect([status, request.kind]).toEqual(['paused', 'result']);
  const declared = JSON.stringify(model.requests[0]?.config.tools);
  expect(declared).toContain('Do not call this tool again');
  expect((await runner.supply(request, { pages: 3 })).text).toBe('Printed.');
});
