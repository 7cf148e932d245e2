import type { EmulatedCall } from '../answer-steps.js';
import type { HeardContent, HeardMessage, HeardResult, LiveJson } from './live-message.js';
import type { LiveUsage, SayingStep } from './live-step.js';
import { LiveClosing, type LiveDialect, type LiveFrame, type LiveWire } from './live-wire.js';

const PATH =
  /^\/+ws\/google\.(?:ai\.generativelanguage\.[^/]+\.GenerativeService\.BidiGenerateContent(?:Constrained)?|cloud\.aiplatform\.[^/]+\.LlmBidiService\/BidiGenerateContent)(?:\?|$)/;

/** The Live API of Gemini, with an API key and on Vertex AI. */
export const GEMINI_LIVE_WIRE: LiveWire = {
  paths:
    '/ws/google.ai.generativelanguage.{version}.GenerativeService.BidiGenerateContent and ' +
    '/ws/google.cloud.aiplatform.{version}.LlmBidiService/BidiGenerateContent',
  serves: (path) => PATH.test(path),
  connect: (path) => new GeminiLiveDialect(path.includes('aiplatform')),
  refusal: (status, message) => ({ error: { code: status, message } }),
};

class GeminiLiveDialect implements LiveDialect {
  readonly isBinary = true;
  private calls = 0;

  constructor(private readonly isVertex: boolean) {}

  greeting(): LiveJson[] {
    return [];
  }

  read(json: LiveJson): { heard: readonly HeardMessage[]; replies: readonly LiveJson[] } {
    return { heard: contentsIn(json).map((content) => ({ ...content, json })), replies: [] };
  }

  accept(): LiveJson[] {
    return [{ setupComplete: {} }];
  }

  maySay(): boolean {
    return true;
  }

  frames(step: SayingStep): LiveFrame[] {
    switch (step.kind) {
      case 'text':
        return step.pieces.map((text) => modelTurn({ text }));
      case 'thought':
        return [modelTurn({ text: step.text, thought: true })];
      case 'speech':
        return [
          ...step.pieces.map((piece) =>
            modelTurn({ inlineData: { mimeType: 'audio/pcm;rate=24000', data: base64(piece) } }),
          ),
          ...step.transcript.map((text) => ({ serverContent: { outputTranscription: { text } } })),
        ];
      case 'heardWords':
        return step.pieces.map((text) => ({ serverContent: { inputTranscription: { text } } }));
      case 'calls':
        return [{ toolCall: { functionCalls: step.calls.map((call) => this.functionCall(call)) } }];
      case 'cancelCalls':
        return [{ toolCallCancellation: { ids: step.ids } }];
      case 'endTurn':
        return [
          { serverContent: { generationComplete: true } },
          {
            serverContent: { turnComplete: true },
            ...(step.usage && { usageMetadata: this.usage(step.usage) }),
          },
        ];
      case 'interrupt':
        return [{ serverContent: { interrupted: true } }, { serverContent: { turnComplete: true } }];
      case 'voice':
        return [this.voice(`ACTIVITY_${step.activity.toUpperCase()}`)];
      case 'goAway':
        return [{ goAway: { timeLeft: `${String(step.ms / 1000)}s` } }];
      case 'handle':
        return [
          {
            sessionResumptionUpdate:
              step.handle === undefined ? {} : { newHandle: step.handle, resumable: true },
          },
        ];
      case 'failure':
        return [new LiveClosing(Number(step.code) || 1011, step.message)];
      case 'frame':
        return [step.frame];
    }
  }

  private voice(type: string): LiveJson {
    return { voiceActivity: this.isVertex ? { type } : { voiceActivityType: type } };
  }

  /** Vertex AI has the names of the rest of the API. */
  private usage({ input, output }: LiveUsage): LiveJson {
    const answer = this.isVertex ? { candidatesTokenCount: output } : { responseTokenCount: output };
    return { promptTokenCount: input, ...answer, totalTokenCount: input + output };
  }

  private functionCall({ name, args = {}, id }: EmulatedCall): LiveJson {
    this.calls += 1;
    return { id: id ?? `function-call-${String(this.calls)}`, name, args };
  }
}

function modelTurn(part: LiveJson): LiveJson {
  return { serverContent: { modelTurn: { parts: [part] } } };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** One message may carry several things. */
function contentsIn(json: LiveJson): HeardContent[] {
  const { clientContent, realtimeInput, toolResponse } = json as Readonly<
    Record<string, LiveJson | undefined>
  >;
  if (json['setup'] !== undefined) return [{ kind: 'setup' }];
  if (json['contextUpdate'] !== undefined) return [{ kind: 'update' }];
  if (clientContent) return clientContents(clientContent);
  if (realtimeInput) return realtimeContents(realtimeInput);
  if (toolResponse) return [{ kind: 'results', results: resultsIn(toolResponse) }];
  return [{ kind: 'other' }];
}

function clientContents({ turns, turnComplete }: LiveJson): HeardContent[] {
  const contents = (turns as readonly { role?: string; parts?: readonly LiveJson[] }[] | undefined) ?? [];
  const last = contents.at(-1);
  const text = (last?.parts ?? [])
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
  const earlier: HeardContent[] = contents.length > 1 || last?.role === 'model' ? [{ kind: 'history' }] : [];
  if (last?.role === 'model') return earlier;
  return [...earlier, { kind: 'text', text, respond: turnComplete === true }];
}

function realtimeContents(input: LiveJson): HeardContent[] {
  const media = [input['audio'], input['video'], ...((input['mediaChunks'] as unknown[] | undefined) ?? [])];
  const heard: HeardContent[] = media
    .filter((blob) => blob !== undefined)
    .map((blob) => blobOf(blob as LiveJson, blob === input['video']));
  if (typeof input['text'] === 'string') heard.push({ kind: 'text', text: input['text'], respond: true });
  if (input['activityStart'] !== undefined) heard.push({ kind: 'activity', activity: 'start' });
  if (input['activityEnd'] !== undefined) heard.push({ kind: 'activity', activity: 'end' });
  if (input['audioStreamEnd'] === true) heard.push({ kind: 'audioEnd' });
  return heard;
}

function blobOf({ data, mimeType }: LiveJson, isVideo: boolean): HeardContent {
  const type = typeof mimeType === 'string' ? mimeType : '';
  const kind = isVideo || type.startsWith('image/') ? 'video' : 'audio';
  return { kind, bytes: Buffer.from(String(data), 'base64'), mimeType: type };
}

function resultsIn({ functionResponses }: LiveJson): HeardResult[] {
  return ((functionResponses as HeardResult[] | undefined) ?? []).map((result) => ({ ...result }));
}
