import { type Arguments, type ClassReference, isObject, type JsonSchema } from '@adorn/schema';

import { MethodTool, withServices } from './method.tool.js';
import { toolNameOf } from './tool-table.js';
import type { UndoMetadata } from './undo.decorator.js';

/** `of`: the undone call, by its tool, its id, the id of its event, and its arguments. `result`: what it returned. */
const PARAMETERS: JsonSchema = {
  type: 'object',
  properties: { of: { type: 'object' }, result: {} },
  required: ['of', 'result'],
};

/**
 * An `@undo` method as a tool: its method gets the result of the call. Its arguments are made from the log, and never by a model or
 * a person.
 *
 * @param undone the name of the tool whose calls it undoes
 */
export function undoTool(
  service: object,
  target: ClassReference,
  { method, options, undone }: UndoMetadata & { readonly undone: string },
): MethodTool {
  const {
    name = toolNameOf(method),
    description = `Undoes a call of "${undone}".`,
    effect = 'write',
  } = options;
  const sources = withServices([{ kind: 'argument', name: 'result' }, { kind: 'context' }], target, method);
  const shape = { declaration: { name, description, parametersJsonSchema: PARAMETERS }, sources };
  const fields = { target: service, method, shape };
  return new UndoTool({ ...fields, options: { ...options, name, description, effect, once: ONCE } });
}

const ONCE = { key: () => undefined, scope: 'session' } as const;

/** An undo has its effect once: the call that it undoes is the key, which its method does not get. */
class UndoTool extends MethodTool {
  override async onceKeyOf({ of }: Arguments): Promise<unknown> {
    return isObject(of) ? { event: of['event'], call: of['call'] } : undefined;
  }
}
