import { ContainerModule, createRunner } from '@adorn/core';
import { type Fleet, openFleet } from '@adorn/fleet';
import { type Schedules, startSchedules } from '@adorn/schedules';
import { sqlStorage } from '@adorn/storage';

import { DeedLog } from '../processes/deed-log.js';
import { newDesk } from './desk.js';
import { queueOf } from './engine.js';
import { newAlarm, newRadio, OutsideFiles } from './outside.js';

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

export async function openRunner({ url, deeds, pace }: Pick<Place, 'url' | 'deeds' | 'pace'>) {
  const root = newDesk({ deeds: new DeedLog(deeds), pace });
  const files = new OutsideFiles(deeds);
  const Alarm = newAlarm(files);
  const alarm = new ContainerModule(({ bind }) => {
    bind(Alarm).toSelf();
  });
  const runner = await createRunner<unknown>(root, {
    appName: 'desk',
    plugins: [newRadio(files)],
    modules: [sqlStorage(url, { poolSize: 8 }), alarm],
  });
  return { runner, Alarm };
}

/** A machine: its fleet, and a function that has it begin what is due. */
export async function openMachine(
  place: Place,
): Promise<{ readonly fleet: Fleet; readonly startAlarm: () => Promise<Schedules> }> {
  const { engine, url } = place;
  const queue = queueOf(engine, url);
  const { runner, Alarm } = await openRunner(place);
  const fleet = await openFleet(runner, { queue, url, heartbeat: HEARTBEAT_MS });
  return { fleet, startAlarm: () => startSchedules(fleet, { services: [Alarm] }) };
}
