import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { judgePackage, type PackageResult } from '../../../../src/proof/package/verdict.ts';
import { activateDueKeys } from '../../../../src/trust/log/keys/activate-due.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { type Tampered, tamperings } from '../../../support/changed-document.ts';
import { casesOf } from '../../../support/document-vectors.ts';
import { evidencePath, signedEvidence } from '../../../support/evidence.ts';
import { finalized } from '../../../support/log.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { hasPython, packagesJudgedByPython } from '../../../support/python.ts';
import { ingested, telemetryOf } from '../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
let keys: JsonObject;
/** A package of each kind, as the service signed it. */
const packages = new Map<string, string>();

const textAt = async (path: string, key?: string): Promise<string> => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await app.fetch(new Request(`http://localhost${path}`, { headers }));
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const publishedKeys = async (): Promise<JsonObject> => {
  const document = parseJson(await textAt('/api/v1/transparency/keys'));
  if (!isJsonObject(document)) throw new Error('the keys are an object');
  return document;
};
const judged = (document: string | JsonObject, published: JsonObject = keys): PackageResult =>
  judgePackage(
    nativePrimitives,
    Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
    {
      keys: readTrustedKeys(nativePrimitives, published),
      logKeys: readLogKeys(nativePrimitives, published).trusted,
      now: time.now(),
    },
  );
const activeKid = async (purpose: string): Promise<string> =>
  String((await app.anyone.get(`/api/v1/public-key?purpose=${purpose}`)).body.kid);

/** Of the changes at places that were changed in another package, one of so many is judged. */
const ONE_IN = 50;
const changesOf = (document: Uint8Array): Tampered[] => {
  const value = parseJson(Buffer.from(document).toString());
  return isJsonObject(value) ? tamperings(value, 2) : [];
};
/** Returns what was changed, without the numbers of elements and the names of counts. */
const placeOf = ({ path, how }: Tampered): string =>
  `${path.replace(/\[\d+\]/g, '[]').replace(/\.counts\.\w+$/, '.counts.*')} ${how}`;

beforeAll(async () => {
  time = new VirtualTime();
  app = await openTrustApp({ 'keys.publish_ahead_seconds': '3600' }, time);
  const agent = await enrolledAgent(app);
  for (let count = 0; count < 30; count++) {
    const report = {
      framework: 'SOC2_TYPE2',
      controls: [{ id: 'CC7.2', status: 'pass' }],
      period: `${count}`,
    };
    const { status } = await app.own.post(
      evidencePath(agent.commitment),
      signedEvidence(agent, 'compliance_report', report),
    );
    expect(status).toBe(201);
    time.advance(1000);
  }
  for (let count = 0; count < 25; count++) await finalized(app.own, { agent_id: agent.commitment });
  const withdrawn = await finalized(app.own, { agent_id: agent.commitment });
  expect((await app.own.revoke(withdrawn.receipt_id)).status).toBe(200);
  const hour = (count: number): string => new Date(time.now() - (40 - count) * 3_600_000).toISOString();
  for (let count = 0; count < 25; count++) {
    await ingested(app.own, telemetryOf(0, { window_start: hour(count), window_end: hour(count + 1) }));
  }
  const { publisher } = app.service.trust.log;
  publisher.grown('revocations');
  await publishCheckpoints(app);
  time.advance(1000);
  keys = await publishedKeys();
  packages.set('audit', await textAt(`/api/v1/compliance/audit-package/${agent.commitment}`));
  for (const framework of ['EU_AI_ACT', 'ISO_14064', 'NIST_AI_RMF']) {
    const path = `/api/v1/datacenter/compliance/packages/hall-1?framework=${framework}`;
    packages.set(`cluster for ${framework}`, await textAt(path));
  }
  for (const framework of ['NIST_AI_RMF', 'EU_AI_ACT', 'SOC2_TYPE2', 'ISO_42001']) {
    const path = `/api/v1/compliance/packages/${agent.commitment}?framework=${framework}`;
    packages.set(`assessment for ${framework}`, await textAt(path));
    packages.set(`assessment for the sponsor and ${framework}`, await textAt(path, app.apiKey));
  }
});
afterAll(() => app.close());

