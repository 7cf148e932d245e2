import {
  Model,
  type Content,
  type GenerateContentConfig,
  type ModelRequest,
  type ModelResponse,
} from '@adorn/core';
import { checkOptions, LIST } from '@adorn/core/backend';

import { ScriptExhaustedError, ScriptLeftOverError } from './errors.js';
import { endlessScript, type Script, type ScriptsByAgent, scriptsByAgent, sharedScript } from './script.js';
import type { ScriptedStep } from './scripted-step.js';

/** A request as the model saw it, kept as it was then. */
export interface CapturedRequest {
  readonly contents: readonly Content[];
  readonly config: GenerateContentConfig;
  readonly stream: boolean;
  /** The name of the agent that asked; absent if the model was asked outside of a run. */
  readonly agentName?: string;
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
  private script: Script;

  /** @param steps one for each request, of whichever agent */
  constructor(...steps: ScriptedStep[]) {
    super();
    this.script = sharedScript(steps);
  }

  /**
   * A script for each agent, by its name, such as for agents that run side by side.
   *
   * @throws {OptionInvalidError} (`OPTION_INVALID`) if a script is not a list
   *
   * @example
   * ScriptedModel.byAgent({ judge: [says('The first one.')], checker: [says('Not yet.'), says('Yes.')] });
   */
  static byAgent(scripts: ScriptsByAgent): ScriptedModel {
    const rules = Object.fromEntries(Object.keys(scripts).map((agent) => [agent, LIST]));
    checkOptions('ScriptedModel.byAgent', scripts, rules);
    return this.playing(scriptsByAgent(scripts));
  }

  /**
   * Answers every request by the same step, such as a function of the request. It is never used up, as evaluations need it that
   * play their cases several times.
   */
  static always(step: ScriptedStep): ScriptedModel {
    return this.playing(endlessScript(step));
  }

  private static playing(script: Script): ScriptedModel {
    const model = new ScriptedModel();
    model.script = script;
    return model;
  }

  /** True for all of them, so that any agent runs; none is used. */
  override supportsProviderTool(): boolean {
    return true;
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return true;
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const { contents, config, stream, agentName } = request;
    this.requests.push({
      ...{ contents: [...contents], config, stream },
      ...(agentName !== undefined && { agentName }),
    });
    const step = this.script.next(request);
    if (!step)
      throw new ScriptExhaustedError(this.script.missing(request, this.requests.length), request.contents);
    const answer = typeof step === 'function' ? await step(request) : step;
    const responses = isList(answer) ? answer : [answer];
    for (const response of responses) if (request.stream || response.partial !== true) yield response;
  }

  /** @throws {ScriptLeftOverError} if steps are left */
  assertDone(): void {
    const left = this.script.left();
    if (left !== undefined) throw new ScriptLeftOverError(left, this.requests.length);
  }
}

function isList(answer: ModelResponse | readonly ModelResponse[]): answer is readonly ModelResponse[] {
  return Array.isArray(answer);
}
