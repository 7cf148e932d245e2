import { readdir, readFile } from 'node:fs/promises';

import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, inject, joinText, LlmAgent, MemoryService, tool } from 'adorn';

/** The handbook is kept as the memories of a user of its own, whom nobody signs in as. */
const HANDBOOK = { appName: 'shop', userId: 'handbook' };
const FOLDER = new URL('../handbook/', import.meta.url);

class Handbook {
  constructor(@inject(MemoryService) private readonly passages: MemoryService) {}

  /**
   * Find passages of the handbook of the shop.
   * @param query The words to look for.
   */
  @tool({ effect: 'read' })
  async searchHandbook(query: string): Promise<{ source: string; passage: string }[]> {
    const found = await this.passages.searchMemory(HANDBOOK, query, { limit: 3 });
    return found.map(({ author = '', content }) => ({ source: author, passage: joinText(content) }));
  }
}

/** Answers questions of customers. */
@agent({
  instruction:
    'Answer from the handbook alone, and name the source of each statement. Say so if it has no answer.',
  model: 'gemini-2.5-flash',
  tools: [Handbook],
})
class Desk extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('search_handbook', { query: 'send back broken goods, who pays the parcel' }),
  says('We pay for the parcel if the goods are broken (returns.md, Who pays).'),
);
await using runner = await createRunner(Desk, { appName: 'shop', model });
await index(runner.memory);
console.log(await runner.ask('The cup came broken. Who pays the parcel?', { userId: 'ada' }));
console.log('The model read:', model.requests[1]?.contents.at(-1)?.parts?.[0]?.functionResponse?.response);

/** Replaces the handbook: one passage for each heading of each page. */
async function index(memory: MemoryService): Promise<void> {
  await memory.deleteUser(HANDBOOK);
  for (const page of await readdir(FOLDER)) {
    const sections = (await readFile(new URL(page, FOLDER), 'utf8')).split(/^## /m).slice(1);
    const entries = sections.map((text) => ({
      author: `${page}, ${text.split('\n', 1).join()}`,
      content: { role: 'user', parts: [{ text: text.trim() }] },
    }));
    await memory.addMemory(HANDBOOK, entries);
  }
}
