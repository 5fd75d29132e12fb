import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { leafHash } from '../../../../src/proof/log/merkle.ts';
import { given, logged, proven, withStatus } from '../../../support/dishonest/customer.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, testLies } from '../../../support/dishonest/lies.ts';
import { after, append, DishonestOperator, type NamedReceipt } from '../../../support/dishonest/operator.ts';
import { inclusionOf, proofOf } from '../../../support/dishonest/proofs.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const text = (bytes: Uint8Array | undefined): JsonObject => JSON.parse(Buffer.from(bytes ?? []).toString());
const canonical = (members: JsonObject): Uint8Array => {
  const log = new FakeLog();
  append(log, 'receipts', members);
  return log.entries.receipts[0] ?? new Uint8Array();
};

const proofs: Lie[] = [
  {
    lie: 'A proof is of another log of the same key, which nobody else reads.',
    tell: (operator) => {
      const receipt = operator.receipt();
      const shadow = operator.log.fork('shadow.example');
      operator.finalize(receipt, 0, shadow);
      return given(receipt, {
        keys: keyListOf(operator.log),
        proof: proofOf(shadow, 'receipts', 0),
      });
    },
    noticed: byVerifiers('proof: wrong_log'),
  },
  {
    lie: 'A proof is of the log of another installation, with its own keys.',
    tell: proven((operator, receipt) => {
      const other = new DishonestOperator(new FakeLog('other.example'));
      operator.finalize(receipt, 0, other.log);
      return proofOf(other.log, 'receipts', 0);
    }),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'The entry of a receipt is in the log of revocations.',
    tell: proven(({ log }) => {
      log.entries.revocations = [...log.entries.receipts];
      return proofOf(log, 'revocations', 1);
    }),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'A checkpoint of receipts is signed by the key of another log.',
    tell: proven(({ log }) => {
      const other = log.fork();
      other.signers.receipts = log.signers.evidence;
      return proofOf(other, 'receipts', 1);
    }),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'A checkpoint states the size n with the root of n − 1 entries.',
    tell: proven(({ log }) => {
      const shorter = log.fork();
      shorter.entries.receipts = log.entries.receipts.slice(0, 2);
      const note = shorter.note('receipts', 2);
      return proofOf(log, 'receipts', 1, { checkpoint: resigned(shorter, note.replace('\n2\n', '\n3\n')) });
    }),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'A proof states an index that the tree does not have.',
    tell: proven(({ log }) => proofOf(log, 'receipts', 1, { index: 3 })),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'A proof states the index of another entry.',
    tell: proven(({ log }) => proofOf(log, 'receipts', 1, { index: 0 })),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'A proof has a hash more than the way to the root.',
    tell: proven(({ log }) =>
      proofOf(log, 'receipts', 1, {
        path: (hashes) => [...hashes, leafHash(nativePrimitives, Buffer.from('more'))],
      }),
    ),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'The extra data of a proof is the entry of another receipt.',
    tell: proven(({ log }) =>
      proofOf(log, 'receipts', 1, { ...(log.entries.receipts[0] && { entry: log.entries.receipts[0] }) }),
    ),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'A proof is true, and of another receipt.',
    tell: proven(({ log }) => proofOf(log, 'receipts', 0)),
    noticed: byVerifiers('proof: mismatch'),
  },
  {
    lie: 'The entry in the log has more members than an entry has.',
    tell: proven(({ log }) => {
      const entry = canonical({ ...text(log.entries.receipts[1]), more: 1 });
      log.entries.receipts[1] = entry;
      return proofOf(log, 'receipts', 1);
    }),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'The entry in the log is not canonical.',
    tell: proven(({ log }) => {
      log.entries.receipts[1] = Buffer.from(` ${JSON.stringify(text(log.entries.receipts[1]))}`);
      return proofOf(log, 'receipts', 1);
    }),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'The entry in the log is of another outcome of the receipt.',
    tell: (operator) => {
      const receipt = logged(operator);
      const proof = proofOf(operator.log, 'receipts', 1);
      return given(operator.refusalOf(receipt), { keys: keyListOf(operator.log), proof });
    },
    noticed: byVerifiers('proof: mismatch'),
  },
  {
    lie: 'A manifest states another size than its checkpoint.',
    tell: proven(({ log }) => ({
      inclusion_path: { ...inclusionOf(log, 'receipts', 1), tree_size: 4 },
    })),
    noticed: byVerifiers('proof: bad'),
  },
  {
    lie: 'A receipt was issued after its entry was logged.',
    tell: (operator) => {
      const receipt = logged(operator, operator.receipt({ issued_at: after(30) }));
      const proof = proofOf(operator.log, 'receipts', 1);
      return given(receipt, { keys: keyListOf(operator.log), proof });
    },
    noticed: byVerifiers('proof: misdated'),
  },
  {
    lie: 'An entry is dated after the checkpoint that has it.',
    tell: (operator) => {
      const receipt = operator.receipt();
      operator.finalize(receipt, 5);
      const proof = proofOf(operator.log, 'receipts', 0);
      return given(receipt, { keys: keyListOf(operator.log), proof });
    },
    noticed: byVerifiers('proof: misdated'),
  },
  {
    lie: 'A checkpoint is dated in the future.',
    tell: proven((operator) => {
      operator.wait(12);
      return proofOf(operator.log, 'receipts', 1);
    }),
    noticed: byVerifiers('proof: future'),
  },
  {
    lie: 'A receipt, its entry and the checkpoint are all dated years ahead.',
    tell: (operator) => {
      const years = 60 * 24 * 365 * 10;
      const receipt = operator.receipt({ issued_at: after(years) });
      operator.finalize(receipt, years);
      operator.wait(years);
      const proof = proofOf(operator.log, 'receipts', 0);
      return given(receipt, { keys: keyListOf(operator.log), proof });
    },
    noticed: byVerifiers('verdict: future'),
  },
  {
    lie: 'An entry is dated years ahead, and its checkpoint has no date.',
    tell: (operator) => {
      const receipt = operator.receipt();
      operator.finalize(receipt, 60 * 24 * 365 * 10);
      operator.finalizeOthers(1);
      operator.log.signers.receipts = [operator.log.logKeys.receipts];
      return given(receipt, {
        keys: keyListOf(operator.log),
        proof: proofOf(operator.log, 'receipts', 0),
      });
    },
    noticed: byVerifiers('proof: future'),
  },
  {
    lie: 'A receipt without a proof is dated years ahead.',
    tell: (operator) =>
      given(operator.receipt({ issued_at: after(60 * 24 * 365) }), { keys: keyListOf(operator.log) }),
    noticed: byVerifiers('verdict: future'),
  },
  {
    lie: 'A receipt and its entry are dated years back, and logged today.',
    tell: (operator) => {
      const receipt = operator.receipt({ issued_at: '2020-01-01T00:00:00.000Z' });
      const before = -60 * 24 * 365;
      operator.finalize(receipt, before);
      return given(receipt, {
        keys: keyListOf(operator.log),
        proof: proofOf(operator.log, 'receipts', 0),
      });
    },
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason:
        'A checkpoint shows only that an entry is not younger. A monitor that reads the log sees the entry arrive.',
    },
  },
];

