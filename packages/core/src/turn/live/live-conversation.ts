import type { Content } from '../../content/genai-types.js';
import type { EventSink } from '../../events/event-sink.js';
import type { Event } from '../../events/event.js';
import { logOf } from '../../events/session.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import type { LiveLine } from '../../invocation/live/live-line.js';
import { LiveCalls } from './live-calls.js';
import { toldAsText } from './live-words.js';

/** What the agents of a live session share. */
export class LiveConversation {
  readonly calls = new LiveCalls();
  /** True if the user, or a result, waits for the model. */
  isOwed: boolean;
  /** What was stored since the newest handle: a connection that is continued by it does not know it. */
  private sinceHandle: Content[] = [];

  private constructor(
    private readonly line: LiveLine,
    context: InvocationContext,
  ) {
    this.isOwed = isUnanswered(context);
  }

  /** The conversation of a session. The first agent begins it. */
  static of(line: LiveLine, context: InvocationContext): LiveConversation {
    let conversation = conversations.get(line);
    if (!conversation) {
      conversation = new LiveConversation(line, context);
      conversations.set(line, conversation);
    }
    return conversation;
  }

  /** Has the model read a text. @param respond true if it answers it */
  tell(text: string, respond: boolean): void {
    if (respond) this.isOwed = true;
    this.line.sendContents([{ role: 'user', parts: [{ text }] }], respond);
  }

  async store(event: Event, sink: EventSink): Promise<void> {
    await sink.emit(event);
    this.remember(event);
  }

  /** Notes a stored event, which a connection that is continued has to be told. */
  remember(event: Event): void {
    // Without a handle, the next connection gets the whole history.
    const told = this.line.resumptionHandle === undefined ? undefined : toldAsText(event);
    if (told) this.sinceHandle.push(told);
  }

  /** The newest connection, or the newest handle, has everything. */
  forgetStored(): void {
    this.sinceHandle = [];
  }

  /** Tells a connection that was continued what was stored since its handle. */
  catchUp(): void {
    this.line.sendContents(this.sinceHandle, this.isOwed);
  }
}

const conversations = new WeakMap<LiveLine, LiveConversation>();

function isUnanswered({ session }: InvocationContext): boolean {
  const last = logOf(session).at(-1);
  return last?.author === 'user' && last.text !== '';
}
