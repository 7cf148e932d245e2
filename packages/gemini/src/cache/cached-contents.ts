import type { CachedContent, CreateCachedContentConfig, Tool } from '@google/genai';

import type { GeminiAttempt } from '../attempts/gemini-attempt.js';
import { withRetries } from '../attempts/with-retries.js';
import type { GeminiCall, GeminiErrand } from '../gemini-call.js';
import type { Beginning } from './beginnings.js';

/** A cache at Google. */
export interface ContextCacheEntry {
  /** Google's name of it, such as `cachedContents/x1`. */
  readonly name: string;
  /** How many contents it holds, from the first on. */
  readonly contents: number;
  readonly fingerprint: string;
  /** As Google counts them; by estimate if it does not say. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly createTime: number;
  /** Milliseconds since 1970. */
  readonly expireTime: number;
}

/** A user waits for the answer: no second attempt, and no long silence. */
const PATIENCE = { timeout: 60_000, retry: { attempts: 1 } };

/** The caches that are looked at, to find the one of another process. */
const MOST_LISTED = 1_000;

/** The name that all processes give the cache of a beginning. */
function displayNameOf({ fingerprint }: Beginning): string {
  return `adorn ${fingerprint}`;
}

/** The cache of the beginning that another process has created; undefined if there is none. */
export async function findCache(
  errand: GeminiErrand,
  beginning: Beginning,
): Promise<ContextCacheEntry | undefined> {
  const displayName = displayNameOf(beginning);
  return ask(errand, async ({ signal, fetch }) => {
    const config = { pageSize: 100, abortSignal: signal, httpOptions: { fetch } };
    let listed = 0;
    for await (const cached of await errand.client.caches.list({ config })) {
      if (cached.displayName === displayName) return toEntry(cached, beginning, errand);
      if ((listed += 1) === MOST_LISTED) return undefined;
    }
    return undefined;
  });
}

/**
 * Creates the cache of a beginning of the call.
 *
 * @throws the errors of `GeminiModel.generate`, and a TypeError for an answer without name or time
 */
export async function createCache(
  call: GeminiCall,
  beginning: Beginning,
  ttlSeconds: number,
): Promise<ContextCacheEntry> {
  const { systemInstruction, tools, toolConfig } = call.config;
  const contents = call.contents.slice(0, beginning.contents);
  const config: CreateCachedContentConfig = {
    displayName: displayNameOf(beginning),
    ttl: `${String(ttlSeconds)}s`,
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...(tools && { tools: tools as Tool[] }),
    ...(toolConfig && { toolConfig }),
    ...(contents.length > 0 && { contents }),
  };
  return ask(call, async ({ signal, fetch }) => {
    const own = { ...config, abortSignal: signal, httpOptions: { ...call.config.httpOptions, fetch } };
    return toEntry(await call.client.caches.create({ model: call.model, config: own }), beginning, call);
  });
}

/** Deletes a cache, so that its time is not billed further. */
export async function deleteCache(errand: GeminiErrand, { name }: ContextCacheEntry): Promise<void> {
  await ask(errand, async ({ signal, fetch }) => {
    await errand.client.caches.delete({ name, config: { abortSignal: signal, httpOptions: { fetch } } });
  });
}

/** @throws the errors of `GeminiModel.generate` */
function ask<Result>(
  errand: GeminiErrand,
  run: (attempt: GeminiAttempt) => Promise<Result>,
): Promise<Result> {
  const timeout = Math.min(errand.timeout, PATIENCE.timeout);
  return withRetries({ ...errand, ...PATIENCE, timeout }, false, async (attempt) => {
    const result = await attempt.until(run(attempt));
    attempt.end('complete');
    return result;
  });
}

function toEntry(
  { name, createTime, expireTime, usageMetadata }: CachedContent,
  { contents, fingerprint, tokens: estimated }: Beginning,
  { timing }: GeminiErrand,
): ContextCacheEntry {
  const expires = Date.parse(expireTime ?? '');
  if (name === undefined || Number.isNaN(expires)) throw new TypeError('a cache without a name or a time');
  const created = Date.parse(createTime ?? '');
  return {
    name,
    contents,
    fingerprint,
    tokens: usageMetadata?.totalTokenCount ?? estimated,
    createTime: Number.isNaN(created) ? timing.now() : created,
    expireTime: expires,
  };
}
