import {
  createRunner,
  defineAgent,
  defineTool,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import { Database, sqlStorage } from '@adorn/storage';
import { callsTool, says } from '@adorn/testing';
import { sql } from 'kysely';

/** Calls the tool `note` for each message, then says that it was noted. */
class NotingModel extends Model {
  override readonly name = 'noting';

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    await new Promise((resolve) => setTimeout(resolve, 40));
    const [part] = contents.at(-1)?.parts ?? [];
    yield part?.functionResponse === undefined
      ? callsTool('note', { text: part?.text ?? '' })
      : says('noted');
  }
}

/** A runner whose one tool writes a row for each of its effects, and must not be repeated. */
export async function openClerk(url: string): Promise<Runner<unknown>> {
  const note = defineTool({
    name: 'note',
    description: 'Notes a text.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: async ({ text }) => {
      await runner
        .get(Database)
        .run((queries) => sql`insert into deeds (text) values (${String(text)})`.execute(queries));
      return 'noted';
    },
  });
  const root = defineAgent({ name: 'clerk', description: '', model: new NotingModel(), tools: [note] });
  const runner: Runner<unknown> = await createRunner(root, { modules: [sqlStorage(url, { poolSize: 5 })] });
  return runner;
}
