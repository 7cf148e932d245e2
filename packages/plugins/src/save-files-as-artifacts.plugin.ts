import { type CallbackContext, type Content, type Part, Plugin } from '@adorn/core';
import { describeThrown } from '@adorn/core/backend';

/**
 * Saves the files in a user's message as artifacts of the session, and stores a text such as
 * `[Uploaded Artifact: "report.pdf"]` in the place of each. A file that cannot be saved stays in the message, with a
 * warning in the log.
 */
export class SaveFilesAsArtifactsPlugin extends Plugin {
  readonly name: string = 'save_files_as_artifacts';

  override async onUserMessage(message: Content, context: CallbackContext): Promise<Content | undefined> {
    const { parts = [] } = message;
    if (!parts.some(isFile)) return undefined;
    const taken = new Set<string>();
    const kept: Part[] = [];
    for (const part of parts) kept.push(isFile(part) ? await saved(part, taken, context) : part);
    return { ...message, parts: kept };
  }
}

type FilePart = Part & { readonly inlineData: NonNullable<Part['inlineData']> };

function isFile(part: Part): part is FilePart {
  return part.inlineData !== undefined;
}

/** @param taken the names of the files before it in the same message */
async function saved(part: FilePart, taken: Set<string>, context: CallbackContext): Promise<Part> {
  const number = taken.size + 1;
  const given = safeName(part.inlineData.displayName) ?? `upload-${context.invocationId}-${String(number)}`;
  const name = freeName(given, taken);
  taken.add(name);
  try {
    await context.saveArtifact(name, part);
  } catch (error) {
    const { name: errorName, message } = describeThrown(error);
    context.logger.warn('a file of a message could not be saved as an artifact, and stays in the message', {
      invocationId: context.invocationId,
      artifact: name,
      error: `${errorName}: ${message}`,
    });
    return part;
  }
  return { text: `[Uploaded Artifact: ${JSON.stringify(name)}]` };
}

/** The longest name that is taken over, in characters: any such name fits into `MAX_NAME_BYTES`. */
const LONGEST = 80;

/** What a sender can do nothing else with than to name a file of this session; undefined if nothing is left. */
function safeName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/[:"]/g, '_')
    .trim();
  if (/^\.*$/.test(name)) return undefined;
  return name.slice(-LONGEST).replace(/^[\uDC00-\uDFFF]/, '');
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${String(number)}-${name}`;
    if (!taken.has(candidate)) return candidate;
  }
}
