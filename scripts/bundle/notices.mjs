import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { readJson } from '../setup/workspace.mjs';

const RULE = `\n${'-'.repeat(80)}\n`;

/** MIT asks that its notice travels with the copies; Apache-2.0 asks the same of ours. */
export function writeNotices(folder, inputs) {
  copyFileSync('LICENSE', `${folder}/LICENSE`);
  writeNoticesOf(inputs, `${folder}/dist/THIRD-PARTY.txt`);
}

/** Writes the notices of the packages that are among the input files of a bundle; no file if there are none. */
export function writeNoticesOf(inputs, target) {
  const copied = new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  if (copied.size === 0) return rmSync(target, { force: true });
  const text = [...copied].sort().map(noticeOf).join(RULE);
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
}

function noticeOf(folder) {
  const { name, version, license, author } = readJson(`${folder}/package.json`);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    file === undefined ? termsOf(name, license, author) : readFileSync(`${folder}/${file}`, 'utf8');
  return `${name} ${version} (${license})\n\n${text}`;
}

/** The terms of a package that ships without them, by the license that it names. */
function termsOf(name, license, author) {
  if (license !== 'MIT' || author === undefined)
    throw new Error(
      `${name} is bundled, and ships no license file: write its terms into scripts/bundle/notices.mjs.`,
    );
  return `Copyright (c) ${typeof author === 'string' ? author : author.name}\n\n${MIT}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;
