/** `WebAssembly.Memory`, which the types of Node.js do not declare. */
export interface GrowableMemory {
  readonly buffer: { readonly byteLength: number };
  /** @returns the pages before */
  grow(pages: number): number;
}

/** Bytes of a page of WebAssembly. */
const PAGE = 65_536;

/**
 * Bounds the memories of a prototype, because QuickJS does not count the bytes of ArrayBuffers. Only JavaScript of the worker
 * grows its memory: the module has no instruction for it.
 */
export function limitGrowth(prototype: GrowableMemory, bytes: number): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its object below
  const { grow } = prototype;
  prototype.grow = function (this: GrowableMemory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > bytes) throw new RangeError('the memory limit is reached');
    return grow.call(this, pages);
  };
}
