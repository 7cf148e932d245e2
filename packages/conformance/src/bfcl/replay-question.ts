import { toGeminiSchema } from '@adorn/core/dialects';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { messageOf } from '../message-of.js';
import { type DeclaredFunction, declareFunctions } from './declared-function.js';
import { type Dispatched, dispatchCalls } from './dispatch-calls.js';
import { boundCall, chooseCall, type ExpectedCall } from './expected-call.js';
import type { JsonObject } from './json-object.js';
import type { KnownFaults } from './known-faults.js';
import { accepts, withDefaults } from './oracle.js';
import { parsePythonCall } from './python-call.js';
import type { Question, StatedCall } from './question.js';
import { withoutRequired, withWrongType } from './spoiled-call.js';

/** What a call is made for. */
type Purpose = 'expected' | 'known fault' | 'required argument removed' | 'wrong type';

/** A call on its way to its tool. */
interface PlannedCall {
  readonly purpose: Purpose;
  readonly call: ExpectedCall;
  readonly declared: DeclaredFunction;
}

/** What was looked at for one call. */
export interface CallCheck extends Check {
  readonly purpose: Purpose;
}

/** What was looked at in one question. */
export interface QuestionChecks {
  readonly calls: readonly CallCheck[];
  /** The run comes to its end, whatever was called. */
  readonly end: Check;
}

/** Makes the expected calls of a question, then what becomes of them when they are spoiled, all in one run. */
export async function replayQuestion(question: Question, faults: KnownFaults): Promise<QuestionChecks> {
  const declared = declareFunctions(question.documents);
  const expected = question.turns.map((turn) => turn.flatMap((stated) => planCalls(stated, declared)));
  const judged = expected.map((turn) => turn.map((planned) => judge(planned, question.id, faults)));
  const spoiled = judged.flat().flatMap(spoil);
  const turns = [...judged, spoiled].filter((turn) => turn.length > 0);
  const { responses, broken } = await dispatch(declared, turns, question.message);
  const calls = turns.flatMap((turn, index) =>
    turn.map((planned, place) => checkCall(question.id, planned, responses[index]?.[place])),
  );
  return { calls, end: { what: question.id, fault: broken } };
}

function planCalls(stated: StatedCall, declared: readonly DeclaredFunction[]): PlannedCall[] {
  if (typeof stated !== 'string') {
    return Object.entries(stated).map(([name, acceptable]) =>
      plan(name, declared, ({ schema }) => chooseCall(name, acceptable, schema)),
    );
  }
  const parsed = parsePythonCall(stated);
  return [plan(parsed.name, declared, ({ schema }) => boundCall(parsed, schema))];
}

function plan(
  name: string,
  all: readonly DeclaredFunction[],
  callOf: (declared: DeclaredFunction) => ExpectedCall,
): PlannedCall {
  const declared = all.find(({ document }) => document.name === name);
  if (!declared) throw new Error(`An answer calls ${name}, which its question does not offer.`);
  return { purpose: 'expected', call: callOf(declared), declared };
}

/** A call that is known to be wrong, and is, is expected to be refused, or mended where a lone value is a list. */
function judge(planned: PlannedCall, id: string, faults: KnownFaults): PlannedCall {
  const isWrong = !accepts(planned.declared.schema, planned.call.args);
  return isWrong && faults.has(id, planned.call.name) ? { ...planned, purpose: 'known fault' } : planned;
}

function spoil({ purpose, call, declared }: PlannedCall): PlannedCall[] {
  if (purpose !== 'expected') return [];
  const removed = withoutRequired(call, declared.schema);
  const wrong = withWrongType(call, declared.schema);
  return [
    ...(removed ? [{ purpose: 'required argument removed', call: removed, declared } as const] : []),
    ...(wrong ? [{ purpose: 'wrong type', call: wrong, declared } as const] : []),
  ];
}

async function dispatch(
  declared: readonly DeclaredFunction[],
  turns: readonly (readonly PlannedCall[])[],
  message: string,
): Promise<Dispatched> {
  try {
    return await dispatchCalls(
      declared.map(({ tool }) => tool),
      turns.map((turn) => turn.map(({ call, declared: { tool } }) => ({ name: tool.name, args: call.args }))),
      message,
    );
  } catch (error) {
    return { responses: [], broken: messageOf(error) };
  }
}

function checkCall(id: string, planned: PlannedCall, response: JsonObject | undefined): CallCheck {
  return {
    purpose: planned.purpose,
    what: `${id}, ${planned.call.name}`,
    fault: response ? faultOfResponse(planned, response) : 'it was not answered',
  };
}

function faultOfResponse({ purpose, call, declared }: PlannedCall, response: JsonObject): string | undefined {
  if (purpose === 'expected') return faultOfCall(call, declared, response);
  const isRefused = typeof response['error'] === 'string' && Object.keys(response).length === 1;
  const isMended = purpose === 'known fault' && accepts(declared.schema, response['received']);
  return isRefused || isMended ? undefined : `it was answered ${JSON.stringify(response)}`;
}

/** What reaches the tool is what was called, with the defaults of what was left out, and what Gemini was told of the tool allows it. */
function faultOfCall(
  { args }: ExpectedCall,
  { schema }: DeclaredFunction,
  response: JsonObject,
): string | undefined {
  const difference = findDifference({ received: withDefaults(schema, args) }, response);
  if (difference !== undefined) return difference;
  return accepts(toGeminiSchema(schema), args) ? undefined : 'the schema for Gemini forbids it';
}
