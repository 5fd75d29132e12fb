import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_IMPORTS, ROOT } from '../../../../scripts/imports.ts';
import { PLAIN, verifyPage, verifyPagePolicy } from '../../../../src/platform/verify-page/page.ts';
import { SCRIPT } from '../../../../src/platform/verify-page/script.ts';

test('what the page was made with cannot end its element, and is there as it was', () => {
  const keys = '{"a":"</script><script>alert(1)</script><!--\u2028\u2029&"}';
  const text = verifyPage({ ...PLAIN, keys });
  expect(text.match(/<\/script>/g)).toHaveLength(2);
  const [, json = ''] = /id="baked">(.*)<\/script>/.exec(text) ?? [];
  expect(JSON.parse(json)).toEqual({ keys, policy: null, isServed: false });
  expect(/[\u2028\u2029]/.test(json)).toBe(false);
});

test('the policy has the hashes of the script and the style that are in the page', () => {
  const text = verifyPage(PLAIN);
  const policy = verifyPagePolicy(PLAIN);
  for (const element of ['script', 'style']) {
    const [, content = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(text) ?? [];
    const hash = new Bun.CryptoHasher('sha256').update(content).digest('base64');
    expect(policy).toContain(`${element}-src 'sha256-${hash}'`);
  }
  expect(policy).not.toContain('connect-src');
  expect(text.split('<script').length).toBe(3);
});

test('the script uses no WebCrypto, no storage, no cookie and no evaluation', () => {
  expect(
    /\bsubtle\b|localStorage|sessionStorage|indexedDB|\.cookie\b|\beval\(|new Function/.exec(SCRIPT),
  ).toBeNull();
  expect(SCRIPT).not.toContain('<!--');
});

test('the script imports src/proof, its own folder and what escapes texts, and nothing of a runtime', () => {
  const reached = new Set(['src/platform/verify-page/browser/main.ts']);
  for (const file of reached)
    for (const { from, to, isType } of OWN_IMPORTS) if (from === file && !isType) reached.add(to);
  const others = [...reached].filter(
    (file) => !/^src\/(?:proof|platform\/verify-page\/(?:browser|session))\//.test(file),
  );
  expect(others).toEqual(['src/platform/terminal/printable.ts']);
  expect(reached.size).toBeGreaterThan(50);
});

describe('a release', () => {
  test('states the digest of its page', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const [, unreleased = '', ...releases] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m);
    const newest = releases.find((text) => text.startsWith(`[${version}]`) || text.startsWith(version));
    const isReleased = newest !== undefined && unreleased.trim() === 'Unreleased';
    const digest = new Bun.CryptoHasher('sha256').update(verifyPage(PLAIN)).digest('hex');
    expect(isReleased ? newest.includes(digest) : true).toBe(true);
  });
});
