import { isObject, type ToolUi } from '@adorn/core/backend';

/** What a server says of the page of a tool, and of who may call it (MCP Apps). */
export type ToolUiMeta = Pick<ToolUi, 'resourceUri' | 'visibility'>;

const LONGEST_URI = 2_048;
const EVERYBODY: ToolUiMeta['visibility'] = ['model', 'app'];

/** The key of pages before the extension was stable. */
const EARLY_KEY = 'ui/resourceUri';

/** Reads `_meta.ui` of a tool. What cannot be read counts as left out: models and pages may call the tool. */
export function uiMetaOf(meta: unknown): ToolUiMeta {
  const fields = isObject(meta) ? meta : {};
  const ui = isObject(fields['ui']) ? fields['ui'] : {};
  const uri = ui['resourceUri'] ?? fields[EARLY_KEY];
  return {
    resourceUri: isUiUri(uri) ? uri : undefined,
    visibility: visibilityOf(ui['visibility']),
  };
}

function visibilityOf(said: unknown): ToolUiMeta['visibility'] {
  if (!Array.isArray(said) || said.length === 0) return EVERYBODY;
  return EVERYBODY.filter((one) => said.includes(one));
}

/** True for the address of a page. */
export function isUiUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= LONGEST_URI;
}
