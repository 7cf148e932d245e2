import { ContainerModule } from 'inversify';

import { callsTool, callsTools, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  type AgentClass,
  agent,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  exitLoop,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  type Runner,
  SessionService,
  workflow,
} from '../../index.js';
import { giveUp, lines } from './workflow.fixture.js';

const address = { userId: 'ada', sessionId: 's1' };

const ask = new FunctionTool({ name: 'ask', description: '', confirm: true, run: () => 'asked' });

/** A child that gives up, below a parent. */
function hierarchy(options: { readonly isKept?: boolean } = {}): AgentClass<unknown> {
  const child = defineAgent({
    name: 'child',
    description: 'A child.',
    tools: [giveUp, ask],
    disallowTransferToParent: options.isKept === true,
  });
  return defineAgent({ name: 'parent', description: '', subAgents: [child], tools: [exitLoop()] });
}

function open(root: AgentClass<unknown>, ...steps: ScriptedStep[]): Promise<Runner<unknown>> {
  return createRunner(root, { model: new ScriptedModel(...steps) });
}

const TO_CHILD = callsTool('transfer_to_agent', { agent_name: 'child' });

describe('an agent that escalates', () => {
  it.each([
    ['', {}],
    [', also where its model may not transfer there', { isKept: true }],
  ])('passes control to its parent, which answers this message and the next%s', async (_where, options) => {
    await using runner = await open(
      hierarchy(options),
      TO_CHILD,
      callsTool('give_up'),
      says('I take over.'),
      says('Next.'),
    );

    const { text, status, events } = await runner.run({ ...address, message: 'Go.' });
    const next = await runner.run({ ...address, message: 'And now?' });

    expect([status, text]).toEqual(['answered', 'I take over.']);
    expect(events.find(({ actions }) => actions.escalate)?.actions).toMatchObject({
      transferToAgent: 'parent',
    });
    expect(lines(next.events)).toEqual(['parent: Next.']);
  });

  it('passes control once the other calls of its answer are answered, in another process too', async () => {
    const sessions = new InMemorySessionService();
    const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
    const both = callsTools({ name: 'give_up', args: {} }, { name: 'ask', args: {} });
    await using before = await createRunner(hierarchy(), {
      model: new ScriptedModel(TO_CHILD, both),
      modules,
    });
    await before.run({ ...address, message: 'Go.' });
    await using after = await createRunner(hierarchy(), {
      model: new ScriptedModel(says('I take over.')),
      modules,
    });
    const [request] = await after.pending(address);

    const { events } = await after.approve(request!);

    expect(lines(events).at(-1)).toBe('parent: I take over.');
  });

  it('lets the parent of a workflow continue after it', async () => {
    const tree = workflow.sequence(hierarchy(), defineAgent({ name: 'after', description: '' }), {
      name: 'all',
    });
    await using runner = await open(
      tree,
      TO_CHILD,
      callsTool('give_up'),
      says('I take over.'),
      says('After.'),
    );

    const { events } = await runner.run({ ...address, message: 'Go.' });

    expect(lines(events).slice(-2)).toEqual(['all/parent: I take over.', 'all/after: After.']);
  });

  it('ends the loop above it, and no parent is asked', async () => {
    await using runner = await open(
      workflow.loop(hierarchy(), { name: 'again' }),
      TO_CHILD,
      callsTool('give_up'),
    );

    const { events } = await runner.run({ ...address, message: 'Go.' });

    expect(lines(events).at(-1)).toMatch(/child: response/);
  });

  it('counts as a transfer for the limit of the run', async () => {
    await using runner = await open(hierarchy(), TO_CHILD, callsTool('give_up'));

    const { events } = await runner.run({ ...address, message: 'Go.', config: { maxTransfers: 1 } });

    expect(events.at(-1)?.errorCode).toBe('TRANSFER_LIMIT');
  });
});

/** Reads `escalated` itself. */
@agent({ name: 'own', description: '', subAgents: [] })
class Own extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (const child of context.agent.subAgents) {
      const { escalated } = yield* context.invoke(child);
      if (escalated) return;
    }
  }
}

describe('exitLoop', () => {
  const quick = (): AgentClass<unknown> =>
    defineAgent({ name: 'quick', description: '', tools: [exitLoop()] });
  const after = (): AgentClass<unknown> => defineAgent({ name: 'after', description: '' });
  @agent({ name: 'custom', description: '', subAgents: [quick(), after()] })
  class Custom extends Own {}

  const roots: [what: string, root: AgentClass<unknown>, ends: boolean][] = [
    ['a lone agent', quick(), false],
    ['a sequence', workflow.sequence(quick(), after()), false],
    [
      'a sequence within a sequence',
      workflow.sequence(workflow.sequence(quick(), { name: 'in' }), after()),
      false,
    ],
    ['a parallel', workflow.sequence(workflow.parallel(quick()), after()), false],
    ['a race', workflow.sequence(workflow.race(quick()), after()), false],
    ['a fallback', workflow.sequence(workflow.fallback(quick()), after()), false],
    ['a loop', workflow.sequence(workflow.loop(quick(), { name: 'lo' }), after()), true],
    ['a sequence in a loop', workflow.loop(workflow.sequence(quick(), after()), { name: 'lo' }), true],
    ['an agent with a run of its own', Custom, true],
  ];

  it.each(roots)('in %s: ends a loop, or tells the model that there is none', async (_what, root, ends) => {
    await using runner = await open(
      root,
      ...Array.from({ length: 6 }, (_, index): ScriptedStep =>
        index === 0 ? callsTool('exit_loop') : says(`Said ${String(index)}.`),
      ),
    );

    const { events, status } = await runner.run({ ...address, message: 'Go.' });

    const [response] = events.flatMap(({ functionResponses }) => functionResponses);
    expect('error' in (response?.response ?? {})).toBe(!ends);
    expect(status).toBe('answered');
    expect(events.some(({ actions }) => actions.escalate === true)).toBe(ends);
    expect(events.some(({ author, text }) => author === 'quick' && text !== '')).toBe(!ends);
  });
});
