/** @slow */
import {
  ContainerModule,
  createRunner,
  CredentialService,
  defineAgent,
  defineTool,
  InMemoryCredentialService,
  Logger,
  type PendingRequest,
  type Runner,
  SessionService,
  type Tool,
} from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';

import { callsTool, eventsOf, says } from '@adorn/testing';

import { QuietLogger } from '../../../core/src/gates/quiet-services.fixture.js';
import { address } from '../../../core/src/runner/specs/runs/dying-process.fixture.js';
import { RepeatingModel, VmExecutor } from './code-mode.fixture.js';
import { MortalSessionService } from '../../../core/src/agents/workflow/workflow.fixture.js';
import { codeMode, type CodeModeOptions } from './code-mode.tool.js';

/** A script, what it waits for, and what it returns in the end. */
interface Case {
  readonly name: string;
  readonly code: string;
  readonly result: unknown;
  /** The effects, if nothing dies. */
  readonly effects: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'a confirmation behind a loop',
    code: 'let sum = 0; for (const id of [1, 2]) sum += await look_up({ id }); return [sum, await pay({ id: 3 }), await look_up({ id: 4 })];',
    result: [30, 'paid 3', 40],
    effects: ['look_up 1', 'look_up 2', 'pay 3', 'look_up 4'],
  },
  {
    name: 'a credential',
    code: 'const first = await look_up({ id: 1 }); return [first, await read_mail({ id: 2 })];',
    result: [10, 'mail 2 with k-1'],
    effects: ['look_up 1', 'read_mail 2'],
  },
  {
    name: 'a credential that two calls of a time need',
    code: 'return Promise.all([read_mail({ id: 1 }), read_mail({ id: 2 }), look_up({ id: 3 })]);',
    result: ['mail 1 with k-1', 'mail 2 with k-1', 30],
    effects: ['read_mail 1', 'read_mail 2', 'look_up 3'],
  },
  {
    name: 'a tool whose result comes later',
    code: 'return [await order({ id: 1 }), await look_up({ id: 2 })];',
    result: ['delivered', 20],
    effects: ['order 1', 'look_up 2'],
  },
  {
    name: 'a background call',
    code: 'return [await report({ id: 1 }), await look_up({ id: 2 })];',
    result: ['report 1', 20],
    effects: ['report 1', 'look_up 2'],
  },
  {
    name: 'a background call beside a confirmation',
    code: 'return Promise.all([report({ id: 1 }), pay({ id: 2 })]);',
    result: ['report 1', 'paid 2'],
    effects: ['report 1', 'pay 2'],
  },
  {
    name: 'an agent that has a call confirmed',
    code: 'const { text } = await expert({ request: "Pay 7." }); return [text, await look_up({ id: 1 })];',
    result: ['It is paid.', 10],
    effects: ['pay 7', 'look_up 1'],
  },
];

describe('a script of codeMode that waits', () => {
  it.each(CASES)('goes on after $name', async ({ code, result, effects }) => {
    const world = await open(code, { idempotent: true });
    await answerAll(world.runner, eventsOf(world.runner.run({ ...address, message: 'Go.' })));

    expect(await world.lastResponse()).toMatchObject({ outcome: 'OUTCOME_OK', result });
    expect([...world.made].sort()).toEqual([...effects].sort());
  });

  it.each(CASES)(
    'has the same result wherever its process dies: $name',
    async ({ code, result, effects }) => {
      for (let writes = 1, isDead = true; isDead; writes++) {
        const world = await open(code, { idempotent: true });
        isDead = await diesAfter(writes, world);
        await goOn(world);

        const response = await world.lastResponse();
        expect([writes, response]).toMatchObject([writes, { outcome: 'OUTCOME_OK', result }]);
        expect([writes, new Set(world.made)]).toEqual([writes, new Set(effects)]);
        expect(world.made.length).toBeLessThanOrEqual(effects.length + 2);
      }
    },
  );

  it.each(CASES)('repeats no effect wherever its process dies: $name', async ({ code }) => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const world = await open(code, { idempotent: false });
      isDead = await diesAfter(writes, world);
      const next = await goOn(world);

      const effects = world.made.filter((call) => !call.startsWith('look_up'));
      expect([writes, effects]).toEqual([writes, [...new Set(effects)]]);
      expect(await next.pending(address)).toEqual([]);
      expect(await world.lastText()).toBe('Done.');
    }
  });
});

