import fc from 'fast-check';

import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import { push, sessionOf } from '../session-log.fixture.js';
import { randomLogs } from '../random-logs.fixture.js';
import type { Content, Event, Session } from '../../index.js';
import { History } from './history.js';

const AGENT = { name: 'clerk', path: 'clerk' };
const OTHER = { name: 'scout', path: 'scout' };

describe('of any conversation with summaries and rewinds, the history', () => {
  it('shows every text that is not covered exactly once and in order, and nothing that is undone', () => {
    check((log) => {
      const expected = standing(log)
        .filter((index) => !isSpanned(log, index))
        .flatMap((index) => textsIn(log[index]));

      expect(shownTexts(log).filter((text) => text.startsWith('t'))).toEqual(expected);
    });
  });

  it('shows no summary twice, and each of which something is covered', () => {
    check((log) => {
      const shown = shownTexts(log).filter((text) => text.startsWith('S'));
      const owners = standing(log).flatMap((index) =>
        textsIn(log[index]).length > 0 ? ownerOf(log, index) : [],
      );

      expect(new Set(shown).size).toBe(shown.length);
      expect(new Set(shown)).toEqual(new Set([...shown, ...owners]));
    });
  });

  it('pairs every call with one response right behind it, and holds no response without a call', () => {
    check((log) => {
      const contents = contentsOf(log);
      for (const [index, content] of contents.entries()) {
        expect(idsOf(functionResponsesOf(contents[index + 1]))).toEqual(idsOf(functionCallsOf(content)));
      }
      expect(functionResponsesOf(contents[0])).toEqual([]);
    });
  });

  it('shows every call that waits for its answer', () => {
    check((log) => {
      const stands = standing(log).map((index) => log[index]);
      const settled = new Set(
        stands.flatMap((event) => idsOf(functionResponsesOf(event?.content).filter(isLast))),
      );
      const open = stands
        .flatMap((event) => idsOf(functionCallsOf(event?.content)))
        .filter((id) => !settled.has(id));

      const shown = contentsOf(log).flatMap((content) => idsOf(functionCallsOf(content)));
      expect(shown).toEqual(expect.arrayContaining(open));
    });
  });

  it('shows no call that was answered for good and is spanned whole', () => {
    check((log) => {
      const shown = new Set(contentsOf(log).flatMap((content) => idsOf(functionCallsOf(content))));
      for (const index of standing(log)) {
        const ids = idsOf(functionCallsOf(log[index]?.content));
        const own = standing(log).filter((other) => namesAny(log[other], ids));
        const isSettled = ids.every((id) => own.some((other) => settles(log[other], id)));
        if (ids.length === 0 || !isSettled || !own.every((other) => isSpanned(log, other))) continue;
        expect(ids.filter((id) => shown.has(id))).toEqual([]);
      }
    });
  });

  it('tells another agent exactly one response of every call that was answered: the newest', () => {
    check((log) => {
      const plain = log.filter(({ actions }) => !actions.compaction && !actions.rewindBeforeInvocationId);
      const newest = new Map<string, string>();
      for (const { content } of plain)
        for (const { id = '', response } of functionResponsesOf(content))
          newest.set(id, `[clerk] tool \`look\` returned ${JSON.stringify(response)}`);

      const { contents } = History.of(sessionOf(...plain), OTHER, undefined);
      const told = contents.flatMap((content) =>
        partTexts(content).filter((text) => text.includes('returned')),
      );
      expect(told.sort()).toEqual([...newest.values()].sort());
    });
  });

  it('shows, of the current turn alone, the last words of the user and every call answered since', () => {
    check((log) => {
      const plain = log.filter(({ actions }) => !actions.compaction && !actions.rewindBeforeInvocationId);
      const begin = plain.findLastIndex(({ author }) => author === 'user');
      const since = plain.slice(Math.max(begin, 0));
      const answered = since.flatMap(({ content }) => idsOf(functionResponsesOf(content)));

      const history = History.of(sessionOf(...plain), AGENT, undefined);
      const turn = history.currentTurn();
      const calls = turn.flatMap((content) => idsOf(functionCallsOf(content)));
      expect(turn.flatMap(partTexts)).toEqual(expect.arrayContaining(textsIn(since[0])));
      expect(calls).toEqual(expect.arrayContaining(answered));
      expect(turn.flatMap((content) => idsOf(functionResponsesOf(content)))).toEqual(calls);
      expect(turn).toEqual(history.contents.filter((content) => turn.includes(content)));
    });
  });

  it('is the same whether it is kept up event by event or made at once', () => {
    check((log) => {
      const growing = sessionOf();
      for (const event of log) {
        push(growing, event);
        if (!endsWithCall(growing.events)) History.of(growing, AGENT, undefined);
      }

      const kept = History.of(growing, AGENT, undefined);
      const fresh = History.of(sessionOf(...log), AGENT, undefined);
      expect(unsaid([kept.contents, kept.currentTurn()])).toEqual(
        unsaid([fresh.contents, fresh.currentTurn()]),
      );
    });
  });
});

