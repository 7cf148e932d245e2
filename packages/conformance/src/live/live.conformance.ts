import { join } from 'node:path';

import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { Suite } from '../suite.js';
import { checkDrops, checkRecorded, type RecordedChecks } from './check-recorded.js';
import { LIVE_SCENARIOS } from './live-scenarios.js';
import { LIVE_PROVIDERS, type LiveProvider, playLiveScenario } from './play-live-scenario.js';
import { listConversations, onVertex, type RecordedConversation } from './recorded-conversation.js';
import { checkSession, isOfSession, type SessionChecks } from './session-replay.js';
import { checkSessionScenarios } from './session-scenarios.js';

const FOLDER = 'gemini-wire';

/** Recorded conversations with Gemini's Live API, also with a connection that is lost; the same conversation on each wire. */
export const liveConformance: Suite = {
  name: 'live',
  summary: "recorded conversations with Gemini's Live API; the same conversation on each provider's wire",
  takes: 'about 5 seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const before = openHandles();
    const conversations = await listConversations(join(fixtures, FOLDER));
    yield await timed('recorded conversations', () => checkConversations(conversations));
    yield await timed('the same, on Vertex AI', () => checkConversations(conversations.map(onVertex)));
    yield await timed('lost connections', () => checkLosses(conversations));
    yield await timed('by runner.live', () => checkSessions(conversations));
    for (const provider of LIVE_PROVIDERS) yield await timed(provider.name, () => checkProvider(provider));
    yield await timed('after all of them', () => checkHandles(before));
  },
};

const GROUPS = {
  setups: 'setup',
  'sent messages': 'sent',
  events: 'events',
  ends: 'end',
} as const satisfies Readonly<Record<string, keyof RecordedChecks>>;

async function checkConversations(conversations: readonly RecordedConversation[]): Promise<CheckGroup[]> {
  const checked: RecordedChecks[] = [];
  for (const conversation of conversations) checked.push(await checkRecorded(conversation));
  return Object.entries(GROUPS).map(([name, field]) => ({ name, checks: checked.map((one) => one[field]) }));
}

async function checkLosses(conversations: readonly RecordedConversation[]): Promise<CheckGroup[]> {
  const checks: Check[] = [];
  for (const conversation of conversations) checks.push(...(await checkDrops(conversation)));
  return [{ name: 'events up to the loss', checks }];
}

async function checkSessions(conversations: readonly RecordedConversation[]): Promise<CheckGroup[]> {
  const checked: SessionChecks[] = [];
  for (const conversation of conversations.filter(isOfSession))
    checked.push(await checkSession(conversation));
  return [
    { name: 'shown and stored', checks: checked.map(({ said }) => said) },
    { name: 'calls', checks: checked.map(({ calls }) => calls) },
  ];
}

async function checkProvider(provider: LiveProvider): Promise<CheckGroup[]> {
  const groups = new Map<string, Check[]>();
  for (const scenario of LIVE_SCENARIOS) {
    const checks = groups.get(scenario.group) ?? [];
    groups.set(scenario.group, checks);
    checks.push({ what: scenario.name, fault: await faultOf(provider, scenario) });
  }
  const sessions = { name: 'sessions', checks: await checkSessionScenarios(provider) };
  return [...groups].map(([name, checks]): CheckGroup => ({ name, checks })).concat(sessions);
}

async function faultOf(
  provider: LiveProvider,
  scenario: (typeof LIVE_SCENARIOS)[number],
): Promise<string | undefined> {
  const [first = provider] = LIVE_PROVIDERS;
  try {
    return findDifference(
      await playLiveScenario(first, scenario),
      await playLiveScenario(provider, scenario),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Sockets and servers that keep the process alive. */
function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length;
}

async function checkHandles(before: number): Promise<CheckGroup[]> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  const left = openHandles() - before;
  const fault = left > 0 ? `${String(left)} sockets or servers are left open` : undefined;
  return [{ name: 'open handles', checks: [{ what: 'sockets and servers', fault }] }];
}
