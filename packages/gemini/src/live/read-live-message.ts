import type { LiveEvent } from '@adorn/core/backend';
import type {
  Content,
  FunctionCall,
  GenerateContentResponseUsageMetadata,
  LiveServerContent,
  LiveServerMessage,
  Transcription,
  UsageMetadata,
} from '@google/genai';

/** What a message of Gemini's Live API reports, in the order in which it counts: the end of a turn comes last. */
export function readLiveMessage(message: LiveServerMessage): LiveEvent[] {
  const { serverContent, toolCall, toolCallCancellation, usageMetadata, goAway, sessionResumptionUpdate } =
    message;
  return [
    ...voiceOf(message),
    ...(serverContent ? contentOf(serverContent) : []),
    ...callsOf(toolCall?.functionCalls),
    ...cancelledOf(toolCallCancellation?.ids),
    ...(usageMetadata ? [{ kind: 'usage', usage: usageOf(usageMetadata) } as const] : []),
    ...(sessionResumptionUpdate ? [resumptionOf(sessionResumptionUpdate)] : []),
    ...(goAway ? [{ kind: 'goAway', timeLeftMs: milliseconds(goAway.timeLeft) } as const] : []),
    ...(serverContent ? endOf(serverContent) : []),
  ];
}

function voiceOf({ voiceActivity, voiceActivityDetectionSignal }: LiveServerMessage): LiveEvent[] {
  const type = voiceActivity?.voiceActivityType ?? voiceActivityDetectionSignal?.vadSignalType;
  if (type === undefined) return [];
  if (/START|SOS/.test(type)) return [{ kind: 'speech', activity: 'start' }];
  return /END|EOS/.test(type) ? [{ kind: 'speech', activity: 'end' }] : [];
}

function contentOf(content: LiveServerContent): LiveEvent[] {
  const { inputTranscription, outputTranscription, interrupted, modelTurn, groundingMetadata } = content;
  return [
    ...transcriptOf('inputTranscript', inputTranscription),
    ...(interrupted === true ? [{ kind: 'interrupted' } as const] : []),
    ...partsOf(modelTurn),
    ...transcriptOf('outputTranscript', outputTranscription),
    ...(groundingMetadata ? [{ kind: 'grounding', grounding: groundingMetadata } as const] : []),
  ];
}

function endOf({ generationComplete, turnComplete }: LiveServerContent): LiveEvent[] {
  return [
    ...(generationComplete === true ? [{ kind: 'generationComplete' } as const] : []),
    ...(turnComplete === true ? [{ kind: 'turnComplete' } as const] : []),
  ];
}

function transcriptOf(
  kind: 'inputTranscript' | 'outputTranscript',
  transcription: Transcription | undefined,
): LiveEvent[] {
  const { text = '', finished } = transcription ?? {};
  if (finished === true) return [{ kind, text, finished }];
  return text === '' ? [] : [{ kind, text }];
}

function partsOf(content: Content | undefined): LiveEvent[] {
  return (content?.parts ?? []).flatMap(({ text, thought, inlineData }): LiveEvent[] => {
    if (inlineData?.data !== undefined && inlineData.mimeType?.startsWith('audio/') === true)
      return [{ kind: 'audio', data: Buffer.from(inlineData.data, 'base64') }];
    if (typeof text !== 'string' || text === '') return [];
    return [thought === true ? { kind: 'text', text, thought } : { kind: 'text', text }];
  });
}

function callsOf(calls: readonly FunctionCall[] | undefined): LiveEvent[] {
  const named = (calls ?? []).filter(({ name }) => typeof name === 'string' && name !== '');
  return named.length === 0 ? [] : [{ kind: 'toolCall', calls: named }];
}

function cancelledOf(ids: readonly string[] | undefined): LiveEvent[] {
  return !ids || ids.length === 0 ? [] : [{ kind: 'toolCallCancellation', ids }];
}

function resumptionOf({ newHandle, resumable }: { newHandle?: string; resumable?: boolean }): LiveEvent {
  if (resumable !== true || newHandle === undefined || newHandle === '') return { kind: 'resumption' };
  return { kind: 'resumption', handle: newHandle };
}

/** The Live API calls an answer's tokens `response`, where the rest of the API calls them `candidates`. */
function usageOf(usage: UsageMetadata): GenerateContentResponseUsageMetadata {
  const { responseTokenCount, responseTokensDetails, ...rest } = usage;
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
