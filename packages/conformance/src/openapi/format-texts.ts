import { isJson } from '../types/json-shape.js';

/** A text for each format, which the sampler does not know. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T10:00:00Z',
  time: '10:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  'uri-reference': '/a',
  iri: 'https://example.com/a',
  'iri-reference': '/a',
  'uri-template': '/a/{b}',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  regex: '^a$',
  uuid: '7f3b0f4e-7c0c-4b63-9a4c-2e6a3c1d5b11',
  byte: 'aGVsbG8=',
  binary: 'aGVsbG8=',
};

/** The schema with texts of their format in place of the format. */
export function withTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTexts);
  if (!isJson(schema)) return schema;
  const { format, contentEncoding, enum: choices, pattern } = schema;
  const text = contentEncoding === 'base64' ? 'aGVsbG8=' : FORMATS[String(format)];
  if (text !== undefined && choices === undefined && pattern === undefined) return { enum: [text] };
  const inner = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withTexts(part)]));
  const isText = schema['type'] === 'string' && choices === undefined && pattern === undefined;
  return isText ? { minLength: 1, ...inner } : inner;
}
