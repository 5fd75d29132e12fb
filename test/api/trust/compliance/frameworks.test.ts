import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const FRAMEWORKS = '/api/v1/compliance/frameworks';

describe('the list of frameworks', () => {
  scenarios(
    () => app,
    [
      [
        'is public, and cacheable for an hour',
        `GET ${FRAMEWORKS}`,
        '200',
        {
          by: 'anyone',
          responseHeaders: { 'cache-control': 'public, max-age=3600', 'content-type': 'application/json' },
          contains: ['"NIST_AI_RMF"', '"GOVERN 1.4"', '"Art. 26(6)"', '"PI1.5"', '"A.10.3"', '"A.8.24"'],
          lacks: ['compliant'],
        },
      ],
      ['a POST is refused', `POST ${FRAMEWORKS}`, '405 method_not_allowed', { body: {} }],
    ],
  );

  test('is 304 for a client that has it', async () => {
    const first = await app.fetch(new Request(`http://localhost${FRAMEWORKS}`));
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await app.fetch(
      new Request(`http://localhost${FRAMEWORKS}`, { headers: { 'if-none-match': etag } }),
    );
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('names only sets and counts that it describes', async () => {
    const { body } = await app.anyone.get(FRAMEWORKS);
    const { frameworks, reference_sets: sets, counts } = Object(body);
    const kinds: ('assessment' | 'datacenter')[] = ['assessment', 'datacenter'];
    let mappings = 0;
    for (const control of frameworks.flatMap((framework: { controls: object[] }) => framework.controls)) {
      for (const kind of kinds) {
        const mapping = control[kind];
        if (mapping === null) continue;
        mappings++;
        expect(sets[kind].map(({ name }: { name: string }) => name)).toContain(mapping.set);
        expect(Object.keys(counts[kind])).toEqual(expect.arrayContaining(mapping.counts));
      }
    }
    expect(mappings).toBeGreaterThan(40);
  });
});
