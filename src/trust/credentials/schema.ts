import { type Static, type TSchema, Type } from '@sinclair/typebox';
import {
  dateTime,
  hexString,
  inForms,
  named,
  nullable,
  reasonText,
  strictObject,
  written,
} from '../../platform/http/schema.ts';
import { CREDENTIALS_CONTEXT, REPUTATION_TYPE } from '../../proof/credential/contexts.ts';
import { METRICS } from '../evidence/reputation/schema.ts';
import { DEMO_CREDENTIAL_ID, DEMO_STATUS_LIST } from '../http/example-ids.ts';

/** The media type of VC Data Model 2.0. Clients that do not ask for it know JSON only. */
export const VC_TYPE = 'application/vc';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const CredentialIdPath = strictObject({
  id: Type.String({
    maxLength: 256,
    description: 'The UUID of the credential: its `id` with or without `urn:uuid:`.',
    examples: [DEMO_CREDENTIAL_ID],
  }),
});

export const StatusListPath = strictObject({
  list: Type.String({
    pattern: '^[1-9][0-9]{0,14}$',
    description: 'The number of the list, as in the `statusListCredential` of a credential.',
    'x-message': 'must be a positive integer',
    examples: [DEMO_STATUS_LIST],
  }),
});

export const RevokeCredentialRequest = Type.Optional(
  named(
    'RevokeCredentialRequest',
    strictObject(
      { reason: Type.Optional(reasonText('The reason. The service stores it and publishes it nowhere.')) },
      { examples: [{ reason: 'The agent was paid to be praised.' }] },
    ),
  ),
);

const proof = named(
  'DataIntegrityProof',
  strictObject(
    {
      '@context': Type.Array(Type.String(), { description: 'The contexts of the document, repeated.' }),
      type: Type.Literal('DataIntegrityProof'),
      cryptosuite: Type.Literal('eddsa-jcs-2022'),
      created: dateTime('The time of the signature.'),
      verificationMethod: Type.String({
        description: 'The key: a DID URL of the issuer, such as `did:web:example.com#<kid>`.',
      }),
      proofPurpose: Type.Literal('assertionMethod'),
      proofValue: Type.String({ description: 'The Ed25519 signature: `z` and base58btc.' }),
    },
    { description: 'A proof of W3C Data Integrity, cryptosuite eddsa-jcs-2022.' },
  ),
);

/** The members of every credential, except its contexts, type and subject. */
const common = {
  issuer: Type.String({
    description: 'The DID of this service: did:web of its https host, or did:key without one.',
  }),
  validFrom: dateTime('The time of the issue.'),
  validUntil: dateTime('The end of the validity: 24 hours after validFrom.'),
};

const statusEntry = named(
  'BitstringStatusListEntry',
  strictObject(
    {
      id: Type.String({ description: 'The URL of the list with the index as fragment.' }),
      type: Type.Literal('BitstringStatusListEntry'),
      statusPurpose: Type.Literal('revocation'),
      statusListIndex: Type.String({ description: 'The entry of this credential, from 0 to 131071.' }),
      statusListCredential: Type.String({ description: 'The URL of the list.' }),
    },
    { description: 'The entry of a status list: its bit is 1 once the credential is revoked.' },
  ),
);

const limits = Type.String({ description: 'What the credential cannot show, in sentences.' });

export const CitedCheckpoint = named(
  'CitedCheckpoint',
  strictObject({
    origin: Type.String({ description: 'The origin of the log.' }),
    tree_size: count('The number of leaves of the log.'),
    root_hash: hexString(32, 'The root hash of these leaves (RFC 6962).'),
  }),
);

/** The members of a credential that can be revoked, except its type and its subject. */
export const credentialMembers = {
  ...common,
  id: Type.String({ description: '`urn:uuid:` and the UUID of the credential.' }),
  description: limits,
  credentialStatus: statusEntry,
  proof,
};

