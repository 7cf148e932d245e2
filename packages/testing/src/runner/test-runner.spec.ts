import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, connect, type Server, Socket } from 'node:net';
import dns from 'node:dns';

import {
  agent,
  ContainerModule,
  defineAgent,
  defineTool,
  inject,
  LlmAgent,
  Logger,
  SessionService,
  tool,
} from 'adorn';
import { InMemorySessionService } from '@adorn/core';

import '../jest.js';
import { ManualClock } from '../manual.clock.js';
import { callsTool, callsTools, says } from '../scripted/scripted-step.js';
import { ScriptedModel } from '../scripted/scripted.model.js';
import { override, testRunner } from './index.js';

abstract class Shop {
  abstract refund(order: string): Promise<string>;
}

class Refunds {
  constructor(@inject(Shop) private readonly shop: Shop) {}

  /** Refund an order. @param order Its number. */
  @tool({ confirm: (order) => order.startsWith('B-') && `Refund ${order}?` })
  async refund(order: string): Promise<string> {
    return await this.shop.refund(order);
  }
}

@agent({ model: 'gemini-2.5-flash', description: 'Refunds.', tools: [Refunds] })
class Desk extends LlmAgent {}

const NOTHING = { type: 'object', properties: {} } as const;

const refund = jest.fn((order: string) => Promise.resolve(`${order} refunded`));
const shop = override(Shop, { refund });

beforeEach(() => refund.mockClear());

describe('testRunner', () => {
  it('plays a script against an agent, with a fake in the place of a service', async () => {
    await using runner = await testRunner(Desk, {
      model: [callsTool('refund', { order: 'A-17' }), says('Done.')],
      overrides: [shop],
    });

    const result = await runner.run({ message: 'Refund A-17' });

    expect(result).toHaveCalledTool('refund', { order: 'A-17' });
    expect(result.text).toBe('Done.');
    expect(refund).toHaveBeenCalledWith('A-17');
  });

  it('answers offline without a script', async () => {
    await using runner = await testRunner(Desk, { overrides: [shop] });

    expect(await runner.ask('refund the order A-17')).toContain('A-17 refunded');
  });

  it('goes before what the modules of the application bind, and keeps their stores out', async () => {
    const sessions = new InMemorySessionService();
    const own = { refund: () => Promise.reject(new Error('This is the real shop.')) };
    const module = new ContainerModule(({ bind }) => {
      bind(Shop).toConstantValue(own);
      bind(SessionService).toConstantValue(sessions);
    });
    const script = [callsTool('refund', { order: 'A-17' }), says('Done.')];
    await using runner = await testRunner(Desk, { model: script, modules: [module], overrides: [shop] });

    const { appName, userId, sessionId } = await runner.run({ message: 'Refund A-17' });

    expect(refund).toHaveBeenCalled();
    expect(await sessions.getSession({ appName, userId, sessionId })).toBeUndefined();
    expect(await runner.sessions.getSession({ appName, userId, sessionId })).toBeDefined();
  });

  it('takes a store of the test as an override', async () => {
    const sessions = new InMemorySessionService();
    await using runner = await testRunner(Desk, {
      model: [says('Hello.')],
      overrides: [shop, override(SessionService, sessions)],
    });

    const { appName, userId, sessionId } = await runner.run({ message: 'Hello' });

    expect(await sessions.getSession({ appName, userId, sessionId })).toBeDefined();
  });

  it('overrides a class of tools by an instance', async () => {
    const refunds = new Refunds({ refund: () => Promise.resolve('by the instance') });
    await using runner = await testRunner(Desk, {
      model: [callsTool('refund', { order: 'A-17' }), says('Done.')],
      overrides: [shop, override(Refunds, refunds)],
    });

    expect(await runner.run({ message: 'Refund A-17' })).toEmit({
      functionResponses: [expect.objectContaining({ response: { result: 'by the instance' } })],
    });
  });

  it.each([
    ['a misspelt option', { overides: [] }, 'there is no option overides. Did you mean overrides?'],
    ['a model by name', { model: 'gemini-2.5-flash' }, 'Pass a script such as'],
    ['overrides that are none', { overrides: [Shop] }, 'Pass a list such as [override(Shop, { refund })].'],
    ['a host that is no list', { network: 'localhost' }, "Pass a list of hosts such as ['127.0.0.1']"],
    ['a clock of another kind', { clock: new Date() }, 'Pass a ManualClock.'],
    ['modules that are no list', { modules: 5 }, 'Pass a list.'],
  ])('refuses %s', async (_what, options, words) => {
    await expect(testRunner(Desk, options as never)).rejects.toThrow(words);
  });
});

