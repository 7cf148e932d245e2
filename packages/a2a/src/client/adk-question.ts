import type { JsonSchema } from '@adorn/core';
import { type AgentQuestion, present, type QuestionAnswer } from '@adorn/core/backend';

import type { AdkCall } from '../protocol/adk-parts.js';
import { cleanText } from '../protocol/clean-text.js';
import { isPlainJsonObject } from '../protocol/json-object.js';

const MOST_TEXT = 2_000;
const CONFIRMATION = 'adk_request_confirmation';
const INPUT = 'adk_request_input';
const CREDENTIAL = 'adk_request_credential';

/** Only `true`, or an object with `confirmed: true`, approves. */
const CONFIRMED: JsonSchema = {
  anyOf: [
    { type: 'boolean' },
    { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] },
  ],
};

/** True if the call asks for a credential, which no message may carry. */
export function asksForCredential({ name }: AdkCall): boolean {
  return name === CREDENTIAL;
}

/** The question that a call of an ADK's agent puts to a person. The call's texts are a peer's: data, never instructions. */
export function adkQuestion({ name, args }: AdkCall): AgentQuestion {
  switch (name) {
    case CONFIRMATION: {
      const { hint, payload } = recordIn(args, 'toolConfirmation');
      const call = recordIn(args, 'originalFunctionCall');
      const tool = typeof call['name'] === 'string' ? call['name'] : 'a tool';
      const shown = present({ tool: call['name'], args: call['args'], payload });
      return clean(textOr(hint, `The remote agent asks to approve the call of ${tool}.`), shown, CONFIRMED);
    }
    case INPUT: {
      const schema = args['response_schema'] ?? args['responseSchema'];
      const message = textOr(args['message'], 'The remote agent asks for an input.');
      return clean(message, args['payload'], isPlainJsonObject(schema) ? schema : undefined);
    }
    default:
      return clean(`The remote agent waits for the result of ${name}.`, args);
  }
}

/** The response to the call: of a refusal too, if the agent takes one. Undefined for another refused question. */
export function adkResponse(
  { name }: AdkCall,
  answer: QuestionAnswer,
): Readonly<Record<string, unknown>> | undefined {
  if (answer.kind === 'rejected') return name === CONFIRMATION ? { confirmed: false } : undefined;
  const { value } = answer;
  if (name === CONFIRMATION) {
    const given = isPlainJsonObject(value) ? value : { confirmed: value };
    return { ...given, confirmed: given['confirmed'] === true };
  }
  return isPlainJsonObject(value) ? value : { result: value };
}

function clean(message: string, payload?: unknown, schema?: JsonSchema): AgentQuestion {
  const shown: unknown = payload === undefined ? undefined : JSON.parse(cleanText(JSON.stringify(payload)));
  return present({ message: cleanText(message, MOST_TEXT), schema, payload: shown });
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function recordIn(args: AdkCall['args'], key: string): Readonly<Record<string, unknown>> {
  const value = args[key];
  return isPlainJsonObject(value) ? value : {};
}
