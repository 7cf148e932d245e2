import { randomUUID } from 'node:crypto';

import type { FunctionCall } from '../../gemini-words.js';
import { dispatch } from './dispatch.js';
import { emptyActions, Event } from './event.js';
import type { Invocation } from './invocation.js';
import type { ModelRequest, ScriptedModel } from './scripted-model.js';
import { type Outcome, type Tool, ToolContext } from './tool.js';

const MAX_ITERATIONS = 50;
const MAX_LLM_CALLS = 500;

interface LlmAgentOptions {
  readonly name: string;
  readonly instruction: string;
  readonly model: ScriptedModel;
  readonly tools: readonly Tool[];
  readonly subAgents?: readonly LlmAgent[];
}

/** The agent and its turn loop: declarations are frozen once, the request shares the session's contents. */
export class LlmAgent {
  readonly name: string;
  private readonly instruction: string;
  private readonly model: ScriptedModel;
  private readonly table: ReadonlyMap<string, Tool>;
  private readonly declarations: readonly object[];
  private readonly subAgents: readonly LlmAgent[];

  constructor({ name, instruction, model, tools, subAgents = [] }: LlmAgentOptions) {
    this.name = name;
    this.instruction = instruction;
    this.model = model;
    this.table = new Map(tools.map((tool) => [tool.name, tool]));
    this.declarations = Object.freeze([{ functionDeclarations: tools.map((tool) => tool.declaration) }]);
    this.subAgents = subAgents;
  }

  async *run(invocation: Invocation): AsyncGenerator<Event, void, undefined> {
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      if (++invocation.llmCalls > MAX_LLM_CALLS) return;
      let answer: Event | undefined;
      for await (const { content, partial } of this.model.generate(this.request(invocation))) {
        answer = new Event(invocation.id, this.name, content, undefined, partial);
        if (partial === true) yield answer;
      }
      if (!answer) return;
      const calls = callsOf(answer);
      yield answer;
      if (calls.length === 0) return;

      const jobs = calls.map((call) => this.callTool(invocation, call));
      const [lone] = jobs;
      const outcomes = jobs.length === 1 && lone ? [await lone] : await Promise.all(jobs);
      const settled = this.settle(invocation, calls, outcomes);
      yield settled;

      const heir = settled.actions.transferToAgent;
      const next = heir === undefined ? undefined : this.subAgents.find(({ name }) => name === heir);
      if (next) {
        yield* next.run(invocation);
        return;
      }
    }
  }

  private request({ session, stream }: Invocation): ModelRequest {
    return {
      contents: session.contents,
      config: { systemInstruction: this.instruction, tools: this.declarations },
      stream,
    };
  }

  private callTool(invocation: Invocation, { id, name, args }: FunctionCall): Promise<Outcome> {
    const tool = this.table.get(name);
    if (!tool) return Promise.resolve({ error: 'unknown' });
    const context = new ToolContext(invocation, String(id));
    return dispatch({ tool, args, context }).then((outcome) => {
      outcome.context = context;
      return outcome;
    });
  }

  private settle(
    invocation: Invocation,
    calls: readonly FunctionCall[],
    outcomes: readonly Outcome[],
  ): Event {
    const actions = emptyActions();
    for (const { context } of outcomes) if (context?.actions) Object.assign(actions, context.actions);
    const parts = outcomes.map(({ response, error }, index) => ({
      functionResponse: {
        id: calls[index]?.id,
        name: calls[index]?.name,
        response: response ?? { error },
      },
    }));
    return new Event(invocation.id, this.name, { role: 'user', parts }, actions);
  }
}

function callsOf({ content }: Event): FunctionCall[] {
  const calls: FunctionCall[] = [];
  for (const { functionCall } of content.parts) {
    if (!functionCall) continue;
    functionCall.id ??= `adk-${randomUUID()}`;
    calls.push(functionCall);
  }
  return calls;
}
