import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Archive {
  /** Read a page. @param page Its number. */
  @tool({ effect: 'read' })
  readPage(page: number): string {
    return `Page ${String(page)}: ${'words '.repeat(1_000)}`;
  }
}

/** Reads an archive. */
@agent({ tools: [Archive] })
class Reader extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('read_page', { page: 1 }),
  callsTool('read_page', { page: 2 }),
  callsTool('read_page', { page: 3 }),
  says('I have read all pages.'),
);
await using runner = await createRunner(Reader, { model, context: { window: 5_000 } });

console.log(await runner.ask('Read all pages.', { userId: 'ada', sessionId: 's1' }));

const [page] = model.requests.at(-1)?.contents[2]?.parts ?? [];
console.log(page?.functionResponse?.response?.['note']);
