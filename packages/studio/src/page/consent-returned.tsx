import { useEffect } from 'preact/hooks';

import { returnConsent } from '../server/consent.js';

/** What is left of a window in which a person has consented, if the browser does not let it close itself. */
export function ConsentReturned() {
  useEffect(returnConsent, []);
  return (
    <main class="refused">
      <h1>The studio has your answer</h1>
      <p>You can close this window.</p>
    </main>
  );
}
