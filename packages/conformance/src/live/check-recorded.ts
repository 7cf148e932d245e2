import { type LiveJson, liveWire } from '@adorn/testing';

import type { Check } from '../check.js';
import { findDifference, isObject } from '../find-difference.js';
import { recordedSummary, summaryOf } from './conversation-summary.js';
import type { RecordedConversation } from './recorded-conversation.js';
import { replayLive } from './replay-live.js';
import { saidIn } from './sent-messages.js';

/** What was found in one recorded conversation. */
export interface RecordedChecks {
  readonly setup: Check;
  readonly sent: Check;
  readonly events: Check;
  readonly end: Check;
}

/** Holds a recorded conversation, and compares it with what was recorded. */
export async function checkRecorded(conversation: RecordedConversation): Promise<RecordedChecks> {
  const { path, frames, setup } = conversation;
  try {
    const { events, server } = await replayLive(conversation, frames);
    const sent = server.heard.map(({ json }) => json);
    const end = { last: events.at(-1), code: server.closed?.code };
    return {
      setup: {
        what: path,
        fault: setupDifference(setup, (sent[0]?.['setup'] as LiveJson | undefined) ?? {}),
      },
      sent: {
        what: path,
        fault: findDifference(saidIn(messages(conversation, 'client').slice(1)), saidIn(sent.slice(1))),
      },
      events: {
        what: path,
        fault: findDifference(recordedSummary(messages(conversation, 'server')), summaryOf(events)),
      },
      end: {
        what: path,
        fault: findDifference({ last: { kind: 'closed', clean: true }, code: 1005 }, end),
      },
    };
  } catch (error) {
    const check = { what: path, fault: messageOf(error) };
    return { setup: check, sent: check, events: check, end: check };
  }
}

/** Holds a conversation up to each of its server's messages, and loses the connection there. */
export async function checkDrops(conversation: RecordedConversation): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [index, { from }] of conversation.frames.entries()) {
    if (from === 'server') checks.push(await checkDrop(conversation, index));
  }
  return checks;
}

async function checkDrop(conversation: RecordedConversation, index: number): Promise<Check> {
  const what = `${conversation.path}, dropped after message ${String(index)}`;
  const frames = conversation.frames.slice(0, index + 1);
  try {
    const { events } = await replayLive(conversation, frames, [liveWire.drops()]);
    const expected = recordedSummary(messages({ ...conversation, frames }, 'server'));
    const end = { kind: 'closed', clean: false };
    return {
      what,
      fault: findDifference({ ...expected, end }, { ...summaryOf(events), end: events.at(-1) }),
    };
  } catch (error) {
    return { what, fault: messageOf(error) };
  }
}

function messages({ frames }: RecordedConversation, side: 'client' | 'server'): LiveJson[] {
  return frames.filter(({ from }) => from === side).map(({ text }) => JSON.parse(text) as LiveJson);
}

/**
 * What of the recorded setup was not sent. The path before a model's name differs by account, and parameters are sent as
 * JSON Schema; what a session asks for beyond the recorded one, such as handles, is left out.
 */
function setupDifference(recorded: LiveJson, sent: LiveJson): string | undefined {
  return findDifference(comparable(recorded), onlyAs(comparable(recorded), comparable(sent)));
}

function comparable(setup: LiveJson): LiveJson {
  const tools = setup['tools'] as
    readonly { readonly functionDeclarations?: readonly LiveJson[] }[] | undefined;
  return {
    ...setup,
    model: String(setup['model']).replace(/^.*models\//, ''),
    ...(tools !== undefined && {
      tools: tools.map((tool) => ({
        ...tool,
        functionDeclarations: tool.functionDeclarations?.map(
          ({ parameters: _schema, parametersJsonSchema: _json, ...declaration }) => declaration,
        ),
      })),
    }),
  };
}

/** The part of a value that another one has too. */
function onlyAs(pattern: unknown, value: unknown): unknown {
  if (Array.isArray(pattern) && Array.isArray(value))
    return value.map((element, index) => onlyAs(pattern[index], element));
  if (!isObject(pattern) || !isObject(value)) return value;
  const fields = Object.keys(pattern).filter((key) => key in value);
  return Object.fromEntries(fields.map((key) => [key, onlyAs(pattern[key], value[key])]));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
