import {
  Model,
  type Content,
  type GenerateContentConfig,
  type ModelRequest,
  type ModelResponse,
} from '@adorn/core';

import { ScriptExhaustedError, ScriptLeftOverError } from './errors.js';
import type { ScriptedStep } from './scripted-step.js';

/** A request as the model saw it, kept as it was then. */
export interface CapturedRequest {
  readonly contents: readonly Content[];
  readonly config: GenerateContentConfig;
  readonly stream: boolean;
}

/**
 * A model that answers from a script, for tests of agents.
 *
 * It fails on a call that the script does not hold, with the whole conversation in the message, and
 * `assertDone` fails on steps that were never asked for.
 *
 * @example
 * const model = new ScriptedModel(callsTool('refund', { id: 'A-17', cents: 500 }), says('Done.'));
 * const runner = await createRunner(Support, { model });
 */
export class ScriptedModel extends Model {
  readonly name = 'scripted';
  /** The requests in order. */
  readonly requests: CapturedRequest[] = [];
  private readonly steps: ScriptedStep[];

  constructor(...steps: readonly ScriptedStep[]) {
    super();
    this.steps = [...steps];
  }

  /** True for all of them, so that any agent runs; none is used. */
  override supportsProviderTool(): boolean {
    return true;
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return true;
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    this.requests.push({ contents: [...request.contents], config: request.config, stream: request.stream });
    const step = this.steps.shift();
    if (!step) throw new ScriptExhaustedError(this.requests.length, request.contents);
    const answer = typeof step === 'function' ? await step(request) : step;
    const responses = isList(answer) ? answer : [answer];
    for (const response of responses) if (request.stream || response.partial !== true) yield response;
  }

  /** @throws {ScriptLeftOverError} if steps are left */
  assertDone(): void {
    if (this.steps.length > 0) throw new ScriptLeftOverError(this.steps.length, this.requests.length);
  }
}

function isList(answer: ModelResponse | readonly ModelResponse[]): answer is readonly ModelResponse[] {
  return Array.isArray(answer);
}
