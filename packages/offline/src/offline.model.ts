import { setTimeout } from 'node:timers/promises';

import { type FunctionCall, Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { checkOptions, type OptionRules, rule } from '@adorn/core/backend';

import { decide } from './decide.js';
import { readConversation } from './conversation.js';
import { INTRODUCTION } from './phrases.js';

export interface OfflineModelOptions {
  /** Milliseconds between the pieces of a streamed answer. Default: 0. */
  readonly pace?: number;
}

const NAME = 'offline';

const RULES: OptionRules<OfflineModelOptions> = {
  pace: rule((value) => Number.isFinite(value) && Number(value) >= 0, 'Pass milliseconds, from 0.'),
};

/**
 * A model without a network: it matches the user's words to the declared tools, fills their arguments from what
 * was said, asks for what is missing and tells what the tools answered. It does not reason, and says so the first
 * time it speaks. The same conversation always gets the same answer.
 */
export class OfflineModel extends Model {
  override readonly name = NAME;
  private readonly pace: number;

  /** @throws {AdornError} (`OPTION_INVALID`) for an unknown option, or a pace below 0 */
  constructor(options: OfflineModelOptions = {}) {
    super();
    checkOptions('OfflineModel', options, RULES);
    this.pace = options.pace ?? 0;
  }

  /** True for all of them, so that any agent runs; none is used. */
  override supportsProviderTool(): boolean {
    return true;
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return true;
  }

  override async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const conversation = readConversation(request.contents);
    const decision = decide(request, conversation);
    if (decision.kind === 'call') {
      yield whole(request, { calls: decision.calls });
      return;
    }
    const text =
      conversation.isFirstAnswer && decision.kind === 'say'
        ? `${INTRODUCTION}\n${decision.text}`
        : decision.text;
    if (request.stream) yield* this.pieces(text, request.signal);
    yield whole(request, { text });
  }

  private async *pieces(text: string, signal: AbortSignal): AsyncGenerator<ModelResponse, void, undefined> {
    for (const piece of text.match(/(?:\S+\s*){1,3}/g) ?? []) {
      if (this.pace > 0) await setTimeout(this.pace, undefined, { signal });
      signal.throwIfAborted();
      yield { content: { role: 'model', parts: [{ text: piece }] }, partial: true };
    }
  }
}

function whole(
  request: ModelRequest,
  answer: { text?: string; calls?: readonly FunctionCall[] },
): ModelResponse {
  const { text, calls = [] } = answer;
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map((functionCall) => ({ functionCall })),
  ];
  const promptTokenCount = tokensIn(request.contents);
  const candidatesTokenCount = tokensIn(parts);
  return {
    content: { role: 'model', parts },
    finishReason: 'STOP',
    // Whose answer it is: the agent's own model was not asked.
    modelVersion: NAME,
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount,
      totalTokenCount: promptTokenCount + candidatesTokenCount,
    },
  };
}

/** Four characters to the token, as a rule of thumb. */
function tokensIn(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
