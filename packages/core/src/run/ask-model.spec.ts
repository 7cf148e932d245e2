import { callsTool, says, ScriptedModel } from '@adorn/testing';

import type { ModelQuestion } from '../backend.js';
import { createRunner, defineAgent, FunctionTool, type ToolContext } from '../index.js';

/** What a tool gets that asks a model, or how it fails; and what models were asked. */
async function ask(question: unknown) {
  const outcomes: unknown[] = [];
  const model = new ScriptedModel(callsTool('translate', {}), says('Hei.'), says('Done.'));
  const translate = new FunctionTool({
    name: 'translate',
    description: 'Translates.',
    parameters: { type: 'object', properties: {} },
    run: (_args, context: ToolContext) =>
      context.askModel(question as ModelQuestion).then(
        ({ content }) => void outcomes.push(content?.parts?.[0]?.text),
        (error: unknown) => void outcomes.push(error),
      ),
  });
  const clerk = defineAgent({ name: 'clerk', description: 'Translates.', tools: [translate] });
  await using runner = await createRunner(clerk, { model });
  await runner.run({ userId: 'ada', message: 'Hello in Norwegian?' });
  return { outcome: outcomes[0], requests: model.requests.length };
}

describe('a question to a model', () => {
  it('needs contents alone', async () => {
    const { outcome } = await ask({ contents: [{ role: 'user', parts: [{ text: 'Translate: Hello.' }] }] });

    expect(outcome).toBe('Hei.');
  });

  it.each([
    [{ message: 'Hello' }, 'there is no option message'],
    [{}, 'contents of context.askModel'],
    [{ contents: 'Hello' }, 'contents of context.askModel'],
    [{ contents: [], temperature: 0 }, 'there is no option temperature'],
    ['Hello', 'its options are Hello, not an object'],
    [undefined, 'its options are undefined, not an object'],
    [null, 'not an object'],
  ])('is refused in words, and no model is asked: %j', async (question, words) => {
    const { outcome, requests } = await ask(question);

    expect(outcome).toMatchObject({ code: 'RUN_CONFIG_INVALID', message: expect.stringContaining(words) });
    expect(requests).toBe(2);
  });
});
