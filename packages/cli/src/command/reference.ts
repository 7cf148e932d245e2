import { type CommandDeclaration, type Declaration, leavesOf } from './declaration.js';
import { EXIT_CODES } from './exit-codes.js';
import { shownFlags } from './option-flags.js';
import type { Parameter } from './parameter.js';

/** The reference of all commands as Markdown: a section for each heading, with its commands. */
export function referenceOf(groups: Readonly<Record<string, readonly Declaration[]>>): string {
  const sections = Object.entries(groups).map(([heading, declarations]) =>
    [`## ${heading}`, ...leavesOf(declarations).map(({ path, command }) => sectionOf(path, command))].join(
      '\n\n',
    ),
  );
  return `${[...sections, exitCodes()].join('\n\n')}\n`;
}

function sectionOf(path: string, command: CommandDeclaration): string {
  const { summary, notes, exitCodes: codes = {}, examples } = command;
  const written = [
    'adorn',
    path,
    ...Object.values(command.arguments).map(({ placeholder = '' }) => placeholder),
  ];
  const rows = [
    ...Object.entries(command.arguments).map(([, one]) => rowOf(one.placeholder ?? '', one)),
    ...Object.entries(command.options).map(([name, one]) => rowOf(shownFlags(name, one), one)),
  ];
  const parts = [
    `### adorn ${path}`,
    `    ${written.join(' ')}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    rows.length === 0 ? '' : ['| | default | |', '| --- | --- | --- |', ...rows].join('\n'),
    notes === undefined ? '' : markdownOf(notes),
    Object.entries(codes)
      .map(([code, meaning]) => `Exit code ${code}: ${meaning}.`)
      .join('\n'),
    examples.map((example) => `    $ ${example}`).join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A default that the description tells is not told again. */
function rowOf(written: string, parameter: Parameter): string {
  const { description, fallback, isRequired = false, choices = [] } = parameter;
  const isQuiet =
    fallback === undefined || typeof fallback === 'boolean' || description.includes('(default:');
  const shown = Array.isArray(fallback) ? fallback.join(' ') : String(fallback);
  const byDefault = isQuiet || shown === '' ? '' : `\`${shown}\` `;
  const words = choices.length === 0 ? '' : `: ${choices.map((word) => `\`${word}\``).join(', ')}`;
  return `| \`${written}\` | ${isRequired ? 'required ' : byDefault}| ${inCell(description)}${words} |`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

/** Indented lines become code, with an empty line around them. */
function markdownOf(notes: string): string {
  let wasCode = false;
  return notes
    .trim()
    .split('\n')
    .flatMap((line) => {
      const isCode = line.startsWith(' ');
      const isChange = isCode !== wasCode && line !== '';
      if (line !== '') wasCode = isCode;
      return [...(isChange ? [''] : []), isCode ? `    ${line.trimStart()}` : line.replaceAll('<', '&lt;')];
    })
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function exitCodes(): string {
  const rows = Object.entries(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return ['## Exit codes', ['| code | |', '| --- | --- |', ...rows].join('\n')].join('\n\n');
}
