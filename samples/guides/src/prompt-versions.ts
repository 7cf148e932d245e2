import { createHash } from 'node:crypto';

import { says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  type CallbackContext,
  ContainerModule,
  createRunner,
  inject,
  LlmAgent,
  type ReadonlyContext,
} from 'adorn';

/** The texts of instructions, by version. In an application: files, or a table that editors write. */
abstract class Prompts {
  /** The version that a new conversation of a user begins with. */
  abstract current(userId: string): string;
  abstract text(version: string): string;
}

const VERSION = 'promptVersion';

/** Answers questions of customers. */
@agent({ model: 'gemini-2.5-flash' })
class Desk extends LlmAgent {
  constructor(@inject(Prompts) private readonly prompts: Prompts) {
    super();
  }

  override readonly instruction = ({ state }: ReadonlyContext) =>
    this.prompts.text(String(state.get(VERSION)));

  /** A conversation keeps the version that it began with. */
  override beforeAgent({ state, userId }: CallbackContext): void {
    if (state.get(VERSION) === undefined) state.set(VERSION, this.prompts.current(userId));
  }
}

class PromptTable extends Prompts {
  /** The share of users who get version 2, in percent. */
  share = 0;
  private readonly texts = new Map([
    ['1', 'Answer briefly.'],
    ['2', 'Answer briefly, and ask what else is needed.'],
  ]);

  override current(userId: string): string {
    return bucketOf(userId) < this.share ? '2' : '1';
  }

  override text(version: string): string {
    return this.texts.get(version) ?? this.text('1');
  }
}

const table = new PromptTable();
const model = new ScriptedModel(says('Hello.'), says('Hello.'), says('Hello.'));
const prompts = new ContainerModule(({ bind }) => {
  bind(Prompts).toConstantValue(table);
});
await using runner = await createRunner(Desk, { model, modules: [prompts] });

await say('monday');
table.share = 100;
await say('monday');
await say('tuesday');

async function say(sessionId: string): Promise<void> {
  const key = { userId: 'ada', sessionId };
  await runner.run({ ...key, message: 'Hello' });
  const session = await runner.sessions.getSession({ appName: runner.appName, ...key });
  const told = model.requests.at(-1)?.config.systemInstruction;
  console.log(sessionId, 'has version', session?.state[VERSION]);
  console.log(typeof told === 'string' ? told.split('\n').at(-1) : told);
}

/** A number from 0 to 99 that stays the same for a user. */
function bucketOf(userId: string): number {
  return createHash('sha256').update(userId).digest().readUInt32BE() % 100;
}
