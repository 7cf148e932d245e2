import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

import type { Conventions, DefinedSignal } from './conventions.js';

type Attributes = Readonly<Record<string, unknown>>;

/** Attributes whose enumeration is open: who has no value of his own there may write another. */
const OPEN = new Set(['gen_ai.provider.name']);
const CONTENTS =
  /^gen_ai\.(system_instructions|input\.messages|output\.messages|tool\.call\.(arguments|result))$/;

const SPANS: Readonly<Record<string, { readonly id: string; readonly named: string }>> = {
  chat: { id: 'span.gen_ai.inference.client', named: 'gen_ai.request.model' },
  invoke_agent: { id: 'span.gen_ai.invoke_agent.internal', named: 'gen_ai.agent.name' },
  execute_tool: { id: 'span.gen_ai.execute_tool.internal', named: 'gen_ai.tool.name' },
};

/** What is wrong with a span, by the conventions; empty if nothing is. */
export function faultsOfSpan(span: ReadableSpan, conventions: Conventions, hasContents: boolean): string[] {
  const { attributes, name } = span;
  const operation = String(attributes['gen_ai.operation.name']);
  const known = SPANS[operation];
  if (!known) return [`the operation is ${operation}`];
  const defined = conventions.signal(known.id);
  const kind = SpanKind[span.kind].toLowerCase();
  const expected = `${operation} ${String(attributes[known.named])}`;
  const isFailed = span.status.code === SpanStatusCode.ERROR;
  const contents = Object.keys(attributes).filter((one) => CONTENTS.test(one));
  return [
    ...(kind === defined.spanKind ? [] : [`the kind is ${kind}, expected ${String(defined.spanKind)}`]),
    ...(name === expected ? [] : [`the name is "${name}", expected "${expected}"`]),
    ...(isFailed === 'error.type' in attributes ? [] : ['error.type and the status do not agree']),
    ...(hasContents ? contents.flatMap((one) => contentFaults(one, attributes[one])) : contents),
    ...attributeFaults(attributes, defined, conventions),
  ];
}

/** What is wrong with a metric and its points. */
export function faultsOfMetric({ descriptor, dataPoints }: MetricData, conventions: Conventions): string[] {
  const defined = conventions.signal(`metric.${descriptor.name}`);
  return [
    ...(descriptor.unit === defined.unit ? [] : [`the unit is ${descriptor.unit}`]),
    ...dataPoints.flatMap(({ attributes }) => attributeFaults(attributes, defined, conventions)),
  ];
}

/** Attributes of Adorn and of the application have names of their own. */
function attributeFaults(attributes: Attributes, defined: DefinedSignal, conventions: Conventions): string[] {
  const missing = [...defined.required].filter((name) => attributes[name] === undefined);
  const ours = Object.entries(attributes).filter(([name]) => name.startsWith('gen_ai.'));
  return [
    ...missing.map((name) => `${name} is required and missing`),
    ...ours.flatMap(([name, value]) => {
      const attribute = conventions.attributes.get(name);
      if (!attribute) return [`${name} does not exist`];
      if (attribute.isReplaced) return [`${name} has been replaced`];
      if (!defined.attributes.has(name) && !isOfEverySpan(name))
        return [`${name} is not one of ${defined.id}`];
      return isOfType(value, attribute.type) || OPEN.has(name)
        ? []
        : [`${name} is ${JSON.stringify(value)}, expected ${String(attribute.type)}`];
    }),
  ];
}

/** What ties the spans of a conversation together, and may stand on each. */
function isOfEverySpan(name: string): boolean {
  return name === 'gen_ai.conversation.id' || name === 'gen_ai.agent.name' || name === 'gen_ai.provider.name';
}

function isOfType(value: unknown, type: string | readonly string[]): boolean {
  if (typeof type !== 'string') return type.includes(String(value));
  if (type.endsWith('[]'))
    return Array.isArray(value) && value.every((one) => isOfType(one, type.slice(0, -2)));
  switch (type) {
    case 'int':
      return Number.isInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'any':
      return true;
    default:
      return typeof value === type;
  }
}

/** Structured contents stand in a span as JSON: messages have a role, and parts with a type. */
function contentFaults(name: string, value: unknown): string[] {
  const parsed: unknown = JSON.parse(String(value));
  if (!name.endsWith('.messages')) return [];
  const messages = parsed as readonly { readonly role?: unknown; readonly parts?: readonly Attributes[] }[];
  const isWhole = messages.every(
    ({ role, parts }) =>
      typeof role === 'string' && parts?.every(({ type }) => typeof type === 'string') === true,
  );
  return isWhole ? [] : [`${name} has a message without a role or a part without a type`];
}
