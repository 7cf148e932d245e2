import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { agent, createRunner, type Event, FunctionTool, LlmAgent, type RunConfig } from '../index.js';

describe('a run that does not come to an end', () => {
  it('ends after maxLlmCalls, those of the agents it was handed to included', async () => {
    const { events, model } = await run(
      { maxLlmCalls: 3 },
      look,
      callsTool('transfer_to_agent', { agent_name: 'helper' }),
      look,
      says('never'),
    );

    expect(lastOf(events)).toEqual([
      'helper',
      'LLM_CALL_LIMIT',
      'invocation exhausted its budget of model calls',
      true,
    ]);
    expect(model.requests).toHaveLength(3);
  });

  it("ends after the agent's maxIterations", async () => {
    const { events, model } = await run({}, look, look, look, look, says('never'));

    expect(lastOf(events)).toEqual(['clerk', 'MAX_ITERATIONS', 'agent exhausted its iteration budget', true]);
    expect(model.requests).toHaveLength(4);
  });

  it('ends after maxInvalidCalls answers in a row, each of their calls answered', async () => {
    const { events, model } = await run(
      { maxInvalidCalls: 2 },
      callsTools({ name: 'nonesuch' }, { name: 'look', args: { at: 1 } }),
      callsTool('lok'),
    );

    expect(lastOf(events)).toEqual([
      'clerk',
      'INVALID_CALL_LIMIT',
      'the model made too many consecutive calls with an unknown tool or invalid arguments',
      true,
    ]);
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toHaveLength(3);
    expect(model.requests).toHaveLength(2);
  });

  it('begins to count invalid calls anew after one that fits', async () => {
    const { events } = await run(
      { maxInvalidCalls: 2 },
      callsTool('lok'),
      look,
      callsTool('lok'),
      says('Done.'),
    );

    expect(events.at(-1)?.text).toBe('Done.');
  });

  it('ends after maxInvalidCalls where it hands over to agents that are not there', async () => {
    const nobody = callsTool('transfer_to_agent', { agent_name: 'nobody' });
    const { events } = await run({ maxInvalidCalls: 2 }, nobody, nobody, says('never'));

    expect(events.at(-1)?.errorCode).toBe('INVALID_CALL_LIMIT');
  });

  it('goes on in the next message', async () => {
    const { runner } = await run({ maxLlmCalls: 1 }, look, says('Here I am.'));

    const events = await eventsOf(runner.run({ ...address, message: 'Hello?' }));

    expect(events.map(({ text }) => text)).toEqual(['Here I am.']);
  });
});

const address = { userId: 'ada', sessionId: 's1' };
const look = callsTool('look');

async function run(config: RunConfig, ...steps: readonly ScriptedStep[]) {
  const tools = [new FunctionTool({ name: 'look', description: '', run: () => 'fine' })];
  @agent({ description: '', tools })
  class Helper extends LlmAgent {}
  @agent({ description: '', tools, subAgents: [Helper], maxIterations: 4 })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model, config });
  return { runner, model, events: await eventsOf(runner.run({ ...address, message: 'Look.' })) };
}

function lastOf(events: readonly Event[]) {
  const { author, errorCode, errorMessage, turnComplete } = events.at(-1) ?? {};
  return [author, errorCode, errorMessage, turnComplete];
}