export const AgentReputationCredential = named(
  'AgentReputationCredential',
  strictObject({
    '@context': Type.Array(Type.String(), {
      description: `\`${CREDENTIALS_CONTEXT}\`, then the context of this service for reputations.`,
    }),
    id: Type.String({ description: '`urn:uuid:` and the UUID of the credential.' }),
    type: Type.Array(Type.String(), { description: `\`VerifiableCredential\` and \`${REPUTATION_TYPE}\`.` }),
    ...common,
    description: limits,
    credentialStatus: statusEntry,
    credentialSubject: strictObject(
      {
        id: Type.String({ description: 'The did:key of the agent.' }),
        agent_commitment_hash: hexString(32, "The agent's subject commitment."),
        totals: strictObject(
          {
            evidence_count: count('Items of evidence.'),
            artifact_count: count('Commits and deliverables in these items.'),
            failure_count: count('Failures among the evidence and the receipts that are not revoked.'),
          },
          { description: 'Totals since the agent enrolled.' },
        ),
        rolling_30d: strictObject(
          { success_rate: METRICS.success_rate, failure_rate: METRICS.failure_rate },
          { description: 'Rates over the UTC day of measured_at and the 29 days before.' },
        ),
        score: METRICS.score,
        score_corroborated: METRICS.score_corroborated,
        score_basis: METRICS.score_basis,
        sample_size: METRICS.sample_size,
        first_observed_at: nullable(dateTime('The first event of the agent. null before it.')),
        last_observed_at: nullable(dateTime('The last event of the agent. null before the first.')),
        measured_at: dateTime('The time when the values were measured: validFrom.'),
        receipts_count: count('Receipts of this agent that its sponsor finalized and did not revoke.'),
        checkpoint: strictObject(
          { evidence: CitedCheckpoint, receipts: CitedCheckpoint },
          {
            description:
              'Published checkpoints of the logs of evidence and of receipts. They contain every leaf that the values count.',
          },
        ),
      },
      { description: 'The agent and its reputation.' },
    ),
    proof,
  }),
);

const BitstringStatusListCredential = named(
  'BitstringStatusListCredential',
  strictObject({
    '@context': Type.Array(Type.String(), { description: `\`${CREDENTIALS_CONTEXT}\`.` }),
    id: Type.String({ description: 'The URL of the list.' }),
    type: Type.Array(Type.String(), {
      description: '`VerifiableCredential` and `BitstringStatusListCredential`.',
    }),
    ...common,
    credentialSubject: strictObject({
      id: Type.String({ description: 'The URL of the list with the fragment `list`.' }),
      type: Type.Literal('BitstringStatusList'),
      statusPurpose: Type.Literal('revocation'),
      encodedList: Type.String({
        description: '131,072 bits, the first entry first: `u` and base64url of their gzip.',
      }),
      ttl: Type.Integer({ description: 'For how long a verifier may rely on the list, in milliseconds.' }),
    }),
    proof,
  }),
);

/** A credential in the media type of JSON, or in that of VC Data Model 2.0. */
export const inBothTypes = (credential: TSchema) =>
  inForms([written(credential), written({ ...credential, 'x-media-type': VC_TYPE })], 'OK');

export const CredentialText = inBothTypes(AgentReputationCredential);
export const StatusListText = inBothTypes(BitstringStatusListCredential);

/** Returns the schema of a JSON-LD context that is sent as text. */
export const contextSchema = (name: string) =>
  written({
    ...named(
      name,
      strictObject(
        { '@context': Type.Record(Type.String(), Type.Unknown(), { description: 'The terms.' }) },
        { description: 'The JSON-LD context.' },
      ),
    ),
    'x-media-type': 'application/ld+json',
  });

export const ContextText = contextSchema('ReputationContext');

export const RevokedCredential = named(
  'RevokedCredential',
  strictObject({
    id: Type.String({ description: '`urn:uuid:` and the UUID of the credential.' }),
    agent_commitment_hash: nullable(
      hexString(32, "The agent's subject commitment. null for a credential about a cluster."),
    ),
    cluster_id: nullable(Type.String({ description: 'The cluster. null for a credential about an agent.' })),
    status: Type.Literal('revoked'),
    revoked_at: dateTime('The time of the revocation.'),
    reason: nullable(Type.String({ description: 'The reason. null if none was given.' })),
    status_list_credential: Type.String({ description: 'The URL of the status list that shows it.' }),
    status_list_index: Type.String({ description: 'The entry in that list.' }),
  }),
);

export type RevokedCredential = Static<typeof RevokedCredential>;
