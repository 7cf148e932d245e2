import { ts } from '../typescript.js';

/** True if the type is unresolved: its name or module was not found. */
export function isErrorType(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.Any) !== 0 && (type as { intrinsicName?: string }).intrinsicName === 'error'
  );
}
