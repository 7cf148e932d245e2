import { createNoopMeter, metrics, ProxyTracerProvider, trace } from '@opentelemetry/api';

const NO_METER = createNoopMeter();
const NO_TRACER_PROVIDER = new ProxyTracerProvider().getDelegate();

/** True if the process has registered a tracer provider. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== NO_TRACER_PROVIDER;
}

/** True if the process has registered a meter provider. */
export function isMetering(): boolean {
  return metrics.getMeter('') !== NO_METER;
}
