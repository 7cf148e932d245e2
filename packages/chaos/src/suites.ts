import { callsChaos } from './calls/calls.chaos.js';
import { contextChaos } from './context/context.chaos.js';
import { fleetChaos } from './fleet/fleet.chaos.js';
import { inputChaos } from './input/input.chaos.js';
import { liveChaos } from './live/live.chaos.js';
import { peersChaos } from './peers/peers.chaos.js';
import { processesChaos } from './processes/processes.chaos.js';
import { sandboxChaos } from './sandbox/sandbox.chaos.js';
import { schedulesChaos } from './schedules/schedules.chaos.js';
import { scriptsChaos } from './scripts/scripts.chaos.js';
import { serverChaos } from './server/server.chaos.js';
import { storageChaos } from './storage/storage.chaos.js';
import type { ChaosSuite } from './suite.js';

/** Every suite; the first is run where none is named. */
export const SUITES: readonly [ChaosSuite, ...ChaosSuite[]] = [
  storageChaos,
  inputChaos,
  callsChaos,
  contextChaos,
  processesChaos,
  fleetChaos,
  liveChaos,
  serverChaos,
  peersChaos,
  sandboxChaos,
  scriptsChaos,
  schedulesChaos,
];
