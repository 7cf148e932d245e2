import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool, type Part, type Runner } from '../index.js';

const DATA = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200, 7)]).toString('base64');
const SHOWN = { inlineData: { mimeType: 'image/png', data: DATA } };
const ADDRESS = { userId: 'ada', sessionId: 's1' };

async function eye(run: () => unknown, model: ScriptedModel): Promise<Runner> {
  const look = new FunctionTool({ name: 'look', description: 'Looks.', run });
  return createRunner(defineAgent({ name: 'eye', instruction: '-', tools: [look] }), { model });
}

/** The parts behind the results in a request. */
function behind(model: ScriptedModel, request: number): readonly Part[] {
  const last = model.requests[request]?.contents.at(-1)?.parts ?? [];
  return last.some(({ functionResponse }) => functionResponse) ? [] : last;
}

describe('an image, audio or PDF in a result', () => {
  it.each<[string, unknown, object]>([
    ['bytes', Buffer.from(DATA, 'base64'), { mimeType: 'image/png' }],
    ['a Blob', new Blob([Buffer.from(DATA, 'base64')], { type: 'image/png' }), { mimeType: 'image/png' }],
    ['a part', { inlineData: SHOWN.inlineData }, {}],
    ['base64 with its type', { at: 'noon', mimeType: 'image/png', data: DATA }, { at: 'noon' }],
    ['a block of MCP', { content: [{ type: 'image', mimeType: 'image/png', data: DATA }] }, {}],
    ['a part of the AI SDK', [{ type: 'media', mediaType: 'image/png', data: DATA }], {}],
    ['a data URL', { picture: `data:image/png;base64,${DATA}` }, {}],
  ])('is an artifact, and the next request shows it once: %s', async (_what, result, facts) => {
    const model = new ScriptedModel(callsTool('look'), says('A cat.'), says('Bye.'));
    const runner = await eye(() => result, model);

    const { events } = await runner.run({ ...ADDRESS, message: 'Look.' });
    await runner.run({ ...ADDRESS, message: 'Thanks.' });

    const text = JSON.stringify(events[1]?.functionResponses[0]?.response);
    expect(text).not.toContain(DATA);
    expect(text).toContain('"bytes":208');
    expect(events[1]?.functionResponses[0]?.response).toMatchObject(facts);
    const name = /tool-results\/[^"]+\/0/.exec(text)?.[0] ?? '';
    expect(behind(model, 1)).toEqual([{ text: `The file "${name}", from the result of look:` }, SHOWN]);
    expect(JSON.stringify(model.requests[2]?.contents)).not.toContain(DATA);
    expect(await runner.artifacts.load({ appName: 'eye', ...ADDRESS }, name)).toEqual(SHOWN);
  });

  it('is a text where it is none', async () => {
    const result = { mimeType: 'image/png', data: 'not base64! '.repeat(20) };
    const model = new ScriptedModel(callsTool('look'), says('Nothing.'));
    const { events } = await (await eye(() => result, model)).run({ ...ADDRESS, message: 'Look.' });

    expect(events[1]?.functionResponses[0]?.response).toEqual(result);
    expect(behind(model, 1)).toEqual([]);
  });

  it('is the data itself for a program that calls the tool', async () => {
    const runner = await eye(() => SHOWN.inlineData, new ScriptedModel());

    const { events } = await runner.call({ ...ADDRESS, tool: 'look' });

    expect(events.at(-1)?.functionResponses[0]?.response).toEqual(SHOWN.inlineData);
  });

  it('shows no other file of the conversation', async () => {
    const model = new ScriptedModel(says('Yes.'), callsTool('look'), says('Nothing.'));
    const runner = await eye(() => ({ artifact: 'passport.png', mimeType: 'image/png' }), model);
    await runner.run({ ...ADDRESS, message: 'Hello.' });
    await runner.artifacts.save({ appName: 'eye', ...ADDRESS }, 'passport.png', SHOWN);

    await runner.run({ ...ADDRESS, message: 'Look.' });

    expect(JSON.stringify(model.requests[2]?.contents)).not.toContain(DATA);
  });
});
