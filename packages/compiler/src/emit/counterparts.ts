import { ts } from '../typescript.js';

/** A node of a file, and what is alike of it and of what is emitted for it. */
export interface Candidate<Node extends ts.Node> {
  readonly node: Node;
  readonly likeness: string;
}

/** Maps the nodes of a source to their emitted nodes. */
export class Counterparts<Node extends ts.Node> {
  constructor(
    private readonly sources: readonly Candidate<Node>[],
    private readonly emitted: readonly Candidate<Node>[],
  ) {}

  /**
   * The node that was emitted for one of the source. Those that are alike keep their order, but for those that a
   * compiler may move; where that leaves a doubt, or the files do not agree, there is none.
   */
  find(source: ts.Node): Node | undefined {
    const likeness = this.sources.find(({ node }) => node === source)?.likeness;
    const there = this.sources.filter((one) => one.likeness === likeness);
    const here = this.emitted.filter((one) => one.likeness === likeness);
    if (there.length !== here.length || (there.length > 1 && there.some(isMovable))) return undefined;
    return here[there.findIndex(({ node }) => node === source)]?.node;
  }
}

/** What stands in a field or a decorator may be emitted behind or before the methods that stood beside it. */
function isMovable({ node }: Candidate<ts.Node>): boolean {
  const isMoved = (one: ts.Node): boolean => ts.isPropertyDeclaration(one) || ts.isDecorator(one);
  return ts.findAncestor(node, isMoved) !== undefined;
}
