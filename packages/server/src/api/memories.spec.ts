import { says } from '@adorn/testing';

import { createAdornClient } from '../client/index.js';
import { TestDesk } from '../request.fixture.js';

const SCOPE = { appName: 'desk', userId: 'ada' };

async function remembering(...texts: string[]) {
  const desk = await TestDesk.open([says('Hello.')]);
  for (const text of texts)
    await desk.runner.memory.addMemory(SCOPE, [{ content: { role: 'user', parts: [{ text }] } }]);
  const clientOf = (user: string) =>
    createAdornClient('http://localhost', {
      headers: { 'x-user': user },
      fetch: (input, init) => desk.handler(new Request(input, init)),
    });
  return { desk, clientOf };
}

function textsOf(
  memories: readonly { readonly content: { readonly parts?: readonly { text?: string }[] } }[],
) {
  return memories.map(({ content }) => content.parts?.[0]?.text);
}

describe('the memories of a user, over HTTP', () => {
  it('are listed, the last added first, by pages', async () => {
    const { desk, clientOf } = await remembering('one', 'two', 'three');
    const ada = clientOf('ada');

    expect(textsOf(await ada.memories())).toEqual(['three', 'two', 'one']);
    expect(textsOf(await ada.memories({ limit: 1, offset: 1 }))).toEqual(['two']);
    await desk[Symbol.asyncDispose]();
  });

  it('are corrected and deleted, by their user', async () => {
    const { desk, clientOf } = await remembering('My harbour is Bergen.', 'I like tea.');
    const ada = clientOf('ada');
    const [tea, harbour] = await ada.memories();

    await ada.correctMemory(harbour!.id, 'My harbour is Oslo.');
    await ada.deleteMemory(tea!.id);

    expect(textsOf(await ada.memories())).toEqual(['My harbour is Oslo.']);
    expect(await desk.runner.memory.searchMemory(SCOPE, 'Bergen')).toEqual([]);
    await desk[Symbol.asyncDispose]();
  });

  it.each(['bob', 'dev'])('are not those of %s, who does not learn that there are any', async (user) => {
    const { desk, clientOf } = await remembering('secret');
    const [remembered] = await clientOf('ada').memories();
    const id = remembered?.id ?? '';
    const other = clientOf(user);

    expect(await other.memories()).toEqual([]);
    await expect(other.correctMemory(id, 'changed')).rejects.toMatchObject({ status: 404 });
    await expect(other.deleteMemory(id)).rejects.toMatchObject({ status: 404 });
    expect((await desk.send('/adorn/apps/desk/memories?user=ada', { user })).status).toBe(404);
    expect(textsOf(await clientOf('ada').memories())).toEqual(['secret']);
    await desk[Symbol.asyncDispose]();
  });

  it.each<[unknown, string]>([
    [{}, 'REQUEST_INVALID'],
    [{ content: '' }, 'REQUEST_INVALID'],
    [{ content: 5 }, 'REQUEST_INVALID'],
    [{ content: { parts: 'x' } }, 'CONTENT_INVALID'],
  ])('are not corrected by %j', async (body, code) => {
    const { desk, clientOf } = await remembering('one');
    const [remembered] = await clientOf('ada').memories();
    const id = remembered?.id ?? '';
    const path = `/adorn/apps/desk/memories/${encodeURIComponent(id)}`;

    const response = await desk.send(path, { method: 'PATCH', body });

    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, code]);
    await desk[Symbol.asyncDispose]();
  });
});
