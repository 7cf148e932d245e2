import 'reflect-metadata';

import { Container } from 'inversify';

import type { Bench, Scenario } from '../../adapter.js';
import { reportWeather } from '../../weather-report.js';
import { LlmAgent } from './llm-agent.js';
import { Runner } from './runner.js';
import { ScriptedModel } from './scripted-model.js';
import { agentTool } from './agent-tool.js';
import { type Session, Sessions } from './sessions.js';
import { type Tool, validatorOf } from './tool.js';

export const handsOff = true;
export const nestsAgents = true;

/**
 * The second floor: every layer of Adorn's design (runner, agent, turn loop, model port, dispatcher with four
 * gates, Ajv, events, session service) and not one feature. What Adorn costs above it is what its features cost.
 */
export function setup(scenario: Scenario): Promise<Bench> {
  const sessions = new Sessions();
  const runner = new Runner(rootAgent(scenario), sessions, new Container());
  let made = 0;
  const bench: Bench<Session> = {
    newSession: () => Promise.resolve(sessions.create(`s${String(made++)}`)),
    dropSession: (session) => {
      sessions.drop(session);
    },
    eventCount: ({ events }) => Promise.resolve(events.length),
    turn: (session, text, onChunk) => runTurn(runner, session, text, scenario.kind === 'E', onChunk),
    close: () => Promise.resolve(),
  };
  return Promise.resolve(bench);
}

function rootAgent({ kind, delayMs }: Scenario): LlmAgent {
  if (kind === 'G')
    return nestedAgent('root', delayMs, [
      agentTool(nestedAgent('middle', delayMs, [agentTool(nestedAgent('leaf', delayMs, []))])),
    ]);
  return new LlmAgent({
    name: 'root',
    instruction: 'You are a helpful weather agent.',
    model: new ScriptedModel(kind, delayMs, 'root'),
    tools: kind === 'F' ? [weatherTool(), transferTool()] : [weatherTool()],
    subAgents: kind === 'F' ? [subAgent({ kind, delayMs })] : [],
  });
}

function subAgent({ kind, delayMs }: Scenario): LlmAgent {
  const model = new ScriptedModel(kind, delayMs, 'sub');
  return new LlmAgent({ name: 'sub', instruction: 'Answer.', tools: [], model });
}

/** An agent of kind G: below it, agents that are tools. */
function nestedAgent(name: 'root' | 'middle' | 'leaf', delayMs: number, tools: readonly Tool[]): LlmAgent {
  return new LlmAgent({ name, instruction: 'Answer.', model: new ScriptedModel('G', delayMs, name), tools });
}

function weatherTool(): Tool {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, units: { enum: ['c', 'f'] } },
    required: ['city', 'units'],
    additionalProperties: false,
  };
  return {
    name: 'get_weather',
    declaration: { name: 'get_weather', description: 'Weather', parametersJsonSchema: schema },
    validate: validatorOf(schema),
    run: async ({ city, units }) => reportWeather(city, units),
  };
}

function transferTool(): Tool {
  const properties = { agent_name: { type: 'string' } };
  return {
    name: 'transfer_to_agent',
    declaration: { name: 'transfer_to_agent' },
    validate: validatorOf({ type: 'object', properties, required: ['agent_name'] }),
    run: ({ agent_name: name }, context) => {
      (context.actions ??= {}).transferToAgent = String(name);
      return Promise.resolve({});
    },
  };
}

async function runTurn(
  runner: Runner,
  session: Session,
  text: string,
  stream: boolean,
  onChunk?: (text: string) => void,
): Promise<string> {
  let answer = '';
  for await (const event of runner.run(session, text, stream)) {
    const said = event.content.parts[0]?.text;
    if (event.partial === true) onChunk?.(said ?? '');
    else if (said !== undefined && event.author !== 'user') answer = said;
  }
  return answer;
}
