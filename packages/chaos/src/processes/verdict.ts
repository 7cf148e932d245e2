import type { Event } from '@adorn/core';
import { principalIn } from '@adorn/core/backend';

import { approverOf, peopleNeededFor } from './approver.js';
import type { Deed } from './deed-log.js';
import type { Outcome, Rescue } from './rescue.js';
import { DONE } from './shop.js';
import { FINDABLE, REPEATABLE } from './trees.js';
import { UNDOS } from './undoable-desk.js';

/** What is left when everything of a round is settled. */
export interface Remains {
  readonly events: readonly Event[];
  readonly deeds: readonly Deed[];
  readonly rescues: readonly Rescue[];
  /** Of each rescue. */
  readonly outcomes: readonly Outcome[];
}

/** The errors that a process may get because another one was faster, or because nothing was left to do. */
const EXPECTED: ReadonlySet<string> = new Set([
  'REQUEST_NOT_PENDING',
  'SESSION_TAKEN_OVER',
  'NOTHING_TO_RESUME',
]);

const REQUEST = 'adk_request_confirmation';

/** What does not hold, in words; empty if all holds. */
export function faultsOf(remains: Remains): string[] {
  const { events, outcomes } = remains;
  return [
    ...(new Set(events.map(({ id }) => id)).size < events.length ? ['events stand in the log twice'] : []),
    ...outcomes.flatMap(({ codes }, index) =>
      codes.filter((code) => !EXPECTED.has(code) && !isOfItsWay(code, remains.rescues[index])),
    ),
    ...failedRuns(remains),
    ...doubledDeeds(remains),
    ...doubledApprovals(events),
    ...undosOfNothing(remains),
    ...untrueResponses(remains),
    ...misansweredCalls(events),
    ...lostApprovals(remains),
    ...lostAnswers(remains),
    ...lostMessages(remains),
  ];
}

/** Only a run that was cancelled may fail, and an undo that another process has begun, whose outcome nobody knows. */
function failedRuns({ events, rescues, outcomes }: Remains): string[] {
  const undos = new Set<string | undefined>(Object.values(UNDOS));
  if (events.some(({ functionCalls }) => functionCalls.some(({ name }) => undos.has(name)))) return [];
  return rescues
    .filter(
      ({ way }, index) => !way.startsWith('cancelled') && outcomes[index]?.said.includes('failed') === true,
    )
    .map(({ way, at }) => `${way} at ${String(at)} ms failed`);
}

/** The errors that a process may get by what it was sent to do. */
function isOfItsWay(code: string, rescue: Rescue | undefined): boolean {
  // A run that was cancelled before it had the session has no event that says so.
  if (code === 'CANCELLED') return rescue?.way.startsWith('cancelled') === true;
  const approver = rescue?.request && approverOf(rescue.request, rescue.turn);
  // Who has only the other role is refused until the request is escalated, and who approves a second time.
  if (code === 'APPROVER_NOT_ALLOWED')
    return (
      approver?.roles.includes('director') === true || peopleNeededFor(rescue?.request?.approvers ?? []) > 1
    );
  return rescue?.way === 'undo' && (code === 'INVOCATION_ACTIVE' || code === 'INVOCATION_NOT_FOUND');
}

/** A call that several people approve has run by the word of as many different ones as its tool asks for. */
function doubledApprovals(events: readonly Event[]): string[] {
  const needed = new Map<string, number>();
  const people = new Map<string, Set<string>>();
  return events.flatMap((event) => {
    for (const { id, approvers = [] } of event.pending) needed.set(id, peopleNeededFor(approvers));
    if (event.author !== 'user') return [];
    return event.functionResponses.flatMap(({ id = '', name, response, willContinue }) => {
      if (name !== REQUEST) return [];
      const approved = people.get(id) ?? new Set<string>();
      people.set(id, approved.add(principalIn(response)?.principal.id ?? ''));
      const wanted = needed.get(id) ?? 1;
      const isEnough = approved.size >= wanted;
      if (isEnough === (willContinue !== true)) return [];
      return [`${String(approved.size)} people have approved ${id}, which needs ${String(wanted)}`];
    });
  });
}

/** What was undone had happened. */
function undosOfNothing({ deeds }: Remains): string[] {
  const happened = (name: string, kind: Deed['kind']) =>
    deeds.some((deed) => deed.tool === name && deed.kind === kind);
  return Object.entries(UNDOS)
    .filter(([tool, undo]) => happened(undo, 'began') && !happened(tool, 'effect'))
    .map(([tool]) => `${tool} was undone, and had not happened`);
}

