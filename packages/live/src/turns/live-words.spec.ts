import { Event } from '@adorn/core';
import { LiveWords, eventAsText, resultAsText } from './live-words.js';

describe('the words of a live turn', () => {
  it('are those of the user since they were taken last, without space around them', () => {
    const words = new LiveWords();
    words.addHeard(' What is ');
    words.addHeard('due? ');

    expect(words.takeHeard()?.content).toEqual({ role: 'user', parts: [{ text: 'What is due?' }] });
    expect(words.takeHeard()).toBeUndefined();

    words.addHeard('  ');

    expect(words.takeHeard()).toBeUndefined();
  });

  it('are texts of the model in one part, after its thoughts', () => {
    const words = new LiveWords();
    words.say({ kind: 'text', text: 'It is ' }, 0);
    words.say({ kind: 'text', text: 'Look it up. ', thought: true }, 0);
    words.say({ kind: 'text', text: 'due. ' }, 0);

    expect(words.takeSaid()).toEqual({
      content: { role: 'model', parts: [{ text: 'Look it up.', thought: true }, { text: 'It is due.' }] },
      usageMetadata: undefined,
      groundingMetadata: undefined,
      outputTranscription: undefined,
    });
    expect(words.takeSaid()).toBeUndefined();
  });

  it('are told as a transcript, without the thoughts, where they were spoken', () => {
    const words = new LiveWords();
    words.say({ kind: 'text', text: 'Look it up.', thought: true }, 0);
    words.say({ kind: 'outputTranscript', text: 'It is due.' }, 100);

    expect(words.takeSaid()?.outputTranscription).toEqual({ text: 'It is due.', finished: true });

    words.say({ kind: 'text', text: 'Written.' }, 100);

    expect(words.takeSaid()?.outputTranscription).toBeUndefined();
  });

  it.each([
    [0, undefined],
    [1, 'One'],
    [100, 'One'],
    [101, 'One two'],
    [250, 'One two three'],
  ])(
    'of a spoken answer that was interrupted after %d ms are those whose speech had begun',
    (played, kept) => {
      const words = new LiveWords();
      words.say({ kind: 'outputTranscript', text: 'One ' }, 100);
      words.say({ kind: 'outputTranscript', text: 'two ' }, 200);
      words.say({ kind: 'outputTranscript', text: 'three' }, 300);

      expect(words.takeSaid(played)?.content?.parts?.[0]?.text).toBe(kept);
    },
  );

  it('of a written answer that was interrupted are all', () => {
    const words = new LiveWords();
    words.say({ kind: 'text', text: 'One ' }, 100);
    words.say({ kind: 'text', text: 'two' }, 200);

    expect(words.takeSaid(0)?.content).toEqual({ role: 'model', parts: [{ text: 'One two' }] });
  });

  it('begin at the start of the speech again after they were taken', () => {
    const words = new LiveWords();
    words.say({ kind: 'outputTranscript', text: 'One ' }, 400);
    words.takeSaid();
    words.say({ kind: 'outputTranscript', text: 'two' }, 500);

    expect(words.takeSaid(1)?.outputTranscription).toMatchObject({ text: 'two' });
  });

  it('carry usage and grounding once, and keep them until there are words', () => {
    const words = new LiveWords();
    words.noteUsage({ totalTokenCount: 7 });
    words.noteGrounding({ webSearchQueries: ['due'] });

    expect(words.takeSaid()).toBeUndefined();

    words.say({ kind: 'text', text: 'One' }, 0);

    expect(words.takeSaid()).toMatchObject({
      usageMetadata: { totalTokenCount: 7 },
      groundingMetadata: { webSearchQueries: ['due'] },
    });

    words.say({ kind: 'text', text: 'Two' }, 0);

    expect(words.takeSaid()).toMatchObject({ usageMetadata: undefined, groundingMetadata: undefined });
  });
});

describe('an event told as text', () => {
  it('has what was said, called and returned on lines of their own, without thoughts', () => {
    const parts = [
      { text: 'Hidden.', thought: true },
      { text: 'I look.' },
      { functionCall: { id: 'c-1', name: 'look', args: { at: 1 } } },
      { functionResponse: { id: 'c-1', name: 'look', response: { found: true } } },
      { inlineData: { mimeType: 'image/png', data: '' } },
    ];

    expect(eventAsText(eventOf('clerk', 'model', parts))).toEqual({
      role: 'model',
      parts: [{ text: 'I look.\n[You called look with {"at":1}.]\n[look returned {"found":true}.]' }],
    });
  });

  it('bears with a call and a response that say nothing', () => {
    const told = eventAsText(eventOf('clerk', 'model', [{ functionCall: {} }, { functionResponse: {} }]));

    expect(told?.parts).toEqual([{ text: '[You called  with {}.]\n[ returned {}.]' }]);
  });

  it.each([
    ['user', 'user', 'user'],
    ['clerk', 'user', 'user'],
    ['user', 'model', 'user'],
    ['clerk', 'model', 'model'],
  ])('of the author %s with the role %s is of the role %s', (author, role, told) => {
    expect(eventAsText(eventOf(author, role, [{ text: 'Hm.' }]))?.role).toBe(told);
  });

  it('is nothing where there is nothing to read', () => {
    expect(eventAsText(eventOf('clerk', 'model', [{ text: 'Hidden.', thought: true }]))).toBeUndefined();
    expect(eventAsText(new Event({ invocationId: 'e-1', author: 'clerk' }))).toBeUndefined();
  });
});

it('tells a result with the name of its tool', () => {
  expect(resultAsText('look', { found: [1] })).toBe('[look returned {"found":[1]}.]');
});

function eventOf(author: string, role: string, parts: readonly object[]): Event {
  return new Event({ invocationId: 'e-1', author, content: { role, parts: [...parts] } });
}
