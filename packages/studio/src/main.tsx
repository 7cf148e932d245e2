import { render } from 'preact';

import { keepAddress } from './page/address.js';
import { keepTheme } from './page/appearance.js';
import { keepKeyboard } from './page/keyboard.js';
import { Studio } from './page/studio.js';
import { followAddress } from './server/open-session.js';
import { loadPage } from './server/session-list.js';

keepTheme();
keepAddress();
keepKeyboard();
followAddress();
render(<Studio />, document.getElementById('studio') as HTMLElement);
void loadPage();
