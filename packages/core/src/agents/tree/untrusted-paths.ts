/** An agent of a tree, with what decides about ways from untrusted results to sensitive calls. */
export interface TaintedAgent<Tool extends TaintedTool> {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly subAgents: readonly TaintedAgent<Tool>[];
}

export interface TaintedTool {
  readonly name: string;
  readonly untrusted?: boolean | undefined;
  readonly sensitive?: boolean | undefined;
}

/** A tool of an agent in a tree. */
export interface TaintedOffer<Tool extends TaintedTool> {
  readonly tool: Tool;
  readonly agent: string;
  /** The sub-agent of the tree's root below which it is; undefined for the root's own tools. */
  readonly branch: TaintedAgent<Tool> | undefined;
}

/** A way from the results of an `untrusted` tool to the calls of a `sensitive` one. */
export interface UntrustedPath<Tool extends TaintedTool> {
  readonly source: TaintedOffer<Tool>;
  readonly target: TaintedOffer<Tool>;
}

/** The ways that first meet in this agent: a pair within one branch is one of that branch. */
export function untrustedPaths<Tool extends TaintedTool>(root: TaintedAgent<Tool>): UntrustedPath<Tool>[] {
  const offers = offersIn(root);
  const sources = offers.filter(({ tool }) => tool.untrusted === true);
  const targets = offers.filter(({ tool }) => tool.sensitive === true);
  return sources.flatMap((source) =>
    targets
      .filter((target) => source.branch === undefined || source.branch !== target.branch)
      .map((target) => ({ source, target })),
  );
}

function offersIn<Tool extends TaintedTool>(root: TaintedAgent<Tool>): TaintedOffer<Tool>[] {
  const own = root.tools.map((tool) => ({ tool, agent: root.name, branch: undefined }));
  const below = root.subAgents.flatMap((branch) => offersIn(branch).map((offer) => ({ ...offer, branch })));
  return [...own, ...below];
}
