import {
  agent,
  BaseAgent,
  createRunner,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type PendingRequest,
} from 'adorn';

import type { ReplayBench } from '../../adapter.js';
import { FINAL_TEXT } from '../../script.js';

const OWNER = { appName: 'replay', userId: 'u' };

/** Says a text, or, where it is offered the tool, calls that first. */
class StepModel extends Model {
  readonly name = 'steps';

  async *generate({
    contents,
    config,
    signal,
  }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    signal.throwIfAborted();
    const isAnswered = contents.at(-1)?.parts?.[0]?.functionResponse !== undefined;
    const calls = (config.tools ?? []).length > 0 && !isAnswered;
    const part = calls ? { functionCall: { name: 'publish', args: {} } } : { text: FINAL_TEXT };
    yield { content: { role: 'model', parts: [part] } };
  }
}

const publish = new FunctionTool({
  name: 'publish',
  description: 'Publish.',
  confirm: true,
  run: () => 'published',
});

/** Is one of the finished steps. */
@agent({ name: 'step', includeContents: 'none', disableTransfer: true })
class Step extends LlmAgent {}

/** Waits for a person. */
@agent({ name: 'publisher', includeContents: 'none', disableTransfer: true, tools: [publish] })
class Publisher extends LlmAgent {}

/**
 * A workflow of some steps, and an agent that waits behind them. What is answered is a copy of one conversation, of which
 * nothing is in memory yet but its events.
 */
export async function setupReplay(steps: number): Promise<ReplayBench<PendingRequest>> {
  @agent({ name: 'workflow', subAgents: [Step, Publisher] })
  class Workflow extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      for (let step = 0; step < steps; step++) yield* context.invoke(Step);
      yield* context.invoke(Publisher);
    }
  }
  const runner = await createRunner(Workflow, { appName: OWNER.appName, model: new StepModel() });
  const { sessions } = runner;
  const { events } = await runner.run({ userId: OWNER.userId, sessionId: 'first', message: 'Go.' });
  const first = await sessions.getSession({ ...OWNER, sessionId: 'first' });
  if (!first || events.length === 0) throw new Error('The workflow did not run.');
  let made = 0;
  return {
    async waiting() {
      const sessionId = `s${String(made++)}`;
      let session = await sessions.createSession({ ...OWNER, sessionId });
      for (const event of first.events) session = await sessions.appendEvent(session, event);
      const [request] = await runner.pending({ userId: OWNER.userId, sessionId });
      if (!request) throw new Error('The workflow does not wait.');
      return request;
    },
    answer: async (request) => (await runner.approve(request)).text,
    drop: (request) => sessions.deleteSession({ ...OWNER, sessionId: request.sessionId }),
  };
}
