import { readTimedMessage } from './steering.js';

describe('readTimedMessage', () => {
  it.each([
    ['/now be  quick', { when: 'now', text: 'be  quick' }],
    ['  /next\tthen this ', { when: 'next', text: 'then this' }],
    ['/instead stop', { when: 'instead', text: 'stop' }],
  ])('reads when the message of "%s" is read', (line, steering) => {
    expect(readTimedMessage(line)).toEqual(steering);
  });

  it.each(['/now', '/nowhere to go', 'now this', '/state', ''])('takes "%s" for no such line', (line) => {
    expect(readTimedMessage(line)).toBeUndefined();
  });
});
