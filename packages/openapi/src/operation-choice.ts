import { suggestName } from '@adorn/core/backend';

import type { OperationInfo } from './document/operation.js';
import { OpenApiOptionError } from './errors.js';

/** Which operations: their ids or the names of their tools, or a function. */
export type OperationChoice = readonly string[] | ((operation: OperationInfo) => boolean);

/** How many names an error lists. */
const MOST_NAMES = 200;

/** True if the operation is chosen. */
export function isChosen(choice: OperationChoice, operation: OperationInfo): boolean {
  if (typeof choice === 'function') return choice(operation);
  const { name, operationId = name } = operation;
  return choice.includes(name) || choice.includes(operationId);
}

/**
 * Refuses names that no operation has.
 *
 * @param option that holds the names
 * @throws {OpenApiOptionError}
 */
export function refuseUnknownNames(
  option: string,
  names: readonly string[],
  operations: readonly OperationInfo[],
): void {
  const known = new Set(operations.flatMap(({ name, operationId = name }) => [name, operationId]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new OpenApiOptionError(
    `${option} names "${unknown}", which the document does not have`,
    suggestName(unknown, new Set([...known].slice(0, MOST_NAMES))),
  );
}
