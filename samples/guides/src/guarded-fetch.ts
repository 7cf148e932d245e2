import { AdornError } from 'adorn';
import { guardedFetch } from '@adorn/http';

const fetch = guardedFetch({ timeout: 5_000 });
for (const address of [
  'http://169.254.169.254/latest/meta-data/',
  'http://2130706433/',
  'http://[::ffff:7f00:1]/',
]) {
  try {
    const response = await fetch(address);
    console.log(response.status);
  } catch (error) {
    if (AdornError.is(error)) console.log(`${error.code}: ${error.message}`);
  }
}
await fetch.close();
