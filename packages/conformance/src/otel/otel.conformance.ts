import { join } from 'node:path';

import { TelemetryPlugin } from '@adorn/telemetry';
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  type MetricData,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

import { type Check, type Section, timed } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { Suite } from '../suite.js';
import { faultsOfMetric, faultsOfSpan } from './check-signals.js';
import { Conventions } from './conventions.js';
import { play, SCENARIOS } from './scenarios.js';

const FOLDER = 'protocol/otel-genai';

/** The spans and metrics of conversations, held against OpenTelemetry's GenAI semantic conventions. */
export const otelConformance: Suite = {
  name: 'otel',
  summary: 'spans and metrics of conversations beside the GenAI semantic conventions',
  takes: 'a second',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const conventions = Conventions.read(join(fixtures, FOLDER));
    await using sdk = new CollectingSdk();
    for (const contents of [false, true])
      yield await timed(contents ? 'with contents' : 'without contents', async () => {
        const groups = [];
        for (const scenario of SCENARIOS) {
          await play(scenario, new TelemetryPlugin({ contents }));
          const spans = sdk.taken();
          const names = [...new Set(spans.map(({ name }) => name))].sort();
          const checks = spans.map((span) => check(span.name, faultsOfSpan(span, conventions, contents)));
          checks.push({ what: 'the spans', fault: findDifference([...scenario.spans].sort(), names) });
          checks.push(check('one trace for each run', strays(spans)));
          groups.push({ name: scenario.name, checks });
        }
        return groups;
      });
    yield await timed('metrics', async () => {
      const measured = await sdk.metrics();
      const names = measured.map(({ descriptor }) => descriptor.name).sort();
      return [
        {
          name: 'of all conversations',
          checks: [
            { what: 'the metrics', fault: findDifference(METRICS, names) },
            ...measured.map((one) => check(one.descriptor.name, faultsOfMetric(one, conventions))),
          ],
        },
      ];
    });
  },
};

const METRICS = [
  'gen_ai.client.operation.duration',
  'gen_ai.client.operation.time_to_first_chunk',
  'gen_ai.client.token.usage',
];

function check(what: string, faults: readonly string[]): Check {
  return { what, fault: faults.length === 0 ? undefined : faults.join('; ') };
}

/** The spans whose parent is not there, except for those of runs. */
function strays(spans: readonly ReadableSpan[]): string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  return spans
    .filter(({ name }) => name !== 'invoke_agent app')
    .filter(({ parentSpanContext }) => parentSpanContext === undefined || !ids.has(parentSpanContext.spanId))
    .map(({ name }) => `${name} has no parent`);
}

/** A registered SDK that keeps what it gets. */
class CollectingSdk implements AsyncDisposable {
  private readonly spans = new InMemorySpanExporter();
  private readonly exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  private readonly meters: MeterProvider;

  constructor() {
    const spanProcessors = [new SimpleSpanProcessor(this.spans)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    const exporter = this.exporter;
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2_000_000 });
    this.meters = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(this.meters);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }

  /** The spans since the last call. */
  taken(): ReadableSpan[] {
    const spans = [...this.spans.getFinishedSpans()];
    this.spans.reset();
    return spans;
  }

  async metrics(): Promise<MetricData[]> {
    await this.meters.forceFlush();
    const latest = this.exporter.getMetrics().at(-1);
    return latest?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.meters.shutdown();
    trace.disable();
    metrics.disable();
    context.disable();
  }
}
