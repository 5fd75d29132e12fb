import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them. */
export const examples: OperationExamples = {
  getAgentWallet: {
    '200': {
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      available: 1999,
      locked: 500,
      withdrawable: 1999,
    },
  },
  listProducts: {
    '200': {
      products: [
        {
          product: 'reputation_lookup_verified',
          credits: 1,
          description: 'A verified look-up of the reputation of an agent.',
        },
        {
          product: 'portable_credential_issuance',
          credits: 10,
          description: 'A credential of the reputation of an agent, which it can show anywhere.',
        },
        {
          product: 'audit_package_generation',
          credits: 20,
          description: 'A signed package with the evidence of an audit.',
        },
      ],
    },
  },
  spend: {
    '201': {
      authorized: true,
      product: 'reputation_lookup_verified',
      credits_charged: 1,
      remaining_credits: 2499,
      meter_ref: 'txn_01a206428ee57348bc207b454797abd0',
      payment_digest: 'be4d0efa2bed58d25f4dff7cef997c1bcac98ef24a23b57a12bfe07e2d0f198c',
      meter_receipt: {
        type: 'meter',
        meter_ref: 'txn_01a206428ee57348bc207b454797abd0',
        product: 'reputation_lookup_verified',
        payer: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
        credits_charged: 1,
        remaining_credits: 2499,
        charged_at: '2026-11-23T02:35:54.981Z',
        merchant: 'shop.example',
        nonce: 'payment-2030-01-31-0001',
        expires_at: '2030-01-31T12:00:00Z',
        payment_digest: 'be4d0efa2bed58d25f4dff7cef997c1bcac98ef24a23b57a12bfe07e2d0f198c',
        content_hash: 'db88e422b6b4514497375bd9fa4a03038abb3c6958f11ee675d216d7c5c8cade',
        signature:
          'd0caea5e1c76aa55bd6fad4d780cbc373f864d819101286937d71d5f0a504fdbf7df461f35238a49439d114ff41f0816e061a8fa54b44b9fc090b26293293b0f',
        kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
      },
    },
  },
  settle: {
    '201': {
      settlement_id: 'stl_01a206428ed575f4a98cd0435fcad1ad',
      rail: 'x402',
      reference: 'x402_7f3a',
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      credits: 2500,
      amount_label: '25.00 USDC',
      status: 'credited',
      transaction_id: 'txn_01a206428ed575f3abda426b2754cf30',
      credited_at: '2026-11-23T02:35:54.965Z',
    },
  },
  withdraw: {
    '201': {
      withdrawal_id: 'wdr_01a206428f2671d6b53460bde6e9e236',
      receipt_id: 'rcpt_01a206428f2774fb830f5ea5df63e6ea',
      reference: 'payout 2030-01',
      status: 'queued',
    },
  },
};
