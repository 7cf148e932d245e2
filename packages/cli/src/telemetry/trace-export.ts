import { TelemetryPlugin } from '@adorn/telemetry';
import { context, diag, DiagConsoleLogger, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

import { UsageError } from '../usage.error.js';

/** Milliseconds between two requests to the collector. */
const INTERVAL_MS = 1_000;

/** Sends the spans of this process to a collector, over HTTP with JSON. */
export class TraceExport {
  /** Reports the runs of a runner. */
  readonly plugin = new TelemetryPlugin();

  private constructor(
    private readonly url: string,
    private readonly provider: BasicTracerProvider,
  ) {}

  /**
   * Registers the tracer provider of the process. Failures of the collector are printed. The environment gives headers
   * (`OTEL_EXPORTER_OTLP_HEADERS`) and the name of the service (`OTEL_SERVICE_NAME`).
   *
   * @param address of the collector, such as `http://localhost:4318`; a path is taken as it is
   * @throws {UsageError} for an address that is none
   */
  static open(address: string): TraceExport {
    const url = tracesUrl(address);
    const exporter = new OTLPTraceExporter({ url });
    const name = process.env['OTEL_SERVICE_NAME'] ?? 'adorn';
    const provider = new BasicTracerProvider({
      resource: defaultResource().merge(resourceFromAttributes({ 'service.name': name })),
      spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: INTERVAL_MS })],
    });
    diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.ERROR);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(provider);
    return new TraceExport(url, provider);
  }

  /** Sends what has ended and is not sent yet. A collector that does not answer is no error: it is told. */
  async close(): Promise<void> {
    try {
      await this.provider.forceFlush();
      await this.provider.shutdown();
    } catch (error) {
      const [first] = [error].flat();
      console.error(
        `The last spans did not reach ${this.url}: ${first instanceof Error ? first.message : String(first)}`,
      );
    }
  }
}

function tracesUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--otlp is "${address}". Pass the address of a collector, such as http://localhost:4318.`,
    );
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}
