import { JsonView } from '../inspector/json-view.js';
import type { AgentTool } from '../server/app-graph.js';

/** The effect of a tool as a word. */
export function Effect({ tool }: { readonly tool: AgentTool | undefined }) {
  if (tool?.effect === undefined) return null;
  return <span class={`effect effect-${tool.effect}`}>{tool.effect}</span>;
}

/** Arguments as they were written, one line each. */
export function Arguments({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(args);
  if (entries.length === 0) return null;
  return (
    <dl class="arguments">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {typeof value === 'object' && value !== null ? (
              <JsonView value={value} depth={1} />
            ) : (
              <code>{shortJson(value)}</code>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** JSON on one line, with a space where a person would put one. */
export function shortJson(value: unknown): string {
  if (typeof value === 'string') return value;
  return ((JSON.stringify(value, null, 1) as string | undefined) ?? 'undefined').replace(/\n\s*/g, ' ');
}
