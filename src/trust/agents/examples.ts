import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** The passport of the example agent. */
const passport = {
  type: 'passport',
  passport_id: 'pass_01a20229d287758ca3fa8c6db2cf6ace',
  subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
  public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  did: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
  context: 'passport-v1',
  name: 'Invoice clerk',
  state: 'ISSUED',
  issued_at: '2026-05-01T12:01:01.500Z',
  issuer: 'did:web:trust.example',
  sponsor: 'op_cus_ZqKR…HwEl',
  presentation: null,
  content_hash: 'db7c89f569f04863ccef6a920b8562033018b1f3f25ba64277f178347710559f',
  signature:
    '37152d6741eb7816e794cab3ee08e43052a69e83aeb5e2a1086df454bd89d96300b33dd67f713cc50ecc20a4d31881a8002c9511f28b5cd32c65f4cc2c083d09',
  kid: 'qD5wc1A-cZNaxdWpBpOdnkdjwa1kObMeVw-RUr5GAR4',
};

const presentation = {
  photo_url: 'https://agents.example/clerk.png',
  photo_content_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  photo_mime_type: 'image/png',
};

/** The passport with a photo. */
const presented = {
  ...passport,
  presentation,
  content_hash: '41c731bdfbfb9772a23fc25ddc2ab1187b1e50a2ea02890c2b0d53920ef5d7f8',
  signature:
    '0bb1a2b97ddfd825a806f1bb31a802279260d2ca8a6e0cb8055f7f0cd2222f48313ce29e783300602a58c469ef3ad191a52c26b9ac6e746d997a66a9b002e70b',
};

/** The passport of the revoked agent. */
const revoked = {
  ...presented,
  state: 'REVOKED',
  content_hash: 'f8d718b00f6adbaefdb4c096ac0a7337f22c399a35feaa045627186f76a8a397',
  signature:
    '2b1700a8833348f5fbd799bc7e41b27284a4d9ecf5b98073004a517e0871544e643711eff7892613d2fad79e045c570195108c077d954f8e862bc4fb84246808',
};

/** Responses of the operations, as a service answered them; secrets are zeros. */
export const examples: OperationExamples = {
  startEnrollment: {
    '200': {
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      status: 'PENDING',
      challenge_nonce:
        'chal_eyJleHBpcmVzX2F0IjoiMjAyNi0wNS0wMVQxMjowNjowMC4wMDBaIiwiaG9zdCI6InRydXN0LmV4YW1wbGUiLCJwdXJwb3NlIjoiZW5yb2xsIiwicmFuZG9tIjoiaEFiZkhXMEZLVGVCQjNFU0xzU0JXbzB3MVZjclNrT180ZlhlcnpTa1FNQSIsInN1YmplY3RfY29tbWl0bWVudCI6IjhhOGU4MGE4ZWJlNjk5MjY1OWIwMjk0OWRmYWFjMTgzOWEzYTkyNzU4Y2U2OWEzNjIwZjQxOTQ0MTc2OGNjNzMifQ',
      expires_at: '2026-05-01T12:06:00.000Z',
    },
  },
  completeEnrollment: {
    '200': passport,
    '201': passport,
  },
  setPresentation: {
    '200': {
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      presentation,
    },
  },
  setAgentName: {
    '200': presented,
  },
  getPassport: {
    '200': presented,
  },
  createHolderKey: {
    '201': {
      operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
      keyHash: 'a50bee1c46ffce32bb23b8f6f78a70c54465c8f0048dbefc0895c973fb7d1de6',
      name: 'made by the agent',
      role: 'holder',
      admin: false,
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      scope: null,
      created_at: '2026-05-01T12:02:16.500Z',
      last_used_at: null,
      api_key: 'pp_0000000000000000000000000000000000000000000000000000000000000000',
      revoked_keys: 1,
    },
  },
  setSponsor: {
    '200': presented,
  },
  revokeAgent: {
    '200': revoked,
    '409': {
      error: 'The agent was already revoked at 2026-05-01T12:02:16.500Z.',
      reason_code: 'invalid_state',
      passport: revoked,
      request_id: '019de396-2e00-7000-8f3a-5b0c7d1e9a42',
    },
  },
  autonomousChallenge: {
    '200': {
      challenge_nonce:
        'chal_eyJleHBpcmVzX2F0IjoiMjAyNi0wNS0wMVQxMjowNDoxNi41MDBaIiwiaG9zdCI6InRydXN0LmV4YW1wbGUiLCJwdXJwb3NlIjoiYXV0b25vbW91cyIsInJhbmRvbSI6Im5Gcm1NcDBZZU1YWU40Q0VtMlhNeXdQWWVOY2FOZUxGM1ZxRWF6MkNlUDgiLCJzdWJqZWN0X2NvbW1pdG1lbnQiOm51bGx9',
      pow_difficulty: 5,
      pow_algorithm: 'sha256-leading-hex-zeros',
      expires_at: '2026-05-01T12:04:16.500Z',
    },
  },
  provisionAgent: {
    '201': {
      operator_id: 'op_cus_Ey2XhRnxCtX4wtl15041CY8D',
      api_key: 'pp_0000000000000000000000000000000000000000000000000000000000000000',
      role: 'HOLDER',
      subject_commitment: '7b2ea1654b09b3b36c48e5cfa83dcbddb0e11da3c848ac8aa0bfbb93327e8627',
      did: 'did:key:z6MkkteKUJf7tzDc6MCMguCWqBkyuus6ZNvWMZ2BwX77CXzN',
      passport: {
        type: 'passport',
        passport_id: 'pass_01a20229e6ae70bba9baa964df0b6580',
        subject_commitment: '7b2ea1654b09b3b36c48e5cfa83dcbddb0e11da3c848ac8aa0bfbb93327e8627',
        public_key: '5fa6d3ac67d4dbe8d6239e0556006f5a722b14205c591310d53408c5003bad8f',
        did: 'did:key:z6MkkteKUJf7tzDc6MCMguCWqBkyuus6ZNvWMZ2BwX77CXzN',
        context: 'passport-v1',
        name: 'Invoice clerk',
        state: 'ISSUED',
        issued_at: '2026-05-01T12:02:16.500Z',
        issuer: 'did:web:trust.example',
        sponsor: 'op_cus_Ey2X…CY8D',
        presentation: null,
        content_hash: 'd21cb97b7c84bb97fd0adb37efcbf6f1cdcd3257b2fd9dfc7545e04e513df8d0',
        signature:
          '7e770ff3c1fc7f54e21e22ac9e7d4448a3060489a1c30890f13d738489937c079044f57f08e830ac3f64b242f93eb319a0618be245d5a39cd91ebcea3cce2906',
        kid: 'qD5wc1A-cZNaxdWpBpOdnkdjwa1kObMeVw-RUr5GAR4',
      },
    },
  },
};
