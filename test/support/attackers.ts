/**
 * Who may attack credits and money, and with which goal. Each row names the tests that try it, by file and by
 * the text of the test. docs/security.md has the same rows, with what refuses each attempt and what remains.
 */
export interface Attack {
  attacker: string;
  goal: string;
  tests: readonly (readonly [file: string, test: string])[];
}

const CREDITS = 'test/api/trust/ledger/credits';
const BILLING = 'test/api/trust/billing';
const PAYMENTS = 'test/api/trust/payments';
const OPERATORS = 'test/api/trust/operators';
const ESCROW = 'test/api/trust/hires/escrow';
const HIRES = 'test/api/trust/hires/engagements';
/** The attempts that no other test makes. */
const OWN = 'test/api/trust/ledger/attackers.test.ts';

export const ATTACKS: readonly Attack[] = [
  {
    attacker: 'A stranger without a key',
    goal: 'Spend credits with a signature that is copied, changed or sent again',
    tests: [
      [
        `${CREDITS}/authorization.test.ts`,
        'that repeats a signed one, even 16 times at once and with an Idempotency-Key without an API key',
      ],
      [`${CREDITS}/hostile.test.ts`, 'the signature of an agent over a transfer authorizes nothing else:'],
    ],
  },
  {
    attacker: 'A stranger without a key',
    goal: 'Book a payment or a settlement that nobody made',
    tests: [
      [`${BILLING}/events.test.ts`, 'signed with another secret'],
      [`${PAYMENTS}/settle.test.ts`, 'with a holder key, and without a key, whatever the signature says'],
    ],
  },
  {
    attacker: 'A stranger without a key',
    goal: 'Get many operators and fill the storage that all free ones share',
    tests: [
      [
        'test/api/trust/agents/own-operators.test.ts',
        'an agent without a sponsor gets an operator of its own for a proof of work only, in every way',
      ],
      [
        `${OPERATORS}/quotas/quotas.test.ts`,
        'is at most a twentieth for a /24, and the addresses of another one go on',
      ],
      [
        `${OPERATORS}/quotas/quotas.test.ts`,
        'the enrollments of a day are counted over a restart, and no address is stored',
      ],
    ],
  },
  {
    attacker: 'A self-provisioned agent',
    goal: 'Take credits of others, or grant itself some',
    tests: [
      [
        `${CREDITS}/hostile.test.ts`,
        'a self-provisioned agent and its keys can do nothing with the credits of others',
      ],
    ],
  },
  {
    attacker: 'A self-provisioned agent',
    goal: 'Withdraw promotional or sandbox credits by passing them on',
    tests: [[`${PAYMENTS}/withdraw.test.ts`, 'of %s credits, even after three transfers']],
  },
  {
    attacker: 'A holder key',
    goal: 'Act for its operator or for another agent',
    tests: [
      [`${CREDITS}/authorization.test.ts`, 'with a holder key of another agent of the same sponsor'],
      [OWN, 'a holder key takes nothing from its operator or another agent, and decides nothing for them'],
    ],
  },
  {
    attacker: 'A key with limits',
    goal: 'Spend more than its limits by many small debits',
    tests: [
      [`${CREDITS}/budgets.test.ts`, 'is exact when 64 callers spend at once'],
      [
        `${CREDITS}/budgets.test.ts`,
        'max_credits_per_day limits 24 hours of a key, and a clock that is set back forgets nothing',
      ],
    ],
  },
  {
    attacker: 'A key with limits',
    goal: 'Make, delete or revoke what has more rights than itself',
    tests: [
      [`${CREDITS}/budgets.test.ts`, 'makes no other key that can spend, even with the same limits'],
      [`${OPERATORS}/deleting-keys.test.ts`, '%s is not deleted by %s'],
      ['test/api/trust/agents/revoking-agents.test.ts', 'that may spend 1 credit at once'],
    ],
  },
  {
    attacker: 'Another operator',
    goal: 'Spend, read or end what belongs to agents of others',
    tests: [
      [`${PAYMENTS}/withdraw.test.ts`, 'is for keys that may act for the agent'],
      [OWN, 'another operator withdraws, reads and ends nothing of agents of others'],
    ],
  },
  {
    attacker: 'Another operator',
    goal: 'Pay for work, then take back the proof of the payment',
    tests: [
      ['test/api/trust/receipts/service-receipts.test.ts', 'is not revoked by its operator, and says why'],
    ],
  },
  {
    attacker: 'A party of a hire',
    goal: "Deliver it with what is older, another's, or of other terms",
    tests: [
      [`${ESCROW}/evidence-age.test.ts`, 'evidence from before the hire delivers nothing:'],
      [`${HIRES}/deliveries.test.ts`, 'a delivery is refused, anchors nothing and leaves the hire HELD:'],
    ],
  },
  {
    attacker: 'A party of a hire',
    goal: 'Decide its own dispute, or get more than the hire holds',
    tests: [
      [`${HIRES}/arbiters.test.ts`, 'a dispute is not decided'],
      [`${HIRES}/disputes.test.ts`, 'of more than is held'],
    ],
  },
  {
    attacker: 'A party of a hire',
    goal: 'Have a friend with another sponsor decide its dispute',
    tests: [
      [
        `${HIRES}/arbiters.test.ts`,
        'decides nothing, even if it had consented, and the administrator decides at once',
      ],
    ],
  },
  {
    attacker: 'A suspended operator',
    goal: 'Move its agents and their credits to another operator',
    tests: [
      [
        'test/api/trust/agents/suspended-sponsors.test.ts',
        'goes to no other sponsor with its credits, and says why',
      ],
    ],
  },
  {
    attacker: 'A suspended operator',
    goal: 'Get frozen credits out by hires and withdrawals',
    tests: [
      [
        `${CREDITS}/authorization.test.ts`,
        'while the sponsor of the payer is suspended, even with its signature',
      ],
      [
        'test/api/trust/agents/freeze.test.ts',
        'nothing leaves a frozen agent by any key or signature, and it still receives',
      ],
      [
        `${ESCROW}/standstill.test.ts`,
        'HELD hires of a suspended hirer return to it, and DELIVERED ones wait for an administrator',
      ],
      [
        `${PAYMENTS}/payouts/withdrawals.test.ts`,
        'a queued withdrawal waits while the account of the sponsor is suspended; a submitted one continues',
      ],
    ],
  },
  {
    attacker: 'A suspended operator',
    goal: 'End its suspension by a payment',
    tests: [
      [
        `${BILLING}/events.test.ts`,
        'while an administrator has suspended the operator, which stays suspended',
      ],
    ],
  },
  {
    attacker: 'A revoked agent',
    goal: 'Spend or withdraw what it had, or take it along to another operator',
    tests: [
      [`${PAYMENTS}/withdraw.test.ts`, 'of a revoked agent, and of one whose sponsor is suspended'],
      [
        `${ESCROW}/return-credits.test.ts`,
        'go to the sponsor that it has when they move, which only an administrator can change',
      ],
      [OWN, 'a revoked agent signs no debit, and joins no operator'],
    ],
  },
  {
    attacker: 'A payment rail',
    goal: 'Settle more than its caps, at once or in parts',
    tests: [
      [
        `${PAYMENTS}/caps.test.ts`,
        'the cap of one settlement is stored and not booked, and the response names the cap',
      ],
      [
        `${PAYMENTS}/caps.test.ts`,
        'of many settlements at once, no more are booked than the cap of a day allows',
      ],
    ],
  },
  {
    attacker: 'A payment rail',
    goal: 'Stop the payments of all others with one huge settlement',
    tests: [[`${PAYMENTS}/caps.test.ts`, 'a cap of 2^53 − 1 does not stop those of others']],
  },
  {
    attacker: 'A payment rail',
    goal: 'Settle for another rail, or one reference twice',
    tests: [
      [`${PAYMENTS}/settle.test.ts`, 'with the secret of another rail'],
      [
        `${PAYMENTS}/settle.test.ts`,
        'is booked once: the same body, even signed again by another operator, returns the first response',
      ],
      [`${PAYMENTS}/standard-webhooks.test.ts`, '%s is refused, and not changed into another'],
    ],
  },
  {
    attacker: 'A customer of the payment processor',
    goal: 'Withdraw what a stolen card paid within seven days, directly or by passing it on',
    tests: [
      [
        `${BILLING}/holds.test.ts`,
        'cannot be withdrawn for 7 days, and the refusal and the wallet say until when',
      ],
      [
        `${BILLING}/holds.test.ts`,
        'are debited after those that mature earlier, and stay held with whom they are transferred to',
      ],
      [
        `${BILLING}/holds.test.ts`,
        'stay held through a hire, even beside a withdrawal of others and with its id as task_id',
      ],
    ],
  },
  {
    attacker: 'A customer of the payment processor',
    goal: 'Keep the promotional credits of a subscription that is refunded',
    tests: [
      [`${BILLING}/holds.test.ts`, 'pay nobody else for 7 days: others get paid ones, and then nothing'],
      [
        `${BILLING}/holds.test.ts`,
        'return with a refund from the pool and the own agents; nobody owes what was spent on products',
      ],
    ],
  },
  {
    attacker: 'A customer of the payment processor',
    goal: 'Dispute a payment after its credits were passed on or queued for withdrawal',
    tests: [
      [
        `${BILLING}/disputes.test.ts`,
        'what is disputed: of the pool, the own agents, and what is not mature at others',
      ],
      [`${BILLING}/disputes.test.ts`, 'the part that is disputed, and the rest is paid'],
    ],
  },
  {
    attacker: 'A customer of the payment processor',
    goal: 'Be refunded after its credits were passed on to friends',
    tests: [
      [
        `${BILLING}/refund-holds.test.ts`,
        'is held with others whom the credits were paid to, until 30 days are over',
      ],
      [
        `${BILLING}/refund-holds.test.ts`,
        'of another payment is held with those who got credits of any refunded one',
      ],
    ],
  },
  {
    attacker: 'A customer of the payment processor',
    goal: 'Take more from others than one payment by disputing it',
    tests: [
      [`${BILLING}/disputes.test.ts`, 'never what is mature at others'],
      [`${BILLING}/disputes.test.ts`, 'nothing of one that a rail has begun to pay, and nothing of others'],
    ],
  },
  {
    attacker: 'A customer of the payment processor',
    goal: 'Pay once and be booked twice',
    tests: [
      [`${BILLING}/events.test.ts`, 'if its events arrive at once'],
      [`${BILLING}/events.test.ts`, 'is booked for one of two sessions that name the same payment intent'],
    ],
  },
  {
    attacker: 'A node of the chain',
    goal: 'Be paid again by saying that a payout failed',
    tests: [
      [
        `${PAYMENTS}/payouts/evm/failures.test.ts`,
        'that lies four times returns no credits: two payouts wait, and the rail has stopped',
      ],
      [
        `${PAYMENTS}/payouts/evm/failures.test.ts`,
        'stops after two in a row: the third waits with its credits, and nothing new is begun',
      ],
      [`${PAYMENTS}/payouts/evm/nodes.test.ts`, 'when it says that a payout was reverted'],
    ],
  },
  {
    attacker: 'A node of the chain',
    goal: 'Let the service burn its coins as fees',
    tests: [
      [
        `${PAYMENTS}/payouts/evm/nodes.test.ts`,
        'of a single node never exceed the caps, also in a replacement',
      ],
      [
        `${PAYMENTS}/payouts/evm/nodes.test.ts`,
        'above evm.max_gas by the estimate let a payout wait for the administrator, and the next is paid',
      ],
    ],
  },
  {
    attacker: 'A web page that a user visits',
    goal: 'Act with the session of the user',
    tests: [
      [
        `${OPERATORS}/operators.test.ts`,
        'has the rights of its key; a write needs proof that no other site sent it',
      ],
      ['test/api/trust/pages/account/forms.test.ts', 'is needed for every form, and is that of this session'],
    ],
  },
  {
    attacker: 'A web page that a user visits',
    goal: 'Log the user in as somebody else, or take over a purchase',
    tests: [
      [
        'test/api/trust/pages/account/login.test.ts',
        'is refused from another site, so that nobody is logged in as somebody else unnoticed',
      ],
      [`${BILLING}/checkout.test.ts`, 'and a page of another site cannot replace the cookie'],
    ],
  },
  {
    attacker: 'The holder of an old backup',
    goal: 'Use a deleted key again',
    tests: [
      [
        'test/e2e/trust/operators/restored.test.ts',
        'a key whose deletion was answered stays deleted over a kill and the restore of an older backup',
      ],
    ],
  },
  {
    attacker: 'The holder of an old backup',
    goal: 'Be paid the same withdrawal a second time',
    tests: [
      [
        `${OPERATORS}/restored/restored.test.ts`,
        'after a restore money waits until the administrator accepts it, which does again what was done after the backup',
      ],
      [
        `${OPERATORS}/restored/restored.test.ts`,
        'a backup that somebody copied over the database is noticed at the start, without the command restore',
      ],
    ],
  },
  {
    attacker: 'Another user of the machine',
    goal: 'Replace files or the control socket of the service',
    tests: [
      [
        'test/unit/platform/data-directory.test.ts',
        'a data directory in which every user may write is refused, with the sticky bit and through a link too',
      ],
      [
        'test/e2e/commands/serve.test.ts',
        'refuses a directory in which every user may write, before anything is in it',
      ],
    ],
  },
  {
    attacker: 'Another user of the machine',
    goal: 'Send orders to the service, or read its keys in files and logs',
    tests: [
      [
        'test/api/commands/local-service.test.ts',
        'only its user can use the socket and read the key, which is no admin key',
      ],
      [
        'test/unit/commands/first-start-secrets.test.ts',
        '%s they are in a file that only its owner can read, and stdout names it',
      ],
    ],
  },
];
