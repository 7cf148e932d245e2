import { createRunner } from '@adorn/core';
import { type Fleet, openFleet } from '@adorn/fleet';
import { sqlStorage } from '@adorn/storage';

import { DeedLog } from '../processes/deed-log.js';
import { newDesk } from './desk.js';
import { queueOf } from './engine.js';

/** What all machines of a fleet are told. */
export interface Place {
  readonly url: string;
  /** As `queueOf` takes it. */
  readonly engine: string;
  /** The file of the deeds of their tools. */
  readonly deeds: string;
  readonly seed: number;
  readonly sessions: number;
  /** Milliseconds that each step of a model or a tool takes. */
  readonly pace: number;
}

export const USER = 'ada';
export const HEARTBEAT_MS = 5000;

export function openRunner({ url, deeds, pace }: Pick<Place, 'url' | 'deeds' | 'pace'>) {
  const root = newDesk({ deeds: new DeedLog(deeds), pace });
  const modules = [sqlStorage(url, { poolSize: 8 })];
  return createRunner<unknown>(root, { appName: 'desk', modules });
}

export async function openMachine(place: Place): Promise<Fleet> {
  const { engine, url } = place;
  const queue = queueOf(engine, url);
  return openFleet(await openRunner(place), { queue, url, heartbeat: HEARTBEAT_MS });
}
