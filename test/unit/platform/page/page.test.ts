import { describe, expect, test } from 'bun:test';
import { NOTICE } from '../../../../src/platform/http/openapi/demonstration.ts';
import { type Page, renderPage } from '../../../../src/platform/page/document.ts';
import { cssString } from '../../../../src/platform/page/escape.ts';
import { html, styleElement } from '../../../../src/platform/page/html.ts';
import { wantedForm } from '../../../../src/platform/page/negotiation.ts';
import { seenPage } from '../../../support/page.ts';

const HOSTILE = `</style><script>alert('1')</script><a b="c">&\u0000\ud800`;

describe('markup from a template', () => {
  test('contains texts and numbers escaped, markup and lists of it as they are, and nothing for null', () => {
    const list = ['<i>', 7, html`<b>${'&'}</b>`, null].map((content) => html`<li>${content}</li>`);
    const { text } = html`<ul title="${'"'}">${list}</ul>`;
    expect(text).toBe('<ul title="&quot;"><li>&lt;i&gt;</li><li>7</li><li><b>&amp;</b></li><li></li></ul>');
  });

  test('has no way out of an element or an attribute', () => {
    const { text } = html`<p title="${HOSTILE}">${HOSTILE}</p>`;
    expect(text.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
    expect(text.match(/"/g)).toEqual(['"', '"']);
    expect(text.isWellFormed()).toBe(true);
  });

  test('refuses a style that could end its element', () => {
    expect(styleElement('p>a{}').text).toBe('<style>p>a{}</style>');
    expect(() => styleElement('</style>')).toThrow(RangeError);
  });

  test('has strings of CSS that a text cannot end', () => {
    expect(cssString('pkg_1: a, b/c.d-e')).toBe('"pkg_1: a, b/c.d-e"');
    expect(cssString('a"}\\\n<é😀')).toBe('"a\\22 \\7d \\5c \\a \\3c \\e9 \\1f600 "');
    expect(cssString('\ud800')).toBe('"\\fffd "');
  });
});

const page = (changes: Partial<Page> = {}): Page => ({
  title: 'A title',
  margins: { topLeft: 'left', topRight: 'right', bottomLeft: 'below' },
  body: html`<p>Content</p>`,
  notice: null,
  ...changes,
});

describe('a page', () => {
  test('allows exactly its styles by their hashes, and nothing else', () => {
    const { text, headers } = renderPage(page());
    const styles = [...text.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) => style);
    const hashes = styles.map(
      (style) => `'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`,
    );
    expect(hashes).toHaveLength(2);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${hashes.join(' ')}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
  });

  test('contains hostile texts of its title and its margins as texts', async () => {
    const margins = { topLeft: HOSTILE, topRight: HOSTILE, bottomLeft: HOSTILE };
    const { text } = renderPage(page({ title: HOSTILE, margins }));
    const { elements } = await seenPage(text);
    expect([...elements.keys()]).not.toContain('script');
    expect(elements.get('style')).toBe(2);
  });

  test('says that its data is made up exactly in a demonstration', () => {
    expect(renderPage(page({ notice: NOTICE })).text).toContain(NOTICE);
    expect(renderPage(page()).text).not.toContain(NOTICE);
  });
});

describe('a request', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const TABLE: [string, string | null, boolean][] = [
    ['of a browser prefers the page', browser, true],
    ['for HTML only prefers the page', 'text/html', true],
    ['without Accept gets JSON', null, false],
    ['for any type gets JSON', '*/*', false],
    ['for JSON gets JSON', 'application/json', false],
    ['that prefers JSON to HTML gets JSON', 'text/html;q=0.5, application/json', false],
    ['that excludes HTML gets JSON', 'text/html;q=0', false],
    ['with a malformed Accept gets JSON', 'text/html;q=high, ,;', false],
  ];
  test.each(TABLE)('%s', (_, accept, expected) => {
    const headers = accept === null ? {} : { accept };
    const set: Record<string, string> = {};
    const form = wantedForm(new Request('http://localhost/', { headers }), set, '"abc"');
    expect([form, set.etag]).toEqual(expected ? ['page', '"abc-page"'] : ['json', '"abc"']);
    expect(set).toMatchObject({ vary: 'Accept', 'cache-control': 'no-cache' });
  });

  test('for a document that shared caches must not store gets a private one', () => {
    const set: Record<string, string> = {};
    expect(wantedForm(new Request('http://localhost/'), set, '"abc"', true)).toBe('json');
    expect(set['cache-control']).toBe('private, no-cache');
  });
});
