import type { EvalMetricResult } from '../eval-report.js';
import type { EvalFault } from '../eval-set.js';

/** The share of the faults of a case that have happened. One that has not shows nothing: the case fails. */
export function faultsResult(
  faults: readonly EvalFault[],
  happened: ReadonlySet<EvalFault>,
  stored: number,
): EvalMetricResult {
  const missing = faults.filter((fault) => !happened.has(fault));
  const detail = missing.map((fault) => `${nameOf(fault)} did not happen`).join('; ');
  return {
    ...{ metricName: 'faults', threshold: 1, score: (faults.length - missing.length) / faults.length },
    evalStatus: missing.length === 0 ? 'passed' : 'failed',
    ...(missing.length > 0 && { detail: `${detail}: ${String(stored)} events were stored` }),
  };
}

function nameOf(fault: EvalFault): string {
  if (fault.kind !== 'kill') {
    const { kind, tool, nth = 1 } = fault;
    return `the fault ${kind} of ${tool === undefined ? 'the model' : tool}, call ${String(nth)},`;
  }
  const [word, place] = fault.before === undefined ? ['behind', fault.behind] : ['before', fault.before];
  return `the kill ${word} event ${String(place)}`;
}
