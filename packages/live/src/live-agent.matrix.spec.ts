import { readFileSync } from 'node:fs';

import { agent, FunctionTool, Model, type ModelResponse } from '@adorn/core';
import {
  callsLive,
  callsTool,
  drops,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { KEY, WRITE } from './conversation.fixture.js';
import { createRunner } from './session/live.fixture.js';
import { recordMatrix } from './session/record-matrix.fixture.js';
import { EXTRACT_OPTIONS, PHASE_OPTIONS, REPAIR_OPTIONS, WATCH_OPTIONS } from './declaration-options.js';
import {
  computed,
  extract,
  type ExtractOptions,
  LiveAgent,
  phase,
  type PhaseOptions,
  watch,
} from './index.js';
import { PROPERTIES } from './live.agent.js';
import * as predicates from './watch-predicates.js';

/** The ways in which a conversation is held. */
const MODES = ['text', 'live', 'live after a reconnection', 'text after live'] as const;
type Mode = (typeof MODES)[number];

interface World {
  /** The instructions that the models were given, oldest first, and what they were told beside them. */
  readonly instructions: readonly string[];
  readonly events: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** The methods and hooks that were called. */
  readonly notes: ReadonlySet<string>;
}

type Calls = readonly (readonly [name: string, args: Record<string, unknown>])[];

/** A conversation of two turns: in the first one, the model calls tools. */
interface Program {
  readonly first?: PhaseOptions;
  readonly second?: PhaseOptions;
  readonly declare?: (prototype: object) => void;
  readonly properties?: object;
  readonly calls?: Calls;
  /** Those of the second turn. */
  readonly later?: Calls;
  readonly isSeen: (world: World) => boolean;
}

type Row = ({ readonly kind: 'same' } & Program) | { readonly kind: 'different'; readonly words: string };

const same = (program: Program): Row => ({ kind: 'same', ...program });
const different = (words: string): Row => ({ kind: 'different', words });

const isIn =
  (name: string) =>
  ({ state }: World): boolean =>
    state['phase'] === name;
const reads =
  (text: string) =>
  ({ instructions }: World): boolean =>
    instructions.some((one) => one.includes(text));
const notes =
  (what: string) =>
  ({ notes: noted }: World): boolean =>
    noted.has(what);

let noted = new Set<string>();
const note = (what: string) => (): void => void noted.add(what);

const PHASE_ROWS: Readonly<Record<string, Row>> = {
  first: same({ isSeen: ({ instructions }) => instructions[0]?.includes('FIRST') === true }),
  last: same({ second: { last: true }, isSeen: isIn('second') }),
  from: same({ second: { from: ['first'] }, isSeen: isIn('second') }),
  when: same({ second: { when: ({ step }) => step === 'on' }, isSeen: reads('SECOND') }),
  tools: same({
    first: { tools: ['write'] },
    calls: [['look', {}]],
    isSeen: ({ events }) => events.includes('not available in the current conversation phase'),
  }),
  needs: same({ first: { needs: ['name'] }, isSeen: reads('Still to be found out: name.') }),
  context: same({ second: { context: ['step'] }, isSeen: reads('[Context: step=on]') }),
  enter: same({ second: { enter: note('enter') }, isSeen: notes('enter') }),
  exit: same({ first: { exit: note('exit') }, isSeen: notes('exit') }),
};

/** A watcher that is declared with these arguments. */
const watches = (
  decorate: (prototype: object, method: string) => void,
  program: Partial<Program> = {},
): Row =>
  same({
    isSeen: notes('watched'),
    ...program,
    declare: (prototype) => {
      decorate(prototype, 'watched');
    },
  });
const writes = (...values: readonly unknown[]): Pick<Program, 'calls'> => ({
  calls: values.map((value) => ['write', { key: 'step', value }]),
});

const WATCH_ROWS: Readonly<Record<string, Row>> = {
  cooldown: watches(watch('step', { cooldown: '1m' })),
};

const PREDICATE_ROWS: Readonly<Record<string, Row>> = {
  changed: watches(watch('step', predicates.changed())),
  changedTo: watches(watch('step', predicates.changedTo('on'))),
  changedFrom: watches(watch('step', predicates.changedFrom(undefined))),
  crossedAbove: watches(watch('step', predicates.crossedAbove(0)), writes(1)),
  crossedBelow: watches(watch('share', predicates.crossedBelow(1)), {
    calls: [['write', { key: 'share', value: 0 }]],
    properties: { start: { share: 2 } },
  }),
  becameTrue: watches(watch('step', predicates.becameTrue()), writes(true)),
  becameFalse: watches(watch('share', predicates.becameFalse()), {
    calls: [['write', { key: 'share', value: true }]],
    later: [['write', { key: 'share', value: false }]],
  }),
  sustained: watches(watch(predicates.sustained(({ step }) => step === 'on', 0))),
  turns: watches(watch(predicates.turns(({ step }) => step === 'on', 1))),
  rate: watches(watch(predicates.rate(({ author }) => author === 'desk', 1, '1m'))),
  failures: watches(watch(predicates.failures('broken', 1)), { calls: [['broken', {}]] }),
};

/** A model that has found out the mood. */
class Reader extends Model {
  readonly name = 'reader';

  constructor(private readonly answer: string) {
    super();
  }

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    yield await Promise.resolve({ content: { role: 'model', parts: [{ text: this.answer }] } });
  }
}

