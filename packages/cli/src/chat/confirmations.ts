import type { PendingRequest, Event } from '@adorn/core';

import { followTurn } from './follow-turn.js';
import type { Screen } from './screen.js';
import type { ChatSession } from './chat-session.js';
import { inDeclaredOrder, wholeCall } from './whole-call.js';
import { counted } from '../terminal/counted.js';

/** A person's answer to a question. */
type Verdict = Decided | { readonly kind: 'unclear' };
type Decided = { readonly kind: 'yes' } | { readonly kind: 'no'; readonly reason?: string };

const CHANNEL = 'terminal';
const NO_ANSWER: Decided = { kind: 'no', reason: 'no answer was given' };

/**
 * Asks for each pending confirmation and continues the turn, until none is pending. A question without an answer
 * stays open, and is asked again when the conversation is continued.
 */
export async function settleConfirmations(chat: ChatSession): Promise<void> {
  for (let request = await nextConfirmation(chat); request; request = await nextConfirmation(chat)) {
    const verdict = await ask(chat, request);
    if (!verdict) return;
    chat.times.begin(request.functionCallId);
    const label = request.tool;
    await followTurn(chat, answer(chat, request, verdict), {
      cancel: (id = '') => chat.runner.cancel(id),
      label,
    });
  }
}

/** The next pending confirmation. Requests of other kinds are only shown. */
async function nextConfirmation({
  runner,
  userId,
  sessionId,
  screen,
}: ChatSession): Promise<PendingRequest | undefined> {
  const pending = await runner.pending({ userId, sessionId });
  const confirmation = pending.find(({ kind }) => kind === 'confirmation');
  if (confirmation) return confirmation;
  for (const { kind, tool } of pending)
    screen.note(`${tool} needs a ${kind}, which this chat cannot provide.`);
  return undefined;
}

async function ask(chat: ChatSession, { tool, args, hint }: PendingRequest): Promise<Decided | undefined> {
  const { input, screen, runner } = chat;
  const question = (hint?.trim() || `Run ${tool}?`).replace(/\s+/g, ' ');
  screen.lines([{ tone: 'question', text: `? ${question}` }]);
  const call = new PagedCall(
    wholeCall(tool, inDeclaredOrder(runner.root, tool, args), screen.width - 2),
    screen,
  );
  call.show(input.isInteractive ? screen.height : Infinity);
  for (;;) {
    const answer = await input.readAnswer(call.isShown ? '  y/n › ' : '  Enter/a/n › ');
    if (answer === undefined) return input.isInteractive ? undefined : NO_ANSWER;
    if (!call.isShown && /^\s*a?\s*$/i.test(answer)) {
      call.show(answer.trim() === '' ? screen.height : Infinity);
      continue;
    }
    const verdict = verdictOf(answer);
    if (verdict.kind === 'no' || (verdict.kind === 'yes' && call.isShown)) return verdict;
    if (call.isShown) screen.note('  y runs it, n does not; add a reason if you like: "n too expensive".');
    else call.tellHidden();
  }
}

/** The lines of a call. A yes counts only after all of them were shown. */
class PagedCall {
  private shown = 0;

  constructor(
    private readonly lines: readonly string[],
    private readonly screen: Screen,
  ) {}

  get isShown(): boolean {
    return this.shown >= this.lines.length;
  }

  show(count: number): void {
    const page = this.lines.slice(this.shown, this.shown + count);
    this.screen.lines(page.map((text) => ({ tone: 'question', text: `  ${text}` })));
    this.shown += page.length;
    if (!this.isShown) this.tellHidden();
  }

  tellHidden(): void {
    const hidden = this.lines.length - this.shown;
    this.screen.note(
      `  ${counted(hidden, 'line')} of ${String(this.lines.length)} not shown yet. ` +
        'Enter shows more, a shows all, n refuses; y is accepted once all lines are shown.',
    );
  }
}

function answer(
  { runner, userId: by }: ChatSession,
  request: PendingRequest,
  verdict: Decided,
): AsyncIterable<Event> {
  if (verdict.kind === 'yes') return runner.approve(request, { by, channel: CHANNEL });
  const { reason } = verdict;
  return runner.reject(request, { by, channel: CHANNEL, ...(reason !== undefined && { reason }) });
}

export function verdictOf(answer: string): Verdict {
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return { kind: 'yes' };
  const no = /^\s*no?(?:[\s,.:;-]+(?<reason>.*?))?\s*$/i.exec(answer);
  if (no === null) return { kind: 'unclear' };
  const reason = no.groups?.['reason'] ?? '';
  return reason === '' ? { kind: 'no' } : { kind: 'no', reason };
}
