import { runOccurrence } from '@adorn/schedules';
import { OfflineModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Desk, library } from './desk.agent.js';
import { Loans } from './loans.js';
import { NightlySums } from './nightly-sums.js';

await using runner = await createRunner(Desk, { model: new OfflineModel(), modules: [library(':memory:')] });
const loans = runner.get(Loans);
loans.add({ id: '1', tenant: 'acme', title: 'Dune', cents: 300, at: new Date('2026-11-28T23:30:00Z') });
loans.add({ id: '2', tenant: 'acme', title: 'Emma', cents: 150, at: new Date('2026-11-29T12:00:00Z') });
loans.add({ id: '3', tenant: 'acme', title: 'Emma', cents: 150, at: new Date('2026-11-29T23:30:00Z') });
loans.add({ id: '4', tenant: 'globex', title: 'Dune', cents: 300, at: new Date('2026-11-29T22:30:00Z') });

const { occurrence } = await runOccurrence(runner, 'NightlySums.nightly', {
  services: [NightlySums],
  dueAt: new Date('2026-11-30T01:00:00Z'),
});
console.log(occurrence.id);
for (const { tenant, date, cents } of loans.sums()) console.log(tenant, date, cents);
