import type { Content, Event, Model } from '@adorn/core';
import {
  compactionEvent,
  type ContextKeeper,
  contextOfModel,
  type ContextSizes,
  leftOut,
  type LongRequest,
  type MeasuredRequest,
  type ShortenedResult,
  shorteningEvent,
  shownConversation,
  type ShownResult,
} from '@adorn/core/backend';

import { type CompactionPlan, planForLength } from './plan-compaction.js';

/** What a keeper needs of the compactor that it belongs to. */
export interface ContextKeeperFields {
  /** The window that the application states, in tokens; undefined for what is published and learned. */
  readonly window: number | undefined;
  readonly now: () => number;
  /** Writes a summary of at most so many bytes of conversation; undefined if there is none to be had. */
  readonly summarize: (
    plan: CompactionPlan,
    request: LongRequest,
    bytes: number,
  ) => Promise<Content | undefined>;
}

/** The share of the window that requests may take: estimates are not exact. */
const LONGEST_SHARE = 0.9;

/** What a request is shortened to, of the longest: so that not each request shortens the conversation again. */
const TARGET_SHARE = 0.6;

/** The room for an answer whose length is not limited, as a share of the window and in tokens. */
const ANSWER_SHARE = 0.1;
const ANSWER_TOKENS = 8_192;

/** Shorter results stay as they are. */
const SMALLEST_RESULT = 600;

/** What is left of an old result that cannot be had again, in characters. */
const KEPT_OF_OLD = 500;

/** What is left, at least, of a result that the model has not read yet. */
const KEPT_OF_NEW = 300;

/** The share of the target that results which the model has not read yet may take together. */
const SHARE_OF_NEW = 0.5;

/**
 * Shortens conversations before they exceed the context of the model, and after a refusal. In this order: old results of
 * tools that only read, and thoughts of earlier turns; large new results; all other old results; then a summary takes the
 * place of what was said, or, if there is none to be had, a note. Each is an event in the log.
 */
export class LogContextKeeper implements ContextKeeper {
  constructor(private readonly fields: ContextKeeperFields) {}

  isTooLong(model: Model, { size, config }: MeasuredRequest): boolean {
    const longest = this.longestFor(model, config);
    return longest !== undefined && contextOfModel(model).tokensOf(size) > longest;
  }

  isHopeless(model: Model, { size }: MeasuredRequest): boolean {
    const context = contextOfModel(model);
    const window = context.windowOf(this.fields.window);
    const isSure = context.hasRefused || this.fields.window !== undefined;
    return window !== undefined && isSure && context.tokensOf(size) > window;
  }

  noteTokens(model: Model, size: number, tokens: number): void {
    contextOfModel(model).noteTokens(size, tokens);
  }

  noteRefusal(model: Model, size: number, sizes: ContextSizes): void {
    contextOfModel(model).noteRefusal(size, sizes, this.fields.window);
  }

  /** The bytes of conversation that the model takes; undefined if its window is not known. */
  bytesFor(model: Model): number | undefined {
    const longest = this.longestFor(model, {});
    return longest === undefined ? undefined : longest / contextOfModel(model).tokensPerByte;
  }

  async *shorten(measure: () => LongRequest): AsyncGenerator<Event, void, undefined> {
    const { model, config } = measure();
    const longest = this.longestFor(model, config);
    if (longest === undefined) return;
    const target = (longest * TARGET_SHARE) / contextOfModel(model).tokensPerByte;
    const shortenings = [cutOld, cutNew, cutOthers];
    for (const shorten of shortenings) {
      if (measure().size <= target) return;
      const event = this.eventOf(measure(), shorten(measure(), target));
      if (event) yield event;
    }
    for (;;) {
      const request = measure();
      if (request.size <= target) return;
      const event = await this.leaveOut(request, target);
      if (!event) break;
      yield event;
      // What stands for the conversation is no shorter than what it stood for.
      if (measure().size >= request.size) break;
    }
    const request = measure();
    const event = this.isTooLong(model, request) ? this.eventOf(request, cutHard(request)) : undefined;
    if (event) yield event;
  }

