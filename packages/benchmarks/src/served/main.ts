import { runCommand } from '@adorn/conformance/command-line/run-command';

import { formatTable } from '../overhead/report/format.js';
import { HELP } from './help.js';
import { percentile } from '../percentile.js';
import { latencies, streamMemory, throughputs } from './measures.js';
import { parseOptions, type ServedOptions } from './options.js';
import { sideBySide } from './side-by-side.js';

async function main(options: ServedOptions): Promise<void> {
  const { turns, requests, streams } = options;
  const { runner, served } = await latencies(turns);
  const rows = [0.5, 0.99].map((share) => {
    const [alone, overHttp] = [percentile(runner, share), percentile(served, share)];
    return [`p${String(share * 100)}`, ...[alone, overHttp, overHttp - alone].map((ms) => ms.toFixed(3))];
  });
  console.log(`${formatTable(['turn', 'runner ms', 'run_sse ms', 'added ms'], rows)}\n`);
  const rates = await throughputs(requests);
  console.log(
    `${formatTable(
      ['requests', 'per s'],
      rates.map(({ what, perSecond }) => [what, perSecond.toFixed(0)]),
    )}\n`,
  );
  const { heapBytes, residentBytes, answerBytes } = await streamMemory(streams);
  const [heap, resident, answer] = [heapBytes, residentBytes, answerBytes].map(kilobytes);
  console.log(
    `${String(streams)} streams that nobody reads, answers of ${answer ?? ''}: ${heap ?? ''} of heap and ${resident ?? ''} resident for each, client included.`,
  );
  console.log(`\n${await sideBySide(options)}`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run bench -- --help" lists every flag.',
  usageCode: 1,
});
