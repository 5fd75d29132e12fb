/**
 * The words of the operations: the command line, the TypeScript SDK and the Python SDK call an operation by
 * the same group and verb. They follow from its tag and operationId. `EXCEPTIONS` has those that would read
 * badly.
 */

/** The words of an operation, in lower case with dashes: `receipts` and `public-manifest`. */
export interface Words {
  group: string;
  verb: string;
}

/** The group of a tag, and the nouns that a verb leaves out because the group says them. */
const GROUPS: Readonly<Record<string, readonly [group: string, ...nouns: string[]]>> = {
  A2A: ['a2a', 'a2a'],
  ACP: ['acp', 'acp', 'task'],
  Account: ['account', 'account'],
  Accounts: ['keys', 'key', 'keys'],
  Administration: ['partners', 'partner', 'partners'],
  'Agent payments': ['payments', 'payment', 'payments', 'agent'],
  Agents: ['agents', 'agent', 'agents'],
  Attestations: ['attestations', 'attestation'],
  Billing: ['billing'],
  Clinicians: ['clinicians', 'clinician', 'clinicians'],
  Compliance: ['compliance', 'compliance'],
  Credentials: ['credentials', 'credential'],
  Credits: ['credits', 'credits', 'credit'],
  'Data centers': ['datacenter'],
  Discovery: ['service'],
  Engagements: ['engagements', 'engagement', 'engagements'],
  Evidence: ['evidence', 'evidence'],
  Gate: ['gate', 'gate'],
  Keys: ['keys', 'keys'],
  Operator: ['operator', 'operator'],
  Receipts: ['receipts', 'receipt', 'receipts'],
  Reputation: ['agents'],
  Requisitions: ['requisitions', 'job', 'jobs'],
  'Transparency log': ['log', 'log'],
  Webhook: ['webhook', 'webhook'],
  Webhooks: ['webhooks', 'webhook', 'webhooks'],
};

/** The words of operations that the rule gives worse ones, by operationId. */
const EXCEPTIONS: Readonly<Record<string, readonly [group: string, verb: string]>> = {
  // The words of the commands, which are older than the SDKs.
  anchorEvidence: ['evidence', 'send'],
  getLeaderboard: ['agents', 'leaderboard'],
  getProfile: ['agents', 'get'],
  getReputationCredential: ['credentials', 'get'],
  listAllJobs: ['jobs', 'list'],
  revokePartnerKeys: ['partners', 'revoke'],
  setJobStatus: ['jobs', 'status'],
  verifyGate: ['gate', 'check'],
  // The keys of an operator are API keys, and those of the service are its signing keys.
  createApiKey: ['operator', 'create-key'],
  deleteApiKey: ['operator', 'delete-key'],
  listApiKeys: ['operator', 'keys'],
  listTransparencyKeys: ['keys', 'list'],
  getPublicKey: ['keys', 'public'],
  getMe: ['me', 'get'],
  // Protocols that have names of their own.
  getAgentCardOf03: ['a2a', 'agent-card-03'],
  getAgentDidDocument: ['dids', 'agent'],
  getAgentWebDidDocument: ['dids', 'agent-web'],
  getJsonWebKeySet: ['dids', 'json-web-key-set'],
  getProposal: ['agora', 'proposal'],
  getServiceDidDocument: ['dids', 'service'],
  listProposals: ['agora', 'proposals'],
  negotiate: ['agora', 'negotiate'],
};

/**
 * Returns the words of an operation. The first word of its operationId is the verb, without the nouns that
 * the group says: `issueReceipt` of `Receipts` is `receipts issue`. What is read is named without a verb:
 * `getReceiptProof` is `receipts proof`, `listReceiptVersions` is `receipts versions`.
 * @param tag its tag in the OpenAPI document
 * @throws Error for a tag that has no group
 */
export function wordsOf(tag: string, operationId: string): Words {
  const exception = EXCEPTIONS[operationId];
  if (exception !== undefined) return { group: exception[0], verb: exception[1] };
  const [group, ...nouns] = GROUPS[tag] ?? [];
  if (group === undefined) throw new Error(`the tag ${tag} has no group in src/sdk/words.ts`);
  const [verb = '', ...rest] = operationId
    .replace(/[A-Z]/g, '-$&')
    .toLowerCase()
    .split('-')
    .filter((word, index) => index === 0 || !nouns.includes(word));
  const isRead = verb === 'get' || verb === 'list';
  return { group, verb: (isRead && rest.length > 0 ? rest : [verb, ...rest]).join('-') };
}

/** Returns the verb on the command line, where `get` is `show`. */
export const commandVerb = ({ verb }: Words): string => (verb === 'get' ? 'show' : verb);

/** Returns a word in camel case: `publicManifest`. */
export const camelCase = (word: string): string =>
  word.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns a word in snake case: `public_manifest`. */
export const snakeCase = (word: string): string => word.replaceAll('-', '_');

/** The operationIds that have words of their own. A test says that each is one of an operation. */
export const EXCEPTION_IDS = Object.keys(EXCEPTIONS);
