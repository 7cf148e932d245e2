import { setTimeout as delay } from 'node:timers/promises';

import { mcpCaller } from '@adorn/mcp';
import { FunctionTool, type JsonSchema, type Tool, type ToolContext, ToolError } from 'adorn';

/** A red pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A silent sound. */
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const PAUSE_MS = 50;

/** The tools that the scenarios for servers call, by the names and with the results that they state. */
export function fixtureTools(): Tool[] {
  return [
    plain('test_simple_text', () => 'This is a simple text response for testing.'),
    plain('test_image_content', () => ({ content: [image] })),
    plain('test_audio_content', () => ({
      content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
    })),
    plain('test_embedded_resource', () => ({
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    })),
    plain('test_multiple_content_types', () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    })),
    plain('test_tool_with_logging', logThrice),
    plain('test_error_handling', () => {
      throw new ToolError('This tool intentionally returns an error for testing');
    }),
    plain('test_tool_with_progress', progressThrice),
    plain('test_reconnection', closeStream),
    withArguments('test_sampling', { prompt: { type: 'string' } }, sample),
    withArguments('test_elicitation', { message: { type: 'string' } }, (args, context) =>
      ask(context, String(args['message']), USER),
    ),
    plain('test_elicitation_sep1034_defaults', (_args, context) => ask(context, 'Defaults?', DEFAULTS)),
    plain('test_elicitation_sep1330_enums', (_args, context) => ask(context, 'Choices?', CHOICES)),
    asking(
      'test_input_required_result_elicitation',
      ['name'],
      ([answer]) => `Hello, ${String(answer?.['name'])}!`,
    ),
    asking('test_input_required_result_request_state', ['ok'], () => 'state-ok'),
    asking('test_input_required_result_tampered_state', ['ok'], () => 'state-ok'),
    asking('test_input_required_result_multi_round', ['name', 'color'], (answers) => JSON.stringify(answers)),
    new FunctionTool({
      name: 'json_schema_2020_12_tool',
      description: 'Tool with JSON Schema 2020-12 features',
      parameters: SCHEMA_2020_12,
      run: (args) => args,
    }),
  ];
}

type Body = (args: Record<string, unknown>, context: ToolContext) => unknown;

function plain(name: string, run: Body): Tool {
  return new FunctionTool({ name, description: `Fixture: ${name}.`, run });
}

/** A tool that asks for one field after another. */
function asking(
  name: string,
  fields: readonly string[],
  answer: (given: readonly Record<string, unknown>[]) => string,
): Tool {
  return plain(name, async (_args, context) => {
    const given: Record<string, unknown>[] = [];
    for (const field of fields) {
      const type = field === 'ok' ? 'boolean' : 'string';
      const schema = { type: 'object', properties: { [field]: { type } }, required: [field] };
      given.push(await context.requestInput<Record<string, unknown>>({ message: `Your ${field}?`, schema }));
    }
    return answer(given);
  });
}

function withArguments(name: string, properties: Record<string, JsonSchema>, run: Body): Tool {
  const parameters = { type: 'object', properties, required: Object.keys(properties) };
  return new FunctionTool({ name, description: `Fixture: ${name}.`, parameters, run });
}

function resource(uri: string, mimeType: string, text: string): object {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

async function logThrice(_args: unknown, context: ToolContext): Promise<string> {
  const caller = mcpCaller(context);
  for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await caller?.log('info', text);
    await delay(PAUSE_MS);
  }
  return 'Logged.';
}

async function* progressThrice(): AsyncGenerator<{ progress: number; total: number }, string> {
  for (const progress of [0, 50, 100]) {
    yield { progress, total: 100 };
    await delay(PAUSE_MS);
  }
  return 'Done.';
}

async function closeStream(_args: unknown, context: ToolContext): Promise<string> {
  mcpCaller(context)?.closeStream();
  await delay(PAUSE_MS * 2);
  return 'Reconnection test completed.';
}

async function sample({ prompt }: Record<string, unknown>, context: ToolContext): Promise<string> {
  const text = String(prompt);
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
  const answer = await mcpCaller(context)?.sample({ messages, maxTokens: 100 });
  return `LLM response: ${JSON.stringify(answer)}`;
}

async function ask(context: ToolContext, message: string, schema: JsonSchema): Promise<string> {
  const content = await context.requestInput({ message, schema });
  return `Elicitation completed: action=accept, content=${JSON.stringify(content)}`;
}

const USER: JsonSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's name" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};
const DEFAULTS: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};
const CHOICES: JsonSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('value', ['First', 'Second', 'Third']) },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled('value', ['First', 'Second', 'Third']) } },
  },
};
const SCHEMA_2020_12: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function titled(value: string, titles: readonly string[]): JsonSchema[] {
  return titles.map((title, index) => ({ const: `${value}${String(index + 1)}`, title: `${title} Option` }));
}
