import { judgedResponse, type ModelResponse, readModelResponse } from '../../models/model-response.js';
import type { Model, ModelRequest } from '../../models/model.js';
import type { ModelOperation, Observe, OperationEnd } from './observation.js';

/** Who asks a model: an operation but for the model and the request. */
export type ModelAsker = Omit<ModelOperation, 'kind' | 'model' | 'request'>;

/** How a model is asked, and who observes it. */
interface ModelQuestion {
  readonly observe: Observe | undefined;
  readonly asker: ModelAsker;
  /** Default: the model's own `generate`. */
  readonly generate?: typeof generateBy;
}

export function generateBy(
  model: Model,
  request: ModelRequest,
): AsyncGenerator<ModelResponse, void, undefined> {
  return model.generate(request);
}

/** The responses of a model, observed if an observer wants it. The consumer may stop after the complete response. */
export async function* observedResponses(
  model: Model,
  request: ModelRequest,
  { observe, asker, generate = generateBy }: ModelQuestion,
): AsyncGenerator<ModelResponse, void, undefined> {
  const observation = observe?.({ kind: 'model', model, request, ...asker });
  if (!observation) return yield* generate(model, request);
  const answers = observation.within(() => generate(model, request));
  let end: OperationEnd = { status: 'cancelled' };
  try {
    for (;;) {
      const step = await observation.within(() => answers.next());
      if (step.done === true) break;
      observation.note({ kind: 'response', response: step.value });
      if (step.value.partial !== true) end = modelEnd(judgedResponse(readModelResponse(step.value)));
      yield step.value;
    }
    if (end.status === 'cancelled') end = { status: 'failed', errorCode: 'EMPTY_RESPONSE' };
  } catch (error) {
    end = { status: 'failed', error };
    throw error;
  } finally {
    observation.end(end);
    await answers.return();
  }
}

function modelEnd({ errorCode }: ModelResponse): OperationEnd {
  return errorCode === undefined ? { status: 'completed' } : { status: 'failed', errorCode };
}
