import type { ServerResponse } from 'node:http';

const TEXTS: Readonly<Record<number, string>> = {
  401: 'The name or the password is wrong.',
  403: 'This form comes from another page.',
  404: 'There is nothing here.',
};

// A form without `action` is posted to the address of the page, with its `?next=`.
const SIGN_IN = `<form method="post">
  <label>Name <input name="name" autocomplete="username" required autofocus></label>
  <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
  <button>Sign in</button>
</form>`;

const SIGNED_OUT = '<p><a href="/login">Sign in</a></p>';

const SIGNED_IN = `<p><a href="/studio/">Studio</a></p>
<form method="post" action="/logout"><button>Sign out</button></form>`;

/** What a page shows. */
interface PageContent {
  /** Who is signed in. */
  readonly name?: string | undefined;
  /** True for the form to sign in. */
  readonly hasForm?: boolean;
}

/** Writes a page of the application. */
export function page(response: ServerResponse, status: number, { name, hasForm }: PageContent = {}): void {
  const text = TEXTS[status] ?? (name === undefined ? 'The desk of the shop.' : `You are ${name}.`);
  const signedOut = hasForm === true ? SIGN_IN : SIGNED_OUT;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    // With no-referrer, browsers would send forms of this page with "Origin: null".
    'referrer-policy': 'same-origin',
  });
  response.end(`<!doctype html>
<html lang="en">
<title>Desk</title>
<meta name="viewport" content="width=device-width">
<style>body { font: 1rem system-ui; margin: 3rem } label { display: block; margin: 1rem 0 }</style>
<h1>Desk</h1>
<p>${text}</p>
${name === undefined ? signedOut : SIGNED_IN}
</html>
`);
}
