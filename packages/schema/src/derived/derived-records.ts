import { type ClassReference, defineSlot, readOwnMetadata } from '../metadata/class-metadata.js';
import { deriveOnDemand, type Wanted, type WantedClass } from './derive-on-demand.js';
import { DERIVED, type DerivedClass, type DerivedTool } from './derived-class.js';

/** The files in which a class may have been decorated, the nearest first: where the compiler looks for it. Not inherited. */
export const DECLARATION_SITES = defineSlot<readonly string[]>({
  name: 'declaration-sites',
  empty: () => [],
  overlay: (_inherited, own) => own,
});

/** The records of classes, their bases left aside. */
export type DerivedRecords = ReadonlyMap<ClassReference, DerivedClass>;

/** Classes, and which of their methods need a schema. */
export type ToolMethods = ReadonlyMap<ClassReference, readonly string[]>;

/** Classes whose records are optional. */
export interface HelpfulRecords {
  /** The classes, without those that are needed anyway. */
  readonly classes: readonly ClassReference[];
  /**
   * True to start the compiler for them alone; otherwise they are derived only together with required
   * records.
   */
  readonly deriveAlone: boolean;
}

/**
 * Finds the records of classes, and fills in those of functions: as `adorn build` wrote them, else derived on
 * demand, all missing ones at once.
 *
 * @param helpful records that are left out where they cannot be had
 * @throws {SchemaMissingError} where there is no record and none can be derived
 * @throws {DerivationFailedError} where the compiler could not
 */
export async function loadDerivedRecords(
  targets: ToolMethods,
  functions: Iterable<FunctionRecord> = [],
  helpful?: HelpfulRecords,
): Promise<DerivedRecords> {
  const records = new Map<ClassReference, DerivedClass>();
  const wanted: Wanted[] = [];
  for (const [target, methods] of targets) {
    const written = writtenRecord(target);
    if (written) records.set(target, written);
    else wanted.push(wantedClass(target, methods, records));
  }
  for (const one of functions) if (!one.derived) wanted.push(wantedFunction(one));
  const derives = wanted.length > 0 || helpful?.deriveAlone === true;
  for (const target of helpful?.classes ?? []) {
    if (targets.has(target)) continue;
    const written = writtenRecord(target);
    if (written) records.set(target, written);
    else if (derives) wanted.push({ ...wantedClass(target, [], records), isOptional: true });
  }
  await deriveOnDemand(wanted);
  return records;
}

/** The record of one function, loaded if missing; throws the errors of {@link loadDerivedRecords}. */
export async function loadFunctionRecord(record: FunctionRecord): Promise<DerivedTool> {
  await loadDerivedRecords(new Map(), [record]);
  return record.derived as DerivedTool;
}

/** The record that `adorn build` wrote into the class. */
export function writtenRecord(target: ClassReference): DerivedClass | undefined {
  return Object.hasOwn(target, DERIVED) ? (target as { [DERIVED]?: DerivedClass })[DERIVED] : undefined;
}

function wantedClass(
  target: ClassReference,
  methods: readonly string[],
  records: Map<ClassReference, DerivedClass>,
): WantedClass {
  const sites = readOwnMetadata(target, DECLARATION_SITES) ?? [];
  return { kind: 'class', name: target.name, sites, methods, keep: (record) => records.set(target, record) };
}

function wantedFunction(record: FunctionRecord): Wanted {
  return {
    kind: 'function',
    name: record.name,
    sites: record.sites,
    keep: (derived) => {
      record.derived = derived;
    },
  };
}

/** A function that is a tool, with its record: built, or loaded on demand. */
export class FunctionRecord {
  constructor(
    /** The name by which the compiler finds it: its own, or that of the tool. */
    readonly name: string,
    /** The files that may make it a tool: see `DECLARATION_SITES`. */
    readonly sites: readonly string[],
    /** What is known of the function; undefined until it is derived. */
    public derived?: DerivedTool,
  ) {}
}

/** The name of a class in its source, if built: a minifier may have changed the other. */
export function sourceName(target: ClassReference): string {
  return writtenRecord(target)?.name ?? target.name;
}
