import type { OpenTurn } from '@adorn/core/backend';
import type { LiveLine } from '../line/live-line.js';
import { LiveCalls } from './live-calls.js';
import { LiveView } from './live-view.js';
import { TurnTaking } from './turn-taking.js';

/** What the agents of a live session share: they speak one after another, by one connection. */
export interface LiveParts {
  /** The connection to the model. */
  readonly line: LiveLine;
  /** What the model is told. */
  readonly view: LiveView;
  /** Who is to speak next. */
  readonly talk: TurnTaking;
  /** What the model has called. */
  readonly calls: LiveCalls;
  /** The turns of the agents that have spoken, by their paths: their calls may be answered while another one speaks. */
  readonly turns: Map<string, OpenTurn>;
}

const partsOfLines = new WeakMap<LiveLine, LiveParts>();

/** The parts of a session. The first agent begins them. */
export function partsOf(line: LiveLine, turn: OpenTurn): LiveParts {
  const known = partsOfLines.get(line);
  if (known) return known;
  const talk = new TurnTaking(line, turn.isUnanswered);
  const parts = {
    line,
    talk,
    view: new LiveView(line, talk),
    calls: new LiveCalls(),
    turns: new Map<string, OpenTurn>(),
  };
  partsOfLines.set(line, parts);
  return parts;
}
