import type { CassetteReplay, ReplayDifference } from '@adorn/testing';

import { closeOnSignal } from '../application/close-on-signal.js';
import { defineCommand } from '../command/declaration.js';
import { FAILED } from '../command/exit-codes.js';
import { flag, type Parameter, required, UnreadableError } from '../command/parameter.js';
import { FILE, json } from '../command/shared-parameters.js';
import { counted } from '../terminal/counted.js';
import type { Line, Tone } from '../terminal/palette.js';
import { printable } from 'adorn/main';
import { printJson, printLines } from '../terminal/print.js';
import { WorkInProgress } from '../terminal/work-in-progress.js';
import { loadRunner } from './load-runner.js';

const IGNORE: Parameter<readonly RegExp[]> = {
  placeholder: '<pattern>',
  description: 'a regular expression of what changes from run to run; may be repeated',
  isList: true,
  fallback: [],
  read(text) {
    try {
      return new RegExp(text);
    } catch {
      throw new UnreadableError(String.raw`Pass a regular expression, such as \d{4}-\d\d-\d\d.`);
    }
  },
};

/** `adorn replay`: a recorded conversation, held again with the agents as they are now. */
export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'hold the conversation of a cassette again, and show where the agents ask models something else',
  arguments: {
    cassette: required('<cassette>', 'a file of adorn record, or of recorded(model, file)', {
      completes: 'files',
    }),
    file: FILE,
  },
  options: {
    tools: flag('run the tools, and compare what they return (default: they return what they did)'),
    ignore: IGNORE,
    json: json('print how it went as JSON'),
  },
  notes: `
No model is asked, and no key is needed. The messages of the user are sent in a conversation of its own; calls are approved and rejected as they were.`,
  exitCodes: { 1: 'a request to a model differs, is missing or is new, or a run fails' },
  examples: [
    'adorn replay refund.cassette.json',
    'adorn replay refund.cassette.json src/support.agent.ts --tools',
  ],
  async run({ cassette, file, tools, ignore, json: isJson }, { bin, output, errors }) {
    using working = new WorkInProgress(errors, !isJson);
    await using runner = await loadRunner(file, bin, { allowsRunner: true, working });
    using _closing = closeOnSignal(runner);
    working.on('Holding the conversation again');
    const { replayCassette } = await import('@adorn/testing');
    const replay = await replayCassette(runner, cassette, {
      runsTools: tools,
      ignore,
    });
    working.done();
    if (isJson) printJson(output, { cassette, same: !replay.difference, ...replay });
    else
      printLines(output, replay.difference ? differenceLines(replay, replay.difference) : [sameLine(replay)]);
    if (replay.difference) process.exitCode = FAILED;
  },
});

function sameLine({ messages, replayed }: CassetteReplay): Line {
  return {
    tone: 'result',
    text: `The same: ${counted(replayed, 'request')} for ${counted(messages, 'message')}.`,
  };
}

function differenceLines(
  { messages, exchanges, replayed }: CassetteReplay,
  { message, said, what, diff = '' }: ReplayDifference,
): Line[] {
  const quoted = said === '' ? 'an answer' : JSON.stringify(said);
  const lines = diff === '' ? [] : ['', ...diff.split('\n')];
  return [
    { tone: 'failure', text: `Not the same: ${what}` },
    {
      tone: 'note',
      text: printable(
        `Message ${String(message)} of ${String(messages)}, ${quoted}; ${String(replayed)} of ${counted(exchanges, 'request')} were the same.`,
      ),
    },
    ...lines.map((text) => ({ tone: toneOf(text), text: printable(text) })),
  ];
}

function toneOf(line: string): Tone {
  if (/^(?:---|\+\+\+|@@)/.test(line)) return 'title';
  if (line.startsWith('-')) return 'failure';
  return line.startsWith('+') ? 'result' : 'answer';
}
