import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { BookingStore } from './booking-store.js';
import { Reception } from './reception.agent.js';

void test('cancels a booking only after a person has approved', async () => {
  const model = new ScriptedModel(callsTool('cancel_booking', { bookingId: 'B-17' }), says('Cancelled.'));
  await using runner = await createRunner(Reception, { model });
  const store = runner.get(BookingStore);

  const asked = await runner.run({ userId: 'ada', message: 'Cancel B-17' });
  assert.equal(asked.pending[0]?.hint, 'Cancel booking B-17?');
  assert.ok(store.find('B-17'));

  const { text } = await runner.approve(asked.pending[0]);
  assert.equal(text, 'Cancelled.');
  assert.equal(store.find('B-17'), undefined);
});

void test('keeps a booking if the person declines', async () => {
  const model = new ScriptedModel(callsTool('cancel_booking', { bookingId: 'B-17' }), says('It stays.'));
  await using runner = await createRunner(Reception, { model });

  const { pending } = await runner.run({ userId: 'ada', message: 'Cancel B-17' });
  assert.ok(pending[0]);
  await runner.reject(pending[0], { reason: 'wrong number' });

  assert.ok(runner.get(BookingStore).find('B-17'));
});
