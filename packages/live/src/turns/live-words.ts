import type { Content, Event } from '@adorn/core';
import { contentForModel, type EventBody, type LiveEvent } from '@adorn/core/backend';

/** A piece of what the model has said, and the place in its speech where it begins. */
interface SaidPiece {
  readonly text: string;
  readonly atMs: number;
  readonly isThought: boolean;
}

/** The words of the current turn that are not stored yet: the user's, and the model's. */
export class LiveWords {
  private heard = '';
  private heardBefore: string | undefined;
  private said: SaidPiece[] = [];
  private isSpoken = false;
  /** Where the next piece begins: the speech since the last piece belongs to it. */
  private nextMs = 0;
  /** What the current answer has used so far, and what earlier ones have that no event holds. */
  private usage: Usage | undefined;
  private earlierUsage: Usage | undefined;
  private grounding: Grounding | undefined;

  /** True if the model has said something that was not taken yet. */
  get hasSaid(): boolean {
    return this.said.length > 0;
  }

  /** True if the user has said something that was not taken yet. */
  get hasHeard(): boolean {
    return this.heard.trim() !== '';
  }

  /** @param before the stored event that answers these words; undefined if they come before what is stored next */
  addHeard(text: string, before?: string): void {
    if (!this.hasHeard) this.heardBefore = before;
    this.heard += text;
  }

  say(
    { kind, text, ...rest }: Extract<LiveEvent, { kind: 'text' | 'outputTranscript' }>,
    atMs: number,
  ): void {
    this.isSpoken ||= kind === 'outputTranscript';
    this.said.push({ text, atMs: this.nextMs, isThought: 'thought' in rest && rest.thought === true });
    this.nextMs = atMs;
  }

  /** Another answer begins: what is used from here on adds to what was used before. */
  beginAnswer(): void {
    this.earlierUsage = sumOf(this.earlierUsage, this.usage);
    this.usage = undefined;
  }

  /** @param usage of the current answer so far */
  noteUsage(usage: Usage): void {
    this.usage = usage;
  }

  /** What the model has used since the last call. */
  takeUsage(): Usage | undefined {
    const sum = sumOf(this.earlierUsage, this.usage);
    this.earlierUsage = this.usage = undefined;
    return sum;
  }

  /** Forgets what the model has said. What that has used is kept. */
  dropSaid(): void {
    this.said = [];
    this.isSpoken = false;
    this.nextMs = 0;
    this.grounding = undefined;
  }

  noteGrounding(grounding: Grounding): void {
    this.grounding = grounding;
  }

  /** What the user has said since the last call, and the event that it stands before if that is stored already. */
  takeHeard(): { readonly content: Content; readonly before: string | undefined } | undefined {
    const text = this.heard.trim();
    this.heard = '';
    if (text === '') return undefined;
    return { content: { role: 'user', parts: [{ text }] }, before: this.heardBefore };
  }

  /**
   * The fields of an event with what the model has said since the last call; undefined if that is nothing.
   *
   * @param playedMs of an interrupted answer: what was said later was not heard, and is left out
   */
  takeSaid(playedMs?: number): Omit<EventBody, 'author'> | undefined {
    const { said, isSpoken, grounding: groundingMetadata } = this;
    const cut = isSpoken ? playedMs : undefined;
    const kept = cut === undefined ? said : said.filter(({ atMs }) => atMs < cut);
    this.said = [];
    this.isSpoken = false;
    this.nextMs = 0;
    const parts = partsOf(kept);
    if (parts.length === 0) return undefined;
    const usageMetadata = this.takeUsage();
    this.grounding = undefined;
    const text = parts.map(({ text: words, thought }) => (thought === true ? '' : words)).join('');
    const outputTranscription = isSpoken ? { text, finished: true } : undefined;
    return { content: { role: 'model', parts }, usageMetadata, groundingMetadata, outputTranscription };
  }
}

type Usage = NonNullable<EventBody['usageMetadata']>;
type Grounding = NonNullable<EventBody['groundingMetadata']>;

/** What two answers have used: counts are added, their details follow one another. */
function sumOf(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other;
  const sum = new Map<string, unknown>(Object.entries(one));
  for (const [name, value] of Object.entries(other) as [string, unknown][]) {
    const before = sum.get(name);
    if (typeof value === 'number' && typeof before === 'number') sum.set(name, before + value);
    else if (Array.isArray(value) && Array.isArray(before)) sum.set(name, before.concat(value));
    else sum.set(name, value);
  }
  return Object.fromEntries(sum);
}

function partsOf(pieces: readonly SaidPiece[]): { text: string; thought?: boolean }[] {
  const parts: { text: string; thought?: boolean }[] = [];
  for (const isThought of [true, false]) {
    const text = pieces
      .filter((piece) => piece.isThought === isThought)
      .map((piece) => piece.text)
      .join('')
      .trim();
    if (text !== '') parts.push(isThought ? { text, thought: true } : { text });
  }
  return parts;
}

/** A result as a text, for a model that does not know the call. */
export function resultAsText(name: string, response: Readonly<Record<string, unknown>>): string {
  return `[${name} returned ${JSON.stringify(response)}.]`;
}

/** A yield of a running call as a text, for a model that takes no interim responses. */
export function progressAsText(name: string, response: Readonly<Record<string, unknown>>): string {
  return `[${name} goes on: ${JSON.stringify(response)}.]`;
}

/** A stored event as a content for a model that has not seen it: calls and responses become text. */
export function eventAsText(event: Event): Content | undefined {
  const { author } = event;
  const content = contentForModel(event);
  const texts = (content?.parts ?? []).flatMap(({ text, thought, functionCall, functionResponse }) => {
    if (text !== undefined && thought !== true) return [text];
    if (functionCall)
      return [`[You called ${functionCall.name ?? ''} with ${JSON.stringify(functionCall.args ?? {})}.]`];
    if (functionResponse) return [resultAsText(functionResponse.name ?? '', functionResponse.response ?? {})];
    return [];
  });
  if (texts.length === 0) return undefined;
  const isOfModel = author !== 'user' && content?.role === 'model';
  return { role: isOfModel ? 'model' : 'user', parts: [{ text: texts.join('\n') }] };
}
