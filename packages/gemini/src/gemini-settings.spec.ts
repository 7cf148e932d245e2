import { readSettings } from './gemini-settings.js';

const NOTHING = { headers: undefined, baseUrl: undefined, project: undefined, location: undefined };

describe('readSettings', () => {
  it('takes the key from the options, else from the environment as other clients of Google do', () => {
    const environment = { GEMINI_API_KEY: 'gemini', GOOGLE_API_KEY: 'google' };

    expect(readSettings({ apiKey: 'own' }, environment).apiKey).toBe('own');
    expect(readSettings({}, environment).apiKey).toBe('google');
    expect(readSettings({}, { GEMINI_API_KEY: 'gemini', GOOGLE_API_KEY: ' ' })).toEqual({
      ...NOTHING,
      vertexai: false,
      apiVersion: 'v1beta',
      apiKey: 'gemini',
    });
  });

  it('takes project and location of Vertex AI from the environment, where they beat a key', () => {
    const environment = {
      GOOGLE_GENAI_USE_VERTEXAI: 'TRUE',
      GOOGLE_CLOUD_PROJECT: 'p',
      GOOGLE_CLOUD_LOCATION: 'l',
      GEMINI_API_KEY: 'gemini',
    };

    expect(readSettings({}, environment)).toEqual({
      ...NOTHING,
      vertexai: true,
      apiVersion: 'v1beta1',
      apiKey: undefined,
      project: 'p',
      location: 'l',
    });
    expect(readSettings({ apiKey: 'own' }, environment)).toMatchObject({ apiKey: 'own', project: undefined });
    expect(readSettings({ vertexai: false }, environment)).toMatchObject({
      apiKey: 'gemini',
      project: undefined,
    });
  });

  it('asks Vertex AI everywhere unless a location is said', () => {
    expect(readSettings({ vertexai: true, project: 'p' }, {})).toMatchObject({ location: 'global' });
  });

  it('says what to set where there is nothing to come with', () => {
    expect(() => readSettings({}, {})).toThrow(
      expect.objectContaining({
        code: 'MODEL_UNAVAILABLE',
        message:
          'Gemini cannot be called: there is no API key. Set GEMINI_API_KEY, or pass apiKey to new ' +
          'GeminiModel({ … }), or use Vertex AI (GOOGLE_GENAI_USE_VERTEXAI=true with ' +
          'GOOGLE_CLOUD_PROJECT), or give the agent another model.',
      }) as Error,
    );
    expect(() => readSettings({ vertexai: true }, {})).toThrow('Set GOOGLE_CLOUD_PROJECT');
  });

  it.each([
    ['localhost:8080', 'is not an http:// or https:// URL'],
    ['ftp://a.b', 'is not an http:// or https:// URL'],
    ['AIza-very-secret', 'is not an http:// or https:// URL'],
    ['https://a.b/?key=AIza-very-secret', 'has a query or a fragment'],
    ['https://ada:AIza-very-secret@a.b', 'contains a user name or password'],
    ['http://127.0.0.1@a.b', 'contains a user name or password'],
    ['http://a.b', 'is plain http:// to a.b'],
    ['http://a.b\\@localhost/', 'is plain http:// to a.b'],
    ['http://localhost.a.b', 'is plain http:// to localhost.a.b'],
    ['http://127.0.0.1.a.b', 'is plain http:// to 127.0.0.1.a.b'],
    ['http://0.0.0.0', 'is plain http:// to 0.0.0.0'],
    ['http://169.254.169.254', 'is plain http:// to 169.254.169.254'],
  ])('S15: refuses the base URL %s without repeating it', (baseUrl, fault) => {
    const error = errorOf(() => readSettings({ apiKey: 'own', baseUrl }, {}));

    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining(`Gemini cannot be called: baseUrl ${fault}`) as string,
    });
    expect(String(error)).not.toContain('AIza-very-secret');
  });

  it.each([
    'https://a.b',
    'http://localhost:8080/proxy',
    'http://127.0.0.2',
    'http://127.1',
    'http://[::1]:80',
  ])('takes the base URL %s', (baseUrl) => {
    expect(readSettings({ apiKey: 'own', baseUrl }, {}).baseUrl).toBe(baseUrl);
  });

  it('names the environment variable that holds a refused base URL', () => {
    const environment = { GEMINI_API_KEY: 'gemini', GOOGLE_GEMINI_BASE_URL: 'http://a.b' };

    expect(() => readSettings({}, environment)).toThrow('GOOGLE_GEMINI_BASE_URL is plain http:// to a.b');
  });

  it('takes the base URL of the environment for the API it is meant for', () => {
    const environment = {
      GEMINI_API_KEY: 'gemini',
      GOOGLE_GEMINI_BASE_URL: 'https://a',
      GOOGLE_VERTEX_BASE_URL: 'https://b',
    };

    expect(readSettings({}, environment).baseUrl).toBe('https://a');
    expect(readSettings({ vertexai: true }, environment).baseUrl).toBe('https://b');
    expect(readSettings({ baseUrl: 'https://c' }, environment).baseUrl).toBe('https://c');
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