  /** Tokens that a request may have. */
  private longestFor(model: Model, { maxOutputTokens }: MeasuredRequest['config']): number | undefined {
    const window = contextOfModel(model).windowOf(this.fields.window);
    if (window === undefined) return undefined;
    const room = Math.min(maxOutputTokens ?? Math.min(window * ANSWER_SHARE, ANSWER_TOKENS), window / 2);
    return (window - room) * LONGEST_SHARE;
  }

  private eventOf({ run }: LongRequest, cuts: Cuts): Event | undefined {
    const { results, thoughtsTo } = cuts;
    if (results.length === 0 && thoughtsTo === undefined) return undefined;
    return shorteningEvent(
      { results, ...(thoughtsTo !== undefined && { thoughtsTo }) },
      this.fields.now(),
      run,
    );
  }

  /** A summary in the place of what was said, or a note. */
  private async leaveOut(request: LongRequest, target: number): Promise<Event | undefined> {
    const { session, place, run } = request;
    // An agent that runs as a tool sees no summary.
    if (place.scope !== undefined) return undefined;
    const plan = planForLength(session, { withinRun: place.branch === undefined });
    if (!plan) return undefined;
    const content = (await this.fields.summarize(plan, request, target)) ?? leftOut();
    return compactionEvent(plan.covered, plan.seqs, content, this.fields.now(), run);
  }
}

interface Cuts {
  readonly results: readonly ShortenedResult[];
  readonly thoughtsTo?: number | undefined;
}

/** Old results of tools that only read, oldest first, until the request is short enough; and thoughts of earlier turns. */
function cutOld(request: LongRequest, target: number): Cuts {
  const { results, thoughts } = conversationOf(request);
  let excess = request.size - target - thoughts.size;
  const old = results.filter((one) => !one.isNew && one.isOwn && request.onlyReads(one.name));
  const cut: ShortenedResult[] = [];
  for (const { seq, id, size } of old) {
    if (excess <= 0) break;
    if (size <= SMALLEST_RESULT) continue;
    excess -= size;
    cut.push({ seq, id, keep: 0, again: true });
  }
  return { results: cut, thoughtsTo: thoughts.size > 0 ? thoughts.to : undefined };
}

/** Results that the model has not read yet, to their beginnings, so that they fit together. */
function cutNew(request: LongRequest, target: number): Cuts {
  const fresh = conversationOf(request).results.filter(({ isNew }) => isNew);
  const share = fairShare(fresh, target * SHARE_OF_NEW);
  return {
    results: fresh.filter(({ size }) => size > share).map((one) => keep(one, Math.max(KEPT_OF_NEW, share))),
  };
}

/** The size that results are cut to, so that all of them have the total: small ones leave their share to large ones. */
function fairShare(results: readonly ShownResult[], total: number): number {
  let left = total;
  const sizes = results.map(({ size }) => size).sort((one, other) => one - other);
  for (const [index, size] of sizes.entries()) {
    const share = left / (sizes.length - index);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Infinity;
}

/** All other old results, to their beginnings. */
function cutOthers(request: LongRequest): Cuts {
  const old = conversationOf(request).results.filter(({ isNew, size }) => !isNew && size > 2 * KEPT_OF_OLD);
  return { results: old.map((one) => keep(one, KEPT_OF_OLD)) };
}

/** Whatever results are left. */
function cutHard(request: LongRequest): Cuts {
  const large = conversationOf(request).results.filter(({ size }) => size > 2 * KEPT_OF_NEW);
  return { results: large.map((one) => keep(one, KEPT_OF_NEW)) };
}

/** The characters that are left have at most so many bytes, if few of them are beyond ASCII; what is too long is cut again. */
function keep({ seq, id }: ShownResult, characters: number): ShortenedResult {
  return { seq, id, keep: characters };
}

function conversationOf({ session, viewer, place }: LongRequest): ReturnType<typeof shownConversation> {
  return shownConversation(session, viewer, place);
}
