import {
  callsLive,
  callsTool,
  drops,
  type LiveStep,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  streams,
  untilResponse,
  untilText,
} from '@adorn/testing';
import { existsSync, readFileSync } from 'node:fs';

import { toolPolicies } from '@adorn/policies';

import { agent, type Event, LlmAgent, type Message, type Plugin, type Runner } from '@adorn/core';
import { createRunner, isTurnEnd, KEY, settled } from './live.fixture.js';
import { type MatrixRow, recordMatrix } from './record-matrix.fixture.js';

/** The ways in which a conversation is held. */
export const MODES = ['text', 'live', 'live after a reconnection', 'text after live'] as const;
export type Mode = (typeof MODES)[number];

/** What came of a message. */
export interface World {
  /** What the model that answered was told, and was offered. */
  readonly read: string;
  readonly offered: string;
  readonly events: readonly Event[];
  readonly state: Readonly<Record<string, unknown>>;
  /** What callbacks have noted. */
  readonly notes: ReadonlySet<string>;
  readonly artifacts: readonly string[];
  readonly waiting: number;
}

/** A small program for one feature, and where its effect is seen. */
export interface Program {
  readonly options?: object;
  readonly plugins?: () => readonly Plugin[];
  readonly Agent?: (note: (what: string) => void) => new () => LlmAgent;
  readonly plugin?: (note: (what: string) => void) => Plugin;
  readonly message?: Message;
  readonly calls?: readonly [name: string, args?: Record<string, unknown>];
  /** How often the model makes the call, one after another. Default: 1. */
  readonly times?: number;
  readonly answer?: string;
  readonly fails?: boolean;
  /** True if the tool waits for a timer before it responds. */
  readonly isTimed?: boolean;
  readonly isSeen: (world: World) => boolean;
}

export type Row =
  | (Program & { readonly kind: 'same' })
  /** A live session refuses it, with this code. */
  | (Program & { readonly kind: 'refused'; readonly code: string })
  /** Another effect, or none: the page of the documentation and the words in it. */
  | { readonly kind: 'different'; readonly page: string; readonly words: string };

export const same = (program: Program): Row => ({ kind: 'same', ...program });
export const different = (words: string, page = 'live.md'): Row => ({ kind: 'different', page, words });
export const reads =
  (text: string, isThere = true) =>
  ({ read }: World): boolean =>
    read.includes(text) === isThere;
export const offers =
  (text: string, isThere = true) =>
  ({ offered }: World): boolean =>
    offered.includes(text) === isThere;
export const ends =
  (code: string) =>
  ({ events }: World): boolean =>
    events.some(({ errorCode }) => errorCode === code);

/** One table of features: its name, the features that exist, and the rows that a spec has for them. */
export type FeatureTable = readonly [string, readonly string[], Readonly<Record<string, Row | undefined>>];

/** Declares the specs of tables: each feature has a row, each difference is on its page, and each row is played. */
export function describeMatrix(
  tables: readonly FeatureTable[],
  isPlayed = (_table: string): boolean => true,
): void {
  it.each(tables)(
    'each has a cell for text, live, live after a reconnection, and text after live: %s',
    (_table, names, rows) => {
      expect(Object.keys(rows).toSorted()).toEqual([...new Set(names)].toSorted());
    },
  );

  it('differs only where a page says so', () => {
    for (const [, , rows] of tables)
      for (const row of Object.values(rows)) {
        if (row?.kind !== 'different') continue;
        const page = new URL(`../../../docs/${row.page}`, import.meta.url);
        expect(existsSync(page)).toBe(true);
        expect(readFileSync(page, 'utf8')).toContain(row.words);
      }
  });

  it('has as many cells as it says', () => {
    const rows = tables.flatMap(([, , of]) => Object.values(of));
    const count = (kind: Row['kind']): number =>
      rows.filter((row) => row?.kind === kind).length * MODES.length;
    const counts = `${String(count('same'))} same, ${String(count('refused'))} refused, ${String(count('different'))} documented`;
    process.stdout.write(`text and live: ${String(rows.length * MODES.length)} cells (${counts})\n`);
    recordMatrix(rowsOf(tables, isPlayed));
    expect(rows.length).toBeGreaterThan(0);
  });

  const played = tables
    .filter(([table]) => isPlayed(table))
    .flatMap(([, , rows]) =>
      Object.entries(rows).flatMap(([name, row]) =>
        row && row.kind !== 'different' ? [[name, row] as const] : [],
      ),
    );

  describe.each(played)('%s', (_name, row) => {
    it.each(MODES)('%s', async (mode) => {
      const world = await play(row, mode);
      if (row.kind === 'refused' && mode !== 'text')
        expect(world.events.map(({ errorCode }) => errorCode)).toContain(row.code);
      else expect(row.isSeen(world)).toBe(true);
    });
  });
}

/** The rows of tables. One of a table that is not played is played as the same row of another table. */
function rowsOf(tables: readonly FeatureTable[], isPlayed: (table: string) => boolean): MatrixRow[] {
  const played = new Map(
    tables
      .filter(([table]) => isPlayed(table))
      .flatMap(([, , of]) => Object.entries(of).map(([name, row]) => [row, name])),
  );
  return tables.flatMap(([table, , of]) =>
    Object.entries(of).flatMap(([feature, row]): MatrixRow[] => {
      if (!row) return [];
      const title = isPlayed(table) ? feature : (played.get(row) ?? feature);
      const described = { table, feature, title, kind: row.kind };
      if (row.kind === 'refused') return [{ ...described, code: row.code }];
      return [row.kind === 'different' ? { ...described, page: `docs/${row.page}` } : described];
    }),
  );
}

