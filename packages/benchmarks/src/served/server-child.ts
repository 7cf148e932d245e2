// Serves an agent whose answers are as PIECES says, such as 4x8, until its parent ends, and prints where. With TELEMETRY=on, spans are made
// and dropped, as by a processor that costs nothing.
import { TelemetryPlugin } from '@adorn/telemetry';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base';

import { ServedAgent } from './served-agent.js';

const DROPPING: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

const hasTelemetry = process.env['TELEMETRY'] === 'on';
if (hasTelemetry) {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [DROPPING] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}
const [count = 0, length = 0] = (process.env['PIECES'] ?? '').split('x').map(Number);
const pieces = Array.from({ length: count }, () => '-'.repeat(length));
const agent = await ServedAgent.open(pieces, hasTelemetry ? [new TelemetryPlugin()] : []);
console.log(JSON.stringify({ url: agent.url, token: agent.headers['authorization'] }));
process.once('disconnect', () => process.exit());
