import type { Profiler } from 'node:inspector';

/** Where a function of the built output was written. */
export interface SourcePlace {
  /** The source file, from the root of the repository. */
  readonly path: string;
  readonly line: number;
}

/** What ran on a way. */
export interface WayCounts {
  /** The source files of which at least one named function ran, in alphabetical order. */
  readonly files: readonly string[];
  readonly functions: number;
  readonly calls: number;
}

/**
 * Counts what ran, of V8's precise coverage by function. Functions without a name, such as callbacks and the body of
 * a module, and V8's own, such as `<static_initializer>`, are no step that a reader follows: they are left out.
 *
 * @param placeOf the source of the function that begins at an offset of a script; undefined for other code
 */
export function countFunctions(
  coverage: readonly Profiler.ScriptCoverage[],
  placeOf: (url: string, offset: number) => SourcePlace | undefined,
): WayCounts {
  const files = new Set<string>();
  const functions = new Set<string>();
  let calls = 0;
  for (const script of coverage) {
    for (const { functionName, ranges } of script.functions) {
      const [whole] = ranges;
      if (!whole || whole.count === 0 || !isNamed(functionName)) continue;
      const place = placeOf(script.url, whole.startOffset);
      if (!place) continue;
      files.add(place.path);
      functions.add(`${place.path}:${String(place.line)} ${functionName}`);
      calls += whole.count;
    }
  }
  return { files: [...files].sort(), functions: functions.size, calls };
}

function isNamed(functionName: string): boolean {
  return functionName !== '' && !functionName.startsWith('<');
}
