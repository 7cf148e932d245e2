import type { LiveEvent } from '@adorn/core/backend';
import type { LiveJson } from '@adorn/testing';

/** What a conversation consists of, however it is cut into messages. */
export interface ConversationSummary {
  readonly text: string;
  readonly thoughts: string;
  /** Base64. */
  readonly audio: string;
  readonly inputTranscript: string;
  readonly outputTranscript: string;
  readonly calls: readonly object[];
  readonly cancelled: readonly string[];
  readonly handles: readonly string[];
  /** Total tokens of each report. */
  readonly tokens: readonly unknown[];
  /** The kinds of events in their order, repetitions left out. */
  readonly order: readonly string[];
}

/** Summarises events of a connection. The end of the connection is not part of the conversation. */
export function summaryOf(events: readonly LiveEvent[]): ConversationSummary {
  const of = <Kind extends LiveEvent['kind']>(kind: Kind): Extract<LiveEvent, { kind: Kind }>[] =>
    events.filter((event): event is Extract<LiveEvent, { kind: Kind }> => event.kind === kind);
  const joined = (texts: readonly { readonly text: string }[]): string =>
    texts.map(({ text }) => text).join('');
  return {
    text: joined(of('text').filter(({ thought }) => thought !== true)),
    thoughts: joined(of('text').filter(({ thought }) => thought === true)),
    audio: Buffer.concat(of('audio').map(({ data }) => data)).toString('base64'),
    inputTranscript: joined(of('inputTranscript')),
    outputTranscript: joined(of('outputTranscript')),
    calls: of('toolCall').flatMap(({ calls }) => calls),
    cancelled: of('toolCallCancellation').flatMap(({ ids }) => ids),
    handles: of('resumption').map(({ handle }) => handle ?? ''),
    tokens: of('usage').map(({ usage }) => usage.totalTokenCount),
    order: withoutRepetitions(events.map(({ kind }) => kind).filter((kind) => kind !== 'closed')),
  };
}

type Message = Readonly<Record<string, LiveJson | undefined>>;

/** Summarises recorded messages of Gemini, read here and not by the provider that is looked at. */
export function recordedSummary(messages: readonly LiveJson[]): ConversationSummary {
  const all = messages as readonly Message[];
  const contents = all.flatMap(({ serverContent }): LiveJson[] => (serverContent ? [serverContent] : []));
  const parts = contents.flatMap((content) => partsIn(content));
  const texts = parts.filter(({ text }) => typeof text === 'string');
  const words = (field: string): string =>
    contents
      .map((content) => (content[field] as { readonly text?: string } | undefined)?.text ?? '')
      .join('');
  return {
    text: texts
      .filter(({ thought }) => thought !== true)
      .map(({ text }) => String(text))
      .join(''),
    thoughts: texts
      .filter(({ thought }) => thought === true)
      .map(({ text }) => String(text))
      .join(''),
    audio: Buffer.concat(parts.filter(isAudio).map((part) => bytesIn(part))).toString('base64'),
    inputTranscript: words('inputTranscription'),
    outputTranscript: words('outputTranscription'),
    calls: all.flatMap(({ toolCall }) => (toolCall?.['functionCalls'] as object[] | undefined) ?? []),
    cancelled: all.flatMap(
      ({ toolCallCancellation }) => (toolCallCancellation?.['ids'] as string[] | undefined) ?? [],
    ),
    handles: all.flatMap(({ sessionResumptionUpdate: update }) =>
      update ? [update['resumable'] === true ? String(update['newHandle']) : ''] : [],
    ),
    tokens: all.flatMap(({ usageMetadata }) => (usageMetadata ? [usageMetadata['totalTokenCount']] : [])),
    order: withoutRepetitions(all.flatMap((message) => kindsIn(message))),
  };
}

/** The kinds of events that a message leads to, the end of a turn last. */
export function kindsIn(message: Message): LiveEvent['kind'][] {
  const { serverContent: content, toolCall, toolCallCancellation } = message;
  const kinds: [LiveEvent['kind'], boolean][] = [
    ['speech', message['voiceActivity'] !== undefined],
    ['inputTranscript', isSaid(content?.['inputTranscription'])],
    ['interrupted', content?.['interrupted'] === true],
    ...partsIn(content ?? {}).map((part): [LiveEvent['kind'], boolean] => [
      isAudio(part) ? 'audio' : 'text',
      isAudio(part) || (typeof part['text'] === 'string' && part['text'] !== ''),
    ]),
    ['outputTranscript', isSaid(content?.['outputTranscription'])],
    ['grounding', content?.['groundingMetadata'] !== undefined],
    ['toolCall', ((toolCall?.['functionCalls'] as unknown[] | undefined) ?? []).length > 0],
    ['toolCallCancellation', toolCallCancellation !== undefined],
    ['usage', message['usageMetadata'] !== undefined],
    ['resumption', message['sessionResumptionUpdate'] !== undefined],
    ['goAway', message['goAway'] !== undefined],
    ['generationComplete', content?.['generationComplete'] === true],
    ['turnComplete', content?.['turnComplete'] === true],
  ];
  return kinds.filter(([, isThere]) => isThere).map(([kind]) => kind);
}

function partsIn(content: LiveJson): LiveJson[] {
  return ((content['modelTurn'] as LiveJson | undefined)?.['parts'] as LiveJson[] | undefined) ?? [];
}

function isAudio(part: LiveJson): boolean {
  const { mimeType } = (part['inlineData'] as LiveJson | undefined) ?? {};
  return typeof mimeType === 'string' && mimeType.startsWith('audio/');
}

function bytesIn(part: LiveJson): Buffer {
  return Buffer.from(String((part['inlineData'] as LiveJson)['data']), 'base64');
}

function isSaid(transcription: unknown): boolean {
  const { text, finished } = (transcription ?? {}) as LiveJson;
  return finished === true || (typeof text === 'string' && text !== '');
}

function withoutRepetitions(kinds: readonly string[]): string[] {
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}
