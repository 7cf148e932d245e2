import { callsTool, says, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  type AgentResult,
  defineAgent,
  workflow,
  FallbackAgent,
  type InvocationContext,
  RouteAgent,
} from '../../index.js';
import { Conversation, Desk, lines } from './workflow.fixture.js';

describe('RouteAgent', () => {
  it('runs the sub-agent that it chooses, and answers with it', async () => {
    const desk = new Desk();
    const [billing, support] = [desk.agent('billing'), desk.agent('support', says('Restart it.'))];
    @agent({ name: 'desk', description: '', subAgents: [billing, support] })
    class FrontDesk extends RouteAgent {
      override route({ stored }: InvocationContext) {
        return stored['topic'] === 'money' ? billing : 'support';
      }
    }
    const runner = await new Conversation(FrontDesk).open();

    expect(await runner.ask('Go.')).toBe('Restart it.');
  });

  it('keeps its choice over a pause, whatever changes meanwhile', async () => {
    const desk = new Desk();
    const billing = desk.agent(
      'billing',
      callsTool('note', { key: 'topic', value: 'other' }),
      callsTool('publish'),
      says('Paid.'),
    );
    const tree = workflow.route(
      { when: ({ stored }) => stored['topic'] === 'money', agent: billing },
      { agent: desk.agent('support') },
      { name: 'desk' },
    );
    const conversation = new Conversation(tree);
    await conversation.say('Go.', { topic: 'money' });

    const after = await conversation.approve();

    expect(lines(after)).toEqual(['desk/billing: response publish', 'desk/billing: Paid.']);
  });

  it('runs the agent of the case without a condition where no other holds', async () => {
    const desk = new Desk();
    const [money, rest] = [desk.agent('money', says('Paid.')), desk.agent('rest', says('Noted.'))];
    const runner = await new Conversation(
      workflow.route({ when: () => false, agent: money }, { agent: rest }),
    ).open();

    expect(await runner.ask('Go.')).toBe('Noted.');
    expect(money.model.requests).toEqual([]);
  });

  it('fails where no case holds', async () => {
    const desk = new Desk();
    const tree = workflow.route({ when: () => false, agent: desk.agent('never') });

    const events = await new Conversation(tree).say();

    expect(events.map(({ errorCode }) => errorCode)).toEqual(['NO_ROUTE']);
  });
});

describe('FallbackAgent', () => {
  it('runs the next where one fails: the run has answered', async () => {
    const desk = new Desk();
    const never = desk.agent('never');
    @agent({
      name: 'answers',
      description: '',
      subAgents: [desk.agent('fails'), desk.agent('b', says('B.')), never],
    })
    class Answers extends FallbackAgent {}
    const runner = await new Conversation(Answers).open();

    const { status, text, output, error, events } = await runner.run({ message: 'Go.' });

    expect([status, text, output, error]).toEqual(['answered', 'B.', 'B.', undefined]);
    expect(events[0]?.errorCode).toBeDefined();
    expect(never.model.requests).toEqual([]);
  });

  it('has the parsed output of the one that answered', async () => {
    const desk = new Desk();
    const { model } = desk.agent('m', says('{"city":"Oslo"}'));
    const city = defineAgent({
      name: 'city',
      description: '',
      model,
      outputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    });
    const seen: unknown[] = [];
    const until = ({ output }: AgentResult<unknown>) => seen.push(output) > 0;

    await new Conversation(workflow.loop(workflow.fallback(desk.agent('fails'), city), { until })).say();

    expect(seen).toEqual([{ city: 'Oslo' }]);
  });

  it('fails with the last where all fail', async () => {
    const desk = new Desk();
    const runner = await new Conversation(workflow.fallback(desk.agent('a'), desk.agent('b'))).open();

    const { status, events } = await runner.run({ message: 'Go.' });

    expect([status, events.map(({ author }) => author)]).toEqual(['failed', ['a', 'b']]);
  });

  it('fails with the error of the last where each has one of its own', async () => {
    const failing = (name: string): ScriptedStep => {
      return () => {
        throw new Error(`${name} is closed.`);
      };
    };
    const desk = new Desk();
    const tree = workflow.fallback(desk.agent('a', failing('a')), desk.agent('b', failing('b')));
    const runner = await new Conversation(tree).open();

    const { error } = await runner.run({ message: 'Go.' });

    expect(error?.message).toContain('b is closed.');
  });

  it('is answered behind another agent, and after a pause of the one that it fell back to', async () => {
    const desk = new Desk();
    const second = desk.agent('second', callsTool('publish'), says('Second.'));
    const tree = workflow.sequence(
      desk.agent('first', says('First.')),
      workflow.fallback(desk.agent('fails'), second),
    );
    const conversation = new Conversation(tree);
    await conversation.say();
    const [request] = await conversation.pending();
    const runner = await conversation.open();

    const result = await runner.approve(request!);

    expect([result.status, result.text, desk.ran]).toEqual(['answered', 'Second.', ['publish']]);
  });

  it('passes an escalation on, and runs no other', async () => {
    const desk = new Desk();
    const never = desk.agent('never');
    const tree = workflow.loop(workflow.fallback(desk.agent('exits', callsTool('exit_loop')), never), {
      maxIterations: 3,
    });

    const events = await new Conversation(tree).say();

    expect(events.at(-1)?.actions.escalate).toBe(true);
    expect(never.model.requests).toEqual([]);
  });
});
