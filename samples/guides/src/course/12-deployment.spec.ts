import { handler } from '../lambda.js';

it.each([
  ['/health', undefined, 200],
  ['/list-apps', 'secret', 200],
  ['/list-apps', 'wrong', 401],
  ['/list-apps', undefined, 401],
])('answers %s with the key %s by %i', async (path, key, status) => {
  expect(await handler(eventOf(path, key))).toMatchObject({ statusCode: status });
});

/** A GET request, as a function URL hands it over. */
function eventOf(path: string, key: string | undefined) {
  const host = 'abc.lambda-url.eu-north-1.on.aws';
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { host, ...(key !== undefined && { 'x-key': key }) },
    requestContext: { domainName: host, http: { method: 'GET', path } },
    isBase64Encoded: false,
  } as never;
}
