import { readdirSync, readFileSync } from 'node:fs';

import { Conversation, MortalSessionService } from '../../agents/workflow/workflow.fixture.js';
import type { PendingRequest, Run, Runner } from '../../index.js';
import { AgentTree, type Tree } from './agent-tree.fixture.js';
import { type EventRow, rowOf, sortedRows } from './event-rows.fixture.js';

/** A message or an answer, and the events that the session then stores. Each has a process of its own. */
interface Turn {
  readonly say?: string;
  readonly state?: Record<string, unknown>;
  /** The run is cancelled when this agent has answered. */
  readonly cancelAfter?: string;
  /** Number of the pending request, from 0. */
  readonly approve?: number;
  readonly reject?: number;
  readonly events: readonly EventRow[];
}

interface Sequence {
  readonly says: string;
  readonly tree: Tree;
  readonly turns: readonly Turn[];
  /** The texts that the models of these agents were shown at their last calls. */
  readonly seen?: Readonly<Record<string, readonly string[]>>;
  /** The first turn is also played with a process that dies behind each event, and is resumed. */
  readonly survivesDeath?: boolean;
}

const FOLDER = new URL('./', import.meta.url);
const sequences = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Sequence);

describe('the events of a session', () => {
  it.each(sequences)('are as pinned: $says', async ({ tree, turns, seen = {} }) => {
    const { root, models } = new AgentTree(tree);
    const conversation = new Conversation(root);
    const stored: EventRow[][] = [];
    let count = 0;
    for (const turn of turns) {
      await play(await conversation.open(), turn);
      const events = await conversation.stored();
      stored.push(sortedRows(events.slice(count).map(rowOf)));
      count = events.length;
    }

    expect(stored).toEqual(turns.map(({ events }) => events));
    for (const [name, texts] of Object.entries(seen))
      expect([name, models.get(name)?.seen]).toEqual([name, texts]);
  });

  it.each(sequences.filter(({ survivesDeath }) => survivesDeath))(
    'are as pinned, also where a process dies behind each of them: $says',
    async ({ tree, turns: [turn] }) => {
      const count = turn!.events.length;
      for (let died = 1; died < count; died++) {
        const sessions = new MortalSessionService();
        const conversation = new Conversation(new AgentTree(tree).root, sessions);
        sessions.left = died;
        await play(await conversation.open(), turn!).catch(() => undefined);
        sessions.left = Infinity;

        await (await conversation.open()).resume(Conversation.address);

        const rows = sortedRows((await conversation.stored()).map(rowOf));
        expect([died, rows]).toEqual([died, turn!.events]);
      }
    },
  );
});

async function play(runner: Runner<unknown>, turn: Turn): Promise<void> {
  const run = begin(runner, turn, await runner.pending(Conversation.address));
  for await (const event of run) if (event.author === turn.cancelAfter && event.text !== '') run.cancel();
}

function begin(runner: Runner<unknown>, turn: Turn, pending: readonly PendingRequest[]): Run<unknown> {
  const { say, state, approve, reject } = turn;
  if (say !== undefined)
    return runner.run({ ...Conversation.address, message: say, ...(state && { stateDelta: state }) });
  const request = pending[approve ?? reject ?? 0];
  if (request === undefined) throw new Error('Nothing is pending.');
  return approve === undefined ? runner.reject(request) : runner.approve(request);
}
