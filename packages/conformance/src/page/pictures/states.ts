import type { RunResult } from '@adorn/core';
import { type EvalSet, InMemoryEvalStore } from '@adorn/eval';
import { serve } from '@adorn/server';
import type { Browser } from 'playwright-core';

import { type PageOptions, StudioPage } from '../studio-page.js';
import { openPicturedDesk, type PicturedDesk } from './pictured-desk.js';

/** The conversation of who uses the page of a server without sign-in. */
const LAMP = { userId: 'user', sessionId: 'lamp' };
const MANAGER = { roles: ['manager'] };
const SECONDS = 1_000;
const ASKS_FOR_ORDER = 'Where is my order A-17?';
const ASKS_FOR_PARCEL = 'Where is my parcel?';

const ORDERS: EvalSet = {
  evalSetId: 'orders',
  evalCases: [
    evalCase('asks for an order', ASKS_FOR_ORDER),
    evalCase('finds the order first', ASKS_FOR_PARCEL),
  ],
};

/** A state of the studio that is shown in the documents. */
export interface PicturedState {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** Who is signed in; undefined on a server without sign-in. */
  readonly person?: { readonly id: string; readonly roles: readonly string[] };
  /** What has happened before the page is opened. */
  readonly before: (desk: PicturedDesk) => Promise<void>;
  /** What is done on the page. */
  readonly show: (studio: StudioPage) => Promise<void>;
}

/** The pictures of the studio in `packages/docs/images/studio`, by their names. */
export const STATES: Readonly<Record<string, PicturedState>> = {
  /** A call waits for the person on the page. */
  approval: {
    theme: 'light',
    ...{ width: 1_440, height: 900 },
    before: async (desk) => {
      await begin(desk, ASKS_FOR_ORDER);
      await desk.runner.run({ ...LAMP, message: 'It arrived broken. I want my money back.' });
    },
    show: async (studio) => {
      await studio.shows(studio.card('refund_order'), 'waits for you');
    },
  },
  /** A manager finds what two managers have to approve, and another one has approved. */
  inbox: {
    theme: 'light',
    ...{ width: 1_000, height: 400 },
    person: { id: 'max', ...MANAGER },
    before: async ({ runner, clock }) => {
      const message = 'The sofa B-4 came four weeks late.';
      const { pending } = await runner.run({ userId: 'ada', message, by: { id: 'ada' } });
      await clock.advance(240 * SECONDS);
      for (const request of pending) await runner.approve(request, { by: { id: 'mia', ...MANAGER } });
    },
    show: async (studio) => {
      await studio.button(/^Inbox/).click();
      await studio.shows(studio.page.locator('.inbox-entry'), '1 of 2 have approved');
    },
  },
  /** A run of two agents as a timeline and as steps. */
  run: {
    theme: 'dark',
    ...{ width: 1_440, height: 900 },
    before: async (desk) => {
      await begin(desk, ASKS_FOR_ORDER);
      await desk.runner.run({ ...LAMP, message: 'Can I return it?' });
    },
    show: async (studio) => {
      await studio.shows(studio.page.locator('.steps'), 'book_pickup');
    },
  },
  /** An answer that a person disliked, beside eval cases, one of which has failed. */
  evals: {
    theme: 'light',
    ...{ width: 1_440, height: 700 },
    before: async (desk) => {
      const { invocationId } = await begin(desk, ASKS_FOR_PARCEL);
      const comment = 'It did not look for my order.';
      await desk.runner.feedback({ ...LAMP, invocationId, score: 0, comment });
    },
    show: async (studio) => {
      await studio.open('Evals');
      await studio.button('Run all').click();
      await studio.button('finds the order first').first().click();
      await studio.shows(studio.page.locator('.eval-turn'), 'Found');
    },
  },
};

/** Opens a page of the studio in a state, and closes it after what is done with it. */
export async function withState(
  browser: Browser,
  { before, show, person, ...look }: PicturedState,
  use: (studio: StudioPage) => Promise<void>,
): Promise<void> {
  const desk = await openPicturedDesk();
  await using runner = desk.runner;
  const store = new InMemoryEvalStore();
  store.saveSet(runner.appName, ORDERS);
  await before(desk);
  await using server = await serve(runner, {
    port: 0,
    ...(person === undefined ? { evals: { store } } : { authenticate: () => person }),
  });
  const options: PageOptions = { ...look, now: desk.clock.now() + 8 };
  const studio = await StudioPage.open(browser, server.pageUrl, options);
  try {
    if (person === undefined) await studio.page.locator('.session').first().click();
    await show(studio);
    await use(studio);
  } finally {
    await studio.close();
  }
}

/** A conversation whose title is its first message, as on the page. */
async function begin({ runner, clock }: PicturedDesk, message: string): Promise<RunResult> {
  const outcome = await runner.run({ ...LAMP, message });
  await runner.sessions.renameSession({ appName: runner.appName, ...LAMP }, message);
  await clock.advance(20 * SECONDS);
  return outcome;
}

/** A case that expects both tools that look for an order. */
function evalCase(evalId: string, message: string) {
  const toolUses = ['find_order', 'track_parcel'].map((name) => ({ name, args: { order: 'A-17' } }));
  return {
    evalId,
    conversation: [{ userContent: { parts: [{ text: message }] }, intermediateData: { toolUses } }],
  };
}
