import type { RecordedExchange } from '@adorn/testing';

import { findDifference } from '../find-difference.js';
import { type RecordedBody, type RecordedContent, type RecordedPart, responsesIn } from './gemini-json.js';
import type { Recording } from './recording.js';

/** A conversation as it was recorded, in the form in which it is held again. */
export interface Conversation {
  readonly name: string;
  readonly exchanges: readonly RecordedExchange[];
  /** The body of each request. */
  readonly bodies: readonly RecordedBody[];
  /** What had been said before the first message that is sent. */
  readonly history: readonly RecordedContent[];
  readonly turns: readonly UserTurn[];
}

/** One message of the user's, and how often the model answers before the next one. */
export interface UserTurn {
  readonly message: readonly RecordedPart[];
  readonly answers: number;
}

export function isStreamed({ exchanges }: Conversation): boolean {
  return exchanges.some(({ request }) => request?.path.includes(':streamGenerateContent'));
}

/** The conversations of a file: a request that does not go on where the last one was begins a new one. */
export function conversationsOf({ path, exchanges }: Recording): Conversation[] {
  const runs: RecordedExchange[][] = [];
  for (const exchange of exchanges) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && goesOn(bodyOf(last), bodyOf(exchange))) run.push(exchange);
    else runs.push([exchange]);
  }
  return runs.map((run, index) =>
    toConversation(runs.length === 1 ? path : `${path} #${String(index + 1)}`, run),
  );
}

function bodyOf({ request }: RecordedExchange): RecordedBody {
  return request?.body ?? {};
}

function goesOn({ contents: before = [] }: RecordedBody, { contents: after = [] }: RecordedBody): boolean {
  return after.length > before.length && findDifference(before, after.slice(0, before.length)) === undefined;
}

function toConversation(name: string, exchanges: readonly RecordedExchange[]): Conversation {
  const bodies = exchanges.map(bodyOf);
  return {
    name,
    exchanges,
    bodies,
    history: bodies[0]?.contents?.slice(0, -1) ?? [],
    turns: turnsOf(bodies),
  };
}

function turnsOf(bodies: readonly RecordedBody[]): UserTurn[] {
  const turns: UserTurn[] = [];
  for (const { contents = [] } of bodies) {
    const said = contents.at(-1);
    const last = turns.at(-1);
    if (!last || responsesIn(said).length === 0) turns.push({ message: said?.parts ?? [], answers: 1 });
    else turns.splice(-1, 1, { ...last, answers: last.answers + 1 });
  }
  return turns;
}
