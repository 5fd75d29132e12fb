import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { resolveSettings } from '../../../../src/platform/config/resolve.ts';
import { robotsText, securityText } from '../../../../src/platform/http/openapi/site-files.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { trustSettings, trustSettingsOf } from '../../../../src/trust/service/settings.ts';
import { openStaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

const CONTACT = 'mailto:security@operator.example';
const SERVICES = {
  trust: { open: openTrustApp, title: 'Countersign trust service', group: 'Receipts' },
  staffing: { open: openStaffingApp, title: 'Countersign staffing service', group: 'Clinicians' },
};

describe.each(Object.entries(SERVICES))('the files about the %s service', (_, { open, title, group }) => {
  let app: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    app = await open({ security_contact: CONTACT });
  });
  afterAll(() => app.close());
  const get = (path: string, method = 'GET') =>
    app.fetch(new Request(`http://localhost${path}`, { method }), '203.0.113.1');

  test.each(['/robots.txt', '/llms.txt', '/.well-known/security.txt'])(
    '%s is text, may not be framed or sniffed, and needs no key',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/plain; charset=utf-8',
      ]);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await get(path, 'HEAD')).status).toBe(200);
      expect((await get(path, 'POST')).status).toBeGreaterThanOrEqual(404);
    },
  );

  test('robots.txt leaves out the API and what belongs to accounts', async () => {
    const text = await (await get('/robots.txt')).text();
    expect(text).toStartWith('User-agent: *\nDisallow: /api/\n');
    expect(text).toEndWith('\n');
    expect(text.split('\n')).not.toContain('Disallow: /');
  });

  test('security.txt has the contact, and is valid for 30 to 31 days', async () => {
    const text = await (await get('/.well-known/security.txt')).text();
    const [, expires = ''] = /^Expires: (.+)$/m.exec(text) ?? [];
    expect(text).toBe(`Contact: ${CONTACT}\nExpires: ${expires}\nPreferred-Languages: en\n`);
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    expect(days).toBeWithin(30, 31.01);
  });

  test('security.txt does not exist without a contact', async () => {
    const other = await open();
    const response = await other.fetch(new Request('http://localhost/.well-known/security.txt'));
    expect(response.status).toBe(404);
    await other.close();
  });

  test('llms.txt begins with what the service is, and every link leads to something', async () => {
    const text = await (await get('/llms.txt')).text();
    expect(text).toMatch(new RegExp(`^# ${title}\n\n> \\S.{40,}\n\n- `));
    expect(text).toContain(`- [${group}](/swagger#/${group}): `);
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      const { status } = await get(link.replace(/#.*/, ''));
      expect([link, status]).toEqual([link, 200]);
    }
  });
});

test('nothing of a demonstration is for search engines', () => {
  expect(robotsText(['/api/'], true)).toBe('User-agent: *\nDisallow: /\n');
});

test('security.txt of a service with a public URL names it', () => {
  const clock = { now: () => Date.parse('2026-11-29T23:59:59.999Z') };
  expect(securityText(CONTACT, clock, 'https://trust.example')).toBe(
    `Contact: ${CONTACT}\nExpires: 2026-12-30T00:00:00.000Z\n` +
      'Canonical: https://trust.example/.well-known/security.txt\nPreferred-Languages: en\n',
  );
});

describe('the setting security_contact', () => {
  const contactOf = (text: string): string | null => {
    const flags = { security_contact: text };
    const { config } = resolveSettings(trustSettingsOf(trustModules), { flags, env: {}, file: null });
    return trustSettings.securityContact.in(config);
  };

  test.each([CONTACT, 'https://operator.example/security', 'tel:+1-201-555-0123'])('can be %s', (text) => {
    expect(contactOf(text)).toBe(text);
  });

  test.each([
    'security@operator.example',
    'http://operator.example/security',
    'mailto:',
    'https://',
    'javascript:alert(1)',
    'https://operator.example/\nContact: mailto:attacker@elsewhere.example',
    'mailto:security@operator.example\r\nExpires: 2099-01-01T00:00:00Z',
    'mailto:security@operator.example\u202e',
    'mailto:\0@operator.example',
    'https://operator.example/\u0007',
    'https://operator.example/\u2066a\u2069',
    'https://operator.example/\u200b',
    'https://operatör.example/',
  ])('cannot be %j', (text) => {
    expect(() => contactOf(text)).toThrow('is not a URI such as mailto:security@example.com');
  });
});
