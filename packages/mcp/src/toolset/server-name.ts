import { cleanText } from './clean-text.js';
import type { HttpToolsetOptions, StdioToolsetOptions } from './mcp-toolset-options.js';

/** The longest name of a server in messages, in characters. */
const LONGEST = 100;

/**
 * The server in messages: its `name`, or its command with arguments, or its URL. Secrets that arguments and URLs hold are
 * left out: values of options with a telling name, the query, and long segments of a path.
 */
export function serverName(options: StdioToolsetOptions | HttpToolsetOptions): string {
  if (options.name !== undefined) return options.name;
  if ('command' in options) return cleanText(commandLine(options).replace(/\s+/g, ' '), LONGEST);
  const { origin, pathname } = new URL(options.url);
  return cleanText(origin + pathname.replace(OPAQUE_SEGMENT, '…'), LONGEST).replace(/\/$/, '');
}

const OPAQUE_SEGMENT = /[^/]{24,}/g;
const SECRET_OPTION = /^(-{1,2}[^=]*(?:key|token|secret|password|pat|auth)[^=]*)(=.*)?$/i;
/** What tokens of well-known services begin with, and URLs with a password. */
const SECRET_VALUE = /^(sk|pk|rk|gh[a-z]|xox[a-z]|glpat|github_pat|sbp|ntn)[_-]|:\/\/[^/@]*:[^/@]*@/;

function commandLine({ command, args = [] }: StdioToolsetOptions): string {
  const shown = args.map((arg, index) => {
    const [, option, value] = SECRET_OPTION.exec(arg) ?? [];
    if (value !== undefined) return `${String(option)}=…`;
    const before = SECRET_OPTION.exec(args[index - 1] ?? '');
    const isValue = before !== null && before[2] === undefined && !arg.startsWith('-');
    return isValue || SECRET_VALUE.test(arg) ? '…' : arg;
  });
  return [command, ...shown].join(' ');
}
