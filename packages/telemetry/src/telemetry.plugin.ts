import { AdornError, Plugin } from '@adorn/core';
import {
  checkPrices,
  kindOf,
  type ModelPrices,
  type Observation,
  type ObservedRun,
  type Operation,
  optionNames,
  type PluginHost,
  unknownOption,
} from '@adorn/core/backend';
import { type Attributes, type Meter, metrics, trace, type Tracer } from '@opentelemetry/api';

import { AgentObservation, ModelObservation, RunObservation, ToolObservation } from './observations.js';
import { Contents } from './contents.js';
import { isMetering, isTracing } from './sdk-presence.js';
import { ModelMetrics } from './model-metrics.js';
import { OpenSpan } from './open-span.js';
import { ModelCosts } from './model-costs.js';

/** The options of a `TelemetryPlugin`. */
export interface TelemetryOptions {
  /**
   * True to record what users, models and tools say: messages, instructions, arguments, results and the texts of errors.
   * They are redacted like log lines, by the runner and by a `RedactionPlugin`. Default: false.
   */
  readonly contents?: boolean;
  /** Attributes of all spans, such as those of a tenant. A throw leaves the run unobserved. Default: none. */
  readonly attributes?: (run: ObservedRun) => Attributes;
  /**
   * US dollars for a million tokens by the beginnings of models' names, beside the published list prices: of them the attribute
   * `adorn.cost.usd` is made. Default: none.
   */
  readonly prices?: ModelPrices;
}

const OPTIONS = optionNames<TelemetryOptions>({ contents: true, attributes: true, prices: true });

/** The name of the tracer and the meter. */
const SCOPE = '@adorn/telemetry';

/**
 * Reports runs to OpenTelemetry, by its GenAI semantic conventions: a span for each run, each run of an agent, each request
 * to a model and each call of a tool; and metrics of the requests to models. It uses the tracer and meter providers that
 * the process has registered. Without any, it does nothing.
 *
 * @example
 * const runner = await createRunner(Support, { plugins: [new TelemetryPlugin()] });
 */
export class TelemetryPlugin extends Plugin {
  readonly name: string = 'telemetry';
  private readonly contents: Contents | undefined;
  private readonly costs: ModelCosts;
  private tracer: Tracer | undefined;
  private metrics: { readonly of: Meter; readonly made: ModelMetrics } | undefined;

  /** @throws {TelemetryOptionInvalidError} */
  constructor(private readonly options: TelemetryOptions = {}) {
    super();
    checkOptions(options);
    this.contents = options.contents === true ? new Contents() : undefined;
    this.costs = new ModelCosts(options.prices);
  }

  override onRegister(host: PluginHost): void {
    this.contents?.redactWith((facts) => host.redact(facts));
  }

  override observe(operation: Operation): Observation | undefined {
    if (!isTracing() && !isMetering()) return undefined;
    switch (operation.kind) {
      case 'run':
        return new RunObservation(operation, this.place(operation));
      case 'agent':
        return new AgentObservation(operation, this.place(operation));
      case 'model':
        return new ModelObservation(operation, {
          ...this.place(operation),
          metrics: this.modelMetrics(),
          costs: this.costs,
        });
      case 'tool':
        return new ToolObservation(operation, this.place(operation));
    }
  }

  private place(operation: Operation) {
    this.tracer ??= trace.getTracer(SCOPE);
    const extra = this.options.attributes?.(operation);
    return {
      tracer: this.tracer,
      contents: this.contents,
      costs: this.costs,
      parent: OpenSpan.current(),
      extra,
    };
  }

  private modelMetrics(): ModelMetrics {
    // Unlike a tracer, a meter does not follow a provider that is registered later.
    const meter = metrics.getMeter(SCOPE);
    if (this.metrics?.of !== meter) this.metrics = { of: meter, made: new ModelMetrics(meter) };
    return this.metrics.made;
  }
}

function checkOptions(options: TelemetryOptions): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TelemetryOptionInvalidError(`its options are ${kindOf(given)}. Pass an object.`);
  const unknown = unknownOption(options, OPTIONS);
  if (unknown) throw new TelemetryOptionInvalidError(`${unknown.fault}. ${unknown.cure}`);
  const { contents, attributes, prices }: Readonly<Record<keyof TelemetryOptions, unknown>> = {
    contents: undefined,
    attributes: undefined,
    prices: undefined,
    ...options,
  };
  if (contents !== undefined && typeof contents !== 'boolean')
    throw new TelemetryOptionInvalidError(`its contents is ${kindOf(contents)}. Pass true or false.`);
  if (attributes !== undefined && typeof attributes !== 'function')
    throw new TelemetryOptionInvalidError(
      `its attributes is ${kindOf(attributes)}. Pass a function of a run, which returns attributes.`,
    );
  if (prices !== undefined) checkPrices('the prices of TelemetryPlugin', prices);
}

/** An option of a `TelemetryPlugin` cannot be used. */
class TelemetryOptionInvalidError extends AdornError {
  readonly code = 'PLUGIN_INVALID';

  /** @param fault what was there instead, and what to pass */
  constructor(fault: string) {
    super(`TelemetryPlugin: ${fault}`);
  }
}
