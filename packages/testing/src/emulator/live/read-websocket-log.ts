import { readFile } from 'node:fs/promises';

import { recordingUnreadable } from '../errors.js';
import { GEMINI_LIVE_WIRE } from './gemini-live.wire.js';
import type { HeardMessage, LiveJson } from './live-message.js';
import type { LiveWireStep } from './live-step.js';

/** One message of a recorded conversation. */
export interface RecordedFrame {
  readonly from: 'client' | 'server';
  /** The message as it was recorded. */
  readonly text: string;
}

/**
 * Reads a log of a WebSocket, as js-genai records them: for each message `>` (sent) or `<` (received), its length in bytes,
 * a space, the message, and a line feed.
 *
 * @throws SyntaxError naming the file and the byte where it does not have this form
 */
export async function readWebSocketLog(file: string): Promise<RecordedFrame[]> {
  const bytes = await readFile(file);
  const frames: RecordedFrame[] = [];
  for (let at = 0; at < bytes.length;) {
    const head = /^([<>])(\d+) /.exec(bytes.toString('latin1', at, at + 24));
    if (head === null) throw recordingUnreadable(file, `there is no message at byte ${String(at)}`);
    const start = at + head[0].length;
    const end = start + Number(head[2]);
    if (end > bytes.length) throw recordingUnreadable(file, 'it ends in the middle of a message');
    frames.push({ from: head[1] === '>' ? 'client' : 'server', text: bytes.toString('utf8', start, end) });
    at = bytes[end] === 0x0a ? end + 1 : end;
  }
  return frames;
}

/**
 * A recorded conversation with Gemini as the steps of one connection: the messages of the server as they are, each after
 * what the client had sent before it. The client may cut its audio differently.
 */
export function replaysConversation(frames: readonly RecordedFrame[]): LiveWireStep[] {
  const dialect = GEMINI_LIVE_WIRE.connect('');
  return frames.flatMap(({ from, text }): LiveWireStep[] => {
    if (from === 'server') return [{ kind: 'frame', frame: Buffer.from(text) }];
    return dialect.read(JSON.parse(text) as LiveJson).heard.map((message) => awaits(message));
  });
}

function awaits(recorded: HeardMessage): LiveWireStep {
  if (recorded.kind === 'setup') return { kind: 'setup', isAccepted: false };
  if (recorded.kind === 'audio') return { kind: 'hearAudio', bytes: recorded.bytes.length };
  return {
    kind: 'hear',
    isHeard: ({ kind }) => kind === recorded.kind,
    what: `a message of kind "${recorded.kind}"`,
  };
}
