import type { ForeignObject, LiveEvent } from '@adorn/core/backend';
import type { FunctionCall } from '@google/genai';

type Usage = Extract<LiveEvent, { kind: 'usage' }>['usage'];
type Grounding = Extract<LiveEvent, { kind: 'grounding' }>['grounding'];

/**
 * What a message of Gemini's Live API reports, in the order in which it counts: what calls have used stands before
 * them, and the end of a turn comes last.
 *
 * @throws {UnexpectedShapeError} if a field has another type than the API says
 */
export function readLiveMessage(message: ForeignObject): LiveEvent[] {
  const content = message.object('serverContent');
  const usage = message.object('usageMetadata');
  const resumption = message.object('sessionResumptionUpdate');
  const goAway = message.object('goAway');
  return [
    ...voiceOf(message),
    ...(content ? contentOf(content) : []),
    ...(usage ? [{ kind: 'usage', usage: usageOf(usage) } as const] : []),
    ...callsOf(message.object('toolCall')?.objects('functionCalls') ?? []),
    ...cancelledOf(message.object('toolCallCancellation')?.texts('ids') ?? []),
    ...(resumption ? [resumptionOf(resumption)] : []),
    ...(goAway ? [{ kind: 'goAway', timeLeftMs: milliseconds(goAway.text('timeLeft')) } as const] : []),
    ...(content ? endOf(content) : []),
  ];
}

/** Vertex AI calls the type of a voice activity `type`. */
function voiceOf(message: ForeignObject): LiveEvent[] {
  const activity = message.object('voiceActivity');
  const signal = message.object('voiceActivityDetectionSignal');
  const type = activity?.text('voiceActivityType') ?? activity?.text('type') ?? signal?.text('vadSignalType');
  if (type === undefined) return [];
  if (/START|SOS/.test(type)) return [{ kind: 'speech', activity: 'start' }];
  return /END|EOS/.test(type) ? [{ kind: 'speech', activity: 'end' }] : [];
}

function contentOf(content: ForeignObject): LiveEvent[] {
  const grounding = content.object('groundingMetadata');
  return [
    ...transcriptOf('inputTranscript', content.object('inputTranscription')),
    ...(content.flag('interrupted') === true ? [{ kind: 'interrupted' } as const] : []),
    ...(content.object('modelTurn')?.objects('parts') ?? []).flatMap(partOf),
    ...transcriptOf('outputTranscript', content.object('outputTranscription')),
    ...(grounding ? [{ kind: 'grounding', grounding: groundingOf(grounding) } as const] : []),
  ];
}

function endOf(content: ForeignObject): LiveEvent[] {
  return [
    ...(content.flag('generationComplete') === true ? [{ kind: 'generationComplete' } as const] : []),
    ...(content.flag('turnComplete') === true ? [{ kind: 'turnComplete' } as const] : []),
  ];
}

function transcriptOf(
  kind: 'inputTranscript' | 'outputTranscript',
  transcription: ForeignObject | undefined,
): LiveEvent[] {
  const text = transcription?.text('text') ?? '';
  if (transcription?.flag('finished') === true) return [{ kind, text, finished: true }];
  return text === '' ? [] : [{ kind, text }];
}

function partOf(part: ForeignObject): LiveEvent[] {
  const inline = part.object('inlineData');
  const data = inline?.bytes('data');
  if (data && inline?.text('mimeType')?.startsWith('audio/') === true) return [{ kind: 'audio', data }];
  const text = part.text('text') ?? '';
  if (text === '') return [];
  return [part.flag('thought') === true ? { kind: 'text', text, thought: true } : { kind: 'text', text }];
}

function callsOf(calls: readonly ForeignObject[]): LiveEvent[] {
  const named = calls.map(callOf).filter(({ name }) => name !== '');
  return named.length === 0 ? [] : [{ kind: 'toolCall', calls: named }];
}

/** All fields of the call are kept. */
function callOf(call: ForeignObject): FunctionCall {
  const [id, name = ''] = [call.text('id'), call.text('name')];
  const args = call.object('args')?.fields;
  return { ...call.fields, id, name, args };
}

function cancelledOf(ids: readonly string[]): LiveEvent[] {
  return ids.length === 0 ? [] : [{ kind: 'toolCallCancellation', ids }];
}

function resumptionOf(update: ForeignObject): LiveEvent {
  const [handle = '', isResumable] = [update.text('newHandle'), update.flag('resumable')];
  return isResumable === true && handle !== '' ? { kind: 'resumption', handle } : { kind: 'resumption' };
}

/** Where the sources stand is looked at; what they say is kept as it is. */
function groundingOf(grounding: ForeignObject): Grounding {
  grounding.objects('groundingChunks');
  grounding.objects('groundingSupports');
  grounding.texts('webSearchQueries');
  return grounding.fields;
}

const COUNTS = [
  'promptTokenCount',
  'cachedContentTokenCount',
  'responseTokenCount',
  'candidatesTokenCount',
  'toolUsePromptTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
];

const DETAILS = [
  'promptTokensDetails',
  'cacheTokensDetails',
  'responseTokensDetails',
  'candidatesTokensDetails',
  'toolUsePromptTokensDetails',
];

/** The Live API calls an answer's tokens `response`, where the rest of the API calls them `candidates`. */
function usageOf(usage: ForeignObject): Usage {
  for (const name of COUNTS) usage.number(name);
  for (const name of DETAILS) for (const detail of usage.objects(name)) detail.number('tokenCount');
  const given = Object.fromEntries(Object.entries(usage.fields).filter(([, value]) => value !== null));
  const { responseTokenCount, responseTokensDetails, ...rest } = given as Usage & {
    readonly responseTokenCount?: number;
    readonly responseTokensDetails?: Usage['candidatesTokensDetails'];
  };
  return {
    ...rest,
    ...(responseTokenCount !== undefined && { candidatesTokenCount: responseTokenCount }),
    ...(responseTokensDetails !== undefined && { candidatesTokensDetails: responseTokensDetails }),
  };
}

const ONE_MINUTE = 60_000;

/** A duration in Google's JSON, such as `9.5s`. */
function milliseconds(duration: string | undefined): number {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(duration ?? '')?.[1];
  return seconds === undefined ? ONE_MINUTE : Math.round(Number(seconds) * 1000);
}
