import { nearestNames } from './nearest-names.js';

describe('nearestNames', () => {
  it.each<[string, string[], string[]]>([
    ['get_wether', ['get_time_zone', 'refund', 'get_weather'], ['get_weather']],
    ['GET_WEATHER', ['get_weather'], ['get_weather']],
    ['getWeather', ['get_weather', 'send'], ['get_weather']],
    ['refund', ['refund'], ['refund']],
    ['x', ['y', 'zz', 'much_longer'], ['y', 'zz']],
    ['transfer', ['refund', 'lookup_order'], []],
    ['anything', [], []],
    ['', ['ab', 'abc'], ['ab']],
  ])('of %p among %j are %j', (meant, offered, expected) => {
    expect(nearestNames(meant, offered)).toEqual(expected);
  });

  it('are none for a name that is longer than any', () => {
    const long = 'n'.repeat(100_000);

    expect(nearestNames(long, [long, 'n', 'name'])).toEqual([]);
    expect(nearestNames('name', ['n'.repeat(100_000), 'names'])).toEqual(['names']);
  });

  it('are found in bounded work, however many are offered', () => {
    function* endless(): Generator<string> {
      yield 'names';
      for (let index = 0; ; index++) yield `n${String(index)}`;
    }

    expect(nearestNames('name', endless())[0]).toBe('names');
  });

  it('are three at the most, the best first', () => {
    expect(nearestNames('order', ['orders_x', 'orders', 'order_', 'order', 'ordre'])).toEqual([
      'order',
      'orders',
      'order_',
    ]);
  });

  it('are taken from anything that can be gone through', () => {
    expect(nearestNames('refnd', new Map([['refund', 1]]).keys())).toEqual(['refund']);
  });
});
