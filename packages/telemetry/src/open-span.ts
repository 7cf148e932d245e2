import { AsyncLocalStorage } from 'node:async_hooks';

import {
  type Attributes,
  type Context,
  context,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

import { ERROR_TYPE } from './conventions.js';
import { RunCost } from './model-costs.js';

/** The operation in whose async context the caller is. Needed where no context manager is registered. */
const ambient = new AsyncLocalStorage<OpenSpan>();

/** How a span begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly tracer: Tracer;
  readonly parent: OpenSpan | undefined;
  /** True for the span of a run, which ends those that began in it. */
  readonly isRun: boolean;
}

/** The span of an operation that has not ended. */
export class OpenSpan {
  readonly span: Span;
  private readonly context: Context;
  /** The open spans of the run, which end with it: a cancelled run abandons what does not stop. */
  private readonly open: Set<OpenSpan>;
  private readonly isRun: boolean;
  /** What the run has cost, with the agents that are tools in it. */
  readonly cost: RunCost;

  constructor({ name, kind, attributes, tracer, parent, isRun }: SpanStart) {
    const active = context.active();
    const from = trace.getSpan(active) ? active : (parent?.context ?? active);
    this.span = tracer.startSpan(name, { kind, attributes }, from);
    this.context = trace.setSpan(from, this.span);
    this.isRun = isRun;
    this.open = isRun || !parent ? new Set() : parent.open;
    this.cost = isRun || !parent ? new RunCost() : parent.cost;
    this.open.add(this);
  }

  static current(): OpenSpan | undefined {
    return ambient.getStore();
  }

  /** False if the span is not sampled or has ended: its attributes are lost. */
  get isRecording(): boolean {
    return this.open.has(this) && this.span.isRecording();
  }

  within(work: () => void): void {
    ambient.run(this, () => {
      context.with(this.context, work);
    });
  }

  /** @param errorType why the operation failed; `message` is absent if contents are not recorded */
  end(attributes: Attributes, errorType?: string, message?: string): void {
    if (!this.open.delete(this)) return;
    try {
      if (this.isRun) for (const one of [...this.open]) one.abandon();
      this.span.setAttributes(attributes);
      if (errorType === undefined) return;
      this.span.setAttribute(ERROR_TYPE, errorType);
      this.span.setStatus({ code: SpanStatusCode.ERROR, message });
    } finally {
      this.span.end();
    }
  }

  private abandon(): void {
    this.end({}, 'CANCELLED');
  }
}
