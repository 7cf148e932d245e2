import type { Event } from '@adorn/core';
import { feedbackIn, settlementIn } from '@adorn/core/backend';

import { renderEvent } from '../../chat/render-event.js';
import { defineCommand } from '../../command/declaration.js';
import { count } from '../../command/parameter.js';
import { FILE, json } from '../../command/shared-parameters.js';
import { feedbackText } from '../../sessions/feedback-text.js';
import { SESSION_OPTIONS, storedSession } from '../../sessions/stored-session.js';
import { columnsOf } from '../../terminal/columns.js';
import type { Line } from '../../terminal/palette.js';
import { printJsonLine, printLines } from '../../terminal/print.js';
import { loadRunner } from '../load-runner.js';

/** The width of lines that are written to a file or a pipe. */
const PLAIN_WIDTH = 110;

/** `adorn sessions show`: the log of a conversation, with the ids of its runs and events. */
export const showCommand = defineCommand({
  name: 'show',
  summary: 'show a conversation, with the ids of its runs',
  arguments: { file: FILE },
  options: {
    ...SESSION_OPTIONS,
    last: count('<n>', 'only so many of the latest events (default: all)'),
    json: json('print each event as a line of JSON'),
  },
  notes: `
A heading before each run has its id, which \`adorn sessions rewind\`, \`adorn sessions fork\` and \`adorn undo\` take. Shown is the
whole log: also what a rewind has undone.`,
  examples: [
    'adorn sessions show . --store chats.db --session s1',
    'adorn sessions show . --store chats.db --session s1 --user ada --json',
  ],
  async run({ file, session: sessionId, user, last, json: isJson, ...options }, { bin, output }) {
    await using runner = await loadRunner(file, bin, options);
    const session = await storedSession(runner, user, sessionId);
    const events = last === undefined ? session.events : session.events.slice(-last);
    if (isJson) {
      for (const event of events) printJsonLine(output, event);
      return;
    }
    printLines(output, linesOf(events, columnsOf(process.stdout) ?? PLAIN_WIDTH));
  },
});

function linesOf(events: readonly Event[], width: number): Line[] {
  let before: string | undefined;
  return events.flatMap((event) => {
    const isFirst = event.invocationId !== before;
    before = event.invocationId;
    return [...(isFirst ? [headingOf(event)] : []), ...linesOfEvent(event, width)];
  });
}

function headingOf({ invocationId, timestamp }: Event): Line {
  return { tone: 'note', text: `── ${invocationId}  ${new Date(timestamp * 1_000).toISOString()}` };
}

function linesOfEvent(event: Event, width: number): Line[] {
  const { rewindBeforeInvocationId: undone } = event.actions;
  if (undone !== undefined) return [{ tone: 'note', text: `« rewound to before ${undone}` }];
  const feedback = feedbackIn(event);
  if (feedback) return [{ tone: 'note', text: `${feedbackText(feedback)} (on ${feedback.invocationId})` }];
  const settlement = settlementIn(event);
  if (settlement) {
    const { by, callId, happened, tool } = settlement;
    const said = happened ? 'happened' : 'did not happen';
    return [{ tone: 'note', text: `${by.id} says: ${tool} (${callId}) ${said}` }];
  }
  if (event.author === 'user' && event.text !== '') return [{ tone: 'title', text: `› ${event.text}` }];
  return renderEvent(event, { width });
}
