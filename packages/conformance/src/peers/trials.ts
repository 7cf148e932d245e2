import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { laterNode } from '../command-line/later-node.js';
import { serveChat } from './chat-server.js';
import type { HeldConversations } from './long-conversation.js';
import { CHARGED, CHARGES } from './play.js';
import { type Asked, chargingModel, lookingModel } from './scripted-models.js';

/** What a kit is put to, each with one charge that a user asks for. */
export type ChargeTrial = 'die' | 'at once' | 'again' | 'two turns';

/** What became of the long conversations with a kit. */
export interface LongTrial extends HeldConversations, Asked {}

const LIMIT_MS = 120_000;

/**
 * Plays one trial with a kit, in a process of its own; in `die`, one is killed while it charges, and another goes on.
 *
 * @returns how often was charged
 */
export async function countCharges(program: string, trial: ChargeTrial): Promise<number> {
  await using server = await serveChat(chargingModel);
  const folder = mkdtempSync(join(tmpdir(), 'adorn-peers-'));
  try {
    await runKit(program, [trial, server.baseUrl, folder]);
    if (trial === 'die') await runKit(program, ['recover', server.baseUrl, folder]);
    const charges = join(folder, CHARGES);
    return existsSync(charges) ? readFileSync(charges, 'utf8').trim().split('\n').length : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Holds so many long conversations with a kit. */
export async function holdLong(program: string, conversations: number): Promise<LongTrial> {
  const asked: Asked = { requests: 0, refused: 0 };
  await using server = await serveChat(lookingModel(asked));
  const said = await runKit(program, ['long', server.baseUrl, String(conversations)]);
  return { ...(JSON.parse(said) as HeldConversations), ...asked };
}

/**
 * Runs a kit's program, on a Node.js that is late enough for all kits, and kills it once it says that it has charged.
 *
 * @returns its last line
 * @throws an Error if it fails, or takes longer than two minutes
 */
async function runKit(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(laterNode(), [program, ...args], {
    cwd: dirname(program),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  let errors = '';
  let last = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line;
    if (line === CHARGED) child.kill('SIGKILL');
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0 || last === CHARGED) return last;
  throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}: ${errors.trim().slice(-500)}`);
}
