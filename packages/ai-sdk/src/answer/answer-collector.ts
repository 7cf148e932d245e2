import type { ModelResponse, Part } from '@adorn/core';
import { judgedResponse, type WireNames } from '@adorn/core/backend';

import { isJsonObject } from '../is-json-object.js';
import { makerOf, type PartMaker, withMaker, withMetadata } from '../part-metadata.js';
import { profileOf } from '../profile.js';
import type { ProviderCall } from '../provider-call.js';
import type { ProviderMetadata } from '../request/call-options.js';
import type { ProviderModel } from '../specification.js';
import { type AnswerPart, readMetadata, textOf, toPart } from './content-part.js';
import { type Finish, isCut, outcomeOf, readFinish } from './finish.js';
import { readUsage } from './usage.js';

/** A text or a thought that grows while it is streamed. */
interface Block {
  readonly isThought: boolean;
  readonly texts: string[];
  metadata: ProviderMetadata | undefined;
}

type GroundingChunks = NonNullable<NonNullable<ModelResponse['groundingMetadata']>['groundingChunks']>;

/** Collects the parts of an answer, streamed or whole, in the order in which they came. */
export class AnswerCollector {
  private readonly slots: (Part | Block)[] = [];
  private readonly blocks = new Map<string, Block>();
  private readonly sources: GroundingChunks = [];
  /** The tools that the provider ran. */
  private readonly serverTools = new Set<string>();
  private finish: Finish | undefined;
  private usage: ModelResponse['usageMetadata'];
  private modelVersion: string | undefined;
  private responseId: string | undefined;
  private readonly countsCachedApart: boolean;

  private readonly maker: PartMaker;

  constructor(
    model: ProviderModel,
    private readonly names: WireNames,
  ) {
    const { provider, specificationVersion } = model;
    this.maker = makerOf(model, profileOf(model).optionsName);
    this.countsCachedApart = specificationVersion === 'v2' && provider.includes('anthropic');
  }

  /** Adds a part of a stream or of a whole answer; returns the piece to show, if any. */
  add(given: AnswerPart): Part | undefined {
    switch (given.type) {
      case 'text':
      case 'reasoning': {
        this.addWhole(given);
        return;
      }
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.addDelta(given);
      case 'source':
        this.addSource(given);
        return undefined;
      case 'response-metadata':
        this.modelVersion = textOf(given['modelId']) || this.modelVersion;
        this.responseId = textOf(given['id']) || this.responseId;
        return undefined;
      case 'finish':
        this.end(given);
        return undefined;
      default:
        return this.addPart(toPart(given, this.names));
    }
  }

  /** Takes the finish reason and the usage of an answer. */
  end({ finishReason, usage }: Readonly<Record<string, unknown>>): void {
    this.finish = readFinish(finishReason) ?? this.finish;
    this.usage = readUsage(usage, this.countsCachedApart) ?? this.usage;
  }

  /** True if the stream ended without a reason. */
  get isCut(): boolean {
    return isCut(this.finish);
  }

  /** The whole answer. @param read turns the text of a structured answer into JSON of the agent's schema */
  whole(read: (text: string) => string): ModelResponse {
    const made = this.slots.flatMap(toParts).map((part) => withMaker(part, this.maker));
    const parts = withReadText(made, read);
    return judgedResponse({
      ...(parts.length > 0 && { content: { role: 'model', parts } }),
      ...outcomeOf(this.finish),
      ...(this.usage && { usageMetadata: this.usage }),
      ...(this.sources.length > 0 && { groundingMetadata: { groundingChunks: this.sources } }),
      ...(this.serverTools.size > 0 && { untrustedTools: [...this.serverTools] }),
      ...(this.modelVersion !== undefined && { modelVersion: this.modelVersion }),
      ...(this.responseId !== undefined && { responseId: this.responseId }),
    });
  }

  private addWhole(given: AnswerPart): undefined {
    const isThought = given.type === 'reasoning';
    this.slots.push({ isThought, texts: [textOf(given['text'])], metadata: readMetadata(given) });
    return undefined;
  }

  private addDelta(given: AnswerPart): Part | undefined {
    const isThought = given.type.startsWith('reasoning');
    const block = this.blockOf(`${isThought ? 'r' : 't'}:${textOf(given['id'])}`, isThought, given.type);
    block.metadata = merged(block.metadata, readMetadata(given));
    const text = textOf(given['delta']);
    if (text === '') return undefined;
    block.texts.push(text);
    return { text, ...(isThought && { thought: true }) };
  }

  private blockOf(key: string, isThought: boolean, type: string): Block {
    const open = this.blocks.get(key);
    if (open && !type.endsWith('-start')) return open;
    const block: Block = { isThought, texts: [], metadata: undefined };
    this.blocks.set(key, block);
    this.slots.push(block);
    return block;
  }

  private addPart(part: Part | undefined): Part | undefined {
    if (part) this.slots.push(part);
    if (part?.toolResponse?.toolType !== undefined) this.serverTools.add(part.toolResponse.toolType);
    return part;
  }

  private addSource({ sourceType, url, title }: AnswerPart): void {
    const named = typeof title === 'string' ? { title } : {};
    if (sourceType === 'url') this.sources.push({ web: { uri: textOf(url), ...named } });
    else this.sources.push({ retrievedContext: named });
  }
}

function merged(
  before: ProviderMetadata | undefined,
  added: ProviderMetadata | undefined,
): ProviderMetadata | undefined {
  if (!before || !added) return added ?? before;
  const entries = Object.entries(added).map(
    ([name, fields]) => [name, { ...before[name], ...fields }] as const,
  );
  return { ...before, ...Object.fromEntries(entries) };
}

/** An empty block without metadata says nothing. A thought keeps that it is of this kind of model, also without any. */
function toParts(slot: Part | Block): Part[] {
  if (!('texts' in slot)) return [slot];
  const { isThought, texts, metadata } = slot;
  const text = texts.join('');
  if (text === '' && !metadata) return [];
  const part = { text, ...(isThought && { thought: true }) };
  return [withMetadata(part, isThought ? (metadata ?? {}) : metadata)];
}

/** A structured answer is one text; an answer with several texts or calls is none. */
function withReadText(parts: readonly Part[], read: (text: string) => string): Part[] {
  const texts = parts.filter((part) => part.text !== undefined && part.thought !== true);
  const [only] = texts;
  if (only?.text === undefined || texts.length > 1) return [...parts];
  const text = read(only.text);
  return parts.map((part) => (part === only ? { ...part, text } : part));
}

/** Reads the parts of a whole answer; undefined for a value that is none. */
export function collectWhole(
  { model, names }: Pick<ProviderCall, 'model' | 'names'>,
  given: unknown,
): AnswerCollector | undefined {
  if (!isJsonObject(given) || !Array.isArray(given['content'])) return undefined;
  const collector = new AnswerCollector(model, names);
  for (const part of given['content'] as readonly unknown[])
    if (isJsonObject(part) && typeof part['type'] === 'string') collector.add(part as AnswerPart);
  if (isJsonObject(given['response'])) collector.add({ ...given['response'], type: 'response-metadata' });
  collector.end(given);
  return collector;
}
