import { agent, agentTool, createRunner, LlmAgent, tool, type ToolContext } from 'adorn';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { expect } from 'expect';

import { quiet } from '../quiet-logger.js';
import type { Example, ExampleDocument } from './example.js';
import { declaredIn, responsesIn } from './model-reads.js';

// example: researcher and writer
/** Finds sources on a topic, and says what is in them. */
@agent({})
class Researcher extends LlmAgent {}

@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Ask the researcher for what you need to know. Then write.',
  tools: [Researcher],
})
class Writer extends LlmAgent {}
// end of example

const ADDRESS = { userId: 'ada', sessionId: 's1' };

class Notes {
  /** Note what was found. @param text What it is. */
  @tool
  note(text: string, { state }: ToolContext): string {
    state.set('found', text);
    return 'noted';
  }
}

/** Notes what it finds. */
@agent({ name: 'researcher', tools: [Notes] })
class NotingResearcher extends LlmAgent {}

@agent({ tools: [agentTool(Researcher, { description: 'Knows the archive.' })] })
class WriterOfArchive extends LlmAgent {}

@agent({ name: 'writer', tools: [NotingResearcher] })
class WriterWithNotes extends LlmAgent {}

const researcherAndWriter: Example = {
  name: 'researcher and writer',
  there: 14,
  hasImports: true,
  async play(promise) {
    const model = new ScriptedModel(
      callsTool('researcher', { request: 'When was the harbour built?' }),
      says('In 1841.'),
      says('The harbour is from 1841.'),
    );
    await using runner = await createRunner(Writer, { model });
    const { text, events, invocationId } = await runner.run({
      ...ADDRESS,
      message: 'Write about the harbour.',
      config: { showToolAgents: true },
    });

    promise(
      'the researcher is declared under its name, with its description and one required text, request',
      () => {
        expect(declaredIn(model)).toMatchObject([
          {
            name: 'researcher',
            description: 'Finds sources on a topic, and says what is in them.',
            parametersJsonSchema: {
              type: 'object',
              properties: { request: { type: 'string' } },
              required: ['request'],
            },
          },
        ]);
      },
    );
    promise('the writer reads what the researcher says as { text }, and answers', () => {
      expect(responsesIn(model)).toEqual([{ text: 'In 1841.' }]);
      expect(text).toBe('The harbour is from 1841.');
    });
    promise('the researcher runs as a sub-invocation', () => {
      const child = events.find(({ author }) => author === 'researcher');
      expect(child?.invocationId).toBe(`${invocationId}.sub.researcher`);
    });
    promise('the researcher is driven by the request, on the model of the writer', () => {
      expect(JSON.stringify(model.requests[1]?.contents)).toContain('When was the harbour built?');
    });

    const other = new ScriptedModel(says('Hello.'));
    await using archive = await createRunner(WriterOfArchive, { model: other });
    await archive.run({ ...ADDRESS, message: 'Hello.' });
    promise('another description may be given to the model', () => {
      expect(declaredIn(other)).toMatchObject([{ name: 'researcher', description: 'Knows the archive.' }]);
    });

    await playSharing(promise);
  },
};

/** The child shares the session and the budget of its parent, and an error of it is told. */
const playSharing: Example['play'] = async (promise) => {
  const model = new ScriptedModel(
    callsTool('researcher', { request: 'Note it.' }),
    callsTool('note', { text: '1841' }),
    says('Noted.'),
    says('Done.'),
    callsTool('researcher', { request: 'Again.' }),
    () => {
      throw new Error('down');
    },
    says('Sorry.'),
    callsTool('researcher', { request: 'Again.' }),
    says('Once more.'),
  );
  await using runner = await createRunner(WriterWithNotes, { model, modules: [quiet] });
  await runner.run({ ...ADDRESS, message: 'Note it.' });
  const session = await runner.sessions.getSession({ appName: runner.appName, ...ADDRESS });
  promise('the researcher shares the session: what its tool writes to the state is there', () => {
    expect(session?.state).toMatchObject({ found: '1841' });
  });
  await runner.run({ ...ADDRESS, message: 'Again.' });
  promise('an error of the researcher is read beside its text', () => {
    expect(responsesIn(model).at(-1)).toMatchObject({ text: '', error: expect.any(String) as unknown });
  });
  const spent = await runner.run({ ...ADDRESS, message: 'Again.', config: { maxLlmCalls: 2 } });
  promise('the researcher spends the calls of a model that the writer may make', () => {
    expect(spent.events.at(-1)?.errorCode).toBe('LLM_CALL_LIMIT');
  });
};

export const ADK_RS_BUILT_IN_TOOLS: ExampleDocument = {
  name: '000 built-in tools',
  examples: [researcherAndWriter],
};
