import { functionCallsOf, functionResponsesOf } from './content-parts.js';
import type { Content } from './genai-types.js';

const CONTENT: Content = {
  role: 'model',
  parts: [
    { text: 'One moment.' },
    { functionCall: { id: '1', name: 'a' } },
    { functionResponse: { id: '0', name: 'z', response: {} } },
    { functionCall: { id: '2', name: 'b', args: {} } },
    { functionResponse: { id: '1', name: 'a', response: {} } },
  ],
};

describe('the calls and the responses of a content', () => {
  it('are given in order', () => {
    expect(functionCallsOf(CONTENT).map(({ id }) => id)).toEqual(['1', '2']);
    expect(functionResponsesOf(CONTENT).map(({ id }) => id)).toEqual(['0', '1']);
  });

  it.each([[undefined], [{}], [{ parts: [] }], [{ parts: [{ text: 'Hello' }] }]])(
    'are none in %j',
    (content) => {
      expect([functionCallsOf(content), functionResponsesOf(content)]).toEqual([[], []]);
    },
  );
});
