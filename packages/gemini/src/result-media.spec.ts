import { createRunner, defineAgent, FunctionTool } from '@adorn/core';
import { callsFunctions, saysText, startGeminiEmulator } from '@adorn/testing';

import { GeminiModel } from './gemini.model.js';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(3_000, 7)]);

describe('a picture that a tool returns', () => {
  it('is shown to Gemini as a picture, once', async () => {
    const call = callsFunctions({ name: 'screenshot', args: {} });
    await using server = await startGeminiEmulator([call, saysText('A cat.'), saysText('Bye.')]);
    const model = new GeminiModel({ model: 'gemini-2.5-flash', baseUrl: server.url, apiKey: 'test' });
    const screenshot = new FunctionTool({ name: 'screenshot', description: 'Takes one.', run: () => PNG });
    const eye = defineAgent({ name: 'eye', model, instruction: '-', tools: [screenshot] });
    await using runner = await createRunner(eye);

    await runner.ask('What is to be seen?', { sessionId: 's1' });
    await runner.ask('Thanks.', { sessionId: 's1' });

    const [, shown, later] = server.requests.map(({ body }) => JSON.stringify(body));
    const inlineData = { mimeType: 'image/png', data: PNG.toString('base64') };
    expect(shown).toContain(JSON.stringify({ inlineData }));
    expect(shown?.split(inlineData.data)).toHaveLength(2);
    expect(later).not.toContain(inlineData.data);
  });
});
