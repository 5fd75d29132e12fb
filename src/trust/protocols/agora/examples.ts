import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  negotiate: {
    '201': {
      agora_version: '1.0',
      proposal_id: 'agora_00000000000000000000000000000001',
      status: 'proposed',
      action: 'propose',
      ledger_anchor: {
        index: 0,
        entry_hash: 'b3dc40af9608e599241c7656166edbbe2a20cdee0b811223b9acc6cabe886cd8',
        prev_hash: null,
      },
    },
  },
  getProposal: {
    '200': {
      agora_version: '1.0',
      proposal_id: 'agora_00000000000000000000000000000001',
      status: 'accepted',
      action: 'accept',
      ledger_anchor: {
        index: 2,
        entry_hash: 'eddf2e4cbc403494b1e292e841d35d8a06f8ffae1a94368af4f8663f7d60fd77',
        prev_hash: 'b24ce803bf86d15c1fc5c2e87191d17062218a5de970b56a1c9a96684f4e8a7f',
      },
      from_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      to_commitment: '3b26e16e5b76eeb990a556ab763d3228824a20e9d683910aebd98f95606c0780',
      terms: {
        credits: 120,
        days: 5,
        task: 'Audit the invoices of May',
      },
      parties: [
        {
          commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
          public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
          context: 'passport-v1',
        },
        {
          commitment: '3b26e16e5b76eeb990a556ab763d3228824a20e9d683910aebd98f95606c0780',
          public_key: 'f03cd2b15ec6498f1e852c433b4a6c7f2d8cb97b48082d272eceb7f330795afe',
          context: 'passport-v1',
        },
      ],
      timeline: [
        {
          index: 0,
          prev_hash: null,
          proposal_prev_hash: null,
          action: 'propose',
          commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
          to_commitment: '3b26e16e5b76eeb990a556ab763d3228824a20e9d683910aebd98f95606c0780',
          terms: {
            credits: 100,
            days: 5,
            task: 'Audit the invoices of May',
          },
          timestamp: '2026-11-22T17:36:26.491Z',
          agent_auth: {
            audience: '127.0.0.1:3000+Z7_AbEPQhrv5uqFKG_hFpUKbJ9yK02SQE7-ldwxfI_o',
            nonce: 'demonstration-agora-1',
            expires_at: '2026-11-22T17:41:26.491Z',
            signature:
              '1445393c79c92575878a879fd980f33ccf23632dcf93437868ea3841a55682c9780b72454d91f6b272612c83b00fbe9ad51556c29dff2019d01265569ff6810a',
          },
          entry_hash: 'b3dc40af9608e599241c7656166edbbe2a20cdee0b811223b9acc6cabe886cd8',
        },
        {
          index: 1,
          prev_hash: 'b3dc40af9608e599241c7656166edbbe2a20cdee0b811223b9acc6cabe886cd8',
          proposal_prev_hash: 'b3dc40af9608e599241c7656166edbbe2a20cdee0b811223b9acc6cabe886cd8',
          action: 'counter',
          commitment: '3b26e16e5b76eeb990a556ab763d3228824a20e9d683910aebd98f95606c0780',
          to_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
          terms: {
            credits: 120,
            days: 5,
            task: 'Audit the invoices of May',
          },
          timestamp: '2026-11-22T17:36:26.491Z',
          agent_auth: {
            audience: '127.0.0.1:3000+Z7_AbEPQhrv5uqFKG_hFpUKbJ9yK02SQE7-ldwxfI_o',
            nonce: 'demonstration-agora-2',
            expires_at: '2026-11-22T17:41:26.491Z',
            signature:
              'f37ad5faf28e73a0e49c59072d4c68b492325386569239ab05368167d41fdb924acfff5dc805ec89aecbe3a5fc3fa67cb21b02deb1acac9dcb432d51b34ad603',
          },
          entry_hash: 'b24ce803bf86d15c1fc5c2e87191d17062218a5de970b56a1c9a96684f4e8a7f',
        },
        {
          index: 2,
          prev_hash: 'b24ce803bf86d15c1fc5c2e87191d17062218a5de970b56a1c9a96684f4e8a7f',
          proposal_prev_hash: 'b24ce803bf86d15c1fc5c2e87191d17062218a5de970b56a1c9a96684f4e8a7f',
          action: 'accept',
          commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
          to_commitment: '3b26e16e5b76eeb990a556ab763d3228824a20e9d683910aebd98f95606c0780',
          terms: null,
          timestamp: '2026-11-22T17:36:26.491Z',
          agent_auth: {
            audience: '127.0.0.1:3000+Z7_AbEPQhrv5uqFKG_hFpUKbJ9yK02SQE7-ldwxfI_o',
            nonce: 'demonstration-agora-3',
            expires_at: '2026-11-22T17:41:26.491Z',
            signature:
              '74de1c5a45569967c1cad4944398d24254ebdc5496e5fa946b19f5c0a67b96d2512dbb2f5e2c3a463c81b7bfd20fe67d96850534c346be0d5715c46defd26703',
          },
          entry_hash: 'eddf2e4cbc403494b1e292e841d35d8a06f8ffae1a94368af4f8663f7d60fd77',
        },
      ],
    },
  },
};
