import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { holdConversations } from './long-conversation.js';

/** More steps of a turn than any trial needs. */
export const MOST_STEPS = 40;

/** What a kit makes its desk of. */
export interface Place {
  /** Of a server that speaks OpenAI's chat completions. */
  readonly baseUrl: string;
  /** Where the desk keeps its conversations; undefined: in memory. */
  readonly folder: string | undefined;
  /** The tool `charge`, which is told the `invoice`. */
  readonly charge: (args: { readonly invoice: string }) => Promise<{ readonly receipt: string }>;
  /** The tool `look`, whose result has so many bytes. */
  readonly look: (args: { readonly bytes: number }) => string;
  /** Whether a person approves each charge. */
  readonly isAsked: boolean;
  /** Whether the same charge is asked for twice. */
  readonly isRepeated: boolean;
  /** Whether the process is killed while it charges, or is the one that starts after that. */
  readonly isKilled: boolean;
}

/** An agent with the two tools, in the way the documents of its kit show. */
export interface Desk {
  /** @returns what the agent answers */
  say(session: string, text: string): Promise<string>;
  /** Sends a message whose charge waits for a person. @returns the approval, which can be sent several times */
  ask(session: string, text: string): Promise<() => Promise<unknown>>;
  /** Goes on, in a new process, with the message during which the last process died. */
  recover(session: string, text: string): Promise<unknown>;
}

/** The file with a line for each charge. */
export const CHARGES = 'charges.txt';
/** What a process says once it has charged and is to be killed. */
export const CHARGED = 'charged';

const SESSION = 's1';
const MESSAGE = 'Charge I-17.';

/**
 * Plays one trial with the desk of a kit: `kit.js TRIAL BASE_URL FOLDER`, or `kit.js long BASE_URL COUNT`. Prints what it
 * found as JSON, and ends the process.
 */
export async function play(open: (place: Place) => Desk | Promise<Desk>): Promise<never> {
  const [trial = '', baseUrl = '', place = ''] = process.argv.slice(2);
  const isLong = trial === 'long';
  const charge: Place['charge'] = async ({ invoice }) => {
    appendFileSync(join(place, CHARGES), `${invoice}\n`);
    if (trial === 'die') await waitForDeath();
    await setTimeout(100);
    return { receipt: `R-${invoice}` };
  };
  const desk = await open({
    baseUrl,
    folder: isLong ? undefined : place,
    charge,
    look: ({ bytes }) => 'word '.repeat(Math.ceil(bytes / 5)).slice(0, bytes),
    isAsked: trial === 'at once' || trial === 'again',
    isRepeated: trial === 'two turns',
    isKilled: trial === 'die' || trial === 'recover',
  });
  if (isLong) console.log(JSON.stringify(await holdConversations(desk, Number(place))));
  else await playCharge(desk, trial);
  process.exit(0);
}

async function playCharge(desk: Desk, trial: string): Promise<void> {
  switch (trial) {
    case 'die':
      await desk.say(SESSION, MESSAGE);
      return;
    case 'recover':
      await desk.recover(SESSION, MESSAGE);
      return;
    case 'at once': {
      const approve = await desk.ask(SESSION, MESSAGE);
      await Promise.allSettled([approve(), approve()]);
      return;
    }
    case 'again': {
      const approve = await desk.ask(SESSION, MESSAGE);
      await approve();
      await Promise.allSettled([approve()]);
      return;
    }
    case 'two turns':
      await desk.say(SESSION, MESSAGE);
      await desk.say(SESSION, MESSAGE);
      return;
    default:
      throw new Error(`There is no trial "${trial}".`);
  }
}

async function waitForDeath(): Promise<void> {
  console.log(CHARGED);
  await setTimeout(600_000);
}
