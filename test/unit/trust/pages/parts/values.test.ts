import { describe, expect, test } from 'bun:test';
import { ago, shortHash, strangerText } from '../../../../../src/trust/pages/parts/values.ts';

describe('a text of a stranger', () => {
  test.each([
    ['markup', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['an override of the direction', 'a\u202egnp.exe', 'agnp.exe'],
    ['invisible characters and new lines', 'a\u0000\u200b\n\nb', 'a b'],
    ['nothing visible', '\u200b\u2066', 'unreadable name'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ])('with %s is one isolated line', (_name, text, shown) => {
    expect(strangerText(text).text).toBe(`<bdi>\u2068${shown}\u2069</bdi>`);
  });

  test('is cut at the end of a character', () => {
    const long = strangerText('👩‍👩‍👧'.repeat(1000)).text;
    expect(long.length).toBeLessThan(400);
    expect(long).toEndWith('👩‍👩‍👧…\u2069</bdi>');
  });
});

test('a hash is shortened only where that saves something', () => {
  expect(shortHash('0123456789abcdef').text).toContain('>0123456789abcdef<');
  expect(shortHash('0123456789abcdef01').text).toContain('>0123456789ab…<');
});

test.each([
  ['2026-01-31T11:59:30.000Z', '< 1 minute ago'],
  ['2026-01-31T12:00:30.000Z', '< 1 minute ago'],
  ['2026-01-31T11:59:00.000Z', '1 minute ago'],
  ['2026-01-31T09:30:00.000Z', '2 hours ago'],
  ['2026-01-01T12:00:00.000Z', '30 days ago'],
  ['2026-01-31T13:00:00.000Z', "dated 1 hour ahead of this service's clock"],
])('a time %s has the age %s', (at, words) => {
  expect(ago(Date.parse('2026-01-31T12:00:00Z'), at)).toBe(words);
});
