import { defineAgent } from 'adorn';

import type { Check } from '../check.js';
import { messageOf } from '../message-of.js';
import { answersIn, askRecorded, type Heard, hear } from './ask-recorded.js';
import { faultOfEvent } from './compare-event.js';
import { type ExpectedEvent, expectEvent } from './expected-event.js';
import { faultOfPieces } from './fault-of-pieces.js';
import type { Recording } from './recording.js';

/** Slips of a model, after which it is asked once more. */
const SLIPS: ReadonlySet<string | undefined> = new Set([
  'EMPTY_RESPONSE',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
]);

const ASKER = defineAgent({ name: 'asker', instruction: 'Answer.' });

/** Lets a question be answered with the recorded bytes, and compares the event that comes of it. */
export async function checkLoneAnswer({ path, exchanges }: Recording): Promise<Check> {
  const [exchange] = exchanges;
  if (!exchange) return { what: path, fault: 'there is no answer in it' };
  const stream = exchange.response.stream || /(^|[/\\])streaming-/.test(path);
  const vertexai = /vertex/.test(path);
  try {
    const heard = await askRecorded(ASKER, { exchanges: () => exchange, vertexai, stream }, (runner) =>
      hear(runner.run({ userId: 'user', sessionId: 'lone', message: 'Go on.' }), 1),
    );
    return { what: path, fault: faultOf(expectEvent(exchange.response), heard) };
  } catch (error) {
    return { what: path, fault: messageOf(error) };
  }
}

/** A slip comes twice: the model that is asked once more makes it again, and that answer ends the turn. */
function faultOf(expected: ExpectedEvent, { events, requests }: Heard): string | undefined {
  const answers = answersIn(events);
  const answer = answers.at(-1);
  const due = SLIPS.has(answer?.errorCode) ? 2 : 1;
  const pieces = events.filter(({ partial }) => partial);
  const surplus =
    requests.length === due && answers.length === due
      ? undefined
      : `${String(requests.length)} requests and ${String(answers.length)} answers, where ${String(due)} belong`;
  const isSame = answers.every(({ errorCode }) => errorCode === answer?.errorCode);
  return (
    faultOfEvent(expected, answer) ??
    faultOfPieces(pieces, answer) ??
    surplus ??
    (isSame ? undefined : 'the answers have different errors')
  );
}
