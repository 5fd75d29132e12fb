import { describe, expect, test } from 'bun:test';
import { packageBody } from '../../../../../../src/trust/compliance/packages/page/response.ts';
import { madeUpPackage } from '../../../../../support/made-up-package.ts';
import { seenPage } from '../../../../../support/page.ts';

const { text, document } = madeUpPackage({ sections: { energy: { it_kwh: 12 } }, view: 'sponsor' });
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** Asks for a package whose entity tag is `"abc"`. */
async function ask(headers: Record<string, string>, json = text) {
  const set: Record<string, string | number> = {};
  const stored = { json, etag: '"abc"' };
  const context = { notice: null, hasExplorer: true, frameworkNames: {} };
  const body = await packageBody(new Request('http://localhost/', { headers }), set, stored, context);
  return { body, headers: set };
}

describe('the response to a request for a package', () => {
  test('is the JSON as it was signed for a client without Accept', async () => {
    const { body, headers } = await ask({});
    expect(body).toBe(text);
    expect(headers).toEqual({
      vary: 'Accept',
      etag: '"abc"',
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    });
  });

  test('is a page for a browser, with its own entity tag and a policy that allows no script', async () => {
    const { body, headers } = await ask({ accept: BROWSER });
    expect([...(await seenPage(body ?? '')).downloads.values()]).toEqual([text]);
    expect(headers).toMatchObject({
      vary: 'Accept',
      etag: '"abc-page"',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  test('is nothing for a client that has this form already, and the other form for one that has only one', async () => {
    expect((await ask({ 'if-none-match': '"abc"' })).body).toBeNull();
    expect((await ask({ 'if-none-match': '"abc-page"', accept: BROWSER })).body).toBeNull();
    expect((await ask({ 'if-none-match': '"abc"', accept: BROWSER })).body).toContain('<!doctype html>');
    expect((await ask({ 'if-none-match': '"abc-page"' })).body).toBe(text);
  });

  test('as a page shows sections, and addresses of payloads only if they are paths of this service', async () => {
    const withUrls = (...urls: string[]): string => {
      const [set] = document.reference_sets;
      if (set === undefined) throw new Error('the package has no set');
      const sample = set.sample
        .slice(0, urls.length)
        .map((one, index) => ({ ...one, payload_url: urls[index] ?? '' }));
      return madeUpPackage({ sections: { energy: { it_kwh: 12 } }, reference_sets: [{ ...set, sample }] })
        .text;
    };
    const { body } = await ask(
      { accept: BROWSER },
      withUrls('/api/v1/x', '//evil.example/x', 'javascript:alert(1)'),
    );
    const { links } = await seenPage(body ?? '');
    expect(links.filter((link) => !/^#|receipts|agents/.test(link))).toEqual([
      '/',
      '/api/v1/x',
      '/api/v1/transparency/keys',
      '/verify',
    ]);
    expect(body).toContain('<h2>Energy</h2>');
  });

  test('fails for a text that is no package', async () => {
    await expect(ask({ accept: BROWSER }, '{"type":"other"}')).rejects.toThrow(
      'The package has a wrong form',
    );
  });
});
