import { batch, signal } from '@preact/signals';

import { app } from '../page/address.js';
import { announcement } from '../page/appearance.js';
import { faultOf, liveAddress } from '../server/connection.js';
import { fault, reload, requireSession } from '../server/open-session.js';
import { loadSessions } from '../server/session-list.js';
import { type Microphone, openMicrophone } from './microphone.js';
import { Speaker } from './speaker.js';

/** The live conversation of the page; undefined if there is none. */
export const liveStatus = signal<'connecting' | 'open' | undefined>(undefined);
/** The loudness of the microphone, from 0 to 1. */
export const level = signal(0);
/** What is being said, as it grows. What was said is in the conversation. */
export const transcript = signal<{ readonly who: 'user' | 'agent'; readonly text: string } | undefined>(
  undefined,
);

/** What the page reads of an event. */
interface LiveEvent {
  readonly partial?: boolean;
  readonly interrupted?: boolean;
  readonly errorMessage?: string;
  readonly inputTranscription?: { readonly text?: string };
  readonly outputTranscription?: { readonly text?: string };
  readonly content?: {
    readonly parts?: readonly {
      readonly inlineData?: { readonly mimeType?: string; readonly data?: string };
    }[];
  };
}

const NORMAL = 1000;
let end: (() => void) | undefined;

/** Begins a live conversation in the session of the page, or in a new one. */
export async function startLive(): Promise<void> {
  if (liveStatus.value !== undefined) return;
  liveStatus.value = 'connecting';
  try {
    const chat = await requireSession('Live conversation');
    await converse(liveAddress(app.value ?? '', chat.id));
  } catch (error) {
    fault.value = error instanceof DOMException ? microphoneFault(error) : faultOf(error);
    liveStatus.value = undefined;
  }
}

/** Ends the live conversation. */
export function endLive(): void {
  end?.();
}

async function converse(address: string): Promise<void> {
  const opened: { socket?: WebSocket } = {};
  const microphone: Microphone = await openMicrophone((speech, loudness) => {
    level.value = loudness;
    if (opened.socket?.readyState !== WebSocket.OPEN) return;
    const blob = { mime_type: microphone.mimeType, data: base64(speech) };
    opened.socket.send(JSON.stringify({ blob }));
  });
  const speaker = new Speaker();
  const socket = new WebSocket(address);
  opened.socket = socket;
  end = () => socket.close(NORMAL);
  socket.onopen = () => {
    liveStatus.value = 'open';
    announcement.value = 'The live conversation is open.';
  };
  socket.onmessage = ({ data }: MessageEvent<string>) => take(JSON.parse(data) as LiveEvent, speaker);
  socket.onclose = ({ code, reason }) => {
    microphone.close();
    speaker.close();
    end = undefined;
    batch(() => {
      liveStatus.value = undefined;
      transcript.value = undefined;
      level.value = 0;
      if (code !== NORMAL) fault.value = { code: 'LIVE', message: reason || 'The live connection was lost.' };
    });
    void reload().then(loadSessions, () => undefined);
  };
}

function take(event: LiveEvent, speaker: Speaker): void {
  if (event.interrupted === true) speaker.stop();
  for (const { inlineData } of event.content?.parts ?? [])
    if (inlineData?.mimeType?.startsWith('audio/') === true)
      speaker.play(inlineData.data ?? '', inlineData.mimeType);
  if (event.partial !== true) {
    transcript.value = undefined;
    void reload().catch(() => undefined);
    return;
  }
  const heard = event.inputTranscription?.text;
  const said = event.outputTranscription?.text;
  if (heard !== undefined) hear('user', heard);
  if (said !== undefined) hear('agent', said);
}

function hear(who: 'user' | 'agent', piece: string): void {
  const before = transcript.value?.who === who ? transcript.value.text : '';
  transcript.value = { who, text: before + piece };
}

function microphoneFault({ name, message }: DOMException) {
  const cure =
    name === 'NotAllowedError' ? 'Allow this page to use the microphone.' : 'Connect a microphone.';
  return { code: 'MICROPHONE', message: message || 'The microphone cannot be used.', cure };
}

function base64(speech: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(speech)) text += String.fromCharCode(byte);
  return btoa(text);
}
