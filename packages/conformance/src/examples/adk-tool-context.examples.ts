import { agent, createRunner, joinText, LlmAgent, tool, type ToolContext } from 'adorn';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { expect } from 'expect';

import type { Example } from './example.js';
import { declaredIn, responsesIn } from './model-reads.js';

// example: user preference
class Preferences {
  /**
   * Update a preference of the user.
   *
   * @param preference The name of the preference, such as `theme`.
   * @param value What it is set to.
   */
  @tool
  updateUserPreference(preference: string, value: string, { state }: ToolContext) {
    const preferences = state.get<Record<string, string>>('user:preferences', {});
    state.set('user:preferences', { ...preferences, [preference]: value });
    return { status: 'success', updated_preference: preference };
  }
}
// end of example

// example: document analysis
class Documents {
  /**
   * Analyze a document with what is remembered.
   *
   * @param documentName The name of the document.
   * @param analysisQuery What to look for.
   */
  @tool
  async processDocument(documentName: string, analysisQuery: string, context: ToolContext) {
    const document = await context.loadArtifact(documentName);
    if (!document) return { status: 'error', message: `There is no document '${documentName}'.` };
    const memories = await context.searchMemory(`What to know to analyze a document about ${analysisQuery}`);
    const known = memories.map(({ content }) => joinText(content)).join('\n');
    const text = `${documentName} (${String(document.text?.length)} characters), with: ${known}`;
    const artifact = `analysis_${documentName}`;
    const version = await context.saveArtifact(artifact, { text });
    return { status: 'success', analysis_artifact: artifact, version };
  }
}
// end of example

// example: order status
class OrderStatus {
  /**
   * Look up the status of an order by its id.
   * Call it only if the user asks for the status of one order and gives its id, and for nothing else.
   * @param orderId The id of the order.
   * @returns The status of the order: `shipped`, `processing`, `pending` or `error`.
   * On success `{ status: 'shipped', tracking_number: '1Z9' }`, otherwise
   * `{ status: 'error', error_message: 'There is no such order.' }`.
   */
  @tool({ effect: 'read' })
  lookupOrderStatus(orderId: string) {
    const order = ORDERS[orderId];
    if (order) return { status: order.state, tracking_number: order.tracking };
    return { status: 'error', error_message: `There is no order ${orderId}.` };
  }
}
// end of example

const ORDERS: Record<string, { readonly state: string; readonly tracking: string } | undefined> = {
  'A-17': { state: 'shipped', tracking: '1Z9' },
};

const ADDRESS = { userId: 'ada', sessionId: 's1' };

@agent({ tools: [Preferences] })
class Personal extends LlmAgent {}

@agent({ tools: [Documents] })
class Archivist extends LlmAgent {}

@agent({ tools: [OrderStatus] })
class Clerk extends LlmAgent {}

export const userPreference: Example = {
  name: 'user preference',
  there: 10,
  hasImports: true,
  async play(promise) {
    const model = new ScriptedModel(
      callsTool('update_user_preference', { preference: 'theme', value: 'dark' }),
      says('Dark.'),
      callsTool('update_user_preference', { preference: 'font', value: 'large' }),
      says('Large.'),
    );
    await using runner = await createRunner(Personal, { model });
    const { events } = await runner.run({ ...ADDRESS, message: 'Make it dark.' });
    const other = await runner.run({ userId: 'ada', sessionId: 's2', message: 'Make it large.' });
    const stored = await runner.sessions.getSession({
      appName: runner.appName,
      userId: 'ada',
      sessionId: 's2',
    });

    promise('two texts are required, and the context is none of the arguments', () => {
      expect(declaredIn(model)).toMatchObject([
        { name: 'update_user_preference', parametersJsonSchema: { required: ['preference', 'value'] } },
      ]);
      expect(JSON.stringify(declaredIn(model))).not.toContain('context');
    });
    promise('the change is a part of the state delta of the event with the response', () => {
      const event = events.find(({ functionResponses }) => functionResponses.length > 0);
      expect(event?.actions.stateDelta).toEqual({ 'user:preferences': { theme: 'dark' } });
      expect(responsesIn(model, 1)).toEqual([{ status: 'success', updated_preference: 'theme' }]);
    });
    promise('what belongs to the user is there in another session, which adds to it', () => {
      expect(stored?.state['user:preferences']).toEqual({ theme: 'dark', font: 'large' });
      expect(other.status).toBe('answered');
    });
  },
};

export const documentAnalysis: Example = {
  name: 'document analysis',
  there: 22,
  hasImports: true,
  async play(promise) {
    const args = { documentName: 'report.txt', analysisQuery: 'harbours' };
    const model = new ScriptedModel(
      callsTool('process_document', { ...args, documentName: 'none.txt' }),
      callsTool('process_document', args),
      callsTool('process_document', args),
      says('It is analyzed.'),
    );
    await using runner = await createRunner(Archivist, { model });
    const session = { appName: runner.appName, ...ADDRESS };
    await runner.sessions.createSession(session);
    await runner.artifacts.save(session, 'report.txt', { text: 'The harbour is full.' });
    await runner.memory.addMemory(session, [
      { content: { role: 'user', parts: [{ text: 'Our harbours are in Norway.' }] } },
    ]);
    const { events } = await runner.run({ ...ADDRESS, message: 'Analyze the report.' });
    const analysis = await runner.artifacts.load(session, 'analysis_report.txt');

    promise('a document that does not exist is what the tool says it is', () => {
      expect(responsesIn(model, 1)).toEqual([
        { status: 'error', message: "There is no document 'none.txt'." },
      ]);
    });
    promise('the document is loaded, and the memories of the user are found', () => {
      expect(analysis).toEqual({ text: 'report.txt (20 characters), with: Our harbours are in Norway.' });
    });
    promise('versions begin at 0, and are in the artifact delta of the events', () => {
      expect(responsesIn(model).slice(1)).toEqual(
        [0, 1].map((version) => ({
          status: 'success',
          analysis_artifact: 'analysis_report.txt',
          version,
        })),
      );
      const deltas = events.map(({ actions }) => actions.artifactDelta['analysis_report.txt']);
      expect(deltas.filter((version) => version !== undefined)).toEqual([0, 1]);
    });
  },
};

export const orderStatus: Example = {
  name: 'order status',
  there: 17,
  async play(promise) {
    const model = new ScriptedModel(
      callsTool('lookup_order_status', { orderId: 'A-17' }),
      callsTool('lookup_order_status', { orderId: 'A-18' }),
      says('It is on its way.'),
    );
    await using runner = await createRunner(Clerk, { model });
    await runner.run({ ...ADDRESS, message: 'Where is A-17?' });
    const [declared] = declaredIn(model);

    promise('the model reads what the tool does, when to call it, and what each argument is', () => {
      expect(declared).toMatchObject({
        name: 'lookup_order_status',
        description: expect.stringContaining('Call it only if the user asks') as unknown,
        parametersJsonSchema: {
          properties: { orderId: { type: 'string', description: 'The id of the order.' } },
          required: ['orderId'],
        },
      });
    });
    promise('the model reads the structure of the result, with each status and the examples', () => {
      for (const words of [
        '`shipped`, `processing`, `pending` or `error`',
        "tracking_number: '1Z9'",
        'error_message',
      ])
        expect(declared?.description).toContain(words);
    });
    promise('the results are read as they were returned', () => {
      expect(responsesIn(model)).toEqual([
        { status: 'shipped', tracking_number: '1Z9' },
        { status: 'error', error_message: 'There is no order A-18.' },
      ]);
    });
  },
};
