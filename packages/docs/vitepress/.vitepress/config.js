export { siteConfig as default } from '@adorn/docs/site-config';
