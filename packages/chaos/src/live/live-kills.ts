import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Event } from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';
import { liveWire, startGeminiLiveEmulator } from '@adorn/testing';

import { Child } from '../child-process.js';
import { DeedLog } from '../processes/deed-log.js';
import { seededRandom } from '../seeded-random.js';
import { faultsOfCalls } from './live-conversation.js';
import type { LiveWork } from './live-kill.child.js';
import { ADDRESS, APP } from './live-life.js';

/** The processes of a conversation; all but the last are killed. */
const LIVES = 4;
const MESSAGES = 6;
/** The longest life of a process after its first message, in milliseconds. */
const LIFE_MS = 250;

type LiveStep = ReturnType<typeof liveWire.hearsText>;

/** What has happened in the rounds so far: a round in which nothing happens shows nothing. */
export interface KilledSoFar {
  kills: number;
  drops: number;
  calls: number;
}

/**
 * A conversation with Gemini's wire over real sockets and SQLite, whose processes are killed and whose connections are torn
 * down while a tool charges a card.
 *
 * @returns what is wrong with it
 */
export async function holdThroughKills(seed: number, soFar: KilledSoFar): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-live-'));
  try {
    return await faultOf(seed, folder, soFar);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function faultOf(seed: number, folder: string, soFar: KilledSoFar): Promise<string | undefined> {
  const random = seededRandom(seed);
  const url = join(folder, 'sessions.db');
  const deeds = new DeedLog(join(folder, 'deeds'));
  let calls = 0;
  const emulator = await startGeminiLiveEmulator(() =>
    stepsOf(random, {
      nextId: () => `c${String(calls++)}`,
      drops: () => soFar.drops++,
    }),
  );
  try {
    for (let life = 0; life < LIVES; life++) {
      const work = {
        url,
        model: emulator.url,
        deeds: deeds.file,
        from: life * MESSAGES,
        to: (life + 1) * MESSAGES,
      };
      const fault = life < LIVES - 1 ? await liveAndDie(work, random, soFar) : await liveToTheEnd(work);
      if (fault !== undefined) return `process ${String(life + 1)} ${fault}`;
    }
    soFar.calls += deeds.all().filter(({ kind }) => kind === 'effect').length;
    return (await faultsOfLog(url, deeds))[0];
  } finally {
    // A connection that was cut leaves steps of its script.
    await emulator.close().catch(() => undefined);
  }
}

async function liveAndDie(
  work: LiveWork,
  random: () => number,
  soFar: KilledSoFar,
): Promise<string | undefined> {
  const child = new Child('./live-kill.child.js', import.meta.url, [JSON.stringify(work)]);
  await child.untilLines(1);
  await sleep(random() * LIFE_MS);
  const fault = await child.kill();
  if (fault === undefined) soFar.kills++;
  // It may have come to its end before.
  return (await child.ended) === 0 ? undefined : fault;
}

function liveToTheEnd(work: LiveWork): Promise<string | undefined> {
  return new Child('./live-kill.child.js', import.meta.url, [JSON.stringify(work)]).fault();
}

/** One connection to a model that answers, calls its tool, offers a handle, or is torn down. */
async function* stepsOf(
  random: () => number,
  { nextId, drops }: { readonly nextId: () => string; readonly drops: () => void },
): AsyncGenerator<LiveStep> {
  const { hearsText, hearsResults, calls, speaks, endsTurn, offersHandle } = liveWire;
  for (let handle = 0; ; handle++) {
    yield hearsText();
    if (random() < 0.3) yield offersHandle(`h${String(handle)}`);
    if (random() < 0.6) {
      const id = nextId();
      yield calls({ id, name: 'charge', args: { key: id } });
      if (random() < 0.3) {
        yield* dropped(drops);
        return;
      }
      yield hearsResults(id);
    }
    if (random() < 0.1) {
      yield* dropped(drops);
      return;
    }
    yield speaks([new Uint8Array(960)], 'It is done.');
    yield endsTurn();
  }
}

async function* dropped(drops: () => void): AsyncGenerator<LiveStep> {
  drops();
  yield liveWire.drops();
}

async function faultsOfLog(url: string, deeds: DeedLog): Promise<string[]> {
  const database = new Database(url);
  const session = await new SqlSessionService(database).getSession({ appName: APP, ...ADDRESS });
  await database.close();
  const events = session?.events ?? [];
  const faults = [...faultsOfCalls(events), ...faultsOfMessages(events), ...faultsOfDeeds(events, deeds)];
  if (session?.lastRun?.status !== 'ended')
    faults.push(`the last run is ${String(session?.lastRun?.status)}`);
  return faults;
}

/** Each message is stored at most once, in order, and all of the last process are. */
function faultsOfMessages(events: readonly Event[]): string[] {
  const numbers = events
    .filter(({ author, text }) => author === 'user' && text.startsWith('message '))
    .map(({ text }) => Number(text.slice('message '.length)));
  const isOrdered = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
  const last = numbers.filter((number) => number >= (LIVES - 1) * MESSAGES);
  return [
    ...(isOrdered ? [] : [`the messages are stored as ${numbers.join(' ')}`]),
    ...(last.length === MESSAGES ? [] : [`${String(last.length)} messages of the last process are stored`]),
  ];
}

/** No card is charged twice, and none by a call that is not stored. */
function faultsOfDeeds(events: readonly Event[], deeds: DeedLog): string[] {
  const charged = deeds
    .all()
    .filter(({ kind }) => kind === 'effect')
    .map(({ key }) => key);
  const stored = events.flatMap(({ functionCalls }) => functionCalls.map(({ args }) => args?.['key']));
  return [...new Set(charged)].flatMap((key) => [
    ...(charged.filter((one) => one === key).length > 1 ? [`${key} was charged twice`] : []),
    ...(stored.includes(key) ? [] : [`${key} was charged, and its call is not stored`]),
  ]);
}
