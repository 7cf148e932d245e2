import { hash } from 'node:crypto';

import type { Tool } from '@adorn/core';
import {
  type CacheOptions,
  canonicalJson,
  isSameJson,
  type PolicyCall,
  type PolicyRun,
  scopeKey,
  type ToolTraits,
} from '@adorn/core/backend';

import type { Policy } from './policy.js';

export function cachePolicy({ cache }: ToolTraits): Policy | undefined {
  if (cache === undefined || cache === false) return undefined;
  return new CachePolicy(cache === true ? {} : cache);
}

/** How a shared run ended: with a result for all waiting calls, or only for the call that started it. */
type Landing =
  | { readonly kind: 'shared'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Its invocation was cancelled, which is not a result for other invocations. */
  | { readonly kind: 'cancelled' }
  /** It did more than return a result. */
  | { readonly kind: 'private' };

/**
 * Caches results as JSON text, and shares one run among simultaneous equal calls. The first call gets a JSON copy of the
 * result too, so that callbacks always see the same form.
 */
class CachePolicy implements Policy {
  private readonly scope: CacheOptions['scope'] & string;
  private readonly results: ResultStore;
  /** The current runs, by key. They never reject. */
  private readonly flights = new Map<string, Promise<Landing>>();
  private readonly digests = new WeakMap<Tool, string>();

  constructor({ scope = 'session', ttlMs = 300_000, maxEntries = 1_000 }: CacheOptions) {
    this.scope = scope;
    this.results = new ResultStore({ ttlMs, maxEntries });
  }

  around(next: PolicyRun): PolicyRun {
    return (call) => this.run(call, next);
  }

  private async run(call: PolicyCall, next: PolicyRun): Promise<unknown> {
    const key = this.keyOf(call);
    for (;;) {
      const text = this.results.find(key, call.cancellation.clock.now());
      if (text !== undefined) return JSON.parse(text);
      const flight = this.flights.get(key);
      if (!flight) return this.lead(key, call, next);
      const landing = await call.cancellation.wait(flight);
      if (landing.kind === 'shared') return JSON.parse(landing.text);
      if (landing.kind === 'failed') throw landing.error;
      if (landing.kind === 'private') return next(call);
    }
  }

  /** Runs the tool for this call and for equal calls that arrive during the run. */
  private async lead(key: string, call: PolicyCall, next: PolicyRun): Promise<unknown> {
    let land: (landing: Landing) => void = noop;
    this.flights.set(key, new Promise((resolve) => (land = resolve)));
    let landing: Landing = CANCELLED;
    try {
      const before = call.effects();
      const result = await next(call);
      const text = isSameJson(before, call.effects()) ? call.jsonOf(result) : undefined;
      landing = text === undefined ? PRIVATE : { kind: 'shared', text };
      if (text === undefined) return result;
      const isFailure = call.tool.failureIn?.(result) !== undefined;
      if (!isFailure) this.results.keep(key, text, call.cancellation.clock.now());
      return JSON.parse(text);
    } catch (error) {
      if (call.hasAsked) landing = PRIVATE;
      else if (!call.cancellation.isCancelled) landing = { kind: 'failed', error };
      throw error;
    } finally {
      this.flights.delete(key);
      land(landing);
    }
  }

  /** A digest of what the result depends on: the definition, the credential, the arguments, and data sent with an approval. */
  private keyOf({ tool, args, context }: PolicyCall): string {
    const scope = this.scope === 'app' && context.credential ? 'user' : this.scope;
    const parts = [
      this.digestOf(tool),
      scopeKey(scope, context),
      // A copy of a guarded credential has its secret.
      { ...context.credential },
      args,
      context.confirmation?.payload ?? null,
    ];
    return digest(parts);
  }

  /** The digest of the tool's definition: a tool with the same name and another definition is a different tool. */
  private digestOf(tool: Tool): string {
    let known = this.digests.get(tool);
    if (known === undefined) this.digests.set(tool, (known = digest([tool.name, tool.definition])));
    return known;
  }
}

const CANCELLED: Landing = Object.freeze({ kind: 'cancelled' });
const PRIVATE: Landing = Object.freeze({ kind: 'private' });

function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}

function noop(): void {
  // Replaced before it is called.
}

/** Maximum size of the JSON text in one store, in characters. */
const MOST_TEXT = 16 * 2 ** 20;

interface StoredResult {
  readonly text: string;
  /** Seconds since 1970. */
  readonly keptAt: number;
}

/** A cache of results by key: limited in age, number and size. Evicts the least recently used results. */
export class ResultStore {
  /** Least recently used first. */
  private readonly entries = new Map<string, StoredResult>();
  private size = 0;

  constructor(private readonly limits: { readonly ttlMs: number; readonly maxEntries: number }) {}

  /**
   * The result of a key, unless it is too old. A result from the future counts as too old: the clock was set back.
   *
   * @param now seconds since 1970
   */
  find(key: string, now: number): string | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.drop(key, entry);
    const age = Math.round((now - entry.keptAt) * 1000);
    if (age < 0 || age >= this.limits.ttlMs) return undefined;
    this.add(key, entry);
    return entry.text;
  }

  /** @param now seconds since 1970 */
  keep(key: string, text: string, now: number): void {
    const former = this.entries.get(key);
    if (former) this.drop(key, former);
    this.add(key, { text, keptAt: now });
    for (const [oldest, entry] of this.entries) {
      if (this.entries.size <= this.limits.maxEntries && this.size <= MOST_TEXT) return;
      this.drop(oldest, entry);
    }
  }

  private add(key: string, entry: StoredResult): void {
    this.entries.set(key, entry);
    this.size += entry.text.length;
  }

  private drop(key: string, entry: StoredResult): void {
    this.entries.delete(key);
    this.size -= entry.text.length;
  }
}
