import { FunctionTool } from '@adorn/core';
import { withinTrace } from '@adorn/http';
import { callsTool, says } from '@adorn/testing';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

import { mcpToolset } from './index.js';
import { serveTo, told } from './server/served.fixture.js';
import { serveMcp } from './server/serve-mcp.js';
import { startRunner } from './toolset/agent.fixture.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

const look = new FunctionTool({
  name: 'look',
  description: 'Says the trace that it is part of.',
  effect: 'read',
  run: () => trace.getSpanContext(context.active())?.traceId ?? 'none',
});

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});

afterAll(() => {
  context.disable();
  propagation.disable();
});

it('a call of an agent, its request and its execution at the server are one trace', async () => {
  const serving = await serveMcp([look], { http: { port: 0 } });
  const { run, runner } = await startRunner(
    [mcpToolset({ url: serving.url ?? '' })],
    [callsTool('look'), says('Seen.'), callsTool('look'), says('Seen.')],
  );

  const traced = await withinTrace({ traceparent }, () => run());
  const untraced = await run();

  const resultOf = ({ events }: Awaited<ReturnType<typeof run>>) =>
    events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response?.['result']));
  expect(resultOf(traced)).toEqual([TRACE]);
  expect(resultOf(untraced)).toEqual(['none']);
  await runner.close();
  await serving.close();
});

it('a call is part of the trace in its _meta', async () => {
  const { client, close } = await serveTo([look]);

  expect(told(await client.callTool({ name: 'look', _meta: { traceparent } }))).toEqual([TRACE]);
  expect(told(await client.callTool({ name: 'look', _meta: { traceparent: 7 } }))).toEqual(['none']);
  await close();
});
