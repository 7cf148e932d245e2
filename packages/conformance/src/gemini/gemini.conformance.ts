import { join } from 'node:path';

import { type CheckGroup, type Section, timed } from '../check.js';
import { sideBySide } from '../side-by-side.js';
import type { Suite } from '../suite.js';
import { checkConversation } from './check-conversation.js';
import { checkLoneAnswer } from './check-lone-answer.js';
import { conversationsOf } from './conversation.js';
import { listRecordings } from './list-recordings.js';
import { isConversation, type Recording } from './recording.js';
import { outOfScope } from './scope.js';

const FOLDER = 'gemini-wire';

/** Every recording of Gemini's wire, held to what it says. */
export const geminiConformance: Suite = {
  name: 'gemini',
  summary: "recorded traffic of Gemini's API: conversations, follow-ups, lone answers",
  takes: 'about 2 seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const recordings = await listRecordings(join(fixtures, FOLDER));
    for (const group of new Set(recordings.map((recording) => recording.group))) {
      const own = recordings.filter((recording) => recording.group === group);
      const used = own.filter((recording) => outOfScope(recording) === undefined);
      const leftOut = own.flatMap(tellLeftOut);
      yield { ...(await timed(group, () => checkGroup(used))), leftOut };
    }
  },
};

function tellLeftOut(recording: Recording): string[] {
  const reason = outOfScope(recording);
  return reason === undefined ? [] : [`${recording.path} (${reason})`];
}

async function checkGroup(recordings: readonly Recording[]): Promise<CheckGroup[]> {
  const conversations = recordings.filter(isConversation).flatMap(conversationsOf);
  const held = await sideBySide(conversations, 1, checkConversation);
  const loneAnswers = recordings.filter((recording) => !isConversation(recording));
  const lone = await sideBySide(loneAnswers, 1, checkLoneAnswer);
  return [
    { name: 'conversations', checks: held.map(({ end }) => end) },
    { name: 'first requests', checks: held.map(({ firstRequest }) => firstRequest) },
    { name: 'follow-ups', checks: held.flatMap(({ followUps }) => followUps) },
    { name: 'lone answers', checks: lone },
  ].filter(({ checks }) => checks.length > 0);
}
