import { AdornError } from '../errors/adorn.error.js';

/** A tool that listens while it runs was called where nobody speaks: outside a live session. */
export class LiveSessionRequiredError extends AdornError {
  readonly code = 'LIVE_SESSION_REQUIRED';

  constructor(toolName: string) {
    super(
      `"${toolName}" takes LiveInput, which only a live session has, and this is none. Go on without it. ` +
        'Whoever wrote it: call it in runner.live, or offer the tool to live agents alone.',
    );
  }
}
