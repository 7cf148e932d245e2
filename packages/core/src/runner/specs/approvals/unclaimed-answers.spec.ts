import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { functionResponsesOf } from '../../../events/content-parts.js';
import { OUTCOME_UNKNOWN } from '../../../gates/outcome.js';
import { AGAIN_REASONS } from '../../../events/asked-again.js';
import {
  agent,
  agentTool,
  BaseAgent,
  type Content,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  ParallelAgent,
  Plugin,
  type Runner,
  SessionService,
  type ToolContext,
} from '../../../index.js';

describe('an answer to a call whose agent is gone', () => {
  it('is refused before it is stored, and can be given when the agent is back', async () => {
    const store = new InMemorySessionService();
    const before = await start(
      store,
      true,
      callsTool('transfer_to_agent', { agent_name: 'billing' }),
      callsTool('refund', {}, 'c1'),
      says('Refunded.'),
    );
    await eventsOf(before.runner.run({ sessionId: 's1', message: 'Refund.' }));
    const [request] = await before.runner.pending({ sessionId: 's1' });
    if (request === undefined) throw new Error('nothing is pending');
    const after = await start(store, false);
    const { length } = await storedEvents(store);

    await expect(eventsOf(after.runner.approve(request))).rejects.toMatchObject({
      code: 'AGENT_TREE_CHANGED',
      message: expect.stringContaining(
        `The request "${request.id}" was made by the agent "desk/billing"`,
      ) as unknown,
    });
    expect((await storedEvents(store)).length).toBe(length);
    expect(await after.runner.pending({ sessionId: 's1' })).toEqual([request]);

    const events = await eventsOf(before.runner.approve(request));
    expect([events.at(-1)?.text, before.ran]).toEqual(['Refunded.', ['refund']]);
  });

  it('may be a refusal, which has the call answered under the name of that agent', async () => {
    const store = new InMemorySessionService();
    const before = await start(
      store,
      true,
      callsTool('transfer_to_agent', { agent_name: 'billing' }),
      callsTool('refund', {}, 'c1'),
    );
    await eventsOf(before.runner.run({ sessionId: 's1', message: 'Refund.' }));
    const [request] = await before.runner.pending({ sessionId: 's1' });
    if (request === undefined) throw new Error('nothing is pending');
    const after = await start(store, false, says('Billing is closed.'), says('Hello.'));

    const events = await eventsOf(after.runner.reject(request));

    expect(events.map(({ author, text, content }) => [author, text || content?.parts])).toEqual([
      ['desk', 'Billing is closed.'],
      ['billing', [{ functionResponse: { id: 'c1', name: 'refund', response: NOT_RUN } }]],
    ]);
    expect(before.ran).toEqual([]);
    expect((await storedEvents(store)).at(-1)?.functionResponses).toHaveLength(1);
    const next = await eventsOf(after.runner.run({ sessionId: 's1', message: 'Hello?' }));
    expect(next.map(({ text }) => text)).toEqual(['Hello.']);
  });
});

describe('an approval of a call whose composite does not invoke its agent any more', () => {
  it('fails the run, and is asked for again under another id', async () => {
    const store = new InMemorySessionService();
    const before = await composed(
      store,
      { runsBilling: true, confirm: true },
      callsTool('refund', {}, 'c1'),
      says('Refunded.'),
    );
    const { pending } = await before.run({ sessionId: 's1', message: 'Refund.' });
    const after = await composed(store, { runsBilling: false, confirm: true });

    const failed = await eventsOf(after.approve(pending[0]!));

    expect(failed.map(({ errorCode }) => errorCode)).toContain('AGENT_TREE_CHANGED');
    const [again, ...others] = await before.pending({ sessionId: 's1' });
    const { id, ...asked } = pending[0]!;
    const askedAgain = {
      reason: 'AGENT_TREE_CHANGED',
      message: AGAIN_REASONS.AGENT_TREE_CHANGED,
      request: id,
    };
    expect([others, again]).toEqual([
      [],
      {
        ...asked,
        askedAgain,
        id: again?.id,
        invocationId: again?.invocationId,
        askedAt: again?.askedAt,
      },
    ]);
    expect(again?.id).not.toBe(id);
    expect((await before.approve(again!)).text).toBe('Refunded.');
  });
});

describe('answers to several calls, where beforeRun answers in place of the agents', () => {
  it('have each call of parallel agents answered where its agent sees it', async () => {
    const models = { one: payingModel('pay_one'), two: payingModel('pay_two') };
    const clerks = Object.entries(models).map(([name, model]) =>
      defineAgent({ name, model, tools: [confirmed(`pay_${name}`)] }),
    );
    @agent({ name: 'desk', description: '', subAgents: clerks })
    class Desk extends ParallelAgent {}
    const closing = new Closing();
    await using runner = await createRunner(Desk, { plugins: [closing] });
    const { pending } = await runner.run({ sessionId: 's1', message: 'Pay.' });
    closing.isClosed = true;
    const parts = pending.map(({ id }) => ({
      functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } },
    }));

    const { events } = await runner.run({ sessionId: 's1', message: { role: 'user', parts } });

    const answered = events.filter(({ functionResponses }) => functionResponses.length > 0);
    expect(
      answered.map(({ author, functionResponses: [one, ...others] }) => [author, one?.name, others]),
    ).toEqual([
      ['one', 'pay_one', []],
      ['two', 'pay_two', []],
    ]);
    closing.isClosed = false;
    await runner.run({ sessionId: 's1', message: 'Is it paid?' });
    for (const model of Object.values(models)) expect(responsesRead(model)).toEqual([NOT_RUN]);
  });

  it('have the call of an agent that is a tool answered, too, where its caller sees it', async () => {
    const Helper = defineAgent({
      name: 'helper',
      tools: [confirmed('pay')],
      model: new ScriptedModel(callsTool('pay', {}, 'c1')),
    });
    const model = new ScriptedModel(callsTool('helper', { request: 'Pay.' }, 'h1'), says('I know.'));
    const closing = new Closing();
    const Desk = defineAgent({ name: 'desk', tools: [agentTool(Helper)], model });
    await using runner = await createRunner(Desk, { plugins: [closing] });
    const { pending } = await runner.run({ sessionId: 's1', message: 'Pay.' });
    closing.isClosed = true;

    const { events } = await runner.approve(pending[0]!);

    const answered = events.filter(({ functionResponses }) => functionResponses.length > 0);
    expect(answered.map(({ author, functionResponses: [one] }) => [author, one?.name])).toEqual([
      ['helper', 'pay'],
      ['desk', 'helper'],
    ]);
    closing.isClosed = false;
    await runner.run({ sessionId: 's1', message: 'Is it paid?' });
    expect(responsesRead(model)).toEqual([NOT_RUN]);
  });
});

