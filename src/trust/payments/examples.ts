import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service answered them. */
export const examples: OperationExamples = {
  getAgentWallet: {
    '200': {
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      available: 2499,
      locked: 0,
      withdrawable: 2499,
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
      meter_ref: 'txn_01a20635ffab75689b76269b06d42c10',
      payment_digest: 'e688a3695e9a749f5f0cea0331fa392bc013280539a4c3ca2b137b3e5ce9268b',
      meter_receipt: {
        type: 'meter',
        meter_ref: 'txn_01a20635ffab75689b76269b06d42c10',
        product: 'reputation_lookup_verified',
        payer: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
        credits_charged: 1,
        remaining_credits: 2499,
        charged_at: '2026-11-23T02:22:11.883Z',
        merchant: 'shop.example',
        nonce: 'payment-2030-01-31-0001',
        expires_at: '2030-01-31T12:00:00Z',
        payment_digest: 'e688a3695e9a749f5f0cea0331fa392bc013280539a4c3ca2b137b3e5ce9268b',
        content_hash: 'd2fc7b498d3924ab3348a3c62d9be818bffeaf70af79fe3225706284e3e3ce13',
        signature:
          '0ce0e8cd74d59a878bf20b9eaf972c7abd214d5718b36738465cd99c8b0ba7fc228c856e99393d2ac196d762b6f55345ffd630b2de6be106f9e183fc4b77880c',
        kid: '_dSEtrH8kIS_QhB4SHR_Kgmt9REuypNg5QMmVlAadRM',
      },
    },
  },
  settle: {
    '201': {
      settlement_id: 'stl_01a20635ffa4740fba1e2c97a0281487',
      rail: 'x402',
      reference: 'x402_7f3a',
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      credits: 2500,
      amount_label: '25.00 USDC',
      status: 'credited',
      transaction_id: 'txn_01a20635ffa4740e854cd5fdb43fdd60',
      credited_at: '2026-11-23T02:22:11.876Z',
    },
  },
};
