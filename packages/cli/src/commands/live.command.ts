import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';

import type { LiveRunInput } from '@adorn/core/backend';
import { OfflineModel, TextLive, wavMicrophone } from '@adorn/testing';
import { Command, Option } from 'commander';

import { loadApplication } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { openInput } from '../chat/open-input.js';
import { Screen } from '../chat/screen.js';
import { liveChat, type LiveChatOptions } from '../live/live-chat.js';
import { findPlayer, findRecorder } from '../live/recorders.js';
import { chooseModel } from '../model-choice.js';
import { UsageError } from '../usage.error.js';
import { closeOnSignal } from './run.command.js';

interface LiveOptions {
  readonly script?: string;
  readonly wav?: string;
  readonly words?: string;
  readonly mic?: boolean;
  readonly user: string;
  readonly session?: string;
  readonly voice?: string;
  readonly language?: string;
  readonly model?: string;
  readonly app?: string;
  readonly store?: string;
}

/**
 * `adorn live`: a live conversation with an agent, written or spoken.
 *
 * @param bin the URL of the command
 */
export function liveCommand(bin: string): Command {
  return new Command('live')
    .description('hold a live conversation with an agent, by text, from a WAV file or by microphone')
    .argument('[file]', 'as for adorn run', '.')
    .option('--script <file>', 'write the lines of a file: one message per line, y or n for a question')
    .addOption(new Option('--wav <file>', 'speak a WAV file').conflicts(['mic', 'script']))
    .addOption(
      new Option('--mic', 'speak into the microphone, by arecord, sox or ffmpeg').conflicts('script'),
    )
    .option('--words <file>', 'with --wav and a text model: what the utterances say, one per line')
    .option('--user <id>', 'the id of the user', 'user')
    .option('--session <id>', 'the conversation to continue (default: a new one)')
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://… (default: none)')
    .option('--model <name>', 'as for adorn run; a model without speech is played by text')
    .option('--voice <name>', "the provider's name of a voice (default: the provider's choice)")
    .option('--language <tag>', 'the spoken language, such as de-DE')
    .option('--app <name>', "the application's name (default: the agent's)")
    .addHelpText('after', AFTER)
    .action((file: string, options: LiveOptions) => live(file, bin, options));
}

const AFTER = `
With a key of Gemini in the environment, or with --model own, the agent's own live model answers. Every other model, and the
offline model, is a text model that plays one: it answers by text, and of speech it hears only that somebody speaks. What is
said then stands in the file of --words.

Speech of the model is played by aplay, play or ffplay, if one of them is on the PATH; its transcript is always shown.

Examples:
  $ adorn live                                    # write to the agent of this folder
  $ adorn live . --script call.txt --model offline
  $ adorn live . --wav call.wav --words call.txt --model offline
  $ adorn live . --mic --voice Kore
`;

async function live(file: string, bin: string, options: LiveOptions): Promise<void> {
  const recorder = options.mic === true ? findRecorder() : undefined;
  if (options.words !== undefined && options.wav === undefined)
    throw new UsageError(
      '--words says what a WAV file says. Name that file with --wav, or use --script to write.',
    );
  if (options.wav !== undefined) await requireReadable(options.wav);
  const words = options.words === undefined ? [] : await linesOf(options.words);
  const application = await loadApplication(file, bin);
  await using runner = await runnerOf(application, file, options);
  using _closing = closeOnSignal(runner);
  const { user: userId, session: sessionId = `live-${randomUUID()}`, voice, language } = options;
  const screen = new Screen(process.stdout);
  const input = await openInput({ script: options.wav === undefined ? options.script : undefined }, screen);
  const played = application.kind === 'agent' ? playedByText(options.model, words) : undefined;
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
      speech: recorder ? recorder.record : speechOf(options.wav),
    });
    if (outcome.faults > 0) process.exitCode = 1;
  } finally {
    input.close();
    screen.close();
  }
}

/** A live model for a text model; undefined if the agent has its own. */
function playedByText(name: string | undefined, words: readonly string[]): TextLive | undefined {
  const { model } = chooseModel(process.env, name);
  if (!model || (model.live && !(model instanceof OfflineModel))) return undefined;
  return new TextLive(model, { words });
}

/** A file is spoken as fast as people speak: a conversation depends on what is said before a result, and what behind it. */
function speechOf(wav: string | undefined): LiveChatOptions['speech'] {
  if (wav === undefined) return undefined;
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
