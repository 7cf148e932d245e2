import { runCommand } from '../command-line/run-command.js';
import type { Section } from '../conformance/check.js';
import { isPassed, writeSection, writeTotals } from '../conformance/report.js';
import { callsChaos } from './calls/calls.chaos.js';
import { fleetChaos } from './fleet/fleet.chaos.js';
import { inputChaos } from './input/input.chaos.js';
import { liveChaos } from './live/live.chaos.js';
import { type ChaosOptions, HELP, parseOptions } from './options.js';
import { peersChaos } from './peers/peers.chaos.js';
import { processesChaos } from './processes/processes.chaos.js';
import { serverChaos } from './server/server.chaos.js';
import { sandboxChaos } from './sandbox/sandbox.chaos.js';
import { scriptsChaos } from './scripts/scripts.chaos.js';
import { storageChaos } from './storage/storage.chaos.js';

const NAME_WIDTH = 34;
const SUITES = {
  storage: storageChaos,
  input: inputChaos,
  calls: callsChaos,
  processes: processesChaos,
  fleet: fleetChaos,
  live: liveChaos,
  server: serverChaos,
  peers: peersChaos,
  sandbox: sandboxChaos,
  scripts: scriptsChaos,
};

async function main(options: ChaosOptions): Promise<void> {
  const sections: Section[] = [];
  for await (const section of SUITES[options.suite](options)) {
    console.log(writeSection(section, NAME_WIDTH));
    sections.push(section);
  }
  console.log(`\n${writeTotals(sections)}`);
  if (!isPassed(sections)) process.exitCode = 1;
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run chaos -- --help" says what there is.',
  usageCode: 1,
});
