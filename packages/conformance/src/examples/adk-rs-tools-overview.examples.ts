import { agent, createRunner, exitLoop, LlmAgent, LoopAgent, transferToAgent } from 'adorn';
import { openApiToolset } from '@adorn/openapi';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { expect } from 'expect';

import type { Example, ExampleDocument } from './example.js';
import { declaredIn, responsesIn, spokenIn } from './model-reads.js';

const WEATHER_API = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  servers: [{ url: 'https://weather.example' }],
  paths: {
    '/forecast': {
      get: {
        operationId: 'getForecast',
        summary: 'The forecast of a city.',
        parameters: [{ name: 'city', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The forecast.' } },
      },
    },
  },
};

// example: orchestrator
/** Coordinates the team. */
@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Give each task to whom it belongs, and exit when all are done.',
  tools: [transferToAgent(), exitLoop(), openApiToolset(WEATHER_API)],
})
class Orchestrator extends LlmAgent {}
// end of example

const ADDRESS = { userId: 'ada', sessionId: 's1' };

/** Writes reports. */
@agent({})
class Reporter extends LlmAgent {}

/** A team whose orchestrator has no sub-agents of its own. */
@agent({ subAgents: [Orchestrator, Reporter] })
class Team extends LlmAgent {}

@agent({ subAgents: [Orchestrator], maxIterations: 5 })
class Rounds extends LoopAgent {}

const orchestrator: Example = {
  name: 'orchestrator',
  there: 9,
  hasImports: true,
  async play(promise) {
    const model = new ScriptedModel(
      callsTool('transfer_to_agent', { agent_name: 'orchestrator' }),
      callsTool('transfer_to_agent', { agent_name: 'nobody' }),
      callsTool('transfer_to_agent', { agent_name: 'reporter' }),
      says('The report is written.'),
    );
    await using team = await createRunner(Team, { model });
    const { events } = await team.run({ ...ADDRESS, message: 'Have a report written.' });

    promise(
      'the tools are declared: transfer with one required text, the exit without parameters, one per operation',
      () => {
        const declared = declaredIn(model, 1);
        expect(declared.map(({ name }) => name)).toEqual(['transfer_to_agent', 'exit_loop', 'get_forecast']);
        expect(declared[0]?.parametersJsonSchema).toMatchObject({
          properties: { agent_name: { type: 'string' } },
          required: ['agent_name'],
        });
        expect(declared[1]?.parametersJsonSchema?.['required'] ?? []).toEqual([]);
        expect(declared[2]).toMatchObject({
          description: 'The forecast of a city.',
          parametersJsonSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
        });
      },
    );
    promise('an unknown agent is an error that the model reads, and the run goes on', () => {
      expect(responsesIn(model, 2).at(-1)).toMatchObject({
        error: expect.stringContaining('unknown agent nobody; transfer not performed') as unknown,
      });
    });
    promise('the named agent gives the rest of the answer', () => {
      expect(spokenIn(events)).toEqual(['reporter: The report is written.']);
      expect(events.flatMap(({ actions }) => actions.transferToAgent ?? [])).toEqual([
        'orchestrator',
        'reporter',
      ]);
    });
    await playExit(promise);
  },
};

const playExit: Example['play'] = async (promise) => {
  const model = new ScriptedModel(says('One.'), callsTool('exit_loop'));
  await using rounds = await createRunner(Rounds, { model });
  const { events } = await rounds.run({ ...ADDRESS, message: 'Go.' });
  promise('the exit escalates, and the loop around the agent ends: no model is asked again', () => {
    expect(model.requests).toHaveLength(2);
    expect(events.at(-1)?.actions.escalate).toBe(true);
  });
};

export const ADK_RS_TOOLS_OVERVIEW: ExampleDocument = {
  name: '001 tools overview',
  examples: [orchestrator],
};
