import type { Fault } from '../server/connection.js';

/** The way to the sign-in page, if that is what a fault is about. */
export function SignInLink({ fault: { signIn } }: { readonly fault: Fault }) {
  if (signIn === undefined) return null;
  return (
    <p>
      <a href={signIn}>Sign in</a>
    </p>
  );
}
