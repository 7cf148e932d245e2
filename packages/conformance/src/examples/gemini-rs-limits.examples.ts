import { setImmediate } from 'node:timers/promises';

import {
  agent,
  Clock,
  ConfirmationProvider,
  ContainerModule,
  createRunner,
  type CreateRunnerOptions,
  defineTool,
  LlmAgent,
  type Runner,
  tool,
  type ToolContext,
  withOptions,
} from 'adorn';
import { AllowAll, DenyAll, ManualClock } from '@adorn/testing';
import { expect } from 'expect';

import { quiet } from '../quiet-logger.js';
import type { Example } from './example.js';
import { LiveCall, turnWith } from './live-call.js';
import { declaredLive } from './model-reads.js';

const ran: string[] = [];

/** Ends when it is stopped. */
function search(query: string, { signal }: ToolContext): Promise<string> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      ran.push(`stopped ${query}`);
      reject(new Error('stopped'));
    });
  });
}

/** Fails for a currency that there is not. */
function fetchRate(from: string, to: string) {
  ran.push(`${from} ${to}`);
  if (to === 'XXX') throw new Error('There is no such currency.');
  return { rate: 1.1 };
}

function send(to: string): string {
  ran.push(`sent to ${to}`);
  return 'sent';
}

// example: per-tool policies
class Policies {
  /**
   * Search the knowledge base.
   *
   * @param query What is asked for.
   */
  @tool({ timeout: 10_000 })
  searchKb(query: string, context: ToolContext) {
    return search(query, context);
  }

  /**
   * Get the exchange rate.
   *
   * @param from The currency of the amount, such as `EUR`.
   * @param to The currency that is wanted, such as `USD`.
   */
  @tool({ effect: 'read', cache: true })
  getRate(from: string, to: string) {
    return fetchRate(from, to);
  }

  /**
   * Send an email to the customer.
   *
   * @param to The address.
   */
  @tool({ confirm: 'This will send a real email. Are you sure?' })
  sendEmail(to: string) {
    return send(to);
  }
}
// end of example

/**
 * Do something slow.
 *
 * @param query What is asked for.
 */
function slowTool(query: string, context: ToolContext) {
  return search(query, context);
}

const slow = defineTool(slowTool);

// example: long-running wrapper
@agent({ tools: [withOptions(slow, { longRunning: true })] })
class LongRunningDesk extends LlmAgent {}
// end of example

@agent({ name: 'desk', model: null, tools: [slow] })
class SlowDesk extends LlmAgent {}

// example: timeout, cancel, default
const openDesk = (options: CreateRunnerOptions) =>
  createRunner(SlowDesk, { config: { toolTimeout: 10_000 }, ...options });

const callWithTimeout = (runner: Runner<unknown>, query: string, toolTimeout: number) =>
  runner.call({ tool: 'slow_tool', args: { query }, config: { toolTimeout } });

const callWithCancel = (runner: Runner<unknown>, query: string, signal: AbortSignal) =>
  runner.call({ tool: 'slow_tool', args: { query }, signal });
// end of example

@agent({ name: 'desk', tools: [Policies] })
class PoliciesDesk extends LlmAgent {}

