import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';
import { facilityManifest } from './documentation/get-facility-documentation.ts';
import { otlpExamples } from './otlp/examples.ts';
import { clusterPackageExamples } from './packages/examples.ts';
import { metricExamples } from './scorecard/examples.ts';

/** An item of telemetry. */
const item = {
  evidence_id: 'dce_01a2054f6d2173238773b570b67f2fa7',
  cluster_id: 'demo-hall-1',
  instance_id: 'rack-07',
  event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
  class: 'declared',
  counts_energy: true,
  window_start: '2026-05-01T11:00:00Z',
  window_end: '2026-05-01T12:00:00Z',
  payload_digest: 'fd601f1b38eda20dfc54afd13dd3e5e5fd2ac91802a8877b5d9fa578f25044a4',
  receipt: {
    receipt_id: 'rcpt_01a2054f6d23727ab61946c7150e3b04',
    issued_at: '2026-05-01T12:05:00.500Z',
    operator_id: 'op_cus_1Vg2h9OloHWhb2CIFWgjDd3r',
    agent_id: 'rack-07',
    receipt_type: 'custody',
    status: 'success',
    input_digest: 'fd601f1b38eda20dfc54afd13dd3e5e5fd2ac91802a8877b5d9fa578f25044a4',
    authority_scope: 'datacenter:demo-hall-1',
    expiry: '2036-05-01T12:05:00.500Z',
    revocation_status: 'active',
    output_hash: '245925f8bf387eaab111461cfe77e83faad3af97e1742bff1ff794ca6c3a5759',
    domain: 'SYSTEM_INTEGRATION',
    error_tranche: 'NONE',
    content_hash: '8e4925a065239c2f31db14c8493203bfb59c7a529cf97aa732e9dba5b2baf2cd',
    signature:
      '45eaab8ea81cd7175cd38ada387dc2cfecee2ffee33a156c1a68648bcd71674d803e96ae41a9ebf71b6dcb8c964e61ae86fe8feac091a8b5fc812c35fd76a809',
    kid: 'k0EU4syUA2G3iKMKTOCb9E0B8gb6_qHAzKV53ldB0nw',
  },
  scorecard_url: '/api/v1/datacenter/clusters/demo-hall-1/scorecard',
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  ...otlpExamples,
  ...metricExamples,
  ...clusterPackageExamples,
  getFacilityDocumentation: { '200': facilityManifest() },
  ingestTelemetry: {
    '200': { ...item, duplicate: true },
    '201': { ...item, duplicate: false },
  },
  listTelemetryReceipts: {
    '200': {
      checkpoint: {
        checkpoint_id: 'ckpt_01a2054f704b75669cb512b50155678b',
        origin: 'localhost:3000/receipts',
        tree_size: 1,
        root_hash: '75a3bedc8e2d8c418b2c880062d9349c1af80a02a3485f4274179085f063ab44',
        from_index: 0,
        to_index: 1,
        receipt_count: 1,
        issued_at: '2026-05-01T12:05:00.500Z',
        previous_checkpoint_id: 'ckpt_01a2054f6ba676ecbaba6bf33f423915',
        kid: 'rQStzPwrPELVia-536hNXrAuCqAQI0njJbLpiBylQFc',
        signature:
          'a9415f8224a91c9aa505f6140663f398105264776c33c9923b3e03609c4fc3d6a1cddeb3475acc5a8172c8b6145fd07c6de2af89c1a9359383daeaa0da867808',
        note: 'localhost:3000/receipts\n1\ndaO+3I4tjEGLLIgAYtk0nBr4CgKjSF9CdBeQhfBjq0Q=\n\n— localhost:3000/receipts n30jGKlBX4IkqRyapQX2FAZj85gQUmR3bDPJkjs+A2CcT8PWoc3es0dazFqBcsi2FF/QfG3ir4nBqTWTg9rqoNqGeAg=\n— localhost:3000/receipts b3JJXAAAAABp9JbsWzKNjxxAODI7X+5Ra+XZ1bXNDB2JqJCyd4pDoMnnUKaXu2Rz++8L3TGb1Q8k/l1cxrSnCTwGqnKdETdQ+t43JzQFuML5Z7YOxuDSH6i+br2oNnWi4TwGUAPOKdRoY4sajtOJEAkurP2hKiAD5VIGCiK0pCwoWSAMSEaBxUtLSk7g77C8NJ9SS1bVnsRAKNn7RlOHT3LxEFFkIs/jLL59ARaMXTUI6XBvLZMcXWnMnrdpHtI71lPORozNnY/flwWRc9n6eD7gk/vsbB/7+10a3fjMIsqOq1Iz4CNbF7y/16Lw7EHct/16QamsP6J63x1uHobkbut+a4aPa2EziHGOlHmOCkf50u4qKxDAJafUiLl7vJuVA2dsCqgMf+Og2dJjsI6BCbF6LTmAME1m/NQvaJERYMTNPWYZ+oQQtUD67+feFxiAhC1WxbHB8tlFAocQvVwRTpDhYorR7RXmBxUJpl7Jqtq7IFEs4w4FLY8SmTzFlHl2s1zSjPnMkI9VQ423m51Q5u8FY27VI3qe7OC/FiT+OcZcL+upRKLngaMJ+zmxmWZJQmd/tDClp51jqs6ifGbg8UXleiMi0TS04kkUAjrFcBGwIE9uxgG9vQNimlMFGXZCXDxKCtA0TsA/VMPsk9x4u3SF5Ro4EVemXBm1ntY9m7Nu0za4h5wWnrv+aqgWOKEu8moEZ4UqzXoZ874y+rlJeK2MGGjxZQAqroYe/AI59IUvMxXYiuZi1hoI401Fg7S/DUlWIINLnoXKGAK0UGhZZI5bpypIOihnoivGI3pG57W5cfOFsbuK3l2wpHxND1aK9oSca8gMzKgsQ8pL37qik7hBiDdNCNwHquVJK+zk+7TIq93bTDxHaluw8oxXN1m/bQvptmV9ZJjkvXpJpwlp/Uz9WKGyvZKRQlj8birlAB7EfUPplVhEuEVZ41V94gKo39xs19ZfAxwGVT4gQNhTbjqnbeaIbzbszRjTfMYHda7qEvrNnsSfQUDSgb2tFw9vtuwGZo0h03nheJ3furift9lvhOc6Zdhozco35PKssUyvXumbBUtlk0+vZL6Uqj5zHMLdoiUhClLf1ApEXRKtcxotYSmd3CXtmin8y9Yjfxe0IEHHFuF6aq3ew4GGmc9VrA3PJBAeHXjQJBUUjh3cu9wjsowXOGA5t0dcwruCXYpnMq72OgTJ6yPSK2mWjk9Z1L2eq7OieCuDEvEDl5lGBud24mdqauu6LKJWHqtQTKGpVAI50S2kI2TcZOXokqUEbm2O+kwAEuFOaltCzRcfx1RrgGg+TIW8Y7llP0yv7gfQLl2EPKyEZ8i2EnhIz+HP3hkNwXd5BiyYytTr6p9aVUoNUytczEKXluTvexbWnhWmhHC/TIRau3+aO1B2lbE4mDeRcS4L89oPJDGsGpmduBL3ZiE4xKBSZgXld3FR6Kk0V5cc8tpajDvDOOfZKV1OsaCPjOtzcXF+U+8BEZjYDcLNFh1bhok8/W8kQmkVrRzOZ+LAi6EXxdjBCFsGlVPsrNFLwhNz3mINC0W9NSRGctB3HOQF8Q5RysqL9n98q29QkykM/4sYTWvnjIPd6nD6jTVwMj8IIFPNrZmIZgm50l0qlzNKBowmUiCk0ZRIdFKcHTJ9m62/gUCi0p1OJ5dNNyAzNbsi2dOMeH4IyS507jmIRO/CMwlezuodqfw9ZDfidcloOYuA4WRRIfLletajB4SCommt5bToU6we1pyw79/0jUW8kJrhFIj87iXIUgPVz6FG2LpShAo1dRC4qREqOIIlpDzcIdqSr7uhRIAjX3i/j9dW3NsQ4Yh3fJW6jxHjqv+tqLB908tDR9WtJFNl3smBj4WqTvKu0YC61d/dN0n4o/RyC6PMrtBZuTXsRklAe8RBfguXNvQPaUrtJPMyAYz//n3pTh12GNa+gP3++qD+riPQ2EdmqTHUrClF1GY4WiHKvcQ1iu7RosCBXVe4yJ9ZEhrFiect5Q+zv1n4rfmKkT9Q559v89vQ+1+BbHolqQ1z3s+YL3VDZa4FIaAr9dnnU4sVO8YZNNJodTC6eNjP4phqBmWqCk6ZgH83T8B0S/fuk/9drZkKF8ULrzueSvqoBFy9xMEvcTjQb1cN2eG8QyqCYOH+Ht+MUBw/V+WHnmq1x4IpxPcJ+edqCoEsgaambQnOOIcAd5W0xsLfbCMpwO/kS1Ftt5KylvRFlFjwhuGGOFpSAaFfcWUil0/5Kx96gYBPY1ONLr/r4O9WZhZXi+ATwlBCoqPrE+zmuohAhRikRWJslnfy7+f9otfcbGnZEidJrA+GjU7WWCGUM7OzkVYCQtW5A/u/h8HOFeqOEM9Cf0mwqzGUib53NIiXL9PK/bhdEczwpSEdD2xuWVPjuBB2TpafTQlJ4JoJjaPPDHcFuv6+mXY0SBNKThLHYE7Z7bazqYymhRhts8e0BAojD6kZMi3h0olQoAo1k1L10V4PE5ONwSQvBohAWPKF0kiaHBr/hhbJcDYS0JZdSuXCxernYAl92blWsDx9JvEFjCVv6suq2Uwx3nmadnE7DJ/tc48UGyceT+Fs1/3qcrKUYn6FC6ZcjaNlSZPsM0tcT9k8syo2sCP0wJsx+9BDnQ515sDZ5yBuiso+Iy7AtSDF0kQTuFLpSJatDz7JkAkgeFKhlbB/1dx1kDjmfwQ+oepSISZW5SRANMdYtXRecAPbgsxWwAZllZ2GxWiKs9K4NgRnfd6HuQgKnzsiE3wKe4moYbtQohZNUNDrALyDks1xe61azmwmPekWSmDTTdLHS0u09Uiuu3zN6lMFCkH0ifAJ8Rf98/b+xtUfjbJIvTeqt43AEcAGAOmFTZvPnZ270lKfs/hTbNdGnGvarW1eLDfHvM7F688KYRFMH/6YWc7NPFBehJCPRZlQSnxpGRdM0HFCf8hMOob3H5cXxAggig9Lu5sm6++CJdgUVxxb9LuADz/U6MCyQxIfEWRl+BpxNDV24b42ZXJIViA/lfsLGNJ3SSdiRq4lAITPUbnWU3ISSuDcEpThwNSja4eriuwBXZY5//hk+1cF3agQgDvpGDW8TlvoC30lzWs+r1Ua4MYB3L2Z0OkooDXY0++usn4MORrF9uhDRKtGGNUAAQccJEVYcnR4k5advdbu8i00SU9YXmtxdYSUrb7Y7AoWKjxnkpbP2gMRMUZXWHR1iKHf4f8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABEgKTY=\n',
      },
      receipts: [
        {
          receipt_id: 'rcpt_01a2054f6d23727ab61946c7150e3b04',
          content_hash: '8e4925a065239c2f31db14c8493203bfb59c7a529cf97aa732e9dba5b2baf2cd',
          issued_at: '2026-05-01T12:05:00.500Z',
          revocation_status: 'active',
          evidence_id: 'dce_01a2054f6d2173238773b570b67f2fa7',
          cluster_id: 'demo-hall-1',
          instance_id: 'rack-07',
          event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
          class: 'declared',
          counts_energy: true,
          window_start: '2026-05-01T11:00:00.000Z',
          window_end: '2026-05-01T12:00:00.000Z',
          payload_digest: 'fd601f1b38eda20dfc54afd13dd3e5e5fd2ac91802a8877b5d9fa578f25044a4',
          inclusion: {
            leaf_index: 0,
            leaf_entry:
              '{"content_hash":"8e4925a065239c2f31db14c8493203bfb59c7a529cf97aa732e9dba5b2baf2cd","finalized_at":"2026-05-01T12:05:00.500Z","kid":"k0EU4syUA2G3iKMKTOCb9E0B8gb6_qHAzKV53ldB0nw","receipt_id":"rcpt_01a2054f6d23727ab61946c7150e3b04","signature":"45eaab8ea81cd7175cd38ada387dc2cfecee2ffee33a156c1a68648bcd71674d803e96ae41a9ebf71b6dcb8c964e61ae86fe8feac091a8b5fc812c35fd76a809","v":1}',
            leaf_hash: '75a3bedc8e2d8c418b2c880062d9349c1af80a02a3485f4274179085f063ab44',
            hashes: [],
          },
        },
      ],
      next_cursor: null,
    },
  },
};
