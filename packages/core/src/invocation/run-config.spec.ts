import { DEFAULT_RUN_CONFIG, overlayRunConfig, type RunConfig } from './run-config.js';

describe('overlayRunConfig', () => {
  it('starts from these defaults', () => {
    expect(DEFAULT_RUN_CONFIG).toEqual({
      maxLlmCalls: 500,
      maxTransfers: 25,
      maxInvalidCalls: 5,
      toolConcurrency: 8,
      unknownArguments: 'refuse',
      streaming: 'none',
      resumeAt: 'last',
      whileActive: 'queue',
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
      `The run's toolConcurrency is ${String(toolConcurrency)}. Give a number of at least 0, or Infinity for no limit.`,
    );
  });
});
