import { LogRedaction } from '@adorn/schema';
import { withSafeError } from './invocation-services.js';

const TEXT = 'connect wss://live.example/?key=CANARY0123456789CANARY failed';

describe('a text about a failure', () => {
  it.each([
    ['in an error', { errorMessage: TEXT }],
    ['in the reason of a lost live connection', { live: { kind: 'disconnected', reason: TEXT } as const }],
    ['in the news that input failed', { live: { kind: 'inputFailed', message: TEXT } as const }],
  ])('has no secret %s of an event', (_, body) => {
    const said = JSON.stringify(withSafeError(body, new LogRedaction()));

    expect(said).toContain('live.example');
    expect(said).not.toContain('CANARY');
  });

  it.each([[{ live: { kind: 'goAway', timeLeftMs: 5 } as const }], [{ errorMessage: 'plain' }]])(
    'leaves other fields as they are: %j',
    (body) => {
      expect(withSafeError(body, new LogRedaction())).toEqual(body);
    },
  );
});
