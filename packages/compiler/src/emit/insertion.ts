/** Code inserted into a file of the user. */
export interface Insertion {
  /** The offset, in the file without insertions, of what it stands before. */
  readonly position: number;
  /** Without a line break, so that the lines of the file keep their numbers. */
  readonly text: string;
}

const START = '/* adorn:derived */';
const END = '/* adorn:derived end */';
const INSERTED = /\/\* adorn:derived \*\/[^\n]*?\/\* adorn:derived end \*\//g;

/** The file's text with the insertions in it, each between two comments by which the next run knows it. */
export function withInsertions(plain: string, insertions: readonly Insertion[]): string {
  const lastFirst = [...insertions].sort((one, other) => other.position - one.position);
  return lastFirst.reduce(
    (text, { position, text: inserted }) => text.slice(0, position) + marked(inserted) + text.slice(position),
    plain,
  );
}

/** The insertion with its surrounding comments, as in the file. */
export function marked(text: string): string {
  return START + text.replaceAll('*/', '*\\/') + END;
}

/** The file's text as it was before the insertions of an earlier run. */
export function withoutInsertions(text: string): string {
  return text.replace(INSERTED, '');
}