describe('an answer about the result of a call, where beforeRun answers in place of the agent', () => {
  it('has the call answered with an unknown outcome, because its tool has run', async () => {
    const ran: string[] = [];
    const pay = new FunctionTool({ name: 'pay', description: '', run: () => ran.push('paid') });
    const model = new ScriptedModel(callsTool('pay', {}, 'c1'), says('I know.'));
    const closing = new Closing();
    const Desk = defineAgent({ name: 'desk', tools: [pay], model });
    await using runner = await createRunner(Desk, { plugins: [new ShowsResults(), closing] });
    const { pending } = await runner.run({ sessionId: 's1', message: 'Pay.' });
    closing.isClosed = true;

    await runner.approve(pending[0]!);

    closing.isClosed = false;
    await runner.run({ sessionId: 's1', message: 'Is it paid?' });
    expect([ran, responsesRead(model)]).toEqual([['paid'], [OUTCOME_UNKNOWN]]);
  });
});

function payingModel(tool: string): ScriptedModel {
  return new ScriptedModel(callsTool(tool), says('I know.'));
}

function confirmed(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', confirm: true, run: () => 'paid' });
}

/** The responses in the last request to the model. */
function responsesRead({ requests }: ScriptedModel): unknown[] {
  return (
    requests
      .at(-1)
      ?.contents.flatMap((content) => functionResponsesOf(content))
      .map(({ response }) => response) ?? []
  );
}

describe('an interrupted call whose agent is not run again', () => {
  it('is answered with an unknown outcome, because it may have taken effect', async () => {
    const store = new InMemorySessionService();
    const before = await composed(store, { runsBilling: true }, callsTool('refund', {}, 'c1'));
    for await (const { functionCalls } of before.run({ sessionId: 's1', message: 'Refund.' }))
      if (functionCalls.length > 0) break;
    const after = await composed(store, { runsBilling: false });

    const events = await eventsOf(after.run({ sessionId: 's1', message: 'Well?' }));

    const { author, functionResponses } = events.at(-1) as Event;
    expect([author, functionResponses[0]?.response]).toEqual(['billing', OUTCOME_UNKNOWN]);
  });
});

class Closing extends Plugin {
  readonly name = 'closing';
  isClosed = false;

  override beforeRun(): Content | undefined {
    return this.isClosed ? { role: 'model', parts: [{ text: 'We are closed.' }] } : undefined;
  }
}

/** Asks a person before the model reads a result. */
class ShowsResults extends Plugin {
  readonly name = 'shows results';

  override afterTool(_tool: unknown, _args: unknown, _result: unknown, context: ToolContext): void {
    if (!context.confirmation) context.requestConfirmation({ hint: 'May the model read it?' });
  }
}

/** A runner of a composite that runs its agent, or does not; its tool may run twice. */
async function composed(
  store: SessionService,
  { runsBilling, confirm = false }: { readonly runsBilling: boolean; readonly confirm?: boolean },
  ...steps: readonly ScriptedStep[]
): Promise<Runner> {
  const refund = new FunctionTool({
    name: 'refund',
    description: '',
    confirm,
    idempotent: true,
    run: () => 'refunded',
  });
  const Billing = defineAgent({ name: 'billing', tools: [refund], model: new ScriptedModel(...steps) });
  @agent({ name: 'desk', description: '', subAgents: [Billing] })
  class Desk extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      if (runsBilling) yield* context.invoke(Billing);
    }
  }
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
    }),
  ];
  return createRunner(Desk, { modules });
}

const NOT_RUN = { error: 'The call was not run: the agent that made it did not continue.' };

async function start(
  store: SessionService,
  hasBilling: boolean,
  ...steps: readonly ScriptedStep[]
): Promise<{ runner: Runner; ran: string[] }> {
  const ran: string[] = [];
  const refund = new FunctionTool({
    name: 'refund',
    description: '',
    confirm: true,
    run: () => ran.push('refund'),
  });
  const Billing = defineAgent({ name: 'billing', tools: [refund] });
  const Desk = defineAgent({ name: 'desk', subAgents: hasBilling ? [Billing] : [] });
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(store);
    }),
  ];
  return { ran, runner: await createRunner(Desk, { model: new ScriptedModel(...steps), modules }) };
}

async function storedEvents(store: SessionService): Promise<readonly Event[]> {
  return (await store.getSession({ appName: 'desk', userId: 'user', sessionId: 's1' }))?.events ?? [];
}
