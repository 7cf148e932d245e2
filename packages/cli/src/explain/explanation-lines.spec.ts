import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, FunctionTool } from 'adorn';

import { explanationLines, requestSizes } from './explanation-lines.js';

describe('a request as text', () => {
  it('shows instruction, contents, tools and settings, and their sizes', async () => {
    const text = explanationLines(await explanation()).map((line) => line.text);

    expect(text).toEqual([
      'agent clerk, model scripted',
      '',
      'instruction',
      'Be brief.',
      '',
      'Your name is "clerk".',
      '',
      '5 contents',
      'user: Find it.',
      'model: find({})',
      'user: find = {"result":"found"}',
      'model: Done.',
      'user: [2JAnd when?',
      '',
      '1 tool',
      'find',
      '  Finds.',
      '  parametersJsonSchema {"type":"object","properties":{},"additionalProperties":false}',
      '',
      'settings',
      '{',
      '  "temperature": 0',
      '}',
      '',
      'sizes',
      expect.stringMatching(/^instruction +32 bytes {2}some 8 tokens$/) as unknown,
      expect.stringMatching(/^tools /) as unknown,
      expect.stringMatching(/^history /) as unknown,
      expect.stringMatching(/^ {2}results of find +\d+ bytes {2}some \d+ tokens$/) as unknown,
      expect.stringMatching(/^ {2}messages /) as unknown,
      expect.stringMatching(/^ {2}calls /) as unknown,
      expect.stringMatching(/^ {2}answers /) as unknown,
      expect.stringMatching(/^settings +17 bytes {2}some 4 tokens$/) as unknown,
      expect.stringMatching(/^total /) as unknown,
    ]);
  });

  it('says how many tools are left out until the model opens or finds them', async () => {
    const closed = [{ opener: 'search_tools', tools: 300, open: 2 }];
    const lines = explanationLines({ ...(await explanation()), closed }).map(({ text }) => text);

    expect(lines).toContain('search_tools gives 300 more tools, of which 2 are declared here');
  });

  it('shows the labels of a tool beside its name', async () => {
    const labels = { find: ['untrusted', 'outside'] };
    const lines = explanationLines({ ...(await explanation()), labels }).map(({ text }) => text);

    expect(lines).toContain('find [untrusted, outside]');
  });

  it('has sizes that add up to the whole', async () => {
    const sizes = requestSizes(await explanation());

    const total = sizes.at(-1);
    const parts = sizes.slice(0, -1);
    expect(total?.bytes).toBe(parts.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(parts.map(({ part }) => part)).toEqual(['instruction', 'tools', 'history', 'settings']);
  });
});

async function explanation() {
  const find = new FunctionTool({ name: 'find', description: 'Finds.', run: () => 'found' });
  const Clerk = defineAgent({
    name: 'clerk',
    instruction: 'Be brief.',
    tools: [find],
    generateContentConfig: { temperature: 0 },
  });
  const model = Object.assign(new ScriptedModel(callsTool('find'), says('Done.')), { name: 'scripted' });
  const runner = await createRunner(Clerk, { model });
  await runner.run({ userId: 'ada', sessionId: 's1', message: 'Find it.' });
  return runner.explain({ userId: 'ada', sessionId: 's1', message: '\u001b[2JAnd when?' });
}
