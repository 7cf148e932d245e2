import { existsSync, readFileSync } from 'node:fs';

const FENCE = /^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```/gm;
const COMING_FROM = 'packages/docs/coming-from/';
const COMPILED = /^(packages|samples)\/[^/]+\/(templates\/[^/]+\/)?src\/.+\.ts$/;

/**
 * Every TypeScript block of a page names the compiled file it is taken from (a fence of `ts file=samples/…`, path from
 * the root) and says what stands there. A line of `// …` leaves lines out; the indentation may differ as a whole. A page
 * for people of another kit marks code of that kit with its package instead (`ts kit=ai`), which is not compiled here.
 * A block of another language that names a file (`json file=samples/…`) says what stands there, too.
 */
export function checkSnippets(pages) {
  const snippets = pages.flatMap(snippetsOf);
  return { what: 'snippets', count: snippets.length, faults: snippets.flatMap(faultsOf) };
}

function snippetsOf(page) {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(FENCE)]
    .filter(([, language, info]) => isTypeScript(language) || info.startsWith('file='))
    .filter(([, , info]) => !(page.startsWith(COMING_FROM) && info.startsWith('kit=')))
    .map(({ 1: language, 2: info, 3: code, index }) => ({
      language,
      place: `${page}:${String(text.slice(0, index).split('\n').length)}`,
      file: /\bfile=(\S+)/.exec(info)?.[1],
      code,
    }));
}

function isTypeScript(language) {
  return language === 'ts' || language === 'typescript';
}

function faultsOf({ place, language, file, code }) {
  if (file === undefined) {
    return [
      `${place}: the snippet does not say where it is from. Write its fence as \`\`\`ts file=samples/….ts`,
    ];
  }
  if (!existsSync(file)) return [`${place}: there is no file ${file}.`];
  if (isTypeScript(language) && !COMPILED.test(file)) {
    return [`${place}: ${file} is not a compiled file. Name one below src/ of a package or a sample.`];
  }
  if (code.trim() === '') return [`${place}: the snippet is empty. Say what ${file} says.`];
  const lines = readFileSync(file, 'utf8').split('\n');
  const lost = excerptsOf(code).find((excerpt) => !contains(lines, excerpt));
  if (lost === undefined) return [];
  return [
    `${place}: ${file} does not say this (any more): "${lost.find((line) => line.trim() !== '').trim()}" …`,
  ];
}

function excerptsOf(code) {
  const excerpts = [[]];
  for (const line of code.trimEnd().split('\n')) {
    if (/^\s*(?:\/\/|#) …$/.test(line)) excerpts.push([]);
    else excerpts.at(-1).push(line);
  }
  return excerpts.map(withoutBlankEnds).filter((excerpt) => excerpt.length > 0);
}

function withoutBlankEnds(lines) {
  const filled = lines.map((line) => line.trim() !== '');
  return lines.slice(Math.max(0, filled.indexOf(true)), filled.lastIndexOf(true) + 1);
}

function contains(lines, excerpt) {
  const wanted = outdented(excerpt);
  return lines.some((_, start) => outdented(lines.slice(start, start + excerpt.length)) === wanted);
}

/** The lines as one text, without the indentation that all of them share. */
function outdented(lines) {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const depth = Math.min(...depths);
  return lines.map((line) => line.slice(depth).trimEnd()).join('\n');
}
