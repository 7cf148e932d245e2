import { checkServeOptions } from './serve-options.js';

const URL_OF_LOOPBACK = 'http://127.0.0.1:8080/a2a';
const authenticate = () => 'ada';
const signing = { privateKey: { kty: 'OKP' }, algorithm: 'EdDSA', keyId: 'k1' };

describe('checkServeOptions', () => {
  it('takes every option that there is', () => {
    const card = { version: '2', provider: {}, documentationUrl: '', iconUrl: '', skills: [] };
    const limits = { bodyBytes: 1, tasks: 0.5, streams: 1, webhooks: 1 };
    const others = { approve: authenticate, recover: false, runner: {}, logger: {} };
    const lists = { allowedHosts: 'any', webhookHosts: ['hooks.example.com'] };
    const options = { authenticate, card, extendedCard: card, signing, limits, ...others, ...lists };

    for (const url of ['https://agents.example.com/a2a', 'http://agents.example.com'])
      expect(() => {
        checkServeOptions('a2aHandler', { url, ...options });
      }).not.toThrow();
    for (const port of [0, 65_535])
      expect(() => {
        checkServeOptions('serveA2a', { ...options, port, host: '0.0.0.0' });
      }).not.toThrow();
  });

  it.each([
    [{}],
    [{ host: 'localhost', port: 8080 }],
    [{ host: 'LOCALHOST' }],
    [{ host: '::1' }],
    [{ url: URL_OF_LOOPBACK }],
    [{ allowedHosts: ['localhost'] }],
  ])('lets an agent of this machine do without authenticate: %j', (options) => {
    expect(() => {
      checkServeOptions('serveA2a', options);
    }).not.toThrow();
  });

  it.each<[unknown, string]>([
    [undefined, 'its options are absent. Pass an object with options.'],
    [null, 'its options are null. Pass an object with options.'],
    [7, 'its options are 7. Pass an object with options.'],
    [{ hosts: 1 }, 'there is no option hosts. Did you mean host?'],
    [{ authenticate: 'ada' }, 'authenticate is "ada". Pass a function.'],
    [{ approve: true }, 'approve is true. Pass a function.'],
    [{ allowedHosts: 'all' }, 'allowedHosts is "all". Pass host names'],
    [{ webhookHosts: 'any' }, 'webhookHosts is "any". Pass host names'],
    [{ card: null }, 'card is null. Pass an object with options.'],
    [{ card: { versoin: '1' } }, 'in card, there is no option versoin. Did you mean version?'],
    [{ extendedCard: 1, authenticate }, 'extendedCard is 1. Pass an object with options.'],
    [{ extendedCard: { skill: [] }, authenticate }, 'in extendedCard, there is no option skill'],
    [{ extendedCard: {} }, 'there is an extendedCard, and no authenticate. Pass a function'],
    [{ signing: 'key' }, 'signing is a text. Pass an object with options.'],
    [{ signing: { ...signing, alg: 'ES256' } }, 'in signing, there is no option alg'],
    [{ limits: [null] }, 'limits is a list. Pass an object with options.'],
    [{ limits: null }, 'limits is null. Pass an object with options.'],
    [{ limits: { tasks: 0 } }, 'in limits, tasks is 0. Pass a number above 0.'],
    [{ limits: { streams: NaN } }, 'in limits, streams is NaN. Pass a number above 0.'],
    [{ limits: { webhooks: '3' } }, 'in limits, webhooks is "3". Pass a number above 0.'],
    [{ url: 7 }, 'url is no http URL. Pass the address'],
    [{ url: 'agents' }, 'url is no http URL'],
    [{ url: 'ftp://127.0.0.1' }, 'url is no http URL'],
    [{ url: 'xhttp://127.0.0.1' }, 'url is no http URL'],
    [{ port: -1 }, 'port is -1. Pass a port from 0 to 65535.'],
    [{ port: 65_536 }, 'port is 65536'],
    [{ port: 1.5 }, 'port is 1.5'],
    [{ port: '80' }, 'port is "80"'],
    [{ host: 7 }, 'host is 7. Pass an address.'],
    [{ host: '0.0.0.0' }, 'others can reach it at "0.0.0.0", and there is no authenticate. Pass a function'],
    [{ url: 'https://agents.example.com' }, 'others can reach it at "agents.example.com"'],
    [{ host: '127.0.0.1', url: 'https://agents.example.com' }, 'others can reach it at "agents.example.com"'],
  ])('refuses %j', (options, message) => {
    expect(() => {
      checkServeOptions('serveA2a', options);
    }).toThrow(
      expect.objectContaining({
        code: 'A2A_CONFIG_INVALID',
        message: expect.stringContaining(`serveA2a: ${message}`) as string,
      }) as Error,
    );
  });

  it.each<[unknown, string]>([
    [{}, 'a2aHandler: url is no http URL'],
    [{ url: URL_OF_LOOPBACK, port: 1 }, 'a2aHandler: there is no option port'],
    [{ url: URL_OF_LOOPBACK, host: '::1' }, 'a2aHandler: there is no option host'],
  ])('refuses %j for a handler', (options, message) => {
    expect(() => {
      checkServeOptions('a2aHandler', options);
    }).toThrow(message);
  });
});
