import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** A receipt as it was issued. */
const pending = {
  receipt_id: 'rcpt_01a20229d2f77584a3ee4a92b52952b3',
  issued_at: '2026-05-01T12:01:31.500Z',
  operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
  agent_id: 'agent-7',
  receipt_type: 'custody',
  status: 'pending',
  input_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  authority_scope: 'payments:read',
  expiry: '2036-01-31T12:00:00Z',
  revocation_status: 'active',
  domain: 'CODE_GENERATION',
  content_hash: '78d409ce5acbb85a110839421404303122a153cad6944dafb42e39e570154462',
  signature:
    'a71d4679c7c54978d9f4c88a9a331ec18b6846bf0c888b91b46b316b30469ef679f7f49146ebed736b120deb6d36b5f16a9c89de6c5d7f91430b4d913001af06',
  kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
};

/** The same after its finalization. */
const succeeded = {
  receipt_id: 'rcpt_01a20229d2f77584a3ee4a92b52952b3',
  issued_at: '2026-05-01T12:01:31.500Z',
  operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
  agent_id: 'agent-7',
  receipt_type: 'custody',
  status: 'success',
  input_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  authority_scope: 'payments:read',
  expiry: '2036-01-31T12:00:00Z',
  revocation_status: 'active',
  output_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  domain: 'CODE_GENERATION',
  error_tranche: 'NONE',
  content_hash: '9f33ce89943e72d69aa432340bb3cb09628ec5464faf9ed6be529a1ce0806c93',
  signature:
    '699ec8167a5970d37479f53256b3a54d7c3c789d0740b953d99c8f95da06764ca9c1fa91cc19c4dd34f6b88d6a5c9b923576be922cdd8c273e65189cb629c501',
  kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
};