const MOOD = { type: 'object', properties: { mood: { type: 'number' } } };

const extracts = (options: Partial<ExtractOptions> = {}, isSeen = moodIs(1), properties: object = {}): Row =>
  same({
    declare: (prototype) => {
      extract({ schema: MOOD, model: new Reader('{"mood":1}'), ...options })(prototype, 'asked');
    },
    properties,
    isSeen,
  });

function moodIs(mood: number) {
  return ({ state }: World): boolean => state['mood'] === mood;
}

const EXTRACT_ROWS: Readonly<Record<string, Row>> = {
  schema: extracts(),
  model: extracts({ model: new Reader('{"mood":2}') }, moodIs(2)),
  turns: extracts({ turns: 1 }),
  every: extracts({ every: { tool: 'write' } }),
  timeout: extracts({ timeout: '5s' }),
};

const REPAIR_ROWS: Readonly<Record<string, Row>> = {
  nudge: same({
    first: { needs: ['name'] },
    second: { when: () => false },
    properties: { repair: { nudge: 1, escalate: 9 } },
    isSeen: reads('Ask for it now.'),
  }),
  escalate: same({
    first: { needs: ['name'] },
    second: { when: () => false },
    properties: { repair: { nudge: 9, escalate: 1 } },
    isSeen: ({ state }) => state['repair:escalation'] === true,
  }),
};

const PROPERTY_ROWS: Readonly<Record<string, Row>> = {
  greeting: different('`greeting`'),
  context: same({ properties: { context: ['step'] }, isSeen: reads('[Context: step=on]') }),
  steering: different('`steering`'),
};

const DECORATOR_ROWS: Readonly<Record<string, Row | undefined>> = {
  phase: PHASE_ROWS['first'],
  extract: EXTRACT_ROWS['schema'],
  watch: PREDICATE_ROWS['changed'],
  computed: same({
    declare: (prototype) => {
      computed('share')(prototype, 'half');
    },
    isSeen: ({ state }) => state['share'] === 0.5,
  }),
};

/** The decorators are those of `state`, and each is one of the package. */
const DECORATORS = { phase, extract, watch, computed };
const PREDICATES = Object.entries(predicates).flatMap(([name, value]) =>
  typeof value === 'function' && name !== 'millisecondsOf' ? [name] : [],
);

const TABLES: readonly (readonly [string, readonly string[], Readonly<Record<string, Row | undefined>>])[] = [
  ['decorators', Object.keys(DECORATORS), DECORATOR_ROWS],
  ['options of phases', Object.keys(PHASE_OPTIONS), PHASE_ROWS],
  ['options of watchers', Object.keys(WATCH_OPTIONS), WATCH_ROWS],
  ['patterns', PREDICATES, PREDICATE_ROWS],
  ['options of extractors', Object.keys(EXTRACT_OPTIONS), EXTRACT_ROWS],
  ['repair', Object.keys(REPAIR_OPTIONS), REPAIR_ROWS],
  ['properties', Object.keys(PROPERTIES), PROPERTY_ROWS],
];