function check(promise: (log: readonly Event[]) => void): void {
  fc.assert(fc.property(randomLogs, promise), { numRuns: 200 });
}

/** Indexes of what no rewind undid, found by playing the log from its start. */
function standing(log: readonly Event[], length = log.length): number[] {
  if (length === 0) return [];
  const undoneId = log[length - 1]?.actions.rewindBeforeInvocationId;
  if (undoneId === undefined) return [...standing(log, length - 1), length - 1];
  return standing(
    log,
    log.findIndex(({ invocationId }) => invocationId === undoneId),
  );
}

/** The text of the newest compaction event that stands and spans an event. */
function ownerOf(log: readonly Event[], index: number): string[] {
  const owner = standing(log)
    .reverse()
    .find((at) => at > index && spans(log[at], log[index], index));
  const text =
    owner === undefined ? undefined : log[owner]?.actions.compaction?.compactedContent.parts?.[0]?.text;
  return text === undefined ? [] : [text];
}

function isSpanned(log: readonly Event[], index: number): boolean {
  return ownerOf(log, index).length > 0;
}

function spans(marker: Event | undefined, event: Event | undefined, index: number): boolean {
  const compaction = marker?.actions.compaction;
  if (compaction === undefined || event === undefined) return false;
  const seqs = marker?.customMetadata?.['adorn:coveredSeqs'] as { start: number; end: number } | undefined;
  if (seqs !== undefined) return seqs.start <= index && index <= seqs.end;
  return compaction.startTimestamp <= event.timestamp && event.timestamp <= compaction.endTimestamp;
}

/** No model is asked between a call and its answer. */
function endsWithCall(log: readonly Event[]): boolean {
  const last = standing(log).findLast((index) => log[index]?.content !== undefined);
  return last !== undefined && functionCallsOf(log[last]?.content).length > 0;
}

function textsIn(event: Event | undefined): string[] {
  return event?.content?.parts?.flatMap(({ text }) => (text === undefined ? [] : [text])) ?? [];
}

function contentsOf(log: readonly Event[]): readonly Content[] {
  return History.of(sessionOf(...log) satisfies Session, AGENT, undefined).contents;
}

function shownTexts(log: readonly Event[]): string[] {
  return contentsOf(log).flatMap(({ parts = [] }) =>
    parts.flatMap(({ text }) => (text === undefined ? [] : [text])),
  );
}

function namesAny(event: Event | undefined, ids: readonly string[]): boolean {
  const named = [...idsOf(functionCallsOf(event?.content)), ...idsOf(functionResponsesOf(event?.content))];
  return named.some((id) => ids.includes(id));
}

function settles(event: Event | undefined, id: string): boolean {
  return functionResponsesOf(event?.content).some((response) => response.id === id && isLast(response));
}

function isLast({ willContinue }: { willContinue?: boolean }): boolean {
  return willContinue !== true;
}

function idsOf(named: readonly { id?: string }[]): string[] {
  return named.map(({ id = '' }) => id);
}

function partTexts({ parts = [] }: Content): string[] {
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text]));
}

/** As it was when it was written down. */
function unsaid(contents: readonly (readonly Content[])[]): unknown {
  return JSON.parse(JSON.stringify(contents));
}
