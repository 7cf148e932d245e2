import { kindOf } from '../../errors/describe-thrown.js';
import { ModelConfigInvalidError } from '../errors.js';
import { Model } from '../model.js';
import type { ModelResponse } from '../model-response.js';

/**
 * Checks the models that a combined model is given.
 *
 * @param owner the function that was called
 * @throws {ModelConfigInvalidError}
 */
export function requireModels(owner: string, models: unknown): asserts models is readonly Model[] {
  const cure = 'Pass a list of models, such as [new GeminiModel({ … })].';
  if (!Array.isArray(models))
    throw new ModelConfigInvalidError(owner, `its models are ${kindOf(models)}, not a list`, cure);
  const list: readonly unknown[] = models;
  const index = list.findIndex((one) => !(one instanceof Model));
  if (index === -1) return;
  const fault = `element ${String(index)} of its models is ${kindOf(list[index])}, not a Model`;
  throw new ModelConfigInvalidError(owner, fault, cure);
}

/** Names the model that answered, unless its provider did. */
export function withVersion(response: ModelResponse, name: string): ModelResponse {
  if (response.partial === true || response.modelVersion !== undefined) return response;
  return { ...response, modelVersion: name };
}
