import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, ContainerModule, createRunner, inject, LlmAgent, tool, ToolContext, ToolError } from 'adorn';

// 6. A service is an ordinary class behind a token; a module binds the implementation.
abstract class Shelf {
  abstract copiesOf(title: string): number;
  abstract lend(title: string, reader: string): void;
}

class SmallShelf extends Shelf {
  private readonly copies = new Map([
    ['Dune', 1],
    ['Emma', 0],
  ]);

  override copiesOf(title: string): number {
    return this.copies.get(title) ?? 0;
  }

  override lend(title: string, reader: string): void {
    this.copies.set(title, this.copiesOf(title) - 1);
    console.log(`${reader} has ${title}`);
  }
}

class Library {
  constructor(@inject(Shelf) private readonly shelf: Shelf) {}

  // 1. The signature is the schema, the doc comment the description. 2. `effect` says what a call does.
  /**
   * Tells how many copies of a book are on the shelf.
   *
   * @param title such as "Dune"
   */
  @tool({ effect: 'read' })
  countCopies(title: string): number {
    return this.shelf.copiesOf(title);
  }

  /**
   * Lends a book to the reader.
   *
   * @param title such as "Dune"
   * @param weeks how long @minimum 1 @maximum 8
   */
  @tool({
    effect: 'write',
    // 3. Who has to agree, and when, is an option: the model cannot talk its way around it.
    confirm: (title, weeks) => weeks > 4 && `Lend ${title} for ${String(weeks)} weeks?`,
    // 8. An effect that must not happen twice has a key.
    once: (title) => ({ title }),
  })
  lend(title: string, weeks: number, context: ToolContext): string {
    // 4. A ToolError is for the model to read; the text of any other error stays hidden from it.
    if (this.shelf.copiesOf(title) === 0) throw new ToolError(`No copy of ${title} is left.`);
    // 5. Who the user is comes from the context, never from an argument that the model fills in.
    this.shelf.lend(title, context.userId);
    context.state.set('user:lastBook', title);
    return `until week ${String(weeks)}`;
  }
}

/** Answers readers of the library. */
@agent({ model: 'gemini-2.5-flash', tools: [Library], instruction: 'Help readers. Guess nothing.' })
class Librarian extends LlmAgent {}

const services = new ContainerModule(({ bind }) => void bind(Shelf).to(SmallShelf).inSingletonScope());

// 9. A test scripts the model, and needs no key.
const model = new ScriptedModel(
  callsTool('lend', { title: 'Dune', weeks: 6 }),
  says('Enjoy it.'),
  callsTool('lend', { title: 'Emma', weeks: 2 }),
  says('Sorry, it is out.'),
);

// 10. A runner is created once, and closed at the end.
await using runner = await createRunner(Librarian, { modules: [services], model });

const conversation = { userId: 'ada', sessionId: 'desk' };
const run = await runner.run({ ...conversation, message: 'Dune for six weeks, please.' });

// 7. A run that waits for a person is a result like any other: its requests are in `pending`.
for (const request of run.pending) {
  console.log(`asks: ${String(request.hint)}`);
  const { text } = await runner.approve(request, { by: 'ada' });
  console.log(text);
}

const { events, text } = await runner.run({ ...conversation, message: 'And Emma?' });
const [response] = events.flatMap(({ functionResponses }) => functionResponses);
console.log(response?.response, text);
