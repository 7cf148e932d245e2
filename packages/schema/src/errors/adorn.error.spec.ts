import { AdornError } from './adorn.error.js';

describe('AdornError', () => {
  it('bears the name of its class, its message and its cause', () => {
    const cause = new Error('upstream');

    const error = new SessionLostError('It is gone.', { cause });

    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.message, error.code, error.cause]).toEqual([
      'SessionLostError',
      'It is gone.',
      'SESSION_NOT_FOUND',
      cause,
    ]);
    expect(String(error)).toBe('SessionLostError: It is gone.');
  });

  it('is recognised, also where another copy of the package made it', () => {
    const foreign = Object.assign(new Error('It is gone.'), { [Symbol.for('adorn.error')]: true });

    expect([new SessionLostError('It is gone.'), foreign].map((error) => AdornError.is(error))).toEqual([
      true,
      true,
    ]);
  });

  it.each([[new Error('plain')], [undefined], [null], ['adorn.error'], [{}], [() => undefined]])(
    'is not seen in %p',
    (value) => {
      expect(AdornError.is(value)).toBe(false);
    },
  );
});

class SessionLostError extends AdornError {
  readonly code = 'SESSION_NOT_FOUND';
}
