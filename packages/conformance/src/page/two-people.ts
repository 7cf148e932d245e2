import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import type { Runner } from '@adorn/core';
import { serve } from '@adorn/server';
import type { Browser } from 'playwright-core';

import { Orders } from './shop.js';
import { StudioPage } from './studio-page.js';

const SCREENSHOTS = fileURLToPath(new URL('../../../../.work/studio', import.meta.url));

/** Two browsers: a customer asks, and cannot say yes; a manager finds the request in the inbox, and the page of the customer goes on. */
export async function approveForAnother(browser: Browser, runner: Runner): Promise<void> {
  const open = (id: string, roles: readonly string[]) =>
    serve(runner, { port: 0, authenticate: () => ({ id, roles }) });
  await using shop = await open('ada', []);
  await using office = await open('mia', ['manager']);
  const customer = await StudioPage.open(browser, shop.url);
  const manager = await StudioPage.open(browser, office.url);
  try {
    const before = Orders.refunds.length;
    await manager.button(/^Inbox/).click();
    await manager.shows(manager.page.locator('.inbox'), 'Nothing waits for you.');
    await customer.send('Refund all of A-17');
    await customer.shows(customer.card('refund_all'), 'It waits for somebody with the role manager.');
    assert.equal(await customer.page.locator('[data-action="approve"]').count(), 0);
    await customer.screenshot(SCREENSHOTS, 'approval-customer-waits');

    await manager.shows(manager.page.locator('.inbox-entry'), 'Refund 390.00 EUR');
    await manager.shows(manager.button(/^Inbox/), '1');
    await manager.screenshot(SCREENSHOTS, 'approval-inbox');
    await manager.action('approve').click();
    await manager.shows(manager.page.locator('.inbox'), 'refund_all of ada: approved, and the run has ended');
    await manager.shows(manager.page.locator('.inbox'), 'Nothing waits for you.');
    await manager.screenshot(SCREENSHOTS, 'approval-inbox-done');
    await customer.shows(customer.answer(), 'All of it is on its way.');
    await customer.screenshot(SCREENSHOTS, 'approval-customer-done');
    assert.equal(Orders.refunds.length, before + 1);
    assert.deepEqual([...customer.faults, ...manager.faults].filter(isFault), []);
  } finally {
    await customer.close();
    await manager.close();
  }
}

/** What is for developers is refused to a customer, and the browser notes it. */
function isFault(fault: string): boolean {
  return !fault.includes('403');
}
