import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';

import type { LiveRunInput } from '@adorn/core/backend';
import type { TextLive } from '@adorn/testing';

import { closeOnSignal } from '../application/close-on-signal.js';
import { loadApplication } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { openInput } from '../chat/open-input.js';
import { Screen } from '../chat/screen.js';
import { type CommandContext, defineCommand } from '../command/declaration.js';
import { FAILED } from '../command/exit-codes.js';
import { flag, type Parameters, text, type ValuesOf } from '../command/parameter.js';
import { FILE, json, STORE_OPTIONS, USER } from '../command/shared-parameters.js';
import type { LiveChatOptions } from '../live/live-chat.js';
import { printJsonLine } from '../terminal/print.js';
import { UsageError } from '../usage.error.js';

const OPTIONS = {
  script: text('<file>', 'write the lines of a file: one message per line, y or n for a question', {
    completes: 'files',
  }),
  wav: text('<file>', 'speak a WAV file', { conflicts: ['mic', 'script'], completes: 'files' }),
  mic: flag('speak into the microphone, by arecord, sox or ffmpeg', { conflicts: ['script'] }),
  words: text('<file>', 'with --wav and a text model: what the utterances say, one per line', {
    completes: 'files',
  }),
  user: USER,
  session: text('<id>', 'the conversation to continue (default: a new one)'),
  ...STORE_OPTIONS,
  model: text('<name>', 'as for adorn run; a model without speech is played by text'),
  voice: text('<name>', "the provider's name of a voice (default: the provider's choice)"),
  language: text('<tag>', 'the spoken language, such as de-DE'),
  json: json('print each event as a line of JSON, and what people read to the standard error'),
} satisfies Parameters;

/** `adorn live`: a live conversation with an agent, written or spoken. */
export const liveCommand = defineCommand({
  name: 'live',
  summary: 'hold a live conversation with an agent, by text, from a WAV file or by microphone',
  arguments: { file: FILE },
  options: OPTIONS,
  notes: `
With a key of Gemini in the environment, or with --model own, the agent's own live model answers. Every other model, and the offline
model, is a text model that plays one: it answers by text, and of speech it hears only that somebody speaks. What is said then stands
in the file of --words.

Speech of the model is played by aplay, play or ffplay, if one of them is on the PATH; its transcript is always shown.`,
  exitCodes: { 1: 'an event has an error, or the application could not be loaded' },
  examples: [
    'adorn live                                    # write to the agent of this folder',
    'adorn live . --script call.txt --model offline',
    'adorn live . --wav call.wav --words call.txt --model offline',
    'adorn live . --mic --voice Kore',
  ],
  run: live,
});

async function live(
  { file, ...options }: ValuesOf<typeof OPTIONS> & { readonly file: string },
  { bin, output }: CommandContext,
): Promise<void> {
  const { findPlayer, findRecorder } = await import('../live/recorders.js');
  const { liveChat } = await import('../live/live-chat.js');
  const recorder = options.mic ? findRecorder() : undefined;
  if (options.words !== undefined && options.wav === undefined)
    throw new UsageError(
      '--words says what a WAV file says. Name that file with --wav, or use --script to write.',
    );
  if (options.wav !== undefined) await requireReadable(options.wav);
  const words = options.words === undefined ? [] : await linesOf(options.words);
  const application = await loadApplication(file, bin);
  const people = options.json ? process.stderr : process.stdout;
  await using runner = await runnerOf(application, file, options, (line) => people.write(`${line}\n`));
  using _closing = closeOnSignal(runner);
  const { user: userId, session: sessionId = `live-${randomUUID()}`, voice, language } = options;
  const screen = new Screen(people);
  const input = await openInput({ script: options.wav === undefined ? options.script : undefined }, screen);
  const played = application.kind === 'agent' ? await playedByText(options.model, words) : undefined;
  const player = played ? undefined : findPlayer();
  if (!played && !player)
    screen.note('Speech is not played: none of the programs aplay, play and ffplay is on the PATH.');
  const session: LiveRunInput = { userId, sessionId, voice, language, model: played };
  try {
    const outcome = await liveChat(runner, {
      session,
      input,
      screen,
      player,
      speech: recorder ? recorder.record : await speechOf(options.wav),
      onEvent: options.json ? (event) => printJsonLine(output, event) : undefined,
    });
    if (outcome.faults > 0) process.exitCode = FAILED;
  } finally {
    input.close();
    screen.close();
  }
}

/** A live model for a text model; undefined if the agent has its own. */
async function playedByText(
  name: string | undefined,
  words: readonly string[],
): Promise<TextLive | undefined> {
  const { chooseModel } = await import('adorn/main');
  const { OfflineModel, TextLive } = await import('@adorn/testing');
  const { model } = chooseModel(process.env, name);
  if (!model || (model.live && !(model instanceof OfflineModel))) return undefined;
  return new TextLive(model, { words });
}

/** A file is spoken as fast as people speak: a conversation depends on what is said before a result, and what behind it. */
async function speechOf(wav: string | undefined): Promise<LiveChatOptions['speech']> {
  if (wav === undefined) return undefined;
  const { wavMicrophone } = await import('@adorn/testing');
  return (rate) => wavMicrophone(wav, { rate, realtime: true, silenceMs: 1_000 });
}

async function requireReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw unreadable(`The WAV file ${path}`, 'Pass --wav the path of a WAV file', error);
  }
}

async function linesOf(path: string): Promise<string[]> {
  try {
    const lines = (await readFile(path, 'utf8')).split(/\r?\n/);
    return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  } catch (error) {
    throw unreadable(
      `The file of words ${path}`,
      'Pass --words a text file with one utterance per line',
      error,
    );
  }
}

function unreadable(what: string, cure: string, cause: unknown): UsageError {
  const fault = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
  return new UsageError(`${what} cannot be read (${fault}). ${cure}, relative to ${process.cwd()}.`, {
    cause,
  });
}
