import type { Runner } from '@adorn/core';

/** The log of a session of the user `user`: a line for each text, call and response. */
export async function logOf(runner: Runner, sessionId: string): Promise<string[]> {
  const session = await runner.sessions.getSession({ appName: runner.appName, userId: 'user', sessionId });
  const parts = (session?.events ?? []).flatMap(({ author, content }) =>
    (content?.parts ?? []).map((part) => ({ author, ...part })),
  );
  return parts.flatMap(({ author, text, functionCall, functionResponse }) => {
    if (functionCall) return [`call ${functionCall.name ?? ''}`];
    if (functionResponse) return [`response ${functionResponse.name ?? ''}`];
    return text === undefined ? [] : [`${author}: ${text}`];
  });
}
