import { AdornError } from '../errors/adorn.error.js';
import { scopeOf } from '../state/state-scope.js';

/** An instruction has a placeholder that neither the state nor an artifact fills. The model is not called. */
export class InstructionKeyMissingError extends AdornError {
  readonly code = 'INSTRUCTION_KEY_MISSING';

  constructor(agentName: string, key: string) {
    const isArtifact = key.startsWith('artifact.');
    super(
      `The instruction of agent "${agentName}" has a placeholder {${key}}, and ` +
        `${isArtifact ? 'there is no artifact of that name' : 'the state does not hold that key'}. ` +
        `${isArtifact ? 'Save it before the run' : remedyFor(key)}, or write {${key}?} if it may be absent.`,
    );
  }
}

/** The `stateDelta` of `run` refuses keys that are shared. */
function remedyFor(key: string): string {
  const scope = scopeOf(key);
  const isShared = scope === 'user' || scope === 'app';
  if (!isShared) return 'Pass it in the stateDelta of the run';
  return 'Write it with runner.sessions.updateSession, or from a tool or a callback';
}
