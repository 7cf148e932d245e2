/**
 * What a library has to be told so that its JSON Schema is as strict as JSON allows: nothing that JSON cannot hold
 * becomes a schema that takes anything, and a check that JSON Schema has no word for is left to the library.
 */
export const LIBRARY_OPTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  arktype: { fallback: { date: refuse, domain: refuse, proto: refuse, unit: refuse } },
  valibot: { overrideAction: leaveToLibrary },
};

/** A part of a type that arktype has no JSON Schema for. */
interface ArkPart {
  readonly code: string;
  readonly domain?: string;
  readonly proto?: { readonly name: string };
  readonly unit?: unknown;
}

function refuse({ code, domain, proto, unit }: ArkPart): never {
  throw new Error(
    `${proto?.name ?? domain ?? (code === 'unit' ? String(unit) : 'Date')} has no form in JSON`,
  );
}

/** A step of a valibot pipe that has no word in JSON Schema adds nothing to the schema up to it. */
function leaveToLibrary({ jsonSchema }: { readonly jsonSchema: object }): object {
  return jsonSchema;
}
