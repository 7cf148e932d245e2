import { callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  createRunner,
  type Event,
  LlmAgent,
  type Part,
  type Runner,
  tool,
  type ToolContext,
} from '../../../index.js';

describe('a batch of calls of which two have to be confirmed', () => {
  it('runs the others at once, each approved one at once, and asks the model when all are answered', async () => {
    const { runner, ran, model } = await start(
      callsTools(
        { id: 'c1', name: 'refund', args: { cents: 900 } },
        { id: 'c2', name: 'look', args: {} },
        { id: 'c3', name: 'refund', args: { cents: 800 } },
      ),
      says('Both done.'),
    );
    await say(runner, 'Refund both.');
    const [first, second] = await runner.pending(address);
    expect([first?.hint, second?.hint]).toEqual(['Refund 900 cents?', 'Refund 800 cents?']);

    if (second !== undefined) await eventsOf(runner.approve(second));
    expect(ran).toMatchObject([{ cents: 800 }]);
    expect(model.requests).toHaveLength(1);
    expect(await runner.pending(address)).toEqual([first]);

    const events = first === undefined ? [] : await eventsOf(runner.reject(first));
    expect(events.at(-1)?.text).toBe('Both done.');
    expect(ran).toHaveLength(1);
    expect(model.requests[1]?.contents.at(-1)?.parts).toEqual([
      {
        functionResponse: {
          id: 'c1',
          name: 'refund',
          response: { error: 'tool call was rejected by the user' },
        },
      },
      { functionResponse: { id: 'c2', name: 'look', response: { result: 'fine' } } },
      { functionResponse: { id: 'c3', name: 'refund', response: { result: 'refunded 800' } } },
    ]);
  });

  it('is paused, with what is still to be answered, until both are', async () => {
    const { runner } = await start(
      callsTools(
        { id: 'c1', name: 'refund', args: { cents: 900 } },
        { id: 'c3', name: 'refund', args: { cents: 800 } },
      ),
      says('Both done.'),
    );
    const asked = await runner.run({ ...address, message: 'Refund both.' });
    const [first, second] = asked.pending;
    if (first === undefined || second === undefined) throw new Error('Nothing is pending.');

    const halfway = await runner.approve(first);
    const done = await runner.approve(second);

    expect([halfway.status, halfway.pending]).toEqual(['paused', [second]]);
    expect([done.status, done.text, done.pending]).toEqual(['answered', 'Both done.', []]);
  });

  it('takes both answers in one message', async () => {
    const { runner, ran } = await start(
      callsTools(
        { id: 'c1', name: 'refund', args: { cents: 900 } },
        { id: 'c3', name: 'refund', args: { cents: 800 } },
      ),
      says('Both done.'),
    );
    await say(runner, 'Refund both.');
    const requests = await runner.pending(address);

    const events = await eventsOf(runner.run({ ...address, message: yesTo(...requests) }));

    expect(ran).toMatchObject([{ cents: 900 }, { cents: 800 }]);
    expect(events.at(-1)?.text).toBe('Both done.');
  });
});

describe('approvals of calls of two answers', () => {
  it('do not ask the model while another call of either answer waits', async () => {
    const { runner, ran, model } = await start(
      callsTools(
        { id: 'c1', name: 'refund', args: { cents: 900 } },
        { id: 'c2', name: 'refund', args: { cents: 800 } },
      ),
      callsTools({ id: 'c3', name: 'refund', args: { cents: 700 } }),
      says('All done.'),
    );
    await say(runner, 'Refund both.');
    await say(runner, 'And this one.');
    const [first, second, third] = await runner.pending(address);

    await eventsOf(runner.run({ ...address, message: yesTo(first, third) }));
    expect(ran).toMatchObject([{ cents: 900 }, { cents: 700 }]);
    expect(model.requests).toHaveLength(2);

    const rest = await eventsOf(runner.run({ ...address, message: yesTo(second) }));
    expect(rest.at(-1)?.text).toBe('All done.');
  });
});

const ASK = 'adk_request_confirmation';
const address = { userId: 'ada', sessionId: 's1' };
const cents = { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] };

async function start(...steps: readonly ScriptedStep[]) {
  const ran: unknown[] = [];
  class Orders {
    @tool({ parameters: cents, confirm: (args) => args.cents > 500 && `Refund ${String(args.cents)} cents?` })
    refund(args: { cents: number }, { confirmation }: ToolContext): string {
      ran.push({ ...args, confirmation });
      return `refunded ${String(args.cents)}`;
    }

    @tool({ parameters: { type: 'object' } })
    look(): string {
      return 'fine';
    }
  }
  @agent({ description: '', tools: [Orders] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  return { ran, model, runner: await createRunner(Clerk, { model }) };
}

function yesTo(...requests: readonly ({ readonly id: string } | undefined)[]): Part[] {
  return requests.map((request) => ({
    functionResponse: { id: request?.id ?? '', name: ASK, response: { confirmed: true } },
  }));
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}
