import { ConsoleLogger } from './logger.js';

describe('ConsoleLogger', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('shows warnings and errors, with their facts where there are any', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const logger = new ConsoleLogger();

    logger.warn('a tool was left behind', { tool: 'refund' });
    logger.error('a tool failed');

    expect(warn.mock.calls).toEqual([["adorn: a tool was left behind { tool: 'refund' }"]]);
    expect(error.mock.calls).toEqual([['adorn: a tool failed']]);
  });

  it('escapes what would steer the terminal, also in the message of an error, and keeps its lines', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const logger = new ConsoleLogger();
    const error = new Error('no \u001b[2Jpaper\r\u009b1A \u202etxet\u0007\n\tnor ink');
    error.stack = `Error: ${error.message}`;

    logger.warn('100 %s of \u001b]0;x\u0007\nadorn: all is well', { error, name: 'a\u001bb' });

    expect(warn.mock.calls).toHaveLength(1);
    const [[line, ...others] = []] = warn.mock.calls as string[][];
    expect(others).toEqual([]);
    expect(line).toMatch(/^adorn: 100 %s of \\u001b\]0;x\\u0007\\u000aadorn: all is well \{/);
    expect(line).toContain('no \\u001b[2Jpaper\\u000d\\u009b1A \\u202etxet\\u0007\n');
    expect(line).toMatch(/\n *\tnor ink/);
    expect(line).toContain("name: 'a\\x1Bb'");
  });

  it('drops the rest', () => {
    const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
      jest.spyOn(console, level).mockImplementation(() => undefined),
    );
    const logger = new ConsoleLogger();

    logger.debug();
    logger.info();

    expect(spies.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0, 0, 0]);
  });
});
