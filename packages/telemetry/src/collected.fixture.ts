import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Counts the spans that have begun and not ended. */
class OpenSpans implements SpanProcessor {
  count = 0;

  onStart(_span: Span): void {
    this.count++;
  }

  onEnd(): void {
    this.count--;
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** A registered SDK that keeps what it gets. */
export class Collected implements AsyncDisposable {
  readonly opened = new OpenSpans();
  private readonly exporter = new InMemorySpanExporter();
  private readonly metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  private readonly meters: MeterProvider;

  /** @param withContextManager false as in a process that registers only a tracer provider */
  constructor({ withContextManager = true, processors = [] as SpanProcessor[] } = {}) {
    const spanProcessors = [new SimpleSpanProcessor(this.exporter), this.opened, ...processors];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    this.meters = new MeterProvider({
      readers: [
        new PeriodicExportingMetricReader({
          exporter: this.metricExporter,
          exportIntervalMillis: 2_000_000,
          exportTimeoutMillis: 1_000,
        }),
      ],
    });
    metrics.setGlobalMeterProvider(this.meters);
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    if (withContextManager) context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }

  get spans(): ReadableSpan[] {
    return this.exporter.getFinishedSpans();
  }

  clear(): void {
    this.exporter.reset();
  }

  named(name: string): ReadableSpan {
    const found = this.spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no span ${name}: ${this.spans.map((one) => one.name).join()}`);
    return found;
  }

  /** The names of a span and of those above it, the topmost first. */
  pathOf(span: ReadableSpan): string[] {
    const above = this.spans.find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId);
    return above === undefined ? [span.name] : [...this.pathOf(above), span.name];
  }

  /** The data points of a metric. */
  async points(name: string): Promise<DataPoint<unknown>[]> {
    await this.meters.forceFlush();
    const all =
      this.metricExporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    return all
      .filter(({ descriptor }) => descriptor.name === name)
      .flatMap(({ dataPoints }): readonly DataPoint<unknown>[] => dataPoints);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.meters.shutdown();
    trace.disable();
    metrics.disable();
    context.disable();
    propagation.disable();
  }
}
