import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { DERIVED, type DerivedClass } from '@adorn/core/compiler';
import { createRunner, defineAgent, type Runner, tool } from 'adorn';
import type { FunctionDeclaration } from '@adorn/core/backend';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { messageOf } from '../message-of.js';
import { type Derived, RESULT_METHOD } from './derive-cases.js';

/** How the responses of a tool agree with the schema that is declared for them. */
export type ResultOutcome = 'fits' | 'promises nothing' | 'differs';

export interface ResultVerdict {
  readonly outcome: ResultOutcome;
  readonly reason?: string;
}

/** Sends values through a tool that returns them, and holds each response to the schema that the model was told of it. */
export async function judgeResult(
  record: Derived['result'],
  values: readonly unknown[],
): Promise<ResultVerdict> {
  if (typeof record !== 'object') return { outcome: 'differs', reason: record ?? 'nothing was derived' };
  const model = new ScriptedModel(...values.map(() => callsTool(RESULT_METHOD)), says('Done.'));
  const giver = defineAgent({ name: 'giver', tools: [serviceOf(record, values)] });
  try {
    const runner = await createRunner(giver, { model });
    const responses = await responsesOf(runner);
    await runner.close();
    const schema = declaredIn(model);
    return schema ? verdictOf(schema, responses) : { outcome: 'promises nothing' };
  } catch (error) {
    return { outcome: 'differs', reason: messageOf(error) };
  }
}

function declaredIn({ requests }: ScriptedModel): object | undefined {
  const [offered] = requests[0]?.config.tools ?? [];
  const [declared] = (offered as { functionDeclarations?: FunctionDeclaration[] }).functionDeclarations ?? [];
  return declared?.responseJsonSchema as object | undefined;
}

function serviceOf(record: DerivedClass, values: readonly unknown[]): new () => object {
  const left = values.values();
  class Giver {
    [RESULT_METHOD](): unknown {
      return left.next().value;
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Giver.prototype, RESULT_METHOD);
  if (descriptor) tool(Giver.prototype, RESULT_METHOD, descriptor);
  Object.defineProperty(Giver, DERIVED, { value: record });
  return Giver;
}

async function responsesOf(runner: Runner): Promise<unknown[]> {
  const events = await eventsOf(runner.run({ message: 'Give.', userId: 'conformance' }));
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response));
}

function verdictOf(schema: object, responses: readonly unknown[]): ResultVerdict {
  const fits = new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
  for (const response of responses) {
    if (fits(response)) continue;
    const [error] = fits.errors ?? [];
    const reason = `${JSON.stringify(response)}: ${error?.instancePath || 'it'} ${error?.message ?? ''}`;
    return { outcome: 'differs', reason };
  }
  return { outcome: 'fits' };
}
