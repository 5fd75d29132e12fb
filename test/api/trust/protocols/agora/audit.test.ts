import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { type AgoraStep, agoraEntryHash, agoraStepMessage } from '../../../../../src/proof/agora/entry.ts';
import { audited as agoraTables } from '../../../../../src/trust/protocols/agora/audit.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { type Agent, Negotiation } from '../../../../support/agora.ts';
import { audited } from '../../../../support/audit.ts';
import { flippedColumns } from '../../../../support/flipped-columns.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

/** A directory with an agreement and an open proposal; tests work on copies. */
let whole: string;
let scratch: string;
/** Received the open proposal, which is entry 2. */
let buyer: Agent;
let seller: Agent;
let openId: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-agora-audit-'));
  const app = await openTrustApp();
  [buyer, seller] = [await enrolledAgent(app), await enrolledAgent(app)];
  const agreed = new Negotiation(app, buyer, seller);
  const open = new Negotiation(app, seller, buyer);
  await agreed.propose();
  await open.propose({ text: 'é', list: [1, { deep: null }] });
  await agreed.step(seller, 'counter', { terms: { credits: 9 } });
  await agreed.step(buyer, 'accept');
  openId = open.proposalId;
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What fsck says about AGORA, except that triggers are missing. */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: agoraTables });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

/** A copy of the directory with an open database in which everything can be changed. */
function copied(name: string): { directory: string; database: Database } {
  const directory = join(scratch, name);
  cpSync(whole, directory, { recursive: true });
  return { directory, database: openUnguarded(directory) };
}

describe('fsck', () => {
  test('finds no problem in the ledger of AGORA', async () => {
    const { outcome, reported } = await audited(whole, { only: agoraTables });
    expect(reported).toEqual([]);
    expect(outcome.examined).toMatchObject({ agora_entries: 4 });
  });

  test('names every entry of which any column was changed', async () => {
    const copy = copied('flipped');
    for await (const { column, row, sentences, isNamed } of flippedColumns(
      copy,
      'agora_entry',
      agoraTables,
    )) {
      expect([column, row.entry_seq, sentences, isNamed]).toEqual([column, row.entry_seq, sentences, true]);
    }
    copy.database.close();
  });

  test.each([
    ['entry that was deleted', 'DELETE FROM agora_entry WHERE entry_seq = 2', 'missing'],
    [
      'acceptance by the agent that made the offer',
      'UPDATE agora_entry SET from_seq = to_seq, to_seq = from_seq WHERE entry_seq = 4',
      'the step was not allowed',
    ],
    [
      'step before another one that is gone',
      'UPDATE agora_entry SET proposal_id = randomblob(16) WHERE entry_seq = 1',
      'the step before it is missing',
    ],
    [
      'agent that does not exist',
      'UPDATE agora_entry SET to_seq = 99 WHERE entry_seq = 1',
      'its agent does not exist',
    ],
    ['terms that are no object', "UPDATE agora_entry SET terms = '[]' WHERE entry_seq = 1", 'not an object'],
    [
      'terms that are not canonical',
      `UPDATE agora_entry SET terms = '{ "credits": 9 }' WHERE entry_seq = 3`,
      'terms are not the canonical JSON',
    ],
  ])('finds an %s', async (name, change, sentence) => {
    const { directory, database } = copied(name.replaceAll(' ', '-'));
    expect(database.run(change).changes).toBe(1);
    database.close();
    expect((await sentencesOf(directory)).join('\n')).toContain(sentence);
  });
});

test('fsck finds an entry of the ledger of another installation, though its agent signed it', async () => {
  const { directory, database } = copied('foreign');
  const hashOf = (entry: number): string =>
    String(
      Object(
        database
          .query('SELECT lower(hex(entry_hash)) AS hash FROM agora_entry WHERE entry_seq = ?')
          .get(entry),
      ).hash,
    );
  const step: AgoraStep = {
    index: 4,
    prev_hash: hashOf(4),
    proposal_prev_hash: hashOf(2),
    action: 'accept',
    commitment: buyer.commitment,
    to_commitment: seller.commitment,
    terms: null,
    timestamp: '2026-05-01T12:00:00.000Z',
    agent_auth: {
      audience: 'other.example+key',
      nonce: 'a-nonce-of-elsewhere',
      expires_at: '2026-05-01T12:05:00Z',
      signature: '',
    },
  };
  const { agent_auth } = step;
  agent_auth.signature = buyer.signBytes(agoraStepMessage(nativePrimitives, openId, step));
  database
    .query(
      `INSERT INTO agora_entry SELECT 5, proposal_id, 2, 'accept', to_seq, from_seq, NULL, ?, ?, ?, unhex(?), unhex(?), ?
      FROM agora_entry WHERE entry_seq = 2`,
    )
    .run(
      agent_auth.audience,
      agent_auth.nonce,
      agent_auth.expires_at,
      agent_auth.signature,
      agoraEntryHash(nativePrimitives, openId, step),
      Date.parse(step.timestamp),
    );
  database.close();
  expect(await sentencesOf(directory)).toEqual([
    expect.stringContaining('audience is not that of the entry before it'),
  ]);
});

describe('the database', () => {
  const original = () => {
    const directory = join(scratch, crypto.randomUUID());
    cpSync(whole, directory, { recursive: true });
    return new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
  };
  const copyWith = (columns: string) =>
    `INSERT INTO agora_entry SELECT ${columns}, action, from_seq, to_seq, terms, audience, nonce, expires_at, signature,
      entry_hash, created_at FROM agora_entry WHERE entry_seq = 1`;

  test.each([
    ['a change of an entry', "UPDATE agora_entry SET terms = '{}' WHERE entry_seq = 1", 'never change'],
    ['the deletion of an entry', 'DELETE FROM agora_entry WHERE entry_seq = 4', 'never deleted'],
    ['an entry that leaves a gap', copyWith('6, randomblob(16), 1'), 'the number after the last one'],
    ['a step that leaves a gap', copyWith('5, proposal_id, 9'), 'a step of a negotiation has the number'],
    ['a step after the end of its negotiation', copyWith('5, proposal_id, 4'), 'the negotiation has ended'],
  ])('refuses %s', (_, change, message) => {
    const database = original();
    expect(() => database.run(change)).toThrow(message);
    database.close();
  });
});
