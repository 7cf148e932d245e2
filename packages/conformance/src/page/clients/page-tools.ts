import assert from 'node:assert/strict';

import { callsTool, ScriptedModel, streams } from '@adorn/testing';
import type { Browser } from 'playwright-core';

import { FrontDesk } from '../../ui-streams/front-desk.js';
import type { ClientPage } from './client-page.js';

/** A client whose page has the tools `set_theme` and `clear_rows`, and shows its theme and the count of its rows. */
export interface ClientWithTools {
  /** Its folder in `peers`. */
  readonly peer: string;
  readonly open: (browser: Browser, desk: FrontDesk) => Promise<ClientPage>;
  /** True if the client tells the agent what the page shows. */
  readonly tellsPage: boolean;
}

/**
 * The page runs a tool, tells what it shows, and asks before a tool of the server and before one of its own. It is loaded again
 * while an approval waits, and at the end.
 */
export async function useToolsOfPage(browser: Browser, { open, tellsPage }: ClientWithTools): Promise<void> {
  const model = new ScriptedModel(
    callsTool('set_theme', { color: 'red' }),
    streams('It is ', 'red.'),
    callsTool('refund', { orderId: 'A' }),
    streams('Re', 'funded.'),
    callsTool('refund', { orderId: 'B' }),
    streams('As you ', 'like.'),
    callsTool('clear_rows'),
    streams('The rows ', 'are gone.'),
  );
  await using desk = await FrontDesk.open(model);
  await using page = await open(browser, desk);
  const ofPage = page.page.locator('#page');
  await page.say('Make it red');
  await page.sees('It is red.');
  assert.equal(await ofPage.innerText(), 'red, 3 rows');
  if (tellsPage) assert.match(JSON.stringify(model.requests.at(-1)?.contents), /The theme of the page/);

  await page.say('Refund A');
  await page.press('Approve');
  await page.sees('Refunded.');
  await page.say('Refund B');
  await page.offers('Refuse');
  await page.reload();
  await page.press('Refuse');
  await page.sees('As you like.');
  assert.deepEqual(desk.refunds, ['A']);

  await page.say('Clear it');
  await page.sees('Remove the rows of the page?');
  assert.equal(await ofPage.innerText(), 'white, 3 rows');
  await page.press('Approve');
  await page.sees('The rows are gone.');
  assert.equal(await ofPage.innerText(), 'white, 0 rows');
  model.assertDone();
  const texts = ['Make it red', 'It is red.', 'Refunded.', 'As you like.', 'The rows are gone.'];
  await page.reload();
  for (const text of texts) await page.sees(text);
  assert.deepEqual(page.faults, []);
}
