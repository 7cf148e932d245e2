import { allOrEveryFault, EmittedFileError } from '../errors/errors.js';
import { findAskingClasses } from '../extract/class-services.js';
import { findClasses, type FoundClass } from '../extract/find-classes.js';
import { findFunctions, type FoundFunction } from '../extract/find-functions.js';
import { toolMembers } from '../extract/callable.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { declaredNameOf } from '../source/decorators.js';
import { ts } from '../typescript.js';
import { agentInsertion, type Insertion, recordInsertion, toolInsertion } from './insertion.js';
import type { RecordTarget } from './planned-file.js';

/** The declarations of a source that get a record: shared by `adorn build` and the bundler plugin. */
export class FoundRecords {
  readonly classes: readonly FoundClass[];
  /** Classes that only ask for services. */
  private readonly asking: readonly FoundClass[];
  private readonly functions: readonly FoundFunction[];

  constructor(
    source: ts.SourceFile,
    private readonly world: CheckerContext,
  ) {
    this.classes = findClasses(source, world);
    this.asking = findAskingClasses(source, world);
    this.functions = findFunctions(source, world);
  }

  get isEmpty(): boolean {
    return this.classes.length + this.asking.length + this.functions.length === 0;
  }

  /** The number of tools: methods of the classes, and functions. */
  get tools(): number {
    const methods = this.classes.flatMap(({ node }) => toolMembers(node, this.world.checker));
    return methods.length + new Set(this.functions.map(({ node }) => node)).size;
  }

  /**
   * The records, each with its place in the file that takes them: of a class in its body, of a function in the call
   * that makes it a tool, or with the agent among whose tools it stands.
   *
   * @throws what is wrong with one, or SeveralFaultsError
   */
  insertionsInto(target: RecordTarget): Insertion[] {
    const ofClasses = this.classes.map((one) => () => {
      const listed = this.functions.filter(({ call }) => decoratedBy(call) === one.node);
      return recordInsertion(one, listed, target, this.world);
    });
    const ofCalls = this.calls().map((call) => () => this.callInsertion(call, target));
    return [...allOrEveryFault([...ofClasses, ...ofCalls]), ...this.askingInsertions(target)];
  }

  /** Their records are omitted if the emitted class is ambiguous: such classes work without one. */
  private askingInsertions(target: RecordTarget): Insertion[] {
    return this.asking.flatMap((one) => {
      try {
        return [recordInsertion(one, [], target, this.world)];
      } catch (error) {
        if (error instanceof EmittedFileError) return [];
        throw error;
      }
    });
  }

  /** `defineTool` and `defineAgent` take records as arguments; a class with `@agent` contains its record. */
  private calls(): ts.CallExpression[] {
    const calls = new Set(this.functions.map(({ call }) => call));
    return [...calls].filter(({ expression }) => declaredNameOf(expression, this.world.checker) !== 'agent');
  }

  private callInsertion(call: ts.CallExpression, target: RecordTarget): Insertion {
    const made = this.functions.filter((one) => one.call === call);
    const [first] = made;
    return first && first.offered === call
      ? toolInsertion(first, target, this.world)
      : agentInsertion(call, made, target, this.world);
  }
}

/** The class that a call decorates. */
function decoratedBy({ parent }: ts.CallExpression): ts.Node | undefined {
  return ts.isDecorator(parent) ? parent.parent : undefined;
}
