import type { LiveConnection } from '@adorn/core/backend';
import type { LiveJson } from '@adorn/testing';

/** 20 ms of speech at 16,000 samples per second. */
const CHUNK_BYTES = 640;

type Message = Readonly<Record<string, LiveJson | undefined>>;
type Contents = Parameters<LiveConnection['sendContents']>[0];
type Responses = Parameters<LiveConnection['sendToolResponses']>[0];

/** Sends what a recorded message of a client says, as a session would. */
export function sendRecorded(connection: LiveConnection, json: LiveJson): void {
  const { clientContent, realtimeInput, toolResponse } = json as Message;
  if (clientContent) {
    const turns = (clientContent['turns'] as Contents | undefined) ?? [];
    connection.sendContents(turns, clientContent['turnComplete'] === true);
  }
  if (realtimeInput) sendRealtime(connection, realtimeInput);
  if (toolResponse) connection.sendToolResponses(responsesIn(toolResponse));
}

function sendRealtime(connection: LiveConnection, input: LiveJson): void {
  for (const { data, mimeType } of mediaIn(input)) {
    if (mimeType.startsWith('image/')) connection.sendVideo(data, mimeType);
    else
      for (let at = 0; at < data.length; at += CHUNK_BYTES)
        connection.sendAudio(data.subarray(at, at + CHUNK_BYTES));
  }
  if (typeof input['text'] === 'string')
    connection.sendContents([{ role: 'user', parts: [{ text: input['text'] }] }], true);
  if (input['activityStart'] !== undefined) connection.sendActivity('start');
  if (input['activityEnd'] !== undefined) connection.sendActivity('end');
  if (input['audioStreamEnd'] === true) connection.endAudio();
}

function responsesIn({ functionResponses }: LiveJson): Responses {
  return (functionResponses as (Omit<Responses[number], 'id'> & { readonly id?: string })[]).map(
    ({ id, name, response }) => ({ id: id ?? '', name, response }),
  );
}

export interface Medium {
  readonly data: Buffer;
  readonly mimeType: string;
}

/** `mediaChunks` is an older name of `audio` and `video`. */
export function mediaIn(input: LiveJson): Medium[] {
  const chunks = (input['mediaChunks'] as unknown[] | undefined) ?? [];
  return [input['audio'], input['video'], ...chunks]
    .filter((blob) => blob !== undefined)
    .map((blob) => {
      const { data, mimeType } = blob as LiveJson;
      return {
        data: Buffer.from(String(data), 'base64'),
        mimeType: typeof mimeType === 'string' ? mimeType : '',
      };
    });
}

/** What messages of a client say, however text is sent and audio is cut: neighbouring audio joined. */
export function saidIn(messages: readonly LiveJson[]): object[] {
  return messages.flatMap((message) => saidInOne(message)).reduce<object[]>(joinAudio, []);
}

function saidInOne(json: LiveJson): object[] {
  const { clientContent, realtimeInput, toolResponse } = json as Message;
  if (toolResponse)
    return (toolResponse['functionResponses'] as LiveJson[]).map(({ id, name, response }) => ({
      id: id === '' ? undefined : id,
      name,
      response,
    }));
  if (clientContent) return [withText(clientContent)];
  if (!realtimeInput) return [];
  return [
    ...mediaIn(realtimeInput).map(({ data, mimeType }) =>
      mimeType.startsWith('image/') ? { video: data.toString('base64') } : { audio: data.toString('base64') },
    ),
    ...(typeof realtimeInput['text'] === 'string' ? [{ text: realtimeInput['text'], respond: true }] : []),
    ...['activityStart', 'activityEnd', 'audioStreamEnd']
      .filter((name) => realtimeInput[name] !== undefined)
      .map((name) => ({ [name]: true })),
  ];
}

function withText({ turns, turnComplete }: LiveJson): object {
  const contents = (turns as Contents | undefined) ?? [];
  const [content] = contents;
  const isPlain =
    contents.length === 1 && (content?.parts ?? []).every(({ text }) => typeof text === 'string');
  const respond = turnComplete === true;
  if (!isPlain || content?.role === 'model') return { turns, respond };
  return { text: (content?.parts ?? []).map(({ text }) => text).join(''), respond };
}

function joinAudio(said: object[], next: object): object[] {
  const last = said.at(-1);
  if (!last || !('audio' in last) || !('audio' in next)) return [...said, next];
  const bytes = [last.audio, next.audio].map((audio) => Buffer.from(String(audio), 'base64'));
  return [...said.slice(0, -1), { audio: Buffer.concat(bytes).toString('base64') }];
}
