import { tmpdir } from 'node:os';

import { jest } from '@jest/globals';

import { chooseModel } from './choose-model.js';

describe('chooseModel', () => {
  it('leaves the agent its own Gemini model where there is a key, and says so', () => {
    expect(chooseModel({ GEMINI_API_KEY: 'k' })).toEqual({
      model: undefined,
      line: "Model: the agent's own Gemini model (GEMINI_API_KEY is set).",
    });
    expect(chooseModel({ GOOGLE_API_KEY: 'k' }).line).toContain('GOOGLE_API_KEY is set');
    expect(chooseModel({ GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p' }).line).toContain(
      'on Vertex AI',
    );
  });

  it('says where Gemini is served if not at Google, and no more of the address than its host', () => {
    const env = { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'http://ada:secret@127.0.0.1:8080/x' };

    expect(chooseModel(env).line).toBe(
      "Model: the agent's own Gemini model (GEMINI_API_KEY is set) at 127.0.0.1:8080.",
    );
  });

  it('takes the offline model without a key, and says so', () => {
    const { model, line } = chooseModel({ GEMINI_API_KEY: '' });

    expect(model).toMatchObject({ name: 'offline' });
    expect(line).toBe(
      'Model: offline (no GEMINI_API_KEY, OPENAI_BASE_URL, OPENAI_API_KEY or ANTHROPIC_API_KEY is set). ' +
        'It matches words to tools and does not reason.',
    );
  });

  it('takes the provider whose key there is, Gemini first, and says so', () => {
    const all = { GEMINI_API_KEY: 'k', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };

    expect(chooseModel(all).line).toContain("the agent's own Gemini model");
    expect(chooseModel({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      model: { name: 'openai/gpt-5-mini' },
      line: 'Model: openai/gpt-5-mini (OPENAI_API_KEY is set).',
    });
    expect(chooseModel({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_MODEL: 'claude-x' })).toMatchObject({
      model: { name: 'anthropic/claude-x' },
      line: 'Model: anthropic/claude-x (ANTHROPIC_API_KEY is set).',
    });
  });

  it('takes the offline model where the package of the provider is not installed, and says how to', () => {
    const folder = jest.spyOn(process, 'cwd').mockReturnValue(tmpdir());

    expect(chooseModel({ OPENAI_API_KEY: 'k' })).toMatchObject({
      model: { name: 'offline' },
      line: expect.stringContaining(
        'OPENAI_API_KEY is set; to use it, run: npm install @ai-sdk/openai @adorn/ai-sdk',
      ) as unknown,
    });
    folder.mockRestore();
  });

  it('takes a server of the OpenAI API by its URL, and shows its host only', () => {
    const env = { OPENAI_BASE_URL: 'http://me:secret@127.0.0.1:11434/v1', OPENAI_MODEL: 'llama' };

    expect(chooseModel(env)).toMatchObject({
      model: { name: 'openai-compatible/llama' },
      line: 'Model: openai-compatible/llama (OPENAI_BASE_URL is set) at 127.0.0.1:11434.',
    });
  });

  it('takes the model that is named', () => {
    expect(chooseModel({}, 'openai/gpt-5').model).toMatchObject({ name: 'openai/gpt-5' });
    const { model, line } = chooseModel({}, 'gemini-2.5-pro');

    expect(model).toMatchObject({ name: 'gemini-2.5-pro' });
    expect(line).toBe('Model: gemini-2.5-pro.');
    expect(chooseModel({ GEMINI_API_KEY: 'k' }, 'offline').model).toMatchObject({ name: 'offline' });
    expect(chooseModel({}, 'own').model).toBeUndefined();
  });

  it('takes the model that ADORN_MODEL names, before any key, but after the one of the program', () => {
    const env = { ADORN_MODEL: 'openai/gpt-5', GEMINI_API_KEY: 'k' };

    expect(chooseModel(env).model).toMatchObject({ name: 'openai/gpt-5' });
    expect(chooseModel(env, 'gemini-2.5-pro').model).toMatchObject({ name: 'gemini-2.5-pro' });
    expect(chooseModel({ ADORN_MODEL: 'own' }).model).toBeUndefined();
    expect(chooseModel({ ADORN_MODEL: '', GEMINI_API_KEY: 'k' }).line).toContain('GEMINI_API_KEY is set');
  });

  describe('in production', () => {
    const production = { NODE_ENV: 'production' };

    it('refuses to go on without a model, and says how to set one and how to mean the offline one', () => {
      expect(() => chooseModel(production)).toThrow(
        expect.objectContaining({
          code: 'MODEL_UNAVAILABLE',
          message:
            'There is no model: NODE_ENV is production, and no GEMINI_API_KEY, OPENAI_BASE_URL, OPENAI_API_KEY or ' +
            "ANTHROPIC_API_KEY is set. Set GEMINI_API_KEY or another provider's key, or ADORN_MODEL: the name of a model, " +
            "own for the agents' own models, or offline if users are to talk to the offline model.",
        }) as Error,
      );
    });

    it('refuses a key whose package is not installed, instead of the offline model', () => {
      const folder = jest.spyOn(process, 'cwd').mockReturnValue(tmpdir());

      expect(() => chooseModel({ ...production, OPENAI_API_KEY: 'k' })).toThrow(
        'OPENAI_API_KEY is set; to use it, run: npm install @ai-sdk/openai @adorn/ai-sdk',
      );
      folder.mockRestore();
    });

    it('takes a key, and the offline model if it is named', () => {
      expect(chooseModel({ ...production, GEMINI_API_KEY: 'k' }).model).toBeUndefined();
      expect(chooseModel({ ...production, ADORN_MODEL: 'offline' }).model).toMatchObject({ name: 'offline' });
      expect(chooseModel(production, 'offline').model).toMatchObject({ name: 'offline' });
    });
  });
});
