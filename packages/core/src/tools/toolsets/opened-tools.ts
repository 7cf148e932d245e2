import type { InvocationContext } from '../../run/invocation-context.js';
import type { ClosedTools } from '../closed-tools.js';
import type { ToolTable } from '../tool-table.js';
import type { Tool } from '../tool.js';

/** The lists of opened tools, by the table they are of: the same list is declared with the same objects. */
const lists = new WeakMap<ToolTable, Map<string, readonly Tool[]>>();

/** How many lists are kept for a table. */
const MOST_LISTS = 64;

const NONE: readonly Tool[] = Object.freeze([]);

/**
 * The tools that the model has opened, in the order in which it has opened them.
 *
 * @param table the tools of the agent and its toolsets, as they are now
 */
export function openedTools(
  boxes: readonly ClosedTools[],
  table: ToolTable,
  context: InvocationContext,
): readonly Tool[] {
  const names = openedNames(boxes, context);
  if (names.length === 0) return NONE;
  const known = lists.get(table) ?? new Map<string, readonly Tool[]>();
  lists.set(table, known);
  const key = names.join();
  let tools = known.get(key);
  if (tools === undefined) {
    tools = names.flatMap((name) => {
      const entry = table.find(name);
      return entry?.box === undefined ? [] : [entry.tool];
    });
    if (known.size >= MOST_LISTS) known.delete(known.keys().next().value as string);
    known.set(key, tools);
  }
  return tools;
}

/** The names of the tools that the model has opened, in their order. */
export function openedNames(boxes: readonly ClosedTools[], context: InvocationContext): string[] {
  return boxes
    .flatMap((box) => box.opened(context))
    .sort((one, other) => one.place - other.place)
    .flatMap(({ names }) => names);
}
