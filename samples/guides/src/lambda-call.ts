/* eslint-disable @typescript-eslint/no-deprecated -- hono's announced package for Lambda is not published yet */
import { createAdornClient } from '@adorn/server/client';
import type { APIGatewayProxyResult } from 'hono/aws-lambda';

import { handler } from './lambda.js';

const url = 'https://abc.lambda-url.eu-north-1.on.aws';
const client = createAdornClient(url, { headers: { 'x-key': 'secret' }, fetch: callFunction });
const chat = await client.createSession();
const { status, text } = await chat.send('Find order A-17');
console.log(status, text);

/** Calls the function with the event that a function URL makes of a request. */
async function callFunction(...given: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(...given);
  const { host, pathname, searchParams } = new URL(request.url);
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: searchParams.toString(),
    headers: { ...Object.fromEntries(request.headers), host },
    requestContext: { domainName: host, http: { method: request.method, path: pathname } },
    body: await request.text(),
    isBase64Encoded: false,
  };
  const answer = (await handler(event as never)) as APIGatewayProxyResult;
  const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8');
  return new Response(body, { status: answer.statusCode, headers: answer.headers as Record<string, string> });
}
