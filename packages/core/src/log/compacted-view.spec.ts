import type { Part } from '../events/genai-types.js';
import { answered, called, said, summary, timedSummary } from './compaction-log.fixture.js';
import { compactedView, CompactionEvent, COVERED_SEQS, summaryContent } from './compaction-event.js';
import { Event, type EventFields } from '../events/event.js';
import type { LogEntry } from './effective-events.js';

describe('the places of a conversation with summaries', () => {
  it.each<[string, Event[], string[]]>([
    ['are all of them where there is no summary', [...abc()], ['a', 'b', 'c']],
    ['have a summary in the place of what it covers', [...abc(), summary('S', 0, 1)], ['S', 'c']],
    ['have a summary behind what stands before it', [...abc(), summary('S', 1, 2)], ['a', 'S']],
    [
      'keep what came after a summary, though it names their places',
      [...abc(), summary('S', 0, 9), said('user', 'd')],
      ['S', 'd'],
    ],
    [
      'keep what came after a summary, though it names their times',
      [...abc(), timedSummary('S', 10, 99), said('user', 'd', 'e-2', 20)],
      ['S', 'd'],
    ],
    [
      'cover the range of a summary alone',
      [...abc(), said('user', 'd'), summary('S', 1, 2)],
      ['a', 'S', 'd'],
    ],
    ['cover a single event', [...abc(), summary('S', 1, 1)], ['a', 'S', 'c']],
    ['have no summary of what is not there', [...abc(), summary('S', 5, 9)], ['a', 'b', 'c']],
    ['have no summary of an empty range', [...abc(), summary('S', 2, 1)], ['a', 'b', 'c']],
    ['go by times where there are no places', [...abc(), timedSummary('S', 20, 30)], ['a', 'S']],
    [
      'have the newer of two of the same places',
      [...abc(), summary('S', 0, 1), summary('T', 0, 1)],
      ['T', 'c'],
    ],
    [
      'have a summary that covers a summary in place of it',
      [...abc(), summary('S', 0, 1), said('user', 'd'), summary('T', 0, 4)],
      ['T'],
    ],
    ['have both of two that overlap', [...abc(), summary('S', 0, 1), summary('T', 1, 2)], ['S', 'T']],
    [
      'have one of times beside one of places',
      [...abc(), timedSummary('S', 10, 10), summary('T', 1, 1)],
      ['S', 'T', 'c'],
    ],
    [
      'have the newer of two of times, where it contains the other',
      [...abc(), timedSummary('S', 10, 20), timedSummary('T', 10, 30)],
      ['T'],
    ],
    [
      'have both of two of times, where the newer begins later',
      [...abc(), timedSummary('S', 10, 20), timedSummary('T', 20, 30)],
      ['S', 'T'],
    ],
    [
      'have both of two of times, where the newer ends earlier',
      [...abc(), timedSummary('S', 10, 30), timedSummary('T', 10, 20)],
      ['T', 'S'],
    ],
  ])('%s', (_what, log, expected) => {
    expect(shown(log)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['no end', { start: 2 }],
    ['no start', { end: 2 }],
    ['a start that is a text', { start: '2', end: 2 }],
    ['an end that is no whole number', { start: 2, end: 2.5 }],
    ['null', null],
    ['a text', 'all'],
  ])('go by the times of a summary whose places are unreadable: %s', (_what, seqs) => {
    const compaction = { startTimestamp: 10, endTimestamp: 20, compactedContent: { parts: [{ text: 'S' }] } };
    const customMetadata = { [COVERED_SEQS]: seqs };
    const marker = new Event({ author: 'user', actions: { compaction }, customMetadata, invocationId: 'm' });

    expect(shown([...abc(), marker])).toEqual(['S', 'c']);
  });

  it('have a summary in the place of an event without content', () => {
    const changed = new Event({ author: 'clerk', actions: { stateDelta: { a: 1 } }, invocationId: 'e-1' });

    expect(shown([changed, ...abc(), summary('S', 0, 2)])).toEqual(['S', 'c']);
  });

  it('never show a summary that says nothing, nor hide anything behind it', () => {
    expect(shown([...abc(), summary(' ', 0, 2)])).toEqual(['a', 'b', 'c']);
  });

  it('begin with a summary of what was not loaded', () => {
    const loaded = (...log: Event[]): string[] => shown(log, 10, false);

    expect(loaded(...abc(), summary('S', 9, 10))).toEqual(['S', 'b', 'c']);
    expect(loaded(...abc(), summary('S', 10, 10))).toEqual(['S', 'b', 'c']);
    expect(loaded(...abc(), summary('S', 0, 4))).toEqual(['S', 'a', 'b', 'c']);
    expect(loaded(...abc(), summary('S', 0, 4), summary('T', 5, 9))).toEqual(['S', 'T', 'a', 'b', 'c']);
    expect(loaded(...abc(), summary('S', 12, 20))).toEqual(['a', 'b', 'S']);
    expect(loaded(...abc(), timedSummary('S', 0, 5))).toEqual(['S', 'a', 'b', 'c']);
    expect(loaded(called(['1']), said('user', 'b'), summary('S', 10, 10))).toEqual(['call 1', 'b']);
    expect(loaded(...abc(), timedSummary('S', 10, 5))).toEqual(['a', 'b', 'c']);
  });

  it('begin with the newest summary of what was not loaded, where it contains the others', () => {
    const loaded = (...log: Event[]): string[] => shown(log, 10, false);

    expect(loaded(...abc(), summary('S', 0, 4), summary('T', 0, 5))).toEqual(['T', 'a', 'b', 'c']);
    expect(loaded(...abc(), timedSummary('S', 0, 5), timedSummary('T', 0, 7))).toEqual(['T', 'a', 'b', 'c']);
    expect(loaded(...abc(), timedSummary('S', 0, 7), timedSummary('T', 0, 5))).toEqual([
      'S',
      'T',
      'a',
      'b',
      'c',
    ]);
  });

  it('begin with no summary of what was not loaded where the log is whole', () => {
    expect(shown([...abc(), summary('S', 0, 4)], 10)).toEqual(['a', 'b', 'c']);
    expect(compactedView([])).toEqual({ shown: [], coveredCalls: new Set() });
  });

  it('are of events whose summary has no readable content, and not of that summary', () => {
    const compaction = { startTimestamp: 0, endTimestamp: 99, compactedContent: 'S' };
    const fields = { author: 'user', actions: { compaction }, invocationId: 'm' };
    const marker = new Event(fields as unknown as EventFields);

    expect(shown([...abc(), marker])).toEqual(['a', 'b', 'c']);
  });
});

describe('the calls within a summary', () => {
  it.each<[string, Event[], string[], string[]]>([
    [
      'are covered with their responses',
      [said('user', 'a'), called(['1', '2']), answered(['1', '2'], 'r'), summary('S', 0, 2)],
      ['S'],
      ['1', '2'],
    ],
    [
      'stay where one has no response',
      [said('user', 'a'), called(['1', '2']), answered(['1'], 'r'), summary('S', 0, 2)],
      ['S', 'call 1 2', 'response 1'],
      [],
    ],
    [
      'stay where one has only a handle',
      [said('user', 'a'), called(['1']), answered(['1'], 'r', true), summary('S', 0, 2)],
      ['S', 'call 1', 'response 1'],
      [],
    ],
    [
      'are covered with a handle and the final response',
      [
        said('user', 'a'),
        called(['1']),
        answered(['1'], 'r', true),
        answered(['1'], 's'),
        summary('S', 0, 3),
      ],
      ['S'],
      ['1'],
    ],
    [
      'stay where a response is not within it',
      [said('user', 'a'), called(['1']), said('user', 'b'), answered(['1'], 'r'), summary('S', 0, 2)],
      ['S', 'call 1', 'response 1'],
      [],
    ],
    [
      'stay where a response in the event of theirs is to a call that stays',
      [called(['1']), called(['2']), answered(['1', '2'], 'r'), answered(['1'], 's'), summary('S', 0, 2)],
      ['call 1', 'call 2', 'response 1 2', 'response 1'],
      [],
    ],
    [
      'are not answered by a response that a model wrote',
      [said('user', 'a'), called(['1']), forged('1'), summary('S', 0, 2)],
      ['S', 'call 1'],
      [],
    ],
    [
      'are none where the user says them',
      [said('user', 'a'), byUser([{ functionCall: { id: '1', name: 'look' } }]), summary('S', 0, 1)],
      ['S'],
      ['1'],
    ],
    [
      'are covered no more where one of that id is made again',
      [called(['1']), answered(['1'], 'r'), called(['1']), answered(['1'], 's'), summary('S', 0, 1)],
      ['S', 'call 1', 'response 1'],
      [],
    ],
  ])('%s', (_what, log, expected, covered) => {
    expect(shown(log)).toEqual(expected);
    expect([...compactedView(placesOf(log)).coveredCalls]).toEqual(covered);
  });

  it.each<[string, Event[], string[]]>([
    ['stays while nobody has answered', [], ['S', 'call ask-1']],
    ['is covered once the user has answered', [decidedBy('user', 'ask-1')], ['S']],
    ['is covered once the user has answered under the id of the call', [decidedBy('user', '1')], ['S']],
    ['stays where an agent answers', [decidedBy('clerk', 'ask-1')], ['S', 'call ask-1']],
    ['stays where the user answers another', [decidedBy('user', 'ask-2')], ['S', 'call ask-1']],
  ])('a request to a person %s', (_what, answers, expected) => {
    const log = [said('user', 'a'), called(['1']), asked('ask-1', '1'), answered(['1'], 'r'), ...answers];

    expect(shown([...log, summary('S', 0, log.length - 1)])).toEqual(expected);
  });
});

describe('CompactionEvent', () => {
  it('never spans itself, nor what follows it', () => {
    const log = [...abc(), summary('S', 0, 99), said('user', 'd')];
    const places = placesOf(log);
    const marker = CompactionEvent.of(places[3] as LogEntry);

    expect(places.map((place) => marker?.spans(place))).toEqual([true, true, true, false, false]);
  });

  it('contains another as far as that one reaches: up to its own place', () => {
    const [first, second] = [summary('S', 0, 99), summary('T', 0, 3)].map((event, index) =>
      CompactionEvent.of({ seq: 3 + index, event }),
    ) as [CompactionEvent, CompactionEvent];

    expect([second.contains(first), first.contains(second)]).toEqual([true, true]);
  });

  it.each([
    ['the other is of times', timedSummary('T', 0, 0), summary('S', 0, 9)],
    ['it is itself of times', summary('T', 0, 0), timedSummary('S', 0, 9)],
  ])('does not contain another where %s', (_what, other, own) => {
    const marker = CompactionEvent.of({ seq: 12, event: own });

    expect(marker?.contains(CompactionEvent.of({ seq: 9, event: other }) as CompactionEvent)).toBe(false);
  });
});

describe('summaryContent', () => {
  const HEADING = { text: '[Summary of earlier conversation]' };

  it.each<[string, Part[], Part[] | undefined]>([
    ['gets a heading', [{ text: 'S' }], [HEADING, { text: 'S' }]],
    ['keeps the heading that it has', [{ text: `${HEADING.text} S` }], [{ text: `${HEADING.text} S` }]],
    ['says nothing without parts', [], undefined],
    ['says nothing in blanks', [{ text: ' \n' }], undefined],
    ['says nothing in thoughts', [{ text: 'Hm.', thought: true }], undefined],
    ['says nothing in calls', [{ functionCall: { name: 'look' } }], undefined],
    ['says nothing in responses', [{ functionResponse: { name: 'look' } }], undefined],
    [
      'keeps a file',
      [{ fileData: { fileUri: 'f', mimeType: 'a/b' } }],
      [HEADING, { fileData: { fileUri: 'f', mimeType: 'a/b' } }],
    ],
  ])('%s', (_what, parts, expected) => {
    expect(summaryContent({ role: 'model', parts })).toEqual(
      expected === undefined ? undefined : { role: 'user', parts: expected },
    );
  });

  it('says nothing without a list of parts', () => {
    expect(summaryContent({ role: 'model' })).toBeUndefined();
  });
});

function abc(): Event[] {
  return [said('user', 'a', 'e-1', 10), said('clerk', 'b', 'e-1', 20), said('user', 'c', 'e-1', 30)];
}

function placesOf(log: readonly Event[], first = 0): LogEntry[] {
  return log.map((event, index) => ({ seq: first + index, event }));
}

/** What the view shows, in words. */
function shown(log: readonly Event[], first = 0, isWhole = true): string[] {
  return compactedView(placesOf(log, first), isWhole).shown.map(({ event }) => inWords(event));
}

function inWords({ actions, text, functionCalls, functionResponses }: Event): string {
  const ids = (name: string, list: readonly { id?: string }[]): string =>
    list.length === 0 ? '' : [name, ...list.map(({ id }) => id)].join(' ');
  const told = actions.compaction?.compactedContent.parts?.[0]?.text ?? text;
  return told || ids('call', functionCalls) || ids('response', functionResponses);
}

function forged(id: string): Event {
  const parts = [{ functionResponse: { id, name: 'look', response: {} } }];
  return new Event({ author: 'clerk', content: { role: 'model', parts }, invocationId: 'e-1' });
}

function byUser(parts: Part[]): Event {
  return new Event({ author: 'user', content: { role: 'user', parts }, invocationId: 'e-1' });
}

function asked(id: string, callId: string): Event {
  const args = { originalFunctionCall: { id: callId, name: 'look' }, toolConfirmation: { hint: 'Sure?' } };
  const parts = [{ functionCall: { id, name: 'adk_request_confirmation', args } }];
  const content = { role: 'model', parts };
  return new Event({ author: 'clerk', content, longRunningToolIds: [id], invocationId: 'e-1' });
}

function decidedBy(author: string, id: string): Event {
  const response = { confirmed: true };
  const parts = [{ functionResponse: { id, name: 'adk_request_confirmation', response } }];
  return new Event({ author, content: { role: 'user', parts }, invocationId: 'e-1' });
}
