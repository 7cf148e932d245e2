import { createRunner, defineAgent, FunctionTool } from '@adorn/core';
import { callsFunctions, saysText } from '@adorn/testing';

import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, TestedServers } from './wires.fixture.js';

/** A picture: the signature of PNG and some bytes. */
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(3_000, 7)]);
const SOUND = { mimeType: 'audio/ogg', data: Buffer.alloc(300, 7).toString('base64') };

const servers = new TestedServers();
afterEach(() => servers.closeAll());

describe.each([
  [ANTHROPIC, 'image'],
  [OPENAI_CHAT, 'image_url'],
  [OPENAI_RESPONSES, 'input_image'],
])('a picture that a tool returns: $name', (wire, kind) => {
  it('is shown to the model as a picture, once, and named after that', async () => {
    const call = callsFunctions({ name: 'screenshot', args: {} });
    const { model, server } = await servers.start(wire, [call, saysText('A cat.'), saysText('Bye.')]);
    const screenshot = new FunctionTool({ name: 'screenshot', description: 'Takes one.', run: () => PNG });
    const eye = defineAgent({ name: 'eye', model, instruction: '-', tools: [screenshot] });
    await using runner = await createRunner(eye);

    await runner.ask('What is to be seen?', { sessionId: 's1' });
    await runner.ask('Thanks.', { sessionId: 's1' });

    const [, shown = '', later = ''] = server.requests.map(({ body }) => JSON.stringify(body));
    const data = PNG.toString('base64');
    expect(shown.split(data)).toHaveLength(2);
    expect(shown).toContain(`"type":"${kind}"`);
    expect(shown).toMatch(/tool-results\/[^"\\]+\/0/);
    expect(later).not.toContain(data.slice(0, 100));
    expect(later).toMatch(/tool-results\/[^"\\]+\/0/);
  });

  it('does not end the run where the model takes no file of its kind', async () => {
    const call = callsFunctions({ name: 'listen', args: {} });
    const { model, server } = await servers.start(wire, [call, saysText('I heard nothing.')]);
    const listen = new FunctionTool({ name: 'listen', description: 'Listens.', run: () => SOUND });
    const ear = defineAgent({ name: 'ear', model, instruction: '-', tools: [listen] });
    await using runner = await createRunner(ear);

    expect(await runner.ask('What is to be heard?')).toBe('I heard nothing.');
    expect(JSON.stringify(server.requests[1]?.body)).toContain(
      'is left out: the model takes no files of type',
    );
  });
});
