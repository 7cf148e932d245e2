import { effect, signal } from '@preact/signals';

/** The views of the inspector. */
export const VIEWS = ['run', 'state', 'files', 'agents', 'evals'] as const;
export type View = (typeof VIEWS)[number];

/** The application on the page. */
export const app = signal<string | undefined>(undefined);
/** The id of the session on the page. */
export const sessionId = signal<string | undefined>(undefined);
/** The run whose timeline is shown. Default: the latest. */
export const runId = signal<string | undefined>(undefined);
/** The selected event. */
export const eventId = signal<string | undefined>(undefined);
/** The selected call. */
export const callId = signal<string | undefined>(undefined);
export const view = signal<View>('run');

const FIELDS = { app, session: sessionId, run: runId, event: eventId, call: callId };

/** Reads the address of the page, and writes it from then on: a link opens the same session, event and view. */
export function keepAddress(): void {
  readAddress();
  addEventListener('popstate', readAddress);
  let session = sessionId.peek();
  effect(() => {
    const query = new URLSearchParams();
    for (const [name, { value }] of Object.entries(FIELDS)) if (value !== undefined) query.set(name, value);
    if (view.value !== 'run') query.set('view', view.value);
    const text = query.toString();
    const url = text === '' ? location.pathname : `${location.pathname}?${text}`;
    if (url === location.pathname + location.search) return;
    // Sessions are steps of the browser's history; what is selected in one is not.
    if (session === sessionId.value || session === undefined) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
    session = sessionId.value;
  });
}

function readAddress(): void {
  const query = new URLSearchParams(location.search);
  for (const [name, field] of Object.entries(FIELDS)) field.value = query.get(name) ?? undefined;
  view.value = VIEWS.find((one) => one === query.get('view')) ?? 'run';
}

/** Selects an event, or a call of it; the same again deselects it. */
export function select(event: string | undefined, call?: string): void {
  eventId.value = event;
  callId.value = call;
  if (event !== undefined) view.value = 'run';
}
