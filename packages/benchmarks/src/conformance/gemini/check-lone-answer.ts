import { defineAgent } from 'adorn';

import type { Check } from '../check.js';
import { messageOf } from '../../message-of.js';
import { answersIn, askRecorded, type Heard, hear } from './ask-recorded.js';
import { faultOfEvent } from './compare-event.js';
import { type ExpectedEvent, expectEvent } from './expected-event.js';
import { faultOfPieces } from './fault-of-pieces.js';
import type { Recording } from './recording.js';

const ASKER = defineAgent({ name: 'asker', instruction: 'Answer.' });

/** Lets a question be answered with the recorded bytes, and compares the event that comes of it. */
export async function checkLoneAnswer({ path, exchanges }: Recording): Promise<Check> {
  const [exchange] = exchanges;
  if (!exchange) return { what: path, fault: 'there is no answer in it' };
  const stream = exchange.response.stream || /(^|[/\\])streaming-/.test(path);
  const vertexai = /vertex/.test(path);
  try {
    const heard = await askRecorded(ASKER, { exchanges, vertexai, stream }, (runner) =>
      hear(runner.run({ userId: 'user', sessionId: 'lone', message: 'Go on.' }), 1),
    );
    return { what: path, fault: faultOf(expectEvent(exchange.response), heard) };
  } catch (error) {
    return { what: path, fault: messageOf(error) };
  }
}

function faultOf(expected: ExpectedEvent, { events }: Heard): string | undefined {
  const [answer, ...more] = answersIn(events);
  const pieces = events.filter(({ partial }) => partial);
  const surplus = more.length > 0 ? `${String(more.length)} more answers came` : undefined;
  return faultOfEvent(expected, answer) ?? faultOfPieces(pieces, answer) ?? surplus;
}
