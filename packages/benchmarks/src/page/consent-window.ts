import type { Page } from 'playwright-core';

/** Logs in and consents in a window of the authorization server. */
export async function consent(popup: Page): Promise<void> {
  await popup.locator('input[name=login]').fill('ada');
  await popup.locator('input[name=password]').fill('any');
  await popup.getByRole('button', { name: 'Sign-in' }).click();
  await popup.getByRole('button', { name: 'Continue' }).click();
}
