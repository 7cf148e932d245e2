import { expectTypeOf } from 'expect-type';

import type { CallbackContext, ToolContext } from './index.js';

describe('what contexts offer', () => {
  it('is what tools and callbacks need, and none of the machinery that runs them', () => {
    expectTypeOf<keyof CallbackContext>().toEqualTypeOf<Offered>();
    expectTypeOf<keyof ToolContext>().toEqualTypeOf<Offered | OfferedToTools>();
  });
});

type Offered =
  | 'agentName'
  | 'appName'
  | 'events'
  | 'invocationId'
  | 'laterMessages'
  | 'listArtifacts'
  | 'listArtifactVersions'
  | 'loadArtifact'
  | 'logger'
  | 'requester'
  | 'saveArtifact'
  | 'searchMemory'
  | 'sessionId'
  | 'signal'
  | 'state'
  | 'userContent'
  | 'userId';

type OfferedToTools =
  | 'actions'
  | 'askModel'
  | 'compact'
  | 'confirmation'
  | 'credential'
  | 'functionCallEventId'
  | 'functionCallId'
  | 'get'
  | 'idempotencyKey'
  | 'isContinued'
  | 'getAuthResponse'
  | 'liveInput'
  | 'longRunning'
  | 'requestConfirmation'
  | 'requestCredential'
  | 'requestInput';
