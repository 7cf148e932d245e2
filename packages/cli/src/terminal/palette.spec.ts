import { paletteFor } from './palette.js';

describe('paletteFor', () => {
  it('paints on a terminal', () => {
    expect(paletteFor({ isTTY: true }, {})('call', 'roll()')).toBe('\u001b[36mroll()\u001b[39m');
  });

  it('paints a file, too, where FORCE_COLOR is set', () => {
    expect(paletteFor({}, { FORCE_COLOR: '1' })('title', 'x')).toBe('\u001b[1mx\u001b[22m');
  });

  it.each([
    ['no terminal', {}, {}],
    ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }],
    ['NO_COLOR beside FORCE_COLOR', { isTTY: true }, { NO_COLOR: '1', FORCE_COLOR: '1' }],
    ['FORCE_COLOR=0', { isTTY: true }, { FORCE_COLOR: '0' }],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }],
  ])('leaves text plain for %s', (_, stream, env) => {
    expect(paletteFor(stream, env)('call', 'roll()')).toBe('roll()');
  });
});
