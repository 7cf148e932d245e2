import type { ModelResponse } from '@adorn/core';
import {
  type AgentOperation,
  describeThrown,
  type ModelOperation,
  type Observation,
  type ObservedFact,
  type ObservedRun,
  type OperationEnd,
  present,
  type RunOperation,
  type ToolOperation,
} from '@adorn/core/backend';
import { type Attributes, SpanKind, type Tracer } from '@opentelemetry/api';

import type { Contents } from './contents.js';
import * as names from './conventions.js';
import type { ModelCosts } from './model-costs.js';
import type { ModelMetrics } from './model-metrics.js';
import { OpenSpan, type SpanStart } from './open-span.js';

/** What the observations of a plugin share, and where one begins. */
export interface ObservationPlace {
  readonly tracer: Tracer;
  readonly contents: Contents | undefined;
  readonly parent: OpenSpan | undefined;
  readonly extra: Attributes | undefined;
}

/** The provider of an operation that is Adorn's own. */
const ADORN = 'adorn';

abstract class SpanObservation implements Observation {
  protected readonly open: OpenSpan;
  protected readonly contents: Contents | undefined;

  constructor(
    run: ObservedRun,
    { tracer, contents, parent, extra }: ObservationPlace,
    start: Omit<SpanStart, 'tracer' | 'parent' | 'isRun'> & { readonly isRun?: boolean },
  ) {
    const { name, kind, isRun = false } = start;
    const attributes = {
      ...extra,
      [names.CONVERSATION_ID]: run.sessionId,
      [names.INVOCATION_ID]: run.invocationId,
      ...start.attributes,
    };
    this.contents = contents;
    this.open = new OpenSpan({ name, kind, attributes, tracer, parent, isRun });
  }

  within(work: () => void): void {
    this.open.within(work);
  }

  end(end: OperationEnd): void {
    const attributes: Attributes = { [names.STATUS]: end.status };
    try {
      if (this.open.isRecording) Object.assign(attributes, this.closing(end));
    } finally {
      this.open.end(attributes, errorTypeOf(end), this.messageOf(end));
    }
  }

  /** The attributes that are known at the end. */
  protected closing(_end: OperationEnd): Attributes {
    return {};
  }

  /** The text of an error may quote contents. */
  private messageOf({ error }: OperationEnd): string | undefined {
    if (error === undefined || !this.contents) return undefined;
    return this.contents.text(describeThrown(error).message);
  }
}

/** A run: `invoke_agent` of the application. */
export class RunObservation extends SpanObservation {
  constructor(run: RunOperation, place: ObservationPlace) {
    super(run, place, {
      name: `invoke_agent ${run.appName}`,
      kind: SpanKind.INTERNAL,
      isRun: true,
      attributes: {
        [names.OPERATION]: 'invoke_agent',
        [names.PROVIDER]: ADORN,
        [names.AGENT_NAME]: run.appName,
      },
    });
  }

  protected override closing(): Attributes {
    return present({ [names.COST]: this.open.cost.usd });
  }
}

/** A run of an agent: `invoke_agent`. */
export class AgentObservation extends SpanObservation {
  constructor(agent: AgentOperation, place: ObservationPlace) {
    const { name, description, path, isResumed, model } = agent;
    super(agent, place, {
      name: `invoke_agent ${name}`,
      kind: SpanKind.INTERNAL,
      attributes: present({
        [names.OPERATION]: 'invoke_agent',
        [names.PROVIDER]: model?.provider ?? ADORN,
        [names.AGENT_NAME]: name,
        [names.AGENT_PATH]: path,
        [names.AGENT_DESCRIPTION]: description === '' ? undefined : description,
        [names.REQUEST_MODEL]: model?.name,
        [names.RESUMED]: isResumed || undefined,
      }),
    });
  }
}

