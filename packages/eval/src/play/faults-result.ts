import type { Event } from '@adorn/core';
import { nearestNames } from '@adorn/core/backend';

import type { EvalMetricResult } from '../eval-report.js';
import type { EvalFault } from '../eval-set.js';

/** What became of a case. */
interface PlayedCase {
  readonly happened: ReadonlySet<EvalFault>;
  /** The stored events. */
  readonly events: readonly Event[];
  /** The names of the tools of its agents. */
  readonly tools: Iterable<string>;
}

/** The share of the faults of a case that have happened. One that has not shows nothing: the case fails. */
export function faultsResult(faults: readonly EvalFault[], played: PlayedCase): EvalMetricResult {
  const missing = faults.filter((fault) => !played.happened.has(fault));
  return {
    ...{ metricName: 'faults', threshold: 1, score: (faults.length - missing.length) / faults.length },
    evalStatus: missing.length === 0 ? 'passed' : 'failed',
    ...(missing.length > 0 && { detail: detailOf(missing, played) }),
  };
}

function detailOf(missing: readonly EvalFault[], { events, tools }: PlayedCase): string {
  const known = [...tools];
  const said = missing.map((fault) => `${nameOf(fault)} did not happen${toolHint(toolOf(fault), known)}`);
  const stored = events.map((event, index) => `${String(index + 1)} ${shownEvent(event)}`);
  return `${said.join('; ')}: ${String(events.length)} events were stored: ${stored.join(', ')}`;
}

function toolOf(fault: EvalFault): string | undefined {
  return fault.kind === 'kill' ? fault.during : fault.tool;
}

/** Names the tools that were probably meant by one that does not exist. */
function toolHint(tool: string | undefined, known: readonly string[]): string {
  if (tool === undefined || known.length === 0 || known.includes(tool)) return '';
  const near = nearestNames(tool, known);
  return ` (there is no tool ${tool}; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${known.join(', ')}`})`;
}

/** An event by its author and its calls, responses or text: `desk calls refund`. */
function shownEvent({ author, functionCalls, functionResponses, text }: Event): string {
  const calls = functionCalls.map(({ name }) => name).join(' and ');
  const responses = functionResponses.map(({ name }) => name).join(' and ');
  if (calls !== '') return `${author} calls ${calls}`;
  if (responses !== '') return `${author} has the response of ${responses}`;
  return text === '' ? author : `${author} says a text`;
}

function nameOf(fault: EvalFault): string {
  if (fault.kind !== 'kill') {
    const { kind, tool, nth = 1 } = fault;
    return `the fault ${kind} of ${tool === undefined ? 'the model' : tool}, call ${String(nth)},`;
  }
  if (fault.during !== undefined) return `the kill during ${fault.during}`;
  const [word, place] = fault.before === undefined ? ['behind', fault.behind] : ['before', fault.before];
  return `the kill ${word} event ${String(place)}`;
}
