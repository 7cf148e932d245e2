import type { GeminiAnswer } from '../gemini-step.js';

type Json = Readonly<Record<string, unknown>>;

/** A call in an answer of a script. */
export interface ScriptCall {
  readonly id: string;
  readonly name: string;
  /** As JSON. */
  readonly args: string;
}

/** A part of an answer of a script, by its kind. */
export type ScriptPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string; readonly signature: string | undefined }
  | { readonly kind: 'call'; readonly call: ScriptCall };

/** An answer of a script, or a chunk of one, as other providers than Google word it. */
export interface ScriptAnswer {
  readonly parts: readonly ScriptPart[];
  readonly finishReason: string | undefined;
  readonly model: string;
  readonly usage: ScriptUsage | undefined;
}

export interface ScriptUsage {
  readonly input: number;
  /** With the tokens of thoughts. */
  readonly output: number;
  readonly cached: number;
  readonly thoughts: number;
}

/** Reads answers of one stream; calls without an id get one by their number. */
export class ScriptAnswerReader {
  private calls = 0;

  constructor(private readonly idPrefix: string) {}

  read(answer: GeminiAnswer): ScriptAnswer {
    const candidate = (answer['candidates'] as readonly Json[] | undefined)?.[0] ?? {};
    const parts =
      ((candidate['content'] as Json | undefined)?.['parts'] as readonly Json[] | undefined) ?? [];
    return {
      parts: parts.flatMap((part) => this.readPart(part)),
      finishReason: candidate['finishReason'] as string | undefined,
      model: (answer['modelVersion'] as string | undefined) ?? 'emulator',
      usage: usageOf(answer['usageMetadata'] as Json | undefined),
    };
  }

  private readPart({ text, thought, thoughtSignature, functionCall }: Json): ScriptPart[] {
    if (functionCall !== undefined) return [{ kind: 'call', call: this.callOf(functionCall as Json) }];
    if (typeof text !== 'string') return [];
    if (thought !== true) return [{ kind: 'text', text }];
    return [{ kind: 'thought', text, signature: thoughtSignature as string | undefined }];
  }

  private callOf({ id, name, args }: Json): ScriptCall {
    this.calls += 1;
    return {
      id: typeof id === 'string' ? id : `${this.idPrefix}${String(this.calls)}`,
      name: String(name),
      // A text is sent as it is, so that a script can break the JSON.
      args: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    };
  }
}

function usageOf(usage: Json | undefined): ScriptUsage | undefined {
  if (!usage) return undefined;
  const amount = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
  return {
    input: amount('promptTokenCount'),
    output: amount('candidatesTokenCount') + amount('thoughtsTokenCount'),
    cached: amount('cachedContentTokenCount'),
    thoughts: amount('thoughtsTokenCount'),
  };
}

/** The message of a failure in Google's words. */
export function messageIn(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8');
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } };
    return error?.message ?? text;
  } catch {
    return text;
  }
}

/** A server-sent event. */
export function toEvent(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
