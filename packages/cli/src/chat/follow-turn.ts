import type { Event } from '@adorn/core';
import { isRetried, sentAs } from '@adorn/core/backend';

import { PROMPT } from './chat-input.js';
import type { ChatSession } from './chat-session.js';
import { renderEvent, shownCalls } from './render-event.js';
import { steer } from './steering.js';

export interface FollowOptions {
  /** Called on Ctrl-C, with the id of the invocation if an event has arrived. */
  readonly cancel: (invocationId: string | undefined) => void;
  /** The label of the spinner until the first event. */
  readonly label?: string;
}

const THINKING = 'thinking';

/** Shows the events of a turn as they come, sends what is typed meanwhile, and lets Ctrl-C end it. */
export async function followTurn(
  chat: ChatSession,
  events: AsyncIterable<Event>,
  { cancel, label = THINKING }: FollowOptions,
): Promise<void> {
  let invocationId: string | undefined;
  const stopListening = chat.input.onInterrupt(() => {
    cancel(invocationId);
  });
  const stopSending = chat.input.onLine((line) => steer(chat, line));
  const view = new TurnView(chat, label);
  try {
    for await (const event of events) {
      invocationId = event.invocationId;
      if (!event.partial) chat.onEvent?.(event);
      view.show(event);
    }
  } finally {
    stopListening();
    stopSending();
    chat.screen.rest();
  }
}

/** Shows the events of one turn. */
class TurnView {
  /** True if the text of the next complete event was shown in pieces already. */
  private isStreamed = false;

  constructor(
    private readonly chat: ChatSession,
    private label: string,
  ) {
    this.wait(label);
  }

  show(event: Event): void {
    if (event.partial) this.showPiece(event);
    else this.showWhole(event);
  }

  private showPiece(event: Event): void {
    if (event.text !== '') {
      this.chat.screen.stream(event.text);
      this.isStreamed = true;
      return;
    }
    this.write(event);
    this.wait(this.label);
  }

  private showWhole(event: Event): void {
    this.write(event);
    this.isStreamed = false;
    this.chat.usage.add(event);
    const isFault = event.errorCode !== undefined && event.errorCode !== 'CANCELLED';
    if (isFault && !isRetried(event)) this.chat.faults += 1;
    this.waitForCalls(event);
  }

  private write(event: Event): void {
    const { screen, times } = this.chat;
    const { width } = screen;
    if (sentAs(event) !== undefined) screen.note(`${PROMPT}${event.text}`);
    screen.lines(renderEvent(event, { width, withoutText: this.isStreamed, tookOf: times.tookOf }));
  }

  private waitForCalls(event: Event): void {
    const calls = shownCalls(event);
    for (const { id = '' } of calls) this.chat.times.begin(id);
    if (calls.length > 0) this.wait(calls.map(({ name = '' }) => name).join(', '));
    else if (!event.isFinalResponse) this.wait(THINKING);
  }

  private wait(label: string): void {
    this.label = label;
    this.chat.screen.wait(label);
  }
}