describe('the clock of a test runner', () => {
  const slow = defineTool({
    name: 'slow',
    description: 'Fails at first.',
    parameters: NOTHING,
    retry: { attempts: 2, delayMs: 3_600_000, maxDelayMs: 3_600_000 },
    effect: 'read',
    run: (() => {
      let attempt = 0;
      return () => {
        if (attempt++ === 0) throw new Error('Not yet.');
        return 'Now.';
      };
    })(),
  });

  it('is set forward by a test, and goes on by itself', async () => {
    await using runner = await testRunner(
      defineAgent({ name: 'waiter', description: 'Waits.', tools: [slow] }),
      {
        model: [callsTool('slow'), says('Done.')],
      },
    );
    const started = runner.clock.now();
    const run = runner.run({ message: 'Wait' });
    const ended = run.then(({ text }) => text);
    while (runner.clock.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 1));

    await runner.clock.advance(2 * 3_600_000);

    expect(await ended).toBe('Done.');
    expect(runner.clock.now() - started).toBeGreaterThanOrEqual(7_200);
    expect(runner.clock.now() - started).toBeLessThan(7_260);
  });

  it('stands where the test gives one that stands', async () => {
    const clock = new ManualClock(1_000);
    await using runner = await testRunner(Desk, { model: [says('Hello.')], overrides: [shop], clock });

    const { events } = await runner.run({ message: 'Hello' });

    expect(events.map(({ timestamp }) => timestamp)).toEqual([1_000]);
  });
});

