import { context, propagation, trace } from '@opentelemetry/api';

/**
 * The headers that make a request part of the current trace, such as `traceparent` of W3C Trace Context: what the registered
 * propagator of OpenTelemetry writes, without `baggage`, which another server has no business to see. Empty in a process
 * without tracing.
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (trace.getSpan(context.active()) === undefined) return headers;
  propagation.inject(context.active(), headers);
  delete headers['baggage'];
  return headers;
}

/** Sets the headers of the current trace, unless the caller has set one of that name. */
export function setTraceHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(traceHeaders()))
    if (!headers.has(name)) headers.set(name, value);
}

/**
 * Does work as part of the trace that a request names in its headers. A span that is active already, as of an
 * instrumentation of the server, stays the parent.
 *
 * @param headers the names in lower case
 */
export function withinTrace<Result>(
  headers: Headers | Readonly<Record<string, unknown>>,
  work: () => Result,
): Result {
  const active = context.active();
  if (trace.getSpan(active) !== undefined) return work();
  return context.with(propagation.extract(active, headers, GETTER), work);
}

const GETTER = {
  keys: (carrier: Headers | Readonly<Record<string, unknown>>): string[] =>
    carrier instanceof Headers ? [...carrier.keys()] : Object.keys(carrier),
  get: (carrier: Headers | Readonly<Record<string, unknown>>, name: string): string | undefined => {
    const value = carrier instanceof Headers ? carrier.get(name) : carrier[name];
    return typeof value === 'string' ? value : undefined;
  },
};
