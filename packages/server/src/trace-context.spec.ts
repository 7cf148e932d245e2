import { says } from '@adorn/testing';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

import { TestDesk } from './request.fixture.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});

afterAll(() => {
  context.disable();
  propagation.disable();
});

it('a run is part of the trace that its request names', async () => {
  const seen: (string | undefined)[] = [];
  const step = () => {
    seen.push(trace.getSpanContext(context.active())?.traceId);
    return says('Hi.');
  };
  await using desk = await TestDesk.open([step, step]);
  const body = { appName: 'desk', userId: 'ada', sessionId: 's1', newMessage: { parts: [{ text: 'Hi' }] } };
  await desk.send('/apps/desk/users/ada/sessions/s1', { method: 'POST' });

  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  await (await desk.send('/run_sse', { body, headers })).text();
  await (await desk.send('/run_sse', { body, headers: { traceparent: 'nonsense' } })).text();

  expect(seen).toEqual([TRACE, undefined]);
});