describe('a package of the service', () => {
  test('is valid, whatever its kind, its framework and its view', () => {
    expect(packages.size).toBe(12);
    for (const [name, text] of packages) {
      const { verdict, checks, problems, read } = judged(text);
      expect([name, verdict, problems]).toEqual([name, 'valid', []]);
      expect([name, read?.view]).toEqual([name, name.includes('sponsor') ? 'sponsor' : 'public']);
      // The package of a cluster for the EU AI Act cites nothing: telemetry names no model.
      const isEmpty = read?.reference_sets.every(({ count }) => count === 0);
      const attribution = isEmpty || name === 'audit' || name.includes('sponsor') ? 'ok' : 'not_shown';
      expect([name, checks.attribution]).toEqual([name, attribution]);
      const isSampled = read?.reference_sets.some(({ count, sample }) => count > 20 && sample.length === 20);
      expect([name, isSampled]).toEqual([name, !isEmpty]);
    }
    const cited = [...packages.values()].flatMap((text) => judged(text).read?.checkpoints ?? []);
    expect([...new Set(cited.map(({ log }) => log))].sort()).toEqual(['evidence', 'receipts', 'revocations']);
  });

  // In those of test/vectors, changed-documents.test.ts changes everything.
  test('is refused with any value changed that no package of test/vectors has, and with many others', () => {
    const vectors = casesOf('package').filter(({ verdict, isWhole }) => verdict === 'valid' && isWhole);
    const known = new Set(vectors.flatMap(({ document }) => changesOf(document).map(placeOf)));
    for (const [name, text] of packages) {
      const changes = changesOf(Buffer.from(text));
      expect(changes.length).toBeGreaterThan(500);
      const accepted = changes
        .filter((change, index) => !known.has(placeOf(change)) || index % ONE_IN === 0)
        .filter((change) => judged(change.document).verdict === 'valid')
        .map(({ path, how }) => `${name}: ${path} ${how}`);
      for (const change of changes) known.add(placeOf(change));
      // Nothing signs the list of receipts. Each of them has its own signature.
      const isOfList = (change: string) =>
        / sampled_receipts(\[\d+\] removed|\[\d+\]\.kid removed| \w+)$/.test(change);
      expect(accepted.filter((change) => !isOfList(change))).toEqual([]);
    }
  }, 180_000);

  test.skipIf(!hasPython)(
    'is valid for src/tools/python/verify.py too, and refused with a member changed',
    async () => {
      const cases = [...packages.values()].flatMap((text) => {
        const some = changesOf(Buffer.from(text)).filter((_, index) => index % ONE_IN === 0);
        return [text, ...some.map((one) => JSON.stringify(one.document))];
      });
      const said = await packagesJudgedByPython(
        cases.map((text) => ({ document: Buffer.from(text), keys, now: time.now() / 1000 })),
      );
      const logKeys = readLogKeys(nativePrimitives, keys).trusted;
      for (const [index, text] of cases.entries()) {
        const { verdict, checks } = judgePackage(nativePrimitives, Buffer.from(text), {
          keys: readTrustedKeys(nativePrimitives, keys),
          logKeys,
          now: time.now(),
        });
        expect(said[index]).toMatchObject({ verdict, checks: { ...checks } });
      }
    },
    180_000,
  );
});

describe('a package over the life of keys', () => {
  test('stays valid when the keys that signed it and its checkpoints are rotated, and not when one was stolen', async () => {
    const text = packages.get('audit') ?? '';
    const signer = await activeKid('credentials');
    for (const purpose of ['credentials', 'evidence-log'] as const) await rotate(app.service.trust, purpose);
    time.advance(3_600_000);
    await activateDueKeys(app.service.trust);
    time.advance(31 * 24 * 3_600_000);
    await activateDueKeys(app.service.trust);
    const later = await publishedKeys();
    expect(await activeKid('credentials')).not.toBe(signer);
    expect(judged(text, later)).toMatchObject({ verdict: 'valid', problems: [] });
    await reportCompromised(app.service.trust, signer);
    expect(judged(text, await publishedKeys())).toMatchObject({
      verdict: 'key_compromised',
      authentic: false,
    });
  });
});
