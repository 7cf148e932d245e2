import { AdornError, optionNames } from '@adorn/schema';
import type { Model, ModelRequest } from '../models/model.js';
import { judgedResponse, type ModelResponse, readModelResponse } from '../models/model-response.js';
import { observedResponses } from './telemetry/observed-model.js';
import { addSpending, type ModelSpending, NO_SPENDING, ONE_CALL } from './budget.js';
import { CallbackContext } from './callback-context.js';
import { requireOptions, RunConfigInvalidError } from './run-config.js';

/** A request to a model that is not part of the conversation. */
export interface ModelQuestion extends Pick<ModelRequest, 'contents'> {
  /** Instruction, temperature, schema of the answer and the like. Default: none of them. */
  readonly config?: ModelRequest['config'];
  /** A model, or the name of one in `otherModels` of the agent. Default: the model of the agent. */
  readonly model?: Model | string;
  /** Ends the request. Default: the signal of the context. */
  readonly signal?: AbortSignal;
}

const CONTENTS = "Pass a list, such as [{ role: 'user', parts: [{ text: 'Translate: …' }] }].";
const QUESTION = optionNames<ModelQuestion>({ model: true, contents: true, config: true, signal: true });

/** The context of the callbacks around the turn of an agent, which may read the conversation and ask a model. */
export class AgentContext extends CallbackContext {
  /**
   * The calls of models, which the event of the callback or call records.
   *
   * @internal
   */
  spending: ModelSpending = NO_SPENDING;

  /**
   * Asks for a summary of the conversation, which is made before the next request of the run. For a tool or a callback that
   * knows that what came before is no longer needed. Without effect in a run without a summarizer, and in agents that run
   * beside others until these are done.
   *
   * @throws {ContextClosedError} once the call or the callback is over
   */
  compact(): void {
    this.requireOpen('compact');
    this.invocation.askForSummary();
  }

  /**
   * Sends one request to the model of the agent, or to another one. It counts as a model call of the run, but is not part
   * of the conversation, and callbacks do not see it.
   *
   * @returns the complete answer; one with an `errorCode` is not usable
   * @throws {ModelNotAskedError} if the run has no model calls left, or the model gave no answer
   * @throws {RunConfigInvalidError} for a question without contents, or with an option that does not exist
   * @throws {ContextClosedError} once the call or the callback is over
   */
  async askModel(question: ModelQuestion): Promise<ModelResponse> {
    this.requireOpen('askModel');
    requireOptions('context.askModel', question, QUESTION);
    const { model: wanted, contents, config = {}, signal } = question;
    if (!Array.isArray(contents))
      throw RunConfigInvalidError.ofValue('contents of context.askModel', contents, CONTENTS);
    const { invocation, agent } = this;
    const { budget, services } = invocation;
    const model =
      typeof wanted === 'string' ? services.modelNamed(agent.name, wanted) : (wanted ?? agent.model);
    if (!model) throw new ModelNotAskedError(`The agent "${agent.name}" has no model.`);
    if (budget.spendLlmCall(invocation) !== undefined)
      throw new ModelNotAskedError('The run may not call a model any more.', true);
    this.spending = addSpending(this.spending, ONE_CALL);
    const request = { contents, config, stream: false, signal: signal ?? this.signal };
    const asker = { agentName: agent.name, ...invocation.observedRun };
    for await (const received of observedResponses(model, request, { observe: services.observe, asker })) {
      if (received.partial === true) continue;
      const response = judgedResponse(readModelResponse(received));
      this.spending = addSpending(this.spending, budget.noteResponse(response.usageMetadata, agent.name));
      return response;
    }
    throw new ModelNotAskedError('The model gave no answer.');
  }
}

/** A model that a callback or a tool has asked cannot answer. */
export class ModelNotAskedError extends AdornError {
  readonly code = 'MODEL_FAILED';

  /** @param isFinal true if asking again is of no use in this run */
  constructor(
    message: string,
    /** True if asking again is of no use in this run. Default: false. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}
