// Speaks with whoever connects, by Gemini's Live API or OpenAI's Realtime API: a frame of speech each 20 ms, a word each 200 ms, a turn each
// two seconds. Prints where it listens. Asked `delays`, it tells the milliseconds in which frames have arrived, and forgets them.
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

import { ageOf, stampedFrame } from './stamped-frame.js';

const FRAME_MS = 20;
const MODEL_FRAME = 960;

interface Wire {
  readonly greeting: readonly object[];
  /** The answer to the setup; undefined for any other message. */
  readonly accept: (message: Message) => readonly object[] | undefined;
  readonly audioIn: (message: Message) => string | undefined;
  readonly beginTurn: (turn: number) => readonly object[];
  readonly audio: (data: string, turn: number) => readonly object[];
  readonly word: (text: string, turn: number) => readonly object[];
  readonly endTurn: (turn: number) => readonly object[];
}

type Message = Readonly<Record<string, unknown>> & {
  readonly realtimeInput?: {
    readonly audio?: { readonly data: string };
    readonly mediaChunks?: readonly { readonly data: string }[];
  };
};

const GEMINI: Wire = {
  greeting: [],
  accept: (message) => (message['setup'] === undefined ? undefined : [{ setupComplete: {} }]),
  audioIn: ({ realtimeInput: input }) => (input?.audio ?? input?.mediaChunks?.[0])?.data,
  beginTurn: () => [],
  audio: (data) => [
    { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }] } } },
  ],
  word: (text) => [{ serverContent: { outputTranscription: { text } } }],
  endTurn: () => [{ serverContent: { generationComplete: true } }, { serverContent: { turnComplete: true } }],
};

const OPENAI: Wire = {
  greeting: [openAi('session.created', { session: { type: 'realtime', id: 'sess_1' } })],
  accept: ({ type, session }) =>
    type === 'session.update' ? [openAi('session.updated', { session })] : undefined,
  audioIn: ({ type, audio }) => (type === 'input_audio_buffer.append' ? String(audio) : undefined),
  beginTurn: begun,
  audio: (delta, turn) => [openAi('response.output_audio.delta', { ...placeOf(turn), delta })],
  word: (delta, turn) => [openAi('response.output_audio_transcript.delta', { ...placeOf(turn), delta })],
  endTurn: (turn) => {
    const place = placeOf(turn);
    const item = itemOf(turn, 'completed');
    const response = {
      id: place.response_id,
      object: 'realtime.response',
      status: 'completed',
      output: [item],
    };
    return [
      openAi('response.output_audio.done', place),
      openAi('response.output_audio_transcript.done', { ...place, transcript: 'word' }),
      openAi('response.output_item.done', { ...place, item }),
      openAi('response.done', { response }),
    ];
  },
};

/** Begins the response of a turn. */
function begun(turn: number): readonly object[] {
  const place = placeOf(turn);
  const response = { id: place.response_id, object: 'realtime.response', status: 'in_progress', output: [] };
  return [
    openAi('response.created', { response }),
    openAi('response.output_item.added', { ...place, item: itemOf(turn, 'in_progress') }),
  ];
}

function placeOf(turn: number) {
  return {
    response_id: `resp_${String(turn)}`,
    item_id: `item_${String(turn)}`,
    output_index: 0,
    content_index: 0,
  };
}

function itemOf(turn: number, status: string): object {
  const content = [{ type: 'output_audio', transcript: 'word' }];
  return {
    id: `item_${String(turn)}`,
    object: 'realtime.item',
    type: 'message',
    role: 'assistant',
    status,
    content,
  };
}

function openAi(type: string, fields: object): object {
  return { type, event_id: `event_${type}`, ...fields };
}

let delays: number[] = [];
let turns = 0;

function converse(socket: WebSocket, wire: Wire): void {
  const send = (messages: readonly object[]): void => {
    for (const message of messages) socket.send(JSON.stringify(message));
  };
  let stop = (): void => undefined;
  socket.on('message', (bytes) => {
    const message = JSON.parse((bytes as Buffer).toString()) as Message;
    const audio = wire.audioIn(message);
    if (audio !== undefined) delays.push(ageOf(Buffer.from(audio, 'base64')));
    const accepted = wire.accept(message);
    if (!accepted) return;
    send(accepted);
    stop();
    stop = speak(send, wire);
  });
  socket.on('close', () => {
    stop();
  });
  socket.on('error', () => {
    stop();
  });
  send(wire.greeting);
}

/** @returns a function that ends it */
function speak(send: (messages: readonly object[]) => void, wire: Wire): () => void {
  let turn = ++turns;
  let frame = 0;
  const timer = setInterval(() => {
    if (frame % 100 === 0) send(wire.beginTurn(turn));
    frame++;
    send(wire.audio(Buffer.from(stampedFrame(MODEL_FRAME).buffer).toString('base64'), turn));
    if (frame % 10 === 0) send(wire.word('word ', turn));
    if (frame % 100 !== 0) return;
    send(wire.endTurn(turn));
    turn = ++turns;
  }, FRAME_MS);
  return () => {
    clearInterval(timer);
  };
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
  console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
server.on('connection', (socket, { url }) => {
  converse(socket, url?.includes('realtime') === true ? OPENAI : GEMINI);
});
process.on('message', () => {
  process.send?.(delays);
  delays = [];
});
process.once('disconnect', () => process.exit());
