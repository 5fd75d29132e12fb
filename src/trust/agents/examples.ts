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
  as_of: '2026-05-01T12:01:01.500Z',
  valid_until: '2026-05-02T12:01:01.500Z',
  issuer: 'did:web:trust.example',
  sponsor: 'op_cus_ZqKR…HwEl',
  presentation: null,
  evidence: { count: 0, head: null },
  content_hash: '3fd86203b6d45b3d62d3114e21821b605575a0c991f809e887e9acf2402d1618',
  signature:
    '7f87ac764f265da3827386069670ef61cac8c6d77bca79e4ab2e2e83c41223039ac0703e59daff3fcfa8576d431daab0c0587ab9e3a97dd5b2e3d77157f82d08',
  kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
};

const presentation = {
  photo_url: 'https://agents.example/clerk.png',
  photo_content_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  photo_mime_type: 'image/png',
};

/** The passport with a photo and an item of evidence. */
const presented = {
  ...passport,
  as_of: '2026-05-01T12:02:16.500Z',
  valid_until: '2026-05-02T12:02:16.500Z',
  presentation,
  evidence: { count: 1, head: '9baa6cbb6673b66bd9eeb8fe0013aa916c74b64110d0f3e45b09d26e9c4fb719' },
  content_hash: 'eaee4ebdc5ff7e41eff08d1d3a42c2eeb495575c6e72b315601e552e206c58a9',
  signature:
    '903e2cfd9db71013dc8b826105e7def8a53b21a0115b3815185080382c7639f49c50e38dc2fc684192ad40affe06fff2db14edbc8c2c57c8c3e47f20a322460e',
};

/** The passport of the revoked agent. */
const revoked = {
  ...presented,
  state: 'REVOKED',
  content_hash: 'b04f8aa897a41cb32fa4ccb9e326730736ee54f494c3022729c84ed37f565b66',
  signature:
    'b77f9bdaa0306f49cddebc02d362ae00e165dd64874c931a9913f7007e1a0a776d1ac21f3f2f5a822cbbe7c270e22e7b81182b61995ac2ab150450dd083ab20b',
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
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
        as_of: '2026-05-01T12:02:16.500Z',
        valid_until: '2026-05-02T12:02:16.500Z',
        issuer: 'did:web:trust.example',
        sponsor: 'op_cus_Ey2X…CY8D',
        presentation: null,
        evidence: { count: 0, head: null },
        content_hash: '5e0f8f0340da86dc7b6592b135eda0f0a4ac76e78ac4df62900625ce4bc9201b',
        signature:
          '5e99ddd990d0ed8fd2703669dcd025275520881c5d54b5c2323c61bbe34f74aacf7335a7a56570069017c08f82d11093a218a0cb89ecd0488efa54cedbde6f07',
        kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
      },
    },
  },
};
