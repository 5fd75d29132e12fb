import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

const SESSION = 'cs_test_a1b2c3d4e5f6g7h8i9j0';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  startCheckout: {
    '200': {
      url: `https://checkout.stripe.com/c/pay/${SESSION}`,
      session_id: SESSION,
      claim_token: 'claim_0000000000000000000000000000000000000000000000000000000000000000',
    },
  },
  claimApiKey: {
    '201': {
      operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
      api_key: 'pp_0000000000000000000000000000000000000000000000000000000000000000',
      keyHash: 'c688422ad516ce7db0b4ce387010016f00c253b9eba06e892e03a83241669ce3',
    },
  },
  receiveProcessorEvent: { '200': { received: true } },
  topUpAccount: {
    '200': { url: `https://checkout.stripe.com/c/pay/${SESSION}`, session_id: SESSION },
  },
};
