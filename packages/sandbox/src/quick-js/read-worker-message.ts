import { isFileName } from '../file-name.js';
import type { FromWorker, WorkerCall, WorkerFile } from './messages.js';

type Fields = Partial<Readonly<Record<string, unknown>>>;

/** The message that a worker has posted; undefined for anything else, which ends the worker. */
export function readWorkerMessage(posted: unknown): FromWorker | undefined {
  if (typeof posted !== 'object' || posted === null) return undefined;
  return isMessage(posted) ? posted : undefined;
}

function isMessage(posted: Fields): posted is FromWorker {
  const { kind, stream, text, bytes, calls } = posted;
  switch (kind) {
    case 'ready':
      return true;
    case 'output':
      return isStream(stream) && typeof text === 'string';
    case 'dropped':
      return isStream(stream) && isCount(bytes);
    case 'calls':
      return isListOf(calls, isCall);
    case 'done':
      return isDone(posted);
    default:
      return false;
  }
}

function isDone({ isOk, isTimeout, json, files }: Fields): boolean {
  return (
    typeof isOk === 'boolean' &&
    typeof isTimeout === 'boolean' &&
    (json === undefined || typeof json === 'string') &&
    isListOf(files, isFile)
  );
}

function isStream(value: unknown): boolean {
  return value === 'stdout' || value === 'stderr';
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isCall(value: unknown): value is WorkerCall {
  const { id, name, json } = (value ?? {}) as Fields;
  return isCount(id) && typeof name === 'string' && typeof json === 'string';
}

function isFile(value: unknown): value is WorkerFile {
  const { name, data } = (value ?? {}) as Fields;
  return typeof name === 'string' && isFileName(name) && data instanceof Uint8Array;
}

function isListOf(value: unknown, fits: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}
