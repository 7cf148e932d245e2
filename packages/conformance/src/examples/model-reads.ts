import type { Event } from 'adorn';
import type { CapturedRequest, ScriptedLive, ScriptedModel } from '@adorn/testing';

/** A function as a model is told of it. */
export interface Declared {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema?: Record<string, unknown>;
}

/** The functions that a request declares. */
export function declaredIn({ requests }: ScriptedModel, at = 0): Declared[] {
  return functionsOf(requests[at]?.config.tools);
}

/** The functions that the newest connection was opened with. */
export function declaredLive({ connection }: ScriptedLive): Declared[] {
  return functionsOf(connection.setup.tools);
}

function functionsOf(tools: readonly object[] = []): Declared[] {
  return tools.flatMap((tool) =>
    'functionDeclarations' in tool ? (tool.functionDeclarations as Declared[]) : [],
  );
}

/** The instruction of a request. */
export function instructionIn({ requests }: ScriptedModel, at = 0): string {
  return JSON.stringify(requests[at]?.config.systemInstruction);
}

/** What a request tells the model of the results of calls, in their order. */
export function responsesIn(
  { requests }: { readonly requests: readonly CapturedRequest[] },
  at = -1,
): unknown[] {
  const parts = requests.at(at)?.contents.flatMap((content) => content.parts ?? []) ?? [];
  return parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : []));
}

/** The authors and texts of stored answers. */
export function spokenIn(events: readonly Event[]): string[] {
  return events.flatMap(({ author, text }) => (text === '' ? [] : [`${author}: ${text}`]));
}
