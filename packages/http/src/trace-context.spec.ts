import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';

import { setTraceHeaders, traceHeaders, withinTrace } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

describe('in a process with tracing', () => {
  beforeEach(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
  });

  afterEach(() => {
    context.disable();
    propagation.disable();
  });

  it('the headers of a request name the current trace, without its baggage', async () => {
    const headers = await withinTrace({ traceparent: PARENT, baggage: 'user=ada' }, async () => {
      await Promise.resolve();
      return traceHeaders();
    });

    expect(headers).toEqual({ traceparent: PARENT });
    expect(traceHeaders()).toEqual({});
  });

  it('a header that the caller has set stays', () => {
    const headers = new Headers({ traceparent: 'own' });

    withinTrace(new Headers({ traceparent: PARENT }), () => {
      setTraceHeaders(headers);
    });

    expect([...headers]).toEqual([['traceparent', 'own']]);
  });

  it('an active span stays the parent of what a request begins', () => {
    const other = PARENT.replace(TRACE, TRACE.replaceAll('0', '1'));

    const seen = withinTrace({ traceparent: PARENT }, () =>
      withinTrace({ traceparent: other }, traceHeaders),
    );

    expect(seen).toEqual({ traceparent: PARENT });
  });

  it.each([undefined, 7, null, ['a'], '', 'nonsense', PARENT.repeat(9_999)])(
    'the header %s begins no trace',
    (traceparent) => {
      expect(withinTrace({ traceparent }, () => trace.getSpan(context.active()))).toBeUndefined();
    },
  );
});

it('without tracing there are no headers', () => {
  expect(withinTrace({ traceparent: PARENT }, traceHeaders)).toEqual({});
});
