import { handler } from '../lambda.js';
import { expectPicture } from './picture.fixture.js';
import type { Step } from './picture-steps.fixture.js';

const steps: Step[] = [];
afterAll(() => expectPicture('12-deployment', { steps }));

it.each([
  ['/health', undefined, 200],
  ['/list-apps', 'secret', 200],
  ['/list-apps', 'wrong', 401],
  ['/list-apps', undefined, 401],
])('answers %s with the key %s by %i', async (path, key, status) => {
  const response = (await handler(eventOf(path, key))) as { readonly statusCode: number };

  expect(response).toMatchObject({ statusCode: status });
  steps.push(
    { from: 'client', to: 'function', text: `GET ${path}${key === undefined ? '' : `, x-key: ${key}`}` },
    { from: 'function', to: 'client', text: String(response.statusCode), kind: 'answer' },
  );
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
