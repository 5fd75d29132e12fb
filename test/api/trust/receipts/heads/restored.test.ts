import { afterEach, beforeEach, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { parseJson } from '../../../../../src/proof/encoding/json.ts';
import { judgeHeadProof } from '../../../../../src/proof/ledger/head-verdict.ts';
import { ofOpenLogs, readLogKeys } from '../../../../../src/proof/log/log-keys.ts';
import { checkJournal } from '../../../../../src/proof/verifier/judge/head-in-journal.ts';
import { recordHeads } from '../../../../../src/trust/receipts/heads/record-heads.ts';
import { audited } from '../../../../support/audit.ts';
import { BackedUpDirectory } from '../../../../support/backed-up-directory.ts';
import { wholeJournal } from '../../../../support/credit-journal.ts';
import { creditedAgent, fundPool } from '../../../../support/credits.ts';
import type { TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let time: VirtualTime;
let directory: BackedUpDirectory;
beforeEach(() => {
  time = new VirtualTime(Date.now() - 3 * DAY_MS);
  directory = new BackedUpDirectory({}, time);
});
afterEach(() => directory.dispose());

const GRANTS = '/api/v1/passport/credits/grants';
const POOL = '/api/v1/operator/journal';
const journalPath = (commitment: string) => `/api/v1/passport/agents/${commitment}/credit-journal`;

async function passDay({ service: { trust } }: TrustApp): Promise<void> {
  await time.advance(DAY_MS);
  await recordHeads(trust);
  await trust.log.publisher.publish();
}

/** Judges a kept proof with the journal as it is now. */
async function verdictOn(app: TrustApp, proof: unknown, path: string) {
  const keys = await app.anyone.get('/api/v1/transparency/keys');
  const logKeys = ofOpenLogs(readLogKeys(nativePrimitives, parseJson(JSON.stringify(keys.body))).trusted);
  const journal = await wholeJournal(app, path);
  const options = { logKeys, now: Date.now() };
  const document = parseJson(JSON.stringify(proof));
  return judgeHeadProof(nativePrimitives, document, options, (head) =>
    checkJournal(nativePrimitives, journal, head),
  );
}

test('a journal that a restored backup cut is named by whoever kept a head, and its day has no tree', async () => {
  const grant = async (app: TrustApp, subject_commitment: string) => {
    const { status } = await app.own.post(GRANTS, { subject_commitment, amount: 1 });
    expect(status).toBe(201);
  };
  const path = await directory.served(async (app) => {
    const { commitment } = await creditedAgent(app, { credits: { promotional: 50 } });
    await fundPool(app, app.service.firstStart.operatorId, { promotional: 50 });
    await passDay(app);
    return journalPath(commitment);
  });
  directory.backUp();
  const kept = await directory.served(async (app) => {
    await grant(app, String(path.split('/').at(-2)));
    await passDay(app);
    const proof = (await app.own.get(`${path}/head-proof`)).body;
    const ofPool = (await app.own.get(`${POOL}/head-proof`)).body;
    expect((await verdictOn(app, proof, path)).verdict).toBe('valid');
    expect((await verdictOn(app, ofPool, POOL)).verdict).toBe('valid');
    return { proof, ofPool };
  });
  const { accounts } = await directory.recovered();
  expect(accounts).toMatchObject({ tree_size: 2, recovered: 1 });
  expect(accounts.not_recovered).toEqual([`the tree of the heads of journals of ${kept.proof.date}`]);
  await directory.served(async (app) => {
    const cut = await verdictOn(app, kept.proof, path);
    expect([cut.verdict, cut.checks.journal]).toEqual(['journal_cut', 'missing']);
    expect((await verdictOn(app, kept.ofPool, POOL)).checks.journal).toBe('missing');
    for (const query of ['', `?date=${kept.proof.date}`]) {
      const { status, body } = await app.own.get(`${path}/head-proof${query}`);
      expect([status, body.error]).toEqual([
        404,
        `The tree of the journal heads of ${kept.proof.date} was lost: a backup was restored, and only its leaf was ` +
          `recovered. Nobody can say whether it had this account. Send a date before ${kept.proof.date}.`,
      ]);
    }
    const before = new Date(Date.parse(String(kept.proof.date)) - DAY_MS).toISOString().slice(0, 10);
    const earlier = await app.own.get(`${path}/head-proof?date=${before}`);
    expect([earlier.status, earlier.body.date]).toEqual([200, before]);
    expect((await verdictOn(app, earlier.body, path)).verdict).toBe('valid');
    await grant(app, String(path.split('/').at(-2)));
    await passDay(app);
    const after = await app.own.get(`${path}/head-proof`);
    expect((await verdictOn(app, after.body, path)).verdict).toBe('valid');
  });
  expect((await audited(directory.path)).reported).toEqual([]);
});
