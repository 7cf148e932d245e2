import { createHash } from 'node:crypto';

import { sizeOfConfig, sizeOfContent, type StablePart } from '@adorn/core/backend';
import type { Content, GenerateContentConfig } from '@google/genai';

/** Bytes of English text are about a quarter of a token. */
const TOKENS_PER_BYTE = 0.25;

/** A beginning of a request that a cache may hold: system instruction, tools, their config, and the first contents. */
export interface Beginning {
  /** How many contents it has, from the first on. */
  readonly contents: number;
  /** The same for the same text, in every process. */
  readonly fingerprint: string;
  /** By estimate. */
  readonly tokens: number;
}

/** What a beginning is made of. */
interface BeginningRequest {
  readonly model: string;
  readonly contents: readonly Content[];
  readonly config: Readonly<GenerateContentConfig>;
  readonly stable?: StablePart | undefined;
}

/**
 * The beginnings of a request, shortest first. The first one has no contents. Each of the others ends before a content of
 * the user, and before everything that was added for this run or request only: later requests begin with it, too.
 */
export function beginningsOf({ model, contents, config, stable }: BeginningRequest): Beginning[] {
  const { systemInstruction, tools, toolConfig } = config;
  const header = JSON.stringify([model, systemInstruction, tools, toolConfig]);
  let size = sizeOfConfig(config);
  let last: Beginning = { contents: 0, fingerprint: digest('', header), tokens: size * TOKENS_PER_BYTE };
  const beginnings = [last];
  const longest = Math.min(stable?.earlier ?? contents.length, startOfLastMessage(contents));
  for (const [index, content] of contents.slice(0, longest).entries()) {
    size += sizeOfContent(content);
    const fingerprint = digest(last.fingerprint, JSON.stringify(content));
    last = { contents: index + 1, fingerprint, tokens: size * TOKENS_PER_BYTE };
    if (contents[index + 1]?.role === 'user') beginnings.push(last);
  }
  return beginnings;
}

/** How many contents come before those of the user at the end. */
function startOfLastMessage(contents: readonly Content[]): number {
  return contents.findLastIndex(({ role }) => role !== 'user') + 1;
}

function digest(before: string, text: string): string {
  return createHash('sha256').update(before).update(text).digest('hex');
}