/** A tool that is neither idempotent nor a read runs once for a call, and no model of a tree asks for it again. */
function doubledDeeds({ deeds }: Remains): string[] {
  const found = deeds.filter(({ kind, tool }) => kind === 'effect' && FINDABLE.has(tool));
  const effects = repeated(found.map(({ tool }) => tool)).map((tool) => `${tool} had two effects`);
  return [...effects, ...doubledBegins(deeds)];
}

function doubledBegins(deeds: readonly Deed[]): string[] {
  const began = deeds.filter(
    ({ kind, tool }) => kind === 'began' && !REPEATABLE.has(tool) && !FINDABLE.has(tool),
  );
  return repeated(began.map(({ tool }) => tool)).map((tool) => {
    const keys = new Set(began.filter((deed) => deed.tool === tool).map(({ key }) => key));
    return `${tool} began twice, under ${keys.size === 1 ? 'one key' : 'two keys'}`;
  });
}

/** Each call of a tool gets one final response, before another call has its id. */
function misansweredCalls(events: readonly Event[]): string[] {
  const open = new Map<string, string>();
  const faults: string[] = [];
  for (const { functionCalls, functionResponses } of events) {
    for (const { id = '', name = '' } of functionCalls.filter((call) => call.name !== REQUEST)) {
      if (open.has(id)) faults.push(`two open calls have the id ${id}`);
      open.set(id, name);
    }
    for (const { id = '', name = '', willContinue } of functionResponses) {
      if (name === REQUEST || willContinue === true) continue;
      if (open.get(id) !== name) faults.push(`${name} ${id} has a second final response`);
      open.delete(id);
    }
  }
  return [...faults, ...[...open].map(([id, name]) => `${name} ${id} has no final response`)];
}

/** The model is told that a tool is done only if it is, and of one that began, that it is done or may be. */
function untrueResponses({ events, deeds }: Remains): string[] {
  const tools = new Set(deeds.map(({ tool }) => tool));
  const responses = events
    .flatMap(({ functionResponses }) => functionResponses)
    .filter(({ name = '', willContinue }) => tools.has(name) && willContinue !== true);
  return responses
    .filter(({ name, response }) => {
      const isDone = deeds.some(({ kind, tool }) => tool === name && kind === 'effect');
      if (response?.['outcome'] === 'unknown') return false;
      return response?.['result'] !== DONE || !isDone;
    })
    .map(({ name, response }) => `${String(name)} began, and the model was told ${JSON.stringify(response)}`);
}

/** A stored approval has let its tool begin, or the model was told that the outcome is unknown. */
function lostApprovals({ events, deeds }: Remains): string[] {
  const tools = new Map(
    events
      .flatMap(({ functionCalls }) => functionCalls)
      .filter(({ name }) => name === REQUEST)
      .map(({ id, args }) => [id, (args?.['originalFunctionCall'] as { name?: string } | undefined)?.name]),
  );
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  const approved = responses.filter(({ name }) => name === REQUEST).map(({ id }) => tools.get(id) ?? '?');
  const lost = approved.filter((tool) => {
    if (deeds.some((deed) => deed.tool === tool)) return false;
    return !responses.some(({ name, response }) => name === tool && response?.['outcome'] === 'unknown');
  });
  return lost.map((tool) => `the approval of ${tool} had no effect, and no model was told of it`);
}

/** An accepted answer is in the log, once, and no second one was accepted. */
function lostAnswers({ events, rescues, outcomes }: Remains): string[] {
  const accepted = rescues.flatMap(({ request }, index) =>
    request && outcomes[index]?.codes.length === 0 ? [request] : [],
  );
  const responses = events
    .filter(({ author }) => author === 'user')
    .flatMap(({ functionResponses }) => functionResponses);
  const stored = responses.map(({ id = '' }) => id);
  const final = responses.filter(({ willContinue }) => willContinue !== true).map(({ id = '' }) => id);
  const ofOne = accepted.filter(({ approvers = [] }) => peopleNeededFor(approvers) === 1).map(({ id }) => id);
  return [
    ...repeated(ofOne).map((id) => `two answers to ${id} were accepted`),
    ...repeated(final).map((id) => `two answers to ${id} are in the log`),
    ...accepted
      .filter(({ id }) => !stored.includes(id))
      .map(({ id }) => `the accepted answer to ${id} is lost`),
  ];
}

/** A message whose run has ended is in the log; a run that was cancelled while it waited has left none. */
function lostMessages({ events, rescues, outcomes }: Remains): string[] {
  const texts = events.filter(({ author }) => author === 'user').map(({ text }) => text);
  return rescues.flatMap(({ way, message }, index) => {
    const count = texts.filter((text) => text === message).length;
    const isAccepted = way === 'message' && outcomes[index]?.codes.length === 0;
    if (count <= 1 && (count === 1 || !isAccepted)) return [];
    return [`the message "${message}" is in the log ${String(count)} times`];
  });
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
