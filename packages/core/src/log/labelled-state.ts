import { hash } from 'node:crypto';

import type { Event } from '../events/event.js';
import { findState, type Session } from '../events/session.js';
import { canonicalJson, isNameTooLong } from '@adorn/schema';
import { scopeOf, type StateDelta } from '../events/state.js';
import {
  labelKey,
  LabelledResults,
  type LabelledTools,
  labelledIn,
  NO_LABELLED_TOOLS,
  RESULT_LABELS,
  type ResultLabel,
} from './labelled-results.js';

/** Says that the value of a shared key was written in a conversation that contained labelled results. */
interface Mark {
  /** The tools whose results the conversation contained. */
  readonly tools: readonly string[];
  /** Digest of the marked value. The mark ends when another value is written, with or without an event. */
  readonly value: string;
}

/** True for the keys that other conversations read: those of the user and of the application. */
function isShared(key: string): boolean {
  const scope = scopeOf(key);
  return scope === 'user' || scope === 'app';
}

/**
 * The event as it is stored in a conversation with labelled results: it names those that its run has `read` in the state,
 * and marks each shared key that it writes. The same event where there is nothing to tell.
 */
export function withMarks(event: Event, session: Session, read: LabelledTools): Event {
  const writes = writesShared(event.actions.stateDelta);
  if (read === NO_LABELLED_TOOLS && !writes) return event;
  return RESULT_LABELS.reduce((marked, label) => withMarksOf(label, marked, session, read[label]), event);
}

function withMarksOf(label: ResultLabel, event: Event, session: Session, read: readonly string[]): Event {
  const known = LabelledResults.of(session, label);
  const fresh = read.filter((name) => !known.includes(name));
  const own = [...new Set([...labelledIn(event, label), ...fresh])];
  const told =
    fresh.length === 0
      ? event
      : event.with({ customMetadata: { ...event.customMetadata, [labelKey(label)]: own } });
  const { stateDelta } = event.actions;
  if (!writesShared(stateDelta) || known.length + own.length === 0) return told;
  const marked = markedDelta(label, stateDelta, [...new Set([...known, ...own])]);
  return told.with({ actions: { ...event.actions, stateDelta: marked } });
}

function writesShared(delta: StateDelta): boolean {
  for (const key in delta) if (isShared(key)) return true;
  return false;
}

function markedDelta(label: ResultLabel, delta: StateDelta, tools: readonly string[]): StateDelta {
  const marked = Object.assign(Object.create(null) as Record<string, unknown>, delta);
  for (const [key, value] of Object.entries(delta)) {
    if (!isShared(key) || isMark(key) || !isValue(value)) continue;
    marked[markOf(label, key)] = { tools, value: digestOf(value) } satisfies Mark;
  }
  return marked;
}

/** The delta without marks, as the run wrote it. */
export function unmarkedDelta(delta: StateDelta): StateDelta {
  return Object.fromEntries(Object.entries(delta).filter(([key]) => !isMark(key)));
}

/** The tools whose labelled results may be in the value of a key; empty for other keys and for values without a mark. */
export function labelledToolsOf(session: Session, key: string, label: ResultLabel): readonly string[] {
  if (!isShared(key)) return NONE;
  const mark = findState(session, markOf(label, key));
  if (!isMarkValue(mark)) return NONE;
  const value = findState(session, key);
  if (!isValue(value) || mark.value !== digestOf(value)) return NONE;
  return mark.tools.filter((name): name is string => typeof name === 'string');
}

function isMark(key: string): boolean {
  if (!isShared(key)) return false;
  const start = key.indexOf(':') + 1;
  return RESULT_LABELS.some((label) => key.startsWith(markPrefix(label), start));
}

/** Follows the scope of a key in the name of its mark: `user:_adorn:untrusted:note` marks `user:note`. */
function markPrefix(label: ResultLabel): string {
  return `_${labelKey(label)}:`;
}

/** The key of the mark of a shared key. A long key is named by its digest. */
function markOf(label: ResultLabel, key: string): string {
  const start = key.indexOf(':') + 1;
  const beginning = `${key.slice(0, start)}${markPrefix(label)}`;
  const mark = `${beginning}${key.slice(start)}`;
  return isNameTooLong(mark) ? `${beginning}${hash('sha256', key, 'base64url')}` : mark;
}

function isMarkValue(value: unknown): value is Mark {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Mark>).tools);
}

/** False if the write removes the key. */
function isValue(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}

const NONE: readonly string[] = Object.freeze([]);
