import { serve } from '@adorn/server';
import { createAdornClient } from '@adorn/server/client';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, LlmAgent, tool } from 'adorn';

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
  const server = await serve(Desk, {
    port: 0,
    page: false,
    authenticate: ({ headers }) => PEOPLE.get(headers.get('cookie') ?? ''),
    runner: { model },
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
  } finally {
    await server.close();
  }
});