export const policies: Example = {
  name: 'per-tool policies',
  there: 20,
  differs: {
    what: 'a confirmation is asked without a provider, too, and a denied call is told to have been rejected',
    page: 'docs/coming-from/gemini-rs.md',
    words: 'A confirmation is asked whether there is a provider or not.',
  },
  async play(promise) {
    ran.splice(0);
    const clock = new ManualClock();
    await using call = await LiveCall.with(
      PoliciesDesk,
      turnWith(
        ['search_kb', 'k1', { query: 'law' }],
        ['get_rate', 'r1', { from: 'EUR', to: 'USD' }],
        ['get_rate', 'r2', { to: 'USD', from: 'EUR' }],
        ['get_rate', 'r3', { from: 'EUR', to: 'XXX' }],
        ['get_rate', 'r4', { from: 'EUR', to: 'XXX' }],
        ['send_email', 'e1', { to: 'ada' }],
      ),
      { clock },
    );
    call.session.sendText('Go on.');
    const limit = await millisecondsUntil(call.untilResponse('k1'), clock);
    await call.until(({ pending }) => pending.length > 0);
    const [request] = await call.pending();

    promise('a slow call is stopped after its ten seconds', () => {
      expect(limit / 10_000).toBeCloseTo(1, 1);
      expect(ran[0]).toBe('stopped law');
      expect(call.told['k1']).toMatchObject([
        { error: expect.stringContaining('did not answer within 10000 ms') as unknown },
      ]);
    });
    promise('equal arguments in any order have one result; an error is not cached', () => {
      expect(call.told).toMatchObject({ r1: [{ rate: 1.1 }], r2: [{ rate: 1.1 }] });
      expect(ran.slice(1, 4)).toEqual(['EUR USD', 'EUR XXX', 'EUR XXX']);
    });
    promise('the call that is to be confirmed waits with its message, and does not run', () => {
      expect(request).toMatchObject({
        kind: 'confirmation',
        hint: 'This will send a real email. Are you sure?',
      });
      expect(ran).not.toContain('sent to ada');
    });

    for (const [Provider, isSent] of [
      [AllowAll, true],
      [DenyAll, false],
    ] as const) {
      ran.splice(0);
      const modules = [
        new ContainerModule(({ bind }) => void bind(ConfirmationProvider).toConstantValue(new Provider())),
      ];
      await using other = await LiveCall.with(PoliciesDesk, turnWith(['send_email', 'e1', { to: 'ada' }]), {
        modules,
      });
      await other.talk();
      promise(
        `with a provider, the call ${isSent ? 'runs once it is approved' : 'that is denied never runs'}`,
        () => {
          expect(ran).toEqual(isSent ? ['sent to ada'] : []);
          expect(JSON.stringify(other.told['e1'])).toContain(isSent ? 'sent' : 'rejected');
        },
      );
    }
  },
};

export const longRunning: Example = {
  name: 'long-running wrapper',
  there: 3,
  async play(promise) {
    await using call = await LiveCall.with(LongRunningDesk, turnWith(['slow_tool', 's1', { query: 'law' }]));
    call.session.sendText('Go on.');
    await call.until(({ functionCalls }) => functionCalls.length > 0);
    promise('any tool is wrapped, and the model is told not to call it again while a call waits', () => {
      expect(declaredLive(call.model)).toMatchObject([
        {
          name: 'slow_tool',
          description: expect.stringMatching(/Do something slow\..*not call .*again/s) as unknown,
        },
      ]);
    });
  },
};

export const timeouts: Example = {
  name: 'timeout, cancel, default',
  there: 3,
  differs: {
    what: 'the time limit of one call holds for tools that state none of their own',
    page: 'adorn/README.md',
    words: 'of a call of a tool without its own `timeout`',
  },
  async play(promise) {
    const clock = new ManualClock();
    const modules = [quiet, new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
    await using desk = await openDesk({ modules });
    await using plain = await openDesk({ modules, config: {} });

    const limits = {
      own: await millisecondsUntil(callWithTimeout(desk, 'one', 60_000), clock),
      default: await millisecondsUntil(desk.call({ tool: 'slow_tool', args: { query: 'two' } }), clock),
      standard: await millisecondsUntil(plain.call({ tool: 'slow_tool', args: { query: 'three' } }), clock),
    };
    promise('one call has a time limit of its own', () => {
      expect(limits.own / 60_000).toBeCloseTo(1, 1);
    });
    promise('others have that of the runner, which is 30 seconds where nothing is said', () => {
      expect(limits.default / 10_000).toBeCloseTo(1, 1);
      expect(limits.standard / 30_000).toBeCloseTo(1, 1);
    });

    const cancelling = new AbortController();
    const run = callWithCancel(desk, 'four', cancelling.signal);
    void setImmediate().then(() => {
      cancelling.abort();
    });
    const { events } = await run;
    promise('a call is cancelled by its signal, which its tool gets, too', () => {
      expect(events.at(-1)?.errorCode).toBe('CANCELLED');
      expect(ran).toContain('stopped four');
    });
  },
};

/** How long it takes until this is done, by a clock that goes on in tenths of a second. */
async function millisecondsUntil(done: PromiseLike<unknown>, clock: ManualClock): Promise<number> {
  const [begun, over] = [clock.now(), { is: false }];
  const ended = done.then(() => (over.is = true));
  while (!over.is) {
    await setImmediate();
    await clock.advance(100);
  }
  await ended;
  return Math.round((clock.now() - begun) * 1_000);
}
