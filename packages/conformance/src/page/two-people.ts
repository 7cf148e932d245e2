import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import type { Runner } from '@adorn/core';
import { serve } from '@adorn/server';
import type { Browser } from 'playwright-core';

import { Orders } from './shop.js';
import { StudioPage } from './studio-page.js';

/** Where pictures of the pages are kept. */
export const SCREENSHOTS = fileURLToPath(new URL('../../../../.work/studio', import.meta.url));

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
    const findings: string[] = [];
    await manager.button(/^Inbox/).click();
    await manager.shows(manager.page.locator('.inbox'), 'Nothing waits for you.');
    await customer.send('Refund all of A-17');
    await customer.shows(customer.card('refund_all'), 'It waits for somebody with the role manager.');
    assert.equal(await customer.page.locator('[data-action="approve"]').count(), 0);
    await customer.shows(customer.page.locator('.waiting-mark'), 'waits for others');
    assert.equal(await customer.page.getByText('waits for you').count(), 0);
    assert.equal(await customer.button('Agents').count(), 0);
    await customer.screenshot(SCREENSHOTS, 'approval-customer-waits');

    await manager.shows(manager.page.locator('.inbox-entry'), 'Refund 390.00 EUR');
    await manager.shows(manager.button(/^Inbox/), '1');
    assert.equal(await manager.page.getByText('in this session from now on').count(), 0);
    await manager.screenshot(SCREENSHOTS, 'approval-inbox');
    findings.push(...(await manager.findings()), ...(await customer.findings()));
    findings.push(...(await lookOnPhone(browser, office.url)));
    await manager.action('approve').click();
    await manager.shows(manager.page.locator('.inbox'), 'refund_all of ada: approved, and the run has ended');
    await manager.shows(manager.page.locator('.inbox'), 'Nothing waits for you.');
    await manager.screenshot(SCREENSHOTS, 'approval-inbox-done');
    await customer.shows(customer.answer(), 'All of it is on its way.');
    await customer.shows(customer.card('refund_all'), 'Approved by mia');
    await customer.shows(customer.page.locator('.steps'), 'approved by mia');
    await customer.screenshot(SCREENSHOTS, 'approval-customer-done');
    assert.equal(Orders.refunds.length, before + 1);
    assert.deepEqual(findings, []);
    noFaults(customer, manager);
  } finally {
    await customer.close();
    await manager.close();
  }
}

/** The inbox on a phone. @returns the findings of axe */
async function lookOnPhone(browser: Browser, url: string): Promise<string[]> {
  const phone = await StudioPage.open(browser, url, { width: 360, height: 740, theme: 'dark' });
  try {
    await phone.page.locator('.tabs').getByRole('button', { name: 'Sessions' }).click();
    await phone.button(/^Inbox/).click();
    await phone.shows(phone.page.locator('.inbox-entry'), 'Refund 390.00 EUR');
    await phone.screenshot(SCREENSHOTS, 'approval-inbox-phone');
    return await phone.findings();
  } finally {
    await phone.close();
  }
}

/** Nothing has gone wrong in the background of these pages. */
export function noFaults(...pages: readonly StudioPage[]): void {
  assert.deepEqual(pages.flatMap(({ faults }) => faults).filter(isFault), []);
}

/** What is for developers is refused to a customer, and the browser notes it. */
function isFault(fault: string): boolean {
  return !fault.includes('403');
}