describe('every feature of a live agent', () => {
  it.each(TABLES)(
    'has a cell for text, live, live after a reconnection, and text after live: %s',
    (_table, names, rows) => {
      expect(Object.keys(rows).toSorted()).toEqual(names.toSorted());
    },
  );

  it('differs only where the README says so', () => {
    const readme = readFileSync('packages/live/README.md', 'utf8');
    const differences = TABLES.flatMap(([, , rows]) =>
      Object.values(rows).flatMap((row) => (row?.kind === 'different' ? [row.words] : [])),
    );
    expect(differences.filter((words) => !readme.includes(words))).toEqual([]);
  });

  it('has as many cells as it says', () => {
    const rows = TABLES.flatMap(([, , of]) => Object.values(of));
    const count = (kind: Row['kind']): string =>
      String(rows.filter((row) => row?.kind === kind).length * MODES.length);
    process.stdout.write(
      `live agents: ${String(rows.length * MODES.length)} cells (${count('same')} same, ${count('different')} documented)\n`,
    );
    recordMatrix(
      TABLES.flatMap(([table, , of]) =>
        Object.entries(of).flatMap(([feature, row]) => {
          const title = titleOf(table, feature);
          const page = row?.kind === 'different' ? { page: 'live/README.md' } : {};
          return row ? [{ table, feature, title, kind: row.kind, ...page }] : [];
        }),
      ),
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});

const PLAYED = TABLES.flatMap(([table, , rows]) =>
  Object.entries(rows).flatMap(([name, row]) =>
    row?.kind === 'same' ? [[titleOf(table, name), row] as const] : [],
  ),
);

describe.each(PLAYED)('%s', (_name, row) => {
  it.each(MODES)('%s', async (mode) => {
    expect(row.isSeen(await play(row, mode))).toBe(true);
  });
});

function titleOf(table: string, feature: string): string {
  return `${table}: ${feature}`;
}

async function play(program: Program, mode: Mode): Promise<World> {
  noted = new Set();
  const { calls = [['write', { key: 'step', value: 'on' }]], later = [], properties = {} } = program;
  const turn = (made: Calls) => [...made.map(([name, args]) => callsTool(name, args)), says('Good.')];
  const isText = mode === 'text';
  const text = new ScriptedModel(...(isText ? turn(calls) : []), ...turn(later));
  const live = new ScriptedLive(...liveSteps(calls, later, mode));
  const { start = {}, ...own } = properties as { readonly start?: Record<string, unknown> };
  const runner = await createRunner(deskOf({ ...program, properties: own }, text));
  const key = { appName: runner.appName, ...KEY };
  await runner.sessions.createSession(key, { phase: 'first', ...start });
  if (isText) {
    await runner.run({ ...KEY, message: 'First.' });
    await runner.run({ ...KEY, message: 'Second.' });
  } else await talk(runner, live, mode);
  if (mode === 'text after live') await runner.run({ ...KEY, message: 'Second.' });
  const session = await runner.sessions.getSession(key);
  await runner.close();
  return {
    instructions: [
      ...live.connections.flatMap(({ setup, contexts }) => [setup.instruction, ...contexts]),
      ...text.requests.map(({ config }) => config.systemInstruction as string),
    ],
    events: JSON.stringify(session?.events),
    state: session?.state ?? {},
    notes: noted,
  };
}

function deskOf({ first, second, declare, properties = {} }: Program, model: Model): new () => LiveAgent {
  class Desk extends LiveAgent {
    constructor() {
      super();
      Object.assign(this, properties);
    }
    first(): string {
      return 'FIRST';
    }
    second(): string {
      return 'SECOND';
    }
    watched(): void {
      noted.add('watched');
    }
    asked(): string {
      return 'How do they feel?';
    }
    half(): number {
      return 0.5;
    }
  }
  phase({ first: true, ...first })(Desk.prototype, 'first');
  phase({ from: 'first', when: ({ step }) => step === 'on', ...second })(Desk.prototype, 'second');
  declare?.(Desk.prototype);
  agent({ name: 'desk', model, tools: [WRITE, LOOK, BROKEN] })(Desk);
  return Desk;
}

const LOOK = new FunctionTool({
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object' },
  run: () => 1,
});
const BROKEN = new FunctionTool({
  name: 'broken',
  description: 'Breaks.',
  parameters: { type: 'object' },
  run: () => {
    throw new Error('broken');
  },
});

function liveSteps(calls: Calls, later: Calls, mode: Mode): LiveStep[] {
  const before = mode === 'live after a reconnection' ? [untilText(), speaks('One.'), drops()] : [];
  const turn = (made: Calls, prefix: string): LiveStep[] => [
    untilText(),
    ...made.flatMap(([name, args], at) => {
      const id = `${prefix}${String(at)}`;
      return [callsLive(name, args, id), untilResponse(id)];
    }),
    speaks('Good.'),
  ];
  return [...before, ...turn(calls, 'a'), ...turn(later, 'b')];
}

async function talk(
  runner: Awaited<ReturnType<typeof createRunner>>,
  model: ScriptedLive,
  mode: Mode,
): Promise<void> {
  const live = runner.live({ ...KEY, model });
  const turnEnd = async (): Promise<void> => {
    for await (const { author, turnComplete, partial } of live)
      if (author === 'desk' && turnComplete && !partial) return;
  };
  const say = async (text: string): Promise<void> => {
    live.sendText(text);
    await turnEnd();
  };
  if (mode === 'live after a reconnection') {
    await say('Before.');
    for await (const { live: notice } of live) if (notice?.kind === 'connected') break;
  }
  await say('First.');
  if (mode !== 'text after live') await say('Second.');
  // The end of the turn is handled behind its event, and a condition that has held for a millisecond behind that.
  await new Promise((resolve) => setTimeout(resolve, 10));
  await live.close();
}