/** A request to a model: `chat`. */
export class ModelObservation extends SpanObservation {
  private readonly costs: ModelCosts;
  private readonly modelName: string;
  private usd: number | undefined;
  private readonly metrics: ModelMetrics;
  private readonly measured: Attributes;
  private readonly isStream: boolean;
  private readonly begin = performance.now();
  private first: number | undefined;
  private response: ModelResponse | undefined;

  constructor(
    operation: ModelOperation,
    place: ObservationPlace & { readonly metrics: ModelMetrics; readonly costs: ModelCosts },
  ) {
    const { agentName, model, request } = operation;
    const measured = {
      [names.OPERATION]: 'chat',
      [names.PROVIDER]: model.provider,
      [names.REQUEST_MODEL]: model.name,
    };
    super(operation, place, {
      name: `chat ${model.name}`,
      kind: SpanKind.CLIENT,
      attributes: present({ ...measured, [names.AGENT_NAME]: agentName }),
    });
    this.costs = place.costs;
    this.modelName = model.name;
    this.metrics = place.metrics;
    this.measured = measured;
    this.isStream = request.stream;
    if (!this.open.isRecording) return;
    this.open.span.setAttributes(requestAttributes(request));
    if (this.contents) this.open.span.setAttributes(this.contents.ofRequest(request));
  }

  note(fact: ObservedFact): void {
    if (fact.kind !== 'response') return;
    if (fact.response.partial !== true) this.response = fact.response;
    else this.first ??= (performance.now() - this.begin) / 1_000;
  }

  override end(end: OperationEnd): void {
    this.usd = this.response && this.costs.of(this.modelName, this.response);
    // A request that failed without an answer is not billed.
    if (this.response || end.status !== 'failed') this.open.cost.add(this.usd);
    super.end(end);
    const errorType = errorTypeOf(end);
    const { usageMetadata: usage, modelVersion } = this.response ?? {};
    const attributes = present({ ...this.measured, [names.RESPONSE_MODEL]: modelVersion });
    const failed = errorType === undefined ? attributes : { ...attributes, [names.ERROR_TYPE]: errorType };
    this.metrics.ended((performance.now() - this.begin) / 1_000, failed);
    if (this.first !== undefined && this.isStream) this.metrics.firstArrived(this.first, attributes);
    this.metrics.used('input', usage?.promptTokenCount, attributes);
    this.metrics.used('output', outputTokens(usage), attributes);
  }

  protected override closing(): Attributes {
    const { response, first, contents } = this;
    const timing =
      first !== undefined && this.isStream ? { [names.RESPONSE_TIME_TO_FIRST_CHUNK]: first } : undefined;
    if (!response) return { ...timing };
    const reason = finishReasonOf(response);
    return present({
      ...timing,
      ...responseAttributes(response, reason),
      [names.COST]: this.usd,
      ...contents?.ofResponse(response, reason),
    });
  }
}

/** A call of a tool: `execute_tool`, with an event for each verdict of a gate and each retry. */
export class ToolObservation extends SpanObservation {
  private attempts = 0;

  constructor(call: ToolOperation, place: ObservationPlace) {
    const { name, description, callId, agentName, args } = call;
    super(call, place, {
      name: `execute_tool ${name}`,
      kind: SpanKind.INTERNAL,
      attributes: present({
        [names.OPERATION]: 'execute_tool',
        [names.TOOL_NAME]: name,
        [names.TOOL_TYPE]: 'function',
        [names.TOOL_CALL_ID]: callId,
        [names.AGENT_NAME]: agentName,
        [names.TOOL_DESCRIPTION]: description === '' ? undefined : description,
      }),
    });
    if (!this.open.isRecording) return;
    this.open.span.setAttribute(names.ARGUMENTS_SIZE, bytesOf(args));
    if (this.contents) this.open.span.setAttributes(this.contents.ofArguments(args));
  }

