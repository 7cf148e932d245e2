import { paletteFor } from './palette.js';

describe('paletteFor', () => {
  it('paints on a terminal', () => {
    expect(paletteFor({ isTTY: true }, {})('call', 'roll()')).toBe('\u001b[36mroll()\u001b[39m');
  });

  it.each([
    ['no terminal', {}, {}],
    ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }],
  ])('leaves text plain for %s', (_, stream, env) => {
    expect(paletteFor(stream, env)('call', 'roll()')).toBe('roll()');
  });
});