type World = Awaited<ReturnType<typeof open>>;

/** Runs the conversation in a process that dies behind a number of writes. Returns false if it has lived. */
async function diesAfter(writes: number, { sessions, runner }: World): Promise<boolean> {
  sessions.left = writes;
  return answerAll(runner, eventsOf(runner.run({ ...address, message: 'Go.' }))).then(
    () => false,
    () => true,
  );
}

/** Another process recovers what is left, and what is asked is answered. */
async function goOn({ sessions, restart }: World): Promise<Runner> {
  sessions.left = Infinity;
  const next = await restart();
  await new Promise((resolve) => setTimeout(resolve, 2));
  await answerAll(next, next.recover({ olderThan: 0 }));
  return next;
}

async function answerAll(runner: Runner, started: Promise<unknown>): Promise<void> {
  await started;
  for (let rounds = 0; rounds < 20; rounds++) {
    const [request] = await runner.pending(address);
    if (request === undefined) return;
    await eventsOf(answer(runner, request));
  }
  throw new Error('the conversation does not end');
}

function answer(runner: Runner, request: PendingRequest) {
  if (request.kind === 'credential') return runner.supply(request, 'k-1');
  if (request.kind === 'result') return runner.supply(request, 'delivered');
  return runner.approve(request);
}

async function open(code: string, traits: { readonly idempotent: boolean }) {
  const made: string[] = [];
  const sessions = new MortalSessionService();
  const credentials = new InMemoryCredentialService();
  const restart = () =>
    createRunner(clerk(toolsOf(made, traits), code), {
      config: { takeOverAfter: 0 },
      modules: [
        new ContainerModule(({ bind }) => {
          bind(SessionService).toConstantValue(sessions);
          bind(CredentialService).toConstantValue(credentials);
          bind(Logger).toConstantValue(new QuietLogger());
        }),
      ],
    });
  const runner = await restart();
  const log = async () => (await sessions.getSession({ appName: runner.appName, ...address }))?.events ?? [];
  const lastResponse = async () =>
    (await log())
      .flatMap(({ functionResponses }) => functionResponses)
      .findLast(({ name, willContinue }) => name === 'run_script' && willContinue !== true)?.response;
  const lastText = async () => (await log()).findLast(({ text }) => text !== '')?.text;
  return { sessions, runner, restart, made, lastResponse, lastText };
}

function clerk(tools: CodeModeOptions['tools'], code: string) {
  const model = new RepeatingModel(callsTool('run_script', { code }), says('Done.'));
  return defineAgent({ name: 'clerk', model, tools: [codeMode(new VmExecutor(), { tools })] });
}

function toolsOf(made: string[], { idempotent }: { readonly idempotent: boolean }) {
  const parameters = { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] };
  const named = (
    name: string,
    work: (id: number, key: string) => unknown,
    traits: Partial<FunctionToolFields> = {},
  ): Tool =>
    defineTool({
      ...{ name, description: `Does ${name}.`, parameters, idempotent, ...traits },
      run: ({ id }, { credential }) => {
        made.push(`${name} ${String(id)}`);
        return work(Number(id), credential?.type === 'apiKey' ? credential.apiKey : 'nothing');
      },
    });
  const pay = named('pay', (id) => `paid ${String(id)}`, { confirm: true });
  const expert = defineAgent({
    name: 'expert',
    description: 'Pays.',
    model: new RepeatingModel(callsTool('pay', { id: 7 }), says('It is paid.')),
    tools: [pay],
  });
  const auth = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'mail' } as const;
  return [
    named('look_up', (id) => id * 10, { idempotent: true }),
    pay,
    named('read_mail', (id, key) => `mail ${String(id)} with ${key}`, { auth }),
    named('order', () => 'ordered', { longRunning: true }),
    named('report', (id) => new Promise((resolve) => setTimeout(resolve, 3, `report ${String(id)}`)), {
      background: true,
    }),
    expert,
  ];
}
