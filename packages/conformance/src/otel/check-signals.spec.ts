import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

import { faultsOfSpan } from './check-signals.js';
import type { Conventions } from './conventions.js';

const CHAT = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'own',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': 7,
};

const conventions = {
  attributes: new Map([
    ['gen_ai.operation.name', { type: ['chat'], isReplaced: false }],
    ['gen_ai.provider.name', { type: ['openai'], isReplaced: false }],
    ['gen_ai.request.model', { type: 'string', isReplaced: false }],
    ['gen_ai.usage.input_tokens', { type: 'int', isReplaced: false }],
    ['gen_ai.output.messages', { type: 'any', isReplaced: false }],
    ['gen_ai.prompt', { type: 'string', isReplaced: true }],
    ['gen_ai.tool.name', { type: 'string', isReplaced: false }],
  ]),
  signal: (id: string) => ({
    id,
    spanKind: 'client',
    unit: undefined,
    required: new Set(['gen_ai.operation.name', 'gen_ai.provider.name']),
    attributes: new Set([...Object.keys(CHAT), 'gen_ai.output.messages', 'gen_ai.prompt']),
  }),
} as unknown as Conventions;

function span(attributes: Record<string, unknown>, changes: Partial<ReadableSpan> = {}): ReadableSpan {
  const all = { ...CHAT, ...attributes };
  return {
    name: 'chat m',
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.UNSET },
    attributes: all,
    ...changes,
  } as never;
}

it('finds nothing wrong with a span of the conventions', () => {
  expect(faultsOfSpan(span({}), conventions, false)).toEqual([]);
});

it.each<[string, ReadableSpan, RegExp]>([
  ['a kind', span({}, { kind: SpanKind.INTERNAL }), /the kind is internal/],
  ['a name', span({}, { name: 'chat' }), /the name is "chat", expected "chat m"/],
  ['an operation', span({ 'gen_ai.operation.name': 'talk' }), /the operation is talk/],
  ['a failure without its type', span({}, { status: { code: SpanStatusCode.ERROR } }), /do not agree/],
  ['a type of a failure that is none', span({ 'error.type': 'X' }), /do not agree/],
  ['what is required and missing', span({ 'gen_ai.provider.name': undefined }), /is required and missing/],
  ['an attribute that does not exist', span({ 'gen_ai.mood': 'good' }), /mood does not exist/],
  ['an attribute that was replaced', span({ 'gen_ai.prompt': 'Hi' }), /prompt has been replaced/],
  ['an attribute of another span', span({ 'gen_ai.tool.name': 'look' }), /is not one of span/],
  ['a value of another type', span({ 'gen_ai.usage.input_tokens': 7.5 }), /is 7.5, expected int/],
  ['contents that nobody wants', span({ 'gen_ai.output.messages': '[]' }), /output.messages/],
])('finds %s', (_what, wrong, fault) => {
  expect(faultsOfSpan(wrong, conventions, false).join()).toMatch(fault);
});

it('finds a message without a role, and a part without a type', () => {
  const messages = (value: unknown) => span({ 'gen_ai.output.messages': JSON.stringify(value) });

  expect(faultsOfSpan(messages([{ role: 'user', parts: [{ type: 'text' }] }]), conventions, true)).toEqual(
    [],
  );
  expect(faultsOfSpan(messages([{ parts: [] }]), conventions, true).join()).toMatch(/without a role/);
  expect(faultsOfSpan(messages([{ role: 'user', parts: [{}] }]), conventions, true)).toHaveLength(1);
});
