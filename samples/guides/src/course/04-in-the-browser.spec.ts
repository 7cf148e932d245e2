import { serve } from '@adorn/server';
import { createAdornClient } from '@adorn/server/client';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

class Orders {
  /** Order a book. @param title Its title. */
  @tool({ effect: 'write', confirm: (title) => `Order "${title}"?`, approvers: { role: 'librarian' } })
  order(title: string): { ordered: string } {
    return { ordered: title };
  }
}

/** Orders books. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

/** In an application, what the session cookie says. */
const PEOPLE = new Map([
  ['cookie-1', { id: 'ada' }],
  ['cookie-2', { id: 'mia', roles: ['librarian'] }],
]);

it('lets the librarian approve in her page what a reader asks for in his', async () => {
  const model = new ScriptedModel(callsTool('order', { title: 'Emma' }), says('Ordered.'));
  await using runner = await createRunner(Desk, { model });
  const server = await serve(runner, {
    port: 0,
    page: false,
    authenticate: ({ headers }) => PEOPLE.get(headers.get('cookie') ?? ''),
  });
  try {
    const [ada, mia] = [...PEOPLE.keys()].map((cookie) =>
      createAdornClient(server.url, { headers: { cookie } }),
    );
    const chat = await ada!.createSession();
    expect(await chat.send('Emma, please.')).toMatchObject({ status: 'paused' });

    const [request] = (await mia!.inbox()).requests;
    expect(request).toMatchObject({ hint: 'Order "Emma"?', userId: 'ada' });
    expect(await mia!.sessionOf(request!).approve(request!)).toMatchObject({ status: 'answered' });
    await expectPicture('04-in-the-browser', await sceneOf(runner));
  } finally {
    await server.close();
  }
});
