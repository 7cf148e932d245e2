import type { Citation, Part, UrlMetadata } from '@google/genai';
import { isBlocking } from '@adorn/core/backend';

import { without } from '../without.js';
import type { GeminiPiece } from './gemini-piece.js';
import { withWholeCalls } from './streamed-calls.js';

/**
 * Makes one whole answer of the pieces of a stream. Neighbouring texts become one text, neighbouring thoughts one
 * thought, and the fragments of a streamed call one call; every other part, and a text that carries a signature,
 * stays as it came.
 */
export class PieceCollector {
  private readonly parts: Part[] = [];
  private run: string[] = [];
  private runIsThought = false;
  private saidNothing = false;
  private readonly citations = new Map<string, Citation>();
  private readonly urls = new Map<string, UrlMetadata>();
  private rest: Omit<GeminiPiece, 'parts'> = {};

  add(piece: GeminiPiece): void {
    for (const part of piece.parts) this.addPart(part);
    for (const citation of piece.citationMetadata?.citations ?? []) {
      this.citations.set(JSON.stringify(citation), citation);
    }
    for (const url of piece.urlContextMetadata?.urlMetadata ?? []) this.urls.set(JSON.stringify(url), url);
    this.rest = {
      ...this.rest,
      ...without(piece, 'parts', 'citationMetadata', 'urlContextMetadata'),
      ...this.lasting(piece),
    };
  }

  whole(): GeminiPiece {
    this.endRun();
    if (this.parts.length === 0 && this.saidNothing) this.parts.push({ text: '' });
    const citations = [...this.citations.values()];
    const urlMetadata = [...this.urls.values()];
    return withWholeCalls({
      ...this.rest,
      parts: this.parts,
      ...(citations.length > 0 && { citationMetadata: { citations } }),
      ...(urlMetadata.length > 0 && { urlContextMetadata: { urlMetadata } }),
    });
  }

  private addPart(part: Part): void {
    if (!isPlainText(part)) {
      this.endRun();
      this.parts.push(part);
      return;
    }
    const thought = part.thought === true;
    if (thought !== this.runIsThought) this.endRun();
    this.runIsThought = thought;
    this.run.push(part.text);
  }

  private endRun(): void {
    if (this.run.length === 0) return;
    const text = this.run.join('');
    this.run = [];
    if (text === '') this.saidNothing = true;
    else this.parts.push({ text, ...(this.runIsThought && { thought: true }) });
  }

  /** A reason that blocks the answer is not taken back by a later chunk, and grounding comes in portions. */
  private lasting({ groundingMetadata }: GeminiPiece): Partial<GeminiPiece> {
    const { finishReason, finishMessage } = this.rest;
    return {
      ...(isBlocking(finishReason) && {
        finishReason,
        ...(finishMessage !== undefined && { finishMessage }),
      }),
      ...(groundingMetadata && {
        groundingMetadata: { ...this.rest.groundingMetadata, ...groundingMetadata },
      }),
    };
  }
}

/** A text or a thought and nothing more: no signature, no media, no call. */
function isPlainText(part: Part): part is Part & { readonly text: string } {
  if (typeof part.text !== 'string') return false;
  return Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

/** Some streams end with a text of no letters. */
export function saysSomething(part: Part): boolean {
  return !isPlainText(part) || part.text !== '';
}
