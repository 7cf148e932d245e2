import { DEFAULT_RUN_CONFIG, overlayRunConfig, type RunConfig } from './run-config.js';

describe('overlayRunConfig', () => {
  it('starts from these defaults', () => {
    expect(DEFAULT_RUN_CONFIG).toEqual({
      budget: {},
      confirmationExpiresAfter: Infinity,
      maxLlmCalls: 500,
      maxTransfers: 25,
      maxInvalidCalls: 5,
      maxCallsPerAnswer: 100,
      toolConcurrency: 8,
      toolTimeout: 30_000,
      unknownArguments: 'refuse',
      streaming: 'none',
      resumeAt: 'last',
      showToolAgents: false,
      whileActive: 'queue',
      whenRepeated: 'run',
      takeOverAfter: 5_000,
    });
    expect(Object.isFrozen(DEFAULT_RUN_CONFIG)).toBe(true);
  });

  it('gives the same object where nothing is said', () => {
    expect(overlayRunConfig(DEFAULT_RUN_CONFIG, undefined)).toBe(DEFAULT_RUN_CONFIG);
  });

  it('lays what is said for a run over what is said for the runner, zero included', () => {
    const base = overlayRunConfig(DEFAULT_RUN_CONFIG, { maxLlmCalls: 10, streaming: 'sse' });

    const own = overlayRunConfig(base, { maxLlmCalls: 0, resumeAt: 'root' });

    expect(own).toEqual({ ...DEFAULT_RUN_CONFIG, maxLlmCalls: 0, streaming: 'sse', resumeAt: 'root' });
    expect(base).toEqual({ ...DEFAULT_RUN_CONFIG, maxLlmCalls: 10, streaming: 'sse' });
  });

  it('takes undefined for nothing said', () => {
    const said = { maxLlmCalls: undefined, streaming: 'sse' } as unknown as { streaming: 'sse' };

    expect(overlayRunConfig(DEFAULT_RUN_CONFIG, said)).toEqual({ ...DEFAULT_RUN_CONFIG, streaming: 'sse' });
  });

  it.each([[null], [[]], ['sse'], [7], [Symbol('config')]])('refuses %p for a config', (config) => {
    expect(() => overlayRunConfig(DEFAULT_RUN_CONFIG, config as RunConfig)).toThrow(
      'Pass an object of options, or leave it out.',
    );
  });

  it.each([-1, Number.NaN])('refuses a limit of %d', (toolConcurrency) => {
    expect(() => overlayRunConfig(DEFAULT_RUN_CONFIG, { toolConcurrency })).toThrow(
      `The run's toolConcurrency is ${String(toolConcurrency)}. Pass a number of at least 0, or ` +
        'Infinity for no limit.',
    );
  });

  it.each<[object, string]>([
    [{ streaming: 'SSE' }, "The run's streaming is SSE. Did you mean sse? Valid: none, sse."],
    [{ resumeAt: 'Root' }, "The run's resumeAt is Root. Did you mean root? Valid: last, root."],
    [{ whileActive: null }, "The run's whileActive is null. Valid: queue, refuse."],
    [{ unknownArguments: ['drop'] }, "The run's unknownArguments is an array. Valid: refuse, drop."],
    [
      { maxLlmCalls: '3' },
      "The run's maxLlmCalls is 3. Pass a number of at least 0, or Infinity for no limit.",
    ],
    [
      { maxTransfers: 3n },
      "The run's maxTransfers is 3. Pass a number of at least 0, or Infinity for no limit.",
    ],
  ])('refuses the value in %p, with the nearest valid one', (config, message) => {
    expect(() => overlayRunConfig(DEFAULT_RUN_CONFIG, config)).toThrow(
      expect.objectContaining({ code: 'RUN_CONFIG_INVALID', message }) as Error,
    );
  });

  it.each([
    ['maxLLMCalls', 'maxLlmCalls'],
    ['Streaming', 'streaming'],
  ])('refuses the option %s, and suggests %s', (name, nearest) => {
    expect(() => overlayRunConfig(DEFAULT_RUN_CONFIG, { [name]: 3 })).toThrow(
      `config: there is no option ${name}. Did you mean ${nearest}? Valid: maxLlmCalls, `,
    );
  });

  it('refuses options with names of objects, and a name too long to show', () => {
    for (const name of ['constructor', '__proto__', 'x'.repeat(10_000)]) {
      const config = JSON.parse(`{"${name}": 1}`) as RunConfig;
      expect(() => overlayRunConfig(DEFAULT_RUN_CONFIG, config)).toThrow(/^config: there is no option /);
    }
  });
});
