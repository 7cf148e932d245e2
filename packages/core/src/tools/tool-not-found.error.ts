import { AdornError } from '../errors/adorn.error.js';
import { shownName } from '../names/shown-name.js';

/** The model called a tool the agent does not offer. It is told and may try again. */
export class ToolNotFoundError extends AdornError {
  readonly code = 'TOOL_NOT_FOUND';

  constructor(
    readonly toolName: string,
    readonly offered: readonly string[],
    readonly nearest: readonly string[],
  ) {
    super(`There is no tool called "${shownName(toolName)}". ${cure(offered, nearest)}`);
  }
}

function cure(offered: readonly string[], nearest: readonly string[]): string {
  if (offered.length === 0) return 'No tools are offered: answer without one.';
  if (nearest.length > 0) return `Did you mean ${nearest.join(' or ')}?`;
  return `These are offered: ${offered.join(', ')}.`;
}
