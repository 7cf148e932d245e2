import type { Event, FunctionCall } from '@adorn/core';
import { type FunctionResponse, isPlaceholder, isRequestName, isRetried } from '@adorn/core/backend';

import { cut, inlineEntries, inlineJson } from './inline-json.js';
import type { Line } from '../terminal/palette.js';

export interface RenderOptions {
  /** The maximal length of a line of a call or a result. */
  readonly width: number;
  /** True to omit the text, because it was streamed already. */
  readonly withoutText?: boolean;
  /** The duration of a call in milliseconds, if known. */
  readonly tookOf?: (callId: string) => number | undefined;
}

/** The lines that show an event to a person. */
export function renderEvent(event: Event, options: RenderOptions): Line[] {
  return [
    ...renderText(event, options),
    ...(event.partial ? [] : shownCalls(event)).map((call) => renderCall(call, options.width)),
    ...shownResponses(event).map((response) => renderResponse(response, event, options)),
    ...renderTransfer(event),
    ...renderError(event),
  ];
}

/** The calls of tools, without requests to a person. */
export function shownCalls(event: Event): FunctionCall[] {
  return event.functionCalls.filter(({ name }) => !isRequestName(name));
}

/** The results, without placeholders of calls that wait for a person. */
function shownResponses(event: Event): FunctionResponse[] {
  return event.functionResponses.filter(
    (response) => !isRequestName(response.name) && !isPlaceholder(event, response),
  );
}

/** `refund_order(orderId: "W2611340", cents: 500)` */
function inlineCall(name: string, args: object, width: number): string {
  return cut(`${name}(${inlineEntries(args)})`, width);
}

function renderText({ text, author }: Event, { withoutText }: RenderOptions): Line[] {
  if (text === '' || withoutText === true || author === 'user') return [];
  return text.split('\n').map((line) => ({ tone: 'answer', text: line }));
}

function renderCall({ name = '', args = {} }: FunctionCall, width: number): Line {
  return { tone: 'call', text: `→ ${inlineCall(name, args, width - 2)}` };
}

function renderResponse(
  { id = '', name = '', response = {} }: FunctionResponse,
  event: Event,
  options: RenderOptions,
): Line {
  if (event.partial) return { tone: 'note', text: cut(`… ${name} ${inlineJson(response)}`, options.width) };
  const took = options.tookOf?.(id);
  const time = took === undefined ? '' : ` ${String(Math.round(took))} ms`;
  const whose = event.functionResponses.length > 1 ? `${name} ` : '';
  const result = cut(inlineJson(response), options.width - 2 - whose.length - time.length);
  return { tone: 'error' in response ? 'failure' : 'result', text: `← ${whose}${result}${time}` };
}

function renderTransfer({ actions: { transferToAgent } }: Event): Line[] {
  return transferToAgent === undefined ? [] : [{ tone: 'note', text: `» ${transferToAgent} takes over` }];
}

function renderError(event: Event): Line[] {
  const { errorCode, errorMessage } = event;
  if (errorCode === undefined) return [];
  if (isRetried(event)) return [{ tone: 'note', text: `↻ the model is asked again (${errorCode})` }];
  return [{ tone: 'failure', text: `✗ ${errorMessage ?? 'The model gave no answer.'} (${errorCode})` }];
}
