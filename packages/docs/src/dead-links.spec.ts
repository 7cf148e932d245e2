import { findDeadLinks } from './dead-links.js';
import { REPOSITORY } from './folders.js';

const FILES = ['assets/a.png', 'assets/b.js'];

function deadOn(html: string, page = 'how/a.html'): string[] {
  return findDeadLinks({
    pages: new Map([
      [page, html],
      ['index.html', '<h1 id="top">'],
      ['how/index.html', ''],
      ['b.html', '<h2 id="über-uns" tabindex="-1">'],
    ]),
    hasFile: (path) => FILES.includes(path),
    hasSource: (path) => path === 'LICENSE',
  });
}

describe('findDeadLinks', () => {
  it.each([
    '/',
    '/#top',
    '/how/',
    '/b.html',
    '/b.html#über-uns',
    '/b.html#%C3%BCber-uns',
    './../b.html',
    './',
    'https://nodejs.org/x#y',
    'mailto:a@b.org',
    `${REPOSITORY}LICENSE#L3`,
    '/assets/a.png',
  ])('lets %s pass', (target) => {
    expect(deadOn(`<a class="x" href="${target}">`)).toEqual([]);
  });

  it.each(['/c.html', '/b.html#top', '/none/', '#here', '/assets/c.png', `${REPOSITORY}NONE`])(
    'finds %s, once for each page',
    (target) => {
      expect(deadOn(`<a href="${target}"><a href="${target}">`)).toEqual([
        `how/a.html links to ${target}, which is not there.`,
      ]);
    },
  );

  it('looks for headings of the page itself, for images and scripts', () => {
    expect(
      deadOn('<h2 id="here"><a href="#here"><img alt="" src="/assets/a.png"><script src="/assets/b.js">'),
    ).toEqual([]);
    expect(deadOn('<img alt="" src="/assets/c.png">')).toHaveLength(1);
  });
});
