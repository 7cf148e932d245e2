import { setTimeout } from 'node:timers/promises';

import type { Browser } from 'playwright-core';

import { FrontDesk } from '../../ui-streams/front-desk.js';
import { TickingModel } from './paced-models.js';
import { openPage, type SteeredClient } from './steered-client.js';

const MESSAGES = 10;

/**
 * Sends messages while a run works whose model answers within 20 ms, and prints the time from the button to the request that has
 * the message.
 */
export async function timeSteering(browser: Browser, client: SteeredClient): Promise<void> {
  for (const button of ['Now', 'Instead']) {
    const times = await timesOf(browser, client, button);
    const [p50 = 0, most = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
    console.log(
      `        ${button}: p50 ${String(p50)} ms, at most ${String(most)} ms, of ${String(MESSAGES)}`,
    );
  }
}

async function timesOf(browser: Browser, client: SteeredClient, button: string): Promise<number[]> {
  const model = new TickingModel();
  await using desk = await FrontDesk.open(model);
  await using page = await openPage(browser, desk, client);
  await page.send('Begin');
  await isRead(model, 'Begin');
  const times: number[] = [];
  for (let count = 1; count <= MESSAGES; count++) {
    const text = `${button} ${String(count)}`;
    const pressedAt = await page.sendTimed(text, button);
    times.push((await isRead(model, text)) - pressedAt);
  }
  await page.send('Enough', 'Instead');
  await page.until((shown) => shown.at(-1) === 'assistant: Done.');
  return times.sort((a, b) => a - b);
}

/** When a message was in a request for the first time. */
async function isRead({ readAt }: TickingModel, message: string): Promise<number> {
  for (;;) {
    const time = readAt.get(message);
    if (time !== undefined) return time;
    await setTimeout(5);
  }
}
