import { type Model, ModelProvider } from '@adorn/core';
import { GeminiModel, type GeminiOptions } from '@adorn/gemini';

/** The names that Google's API serves: models by name, and full resource names. */
const GOOGLE = /^(gemini-|gemma-|learnlm-|models\/|tunedModels\/|publishers\/google\/|projects\/)/;

/** Makes a `GeminiModel` of each name that is Google's, all with the same settings. */
export class GeminiModelProvider extends ModelProvider {
  constructor(private readonly options: Omit<GeminiOptions, 'model'> = {}) {
    super();
    // Options are refused where they were written, rather than where the first model is named.
    new GeminiModel(options);
  }

  modelOf(name: string): Model | undefined {
    return GOOGLE.test(name) ? new GeminiModel({ ...this.options, model: name }) : undefined;
  }
}