/** A receipt that was revoked while it was pending. */
const revoked = {
  receipt_id: 'rcpt_01a20229d3c371038cd7c95f3ce77111',
  issued_at: '2026-05-01T12:02:14.500Z',
  operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
  agent_id: 'agent-7',
  receipt_type: 'custody',
  status: 'pending',
  input_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  authority_scope: 'payments:read',
  expiry: '2036-01-31T12:00:00Z',
  revocation_status: 'revoked',
  domain: 'CODE_GENERATION',
  content_hash: '01928bbd86adab58f645d7c209f14bdf18b475a787a90d2e91c87f3e99212d7d',
  signature:
    '43c028345f0bbfa4194f99700b059044c3e74fa1b7f4b18dd40eb8902c5601a6b28d0fcaba13f0c49665c55c87b4154663247d02414aeec4f276382039c4870a',
  kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  issueReceipt: {
    '201': pending,
  },
  finalizeReceipt: {
    '200': succeeded,
    '409': {
      error:
        'The receipt already has a final status. Read its current state in `receipt`. For another attempt at the work, issue a new receipt.',
      reason_code: 'receipt_already_finalized',
      receipt: succeeded,
      request_id: '019de396-2e00-7000-8f3a-5b0c7d1e9a42',
    },
  },
  getReceipt: {
    '200': succeeded,
  },
  listReceipts: {
    '200': {
      receipts: [
        {
          receipt_id: 'rcpt_01a20229d353727fbf00d685dc48cd3c',
          issued_at: '2026-05-01T12:02:11.500Z',
          operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
          agent_id: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
          receipt_type: 'custody',
          status: 'success',
          input_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          authority_scope: 'payments:read',
          expiry: '2036-01-31T12:00:00Z',
          revocation_status: 'active',
          output_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          domain: 'CODE_GENERATION',
          error_tranche: 'NONE',
          content_hash: '84d359b8a72246dc2a893c83416df2419e52223dc1cfa18363bc70e33f4b0759',
          signature:
            '52d577a4bad36ffb4e0e86a2a60e4e99384f516bd62dcbbb28a901695dcf721a364d48ff839bb6cfd9fe5528ab2a98c801e49080a0e25daa5672dfa4929e530e',
          kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
        },
      ],
      next_cursor:
        'EGd3A7Jna-ce67mhltPgT179OE0nzCcXVUSnoKfNBWEWBuRZkSMcQGFYmRXECpmEJdahfTNq210LcDPr2mVQnWYb0cbo7UgPNS7sl4DPP5uYNVRuFaPyG0TgBSU',
    },
  },
  getPublicManifest: {
    '200': {
      receipt_id: 'rcpt_01a20229d2f77584a3ee4a92b52952b3',
      receipt_type: 'custody',
      status: 'success',
      issued_at: '2026-05-01T12:01:31.500Z',
      expiry: '2036-01-31T12:00:00Z',
      domain: 'CODE_GENERATION',
      operator_id: 'op_cus_ZqKR…HwEl',
      agent_id: '…',
      content_hash: '9f33ce89943e72d69aa432340bb3cb09628ec5464faf9ed6be529a1ce0806c93',
      leaf_content_hash: '9f33ce89943e72d69aa432340bb3cb09628ec5464faf9ed6be529a1ce0806c93',
      receipt_signature:
        '699ec8167a5970d37479f53256b3a54d7c3c789d0740b953d99c8f95da06764ca9c1fa91cc19c4dd34f6b88d6a5c9b923576be922cdd8c273e65189cb629c501',
      receipt_kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
      verification: {
        status: 'valid',
        checks: {
          hash: 'ok',
          signature: 'ok',
          key: 'trusted',
        },
      },
      chain: {
        prev_receipt_hash: null,
        next: [],
        depth: 0,
      },
      enforcement: {
        revocation_status: 'active',
        expired: false,
        error_tranche: 'NONE',
        slashed: false,
      },
      inclusion_path: {
        log: 'trust.example/receipts',
        leaf_index: 0,
        tree_size: 2,
        leaf_entry:
          '{"content_hash":"9f33ce89943e72d69aa432340bb3cb09628ec5464faf9ed6be529a1ce0806c93","finalized_at":"2026-05-01T12:02:11.500Z","kid":"Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY","receipt_id":"rcpt_01a20229d2f77584a3ee4a92b52952b3","signature":"699ec8167a5970d37479f53256b3a54d7c3c789d0740b953d99c8f95da06764ca9c1fa91cc19c4dd34f6b88d6a5c9b923576be922cdd8c273e65189cb629c501","v":1}',
        leaf_hash: '15c44e14077412c1d40f5a2d5170ce5ef35c153cf2197b1a224bb701d5357821',
        hashes: ['3qMpn3F5iiCx7gKADtijZx8h+bjesa45AddpSpHuuMI='],
        checkpoint:
          'trust.example/receipts\n2\nk+sjYKgb3I9BiGRVk+h5pS37C+scX+x7CLEj16+k3lU=\n\n— trust.example/receipts kfeahxDKSGhUlKVEHfG96JeT50NaJ3DL6FVAI0Zw806lIKSh9/jS9Qk2lwqW8xwEujtt2aiZPHaoS+rMpFOLBE8sGQ8=\n— trust.example/receipts ijR7NwAAAABp9JZESfl062vMerkBuCgyXVvW9yLXvJY1s6jduILaadgUMNvJkN17fVUQe9PlbBawu3hXR0EhwVd6CBhlzT5p1W5h+iTr/9itZzU/2yvpqPRs92oobhL7CeJzBj1tvpV6WSfNFha06cYJi3c4oX2d269yLbd7w4PSwJiK7VJ47zKxYgFyIcWNfWGpVoz6ddLtsWPhmTs3suj1UBo9cIFpPOdsRBs+4G2V/4OUl8EIMis+3tJ63I51EOtDkDWINySbIBZrHsQHJ4tyBIfSiF9nie1nmgGD13y0iChzWwLdDRZ34Zmncvr9SyEfufdBi3ueRU032eaaMKaou3Cv/9Hb08HHOh6EJZfCzCIun6gyozaBX8QOwOWfX87OLDOfMvfJSai7EM0XZs15/C40ijxm3VVAvicyCzwLLBxfdrkdxlxxq6faVlNkbKLFW9jkXsrXK5cvhVgHpI356/67HaXhg0xDhvINApS+Lg6JBg6DbRPK6Gb1hSVJwOeYHCz4gpqGdVAifddQLxH6FBA62GNwtzMkc7l7kHlVwTvzwVz9RqqANyMe9vfmLpLbXDYtubyY6YqL/7eGoDqsIUHvmaQ/VkNjopQETIXkQhzARrA/ZypOiSu7R6+jdMBNl5RiXGJtW4c/D509h8gjEbGxmopm3hv0LGZIGHlbaaEhuGaDlq1vgVL7QWL3anGhR4Iz2wcYt3DBvQspyeNkHe8fR4SkLm26+eNTG2U6qglwtj9PDg7YNrab2Ea28OPLfisoNh7KJZpWZZLAoxjZJZxtUwzzvAuDh9v/Ia9MidL0k8chTjvM3rmJaImmmcmkrntidz19vnpZWopBOuyOjieX5WmTfo0q7J/ETlaR4RC3CpsbpgFpCumh0yVxuHQP/YHcYN7LGZWVUnLlK+h23vLQbuV7FC/3lji2KspwcUttwKZNXkj6IXdJ26mpouiMnZ3D2ckTA4Rr9Bul/+TLoaDMCQ1NVIgkd0axZQDmkfUNGEHZs9ts1aLmAO/ZdxheV93BLJy0k8RkDvk+4iNxWCnvkpQ326Jo4diS8zRtp2xF2reBYVwtciEgoVGLGYIDnqkLFAHprmSgZZ4PfQzUmCwStzvZWbA9Il2FifE1zIPxeD0eJFrlx+fNTsKSoO++lcJxLTxKyBlFTTIGnc76gLqTDrlKB3SiToGXUS/NL2SbVQScqomUg062WeRFOkNNBBQiWnf6tt0Znyg8dViLzrCRQoz30R3WGCVZWrn68wemAyvjhR4QwWECTDsvg8LD4zpe52qqN92/4+MQtQpMFEWoS3HrvhaIMkC0rweVW6O37XL40TI1pCYolVA6XMzRoKcdCzZHD16RoO4e79EL6azhRuaHAtpbgeXphCz47SUHGQG1zK3D/EZKlrEEAhQa+eQkfdiNa928qy0D+lZoFIeUFhXJMmn1RydTTXwuxpHBibev8Ix5mBVen1fDZ/sgBvd1uXgMjjp7UFgn34vmXnGwJbhFJR8uyQea1i6eTeHPMWjgUKAylaGyaJr6HZDKvFEb3awGnSnKMevq/aTTNCGD10HqIJ+MBUuJRa2ev8oXM1KP+cVvq6TA80J48AcO+JppDtR61rLGRKJh7UHpQ98Iti5s2agHQCk4Jv5P0m0It8FgB1udk+LI0ke3/H1BgO9HWzn0+hMbK+FACcheCu7mS3mdgH/vABHqBJnTZ9PQ+X0ofqvEaUhh+XKOI0pKsZZQrm37Ns7tk+jjWo/pWiMKyIhVHTXOJ13m1M5mmp8IYV9TKl32/OUGe6rWrxy49vb/afRPLkH3sElqpLCxX2/xl5R2MeV9P5Z+7l2K3KgVkN1pVDlYIahPBZ8UNAQ4iBwBW77fvJ3GYe3pBOfoD4zgNdVj6eB3secKcdvxcMy0KH+G3qnFtJHxe8RqT21H1JUtgtMlv9fkqpWs0m8xx2r1MPeZUZCMvepzlVi2aAZUNzf+YhdCLdXa7Sg0/RkZwjc5Ye0gh6WcviCAxgePSL+evW3DvjQh0WMfYsK47aem22/qPD5bxQnqg7dDENQNpMWBHAZ9MphD6U2vBrAm0yjz9MGbjnhzGtv8M86cWxLSyhizM+AX59hJM5aG+/nAvJflKkCJONdPC6uVHRizhOq+6ANam8UBJB74BocgSX+5pKj9t6rl3giuql0L5+NeFMfpHOT3EkuRsM9otjkzSULRGFEQzpW9tBCgDpOEx7E9xJMDbHsIAUjxD/yortpQP+ClXTNQdHzrYb49SCAVDCWj7tF4HsRjZdJFm04e1KR6pDn8ZCNlJrjbOoZ0rb/VLsHnkBk47P3bHmHRF724bVmMkd6kF9oqE/mBPHXydbLV7PcgE31ZaqqHwm0hb21nqwNXFp8quZlVKLzBzy1TEsPufR0aTvhDoMxet3WVRk3TRHCquUWzY4QysGR6JGdMJDrXgEr2oEoMWcYv2ALQ9vvYMHC2UbzWVIROtVChhofQPfZxzw3weO8nbZUJJ19bHa9vQria1Xpk1zyPgxZWJV/O4qsJsvpppuzjwaPBF2DLd3UKYWnSNsO4tskLu4HQsqvs2ZsYC0xXkVeUgE04djsVXNhBh9Vg8noktccns/XP6HXuo6I3vSS2Ym5h27aaT0DdeRe+64G0KQMQEH6gbjK9AbQRiq6L4orRk1Xws24/ZCJFOHioa1CQScaCJmtXiCr1k5WPdi2F53N8UPRfAuBjjjF7pXPCxrcqnRcSIaQkQ9txxozj+1+72YSOCyeUcdMkj4daSs+sNHAeV2Je6Qd+7k/glw+XRhOMhG6I0hHY1NtIsOrQilIN9y+ZC6R6xiiGjfOHv3dRwhZVu0Lf+MMkj1X4IhSDRV+VMLSCwT6IsXkdwdEPyULd6La4MKKGEv0e7/UmKACIPSoB9gbpUXsfv+v2r2WXpnCslHa//MAJZ1iJQSx+BzzvjNw2Gj/CjthOPI6cK2ydjXdWATb3YoVtKqeFcgKNf0IRRMkJAVFsGMk3/5sqgcJZYdwwMiD4JzEOioxPZjphqZzRE7aPx6H7o53ZH8LOn/SsbFzY/V/08oiJzKJf6P1mUdnneWZNn+jfEqZ39QY0MatQfS+70UuU0a8zyByT1VhIUMkdtjbTB4+ENT+Lpt8KDxgjT1Z2iZ6jtLvc5e1GTl9tdHeChpudvMHV4eT6Cg0bIDllgYeKsM3p6vP1CAsXGhscKkRJTFdZanS+0+b4+wAAAAAAAAAAAAAAAAAAAA8fLkE=\n',
        cosigned: false,
      },
      signed: true,
      type: 'receipt-manifest',
      as_of: '2026-05-01T12:02:16.500Z',
      valid_until: '2026-05-01T12:07:16.500Z',
      signature:
        '4f02526369f81454af31e36fb86b699ff557a5629069b58beca0c8ec35c9f1661725cca2af4717dbbb9d4d44230f0c29b4b04f5ea31fd25730a60f1d5226960d',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
    },
  },
  getReceiptStatus: {
    '200': {
      type: 'receipt-status',
      receipt_id: 'rcpt_01a20229d2f77584a3ee4a92b52952b3',
      content_hash: '9f33ce89943e72d69aa432340bb3cb09628ec5464faf9ed6be529a1ce0806c93',
      status: 'success',
      revocation_status: 'active',
      checked_at: '2026-05-01T12:02:14.500Z',
      valid_until: '2026-05-01T12:07:14.500Z',
      signature:
        '575502f129ab78dd3bab99123b187dec78ccb518ed5661b3f02435f26ec5b124ba21c9cdd1a3890def0096ef26a1c03471b8a0036683b02520331f6935a41b05',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
    },
  },
  revokeReceipt: {
    '200': revoked,
    '409': {
      error: 'The receipt is already revoked. Do nothing: `receipt` is its current state.',
      reason_code: 'receipt_already_revoked',
      receipt: revoked,
      request_id: '019de396-2e00-7000-8f3a-5b0c7d1e9a42',
    },
  },
  listReceiptVersions: {
    '200': {
      versions: [
        {
          version: 2,
          signed_at: '2026-05-01T12:02:15.500Z',
          revocation_reason: 'issued by mistake',
          receipt: revoked,
        },
        {
          version: 1,
          signed_at: '2026-05-01T12:02:14.500Z',
          revocation_reason: null,
          receipt: {
            ...revoked,
            revocation_status: 'active',
            content_hash: 'edc6e74e82f2c8d3962aad9e72a2978f90b372fcfb4957453bd25429b22bcf26',
            signature:
              '19da5749cf6fb90e348219329b953ef97263b871ed1c6daa0493c232cc1f017772d876c64fd4c17e2aaeabf07d06efb5de1d6e704b9d5aa9f744590b2e73c007',
          },
        },
      ],
    },
  },
};
