import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** How many messages, and characters of them, are kept for a client whose stream broke. */
const MOST_MESSAGES = 256;
const MOST_CHARACTERS = 4_194_304;

interface KeptMessage {
  readonly id: string;
  readonly streamId: string;
  readonly text: string;
}

/** The latest messages to one client, so that it can take up a stream that broke. */
export class RecentMessages implements EventStore {
  private readonly kept: KeptMessage[] = [];
  private characters = 0;
  private last = 0;

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.last);
    const text = JSON.stringify(message);
    this.kept.push({ id, streamId, text });
    this.characters += text.length;
    while (this.kept.length > MOST_MESSAGES || (this.characters > MOST_CHARACTERS && this.kept.length > 1))
      this.characters -= this.kept.shift()?.text.length ?? 0;
    return Promise.resolve(id);
  }

  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return Promise.resolve(this.kept.find(({ id }) => id === eventId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const index = this.kept.findIndex(({ id }) => id === lastEventId);
    const streamId = this.kept[index]?.streamId;
    if (streamId === undefined) return '';
    const missed = this.kept.slice(index + 1).filter((message) => message.streamId === streamId);
    for (const { id, text } of missed) if (text !== '{}') await send(id, JSON.parse(text) as JSONRPCMessage);
    return streamId;
  }
}
