import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, Deny, type Guardrail, LlmAgent, tool } from 'adorn';

class Shelves {
  /** When a book appeared. @param title Its title. */
  @tool({ effect: 'read' })
  find(title: string): { title: string; year?: number } {
    return title === 'Orlando' ? { title, year: 1928 } : { title };
  }
}

/** Lets no year pass that no tool has returned: any number of four digits, as a word of its own. */
const noGuesses: Guardrail = {
  name: 'no-guesses',
  onTripwire: 'deny',
  check(text, { events }) {
    const found = yearsIn(JSON.stringify(events.flatMap(({ functionResponses }) => functionResponses)));
    const guessed = yearsIn(text).find((year) => !found.includes(year));
    return guessed === undefined ? undefined : new Deny(`No tool has returned ${guessed}.`);
  },
};

function yearsIn(text: string): readonly string[] {
  return text.match(/\b\d{4}\b/g) ?? [];
}

/** Knows the books of a library. */
@agent({ tools: [Shelves], outputGuardrails: [noGuesses] })
class Librarian extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('find', { title: 'The Waves' }),
  says('It appeared in 1931.'),
  says('I do not know when it appeared.'),
);
await using runner = await createRunner(Librarian, { model });
const { text, events } = await runner.run({ message: 'When did The Waves appear?' });
for (const { errorMessage } of events) if (errorMessage !== undefined) console.log(errorMessage);
console.log(text);
