import type { IncomingMessage } from 'node:http';

import { failsWith } from './fault-steps.js';
import type { GeminiAnswer, GeminiStep } from './gemini-step.js';

type Json = Readonly<Record<string, unknown>>;

/** A request to create, list, read, extend or delete cached contents. */
export interface CacheRequest {
  readonly method: string;
  /** The path without its query, as it was sent. */
  readonly path: string;
  /** The parsed body; empty for a request without one. */
  readonly body: Json;
}

export interface GeminiCacheOptions {
  /** The tokens that a cache must have at least; a smaller one is refused. Default: 1,024. */
  readonly minTokens?: number;
  /** The time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Contents that the emulator has cached. */
interface CachedContent {
  readonly name: string;
  readonly model: string;
  readonly displayName?: string;
  readonly tokens: number;
  readonly createTime: number;
  expireTime: number;
}

const PATH =
  /^\/+[^/]+\/(?<parent>projects\/[^/]+\/locations\/[^/]+\/)?cachedContents(?:\/(?<id>[^/?]+))?(?:\?|$)/;

/** Fields that a request with cached contents must not have. */
const OF_THE_CACHE = ['systemInstruction', 'tools', 'toolConfig'];

const DEFAULT_TTL = 3_600_000;

/**
 * The `cachedContents` of the emulated Gemini API and of Vertex AI: create, list, get, patch and delete. A request for an
 * answer that names a cache which is not there is refused, and so is one that repeats what the cache holds; the usage of an
 * answer counts the tokens of its cache. A token is four characters of JSON.
 */
export class GeminiCaches {
  /** The requests about caches, in order. They are not among the requests of the emulator. */
  readonly requests: CacheRequest[] = [];
  private readonly contents = new Map<string, CachedContent>();
  private readonly refusals: GeminiStep[] = [];
  private count = 0;

  constructor(private readonly options: GeminiCacheOptions = {}) {}

  /** The names of the caches that have not expired, oldest first. */
  get names(): string[] {
    return this.living().map(({ name }) => name);
  }

  /** Deletes all caches, as another client might. */
  clear(): void {
    this.contents.clear();
  }

  /** The next request about caches gets this failure. */
  refuseNext(failure: GeminiStep): void {
    this.refusals.push(failure);
  }

  /** Answers a request about caches; undefined for any other path. */
  answer({ method = '', url = '' }: IncomingMessage, body: Json | undefined): GeminiStep | undefined {
    const found = PATH.exec(url)?.groups;
    if (!found) return undefined;
    const { parent = '', id } = found;
    this.requests.push({ method, path: url.replace(/\?.*/, ''), body: body ?? {} });
    const refusal = this.refusals.shift();
    if (refusal) return refusal;
    if (id === undefined) return method === 'POST' ? this.create(parent, body ?? {}) : this.list();
    return this.change(`${parent}cachedContents/${id}`, method, body ?? {});
  }

  /** The refusal of a request for an answer, if its cache is not there or holds what it repeats. */
  refusalOf(body: Json): GeminiStep | undefined {
    const name = body['cachedContent'];
    if (name === undefined) return undefined;
    if (!this.find(name)) return notFound();
    const repeated = OF_THE_CACHE.some((field) => field in body);
    if (!repeated) return undefined;
    return failsWith(400, {
      message:
        'CachedContent can not be used with GenerateContent request setting system_instruction, tools or ' +
        'tool_config. Proposed fix: move those values to CachedContent from GenerateContent request.',
    });
  }

  /** The step with the tokens of the request's cache in the usage of its answer. */
  counted(step: GeminiStep, { cachedContent }: Json): GeminiStep {
    const cached = cachedContent === undefined ? undefined : this.find(cachedContent);
    if (!cached) return step;
    if (step.kind === 'answer') return { ...step, answer: withUsage(step.answer, cached) };
    if (step.kind !== 'chunks') return step;
    return { ...step, chunks: step.chunks.map((chunk) => withUsage(chunk, cached)) };
  }

  private create(parent: string, body: Json): GeminiStep {
    const { model, displayName, ttl } = body;
    const tokens = tokensOf(body);
    const { minTokens = 1_024 } = this.options;
    if (tokens < minTokens) {
      const counts = `total_token_count=${String(tokens)}, min_total_token_count=${String(minTokens)}`;
      return failsWith(400, { message: `Cached content is too small. ${counts}` });
    }
    const now = this.now();
    const cached: CachedContent = {
      name: `${parent}cachedContents/c${String((this.count += 1))}`,
      model: String(model),
      ...(typeof displayName === 'string' && { displayName }),
      tokens,
      createTime: now,
      expireTime: now + timeToLive(ttl),
    };
    this.contents.set(cached.name, cached);
    return shown(cached);
  }

  private list(): GeminiStep {
    return { kind: 'answer', answer: { cachedContents: this.living().map(toJson) } };
  }

  private change(name: string, method: string, { ttl }: Json): GeminiStep {
    const cached = this.find(name);
    if (!cached) return notFound();
    if (method === 'DELETE') {
      this.contents.delete(name);
      return { kind: 'answer', answer: {} };
    }
    if (method === 'PATCH') cached.expireTime = this.now() + timeToLive(ttl);
    return shown(cached);
  }

  private find(name: unknown): CachedContent | undefined {
    if (typeof name !== 'string') return undefined;
    return this.living().find((one) => one.name === name || one.name.endsWith(`/${name}`));
  }

  private living(): CachedContent[] {
    return [...this.contents.values()].filter(({ expireTime }) => expireTime > this.now());
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}

function shown(cached: CachedContent): GeminiStep {
  return { kind: 'answer', answer: toJson(cached) };
}

function toJson({ name, model, displayName, tokens, createTime, expireTime }: CachedContent): Json {
  const times = {
    createTime: timeOf(createTime),
    updateTime: timeOf(createTime),
    expireTime: timeOf(expireTime),
  };
  const named = { name, model, ...(displayName !== undefined && { displayName }) };
  return { ...named, ...times, usageMetadata: { totalTokenCount: tokens } };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The duration `"1800s"` in milliseconds. */
function timeToLive(ttl: unknown): number {
  const seconds = Number.parseFloat(String(ttl));
  return Number.isNaN(seconds) ? DEFAULT_TTL : seconds * 1000;
}

function tokensOf(body: Json): number {
  const texts = [...OF_THE_CACHE, 'contents'].map((field) => JSON.stringify(body[field] ?? ''));
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4);
}

function notFound(): GeminiStep {
  return failsWith(403, { message: 'CachedContent not found (or permission denied)' });
}

function withUsage(answer: GeminiAnswer, { tokens }: CachedContent): GeminiAnswer {
  const usage = answer['usageMetadata'] as Readonly<Record<string, number>> | undefined;
  if (!usage) return answer;
  const { promptTokenCount: prompt = 0, totalTokenCount: total = 0 } = usage;
  const counted = { promptTokenCount: prompt + tokens, totalTokenCount: total + tokens };
  return { ...answer, usageMetadata: { ...usage, ...counted, cachedContentTokenCount: tokens } };
}
