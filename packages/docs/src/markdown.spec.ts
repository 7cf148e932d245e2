import { REPOSITORY } from './folders.js';
import {
  followConventions,
  type MarkdownIt,
  type Token,
  withCaption,
  withoutInterpolation,
} from './markdown.js';

const token = (fields: Partial<Token>): Token => ({
  type: 'fence',
  tag: '',
  content: '',
  info: '',
  children: null,
  attrGet: () => null,
  attrSet: () => undefined,
  ...fields,
});

describe('withCaption', () => {
  const render = (info: string) =>
    withCaption(([fence]) => `<pre>${fence!.info}</pre>`)([token({ info })], 0);

  it('names the file of a program, leads to it, and leaves the language to VitePress', () => {
    expect(render('ts file=samples/a.ts')).toBe(
      `<figure class="listing"><figcaption><a href="${REPOSITORY}samples/a.ts" target="_blank" rel="noreferrer">samples/a.ts</a></figcaption><pre>ts</pre></figure>`,
    );
  });

  it('leaves other code alone', () => {
    expect(render('ts {1}')).toBe('<pre>ts {1}</pre>');
  });
});

describe('withoutInterpolation', () => {
  it('keeps braces from Vue', () => {
    const text = withoutInterpolation(() => 'a {{ name }} and { one }');

    expect(text([], 0)).toBe('a &#123;&#123; name }} and { one }');
  });
});

describe('followConventions', () => {
  type Rule = Parameters<MarkdownIt['core']['ruler']['push']>[1];

  const ENDS = {
    fence: '<pre>{{ a }}</pre>',
    text: '{{ a }}',
    code_inline: '<code>{{ a }}</code>',
    code_block: '',
  };

  /** A page that was given its conventions: rules of the renderer that answer with a fixed text, and rules of links. */
  function followed() {
    const rules = Object.fromEntries(Object.entries(ENDS).map(([name, html]) => [name, () => html]));
    const onTokens: Rule[] = [];
    const markdown: MarkdownIt = {
      disable: () => undefined,
      core: { ruler: { push: (_name, rule) => onTokens.push(rule) } },
      renderer: { rules },
    };
    followConventions(markdown, {
      folder: '/pages',
      pages: new Set(['packages/docs/a.md', 'packages/docs/b.md']),
    });
    return { onTokens, render: (name: string) => markdown.renderer.rules[name]!([token({})], 0) };
  }

  function leadLinks(href: string, env: Parameters<Rule>[0]['env']): string {
    const attributes = { href };
    const link = token({
      type: 'link_open',
      attrGet: () => attributes.href,
      attrSet: (_name, value) => (attributes.href = value),
    });
    const paragraph = token({ type: 'inline', children: [link] });
    for (const rule of followed().onTokens) rule({ tokens: [paragraph], env });
    return attributes.href;
  }

  it('leads the links of a page to the site', () => {
    const path = '/pages/packages/docs/a.md';

    expect(leadLinks('b.md', { path })).toBe('/b');
    expect(leadLinks('b.md', { path: '/pages/a.md', realPath: path })).toBe('/b');
  });

  it('leaves the links of what is no page alone', () => {
    expect(leadLinks('b.md', { path: '/pages/a.md' })).toBe('b.md');
  });

  it('keeps braces in prose and in code within it from Vue', () => {
    expect(followed().render('text')).toBe('&#123;&#123; a }}');
    expect(followed().render('code_inline')).toBe('<code>&#123;&#123; a }}</code>');
  });

  it('renders indented code as a fence, from which VitePress keeps Vue away', () => {
    expect(followed().render('code_block')).toBe(ENDS.fence);
  });
});