const resigned = (log: FakeLog, note: string): string => {
  const [lines = ''] = note.split('\n\n');
  return log.noteOf('receipts', `${lines}\n`);
};

/** Signs a receipt as it was before its outcome. */
function pendingOf(
  operator: DishonestOperator,
  { output_hash: _, error_tranche: __, ...rest }: NamedReceipt,
) {
  return operator.version(rest, { status: 'pending' });
}

const statuses: Lie[] = [
  {
    lie: 'A receipt that was revoked is shown as it was before.',
    tell: withStatus((operator, receipt) => operator.status(receipt, { revocation_status: 'revoked' })),
    noticed: byVerifiers('verdict: revoked'),
  },
  {
    lie: 'A receipt that was revoked is shown as it was before, with a proof and without a status.',
    tell: (operator) => {
      const receipt = logged(operator);
      operator.revoke(receipt, 1);
      const proof = proofOf(operator.log, 'receipts', 1);
      return given(receipt, { keys: keyListOf(operator.log), proof });
    },
    noticed: { verify: { remark: 'Not checked: ' } },
  },
  {
    lie: 'A status from before the revocation is shown later.',
    tell: withStatus((operator, receipt) =>
      operator.status(receipt, { checked_at: after(1), valid_until: after(6) }),
    ),
    noticed: byVerifiers('status: expired'),
  },
  {
    lie: 'A status from before the revocation is valid for years.',
    tell: withStatus((operator, receipt) =>
      operator.status(receipt, { valid_until: '2099-01-01T00:00:00.000Z' }),
    ),
    noticed: byVerifiers('status: misdated'),
  },
  {
    lie: 'A status from before the revocation is dated in the future.',
    tell: withStatus((operator, receipt) =>
      operator.status(receipt, { checked_at: after(20), valid_until: after(25) }),
    ),
    noticed: byVerifiers('status: future'),
  },
  {
    lie: 'A status is dated before its receipt was issued.',
    tell: (operator) => {
      const receipt = operator.receipt({ issued_at: after(30) });
      return given(receipt, { keys: keyListOf(operator.log), status: operator.status(receipt) });
    },
    noticed: byVerifiers('status: misdated'),
  },
  {
    lie: 'A status is of the version before the outcome.',
    tell: withStatus((operator, receipt) => operator.status(pendingOf(operator, receipt))),
    noticed: byVerifiers('status: superseded'),
  },
  {
    lie: 'A status has the hash of this receipt, and another outcome.',
    tell: withStatus((operator, receipt) => operator.status(receipt, { status: 'refusal' })),
    noticed: byVerifiers('status: malformed'),
  },
  {
    lie: 'A status is true, and of another receipt.',
    tell: withStatus((operator) => operator.status(operator.receipt())),
    noticed: byVerifiers('status: mismatch'),
  },
  {
    lie: 'A status is signed by the key of the receipts.',
    tell: withStatus((operator, receipt) => operator.status(receipt, {}, operator.log.receiptKey)),
    noticed: byVerifiers('status: key_unknown'),
  },
  {
    lie: 'A status has one member more, and its signature is over it.',
    tell: withStatus((operator, receipt) => operator.status(receipt, { note: 'not revoked' })),
    noticed: byVerifiers('status: malformed'),
  },
  {
    lie: 'The signed statement of another kind is shown as a status.',
    tell: withStatus((operator, receipt) => operator.status(receipt, { type: 'gate-decision' })),
    noticed: byVerifiers('status: malformed'),
  },
  {
    lie: 'A status is fresh, and says that a revoked receipt is not.',
    tell: withStatus((operator, receipt) => operator.status(receipt)),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'A status is the word of the operator alone. The log of revocations is what others see too.',
    },
  },
];

