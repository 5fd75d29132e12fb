import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Packages } from '../../../../../src/trust/compliance/packages/packages.ts';
import type {
  PackageRequest,
  PackageText,
  SubjectState,
} from '../../../../../src/trust/compliance/packages/request.ts';
import { DamageTracker } from '../../../../../src/trust/log/damage.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { anchored } from '../../../../support/evidence.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
let builds = 0;
beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
  agent = await enrolledAgent(app);
  await anchored(app, agent);
  await publishCheckpoints(app);
  builds = 0;
});
afterEach(() => app.close());

const unchanged: SubjectState = { state: 'a', version: 'b', changedAt: null, sizesNeeded: {} };

/** The same request each time. */
const request = (changes: Partial<PackageRequest> = {}): PackageRequest => ({
  kind: 'assessment',
  subject: agent.commitment,
  framework: 'SOC2_TYPE2',
  period: { from: '2026-01-01T00:00:00.000Z', to: '2026-12-31T00:00:00.000Z', key: 'a period' },
  view: 'public',
  subjectIn: async () => unchanged,
  countBuild: async () => {
    builds++;
  },
  ...changes,
});

async function get(changes: Partial<PackageRequest> = {}, packages = app.service.trust.packages) {
  const text: PackageText | null = await packages.get(request(changes));
  if (text === null) throw new Error('no package');
  return text;
}

const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'built',
    (error: unknown) => Object(error).message,
  );

/** Packages of the service where something happens between a build and its signature. */
class WithEvent extends DamageTracker {
  constructor(private readonly happen: () => Promise<unknown>) {
    super();
  }

  override async tracked<T>(read: Promise<T>): Promise<T> {
    const found = await read;
    await this.happen();
    return found;
  }
}

async function withEvent<T>(
  happen: () => Promise<unknown>,
  use: (packages: Packages) => Promise<T>,
): Promise<T> {
  const { trust } = app.service;
  const log = { ...trust.log, damage: new WithEvent(happen) };
  const packages = new Packages(
    { ...trust, log },
    join(app.directory, 'trust.db'),
    () => 'did:web:x.example',
  );
  try {
    return await use(packages);
  } finally {
    packages.close();
  }
}

describe('a package that was built', () => {
  test('is sent again for less than ten minutes', async () => {
    const first = await get();
    time.advance(599_999);
    expect((await get()).etag).toBe(first.etag);
    time.advance(1);
    expect((await get()).etag).not.toBe(first.etag);
    expect(builds).toBe(2);
  });

  test('is sent again for less than a minute after the logs have grown', async () => {
    const first = await get();
    await anchored(app, await enrolledAgent(app));
    await publishCheckpoints(app);
    time.advance(59_999);
    expect((await get()).etag).toBe(first.etag);
    time.advance(1);
    expect((await get()).etag).not.toBe(first.etag);
  });

  test('is not sent again before its own date, nor of another state or version of the subject', async () => {
    const first = await get();
    const version = await get({ subjectIn: async () => ({ ...unchanged, version: 'c' }) });
    const state = await get({ subjectIn: async () => ({ ...unchanged, state: 'c' }) });
    time.jump(-5000);
    const earlier = await get({ subjectIn: async () => ({ ...unchanged, state: 'c' }) });
    expect(new Set([first, version, state, earlier].map(({ etag }) => etag)).size).toBe(4);
  });

  test('is not sent again after the key that signed it was replaced or reported as compromised', async () => {
    const { trust } = app.service;
    const kids: unknown[] = [JSON.parse((await get()).json).kid];
    await rotate(trust, 'credentials', 0);
    kids.push(JSON.parse((await get()).json).kid);
    await reportCompromised(trust, String(kids[1]));
    kids.push(JSON.parse((await get()).json).kid);
    expect(kids).toEqual([...new Set(kids)]);
    expect(kids[2]).toBe(trust.signer.activeKey('credentials').kid);
  });
});

describe('a package is refused', () => {
  test('while the clock is wrong', async () => {
    time.jump(120_000);
    expect(await errorOf(get())).toContain('clock was changed');
  });

  test('if the signing key was replaced during the build', async () => {
    const replace = () => rotate(app.service.trust, 'credentials', 0);
    expect(await withEvent(replace, (packages) => errorOf(get({}, packages)))).toContain(
      'The signing key was replaced',
    );
  });

  test('of a server that is read-only', async () => {
    const packages = new Packages({ ...app.service.trust, readOnly: true }, 'unused', () => '');
    expect(await errorOf(get({}, packages))).toContain('read-only');
    expect(builds).toBe(0);
  });
});

describe('requests for a package while it is built', () => {
  test('share the build of the same version of the subject, and not that of an earlier one', async () => {
    const later = { subjectIn: async () => ({ ...unchanged, version: 'c' }) };
    const [one, two, other] = await Promise.all([get(), get(), get(later)]);
    expect(two).toBe(one);
    expect(other.etag).not.toBe(one.etag);
  });
});
