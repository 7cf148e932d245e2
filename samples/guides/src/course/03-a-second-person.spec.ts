import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

class Orders {
  /** Order a book. @param cents Its price, in cents. */
  @tool({
    effect: 'write',
    confirm: (cents) => cents > 5_000 && `Order a book for ${String(cents / 100)} EUR?`,
    approvers: (cents) => ({ role: 'librarian', count: cents > 50_000 ? 2 : 1 }),
  })
  order(cents: number): { ordered: number } {
    return { ordered: cents };
  }
}

/** Orders books. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

it('orders an expensive book when two librarians have approved, and not when one has done so twice', async () => {
  const model = new ScriptedModel(callsTool('order', { cents: 90_000 }), says('Ordered.'));
  await using runner = await createRunner(Desk, { model });
  const reader = { userId: 'ada', sessionId: 'may' };
  const [mia, max] = ['mia', 'max'].map((id) => ({ id, roles: ['librarian'] }));

  const { pending } = await runner.run({ ...reader, message: 'The atlas, please.' });
  const [request] = pending;
  await expect(runner.approve(request!, { by: { id: 'ada' } }).text).rejects.toMatchObject({
    code: 'APPROVER_NOT_ALLOWED',
  });
  expect(await runner.approve(request!, { by: mia! })).toMatchObject({ status: 'paused' });
  await expect(runner.approve(request!, { by: mia! }).text).rejects.toThrow();
  expect(await runner.approve(request!, { by: max! })).toMatchObject({
    status: 'answered',
    text: 'Ordered.',
  });
  await expectPicture('03-a-second-person', await sceneOf(runner));
});
