import { inspect } from 'node:util';

import { LogRedaction, redact } from './log-redaction.js';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('LogRedaction', () => {
  it.each<[what: string, text: string, safe: string]>([
    ['a URL with a password', 'connect postgres://admin:hunter2@db/x', 'connect postgres://[redacted]@db/x'],
    ['a bearer token', 'Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]'],
    ['basic authentication', 'authorization: Basic YWRhOnB3ZDE=', 'authorization: Basic [redacted]'],
    ['a parameter of a URL', 'GET /x?api_key=abcdef12&page=2', 'GET /x?api_key=[redacted]&page=2'],
    ['a property of JSON', '{"password":"hunter22","a":1}', '{"password":"[redacted]","a":1}'],
    ['a header', 'X-Api-Key: 0123456789', 'X-Api-Key: [redacted]'],
    ['a key of a provider', 'key sk-proj-0123456789abcdef0123 is wrong', 'key [redacted] is wrong'],
    ['a JWT', `got ${TOKEN}.`, 'got [redacted].'],
  ])('removes %s', (_what, text, safe) => {
    expect(new LogRedaction().text(text)).toBe(safe);
  });

  it.each([
    'Unexpected token: }',
    'maxOutputTokens: 123456',
    'https://example.com:8080/a@b',
    'Basic authentication is required',
    'the bearer of bad news',
    'password: ""',
    'task sk-1',
    'a-1b',
    'password: [hidden]',
  ])('leaves what only resembles a credential: %s', (text) => {
    expect(new LogRedaction().text(text)).toBe(text);
  });

  it('removes the secrets that it knows, and short ones only as whole words', () => {
    const redaction = new LogRedaction();
    redaction.conceal(['a secret & more', 'sk']);

    expect(redaction.text('a%20secret%20%26%20more, a secret & more, desk/task.ts: sk')).toBe(
      '[redacted], [redacted], desk/task.ts: [redacted]',
    );
    expect(redact('kr$& k$ k$$', ['k$'])).toBe('kr$& [redacted] [redacted]$');
  });

  it('removes what a redactor finds, and everything where one fails', () => {
    const redaction = new LogRedaction();
    redaction.apply((text) => text.replaceAll('hunter2', '…'));
    expect(redaction.text('a hunter2')).toBe('a …');

    redaction.apply(() => {
      throw new Error('broken');
    });
    expect(redaction.text('a hunter2')).toBe('[redacted]');
  });

  it('returns the facts themselves where nothing is removed', () => {
    const facts = {
      error: new TypeError('no'),
      list: [1, { a: 'b' }],
      map: new Map([['a', 1]]),
      none: undefined,
    };

    expect(new LogRedaction().facts(facts)).toBe(facts);
  });

  it('removes secrets from values, lists, errors and their causes, and hides what is called a secret', () => {
    const redaction = new LogRedaction();
    redaction.conceal(['hunter2']);
    const cause = Object.assign(new Error('at postgres://a:hunter2@db'), {
      code: 'E1',
      config: { token: 'hunter2' },
    });
    const given = {
      error: new TypeError('no hunter2', { cause }),
      list: ['hunter2', 2],
      apiKey: 'x',
      map: new Map([['a', 'hunter2']]),
    };

    const facts = redaction.facts(given);

    expect(inspect(facts, { depth: 9 })).not.toContain('hunter2');
    expect(facts).toMatchObject({
      error: {
        name: 'TypeError',
        message: 'no [redacted]',
        cause: { code: 'E1', config: { token: '[redacted]' } },
      },
      list: ['[redacted]', 2],
      apiKey: '[redacted]',
    });
    expect((facts['error'] as Error).stack).toContain('log-redaction.spec');
    expect(given.error.message).toBe('no hunter2');
  });

  it('ends in a cycle', () => {
    const cycle: Record<string, unknown> = { password: 'hunter2' };
    cycle['self'] = cycle;

    expect(inspect(new LogRedaction().facts(cycle), { depth: 20 })).not.toContain('hunter2');
  });
});
