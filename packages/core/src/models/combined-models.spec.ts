import { Model, type ModelRequest } from './model.js';
import type { ModelResponse } from './model-response.js';
import { fallbackModel, routeModel } from './combined-models.js';

describe('fallbackModel', () => {
  it('asks the next model when one throws before its first piece, and names the one that answered', async () => {
    const logged: unknown[] = [];
    const [first, second] = [new Fake('first', [new Error('overloaded')]), new Fake('second', [said('Hi.')])];

    const responses = await ask(fallbackModel([first, second]), logged);

    expect(responses).toEqual([{ ...said('Hi.'), modelVersion: 'second' }]);
    expect(logged).toEqual([{ model: 'first', code: 'Error', next: 'second' }]);
  });

  it.each(['EMPTY_RESPONSE', 'MALFORMED_RESPONSE', 'STREAM_INTERRUPTED'])(
    'asks the next model where the first answers %s',
    async (errorCode) => {
      const model = fallbackModel([new Fake('first', [{ errorCode }]), new Fake('second', [said('Hi.')])]);

      expect(await ask(model)).toEqual([{ ...said('Hi.'), modelVersion: 'second' }]);
    },
  );

  it('does not fall back after the first piece, nor for a blocked answer', async () => {
    const second = new Fake('second', [said('Hi.')]);
    const broken = fallbackModel([new Fake('first', [piece('He'), new Error('broke off')]), second]);
    const blocked = fallbackModel([new Fake('first', [{ errorCode: 'SAFETY' }]), second]);

    await expect(ask(broken)).rejects.toThrow('broke off');
    expect(await ask(blocked)).toEqual([{ errorCode: 'SAFETY', modelVersion: 'first' }]);
    expect(second.requests).toEqual([]);
  });

  it('passes on what the last model throws or answers', async () => {
    const first = new Fake('first', [new Error('one')]);

    await expect(ask(fallbackModel([first, new Fake('last', [new Error('two')])]))).rejects.toThrow('two');
    expect(await ask(fallbackModel([first, new Fake('last', [{ errorCode: 'EMPTY_RESPONSE' }])]))).toEqual([
      { errorCode: 'EMPTY_RESPONSE', modelVersion: 'last' },
    ]);
  });

  it('does not fall back once the invocation is cancelled', async () => {
    const second = new Fake('second', [said('Hi.')]);
    const model = fallbackModel([new Fake('first', [new Error('aborted')]), second]);
    const request = { ...requestOf(), signal: AbortSignal.abort() };

    await expect(model.generate(request).next()).rejects.toThrow('aborted');
    expect(second.requests).toEqual([]);
  });

  it('keeps the version that a provider reports', async () => {
    const model = fallbackModel([new Fake('first', [{ ...said('Hi.'), modelVersion: 'first-0611' }])]);

    expect(await ask(model)).toMatchObject([{ modelVersion: 'first-0611' }]);
  });

  it('is ready if one model is, and supports what all support', async () => {
    const [able, unable] = [new Fake('able', [], true), new Fake('unable', [], false)];

    await expect(fallbackModel([unable, able]).ready()).resolves.toBeUndefined();
    await expect(fallbackModel([unable, unable]).ready()).rejects.toThrow('unable is not ready');
    expect(fallbackModel([able, able]).supportsSchemaBesideTools).toBe(true);
    expect(fallbackModel([able, unable]).supportsSchemaBesideTools).toBe(false);
    expect(fallbackModel([able, unable]).supportsProviderTool('googleSearch')).toBe(false);
  });

  it.each([
    [[], 'its list of models is empty'],
    [null, 'its models are null, not a list'],
    [['gemini-2.5-pro'], 'element 0 of its models is a text, not a Model'],
  ])('refuses %j', (models, fault) => {
    expect(() => fallbackModel(models as never)).toThrow(`fallbackModel cannot be used: ${fault}.`);
  });
});

describe('routeModel', () => {
  it('asks the model that the function chooses for the request, and names it', async () => {
    const [small, large] = [new Fake('small', [said('s')]), new Fake('large', [piece('l'), said('l')])];
    const model = routeModel(({ contents }) => (contents.length > 0 ? large : small), [small, large]);

    expect(await ask(model)).toEqual([piece('l'), { ...said('l'), modelVersion: 'large' }]);
    expect(small.requests).toEqual([]);
    expect(model.supportsSchemaBesideTools).toBe(true);
  });

  it('checks the listed models when the runner is created, and others when they are first chosen', async () => {
    const unable = new Fake('unable', [], false);

    await expect(routeModel(() => unable, [unable]).ready()).rejects.toThrow('unable is not ready');
    await expect(routeModel(() => unable).ready()).resolves.toBeUndefined();
    await expect(ask(routeModel(() => unable))).rejects.toThrow('unable is not ready');
    expect(routeModel(() => unable).supportsSchemaBesideTools).toBe(false);
  });

  it('refuses a function that returns no model, and what is no function', async () => {
    await expect(ask(routeModel(() => 'gemini-2.5-pro' as never))).rejects.toMatchObject({
      code: 'MODEL_CONFIG_INVALID',
      message:
        'routeModel cannot be used: its function returned a text for a request. Return a Model for every request.',
    });
    expect(() => routeModel('gemini' as never)).toThrow('its first argument is a text');
    expect(() => routeModel(() => new Fake('a', []), [undefined as never])).toThrow(
      'element 0 of its models',
    );
  });
});

class Fake extends Model {
  readonly requests: ModelRequest[] = [];

  constructor(
    readonly name: string,
    private readonly answers: readonly (ModelResponse | Error)[],
    private readonly isAble = true,
  ) {
    super();
  }

  override get supportsSchemaBesideTools(): boolean {
    return this.isAble;
  }

  override supportsProviderTool(): boolean {
    return this.isAble;
  }

  override ready(): void {
    if (!this.isAble) throw new Error(`${this.name} is not ready`);
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    this.requests.push(request);
    for (const answer of this.answers) {
      if (answer instanceof Error) throw answer;
      yield await Promise.resolve(answer);
    }
  }
}

function said(text: string): ModelResponse {
  return { content: { role: 'model', parts: [{ text }] } };
}

function piece(text: string): ModelResponse {
  return { ...said(text), partial: true };
}

function requestOf(warnings: unknown[] = []): ModelRequest {
  const nothing = (): void => undefined;
  const warn = (_message: string, facts?: unknown): void => void warnings.push(facts);
  const logger = { debug: nothing, info: nothing, warn, error: nothing };
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  return { contents, config: {}, stream: true, signal: new AbortController().signal, logger };
}

async function ask(model: Model, warnings?: unknown[]): Promise<ModelResponse[]> {
  const responses: ModelResponse[] = [];
  for await (const response of model.generate(requestOf(warnings))) responses.push(response);
  return responses;
}
