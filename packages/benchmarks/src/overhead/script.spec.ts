import {
  CHAINED_CALLS,
  FINAL_TEXT,
  type NextAction,
  nextAction,
  PARALLEL_CALLS,
  scriptOptions,
  type ScriptKind,
  STREAM_TEXT,
} from './script.js';

describe('the scripted model', () => {
  afterEach(() => {
    scriptOptions.distinctTexts = false;
  });

  it('asks for the tool as often as each kind of turn says, and then ends it', () => {
    expect(play('A')).toEqual([]);
    expect(play('B')).toEqual([1]);
    expect(play('C')).toEqual([PARALLEL_CALLS]);
    expect(play('D')).toEqual(Array.from({ length: CHAINED_CALLS }, () => 1));
    expect(play('BAD')).toEqual([1]);
  });

  it('streams one text', () => {
    expect(nextAction('E')).toEqual({ kind: 'stream', text: STREAM_TEXT });
  });

  it('hands over once, and the other agent answers', () => {
    expect(nextAction('F')).toMatchObject({ kind: 'transfer' });
    expect(nextAction('F', 'c0_0', 'sub')).toEqual({ kind: 'text', text: FINAL_TEXT });
  });

  it('asks the agent below as a tool, two levels down, and each answers', () => {
    const calls = [nextAction('G'), nextAction('G', undefined, 'middle')];

    expect(calls).toMatchObject([{ calls: [{ name: 'middle' }] }, { calls: [{ name: 'leaf' }] }]);
    for (const action of [
      nextAction('G', undefined, 'leaf'),
      nextAction('G', 'c0_0', 'middle'),
      nextAction('G', 'c0_0'),
    ])
      expect(action).toEqual({ kind: 'text', text: FINAL_TEXT });
  });

  it('ends no two turns alike where that is asked for', () => {
    scriptOptions.distinctTexts = true;

    expect(nextAction('B', 'c1_0')).not.toEqual(nextAction('B', 'c2_0'));
  });
});

/** How many calls each of a turn's model answers holds, up to the final text. */
function play(kind: ScriptKind): number[] {
  const counts: number[] = [];
  let action: NextAction = nextAction(kind);
  while (action.kind === 'calls') {
    counts.push(action.calls.length);
    action = nextAction(kind, action.calls.at(-1)?.id);
  }
  expect(action).toEqual({ kind: 'text', text: FINAL_TEXT });
  return counts;
}
