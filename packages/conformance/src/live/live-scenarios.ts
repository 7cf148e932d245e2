import type { LiveConnection, LiveEvent } from '@adorn/core/backend';
import { liveWire, type LiveWireStep } from '@adorn/testing';

/** A conversation that is played on the wire of each provider. */
export interface LiveScenario {
  readonly group: string;
  readonly name: string;
  readonly steps: readonly LiveWireStep[];
  readonly modality?: 'audio' | 'text';
  readonly activity?: 'automatic' | 'manual';
  /** What is sent first. */
  readonly begin: (connection: LiveConnection) => void;
  /** What is sent upon an event. */
  readonly react?: (connection: LiveConnection, event: LiveEvent) => void;
}

const {
  calls,
  closes,
  cuts,
  detectsVoice,
  drops,
  endsTurn,
  hearsAudio,
  hearsResults,
  hearsText,
  isInterrupted,
  late,
  sends,
  speaks,
  transcribes,
  writes,
} = liveWire;

const USAGE = { input: 12, output: 34 };
const PIECES = [Buffer.from([1, 2, 3, 4]), Buffer.from([5, 6])];

const says =
  (text: string) =>
  (connection: LiveConnection): void => {
    connection.sendContents([{ role: 'user', parts: [{ text }] }], true);
  };

const talks = (connection: LiveConnection): void => {
  for (let chunk = 0; chunk < 5; chunk += 1) connection.sendAudio(new Uint8Array(640).fill(chunk));
};

/** Answers each call with its arguments, each in a message of its own. */
const answers = (connection: LiveConnection, event: LiveEvent): void => {
  if (event.kind !== 'toolCall') return;
  for (const { id = '', name = '', args } of event.calls)
    connection.sendToolResponses([{ id, name, response: { output: args } }]);
};

export const LIVE_SCENARIOS: readonly LiveScenario[] = [
  {
    group: 'answers',
    name: 'text, answered by text',
    modality: 'text',
    begin: says('Hello?'),
    steps: [hearsText('Hello?'), writes('Good', ' day', '.'), endsTurn(USAGE), closes()],
  },
  {
    group: 'answers',
    name: 'text, answered by speech with its transcript',
    begin: says('Hello?'),
    steps: [hearsText('Hello?'), speaks(PIECES, 'Good', ' day.'), endsTurn(USAGE), closes()],
  },
  {
    group: 'answers',
    name: 'speech, answered by speech',
    begin: talks,
    steps: [
      hearsAudio(3200),
      detectsVoice('start'),
      detectsVoice('end'),
      transcribes('Hel', 'lo?'),
      speaks(PIECES, 'Good day.'),
      endsTurn(),
      closes(),
    ],
  },
  {
    group: 'answers',
    name: 'two turns',
    begin: says('One'),
    react: (connection, event) => {
      if (event.kind === 'usage') says('Two')(connection);
    },
    steps: [
      hearsText('One'),
      speaks(PIECES, 'First.'),
      endsTurn(USAGE),
      hearsText('Two'),
      speaks(PIECES, 'Second.'),
      endsTurn(),
      closes(),
    ],
  },
  {
    group: 'calls',
    name: 'one call',
    begin: says('What time?'),
    react: answers,
    steps: [
      hearsText(),
      calls({ name: 'now', args: { zone: 'UTC' }, id: 'call-1' }),
      hearsResults('call-1'),
      speaks(PIECES, 'Noon.'),
      endsTurn(USAGE),
      closes(),
    ],
  },
  {
    group: 'calls',
    name: 'two calls at once, answered one by one',
    begin: says('What time?'),
    react: answers,
    steps: [
      hearsText(),
      calls({ name: 'now', id: 'a' }, { name: 'now', args: { zone: 'CET' }, id: 'b' }),
      hearsResults('a', 'b'),
      speaks(PIECES, 'Noon.'),
      endsTurn(),
      closes(),
    ],
  },
  {
    group: 'calls',
    name: 'speech before a call, and another call after its result',
    begin: says('What time?'),
    react: answers,
    steps: [
      hearsText(),
      speaks(PIECES, 'One moment.'),
      calls({ name: 'now', id: 'a' }),
      hearsResults('a'),
      calls({ name: 'zone', id: 'b' }),
      hearsResults('b'),
      speaks(PIECES, 'Noon.'),
      endsTurn(),
      closes(),
    ],
  },
  {
    group: 'calls',
    name: 'two calls of one id',
    begin: says('What time?'),
    react: answers,
    steps: [
      hearsText(),
      calls({ name: 'now', id: 'a' }, { name: 'zone', id: 'a' }),
      hearsResults('a'),
      hearsResults('a'),
      speaks(PIECES, 'Noon.'),
      endsTurn(),
      closes(),
    ],
  },
  {
    group: 'interruptions',
    name: 'the user speaks while the model does',
    begin: talks,
    steps: [
      hearsAudio(3200),
      detectsVoice('start'),
      detectsVoice('end'),
      speaks(PIECES, 'Good'),
      detectsVoice('start'),
      isInterrupted(),
      detectsVoice('end'),
      closes(),
    ],
  },
  {
    group: 'ends',
    name: 'the connection is lost in the middle of an answer',
    begin: says('Hello?'),
    steps: [hearsText(), speaks(PIECES, 'Good'), drops()],
  },
  {
    group: 'ends',
    name: 'the connection is lost in the middle of a message',
    begin: says('Hello?'),
    steps: [hearsText(), speaks(PIECES, 'Good'), cuts(sends({ type: 'any' }))],
  },
  {
    group: 'ends',
    name: 'the server closes the connection because of a failure of its own',
    begin: says('Hello?'),
    steps: [hearsText(), closes(1011, 'Internal error')],
  },
  {
    group: 'ends',
    name: 'an answer that comes late',
    begin: says('Hello?'),
    modality: 'text',
    steps: [hearsText(), late(30, writes('Late.'), endsTurn()), liveWire.pauses(60), closes()],
  },
];
