import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, ContainerModule, createRunner, inject, LlmAgent, tool, ToolContext } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

/** What the library has. The application binds its own. */
abstract class Shelf {
  abstract isReserved(book: string): boolean;
  abstract lend(book: string, reader: string): void;
}

class Lending {
  constructor(@inject(Shelf) private readonly shelf: Shelf) {}

  /**
   * Lend a book.
   * @param book Its title.
   * @param reader Who takes it.
   */
  @tool({
    effect: 'write',
    confirm: (book, _reader, context) =>
      context.get(Shelf).isReserved(book) && `"${book}" is reserved. Lend it all the same?`,
  })
  lend(book: string, reader: string, _context: ToolContext): { lent: string } {
    this.shelf.lend(book, reader);
    return { lent: book };
  }
}

/** The desk of a library. */
@agent({ model: 'gemini-2.5-flash', tools: [Lending] })
class Desk extends LlmAgent {}

it('asks before it lends a reserved book, and lends none that was refused', async () => {
  const lend = jest.fn();
  const shelf = { isReserved: (book: string) => book === 'Emma', lend };
  const modules = [new ContainerModule(({ bind }) => void bind(Shelf).toConstantValue(shelf))];
  const model = new ScriptedModel(
    callsTool('lend', { book: 'Persuasion', reader: 'Ada' }),
    callsTool('lend', { book: 'Emma', reader: 'Ada' }),
    says('Emma stays here.'),
  );
  await using runner = await createRunner(Desk, { model, modules });

  const { pending } = await runner.run({ userId: 'mia', message: 'Both for Ada.' });
  expect(pending).toMatchObject([{ hint: '"Emma" is reserved. Lend it all the same?' }]);
  await runner.reject(pending[0]!, { reason: 'Grace comes today' });

  expect(lend.mock.calls).toEqual([['Persuasion', 'Ada']]);
  await expectPicture('02-a-policy', await sceneOf(runner));
});
