import { defineAgent } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

import { a2aHandler } from './a2a-handler.js';

const URL_OF_HANDLER = 'http://127.0.0.1:9/a2a';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});

afterAll(() => {
  context.disable();
  propagation.disable();
});

it.each(['message/send', 'message/stream'])(
  'the task of %s is part of the trace that its request names',
  async (method) => {
    const seen: (string | undefined)[] = [];
    const step = () => {
      seen.push(trace.getSpanContext(context.active())?.traceId);
      return says('Hi.');
    };
    const agent = defineAgent({ name: 'desk', model: new ScriptedModel(step, step, step) });
    const handler = await a2aHandler(agent, { url: URL_OF_HANDLER });

    for (const traceparent of [`00-${TRACE}-b7ad6b7169203331-01`, 'nonsense', undefined])
      await (await handler(messageOf(method, traceparent))).text();
    await handler.close();

    expect(seen).toEqual([TRACE, undefined, undefined]);
  },
);

/** A message in revision 0.3. */
function messageOf(method: string, traceparent: string | undefined): Request {
  const parts = [{ kind: 'text', text: 'Hi' }];
  const message = { kind: 'message', role: 'user', messageId: crypto.randomUUID(), parts };
  const headers = new Headers({ 'content-type': 'application/json' });
  if (traceparent !== undefined) headers.set('traceparent', traceparent);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } });
  return new Request(URL_OF_HANDLER, { method: 'POST', body, headers });
}
