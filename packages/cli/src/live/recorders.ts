import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { startGroup } from '@adorn/core/backend';

import { UsageError } from '../usage.error.js';

/** A program that records or plays raw PCM16, mono, little-endian. */
interface AudioProgram {
  readonly command: string;
  /** @param rate samples per second */
  readonly args: (rate: number) => readonly string[];
}

const RAW = ['-t', 'raw', '-e', 'signed', '-b', '16', '-c', '1'];

const RECORDERS: readonly AudioProgram[] = [
  {
    command: 'arecord',
    args: (rate) => ['-q', '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', String(rate)],
  },
  { command: 'rec', args: (rate) => ['-q', ...RAW, '-r', String(rate), '-'] },
  { command: 'sox', args: (rate) => ['-q', '-d', ...RAW, '-r', String(rate), '-'] },
  {
    command: 'ffmpeg',
    args: (rate) => [
      ...['-loglevel', 'error', '-f', ...FFMPEG_INPUT],
      ...['-ac', '1', '-ar', String(rate), '-f', 's16le', '-'],
    ],
  },
];

/** The default microphone, as ffmpeg names it on this system. */
const FFMPEG_INPUT = process.platform === 'darwin' ? ['avfoundation', '-i', ':0'] : ['alsa', '-i', 'default'];

const PLAYERS: readonly AudioProgram[] = [
  {
    command: 'aplay',
    args: (rate) => ['-q', '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', String(rate)],
  },
  { command: 'play', args: (rate) => ['-q', ...RAW, '-r', String(rate), '-'] },
  {
    command: 'ffplay',
    args: (rate) => ['-loglevel', 'error', '-nodisp', '-f', 's16le', '-ar', String(rate), '-'],
  },
];

/** A microphone that was found. */
export interface Recorder {
  readonly command: string;
  /** Records until the loop over it is left. @throws {RecorderFailedError} if the program ends by itself */
  readonly record: (rate: number) => AsyncGenerator<Uint8Array, void, undefined>;
}

/** The first program of this machine that can record. @throws {RecorderMissingError} */
export function findRecorder(path = process.env['PATH']): Recorder {
  const found = findProgram(RECORDERS, path);
  if (!found) throw new RecorderMissingError(RECORDERS.map(({ command }) => command));
  return { command: found.command, record: (rate) => record(found, rate) };
}

/** Plays speech. */
export interface Player {
  readonly command: string;
  play(speech: Uint8Array, rate: number): void;
  /** Drops what was not played. */
  stop(): void;
}

/** The first program of this machine that can play; undefined if there is none. */
export function findPlayer(path = process.env['PATH']): Player | undefined {
  const found = findProgram(PLAYERS, path);
  if (!found) return undefined;
  let player: ReturnType<typeof startPlayer> | undefined;
  return {
    command: found.command,
    play: (speech, rate) => {
      player ??= startPlayer(found, rate);
      player.child.stdin?.write(speech);
    },
    stop: () => {
      void player?.end();
      player = undefined;
    },
  };
}

/** `--mic` was given, and no program of this machine can record. */
export class RecorderMissingError extends UsageError {
  constructor(commands: readonly string[]) {
    super(
      `No microphone can be used: none of the programs ${commands.join(', ')} is on the PATH. Install one of them ` +
        '(arecord is in alsa-utils; rec and sox are in sox), play a file with --wav, or leave --mic out to write.',
    );
  }
}

/** The program that records has ended by itself. */
export class RecorderFailedError extends UsageError {
  constructor(command: string, said: string) {
    const why = said.trim().split('\n').at(-1) ?? '';
    super(
      `${command} has stopped recording${why === '' ? '' : `: ${why}`}. Check that this machine has a microphone that ` +
        `${command} can open, play a file with --wav, or leave --mic out to write.`,
    );
  }
}

async function* record(
  { command, file, args }: FoundProgram,
  rate: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { child, end } = startGroup(file, args(rate), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const closed = new Promise<void>((resolve) => {
    child.on('close', resolve).on('error', (error) => {
      said = error.message;
      resolve();
    });
  });
  let odd = Buffer.alloc(0);
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const bytes = Buffer.concat([odd, chunk]);
      const whole = bytes.length - (bytes.length % 2);
      odd = bytes.subarray(whole);
      if (whole > 0) yield bytes.subarray(0, whole);
    }
  } finally {
    void end();
  }
  await closed;
  throw new RecorderFailedError(command, said);
}

function startPlayer({ file, args }: FoundProgram, rate: number) {
  const player = startGroup(file, args(rate), { stdio: ['pipe', 'ignore', 'ignore'] });
  player.child.on('error', ignore);
  player.child.stdin?.on('error', ignore);
  return player;
}

function ignore(): void {
  // A player that cannot start or ends early leaves the conversation to the screen.
}

/** The first of the programs that is on a PATH, with its file. */
function findProgram(programs: readonly AudioProgram[], path = ''): FoundProgram | undefined {
  for (const program of programs) {
    const files = path.split(delimiter).map((folder) => join(folder, program.command));
    const file = files.find(isExecutable);
    if (file !== undefined) return { ...program, file };
  }
  return undefined;
}

interface FoundProgram extends AudioProgram {
  readonly file: string;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
