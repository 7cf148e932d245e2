import type { AppJson, SessionJson } from '@adorn/server/client';
import { batch, signal } from '@preact/signals';

import { app, callId, eventId, runId, sessionId } from '../page/address.js';
import { isInboxOpen, tab } from '../page/appearance.js';
import { loadGraph } from './app-graph.js';
import { clientOf, type Fault, faultOf } from './connection.js';

export const apps = signal<readonly AppJson[]>([]);
export const sessions = signal<readonly SessionJson[] | undefined>(undefined);
/** Why the page cannot work. */
export const pageFault = signal<Fault | undefined>(undefined);

/** Most sessions that the list has. */
const LIMIT = 500;

/** Loads the applications, and the sessions of the one that the address names, or of the first. */
export async function loadPage(): Promise<void> {
  try {
    apps.value = await clientOf().apps();
    const known = apps.value.find(({ name }) => name === app.value) ?? apps.value[0];
    app.value = known?.name;
    await loadSessions();
    pageFault.value = undefined;
    if (known) void loadGraph(known.name);
  } catch (error) {
    const fault = faultOf(error);
    if (fault.signIn === undefined) pageFault.value = fault;
    else location.replace(fault.signIn);
  }
}

/** Loads the list of sessions again. */
export async function loadSessions(): Promise<void> {
  if (app.value === undefined) return;
  sessions.value = await clientOf(app.value).sessions({ limit: LIMIT });
}

/** Shows another application. */
export async function openApp(name: string): Promise<void> {
  openSession(undefined);
  batch(() => {
    app.value = name;
    sessions.value = undefined;
  });
  await loadPage();
}

/** Shows a session; undefined for the empty page of a new one, which is created by its first message. */
export function openSession(id: string | undefined): void {
  batch(() => {
    sessionId.value = id;
    runId.value = undefined;
    eventId.value = undefined;
    callId.value = undefined;
    isInboxOpen.value = false;
    tab.value = 'chat';
  });
}

export async function renameSession(id: string, title: string): Promise<void> {
  await clientOf(app.value).session(id).rename(title);
  await loadSessions();
}

export async function deleteSession(id: string): Promise<void> {
  await clientOf(app.value).session(id).delete();
  if (sessionId.value === id) openSession(undefined);
  await loadSessions();
}
