import type { PendingRequest } from '@adorn/core';
import type { InboxChange } from '@adorn/core/backend';
import { effect, signal } from '@preact/signals';

import { app } from '../page/address.js';
import { announcement } from '../page/appearance.js';
import { clientOf, type Fault, faultOf } from './connection.js';
import { type Decision, runOfAnswer } from './open-session.js';

/** A request that waits for the person at this page, in the session of whatever user. */
export type InboxRequest = InboxChange['request'];

/** The requests that wait, the oldest first. Undefined until they are known, and where the server has no inbox. */
export const inbox = signal<readonly InboxRequest[] | undefined>(undefined);
/** What came of the last answer. */
export const lastAnswer = signal<{ readonly text: string; readonly fault?: Fault } | undefined>(undefined);

/** Follows the inbox of the application on the page. */
export function followInbox(): void {
  effect(() => {
    const name = app.value;
    inbox.value = undefined;
    if (name === undefined) return undefined;
    const leaving = new AbortController();
    // A server without an index of requests has no inbox.
    follow(name, leaving).catch(() => undefined);
    return () => leaving.abort();
  });
}

async function follow(name: string, leaving: AbortController): Promise<void> {
  const client = clientOf(name);
  await client.inbox({ limit: 1 });
  if (leaving.signal.aborted) return;
  inbox.value = [];
  for await (const change of client.watchInbox({}, leaving)) apply(change);
}

function apply({ kind, request }: InboxChange): void {
  const others = (inbox.value ?? []).filter((one) => keyOf(one) !== keyOf(request));
  inbox.value = kind === 'closed' ? others : [...others, request].sort((a, b) => a.askedAt - b.askedAt);
  if (kind === 'opened') announcement.value = `${request.tool} of ${request.userId} waits.`;
}

/** Names a request among those of all sessions. */
export function keyOf({
  userId,
  sessionId,
  id,
}: Pick<PendingRequest, 'userId' | 'sessionId' | 'id'>): string {
  return JSON.stringify([userId, sessionId, id]);
}

/** Answers a request of the inbox. The run goes on in the session of its user. */
export async function answerInInbox(request: InboxRequest, decision: Decision): Promise<void> {
  const what = `${request.tool} of ${request.userId}`;
  try {
    const chat = clientOf(app.value).sessionOf(request);
    const { status } = await runOfAnswer(chat, request, decision);
    lastAnswer.value = { text: `${what}: ${DONE[decision.kind]}, ${WORDS[status] ?? status}.` };
  } catch (error) {
    lastAnswer.value = { text: what, fault: faultOf(error) };
  }
  announcement.value = lastAnswer.value.text;
}

const DONE = { approve: 'approved', reject: 'rejected', supply: 'supplied' } as const;
const WORDS: Readonly<Record<string, string>> = {
  answered: 'and the run has ended',
  paused: 'and the run waits on',
  failed: 'and the run has failed',
};
