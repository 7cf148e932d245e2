import { defineSlot } from '../metadata/class-metadata.js';
import { overrideOptions } from './override-options.js';
import type { ToolOptions } from './tool-options.js';

/** What `@tool` was told about one method. */
export interface ToolMetadata {
  readonly method: string;
  readonly options: ToolOptions;
}

/** The marked methods of a class by name, so that an override keeps its place and a subclass may mark it anew. */
export type MarkedMethods = ReadonlyMap<string, ToolMetadata>;

export const TOOLS = defineSlot<MarkedMethods>({
  name: 'tools',
  empty: () => new Map(),
  overlay: (inherited, own) => {
    const all = new Map(inherited);
    for (const [method, marked] of own) {
      const base = inherited.get(method);
      const options = base === undefined ? marked.options : overrideOptions(base.options, marked.options);
      all.set(method, { method, options });
    }
    return all;
  },
});
