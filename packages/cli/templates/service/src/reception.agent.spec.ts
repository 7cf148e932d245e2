import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callsTool, expectRun, says } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';

import { BookingStore } from './booking-store.js';
import { Reception } from './reception.agent.js';

const asks = callsTool('cancel_booking', { bookingId: 'B-17' });

void test('cancels a booking only after a person has approved', async () => {
  await using runner = await testRunner(Reception, { model: [asks, says('Cancelled.')] });
  const store = runner.get(BookingStore);

  const result = await runner.run({ userId: 'ada', message: 'Cancel B-17' });
  expectRun(result).toBeWaitingFor({ kind: 'confirmation', hint: 'Cancel booking B-17?' });
  assert.ok(store.find('B-17'));

  const [request] = result.pending;
  assert.ok(request);
  const { text } = await runner.approve(request);
  assert.equal(text, 'Cancelled.');
  assert.equal(store.find('B-17'), undefined);
});

void test('keeps a booking if the person declines', async () => {
  await using runner = await testRunner(Reception, { model: [asks, says('It stays.')] });

  const [request] = (await runner.run({ userId: 'ada', message: 'Cancel B-17' })).pending;
  assert.ok(request);
  await runner.reject(request, { reason: 'wrong number' });

  assert.ok(runner.get(BookingStore).find('B-17'));
});
