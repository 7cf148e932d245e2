import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { Command, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';

import { MOST_STEPS, play } from '../../build/peers/play.js';

/** The savers for SQLite and PostgreSQL need a native build or a server: what this one keeps is in a file after each step. */
class FileSaver extends MemorySaver {
  constructor(folder) {
    super();
    this.file = join(folder, 'checkpoints');
    if (existsSync(this.file)) Object.assign(this, deserialize(readFileSync(this.file)));
  }

  async put(...given) {
    const config = await super.put(...given);
    this.write();
    return config;
  }

  async putWrites(...given) {
    await super.putWrites(...given);
    this.write();
  }

  write() {
    writeFileSync(this.file, serialize({ storage: this.storage, writes: this.writes }));
  }
}

await play(({ baseUrl, folder, charge, look, isAsked }) => {
  const model = new ChatOpenAI({
    model: 'local',
    apiKey: 'test',
    maxRetries: 0,
    configuration: { baseURL: baseUrl },
    useResponsesApi: false,
  });
  const agent = createAgent({
    name: 'desk',
    model,
    tools: [
      tool(charge, {
        name: 'charge',
        description: 'Charges an invoice.',
        schema: z.object({ invoice: z.string() }),
      }),
      tool(look, { name: 'look', description: 'Looks.', schema: z.object({ bytes: z.number() }) }),
    ],
    middleware: isAsked ? [humanInTheLoopMiddleware({ interruptOn: { charge: true } })] : [],
    checkpointer: folder === undefined ? new MemorySaver() : new FileSaver(folder),
  });

  async function goOn(session, input) {
    const config = { configurable: { thread_id: session }, recursionLimit: 2 * MOST_STEPS + 2 };
    const { messages } = await agent.invoke(input, config);
    return String(messages.at(-1).content);
  }
  const say = (session, content) => goOn(session, { messages: [{ role: 'user', content }] });
  return {
    say,
    async ask(session, text) {
      await say(session, text);
      return () => goOn(session, new Command({ resume: { decisions: [{ type: 'approve' }] } }));
    },
    // Without an input, the graph goes on from its last checkpoint.
    recover: (session) => goOn(session, null),
  };
});
