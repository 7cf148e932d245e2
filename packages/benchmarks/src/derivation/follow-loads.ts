import { createRequire, register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

const HOOK = `
let port;
export function initialize(data) { port = data.port; }
export async function load(url, context, next) {
  port.postMessage(url);
  return next(url, context);
}
`;

/** From now on follows what this process loads; the answer lists it by URL, modules of CommonJS by path. */
export function followLoads(): () => Promise<readonly string[]> {
  const { port1, port2 } = new MessageChannel();
  const urls: string[] = [];
  port1.on('message', (url: string) => urls.push(url));
  port1.unref();
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`, {
    data: { port: port2 },
    transferList: [port2],
  });
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return [...new Set([...urls, ...Object.keys(createRequire(import.meta.url).cache)])];
  };
}

/** For the hook's last messages to arrive from its thread. */
const SETTLE_MS = 50;
