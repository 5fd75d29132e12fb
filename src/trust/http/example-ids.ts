/**
 * The identifiers and keys of the data that `serve --demo` loads, which the examples of the documentation
 * use. They are public and valid only for a demonstration.
 */

/** The admin API key of the demonstration's first operator. */
export const DEMO_API_KEY = `pp_${'de30'.repeat(16)}`;
/** A second key of the same operator, for the example that deletes a key. */
export const DEMO_SPARE_KEY = `pp_${'de31'.repeat(16)}`;
/** SHA-256 of DEMO_SPARE_KEY. */
export const DEMO_SPARE_KEY_HASH = '19699680e03dfe694f1488148bf0ddc1fa01777ba71306bdd7efa71aa498a24a';
/** The API key of the second operator. */
export const DEMO_OTHER_KEY = `pp_${'de32'.repeat(16)}`;
export const DEMO_SERVICE_TOKEN = `svc_${'de30'.repeat(16)}`;

/** The secret of the rail x402, with which settlements are signed. */
export const DEMO_SETTLEMENT_SECRET = 'x402-secret-of-the-demonstration';

export const DEMO_OPERATOR_ID = 'op_cus_DemoInvoices000000000001';
export const DEMO_OTHER_OPERATOR_ID = 'op_cus_DemoLogistics00000000002';

/** Returns the id of the demonstration's nth receipt, counted from 1. */
export const demoReceiptId = (n: number): string => `rcpt_${n.toString(16).padStart(32, '0')}`;

/** A receipt that was finalized as a success. */
export const DEMO_RECEIPT_ID = demoReceiptId(1);
/** A pending receipt. */
export const DEMO_PENDING_ID = demoReceiptId(2);

export const DEMO_WEBHOOK_ID = `wh_${'1'.padStart(32, '0')}`;

/**
 * A commit in the evidence of the documentation's agent: in a push of the demonstration, and in the example
 * that anchors evidence.
 */
export const DEMO_COMMIT = '6113728f27ae82c7b1a177c8d03f9e96e0adf246';
/** The event_commitment_hash of that push, the first item of the agent. */
export const DEMO_EVENT_HASH = 'e17af84a4e14ea2a9ac63ecb005355f0c364923be3c310050f7b2b193648826e';

/** The commitment of the agent that the documentation's agent hires. */
export const DEMO_WORKER = '3b26e16e5b76eeb990a556ab763d3228824a20e9d683910aebd98f95606c0780';
/** Engagements in which the documentation's agent hired it, by what can be done with them. */
export const DEMO_ENGAGEMENTS = {
  held: 'invoice-audit-held',
  delivered: 'invoice-audit-delivered',
  refundable: 'invoice-audit-refundable',
  declinable: 'invoice-audit-declinable',
  disputable: 'invoice-audit-disputable',
  disputed: 'invoice-audit-disputed',
  arbitrated: 'invoice-audit-arbitrated',
  paid: 'invoice-audit-paid',
} as const;
/** Tasks of ACP between the same two agents. The worker has delivered both. */
export const DEMO_ACP_TASKS = {
  delivered: 'acp-audit-delivered',
  acceptable: 'acp-audit-acceptable',
} as const;
/**
 * A2A tasks of the first operator: a verified receipt, a hire whose terms are missing, and hires by what can
 * be done with them.
 */
export const DEMO_A2A_TASKS = {
  completed: `a2a_${'1'.padStart(32, '0')}`,
  asked: `a2a_${'2'.padStart(32, '0')}`,
  held: `a2a_${'3'.padStart(32, '0')}`,
  cancelable: `a2a_${'4'.padStart(32, '0')}`,
  delivered: `a2a_${'5'.padStart(32, '0')}`,
  paid: `a2a_${'6'.padStart(32, '0')}`,
} as const;
/**
 * The digest of the deliverable of `DEMO_ACP_TASKS.delivered`, and the hash of its evidence, the first item
 * of the worker.
 */
export const DEMO_DELIVERABLE = 'b53974a3fc4144449c438543f3c27ab27585efede65829d27825e3c068b5064f';
export const DEMO_DELIVERY = '1785b9da5db8eaabe29f8a9fe81730bf3e324d31d02686437539585307172a01';

/** The transaction that locked the pay of `DEMO_ACP_TASKS.delivered`. */
export const DEMO_TRANSACTION_ID = `txn_${'10'.padStart(32, '0')}`;

/** A credential of the documentation's agent, and the number of its status list. */
export const DEMO_CREDENTIAL_ID = '00000000-0000-7000-8000-00000000c4ed';
export const DEMO_STATUS_LIST = '1';

/** Proposals of AGORA between the same two agents, by their status. */
export const DEMO_PROPOSALS = {
  accepted: `agora_${'1'.padStart(32, '0')}`,
  countered: `agora_${'2'.padStart(32, '0')}`,
} as const;

/** The cluster of the first operator that telemetry of the last weeks is about. */
export const DEMO_CLUSTER = 'demo-hall-1';
/** Another cluster. No example sends telemetry of it. */
export const DEMO_OTHER_CLUSTER = 'demo-hall-2';

/** A withdrawal of the documentation's agent. */
export const DEMO_WITHDRAWAL_ID = `wdr_${'1'.padStart(32, '0')}`;

/** A checkout that was paid and whose key was not claimed. */
export const DEMO_SESSION_ID = `cs_sandbox_${'de33'.repeat(16)}`;
export const DEMO_CLAIM_TOKEN = `claim_${'de34'.repeat(16)}`;
