/** The settings of a worker, as its `workerData`. */
export interface WorkerSettings {
  /** Bytes that QuickJS may allocate, arrays of bytes included. */
  readonly memory: number;
  readonly maxOutput: number;
  readonly maxFiles: number;
  /** The compiled `WebAssembly.Module` of QuickJS, which all workers share. */
  readonly wasmModule: object;
}

export interface WorkerFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** To the worker. */
export type ToWorker =
  | {
      readonly kind: 'run';
      readonly code: string;
      readonly timeout: number;
      readonly files: readonly WorkerFile[];
      readonly functions: readonly string[];
    }
  /** Answers to calls that came together, in the order in which code gets them. */
  | { readonly kind: 'answers'; readonly answers: readonly WorkerAnswer[] };

/** The answer to a call: JSON of the result, or a message. */
export interface WorkerAnswer {
  readonly id: number;
  readonly json?: string;
  readonly error?: string;
}

/** From the worker. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** Bytes that were not sent, because the limit was reached. */
  | { readonly kind: 'dropped'; readonly stream: 'stdout' | 'stderr'; readonly bytes: number }
  /** Code waits for functions of the application: the calls that it has made since, which may be none. */
  | { readonly kind: 'calls'; readonly calls: readonly WorkerCall[] }
  | {
      readonly kind: 'done';
      readonly isOk: boolean;
      readonly isTimeout: boolean;
      /** JSON of the value. */
      readonly json?: string;
      readonly files: readonly WorkerFile[];
    };

export interface WorkerCall {
  readonly id: number;
  readonly name: string;
  /** JSON of the arguments. */
  readonly json: string;
}
