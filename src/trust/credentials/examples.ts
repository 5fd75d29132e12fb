import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';
import { EXAMPLE_REQUEST_ID } from '../../platform/http/schema.ts';

const credential = {
  '@context': ['https://www.w3.org/ns/credentials/v2', 'http://localhost:3000/contexts/reputation/v1'],
  id: 'urn:uuid:00000000-0000-7000-8000-00000000c4ed',
  type: ['VerifiableCredential', 'AgentReputationCredential'],
  issuer: 'did:key:z6MkhV8NWFJC5DLL7wYZKjPywKnJfZSCeZnfSZyq6SLRXHQR',
  validFrom: '2026-05-01T12:02:16.500Z',
  validUntil: '2026-05-02T12:02:16.500Z',
  credentialStatus: {
    id: 'http://localhost:3000/api/v1/credentials/status/1#81333',
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: '81333',
    statusListCredential: 'http://localhost:3000/api/v1/credentials/status/1',
  },
  credentialSubject: {
    id: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
    agent_commitment_hash: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
    totals: {
      evidence_count: 2,
      artifact_count: 2,
      failure_count: 0,
    },
    rolling_30d: {
      success_rate: 1,
      failure_rate: 0,
    },
    score: 34,
    sample_size: 2,
    first_observed_at: '2026-05-01T12:02:15.500Z',
    last_observed_at: '2026-05-01T12:02:15.500Z',
    measured_at: '2026-05-01T12:02:16.500Z',
    receipts_count: 0,
    checkpoint: {
      evidence: {
        origin: 'localhost:3000/evidence',
        tree_size: 2,
        root_hash: '8cf4eb8261c64fa351d4aa1ec06a13c19ebfdba2e201f05baa6f8ec0c11e6fbe',
      },
      receipts: {
        origin: 'localhost:3000/receipts',
        tree_size: 0,
        root_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
    },
  },
  proof: {
    '@context': ['https://www.w3.org/ns/credentials/v2', 'http://localhost:3000/contexts/reputation/v1'],
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: '2026-05-01T12:02:16.500Z',
    verificationMethod:
      'did:key:z6MkhV8NWFJC5DLL7wYZKjPywKnJfZSCeZnfSZyq6SLRXHQR#z6MkhV8NWFJC5DLL7wYZKjPywKnJfZSCeZnfSZyq6SLRXHQR',
    proofPurpose: 'assertionMethod',
    proofValue: 'zVLfG6rvaJKTnbk44pwRtXY4hx9dx8FpWjV7Wx8PLNa8VFgqzfcL5JAbKAzbn7ciVqtM9XUF3a9MqHjtA98Knr5p',
  },
};

/** Responses of the operations, as a service returned them. The first two verify. */
export const examples: OperationExamples = {
  getReputationCredential: {
    '200': credential,
  },
  getStatusList: {
    '200': {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id: 'http://localhost:3000/api/v1/credentials/status/1',
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: 'did:key:z6MkhV8NWFJC5DLL7wYZKjPywKnJfZSCeZnfSZyq6SLRXHQR',
      validFrom: '2026-05-01T12:02:16.500Z',
      validUntil: '2026-05-02T12:02:16.500Z',
      credentialSubject: {
        id: 'http://localhost:3000/api/v1/credentials/status/1#list',
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: 'uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIDOBobSVKsAQAAA',
        ttl: 60000,
      },
      proof: {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        type: 'DataIntegrityProof',
        cryptosuite: 'eddsa-jcs-2022',
        created: '2026-05-01T12:02:16.500Z',
        verificationMethod:
          'did:key:z6MkhV8NWFJC5DLL7wYZKjPywKnJfZSCeZnfSZyq6SLRXHQR#z6MkhV8NWFJC5DLL7wYZKjPywKnJfZSCeZnfSZyq6SLRXHQR',
        proofPurpose: 'assertionMethod',
        proofValue:
          'zv59hHTeMHbR5FkdCsuQ7yTDaXHDaudWXzsnwcF4B4gSiixUHR25isz9ze7vMjXhHSwBy7rT7fD1eEEwKw8QXymh',
      },
    },
  },
  revokeCredential: {
    '200': {
      id: 'urn:uuid:00000000-0000-7000-8000-00000000c4ed',
      agent_commitment_hash: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      cluster_id: null,
      status: 'revoked',
      revoked_at: '2026-05-01T12:03:16.500Z',
      reason: 'The agent was paid to be praised.',
      status_list_credential: 'http://localhost:3000/api/v1/credentials/status/1',
      status_list_index: '81333',
    },
  },
  verifyCredential: {
    body: credential,
    '200': {
      valid: true,
      issuer: credential.issuer,
      subject: credential.credentialSubject.id,
      checks: { shape: true, issuer: true, proof: true, validity: true, status: true },
    },
    '422': {
      error: 'The credential has been revoked. Do not rely on the credential.',
      reason_code: 'credential_revoked',
      request_id: EXAMPLE_REQUEST_ID,
      valid: false,
      checks: { shape: true, issuer: true, proof: true, validity: true, status: false },
    },
  },
  issueMeteredCredential: {
    '201': {
      credential,
      meter_receipt: {
        type: 'meter',
        meter_ref: 'txn_01a203d9550a73bb8a0d3c3cf20f1b4e',
        product: 'portable_credential_issuance',
        payer: 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2',
        credits_charged: 10,
        remaining_credits: 999990,
        charged_at: '2026-05-01T12:02:16.500Z',
        content_hash: 'f7d591805dfa162d55e13c56d8bef88647e0644349904fcbad34fbe4a792b26d',
        signature:
          '49b37fc2d132310b139535840aca61137fddb342767965868dad820399a1a7e51c63a3e1791fef4403adf4b1a31a574ab3b5cc02667b29a9f7dfed8c02dec00c',
        kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
      },
    },
  },
};
