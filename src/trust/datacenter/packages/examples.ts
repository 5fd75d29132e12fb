import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** A compliance package of a cluster, as a service returned it. */
export const clusterPackageExamples: OperationExamples = {
  getClusterPackage: {
    '200': {
      checkpoints: [
        {
          log: 'receipts',
          note: 'trust.example/receipts\n1\ndVUm/gVu9NWlvGxMYTZ8b6M5WlOSnWnCkaRbty/MyjI=\n\n— trust.example/receipts gWlj84wFiWZl1UrGsFBAZ2ah7j/tD8o8NPpQasdb+U+Nvzr+EH1cC9eIwUX2iz2m+sLq3dBo20vC62man75kibIrYwc=\n— trust.example/receipts Ge7G/gAAAABp9JZHC4UK0pITJ2mcEs6smihte/GF+TjZigNvuPvSDiGlQDgnn2b/xfC5bysbDdFizpwTGyvG7zUvQmtQUd0suLw60qaXpERoAGRIi5GguyklmD1scN0eUm1tCo/NLEPnqIpPOkSg15Q4gCSWoTlLMtc2lWGI5okC3MNuONjoS+6YWddMMHTq1+FrRYEfyjiJZZiJDNeRmmLjgNX4h6EWeQD/3Hbp6Gl6f1oXgTcABzklftKgFLEK8Sefd1Cp3cqXXE+gfOEvB/jT1acUGSdbertobLkM+zyE6tQQbqbZRmZ81wuxfhqbZ8gOG3rlX8sgUKID+oBPzQeHbjCfXUH1gz1xa1RquNHyv7TDS+GpfcNu/p1y/IDI9nFRDtgi6Q/uqGzQqlTSUJKY2NobcWWD8/C1tH1PYMYiJ08Jp7TsSNhe5Ob55wklEYxCrvD16emB659QtgpsfQpiwOx6nvWvxwyRJT8x+awU6ZiGJtnOGc5q4fya2IxXdGsG5SC7uMtuoBtb28WHHVo+pJiMT5ZeGk9dKJNLMu/eY4Cpbn3RPMCAY37xRlRD7rWiEw6hqGObpjybBsBXo+nEj+AIwzLkER3B+qo046L/97sp6CV+lr7iaRI5rdmpvMM7eZlI6hP4q9UVKUG3PyJJKa6Y/CCMdVFD0j9KO/w9BRd2uOMKQhgNjpZj+zUG219EG3bKKw3aiKkrj3copxRFRcMwWFs509LAm0uaC8Jl+gELi7hVUqlYduZC9XzzU9H53kP+6GspP5JBz2ADZjKJPH+cMzekF5eO8UbRncp1/rKNyfpSHcwQH5HTHVqpL3n847+/Mb+Z6ranBZiLQWLrgl3/TcsusmBYHRRubeh/ZBgvJAxvaqdBUweL+t/m//AA36vIoHJSgrmzuEmrefBLu3Ysq7fLMXJAyiABPLTGajzT3DkXClEhFJFItuavIfb7aQ5p0ISDgS4AJ4wNaCT/qdeaHlzw7qLmHk7jm3BRDONQ+qbDAAg1bPgzUKSBTmtWe8ZPuEnGPiwufXxy22NbIk1vJ6LqZZHjPHvRGzcz1+bKmfdsp3KZ/i8Fi7+2h5NcuhaEr6L3jL6UtPHudaOLzxTyhVRUs2FyQYx/pJAFM4CfM37KPMBvmjTq2Hm4aqxLPvpL+Zte4FPiU5WKAFxA3kI8FBzAwcZQZd1tbLJrMRICTt31mZYylY+oquiTwUKkAlfZ5NiHl8wnwoBVUDzojZiiZft2shxuwRjrKYhvMPsLR6AfMOVpWV5b0CRWt1xA5cvkhmCk6ivqwXWqCtBHV0/iIFU3AGURlJFzGpi/oGjIgWN0kF1cACR+AuuFDx63tBQf+lzVn/ZandDHBySL+NJTmjhj/kfmDY1/FpsVoExw9AdVVG+d7nAp6ZhxV8nwaDbpecYFAwr+He7QLHJEliFT7RL1R4kzD+0OjxY/GuCMhTuxgluMUyKgBFh2B0knekRkgB+ejWveEGgtxX840qzgVUdsKoxa7WvNuIDZqlJsCckAl2L2og+FN6OCMnWVeauPmrFPO/ht7Q3BJc+fr8buB7WU5DsCy3DgAq69n15hrNlIembFLV1a/zgt4eI72txnDge2/hGq9xt1DUwsYc5VF48JIet6CtYCRBd0DxW7sJi4SLmBnz2WY5EBcvQvedQu0OLteqHD4o7ihEdoMXdguGuBqlsxHDw8Ge9TQ3abABq6KU5kQWQEerdTuujtttCwU8r3Ykzf0cSjK8shfdedBkm4zbXBIGR6D2tEe91EuEpmk5AHinLTDdh+gh5StsL/tq/3EqPTBoey+e6Rwn9D6c83XpZTZSbNOcn48HAht7EPuJeIKWE9Q7L5CE0PIKeSuQ6ITUFolEG61giVVj1oP+bHaQoNkS9g4uql/7ptrF+RHfneungijqoSWqZMx9Dch9HUVUwIL776BCN4fQTBqEkckR9B9ntllX7qQJMEY0iQ7L9oN/dLWQEi/NdT9poQaMD6z+62QihnkpH+WZvJkq7gVxqYrIixCJJCN77B0ef6ryNT2EacMhESB/8rsiz7gjRE8teV8nS3zCiiukWiS4C3AbhUqDSYXVT1ngEjw0dlfCkMVugXl8Bk1MnBKHYRIOvuKhZLge61PUsYErA0+cacHvm/h8fPho5ySNEZ3JtgItf27DXt1Gc+GwQ8DzeZWlqYYQI3Y6RPz9bNnxmyIn4bdYKpGWokeYTgZpJYAtFdVnSpCFqzEYKEc3tEUb+wTg4X/BCefJ9lKWVgnxRCIgfsF7fGgeYrRwSWNM9h4TMuz9/JtIyXTm8UpELSRphrenWaZqV1Ts1nGkk6kcOMhMCWMDsiG0e2QIHIEMQpbePlXzm3exqERYlUdchaJaXwi/wRdBB8EbCsfW1fDRuU/0wCF6YMTbmZELHaC3B2ILEd9UZmWSt3BOSfCfizzVZYeBmxsvIj/xx6/L/XBFTn5Bcr+3CI93fE9B8g8bPPGmNGkYghEy3672SrUp2GrTd4cmM7KLIjHDyj3WxN/BNl4P0b3gZgc4h9NVsWQfDmJcmohO2CRPEX6+bqfVUmziU21UxTKaoxC/OOoO4V6t0aigiLvNdJIuhgb9/iUHygf4iSaE052zYraybGZkJjzuRc6pP3nZNBgdkebFoeoqd+FXxz8AQhDE4X8KCwDZnZ7oqkbVo/bvQvTuCn1q7nmLtwl7Eb7zSIee1yBoUEGydMlNNFqLDpIcHLuXKMlZM+P4QOE0XIknKd/apFtTeLkG5eagWFAjsF753GFuvvO2f3IIYP2/SK3QaFZf4ZTrBmaKROdXmAGuYycF6sUJvTeBLJIQRu8vt126A85V5z0aPsd5FeZzaqzWDITytrwHEGpS/NqU2YYEIQ1h+WBpwkrzmAw4v3gKVlDnwrItCwgwC83LAUNWruQr8tKbeHbil5lvkpfaYJqpQTZd/vFZKQAZgd9lHbpMNsvLukhGOOR38NJ4wLV1v4DnNN845nAqmQnMGq1Bqx7HfWThmdpd185TNh1aGlYFgMz7oZSxtVFeIHRh5NYj2B6ojqP6UvS5XKOehZ9we2S83r10VZqFj0PrJM5qxMbk9exfwdYN9WtkJhKzEDulcLGJfo2lThAYdbyI0i0pCGLc0OFx48V11vhpefpc7Q3wEHT1xkk6GnqKrDzesZID1EXGWEs8zZHjU/RG15gcvY3uXs+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4bJTI=\n',
          origin: 'trust.example/receipts',
          root_hash: '755526fe056ef4d5a5bc6c4c61367c6fa3395a53929d69c291a45bb72fccca32',
          tree_size: 1,
        },
      ],
      content_hash: '4749c1741cbdc8e799fb52bc6f95e66616541ccbf5a357517d4bc9b2b193a533',
      controls: [
        {
          counts: {
            declared: 1,
            energy: 1,
            energy_hardware_measured: 0,
            facility_energy: 1,
            instances: 1,
            measured_days: 1,
            simulated: 0,
          },
          id: 'Annex XI, Section 1, point 2(e)',
          references: {
            count: 1,
            merkle_root: '755526fe056ef4d5a5bc6c4c61367c6fa3395a53929d69c291a45bb72fccca32',
            set: 'energy',
          },
          statement:
            'Energy is known for clusters, not for agents: the package of a cluster states the energy that was measured there.',
          status: 'partial',
          title: 'Known or estimated energy consumption',
        },
      ],
      framework: 'EU_AI_ACT',
      framework_edition: 'Regulation (EU) 2024/1689 of 13 June 2024',
      generated_at: '2026-05-01T12:02:15.500Z',
      issuer: 'did:web:trust.example',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
      kind: 'datacenter',
      limits: [
        'Telemetry that was not sent does not appear: nothing here shows that it is complete.',
        'The operator states declared values; no instrument signed them. Simulated telemetry meets no requirement and is only shown.',
        'The carbon intensity is as sent. The service does not know the grid of the cluster, nor fuel that it burns, nor other emissions.',
        'Avoided emissions are not subtracted from the inventory. Their baseline is not known.',
        'The id of a cluster proves no ownership of a facility: the first operator that used it has it.',
        'Revoking the receipt of telemetry changes no metric.',
      ],
      package_id: 'pkg_01a20559606d70ce81b1ee7a91766b65',
      period: { from: '2026-01-31T12:02:15.501Z', to: '2026-05-01T12:02:15.501Z' },
      reference_sets: [
        {
          count: 1,
          description:
            'Receipts of the hardware-measured or declared telemetry of the cluster in the period whose energy counts.',
          merkle_root: '755526fe056ef4d5a5bc6c4c61367c6fa3395a53929d69c291a45bb72fccca32',
          name: 'energy',
          sample: [
            {
              hashes: [],
              leaf_entry:
                '{"content_hash":"b1de7ead01545d15b55608ce998b06c2dd6cd87558c3c8933ac573ae73fb1151","finalized_at":"2026-05-01T12:02:15.500Z","kid":"nAMigNBkooKF4ktLO7_vYTPUEtBB73dteoCobTGzunM","receipt_id":"rcpt_01a205595d227312b1c2ee25ce05f4ad","signature":"31422ab078d3988e32d93f5280bfed542c5749f6c454746c06e51cbe1350fb27773ea0aaa8922737f41d52f37c21144bbc3bdd2066d078c349eab911d442e901","v":1}',
              leaf_index: 0,
              log: 'receipts',
              path: [],
              position: 0,
            },
          ],
        },
      ],
      sections: {
        avoided: {
          about: 'Avoided emissions as they were sent. They are no part of the inventory.',
          declared: null,
          hardware_measured: null,
          simulated: null,
          standard: 'ISO 14064-2:2019',
        },
        energy: {
          about:
            'Energy of the cluster in the period, kWh. estimated_it_kwh is mean power times time, for items without the energy of the IT equipment.',
          declared: {
            estimated_it_kwh: 0,
            facility_kwh: 46.1,
            it_kwh: 38.4,
            items: 1,
            pue: 1.2005,
            renewable_kwh: 20,
            reused_kwh: 0,
            water_l: 51.5,
          },
          hardware_measured: null,
          simulated: null,
        },
        inventory: {
          about:
            'Indirect emissions of imported energy: energy of the facility times the carbon intensity of the grid, kg of CO2e.',
          declared: {
            emissions_kg: 14.8212,
            energy_with_intensity_kwh: 46.1,
            energy_without_intensity_kwh: 0,
          },
          hardware_measured: null,
          simulated: null,
          standard: 'ISO 14064-1:2018',
        },
      },
      signature:
        '87c78710f7fbeda796949c3a6fbdaf91c8bdd2dd9d7ac1225e3bb5ed0018e84ae25ec9c4822a3f86d9155954de7803b6f474ecbcb9d2fe4a7da3dc87c25b5702',
      subject: { cluster_id: 'demo-hall-1', id: 'urn:countersign:cluster:demo-hall-1', type: 'cluster' },
      summary: { not_assessed: 0, partial: 1, satisfied: 0 },
      type: 'compliance-package',
      v: 1,
      view: 'public',
    },
  },
};
