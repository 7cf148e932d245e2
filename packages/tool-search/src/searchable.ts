import {
  type ClosedToolMaterials,
  type ClosedTools,
  ClosedToolSource,
  type ToolSource,
} from '@adorn/core/backend';

import { DeferredTools } from './deferred-tools.js';
import { ToolSearchOptionError } from './errors.js';
import { checkOptions, type SearchableOptions } from './options.js';

/**
 * Tools that the model has to find: it is declared one tool, `search_tools`, and those that it has found, from the next request
 * on and for the rest of the conversation. The tools keep their gates.
 *
 * An agent that lists several needs a `name` for each; one with all sources is searched as one. A class with
 * `@toolbox({ unfold: true })` is searched by its methods. What is also listed under `tools` itself is always declared.
 *
 * @param sources one source or several, as in `tools` of an agent: classes, functions, agents, toolsets
 * @throws {ToolSearchOptionError} if an option is invalid, or there is no source
 * @example
 * @agent({ tools: [Orders, searchable([openApiToolset(document), mcpToolset({ url })])] })
 * class Assistant extends LlmAgent {}
 */
export function searchable(
  sources: ToolSource | readonly ToolSource[],
  options: SearchableOptions = {},
): ClosedToolSource {
  checkOptions(options);
  const listed = isList(sources) ? [...sources] : [sources];
  if (listed.length > 0) return new SearchableSource(listed, options);
  throw new ToolSearchOptionError('the list of sources is empty', 'Pass what tools of an agent may list.');
}

function isList(sources: ToolSource | readonly ToolSource[]): sources is readonly ToolSource[] {
  return Array.isArray(sources);
}

/** Sources whose tools are searched. */
class SearchableSource extends ClosedToolSource {
  constructor(
    sources: readonly ToolSource[],
    private readonly options: SearchableOptions,
  ) {
    super('searchable', sources);
  }

  override boxOf(materials: ClosedToolMaterials): ClosedTools {
    return new DeferredTools(materials, this.options);
  }
}
