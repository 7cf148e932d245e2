import { checkRemoteOptions, urlFault, urlsOf } from './remote-agent-options.js';

const URL_OF_PEER = 'https://agents.example.com';

describe('checkRemoteOptions', () => {
  it('takes every option that there is', () => {
    const names = { name: 'weather', description: 'Knows the weather.' };
    const limits = { timeout: 1, retries: 0, pollMs: 1, maxBytes: 1 };
    const origins = ['https://other.example.com', 'http://localhost:8080'];
    const others = { headers: {}, privateHosts: [], publicKey: { kty: 'OKP' } };

    expect(() => {
      checkRemoteOptions('remoteAgent', URL_OF_PEER, { ...names, ...limits, origins, ...others });
    }).not.toThrow();
  });

  it.each<[unknown, string]>([
    [null, 'its options are null. Pass an object with options.'],
    [7, 'its options are 7. Pass an object with options.'],
    [{ retry: 1 }, 'there is no option retry'],
    [{ name: 7 }, 'name is 7. Pass a text.'],
    [{ description: null }, 'description is null. Pass a text.'],
    [{ timeout: 0 }, 'timeout is 0. Pass a number of at least 1.'],
    [{ retries: -1 }, 'retries is -1. Pass a number of at least 0.'],
    [{ pollMs: 0.5 }, 'pollMs is 0.5. Pass a number of at least 1.'],
    [{ maxBytes: '10' }, 'maxBytes is "10". Pass a number of at least 1.'],
    [{ publicKey: 'key' }, 'publicKey is a text. Pass a public JSON Web Key.'],
    [{ publicKey: null }, 'publicKey is null. Pass a public JSON Web Key.'],
    [{ origins: URL_OF_PEER }, `origins is "${URL_OF_PEER}". Pass a list.`],
    [
      { origins: [URL_OF_PEER, 'http://other.example.com'] },
      'the URL of other.example.com is not https. Pass',
    ],
  ])('refuses %j', (options, message) => {
    expect(() => {
      checkRemoteOptions('remoteAgent', URL_OF_PEER, options);
    }).toThrow(
      expect.objectContaining({
        code: 'A2A_CONFIG_INVALID',
        message: expect.stringContaining(`remoteAgent: ${message}`) as string,
      }) as Error,
    );
  });

  it.each<[unknown, string]>([
    [undefined, 'the URL is absent, and none that can be read'],
    [null, 'the URL is null'],
    [{}, 'the URL is absent'],
    [{ supportedInterfaces: [] }, 'the URL is absent'],
    [{ supportedInterfaces: URL_OF_PEER }, 'the URL is absent'],
    [{ supportedInterfaces: [null] }, 'the URL is absent'],
    [
      { supportedInterfaces: [{ url: URL_OF_PEER }, { url: 'http://b.example.com' }] },
      'the URL of b.example.com is',
    ],
    ['agents', 'the URL is a text, and none that can be read'],
  ])('refuses the source %j', (source, message) => {
    expect(() => {
      checkRemoteOptions('remoteAgent', source, {});
    }).toThrow(message);
  });
});

describe('the addresses of a peer', () => {
  it('are the URL, or those of a card', () => {
    const url = new URL(URL_OF_PEER);

    expect([urlsOf(URL_OF_PEER), urlsOf(url)]).toEqual([[URL_OF_PEER], [url]]);
    expect(urlsOf({ supportedInterfaces: [{ url: 'a' }, { url: 'b' }] })).toEqual(['a', 'b']);
  });

  it.each<[string, string | undefined]>([
    ['https://a.example.com/x', undefined],
    ['http://127.0.0.1:1/', undefined],
    ['http://[::1]/', undefined],
    ['http://a.example.com:81/', 'the URL of a.example.com:81 is not https'],
    ['ftp://127.0.0.1/', 'the URL of 127.0.0.1 is not https'],
    ['https://ada@a.example.com/', 'the URL of a.example.com holds a credential'],
    ['https://:secret@a.example.com/', 'the URL of a.example.com holds a credential'],
  ])('%s: %j', (url, fault) => {
    expect([urlFault(url), urlFault(new URL(url))]).toEqual([fault, fault]);
  });
});
