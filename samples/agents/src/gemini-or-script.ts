import { ScriptedModel, type ScriptedStep } from '@adorn/testing';
import type { Model } from 'adorn';
import { chooseModel } from 'adorn/main';

/**
 * The model of a sample: undefined if a key for Gemini is set, so that each agent calls its own model; otherwise a
 * model that plays the script. Prints which of the two it is.
 */
export function geminiOrScript(...script: readonly ScriptedStep[]): Model | undefined {
  const { model, line } = chooseModel(process.env);
  console.log(model === undefined ? line : 'Model: scripted (GEMINI_API_KEY is not set).');
  return model === undefined ? undefined : new ScriptedModel(...script);
}
