import { createRunner, defineAgent, FunctionTool, type Runner } from '@adorn/core';
import { ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { EvalCase, EvalSet } from './eval-set.js';

const getWeather = new FunctionTool({
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => ({ city, sky: 'clear' }),
});

const bookTour = new FunctionTool({
  name: 'book_tour',
  description: 'Books a tour.',
  confirm: true,
  parameters: { type: 'object', properties: {} },
  run: () => ({ booked: true }),
});

/** An agent for the weather and tours, whose model says what the steps say. */
export function openWeather(...steps: readonly ScriptedStep[]): Promise<Runner<unknown>> {
  const Weather = defineAgent({ name: 'weather', instruction: 'Be kind.', tools: [getWeather, bookTour] });
  return createRunner(Weather, { model: new ScriptedModel(...steps) });
}

/** A set of cases of one turn. */
export function setOf(...evalCases: readonly EvalCase[]): EvalSet {
  return { evalSetId: 'weather', evalCases };
}

/** A case of one turn: what the user says, the expected answer and the expected calls. */
export function caseOf(
  evalId: string,
  answer: string | undefined,
  calls?: readonly (readonly [string, Record<string, unknown>])[],
): EvalCase {
  return {
    evalId,
    conversation: [
      {
        userContent: { role: 'user', parts: [{ text: 'How is Oslo?' }] },
        ...(answer !== undefined && { finalResponse: { role: 'model', parts: [{ text: answer }] } }),
        ...(calls && { intermediateData: { toolUses: calls.map(([name, args]) => ({ name, args })) } }),
      },
    ],
  };
}
