import { says, ScriptedModel } from '@adorn/testing';

import type { LlmAgentNode } from '../backend.js';
import {
  agent,
  type AgentClass,
  BaseAgent,
  createRunner,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  type Runner,
} from '../index.js';
import { DERIVED } from '../compiler.js';
import { agentOptionsOf } from './agent.decorator.js';

describe('@agent', () => {
  it('names an agent after its class in snake_case, bare, with brackets and with options', async () => {
    @agent
    class BareClerk extends LlmAgent {}
    @agent()
    class HTTPClerk extends LlmAgent {}
    @agent({ name: 'front-desk' })
    class NamedClerk extends LlmAgent {}
    class Unmarked extends LlmAgent {
      override instruction = 'Help.';
    }

    expect(await namesOf(BareClerk, HTTPClerk, NamedClerk, Unmarked)).toEqual([
      'bare_clerk',
      'http_clerk',
      'front-desk',
      'unmarked',
    ]);
  });

  it('names an agent as its source does where the build recorded that, because minifiers rename classes', async () => {
    @agent()
    class a extends LlmAgent {}
    Object.defineProperty(a, DERIVED, { value: { name: 'FrontDesk', tools: {} } });
    @agent()
    class b extends a {}

    expect(await namesOf(a, b)).toEqual(['front_desk', 'b']);
  });

  it('lets a subclass inherit every option but the name and the description', async () => {
    const model = new ScriptedModel();
    @agent({
      name: 'clerk',
      description: 'Serves.',
      model,
      instruction: 'Help.',
      outputKey: 'answer',
      maxIterations: 3,
    })
    class Clerk extends LlmAgent {}
    @agent({ maxIterations: 5 })
    class Senior extends Clerk {}
    class Unmarked extends Clerk {}
    @agent()
    class Late extends Unmarked {}

    const inherited = { model, instruction: 'Help.', outputKey: 'answer' };
    expect(agentOptionsOf(Senior)).toEqual({ ...inherited, maxIterations: 5, tools: [], subAgents: [] });
    expect(agentOptionsOf(Unmarked)).toMatchObject({ ...inherited, name: undefined, description: undefined });
    expect(agentOptionsOf(Late)).toEqual({ ...inherited, maxIterations: 3, tools: [], subAgents: [] });
    expect(await namesOf(Senior, Unmarked, Late)).toEqual(['senior', 'unmarked', 'late']);
  });

  it('adds the tools and sub-agents of a subclass to those it inherits, each once', async () => {
    @agent({ description: '' })
    class Billing extends LlmAgent {}
    @agent({ description: '' })
    class Delivery extends LlmAgent {}
    const [one, two] = [named('one'), named('two')];
    @agent({ description: '', tools: [one], subAgents: [Billing] })
    class Clerk extends LlmAgent {}
    @agent({ description: '', tools: [one, two], subAgents: [Delivery] })
    class Senior extends Clerk {}

    const { root } = await runnerOf(Senior);
    const base = await runnerOf(Clerk);

    expect(root.subAgents.map(({ name }) => name)).toEqual(['billing', 'delivery']);
    expect((root as LlmAgentNode).tools.names).toEqual(['one', 'two', 'transfer_to_agent']);
    expect(base.root.subAgents.map(({ name }) => name)).toEqual(['billing']);
    expect((base.root as LlmAgentNode).tools.names).toEqual(['one', 'transfer_to_agent']);
  });

  it('takes the description from the class as the build recorded it, and never from a base class', async () => {
    @agent()
    class Clerk extends LlmAgent {}
    Object.defineProperty(Clerk, DERIVED, { value: { description: 'Helps customers.', tools: {} } });
    @agent({ description: 'Helps companies.' })
    class Told extends LlmAgent {}
    Object.defineProperty(Told, DERIVED, { value: { description: 'Not this.', tools: {} } });
    @agent()
    class Silent extends Clerk {}

    const descriptions = await Promise.all(
      [Clerk, Told, Silent].map(async (target) => (await runnerOf(target)).root.description),
    );

    expect(descriptions).toEqual(['Helps customers.', 'Helps companies.', '']);
  });

  it('lets a field of the class beat the option', async () => {
    @agent({ description: '', instruction: 'By option.' })
    class Clerk extends LlmAgent {
      override instruction = 'By field.';
    }
    const model = new ScriptedModel(says('Hello.'));
    const runner = await createRunner(Clerk, { model });

    await runner.ask('Hello?');

    expect(model.requests[0]?.config.systemInstruction).toBe('By field.\n\nYour name is "clerk".');
  });
});

describe('an agent with a run of its own', () => {
  it('needs no model, and its events are stored as it yields them', async () => {
    @agent({ description: '' })
    class Echo extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        yield context.event({
          author: context.agent.name,
          content: { role: 'model', parts: [{ text: `${String(context.session.events.length)} event` }] },
        });
        yield context.event({
          author: context.agent.name,
          content: { role: 'model', parts: [{ text: `${String(context.session.events.length)} events` }] },
        });
      }
    }
    const runner = await createRunner(Echo);

    expect(await runner.ask('Hello?', { sessionId: 's1' })).toBe('2 events');
    const stored = await runner.sessions.getSession({ appName: 'echo', userId: 'user', sessionId: 's1' });
    expect(stored?.events.map(({ author, text }) => [author, text])).toEqual([
      ['user', 'Hello?'],
      ['echo', '1 event'],
      ['echo', '2 events'],
    ]);
  });
});

function named(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => undefined });
}

function runnerOf(target: AgentClass): Promise<Runner> {
  return createRunner(target, { model: new ScriptedModel() });
}

async function namesOf(...targets: readonly AgentClass[]): Promise<string[]> {
  return Promise.all(targets.map(async (target) => (await runnerOf(target)).root.name));
}
