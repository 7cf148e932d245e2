/** A message is a line of JSON. */
export interface PyodideFile {
  readonly name: string;
  /** The content in base64. */
  readonly data: string;
}

/** To the program in Deno: the settings first, then programs. */
export interface PyodideSettings {
  /** The folder of Pyodide, which may be read until the program is ready. */
  readonly folder: string;
  /** The packages that are loaded at the start. */
  readonly packages: readonly string[];
  /** Bytes of the memory of Python. */
  readonly memory: number;
  readonly maxOutput: number;
  readonly maxFiles: number;
}

export interface PyodideRun {
  /** Names the execution: its end has the same. Code does not know it. */
  readonly id: string;
  readonly code: string;
  readonly files: readonly PyodideFile[];
}

/** From the program in Deno. Code can write such lines too, so the host believes none of them. */
export type FromPyodide =
  /** Started; with the permissions that it has, of which there must be none. */
  | { readonly kind: 'ready'; readonly granted: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly data: string }
  /** Bytes that were not sent, because the limit was reached. */
  | { readonly kind: 'dropped'; readonly stream: 'stdout' | 'stderr'; readonly bytes: number }
  | {
      readonly kind: 'done';
      /** The id of the execution that has ended. */
      readonly id: string;
      readonly exitCode: number;
      /** JSON of the value of the last expression. */
      readonly json?: string;
      readonly files: readonly PyodideFile[];
      /** Bytes of files that were not sent, because the limit was reached. */
      readonly droppedFiles: number;
    };
