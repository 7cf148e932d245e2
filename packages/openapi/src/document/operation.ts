import type { ToolEffect } from '@adorn/core/backend';

/** What options and predicates know of an operation. */
export interface OperationInfo {
  /** The name of its tool. */
  readonly name: string;
  readonly operationId: string | undefined;
  /** In capitals, such as `GET`. */
  readonly method: string;
  /** The path template, such as `/pets/{petId}`. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly effect: ToolEffect;
  readonly isDeprecated: boolean;
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

export type ParameterStyle =
  'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

/** How a value is written as text. */
export interface Serialization {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

export interface Parameter extends Serialization {
  /** The name of the tool's argument. */
  readonly argument: string;
  /** The name in the request. */
  readonly name: string;
  readonly place: ParameterPlace;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: unknown;
  /** The kind of the media type in which the value is sent; undefined if it has a style. */
  readonly contentKind: BodyKind | undefined;
}

export type BodyKind = 'json' | 'form' | 'multipart' | 'bytes' | 'text';

export interface RequestBody {
  readonly kind: BodyKind;
  readonly mediaType: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: unknown;
  /** How properties of a form are written, by their names. */
  readonly encodings: ReadonlyMap<string, PartEncoding>;
}

/** How one property of a form is written. */
export interface PartEncoding {
  readonly contentType: string | undefined;
  readonly serialization: Serialization | undefined;
}

/** An operation that can be called. */
export interface Operation extends OperationInfo {
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** The server's base URL, without a slash at its end. */
  readonly baseUrl: URL;
}
