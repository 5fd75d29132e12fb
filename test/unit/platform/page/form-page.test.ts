import { describe, expect, test } from 'bun:test';
import { errorPage } from '../../../../src/platform/page/error-page.ts';
import { type FormPage, renderFormPage } from '../../../../src/platform/page/form-page.ts';
import { html } from '../../../../src/platform/page/html.ts';
import { seenPage } from '../../../support/page.ts';

const HOSTILE = `"><script>alert('1')</script>`;
const PLACE = { home: '/account', homeName: 'Your account', notice: null };

const page = (changes: Partial<FormPage> = {}): FormPage => ({
  title: 'A form',
  header: null,
  body: html`<form method="post" action="/account/login"><button>Send</button></form>`,
  notice: null,
  ...changes,
});

describe('a page with forms', () => {
  test('sends them to its own origin only, and is neither framed nor stored', async () => {
    const { text, headers } = renderFormPage(page());
    const styles = [...text.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) => style);
    const hashes = styles.map(
      (style) => `'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`,
    );
    expect(headers).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${hashes.join(' ')}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
    await seenPage(text, true);
  });

  test('loads another page after a time if it says so', () => {
    expect(renderFormPage(page()).text).not.toContain('http-equiv');
    expect(renderFormPage(page({ refresh: { seconds: 3 } })).text).toContain(
      '<meta http-equiv="refresh" content="3">',
    );
    const { text } = renderFormPage(
      page({ refresh: { seconds: 0, url: `https://pay.example/?a=1&${HOSTILE}` } }),
    );
    expect(text).toContain('content="0;url=https://pay.example/?a=1&amp;&quot;&gt;&lt;script&gt;');
  });
});

describe('the page of an error', () => {
  test('says what happened, and leads on', async () => {
    const failed = { status: 429, message: 'Try again in 7 seconds.', requestId: '019de396', address: '/x' };
    const { text } = errorPage(failed, PLACE);
    const seen = await seenPage(text, true);
    expect(seen.links).toEqual(['/account']);
    for (const part of ['Too many requests', 'Try again in 7 seconds.', 'Status 429', '019de396']) {
      expect(text).toContain(part);
    }
  });

  test('contains hostile texts as texts', async () => {
    const issues = { [HOSTILE]: [HOSTILE] };
    const failed = { status: 418, message: HOSTILE, requestId: HOSTILE, address: HOSTILE, issues };
    const { text } = errorPage(failed, { ...PLACE, homeName: HOSTILE });
    expect(text).toContain('The request failed');
    expect((await seenPage(text, true)).elements.has('script')).toBe(false);
  });
});
