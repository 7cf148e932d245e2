import type { Attributes, Histogram, Meter } from '@opentelemetry/api';

import { TOKEN_TYPE } from './conventions.js';

/** The bucket boundaries that the conventions recommend. */
const DURATION = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/** The metrics of requests to models. */
export class ModelMetrics {
  private readonly duration: Histogram;
  private readonly firstChunk: Histogram;
  private readonly tokens: Histogram;

  constructor(meter: Meter) {
    const seconds = { unit: 's', advice: { explicitBucketBoundaries: DURATION } };
    this.duration = meter.createHistogram('gen_ai.client.operation.duration', {
      description: 'GenAI operation duration.',
      ...seconds,
    });
    this.firstChunk = meter.createHistogram('gen_ai.client.operation.time_to_first_chunk', {
      description: 'Time to receive the first chunk.',
      ...seconds,
    });
    this.tokens = meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Number of input and output tokens used.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: TOKENS },
    });
  }

  /** @param duration in seconds */
  ended(duration: number, attributes: Attributes): void {
    this.duration.record(duration, attributes);
  }

  /** @param delay in seconds */
  firstArrived(delay: number, attributes: Attributes): void {
    this.firstChunk.record(delay, attributes);
  }

  used(type: 'input' | 'output', count: number | undefined, attributes: Attributes): void {
    if (count !== undefined) this.tokens.record(count, { ...attributes, [TOKEN_TYPE]: type });
  }
}
