import { readLiveFrame } from './live-frame.js';

const blob = (data: unknown, mimeType = 'audio/pcm;rate=24000') =>
  JSON.stringify({ blob: { data, mimeType } });

describe('readLiveFrame', () => {
  it.each(['AAEC', 'AAE=', 'AAE', '', '-_-_'])('takes the base64 text %j', (data) => {
    expect(readLiveFrame(blob(data), 100)).toEqual({
      kind: 'audio',
      data: Buffer.from(data, 'base64'),
      rate: 24_000,
    });
  });

  it.each(['a?', 'AAEC=A', 'A', 'AA EC', '<audio>', 5])(
    'refuses %j, of which some would be left out',
    (data) => {
      expect(() => readLiveFrame(blob(data), 100)).toThrow('a frame cannot be read');
    },
  );
});
