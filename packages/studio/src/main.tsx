import { render } from 'preact';

import { keepAddress } from './page/address.js';
import { keepTheme } from './page/appearance.js';
import { ConsentReturned } from './page/consent-returned.js';
import { keepKeyboard } from './page/keyboard.js';
import { Studio } from './page/studio.js';
import { isConsentReturn } from './server/consent.js';
import { followInbox } from './server/inbox.js';
import { followAddress, followAnswers } from './server/open-session.js';
import { loadPage } from './server/session-list.js';

const root = document.getElementById('studio') as HTMLElement;
keepTheme();
if (isConsentReturn()) render(<ConsentReturned />, root);
else {
  keepAddress();
  keepKeyboard();
  followAddress();
  followAnswers();
  followInbox();
  render(<Studio />, root);
  void loadPage();
}
