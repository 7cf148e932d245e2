import { COMMANDS } from '../program.js';
import { completeWords } from './complete-words.js';

function offered(line: string): { words: string[]; files: boolean } {
  const { words, files } = completeWords(Object.values(COMMANDS).flat(), line.split(' '));
  return { words: words.map(({ word }) => word), files };
}

describe('completion', () => {
  it.each([
    ['s', ['schedules', 'skills', 'sessions'], false],
    ['sessions re', ['rewind'], true],
    ['sessions ', 'show', true],
    ['run ', [], true],
    ['run a.ts ', [], false],
    ['run --script ', [], true],
    ['run --script demo.txt ', [], true],
    ['run --sc', ['--script'], false],
    ['sessions show --se', ['--session'], false],
    ['sessions --li', ['--limit'], false],
    ['check --format g', ['github'], false],
    ['check -p ', [], true],
    ['check --format=g', ['--format=github'], false],
    ['check --project=', [], true],
    ['check --strict=', [], false],
    ['new my-app -t s', ['service'], false],
    ['new --no', ['--no-install'], false],
    ['web a.ts b.ts ', [], true],
    ['completion ', ['bash', 'zsh', 'fish'], false],
    ['nothing ', [], false],
    ['run --user ', [], false],
  ])('offers for "adorn %s"', (line, words, files) => {
    const found = offered(line);

    if (typeof words === 'string') expect(found.words).toContain(words);
    else expect(found.words).toEqual(words);
    expect(found.files).toBe(files);
  });
});
