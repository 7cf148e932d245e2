// Runs in a worker thread of its own, which the executor terminates: nothing here has to stop by itself.
import { parentPort, workerData } from 'node:worker_threads';

import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';

import { type GrowableMemory, limitGrowth } from './limit-growth.js';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.js';
import { QuickJsWorld } from './quick-js-world.js';

const settings = workerData as WorkerSettings;

/** Bytes that the module needs for itself. */
const OWN_MEMORY = 16 * 1024 * 1024;

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: { readonly prototype: GrowableMemory } };
};
limitGrowth(WebAssembly.Memory.prototype, settings.memory + OWN_MEMORY);
const { wasmModule } = settings;
const shared = newVariant(variant as unknown as QuickJSSyncVariant, { wasmModule });
const quickJs = await newQuickJSWASMModuleFromVariant(shared);
let world: QuickJsWorld | undefined;
// eslint-disable-next-line adorn/guarded-listeners -- what a worker throws ends the worker, and so its code
parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'answers') world?.answers(message.answers);
  else (world ??= new QuickJsWorld(quickJs.newContext(), settings, send)).run(message);
});
send({ kind: 'ready' });