/** Has a conversation in one of the ways, and returns what came of it. */
export async function play(program: Program, mode: Mode): Promise<World> {
  const notes = new Set<string>();
  const note = (what: string): void => void notes.add(what);
  const text = new ScriptedModel(streams('Before.'), ...textSteps(program));
  const live = new ScriptedLive(...liveSteps(program, mode));
  class Clerk extends LlmAgent {}
  agent({ name: 'clerk', ...program.options })(Clerk);
  const plugins = [...(program.plugins?.() ?? []), ...(program.plugin ? [program.plugin(note)] : [])];
  const runner: Runner<unknown> = await createRunner(Clerk, {
    model: text,
    plugins,
    modules: [toolPolicies],
    config: { streaming: 'sse' },
  });
  const session = { appName: runner.appName, ...KEY };
  await prepare(runner);
  if (mode !== 'text after live') notes.forEach((one) => one !== 'onRegister' && notes.delete(one));
  if (mode !== 'text') await talk(runner, live, program, mode);
  const { message = 'Hello.' } = program;
  if (mode === 'text after live') {
    notes.forEach((one) => one !== 'onRegister' && notes.delete(one));
    text.requests.splice(0);
  }
  if (mode === 'text' || mode === 'text after live')
    await runner.run({ ...KEY, message }).catch(() => undefined);
  const request = text.requests.at(-1);
  const connection = live.connections.at(-1);
  const isText = mode === 'text' || mode === 'text after live';
  const stored = await runner.sessions.getSession(session);
  const world: World = {
    read: JSON.stringify(
      isText ? [request?.contents, request?.config] : [connection?.setup, connection?.sent],
    ),
    offered: JSON.stringify(isText ? request?.config : connection?.setup),
    events: stored?.events ?? [],
    state: stored?.state ?? {},
    notes,
    artifacts: await runner.artifacts.list(session),
    waiting: (await runner.pending(KEY)).length,
  };
  await runner.close();
  return world;
}

/** A conversation that has gone on before, a memory and a file. */
async function prepare(runner: Runner<unknown>): Promise<void> {
  const session = { appName: runner.appName, ...KEY };
  await runner.sessions.createSession(session);
  await runner.memory.addMemory({ appName: runner.appName, userId: KEY.userId }, [
    { content: { role: 'user', parts: [{ text: 'The harbour is closed on Monday.' }] } },
  ]);
  await runner.artifacts.save(session, 'notice.txt', { text: 'THE_NOTICE' });
  await runner.run({ ...KEY, message: 'EARLIER' });
}

async function talk(
  runner: Runner<unknown>,
  model: ScriptedLive,
  program: Program,
  mode: Mode,
): Promise<void> {
  const { message = 'Hello.' } = program;
  const live = runner.live({ ...KEY, model });
  const reading = (async () => {
    for await (const event of live) if (isTurnEnd(event) || event.errorCode !== undefined) continue;
  })().catch(() => undefined);
  if (mode === 'live after a reconnection') {
    live.sendText('First.');
    await untilConnected(model, 2, live);
  }
  live.sendText(message);
  if (program.isTimed) await untilResponded(model);
  await settled(60);
  await live.close();
  await reading;
}

async function untilResponded(model: ScriptedLive): Promise<void> {
  for (let tick = 0; tick < 5_000 && !model.connections.at(-1)?.responses.length; tick++) await settled(1);
}

async function untilConnected(
  model: ScriptedLive,
  count: number,
  live: ReturnType<Runner['live']>,
): Promise<void> {
  const over = { is: false };
  const end = (): void => {
    over.is = true;
  };
  live.ended.then(end, end);
  for (let tick = 0; tick < 500 && model.connections.length < count && !over.is; tick++) await settled(1);
}

function textSteps({ calls, times = 1, answer = 'Good.', fails = false }: Program): ScriptedStep[] {
  const last: ScriptedStep = fails
    ? () => {
        throw new Error('down');
      }
    : streams(answer);
  return [...(calls ? Array.from({ length: times }, () => callsTool(...calls)) : []), last];
}

function liveSteps({ calls, times = 1, answer = 'Good.', fails = false }: Program, mode: Mode): LiveStep[] {
  const before = mode === 'live after a reconnection' ? [untilText(), ...speaks('One.'), drops()] : [];
  const handsOn = calls?.[0] === 'transfer_to_agent';
  const ids = Array.from({ length: calls ? times : 0 }, (_, at) => `c${String(at + 1)}`);
  const call = ids.flatMap((id) => [
    callsLive(calls?.[0] ?? '', calls?.[1] ?? {}, id),
    handsOn ? untilText() : untilResponse(id),
  ]);
  const failure: LiveStep = { kind: 'error', code: 'MODEL_FAILED', message: 'down', fatal: false };
  return [...before, untilText(), ...call, ...(fails ? [failure] : speaks(answer))];
}
