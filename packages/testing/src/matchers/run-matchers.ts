import { equals, subsetEquality } from '@jest/expect-utils';

import type { Event, PendingRequest } from '@adorn/core';

import { conversationText } from './conversation-text.js';
import { MEASURES, type RunLimits, usedBy } from './run-limits.js';
import { type ReadSubject, readSubject } from './run-subject.js';

/** What a request has to have: some of its fields, or its kind. Asymmetric matchers such as `expect.any(String)` are fine. */
export type ExpectedRequest = PendingRequest['kind'] | { readonly [Field in keyof PendingRequest]?: unknown };

/** What an event has to have: some of its fields. */
export type ExpectedEvent = { readonly [Field in keyof Event]?: unknown };

/** How often a call, or its result, is expected. */
export interface ExpectedCalls {
  /** Exactly so often. Default: at least once. */
  readonly times?: number;
}

/** The matchers for the results of runs, for sessions and for lists of events. */
export interface RunMatchers<Result> {
  /**
   * A model has called the tool.
   *
   * @param name the name of the tool, as the model knows it
   * @param args what its arguments have to contain; more is fine. Default: any
   */
  toHaveCalledTool(name: string, args?: Readonly<Record<string, unknown>>, calls?: ExpectedCalls): Result;
  /**
   * A tool has answered a call: what the log has, and the model gets, as its response.
   *
   * @param name the name of the tool, as the model knows it
   * @param response what the response has to contain; more is fine. What is no object is its `result`: `{ result: 'shipped' }`; a
   * failure is its `error`. Default: any
   */
  toHaveToolResult(
    name: string,
    response?: Readonly<Record<string, unknown>>,
    results?: ExpectedCalls,
  ): Result;
  /** Somebody has to answer such a request: `'confirmation'`, or `{ tool: 'refund', hint: 'Refund A-17?' }`. */
  toBeWaitingFor(request: ExpectedRequest): Result;
  /** There is such an event: `{ author: 'desk', text: expect.stringContaining('shipped') }`. */
  toEmit(event: ExpectedEvent): Result;
  /** It has used no more: `{ modelCalls: 3, tokens: 5000, dollars: 0.01, ms: 2000 }`. */
  toStayWithin(limits: RunLimits): Result;
}

/** What a matcher found. */
export interface MatcherOutcome {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A matcher as `expect.extend` of Jest and of Vitest takes it. */
type Matcher<Expected extends readonly unknown[]> = (
  received: unknown,
  ...expected: Expected
) => MatcherOutcome;

/**
 * Matchers for Jest and Vitest: `expect.extend(runMatchers)`, in a file that sets up the tests. For Node's own runner see
 * `expectRun`. A failure shows the conversation.
 */
export const runMatchers: {
  readonly [Name in keyof RunMatchers<void>]: Matcher<Parameters<RunMatchers<void>[Name]>>;
} = {
  toHaveCalledTool(received, name, args = {}, { times } = {}) {
    const subject = readSubject('toHaveCalledTool', received);
    const calls = subject.events.filter(isWhole).flatMap(({ functionCalls }) => functionCalls);
    const found = calls.filter((call) => call.name === name && contains(call.args ?? {}, args)).length;
    return outcomeOfCount(subject, { noun: 'call', name, expected: args, found, times });
  },

  toHaveToolResult(received, name, response = {}, { times } = {}) {
    const subject = readSubject('toHaveToolResult', received);
    const results = subject.events.filter(isWhole).flatMap(({ functionResponses }) => functionResponses);
    const found = results.filter((one) => one.name === name && contains(one.response ?? {}, response)).length;
    return outcomeOfCount(subject, { noun: 'result', name, expected: response, found, times });
  },

  toBeWaitingFor(received, request) {
    const subject = readSubject('toBeWaitingFor', received);
    const expected = typeof request === 'string' ? { kind: request } : request;
    const pending = subject.pending ?? subject.events.flatMap(({ pending: asked }) => asked);
    const pass = pending.some((one) => contains(one, expected));
    return outcome(pass, subject, {
      expected: `a request with ${shown(expected)} to wait`,
      unexpected: `no request with ${shown(expected)} to wait`,
      found:
        pending.length === 0
          ? 'none waits'
          : `${counted(pending.length, 'request')} ${pending.length === 1 ? 'waits' : 'wait'}`,
    });
  },

  toEmit(received, event) {
    const subject = readSubject('toEmit', received);
    const pass = subject.events.some((one) => contains(one, event));
    return outcome(pass, subject, {
      expected: `an event with ${shown(event)}`,
      unexpected: `no event with ${shown(event)}`,
      found: pass ? 'there is one' : `none of ${counted(subject.events.length, 'event')} is one`,
    });
  },

  toStayWithin(received, { prices, ...limits }) {
    const subject = readSubject('toStayWithin', received);
    const used = usedBy(subject.events, prices);
    // What has no price, NaN, is within no limit.
    const over = MEASURES.filter((name) => limits[name] !== undefined && !(used[name] <= limits[name]));
    const found = (over.length > 0 ? over : MEASURES.filter((name) => limits[name] !== undefined))
      .map(
        (name) =>
          `${name}: ${Number.isNaN(used[name]) ? 'unknown, a model has no price' : String(used[name])}`,
      )
      .join(', ');
    return outcome(over.length === 0, subject, {
      expected: `no more than ${shown(limits)}`,
      unexpected: `more than ${shown(limits)}`,
      found: `there were ${found}`,
    });
  },
};

/** What a matcher expects, what its opposite expects, and what there is, for the message of a test that failed. */
interface OutcomeWords {
  readonly expected: string;
  readonly unexpected: string;
  readonly found: string;
}

function outcome(pass: boolean, subject: ReadSubject, words: OutcomeWords): MatcherOutcome {
  const { expected, unexpected, found } = words;
  const message = (): string =>
    `Expected ${pass ? unexpected : expected}, but ${found}.\n\n${conversationText(subject)}`;
  return { pass, message };
}

/** What a log has how often. */
interface Count {
  readonly noun: 'call' | 'result';
  /** The name of the tool. */
  readonly name: string;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly found: number;
  /** Undefined for at least once. */
  readonly times: number | undefined;
}

function outcomeOfCount(subject: ReadSubject, { noun, name, expected, found, times }: Count): MatcherOutcome {
  const pass = times === undefined ? found > 0 : found === times;
  const what = `${name}${Object.keys(expected).length === 0 ? '' : ` with ${shown(expected)}`}`;
  return outcome(pass, subject, {
    expected: `${times === undefined ? `a ${noun}` : counted(times, noun)} of ${what}`,
    unexpected: `${times === undefined ? `no ${noun}` : `not ${counted(times, noun)}`} of ${what}`,
    found: found === 1 ? 'there was 1' : `there were ${found === 0 ? 'none' : String(found)}`,
  });
}

/** `1 call`, `2 calls`. */
function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function contains(value: object, expected: object): boolean {
  return equals(value, expected, [subsetEquality]);
}

function isWhole({ partial }: Event): boolean {
  return !partial;
}

/** JSON, with asymmetric matchers by their names. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => (isNamed(field) ? field.toString() : field));
}

/** An asymmetric matcher or a pattern, which says by `toString` what it is. */
function isNamed(value: unknown): value is { readonly toString: () => string } {
  return (
    value instanceof RegExp || (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)
  );
}