  note(fact: ObservedFact): void {
    if (!this.open.isRecording) return;
    const { span } = this.open;
    if (fact.kind === 'gate') {
      const { gate, verdict } = fact;
      if (gate === 'run' && verdict !== 'intercept') this.attempts++;
      span.addEvent(names.GATE_EVENT, { [names.GATE]: gate, [names.VERDICT]: verdict });
    } else if (fact.kind === 'retry') {
      this.attempts++;
      const error = errorTypeOf({ status: 'failed', error: fact.error });
      span.addEvent(names.RETRY_EVENT, {
        [names.RETRY_DELAY]: fact.delayMs / 1_000,
        [names.ERROR_TYPE]: error ?? OTHER,
      });
    }
  }

  protected override closing({ response }: OperationEnd): Attributes {
    const attempts = { [names.ATTEMPTS]: this.attempts };
    if (!response) return attempts;
    return { ...attempts, [names.RESPONSE_SIZE]: bytesOf(response), ...this.contents?.ofResult(response) };
  }
}

/** The conventions' word for an error without a name of its own. */
const OTHER = '_OTHER';

/** The code of Adorn's error, else the name of the class of what was thrown. */
function errorTypeOf({ status, errorCode, error }: OperationEnd): string | undefined {
  if (status === 'cancelled') return errorCode ?? 'CANCELLED';
  if (status !== 'failed') return undefined;
  if (errorCode !== undefined) return errorCode;
  if (error === undefined) return OTHER;
  const { code, name } = describeThrown(error);
  return code ?? (name === '' ? OTHER : name);
}

function requestAttributes({ config, stream }: ModelOperation['request']): Attributes {
  const { candidateCount, responseMimeType, stopSequences } = config;
  return present({
    [names.REQUEST_MAX_TOKENS]: config.maxOutputTokens,
    [names.REQUEST_TEMPERATURE]: config.temperature,
    [names.REQUEST_TOP_P]: config.topP,
    [names.REQUEST_TOP_K]: config.topK,
    [names.REQUEST_FREQUENCY_PENALTY]: config.frequencyPenalty,
    [names.REQUEST_PRESENCE_PENALTY]: config.presencePenalty,
    [names.REQUEST_SEED]: config.seed,
    [names.REQUEST_STOP_SEQUENCES]: stopSequences,
    [names.REQUEST_CHOICE_COUNT]: candidateCount === 1 ? undefined : candidateCount,
    [names.REQUEST_STREAM]: stream ? true : undefined,
    [names.OUTPUT_TYPE]: responseMimeType === 'application/json' ? 'json' : undefined,
  });
}

function responseAttributes(response: ModelResponse, finishReason: string): Attributes {
  const { modelVersion, responseId, usageMetadata: usage } = response;
  const reasons: string[] = [finishReason];
  return present({
    [names.RESPONSE_ID]: responseId,
    [names.RESPONSE_MODEL]: modelVersion,
    [names.RESPONSE_FINISH_REASONS]: reasons,
    [names.USAGE_INPUT_TOKENS]: usage?.promptTokenCount,
    [names.USAGE_OUTPUT_TOKENS]: outputTokens(usage),
    [names.USAGE_CACHE_READ]: usage?.cachedContentTokenCount,
    [names.USAGE_REASONING]: usage?.thoughtsTokenCount,
  });
}

/** The tokens of the answer and of its thoughts, which Google counts apart and the conventions together. */
function outputTokens(usage: ModelResponse['usageMetadata']): number | undefined {
  const { candidatesTokenCount: answered, thoughtsTokenCount: thought } = usage ?? {};
  return answered === undefined && thought === undefined ? undefined : (answered ?? 0) + (thought ?? 0);
}

/** Google's finish reason in the words of the conventions. */
function finishReasonOf({ content, errorCode, finishReason }: ModelResponse): string {
  if (content?.parts?.some(({ functionCall }) => functionCall !== undefined) === true) return 'tool_call';
  switch (finishReason) {
    case undefined:
      return errorCode === undefined ? 'stop' : 'error';
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'RECITATION':
      return 'content_filter';
    default:
      return finishReason.toLowerCase();
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