const signatures: Lie[] = [
  {
    lie: 'A receipt is signed by the key of credentials.',
    tell: (operator) => given(operator.receipt({}, operator.credentials), { keys: keyListOf(operator.log) }),
    noticed: byVerifiers('verdict: key_unknown'),
  },
  {
    lie: 'A receipt is signed by the key of a log, which it names.',
    tell: (operator) =>
      given(operator.receipt({}, operator.log.logKeys.receipts), { keys: keyListOf(operator.log) }),
    noticed: byVerifiers('verdict: key_unknown'),
  },
  {
    lie: 'A receipt names another key than the one that signed it.',
    tell: (operator) => {
      const receipt = operator.receipt({}, operator.credentials);
      return given({ ...receipt, kid: operator.log.receiptKey.kid }, { keys: keyListOf(operator.log) });
    },
    noticed: byVerifiers('verdict: bad_signature'),
  },
  {
    lie: 'A receipt has the signature and the hash of another version.',
    tell: (operator) =>
      given({ ...operator.receipt(), agent_id: 'agent-2' }, { keys: keyListOf(operator.log) }),
    noticed: byVerifiers('verdict: hash_mismatch'),
  },
  {
    lie: 'A receipt has one member more, which nothing signs.',
    tell: (operator) => given({ ...operator.receipt(), note: 'paid' }, { keys: keyListOf(operator.log) }),
    noticed: byVerifiers('verdict: malformed'),
  },
];

testLies(
  'receipts and proofs',
  [
    {
      truth: 'a proof of a receipt, with a status',
      tell: (operator) => {
        const receipt = logged(operator);
        const { log } = operator;
        const proof = proofOf(log, 'receipts', 1);
        return given(receipt, { keys: keyListOf(log), proof, status: operator.status(receipt) });
      },
      accepted: ['verify', 'python'],
    },
  ],
  [...proofs, ...signatures, ...statuses],
);
