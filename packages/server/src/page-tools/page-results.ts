import type { PendingRequest } from '@adorn/core';
import { isObject } from '@adorn/core/backend';

import type { UiAnswer } from '../ui/ui-answers.js';

/** What came of a call that a page has run. */
export interface PageResult {
  readonly callId: string;
  readonly value?: unknown;
  /** Why there is no result. */
  readonly error?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** What stands in the log for a call of a page until the page has sent its result. */
interface AskedOfPage {
  readonly status: typeof ASKED;
  readonly arguments: Fields;
}

const ASKED = 'The page has been asked.';

export function askedOfPage(args: Fields): AskedOfPage {
  return { status: ASKED, arguments: args };
}

/** The arguments of a call that the page is asked to run; undefined for any other response. */
export function argumentsForPage(response: Fields): Fields | undefined {
  const { status, arguments: args } = response;
  return status === ASKED && isObject(args) ? args : undefined;
}

/** True for a request that the page answers by running its tool. */
export function isPageCall(
  { kind, tool }: Pick<PendingRequest, 'kind' | 'tool'>,
  pageTools: ReadonlySet<string>,
): boolean {
  return kind === 'result' && pageTools.has(tool);
}

/** The results of calls that wait for the page. Those of other calls, and of calls that have one, are ignored: a page sends all it knows. */
export function pageAnswers(
  results: readonly PageResult[],
  pending: readonly PendingRequest[],
  pageTools: ReadonlySet<string>,
): UiAnswer[] {
  return pending
    .filter((request) => isPageCall(request, pageTools))
    .flatMap((request) => {
      const result = results.findLast(({ callId }) => callId === request.functionCallId);
      if (!result) return [];
      const { value = null, error } = result;
      return [{ request, approved: true, value: error === undefined ? value : { error } }];
    });
}

/** The results in messages of AG-UI. */
export function resultsInMessages(messages: readonly Fields[]): PageResult[] {
  return messages
    .filter(({ role }) => role === 'tool')
    .map(({ toolCallId, content, error }) => ({
      callId: String(toolCallId),
      value: jsonOrText(content),
      error: typeof error === 'string' ? error : undefined,
    }));
}

/** The results in the parts of a message of `useChat`. */
export function resultsInParts(parts: readonly Fields[]): PageResult[] {
  return parts.flatMap(({ toolCallId, state, output, errorText }): PageResult[] => {
    const callId = String(toolCallId);
    if (state === 'output-available') return [{ callId, value: output }];
    return state === 'output-error' ? [{ callId, error: String(errorText) }] : [];
  });
}

/** Clients of AG-UI send the result as a text, which is often JSON. */
function jsonOrText(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}
