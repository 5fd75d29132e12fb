import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service answered them. The first two verify. */
export const examples: OperationExamples = {
  getReputationCredential: {
    '200': {
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
        proofValue:
          'zVLfG6rvaJKTnbk44pwRtXY4hx9dx8FpWjV7Wx8PLNa8VFgqzfcL5JAbKAzbn7ciVqtM9XUF3a9MqHjtA98Knr5p',
      },
    },
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
      status: 'revoked',
      revoked_at: '2026-05-01T12:03:16.500Z',
      reason: 'The agent was paid to be praised.',
      status_list_credential: 'http://localhost:3000/api/v1/credentials/status/1',
      status_list_index: '81333',
    },
  },
};
