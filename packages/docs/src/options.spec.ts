import { HELP, parseOptions } from './options.js';

describe('parseOptions', () => {
  it('builds only, where nothing else is asked', () => {
    expect(parseOptions([])).toEqual({
      help: false,
      check: false,
      lighthouse: false,
      serve: false,
      port: 4173,
    });
    expect(HELP).toContain('http://localhost:4173');
  });

  it('reads the flags', () => {
    expect(parseOptions(['--check', '--lighthouse', '--serve', '--port', '8080'])).toEqual({
      help: false,
      check: true,
      lighthouse: true,
      serve: true,
      port: 8080,
    });
  });

  it('refuses a flag that there is not, and a port that is none', () => {
    expect(() => parseOptions(['--chek'])).toThrow("Unknown option '--chek'");
    expect(() => parseOptions(['--port', 'x'])).toThrow('--port takes a whole number, not "x".');
  });
});
