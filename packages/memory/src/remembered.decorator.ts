import { type ClassReference, fieldsDecorator } from '@adorn/core/backend';

/**
 * Marks a class whose fields an agent may remember of a user. The compiler derives a schema of them, as of the arguments of
 * a tool: from their types, doc comments and class-validator decorators. Whether a field is required does not matter: a profile
 * begins empty.
 *
 * @throws {ExperimentalDecoratorsMissingError} if the file was compiled without `experimentalDecorators`
 * @example
 * @remembered()
 * class Profile {
 *   /** The city where the user lives. *\/
 *   city?: string;
 * }
 */
export function remembered(): (target: ClassReference, context?: unknown) => void {
  return fieldsDecorator('remembered');
}
