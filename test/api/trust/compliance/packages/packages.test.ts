import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { audited } from '../../../../../src/trust/compliance/packages/audit.ts';
import type { PackageRequest, SubjectState } from '../../../../../src/trust/compliance/packages/request.ts';
import { deleteCheckpoints } from '../../../../../src/trust/log/checkpoints/thinning-store.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { anchored } from '../../../../support/evidence.ts';
import { judgedPackage } from '../../../../support/judged-package.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
let commitment: string;
beforeAll(async () => {
  app = await openTrustApp();
  const agent = await enrolledAgent(app);
  await anchored(app, agent);
  await publishCheckpoints(app);
  commitment = agent.commitment;
});
afterAll(() => app.close());

let requests = 0;

/** A request for the package of the agent, each with a period of its own. */
function request(changes: Partial<PackageRequest> = {}): PackageRequest {
  const to = new Date(Date.now() + ++requests).toISOString();
  const state: SubjectState = { state: 'a', version: 'b', changedAt: null, sizesNeeded: {} };
  return {
    kind: 'assessment',
    subject: commitment,
    framework: 'SOC2_TYPE2',
    period: { from: '2026-01-01T00:00:00.000Z', to, key: to },
    view: 'public',
    subjectIn: async () => state,
    countBuild: async () => undefined,
    ...changes,
  };
}

const messageOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'built',
    (error: unknown) => Object(error).message,
  );

describe('a package', () => {
  test('is built again when the state of its subject changed meanwhile, once', async () => {
    const { packages } = app.service.trust;
    let reads = 0;
    const state = (name: string): SubjectState => ({
      state: name,
      version: '',
      changedAt: null,
      sizesNeeded: {},
    });
    const once = request({ subjectIn: async () => state(++reads === 1 ? 'sponsored' : 'revoked') });
    expect((await packages.get(once))?.json).toContain('compliance-package');
    expect(reads).toBe(4);
    const always = request({ subjectIn: async () => state(String(++reads)) });
    expect(await messageOf(packages.get(always))).toContain('changed while the package was built');
  });

  test('is not sent to a caller who lost the right to it meanwhile', async () => {
    const authorize = () => Promise.reject(new Error('the key was deleted'));
    expect(await messageOf(app.service.trust.packages.get(request({ authorize })))).toBe(
      'the key was deleted',
    );
  });

  test('is not built for a caller beyond the limit', async () => {
    const countBuild = () => Promise.reject(new Error('too many'));
    expect(await messageOf(app.service.trust.packages.get(request({ countBuild })))).toBe('too many');
  });

  test('of an unknown subject or of a wrong framework is none', async () => {
    const { packages } = app.service.trust;
    expect(await packages.get(request({ subject: '00'.repeat(32) }))).toBeNull();
    expect(await messageOf(packages.get(request({ framework: 'ANOTHER' })))).toContain(
      'building a package failed',
    );
  });

  test('is refused if the database contradicts the checkpoints', async () => {
    const { store, log, packages } = app.service.trust;
    const { evidence } = log.open;
    await store.writeAsService(({ connection: { sqlite } }) => {
      sqlite.run('DROP TRIGGER evidence_leaf_is_final');
      sqlite.run('UPDATE evidence_leaf SET leaf_hash = zeroblob(32) WHERE leaf_seq = 1');
    });
    expect(await messageOf(packages.get(request()))).toBe(
      `leaf 0 of ${evidence.origin} is not what was published: run countersign fsck for more information`,
    );
    expect(log.damage.has('evidence')).toBe(true);
  });
});

describe('a checkpoint that a package cites', () => {
  test('is not deleted with the others, and fsck reports a citation without its checkpoint', async () => {
    const other = await openTrustApp();
    try {
      const agent = await enrolledAgent(other);
      await anchored(other, agent);
      await publishCheckpoints(other);
      const json = await (
        await other.fetch(new Request(`http://localhost/api/v1/compliance/packages/${agent.commitment}`))
      ).text();
      expect((await judgedPackage(other, json)).verdict).toBe('valid');
      const { store } = other.service.trust;
      const checkpoints = () =>
        store.read(({ connection: { sqlite } }) =>
          sqlite
            .query<{ seq: number }, []>('SELECT checkpoint_seq AS seq FROM checkpoint')
            .all()
            .map(({ seq }) => seq),
        );
      const cited = await store.read(({ connection: { sqlite } }) =>
        sqlite
          .query<{ seq: number }, []>('SELECT checkpoint_seq AS seq FROM package_citation')
          .all()
          .map(({ seq }) => seq),
      );
      expect(cited.length).toBeGreaterThan(0);
      const before = await checkpoints();
      expect(before.length).toBeGreaterThan(cited.length);
      await store.writeAsService(async (tx) => {
        tx.connection.sqlite.run('DROP TRIGGER checkpoint_stays');
        await deleteCheckpoints(tx, before);
      });
      expect(await checkpoints()).toEqual(cited);
      const problems = () =>
        store.read(async (snapshot) => {
          const start = {
            directory: '',
            clock: other.service.trust.clock,
            snapshot: Promise.resolve(snapshot),
          };
          const audits = await Promise.all(audited.map((table) => table.begin(start)));
          const reports = await Promise.all(audits.map(({ whole }) => whole?.(snapshot)));
          return reports.flatMap((report) => report?.problems ?? []);
        });
      expect(await problems()).toEqual([]);
      await store.writeAlone(({ connection: { sqlite } }) => {
        sqlite.run('PRAGMA defer_foreign_keys = ON');
        sqlite.run('DROP TRIGGER package_citation_is_final');
        sqlite.run(
          'CREATE TABLE moved AS SELECT checkpoint_seq + 1000 AS checkpoint_seq FROM package_citation',
        );
        sqlite.run('DROP TABLE package_citation');
        sqlite.run('ALTER TABLE moved RENAME TO package_citation');
      });
      expect(await problems()).toMatchObject(
        cited.map((seq) => ({
          table: 'package_citation',
          row: { checkpoint_seq: seq + 1000 },
          what: 'the checkpoint that a package cites is missing',
        })),
      );
    } finally {
      await other.close();
    }
  });
});
