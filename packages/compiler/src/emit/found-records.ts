import { allOrEveryFault } from '../errors/several-faults.error.js';
import { type FoundClass, findClasses } from '../extract/find-classes.js';
import { toolMembers } from '../extract/tool-members.js';
import type { TypeWorld } from '../schema/type-world.js';
import type { ts } from '../typescript.js';
import type { Insertion } from './insertion.js';
import { recordInsertion, type RecordTarget } from './record-insertion.js';

/** What of one source gets a record: `adorn build` and the bundler plugin ask here, so both write the same. */
export class FoundRecords {
  readonly classes: readonly FoundClass[];

  constructor(
    source: ts.SourceFile,
    private readonly world: TypeWorld,
  ) {
    this.classes = findClasses(source, world);
  }

  get isEmpty(): boolean {
    return this.classes.length === 0;
  }

  /** How many each of the classes has. */
  get tools(): number[] {
    return this.classes.map(({ node }) => toolMembers(node, this.world.checker).length);
  }

  /**
   * All that is to be inserted into the file that takes them.
   *
   * @throws what is wrong with one, or SeveralFaultsError
   */
  insertionsInto(target: RecordTarget): Insertion[] {
    return allOrEveryFault(this.classes.map((one) => () => recordInsertion(one, target, this.world)));
  }
}