describe('the network of a test runner', () => {
  let server: Server;
  let port = 0;

  beforeAll(async () => {
    server = createHttpServer((_request, response) => response.end('open'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => server.close());

  const WAYS: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['fetch', () => fetch(`http://127.0.0.1:${String(port)}/`).then((answer) => answer.text())],
    ['node:http', () => viaHttp({ port, host: '127.0.0.1' })],
    ['net.connect', () => viaSocket(() => connect(port, '127.0.0.1'))],
    ['net.connect of options', () => viaSocket(() => connect({ port }))],
    ['a new Socket', () => viaSocket(() => new Socket().connect(port))],
  ];

  it.each(WAYS)('lets nothing connect by %s, says where to, and how it is allowed', async (_name, reach) => {
    const failure = await reached(reach, {});

    expect(failure).toMatchObject({
      code: 'NETWORK_BLOCKED',
      message: expect.stringMatching(
        /^A test must not connect to (127\.0\.0\.1|localhost):\d+\. Override the service that connects, or allow it by testRunner\(Agent, \{ network: \['(127\.0\.0\.1|localhost)'\] \}\)\.$/,
      ),
    });
  });

  it.each(WAYS)('lets %s connect to a host that the test names', async (_name, reach) => {
    expect(await reached(reach, { network: ['localhost'] })).toBeUndefined();
    expect(await reached(reach, { network: [`127.0.0.1:${String(port)}`] })).toBeUndefined();
    expect(await reached(reach, { network: true })).toBeUndefined();
    expect(await reached(reach, { network: ['127.0.0.1:1', 'api.example.com'] })).toBeDefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'lookup',
      () =>
        new Promise((resolve, reject) =>
          dns.lookup('shop.example', (error) => (error ? reject(error) : resolve(''))),
        ),
    ],
    [
      'resolve4',
      () =>
        new Promise((resolve, reject) =>
          dns.resolve4('shop.example', (error) => (error ? reject(error) : resolve(''))),
        ),
    ],
    ['promises.lookup', () => dns.promises.lookup('shop.example')],
    ['a Resolver', () => new dns.promises.Resolver().resolveMx('shop.example')],
    ['fetch by name', () => fetch('https://shop.example/')],
  ])('asks no name server by %s', async (_name, reach) => {
    expect(await reached(reach, {})).toMatchObject({
      code: 'NETWORK_BLOCKED',
      message: expect.stringContaining('shop.example'),
    });
  });

  it('lets an address be looked up, which asks nobody', async () => {
    expect(await reached(() => dns.promises.lookup('127.0.0.1'), {})).toBeUndefined();
  });

  it('blocks a socket of the file system by its path', async () => {
    const failure = await reached(() => viaSocket(() => connect('/run/none.sock')), {});

    expect(failure).toMatchObject({
      code: 'NETWORK_BLOCKED',
      message: expect.stringContaining('/run/none.sock'),
    });
  });

  it('logs what it has blocked, since a model is told nothing of it', async () => {
    const warn = jest.fn();
    const logger = override(Logger, { debug: jest.fn(), info: jest.fn(), warn, error: jest.fn() });

    await reached(() => fetch('https://shop.example/'), { overrides: [logger] });

    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining('A test must not connect to shop.example:443.'),
      expect.objectContaining({ code: 'NETWORK_BLOCKED' }),
    );
  });

  it('has a fetch of its own for runs, which may ask the one behind it', async () => {
    const fake = jest.fn((input: string) =>
      input === 'https://shop.example/' ? Promise.resolve(new Response('fake')) : fetch(input),
    );
    const answers: string[] = [];
    const ask = (at: string) => async () => answers.push(await (await fetch(at)).text());

    expect(await reached(ask('https://shop.example/'), { fetch: fake })).toBeUndefined();
    expect(await reached(ask('https://other.example/'), { fetch: fake })).toMatchObject({
      code: 'NETWORK_BLOCKED',
    });
    const open = { fetch: fake, network: ['localhost'] };
    expect(await reached(ask(`http://127.0.0.1:${String(port)}/`), open)).toBeUndefined();

    expect(answers).toEqual(['fake', 'open']);
  });

  it('leaves the test itself, and a runner beside it, as they are', async () => {
    await using closed = await testRunner(reacher(WAYS[0]![1]), {
      model: [callsTool('reach'), says('Done.')],
    });
    const open = reached(WAYS[0]![1], { network: true });
    const [, failure] = await Promise.all([closed.run({ message: 'Reach' }), open]);

    expect(failure).toBeUndefined();
    expect(await WAYS[0]![1]()).toBe('open');
  });

  it('restores the functions of Node.js when the last runner is closed', async () => {
    const [connectBefore, lookupBefore] = [
      Reflect.get(Socket.prototype, 'connect'),
      Reflect.get(dns, 'lookup'),
    ];
    const first = await testRunner(Desk, { overrides: [shop] });
    const second = await testRunner(Desk, { overrides: [shop] });
    await first.close();
    await first.close();
    expect(Reflect.get(Socket.prototype, 'connect')).not.toBe(connectBefore);

    await second.close();

    expect(Reflect.get(Socket.prototype, 'connect')).toBe(connectBefore);
    expect(Reflect.get(dns, 'lookup')).toBe(lookupBefore);
  });

  it('restores them if the runner cannot be made', async () => {
    const before: unknown = Reflect.get(Socket.prototype, 'connect');

    await expect(testRunner(Desk)).rejects.toThrow('Shop');

    expect(Reflect.get(Socket.prototype, 'connect')).toBe(before);
  });

  /** What a tool of a run fails with that tries to reach something; undefined if it reached it. */
  async function reached(reach: () => Promise<unknown>, options: object): Promise<unknown> {
    let failure: unknown;
    const tried = reacher(() => reach().catch((error: unknown) => (failure = error)));
    await using runner = await testRunner(tried, { ...options, model: [callsTool('reach'), says('Done.')] });
    await runner.run({ message: 'Reach' });
    return failure instanceof TypeError ? failure.cause : failure;
  }

  function reacher(run: () => Promise<unknown>) {
    const reach = defineTool({
      name: 'reach',
      description: 'Reaches out.',
      parameters: NOTHING,
      run: async () => String(await run()),
    });
    return defineAgent({ name: 'reacher', description: 'Reaches out.', tools: [reach] });
  }
});

