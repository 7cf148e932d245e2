import type { Model, ModelRequest, ModelResponse } from '@adorn/core';
import { describe, expect, it } from './test-runner.js';

export interface ModelContractOptions {
  /**
   * Opens a model whose answer does not end by itself; nothing but the abort can end it. Where it is absent, that
   * promise is not tried.
   */
  readonly openEndless?: () => Promise<Model>;
}

/**
 * The promises of every model, tested with one request that it answers with text. `open` creates a model that has not
 * had a request yet.
 */
export function describeModel(
  name: string,
  open: () => Promise<Model>,
  options: ModelContractOptions = {},
): void {
  describe(`${name} as a Model`, () => {
    promisesOfAnswers(open);
    promisesOfAborting(open, options);
  });
}

function promisesOfAnswers(open: () => Promise<Model>): void {
  it('bears a name, and is ready without being asked anything', async () => {
    const model = await open();

    expect(model.name).not.toBe('');
    await expect(Promise.resolve(model.ready())).resolves.toBeUndefined();
  });

  it('answers once and whole where it is not asked to stream', async () => {
    const responses = await ask(await open(), { stream: false });

    expect(responses).toHaveLength(1);
    expect(responses[0]?.partial ?? false).toBe(false);
    expect(responses[0]).toMatchObject({ content: { role: 'model' } });
    expect(responses[0]?.errorCode).toBeUndefined();
    expect(textOf(responses)).not.toBe('');
  });

  it('streams pieces, and then one whole that is their join', async () => {
    const responses = await ask(await open(), { stream: true });

    const pieces = responses.slice(0, -1);
    const whole = responses.slice(-1);
    expect(pieces.length).toBeGreaterThan(0);
    expect(pieces.every(({ partial }) => partial === true)).toBe(true);
    expect(whole[0]?.partial ?? false).toBe(false);
    expect(textOf(whole)).toBe(textOf(pieces));
    expect(textOf(whole)).not.toBe('');
  });

  it.each([true, false])('leaves the request as it was (stream: %s)', async (stream) => {
    const request = requestOf({ stream });
    const before = structuredClone({ contents: request.contents, config: request.config });

    await collect((await open()).generate(request));

    expect({ contents: request.contents, config: request.config }).toEqual(before);
  });
}

function promisesOfAborting(open: () => Promise<Model>, { openEndless }: ModelContractOptions): void {
  it.each([true, false])('ends where it was aborted before it was asked (stream: %s)', async (stream) => {
    const responses = (await open()).generate(requestOf({ stream, signal: AbortSignal.abort() }));

    await expect(ended(responses)).resolves.toBe(true);
  });

  it('ends where it is aborted while it streams', async () => {
    const aborter = new AbortController();
    const responses = (await open()).generate(requestOf({ stream: true, signal: aborter.signal }));
    await responses.next();

    aborter.abort();

    await expect(ended(responses)).resolves.toBe(true);
  });

  it('lets go of an answer that nobody reads to its end', async () => {
    const responses = (await open()).generate(requestOf({ stream: true }));
    await responses.next();

    await responses.return();

    expect(await responses.next()).toEqual({ done: true, value: undefined });
  });

  if (openEndless) promisesOfEndlessAnswers(openEndless);
}

function promisesOfEndlessAnswers(open: () => Promise<Model>): void {
  it('ends an endless answer when it is aborted, with no whole response', async () => {
    const aborter = new AbortController();
    const responses = (await open()).generate(requestOf({ stream: true, signal: aborter.signal }));
    const heard: ModelResponse[] = [];

    setImmediate(() => aborter.abort());
    await collect(responses, heard).catch(() => heard);

    expect(heard.every(({ partial }) => partial === true)).toBe(true);
  });
}

function requestOf(fields: Partial<ModelRequest>): ModelRequest {
  return {
    contents: [{ role: 'user', parts: [{ text: 'Say hello in a few words.' }] }],
    config: {},
    stream: false,
    signal: new AbortController().signal,
    ...fields,
  };
}

function ask(model: Model, fields: Partial<ModelRequest>): Promise<ModelResponse[]> {
  return collect(model.generate(requestOf(fields)));
}

async function collect(
  responses: AsyncIterable<ModelResponse>,
  into: ModelResponse[] = [],
): Promise<ModelResponse[]> {
  for await (const response of responses) into.push(response);
  return into;
}

/** True if it ends, by returning or throwing. */
function ended(responses: AsyncIterable<ModelResponse>): Promise<boolean> {
  return collect(responses).then(
    () => true,
    () => true,
  );
}

/** The text of responses joined, thoughts left out. */
function textOf(responses: readonly ModelResponse[]): string {
  const parts = responses.flatMap(({ content }) => content?.parts ?? []);
  return parts.map(({ text, thought }) => (thought === true ? '' : (text ?? ''))).join('');
}
