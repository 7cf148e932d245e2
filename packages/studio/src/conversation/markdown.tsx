import { marked, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';

/** A text of an agent, written in Markdown. HTML in it is shown as it is written. */
export function Markdown({ text }: { readonly text: string }) {
  return <div class="markdown">{blocks(marked.lexer(text))}</div>;
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function Block({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <p class="markdown-heading">{inlines(token as Tokens.Heading)}</p>;
    case 'paragraph':
      return <p>{inlines(token as Tokens.Paragraph)}</p>;
    case 'text':
      return <>{inlines(token as Tokens.Text)}</>;
    case 'code':
      return (
        <pre tabIndex={0} aria-label="Code">
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens)}</blockquote>;
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    default:
      return <p>{token.raw}</p>;
  }
}

function List({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => <li key={index}>{blocks(item.tokens)}</li>);
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  return (
    <div class="markdown-table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index}>{inlines(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inlines(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines({ tokens, text }: { readonly tokens?: Token[]; readonly text: string }): ComponentChildren {
  return tokens ? tokens.map((token, index) => <Inline key={index} token={token} />) : text;
}

function Inline({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token as Tokens.Strong)}</strong>;
    case 'em':
      return <em>{inlines(token as Tokens.Em)}</em>;
    case 'del':
      return <del>{inlines(token as Tokens.Del)}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link link={token as Tokens.Link} />;
    case 'text':
    case 'escape':
      return <>{inlines(token as Tokens.Text)}</>;
    default:
      return <>{token.raw}</>;
  }
}

/** Only addresses of the web become links: a text of a model must not run a script. */
function Link({ link }: { readonly link: Tokens.Link }) {
  if (!/^https?:\/\//i.test(link.href)) return <>{inlines(link)}</>;
  return (
    <a href={link.href} target="_blank" rel="noreferrer noopener">
      {inlines(link)}
    </a>
  );
}
