import { Marked } from 'marked';
import { escapeHtml } from '../page/frame.ts';

/** A page of the documentation with its table of contents. */
export interface Document {
  title: string;
  html: string;
  sections: { id: string; title: string }[];
}

/**
 * Renders one of our Markdown documents as a page. HTML tags in the document are escaped. `{{name}}` is replaced by a
 * value.
 * @param pageOf returns the page for another document to which this document links, if there is such a page
 */
export function renderDocument(
  markdown: string,
  values: Readonly<Record<string, string>>,
  pageOf: (href: string) => string | undefined,
): Document {
  const text = markdown.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  const sections: Document['sections'] = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = text;
          return `<h1>${inner}</h1>\n`;
        }
        const id = text
          .toLowerCase()
          .replace(/[^\p{L}\d]+/gu, '-')
          .replace(/^-|-$/g, '');
        if (depth === 2) sections.push({ id, title: text });
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      // Code blocks are focusable, so that wide code can be scrolled with the keyboard.
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code class="language-${escapeHtml(lang ?? '')}">${escapeHtml(text)}</code></pre>\n`,
      table(token) {
        const cell = (tag: string, tokens: Parameters<typeof this.parser.parseInline>[0]) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const head = token.header.map(({ tokens }) => cell(tokens.length === 0 ? 'td' : 'th', tokens)).join('');
        const rows = token.rows.map((row) => `<tr>${row.map(({ tokens }) => cell('td', tokens)).join('')}</tr>`);
        return `<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const to = pageOf(href) ?? href;
        return `<a href="${escapeHtml(to)}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { title, html, sections };
}
