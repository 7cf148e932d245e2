/** How a program of a language is run. */
export interface Language {
  /** The name of the file with the program. */
  readonly file: string;
  /** The command; the file is its last argument. */
  readonly command: readonly string[];
}

/** The languages that a sandbox of processes knows by name. */
export const LANGUAGES: Readonly<Record<string, Language | undefined>> = {
  python: { file: 'main.py', command: ['python3', '-I', '-B', '-u', '/tmp/code/run.py'] },
  javascript: { file: 'main.mjs', command: ['node'] },
  bash: { file: 'main.sh', command: ['bash'] },
  ruby: { file: 'main.rb', command: ['ruby'] },
  perl: { file: 'main.pl', command: ['perl'] },
  php: { file: 'main.php', command: ['php'] },
};