describe('runner.step', () => {
  it('stands before each request and each call, and with each event', async () => {
    await using runner = await testRunner(Desk, {
      model: [callsTool('refund', { order: 'A-17' }), says('Done.')],
      overrides: [shop],
    });
    await using steps = runner.step({ message: 'Refund A-17' });

    const { contents } = await steps.toModelRequest();
    expect(contents.at(-1)?.parts?.[0]?.text).toBe('Refund A-17');

    const { tool: name, args } = await steps.toToolCall('refund');
    expect({ name, args }).toEqual({ name: 'refund', args: { order: 'A-17' } });
    expect(refund).not.toHaveBeenCalled();

    const event = await steps.toEvent();
    expect(event.functionResponses[0]?.response).toEqual({ result: 'A-17 refunded' });
    expect(refund).toHaveBeenCalledTimes(1);

    const result = await steps.toEnd();
    expect(result.text).toBe('Done.');
    expect(steps.events).toHaveLength(3);
  });

  it('stands before each of several calls at once', async () => {
    await using runner = await testRunner(Desk, {
      model: [
        callsTools({ name: 'refund', args: { order: 'A-1' } }, { name: 'refund', args: { order: 'A-2' } }),
        says('Done.'),
      ],
      overrides: [shop],
    });
    await using steps = runner.step({ message: 'Refund both' });

    const first = await steps.toToolCall();
    const second = await steps.toToolCall();

    expect([first.args, second.args]).toEqual([{ order: 'A-1' }, { order: 'A-2' }]);
    expect(refund).not.toHaveBeenCalledWith('A-2');
    expect((await steps.toEnd()).text).toBe('Done.');
    expect(refund).toHaveBeenCalledTimes(2);
  });

  it('fails with the conversation if the run ends first', async () => {
    await using runner = await testRunner(Desk, {
      model: [callsTool('refund', { order: 'B-1' }), says('Done.')],
      overrides: [shop],
    });
    await using steps = runner.step({ message: 'Refund B-1' });

    await expect(steps.toToolCall('refund')).rejects.toMatchObject({
      code: 'STEP_NOT_REACHED',
      message: [
        'The run has ended before another call of refund. Ask for what it does, or find out why it ended.',
        '',
        'The conversation:',
        '  desk calls refund({"order":"B-1"})',
        '  refund returns {"status":"pending"}',
        '  waits for confirmation of refund: Refund B-1?',
      ].join('\n'),
    });
    expect(await steps.toEnd()).toBeWaitingFor({ hint: 'Refund B-1?' });
  });

  it('has its session in common with the runner', async () => {
    await using runner = await testRunner(Desk, {
      model: [callsTool('refund', { order: 'B-1' }), says('Done.')],
      overrides: [shop],
    });
    await using steps = runner.step({ message: 'Refund B-1', sessionId: 's1' });
    const { pending } = await steps.toEnd();

    const { text } = await runner.approve(pending[0]!);

    expect(text).toBe('Done.');
    expect(refund).toHaveBeenCalledWith('B-1');
  });

  it('ends with its runner, where it stands', async () => {
    const model = new ScriptedModel(callsTool('refund', { order: 'A-17' }), says('Done.'));
    const runner = await testRunner(Desk, { model, overrides: [shop] });
    const steps = runner.step({ message: 'Refund A-17' });
    await steps.toToolCall();

    await runner.close();

    expect(model.requests).toHaveLength(1);
    await expect(Promise.resolve(runner.run({ message: 'Hello' }))).rejects.toMatchObject({
      code: 'RUNNER_CLOSED',
    });
  });
});

function viaHttp(options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        resolve(text);
      });
    })
      .on('error', reject)
      .end();
  });
}

function viaSocket(open: () => Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open();
    socket.on('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
