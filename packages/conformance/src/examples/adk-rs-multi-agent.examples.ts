import { agent, createRunner, LlmAgent } from 'adorn';
import { callsTool, callsTools, says, ScriptedModel } from '@adorn/testing';
import { expect } from 'expect';

import type { Example, ExampleDocument } from './example.js';
import { declaredIn, instructionIn, responsesIn, spokenIn } from './model-reads.js';

// example: coordinator and specialists
/** Greets the user warmly. */
@agent({ instruction: 'Greet the user in a friendly way.' })
class Greeter extends LlmAgent {}

/** Executes the tasks of the user step by step. */
@agent({ instruction: 'Do what the user asks for.' })
class TaskExecutor extends LlmAgent {}

/** Routes requests to specialists. */
@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Hand each request to the specialist who fits best.',
  subAgents: [Greeter, TaskExecutor],
})
class Coordinator extends LlmAgent {}
// end of example

// example: summarizer as a tool
/** Summarizes a text. */
@agent({ instruction: 'Summarize the request in three points.' })
class Summarizer extends LlmAgent {}

@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Have long texts summarized.',
  tools: [Summarizer],
})
class Analyst extends LlmAgent {}
// end of example

const ADDRESS = { userId: 'ada', sessionId: 's1' };

@agent({ name: 'coordinator', subAgents: [Greeter, TaskExecutor], disableTransfer: true })
class ClosedCoordinator extends LlmAgent {}

const coordinator: Example = {
  name: 'coordinator and specialists',
  there: 25,
  hasImports: true,
  async play(promise) {
    const model = new ScriptedModel(
      callsTool('transfer_to_agent', { agent_name: 'nobody' }),
      callsTool('transfer_to_agent', { agent_name: 'coordinator' }),
      callsTool('transfer_to_agent', { agent_name: 'greeter' }),
      callsTool('transfer_to_agent', { agent_name: 'task_executor' }),
      says('Your taxi comes.'),
    );
    await using runner = await createRunner(Coordinator, { model });
    const { events, invocationId } = await runner.run({ ...ADDRESS, message: 'Call a taxi.' });

    promise(
      'the transfer is declared with one required text, agent_name, and the specialists with their descriptions',
      () => {
        expect(declaredIn(model)).toMatchObject([
          { name: 'transfer_to_agent', parametersJsonSchema: { required: ['agent_name'] } },
        ]);
        expect(instructionIn(model)).toMatch(/greeter.*Greets the user warmly\./);
        expect(instructionIn(model)).toMatch(/task_executor.*Executes the tasks of the user step by step\./);
      },
    );
    promise(
      'an unknown agent, and the coordinator itself, are errors that the model reads; the run goes on',
      () => {
        const [unknown, itself] = responsesIn(model, 2);
        expect(JSON.stringify(unknown)).toContain('unknown agent nobody; transfer not performed');
        expect(itself).toMatchObject({ error: expect.any(String) as unknown });
      },
    );
    promise(
      'the transfer is an action of the event, and the target answers in its place, in the same invocation',
      () => {
        expect(events.flatMap(({ actions }) => actions.transferToAgent ?? [])).toEqual([
          'greeter',
          'task_executor',
        ]);
        expect(spokenIn(events)).toEqual(['task_executor: Your taxi comes.']);
        expect(new Set(events.map((event) => event.invocationId))).toEqual(new Set([invocationId]));
      },
    );
    promise('a sibling is reached, which sees the request of the user and the transfer', () => {
      const seen = JSON.stringify(model.requests[4]?.contents);
      expect(seen).toContain('Call a taxi.');
      expect(seen).toContain('transfer_to_agent');
      expect(instructionIn(model, 4)).toContain('Do what the user asks for.');
    });
    await playClosed(promise);
  },
};

const playClosed: Example['play'] = async (promise) => {
  const model = new ScriptedModel(says('I do it myself.'));
  await using runner = await createRunner(ClosedCoordinator, { model });
  await runner.run({ ...ADDRESS, message: 'Call a taxi.' });
  promise('without transfers, neither the tool nor the specialists are shown to the model', () => {
    expect(declaredIn(model)).toEqual([]);
    expect(instructionIn(model)).not.toContain('greeter');
  });
};

const summarizer: Example = {
  name: 'summarizer as a tool',
  there: 13,
  hasImports: true,
  async play(promise) {
    const model = new ScriptedModel(
      callsTools(
        { name: 'summarizer', args: { request: 'The first text.' } },
        { name: 'summarizer', args: { request: 'The second text.' } },
      ),
      ({ contents }) => says(JSON.stringify(contents).includes('first') ? 'A, B, C.' : 'D, E, F.'),
      ({ contents }) => says(JSON.stringify(contents).includes('first') ? 'A, B, C.' : 'D, E, F.'),
      says('Both in six points.'),
    );
    await using runner = await createRunner(Analyst, { model });
    const { events, text } = await runner.run({ ...ADDRESS, message: 'Two long texts.' });
    const { events: stored = [] } =
      (await runner.sessions.getSession({ appName: runner.appName, ...ADDRESS })) ?? {};

    promise(
      'the summarizer is declared under its name and description, with one required text, request',
      () => {
        expect(declaredIn(model)).toMatchObject([
          {
            name: 'summarizer',
            description: 'Summarizes a text.',
            parametersJsonSchema: { properties: { request: { type: 'string' } }, required: ['request'] },
          },
        ]);
      },
    );
    promise('the analyst stays in charge, and reads both results in the order of the calls', () => {
      expect(responsesIn(model)).toEqual([{ text: 'A, B, C.' }, { text: 'D, E, F.' }]);
      expect(text).toBe('Both in six points.');
    });
    promise('the caller gets the analyst alone; the log has the summarizer in a branch of each call', () => {
      expect(new Set(events.map(({ author }) => author))).toEqual(new Set(['analyst']));
      const branches = stored.filter(({ author }) => author === 'summarizer').map(({ branch }) => branch);
      expect(new Set(branches).size).toBe(2);
      expect(branches).not.toContain(undefined);
    });
    promise('the summarizer is driven by its request, with its own instruction', () => {
      expect(instructionIn(model, 1)).toContain('Summarize the request in three points.');
      expect(JSON.stringify(model.requests[1]?.contents)).not.toContain('Two long texts.');
    });
  },
};

export const ADK_RS_MULTI_AGENT: ExampleDocument = {
  name: '003 multi-agent',
  examples: [coordinator, summarizer],
};
